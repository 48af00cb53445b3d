// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/app_fixture.h"
#include "ui/topology/property_panel.h"
#include "ui/widgets/value_field.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTest>

using namespace pw;

namespace {

struct Panel : AppFixture {
    PropertyPanel* panel;
    Panel() {
        drawSample();
        panel = new PropertyPanel(context, &window);
        panel->resize(340, 500);
        window.resize(340, 500);
        window.show();
    }
    QLineEdit* edit(const char* name) const {
        auto* found = panel->findChild<QLineEdit*>(QLatin1String("properties.") + QLatin1String(name));
        if (!found)
            qFatal("there is no field %s", name);
        return found;
    }
    QLabel* note(const char* name) const {
        return panel->findChild<QLabel*>(QLatin1String("properties.") + QLatin1String(name) +
                                         QLatin1String(".note"));
    }
    void type(const char* name, const char* text) {
        edit(name)->setText(QString::fromUtf8(text));
        QTest::keyClick(edit(name), Qt::Key_Return);
    }
};

} // namespace

class PropertyPanelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void unitsAreUnderstood_data();
    void unitsAreUnderstood();
    void severalLinksAreOneStep();
    void errorsStandOnTheField();
    void nodesAndSwitches();
    void renamingKeepsTheSelection();
    void unchangedFieldsMakeNoStep();
    void focusFollowsARequest();
    void aChosenItemCanBeAskedFor();
};

void PropertyPanelTest::unitsAreUnderstood_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("bytesPerSecond");
    QTest::newRow("bit rate") << QStringLiteral("200 Gbit/s") << 25e9;
    QTest::newRow("byte rate") << QStringLiteral("12.5 GB/s") << 12.5e9;
    QTest::newRow("tera") << QStringLiteral("1.6 Tbit/s") << 200e9;
    QTest::newRow("bare, in the unit shown") << QStringLiteral("200") << 25e9;
    QTest::newRow("a prefix alone") << QStringLiteral("200G") << 25e9;
}

void PropertyPanelTest::unitsAreUnderstood() {
    QFETCH(QString, text);
    QFETCH(double, bytesPerSecond);
    Panel app;
    const std::string id = app.cluster().links.front().id;
    app.document.apply(
        [&] {
            Link l = app.cluster().links.front();
            l.bandwidth = BytesPerSecond(1e9);
            return setLinks(*app.document.project(), {l});
        }(),
        QStringLiteral("start"));
    app.selection.setItems({QString::fromStdString(id)});
    app.type("bandwidth", text.toUtf8().constData());
    QCOMPARE(app.cluster().link(id)->bandwidth.value, bytesPerSecond);
    QVERIFY(app.note("bandwidth")->text().contains(QStringLiteral("/s")));
}

void PropertyPanelTest::severalLinksAreOneStep() {
    Panel app;
    QSet<QString> both;
    for (const Link& l : app.cluster().links)
        both.insert(QString::fromStdString(l.id));
    app.selection.setItems({*both.begin()});
    app.type("latency", "7 us");
    app.selection.setItems(both);
    QVERIFY(app.panel->findChild<QLabel*>(QStringLiteral("properties.title"))
                ->text()
                .contains(QStringLiteral("2 links")));
    QVERIFY(app.edit("latency")->text().isEmpty());
    QCOMPARE(app.edit("latency")->placeholderText(), QStringLiteral("2 values"));
    const int steps = app.document.undoStack()->index();
    app.type("latency", "30 us");
    for (const Link& l : app.cluster().links)
        QCOMPARE(l.latency.value, 30e-6);
    QCOMPARE(app.document.undoStack()->index(), steps + 1);
    app.document.undoStack()->undo();
    QCOMPARE(app.edit("latency")->placeholderText(), QStringLiteral("2 values"));
}

void PropertyPanelTest::errorsStandOnTheField() {
    Panel app;
    app.selection.setItems({QString::fromStdString(app.cluster().links.front().id)});
    const int steps = app.document.undoStack()->index();
    app.type("bandwidth", "many");
    QVERIFY(app.note("bandwidth")->isVisibleTo(app.panel));
    QVERIFY(!app.note("bandwidth")->text().isEmpty());
    app.type("efficiency", "140 %");
    QVERIFY(app.note("efficiency")->text().contains(QStringLiteral("1 % to 100 %")));
    QCOMPARE(app.edit("efficiency")->text(), QStringLiteral("140 %")); // what was typed stays to be mended
    QCOMPARE(app.document.undoStack()->index(), steps);
}

void PropertyPanelTest::nodesAndSwitches() {
    Panel app;
    app.selection.setItems({QStringLiteral("n2"), QStringLiteral("n3")});
    const int steps = app.document.undoStack()->index();
    app.type("memoryTaken", "2 GiB");
    QCOMPARE(app.cluster().node("n2")->memoryTaken, gibibytes(2.0));
    QCOMPARE(app.cluster().node("n3")->memoryTaken, gibibytes(2.0));
    QCOMPARE(app.document.undoStack()->index(), steps + 1);
    app.type("intraBandwidth", "150 GB/s");
    QCOMPARE(app.cluster().node("n3")->intraBandwidth.value, 150e9);
    app.type("intraBandwidth", "of the kind");
    QCOMPARE(app.cluster().node("n3")->intraBandwidth.value, 0.0);
    app.selection.setItems({QStringLiteral("s1")});
    auto* medium = app.panel->findChild<QComboBox*>(QStringLiteral("properties.medium"));
    QCOMPARE(medium->currentText(), QStringLiteral("Ethernet"));
    medium->setFocus();
    QTest::keyClick(medium, Qt::Key_Down);
    QCOMPARE(app.cluster().findSwitch("s1")->medium, std::string("InfiniBand"));
}

void PropertyPanelTest::renamingKeepsTheSelection() {
    Panel app;
    app.selection.setItems({QStringLiteral("n2")});
    app.type("name", "trainer-07");
    QVERIFY(app.cluster().node("trainer-07"));
    QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("trainer-07")});
    app.type("name", "n1");
    QVERIFY(!app.note("name")->text().isEmpty());
    QVERIFY(app.cluster().node("trainer-07"));
}

void PropertyPanelTest::unchangedFieldsMakeNoStep() {
    Panel app;
    app.selection.setItems({QString::fromStdString(app.cluster().links.front().id)});
    const int steps = app.document.undoStack()->index();
    for (const char* name : {"bandwidth", "lanes", "latency", "efficiency"})
        QTest::keyClick(app.edit(name), Qt::Key_Return);
    QCOMPARE(app.document.undoStack()->index(), steps);
}

// As Return on the canvas does: the name that is handed over stands in the choice, which may be replaced.
void PropertyPanelTest::aChosenItemCanBeAskedFor() {
    Panel app;
    QStringList asked;
    QObject::connect(&app.context.selection, &Selection::focusRequested, app.panel,
                     [&](const QString& where) { asked += where; });
    app.context.selection.setItems({QStringLiteral("n1"), QStringLiteral("n2")});
    const QString first = *app.context.selection.items().begin();
    const QString expected(first.constData(), first.size()); // shares nothing with the choice
    app.context.selection.requestFocus(*app.context.selection.items().begin());
    QCOMPARE(asked, QStringList{expected});
    QCOMPARE(app.context.selection.items().size(), 2); // both, and not only the one that was named
    app.context.selection.requestFocus(QStringLiteral("n3"));
    QCOMPARE(app.context.selection.items(), QSet<QString>{QStringLiteral("n3")});
}

void PropertyPanelTest::focusFollowsARequest() {
    Panel app;
    int raised = 0;
    connect(app.panel, &View::raiseRequested, this, [&] { ++raised; });
    app.selection.requestFocus(QStringLiteral("n3.memoryTaken"));
    QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("n3")});
    QCOMPARE(raised, 1);
    app.selection.requestFocus(QStringLiteral("model.gbs"));
    QCOMPARE(raised, 1);
}

QTEST_MAIN(PropertyPanelTest)
#include "property_panel_test.moc"
