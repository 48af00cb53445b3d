// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window_fixture.h"
#include "ui/base/background_job.h"
#include "ui/window/dialog_pictures.h"

#include <QAbstractButton>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>

using namespace pw;

// Every dialog as it is pictured: it opens, it says what it is, and those that refuse say why.
class DialogsTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;
    std::unique_ptr<MainWindow> m_window;

private Q_SLOTS:
    void initTestCase() {
        m_folder.use();
        m_window = std::make_unique<MainWindow>();
        m_window->show();
        QVERIFY(m_window->openFile(m_folder.smallProjectFile()));
        QVERIFY(searched(*m_window));
    }
    void cleanupTestCase() { m_window.reset(); }

    void eachOpensAndNamesItsControls_data() {
        QTest::addColumn<int>("index");
        for (std::size_t i = 0; i < dialogPictures().size(); ++i)
            QTest::newRow(dialogPictures()[i].name) << static_cast<int>(i);
    }
    void eachOpensAndNamesItsControls() {
        QFETCH(int, index);
        const DialogPicture& picture = dialogPictures()[static_cast<std::size_t>(index)];
        const auto dialog = picture.make(*m_window, m_folder.path());
        QVERIFY(dialog);
        dialog->show();
        QTRY_VERIFY_WITH_TIMEOUT(!BackgroundJob::anyRunning(), 60'000);
        QVERIFY(!dialog->windowTitle().isEmpty());
        for (const auto* button : dialog->findChildren<QAbstractButton*>())
            QVERIFY2(!button->isVisible() || !button->text().isEmpty() ||
                         !button->accessibleName().isEmpty() || !button->toolTip().isEmpty() ||
                         button->inherits("QTableCornerButton") || qobject_cast<QLineEdit*>(button->parent()),
                     qPrintable(button->objectName() + QLatin1Char(' ') +
                                QLatin1String(button->metaObject()->className())));
        for (const auto* field : dialog->findChildren<QLineEdit*>())
            QVERIFY2(!field->isVisible() || !field->accessibleName().isEmpty() ||
                         !field->placeholderText().isEmpty() ||
                         !field->parentWidget()->accessibleName().isEmpty(),
                     qPrintable(field->objectName()));
        const QImage image = dialog->grab().toImage();
        QVERIFY(image.width() > 200 && image.height() > 100);
    }

    void thoseThatRefuseSayWhy() {
        const auto made = [&](const char* name) -> std::unique_ptr<QWidget> {
            for (const DialogPicture& picture : dialogPictures())
                if (qstrcmp(picture.name, name) == 0) {
                    auto dialog = picture.make(*m_window, m_folder.path());
                    dialog->show();
                    return QTest::qWaitFor([&] { return !BackgroundJob::anyRunning(); }, 60'000)
                               ? std::move(dialog)
                               : nullptr;
                }
            return nullptr;
        };
        const auto import = made("importRefused");
        QVERIFY(import);
        const auto* notes = import->findChild<QTableWidget*>(QStringLiteral("import.notes"));
        QVERIFY(notes && notes->rowCount() > 0);
        QVERIFY2(notes->item(0, 0)->toolTip().contains(QStringLiteral(":4:")), // the line where it ends
                 qPrintable(notes->item(0, 0)->toolTip()));
        QVERIFY(!import->findChild<QAbstractButton*>(QStringLiteral("import.import"))->isEnabled());
        const auto exported = made("exportRefused");
        QVERIFY(exported);
        QVERIFY(exported->findChild<QTableWidget*>(QStringLiteral("export.refusals"))->rowCount() > 0);
        const auto keys = made("shortcutsClash");
        QVERIFY(keys);
        QVERIFY(!keys->findChild<QLabel*>(QStringLiteral("shortcutEditor.state"))->text().isEmpty());
    }
};

QTEST_MAIN(DialogsTest)
#include "dialogs_test.moc"
