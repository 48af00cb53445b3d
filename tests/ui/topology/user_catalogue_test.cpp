// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Kinds of device of the user's own: made and changed in their dialog, drawn with, and carried by the
// project.

#include "core/base/file.h"
#include "tests/base/failing_disk.h"
#include "tests/ui/ui_fixture.h"
#include "ui/base/convert.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/kind_dialog.h"
#include "ui/topology/palette_panel.h"
#include "ui/topology/property_panel.h"
#include "ui/topology/user_catalogue.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTreeWidget>

using namespace pw;

class UserCatalogueTest : public QObject {
    Q_OBJECT

private:
    QTemporaryDir m_folder;
    QString m_file;

    static void type(const KindDialog& dialog, const char* field, const QString& text) {
        auto* edit = dialog.findChild<QLineEdit*>(QLatin1String(field));
        edit->setFocus();
        edit->selectAll();
        QTest::keyClicks(edit, text);
        QTest::keyClick(edit, Qt::Key_Return);
    }
    static void press(const KindDialog& dialog, const char* button) {
        QTest::mouseClick(dialog.findChild<QPushButton*>(QLatin1String(button)), Qt::LeftButton);
    }

private Q_SLOTS:
    void init() {
        m_file = m_folder.filePath(QStringLiteral("config/devices.json"));
        QFile::remove(m_file);
        QVERIFY(UserCatalogue::instance().load(m_file));
    }

    void keepsWhatItHasWhereTheDiskFails() {
        const DeviceKind kind = [] {
            DeviceKind made = *Catalogue::builtin().find("H100-SXM-80GB");
            made.name = "Mine";
            return made;
        }();
        for (const char* step : {"makeFolder", "write", "rename"}) {
            const test::FailingDisk disk(step, std::errc::no_space_on_device);
            UserCatalogue catalogue(disk);
            QVERIFY(catalogue.load(
                m_folder.filePath(QStringLiteral("full-%1/config/devices.json").arg(QLatin1String(step)))));
            const Status put = catalogue.put("", kind);
            QVERIFY2(!put && put.error().kind == ErrorKind::Failure, step);
            QVERIFY(catalogue.kinds().empty());
        }
        const test::FailingDisk unread("read", std::errc::io_error);
        QVERIFY(UserCatalogue::instance().put("", kind));
        UserCatalogue catalogue(unread);
        QVERIFY(!catalogue.load(m_file));
        QVERIFY(!catalogue.put("", kind)); // it holds what could not be read
        QVERIFY(UserCatalogue::instance().remove("Mine"));
    }

    void addEditDuplicateAndRemove() {
        UiFixture ui;
        KindDialog dialog(ui.document);
        dialog.show();
        auto* list = dialog.findChild<QListWidget*>(QStringLiteral("kinds.list"));
        QVERIFY(!dialog.findChild<QLineEdit*>(QStringLiteral("kinds.memory"))->isEnabled()); // ships
        press(dialog, "kinds.add");
        type(dialog, "kinds.name", QStringLiteral("Home card"));
        type(dialog, "kinds.memory", QStringLiteral("24 GiB"));
        type(dialog, "kinds.fp16", QStringLiteral("70.5 TFLOP/s"));
        type(dialog, "kinds.intraBandwidth", QStringLiteral("50 GB/s"));
        type(dialog, "kinds.fp8", QStringLiteral("cannot"));
        const auto& own = UserCatalogue::instance().kinds();
        QCOMPARE(own.size(), std::size_t(1));
        QCOMPARE(own[0].name, std::string("Home card"));
        QCOMPARE(own[0].memory.value, 24.0 * 1024 * 1024 * 1024);
        QCOMPARE(own[0].fp16.value, 70.5e12);
        QCOMPARE(own[0].intraBandwidth.value, 50e9);
        QCOMPARE(own[0].fp8.value, 0.0);

        type(dialog, "kinds.memory", QStringLiteral("much"));
        QCOMPARE(own[0].memory.value, 24.0 * 1024 * 1024 * 1024);
        QVERIFY(!dialog.findChild<QLabel*>(QStringLiteral("kinds.memory.note"))->text().isEmpty());
        type(dialog, "kinds.name", QStringLiteral("A100-SXM4-40GB"));
        QCOMPARE(own[0].name, std::string("Home card"));
        QVERIFY(dialog.findChild<QLabel*>(QStringLiteral("kinds.report"))
                    ->text()
                    .contains(QStringLiteral("another kind")));

        press(dialog, "kinds.copy");
        QCOMPARE(own.size(), std::size_t(2));
        QCOMPARE(own[1].name, std::string("Home card 2"));
        QCOMPARE(own[1].fp16.value, 70.5e12);
        QCOMPARE(list->currentItem()->text(), QStringLiteral("Home card 2"));

        // What another start reads is the same.
        const std::vector<DeviceKind> before = own;
        QVERIFY(UserCatalogue::instance().load(m_file));
        QVERIFY(UserCatalogue::instance().kinds() == before);
        press(dialog, "kinds.remove");
        QCOMPARE(own.size(), std::size_t(1));
    }

    void paletteAndPanelOfferThemAndTheProjectCarriesThem() {
        DeviceKind kind = *Catalogue::builtin().find("A100-SXM4-40GB");
        kind.name = kind.shortName = "Home card";
        QVERIFY(UserCatalogue::instance().put({}, kind));
        UiFixture ui;
        ui.drawSample();
        PalettePanel palette(ui.context);
        const auto hits =
            palette.list()->findItems(QStringLiteral("Home card"), Qt::MatchExactly | Qt::MatchRecursive);
        QCOMPARE(hits.size(), 1);
        QCOMPARE(hits[0]->parent()->text(0), QStringLiteral("Your GPUs"));

        PropertyPanel panel(ui.context);
        ui.selection.setItems({QStringLiteral("n2"), QStringLiteral("n3")});
        auto* kinds = panel.findChild<QComboBox*>(QStringLiteral("properties.kind"));
        const int at = kinds->findText(QStringLiteral("Home card"));
        QVERIFY(at >= 0);
        const int steps = ui.document.undoStack()->index();
        kinds->setCurrentIndex(at);
        Q_EMIT kinds->textActivated(kinds->currentText());
        QCOMPARE(ui.cluster().node("n3")->kind, std::string("Home card"));
        QCOMPARE(ui.cluster().kinds.size(), std::size_t(1));
        QCOMPARE(ui.document.undoStack()->index(), steps + 1);

        // Without the catalogue the project still knows what it is made of.
        QVERIFY(UserCatalogue::instance().remove("Home card"));
        const Result<Project> again = readProject(printProject(*ui.document.project()), "again.pwx");
        QVERIFY(again && findKind(again->cluster, "Home card"));
        ui.document.undoStack()->undo();
        QVERIFY(ui.cluster().kinds.empty());
    }

    void placedNodesTakeTheKindAlong() {
        DeviceKind kind = *Catalogue::builtin().find("A100-SXM4-40GB");
        kind.name = kind.shortName = "Home card";
        QVERIFY(UserCatalogue::instance().put({}, kind));
        UiFixture ui;
        QVERIFY(placeNodes(ui.context, "Home card", 4, 2, {0, 0}));
        QCOMPARE(ui.cluster().kinds.size(), std::size_t(1));
        // A change in the dialog reaches the open project as one step.
        KindDialog dialog(ui.document);
        dialog.show();
        dialog.select(QStringLiteral("Home card"));
        type(dialog, "kinds.memory", QStringLiteral("20 GiB"));
        QCOMPARE(ui.cluster().kinds[0].memory.value, 20.0 * 1024 * 1024 * 1024);
        ui.document.undoStack()->undo();
        QVERIFY(ui.cluster().kinds[0] == kind);
    }

    void aBrokenFileIsReportedAndKept() {
        QVERIFY(writeFileAtomically(s(m_file), "{\"kinds\": [{\"name\": \"x\"}]}"));
        const Status read = UserCatalogue::instance().load(m_file);
        QVERIFY(!read);
        QVERIFY(read.error().where.find("devices.json#/kinds/0") != std::string::npos);
        QVERIFY(!UserCatalogue::instance().put({}, DeviceKind(*Catalogue::builtin().find("A100-40"))));
        DeviceKind kind = *Catalogue::builtin().find("A100-40");
        kind.name = "Mine";
        QVERIFY(!UserCatalogue::instance().put({}, kind));
        const Result<std::string> text = readFile(s(m_file));
        QVERIFY(text && text->find("\"x\"") != std::string::npos);
    }
};

QTEST_MAIN(UserCatalogueTest)
#include "user_catalogue_test.moc"
