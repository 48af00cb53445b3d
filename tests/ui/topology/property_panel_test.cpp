// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/app_fixture.h"
#include "tests/whatif/edited_plan.h"
#include "ui/base/convert.h"
#include "ui/topology/drawing.h"
#include "ui/topology/property_panel.h"
#include "ui/topology/sized_cluster.h"
#include "ui/widgets/value_field.h"
#include "ui/window/status_line.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

using namespace pw;

namespace {

struct ShownPropertyPanel : AppFixture {
    PropertyPanel* panel;
    ShownPropertyPanel() {
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
    void aFieldWithAnExampleTakesBareNumbers();
    void lanesStandInFrontOfTheRate();
    void enterGivesTheKeysBack();
    void oneCountOfWhatIsChosen();
    void severalLinksAreOneStep();
    void differingValuesAreNamed();
    void theNetworkOfLinksIsSaid();
    void aLeafTellsItsOversubscription();
    void errorsStandOnTheField();
    void nodesAndSwitches();
    void renamingKeepsTheSelection();
    void peaksAreHeldAgainstTheLimit();
    void aStalePlanFollowsANewName();
    void escapeLeadsBackToTheDrawing();
    void theDeviceOfAStalePlanIsMarked();
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
    ShownPropertyPanel app;
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

// As the labels of the drawing write it.
void PropertyPanelTest::lanesStandInFrontOfTheRate() {
    ShownPropertyPanel app;
    const std::string id = app.cluster().links.front().id;
    app.selection.setItems({QString::fromStdString(id)});
    const auto is = [&](double bytesPerSecond, int lanes) {
        const Link* link = app.cluster().link(id);
        return link->bandwidth.value == bytesPerSecond && link->lanes == lanes;
    };
    app.type("bandwidth", "4x400G");
    QVERIFY(is(50e9, 4));
    app.type("bandwidth", "8 \u00d7 200 Gbit/s");
    QVERIFY(is(25e9, 8));
    app.type("bandwidth", "2X100"); // in the unit shown
    QVERIFY(is(12.5e9, 2));
    app.type("bandwidth", "200"); // of lanes it says nothing
    QVERIFY(is(25e9, 2));
    const int steps = app.document.undoStack()->index();
    for (const char* wrong :
         {"0x400G", "5000x400G", "99999999999x400G", "4x", "4x400 horses", "4x9999999T"}) {
        app.type("bandwidth", wrong);
        QVERIFY2(!app.note("bandwidth")->text().isEmpty(), wrong);
        QVERIFY2(app.edit("bandwidth")->property("invalid").toBool(), wrong);
    }
    QCOMPARE(app.document.undoStack()->index(), steps);
    app.type("latency", "9 us"); // what was refused is forgotten
    QVERIFY(is(25e9, 2));
}

void PropertyPanelTest::enterGivesTheKeysBack() {
    ShownPropertyPanel app;
    QVERIFY(QTest::qWaitForWindowActive(&app.window));
    QSignalSpy given(&app.selection, &Selection::editingFinished);
    app.selection.setItems({QStringLiteral("n2")});
    const auto enter = [&](const char* name, const char* text) {
        app.edit(name)->setFocus();
        app.type(name, text);
        QCoreApplication::processEvents();
    };
    enter("speed", "90 %");
    QCOMPARE(given.size(), 1);
    enter("speed", "90 %"); // unchanged
    QCOMPARE(given.size(), 2);
    enter("speed", "quick");
    enter("name", "n1"); // taken
    QCOMPARE(given.size(), 2);
    enter("name", "fast");
    QVERIFY(app.cluster().node("fast"));
    QCOMPARE(given.size(), 3);
    app.edit("gpus")->setFocus(); // whoever leaves a field by Tab goes where they go
    app.edit("gpus")->setText(QStringLiteral("3"));
    app.edit("speed")->setFocus();
    QCoreApplication::processEvents();
    QCOMPARE(app.cluster().node("fast")->gpus, 3);
    QCOMPARE(given.size(), 3);
}

// Here and in the status line, whatever it is of.
void PropertyPanelTest::oneCountOfWhatIsChosen() {
    ShownPropertyPanel app;
    StatusLine status(app.context);
    status.setProjectOpen(true);
    const auto label = [&](const char* name) {
        return app.panel->findChild<QLabel*>(QLatin1String(name))->text();
    };
    const auto said = [&] { return status.findChild<QLabel*>(QStringLiteral("status.selection"))->text(); };
    const QString link = QString::fromStdString(app.cluster().links.front().id);
    app.selection.setItems({QStringLiteral("n1"), QStringLiteral("n2"), QStringLiteral("s1"), link});
    QCOMPARE(label("properties.title"), QStringLiteral("4 items"));
    QVERIFY2(said().startsWith(QStringLiteral("4 items")), qPrintable(said()));
    QVERIFY(label("properties.items").startsWith(QStringLiteral("2 nodes")));
    QVERIFY2(!label("properties.empty").startsWith(QStringLiteral("Choose nodes")),
             qPrintable(label("properties.empty")));
    // Links that came along with nodes are counted, and the nodes can be edited.
    app.selection.setItems({QStringLiteral("n1"), link});
    QCOMPARE(label("properties.title"), QStringLiteral("2 items"));
    QVERIFY(said().startsWith(QStringLiteral("2 items")));
    QCOMPARE(app.edit("name")->text(), QStringLiteral("n1"));
    QVERIFY(app.edit("speed")->isVisible());
    app.selection.setItems({QStringLiteral("n1"), QStringLiteral("n2")});
    QCOMPARE(label("properties.title"), QStringLiteral("2 nodes"));
    QVERIFY(said().startsWith(QStringLiteral("2 items")));
    app.selection.setItems({});
    QCOMPARE(label("properties.title"), QStringLiteral("Nothing chosen"));
    QVERIFY(label("properties.empty").startsWith(QStringLiteral("Choose nodes")));
}

void PropertyPanelTest::severalLinksAreOneStep() {
    ShownPropertyPanel app;
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
    QCOMPARE(app.edit("latency")->placeholderText(), QStringLiteral("2 values: 7 us (1), 20 us (1)"));
    const int steps = app.document.undoStack()->index();
    app.type("latency", "30 us");
    for (const Link& l : app.cluster().links)
        QCOMPARE(l.latency.value, 30e-6);
    QCOMPARE(app.document.undoStack()->index(), steps + 1);
    QVERIFY(app.edit("latency")->placeholderText().isEmpty() && app.edit("latency")->toolTip().isEmpty());
    app.document.undoStack()->undo();
    QCOMPARE(app.edit("latency")->placeholderText(), QStringLiteral("2 values: 7 us (1), 20 us (1)"));
}

// How many different values there are and which, not how many links.
void PropertyPanelTest::differingValuesAreNamed() {
    ShownPropertyPanel app;
    app.document.apply(addCluster(*app.document.project(), {.kind = "A100-SXM4-80GB", .nodes = 4}, {0, 600}),
                       QStringLiteral("four at InfiniBand"));
    QSet<QString> all;
    for (const Link& l : app.cluster().links)
        all.insert(QString::fromStdString(l.id));
    QCOMPARE(all.size(), 6);
    app.selection.setItems(all);
    QCOMPARE(app.edit("latency")->placeholderText(), QStringLiteral("2 values: 5 us (4), 20 us (2)"));
    QCOMPARE(app.edit("latency")->toolTip(), app.edit("latency")->placeholderText());
    QVERIFY(app.edit("efficiency")->placeholderText().startsWith(QStringLiteral("2 values: ")));
    QSet<QString> nodes;
    for (const Node& n : app.cluster().nodes)
        nodes.insert(QString::fromStdString(n.id));
    app.selection.setItems(nodes);
    auto* kind = app.panel->findChild<QComboBox*>(QStringLiteral("properties.kind"));
    QCOMPARE(kind->placeholderText(), QStringLiteral("3 values"));
    QVERIFY2(kind->toolTip().startsWith(QStringLiteral("3 values: A100-SXM4-80GB (4), V100-SXM2-16GB (2)")),
             qPrintable(kind->toolTip()));
    app.selection.setItems({QStringLiteral("n2"), QStringLiteral("n3")});
    QVERIFY(kind->toolTip().isEmpty());
    // Values that are told apart by no more than their last digits.
    QCOMPARE(valuesText({{QStringLiteral("88 %"), 2}, {QStringLiteral("88 %"), 1}}),
             QStringLiteral("about 88 %"));
    QCOMPARE(valuesText({}), QString());
    std::vector<std::pair<QString, std::size_t>> many;
    for (int i = 0; i < 20; ++i)
        many.emplace_back(QString::number(i), 1);
    QVERIFY(valuesText(many).startsWith(QStringLiteral("20 values: 0 (1), 1 (1)")));
    QVERIFY(valuesText(many).size() < 80);
}

// Where the efficiency of a link comes from.
void PropertyPanelTest::theNetworkOfLinksIsSaid() {
    ShownPropertyPanel app;
    app.document.apply(addCluster(*app.document.project(), {.kind = "A100-SXM4-80GB", .nodes = 4}, {0, 600}),
                       QStringLiteral("four at InfiniBand"));
    const auto* network = app.panel->findChild<QLabel*>(QStringLiteral("properties.network"));
    const auto choose = [&](std::initializer_list<std::size_t> links) {
        QSet<QString> ids;
        for (const std::size_t i : links)
            ids.insert(QString::fromStdString(app.cluster().links.at(i).id));
        app.selection.setItems(ids);
    };
    choose({0});
    QVERIFY2(network->text().startsWith(QStringLiteral("Ethernet (TCP), as its switch s1")),
             qPrintable(network->text()));
    QVERIFY(network->isVisibleTo(app.panel));
    choose({2});
    QVERIFY(network->text().startsWith(QStringLiteral("InfiniBand, as its switch s2")));
    QVERIFY(network->text().contains(app.edit("efficiency")->text())); // which is what is usual there
    choose({2, 3});
    QVERIFY(network->text().startsWith(QStringLiteral("InfiniBand; ")));
    choose({0, 2, 3});
    QCOMPARE(network->text(), QStringLiteral("2 values: InfiniBand (2), Ethernet (TCP) (1)"));
    app.document.apply(addLink(*app.document.project(), "n1", "n2"), QStringLiteral("no switch"));
    choose({app.cluster().links.size() - 1});
    QVERIFY(network->text().startsWith(QStringLiteral("Ethernet (TCP), as there is no switch")));
    // Between two switches the slower decides.
    app.document.apply(addLink(*app.document.project(), "s2", "s1"), QStringLiteral("trunk"));
    choose({app.cluster().links.size() - 1});
    QVERIFY(network->text().startsWith(QStringLiteral("Ethernet (TCP), as its switch s1")));

    const auto* note = app.panel->findChild<QLabel*>(QStringLiteral("properties.medium.note"));
    app.selection.setItems({QStringLiteral("s2")});
    const QString usual = note->text();
    QVERIFY(note->isVisibleTo(app.panel));
    app.selection.setItems({QStringLiteral("s1")});
    QVERIFY(note->text() != usual);
    app.selection.setItems({QStringLiteral("s1"), QStringLiteral("s2")});
    QVERIFY(!note->isVisibleTo(app.panel));
}

void PropertyPanelTest::aLeafTellsItsOversubscription() {
    ShownPropertyPanel app;
    ClusterSize size;
    size.kind = "H100-SXM-80GB";
    size.nodes = 8;
    size.network = ClusterSize::Network::LeafAndSpine;
    size.oversubscription = 4;
    const std::size_t before = app.cluster().switches.size();
    QVERIFY(
        app.document.apply(addCluster(*app.document.project(), size, {0, 2000}), QStringLiteral("racks")));
    QStringList leaves, spines;
    for (std::size_t i = before; i < app.cluster().switches.size(); ++i) {
        const std::string& id = app.cluster().switches[i].id;
        const bool leaf = std::ranges::any_of(app.cluster().links, [&](const Link& l) {
            return (l.a == id && app.cluster().node(l.b)) || (l.b == id && app.cluster().node(l.a));
        });
        (leaf ? leaves : spines) << QString::fromStdString(id);
    }
    QCOMPARE(leaves.size(), 2);
    const auto* cables = app.panel->findChild<QLabel*>(QStringLiteral("properties.switch.sides"));
    app.selection.setItems({leaves.front()});
    QVERIFY2(cables->text().contains(QStringLiteral("4 links to nodes: ")) &&
                 cables->text().contains(QStringLiteral("2 links to switches: ")) &&
                 cables->text().endsWith(QStringLiteral("Oversubscribed 4 : 1")),
             qPrintable(cables->text()));
    app.selection.setItems({leaves.begin(), leaves.end()});
    QVERIFY2(cables->text().startsWith(QStringLiteral("8 links to nodes: ")) &&
                 cables->text().endsWith(QStringLiteral("Oversubscribed 4 : 1")),
             qPrintable(cables->text()));
    app.selection.setItems({spines.front()});
    QVERIFY2(cables->text().startsWith(QStringLiteral("2 links to switches: ")), qPrintable(cables->text()));
    app.selection.setItems({spines.begin(), spines.end()}); // none of them has nodes
    QVERIFY2(cables->text().startsWith(QStringLiteral("4 links to switches: ")), qPrintable(cables->text()));
    app.selection.setItems({spines.front(), leaves.front()});
    QVERIFY2(cables->text().endsWith(QStringLiteral("Oversubscribed 4 : 1")), qPrintable(cables->text()));
}

void PropertyPanelTest::errorsStandOnTheField() {
    ShownPropertyPanel app;
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
    ShownPropertyPanel app;
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
    app.type("intraBandwidth", "300"); // in its usual unit, though none is shown
    QCOMPARE(app.cluster().node("n3")->intraBandwidth.value, 300e9);
    app.type("intraBandwidth", "of the kind");
    QCOMPARE(app.cluster().node("n3")->intraBandwidth.value, 0.0);
    app.selection.setItems({QStringLiteral("s1")});
    auto* medium = app.panel->findChild<QComboBox*>(QStringLiteral("properties.medium"));
    QCOMPARE(medium->currentText(), QStringLiteral("Ethernet (TCP)"));
    medium->setFocus();
    QTest::keyClick(medium, Qt::Key_Down);
    QCOMPARE(app.cluster().findSwitch("s1")->medium, std::string("InfiniBand"));
    // RoCE is a choice of its own, and reaches what InfiniBand does.
    const auto* note = app.panel->findChild<QLabel*>(QStringLiteral("properties.medium.note"));
    const QString usual = note->text();
    QTest::keyClick(medium, Qt::Key_Down);
    QCOMPARE(medium->currentText(), QStringLiteral("RoCE"));
    QCOMPARE(app.cluster().findSwitch("s1")->medium, std::string("RoCE"));
    QCOMPARE(note->text(), usual);
    QTest::keyClick(medium, Qt::Key_Home);
    QCOMPARE(app.cluster().findSwitch("s1")->medium, std::string("Ethernet")); // as files name it
}

void PropertyPanelTest::renamingKeepsTheSelection() {
    ShownPropertyPanel app;
    app.selection.setItems({QStringLiteral("n2")});
    app.type("name", "trainer-07");
    QVERIFY(app.cluster().node("trainer-07"));
    QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("trainer-07")});
    app.type("name", "n1");
    QVERIFY(!app.note("name")->text().isEmpty());
    QVERIFY(app.cluster().node("trainer-07"));
}

void PropertyPanelTest::unchangedFieldsMakeNoStep() {
    ShownPropertyPanel app;
    app.selection.setItems({QString::fromStdString(app.cluster().links.front().id)});
    const int steps = app.document.undoStack()->index();
    for (const char* name : {"bandwidth", "lanes", "latency", "efficiency"})
        QTest::keyClick(app.edit(name), Qt::Key_Return);
    QCOMPARE(app.document.undoStack()->index(), steps);
}

// As Return on the canvas does: the name that is handed over stands in the choice, which may be replaced.
void PropertyPanelTest::aChosenItemCanBeAskedFor() {
    ShownPropertyPanel app;
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
    ShownPropertyPanel app;
    int raised = 0;
    connect(app.panel, &View::raiseRequested, this, [&] { ++raised; });
    app.selection.requestFocus(QStringLiteral("n3.memoryTaken"));
    QCOMPARE(app.selection.items(), QSet<QString>{QStringLiteral("n3")});
    QCOMPARE(raised, 1);
    app.selection.requestFocus(QStringLiteral("model.gbs"));
    QCOMPARE(raised, 1);
}

// Of a plan that is to fit with a greater chance, the node's fullest GPU and the tiles name the limit.
void PropertyPanelTest::peaksAreHeldAgainstTheLimit() {
    ShownPropertyPanel app;
    Project project = smallProject();
    project.model->blocks = 8;
    project.recipe.fitChance = 0.9;
    app.document.adopt(project, QString());
    const auto problem = app.document.problem();
    const Plan plan = test::editPlan(*problem);
    const int id =
        app.candidates.add(problem, {{plan, *evaluate(*problem, plan)}}, QStringLiteral("searched"));
    app.selection.setPlan(id);
    app.selection.setItems({QStringLiteral("n1")});
    const QString text = app.panel->findChild<QLabel*>(QStringLiteral("properties.plan"))->text();
    QVERIFY2(text.contains(QStringLiteral("at most")) && text.contains(QStringLiteral("90 %")),
             qPrintable(text));
    const Drawing drawing = drawingOf(project, {}, app.candidates.find(id), false, {}, {});
    const TileLook& tile = drawing.nodes.front().tiles.front();
    QCOMPARE(tile.stage, 0);
    QVERIFY(tile.room.isHeldBack() && tile.room.chance == 0.9);
    const Drawing bare = drawingOf(project, {}, nullptr, false, {}, {});
    QVERIFY(!bare.nodes.front().tiles.front().room.isHeldBack()); // all of the GPU's, as nothing is asked
}

// The stages of a plan of an older question stay with a node that gets another name, and go back with it.
void PropertyPanelTest::aStalePlanFollowsANewName() {
    ShownPropertyPanel app;
    Project project = smallProject();
    project.model->blocks = 8;
    app.document.adopt(project, QString());
    const auto problem = app.document.problem();
    const Plan plan = test::editPlan(*problem);
    const int id =
        app.candidates.add(problem, {{plan, *evaluate(*problem, plan)}}, QStringLiteral("searched"));
    app.selection.setPlan(id);
    const auto stageOf = [&](const char* node) {
        const Candidate& shown = *app.candidates.find(id);
        const Drawing drawing =
            drawingOf(*app.document.project(), {}, &shown, true, {}, {}, app.candidates.drawnNames(shown));
        for (const NodeLook& look : drawing.nodes)
            if (look.id == QLatin1String(node))
                return look.tiles.front().stage;
        return -2;
    };
    const auto said = [&](const char* node) {
        app.selection.setItems({QLatin1String(node)});
        return app.panel->findChild<QLabel*>(QStringLiteral("properties.plan"))->text();
    };
    const auto rename = [&](const char* from, const char* to) {
        QVERIFY(app.document.apply(renameItem(*app.document.project(), from, to), QStringLiteral("rename")));
    };
    const int stage = stageOf("n1");
    QVERIFY(stage >= 0);
    const auto slower = [&](Project now) {
        now.cluster.nodes.front().speed = 0.5;
        return now;
    };
    QVERIFY(app.document.apply(slower(*app.document.project()), QStringLiteral("slower")));
    QVERIFY(Candidates::isStale(*app.candidates.find(id), app.document.problem()));
    rename("n1", "big");
    QCOMPARE(stageOf("big"), stage);
    QVERIFY2(said("big").contains(QStringLiteral("stage")) && said("big").contains(QStringLiteral("big.g")),
             qPrintable(said("big")));
    rename("big", "huge");
    QCOMPARE(stageOf("huge"), stage);
    rename("n2", "n1"); // the name that the plan has for the other one
    QCOMPARE(stageOf("huge"), stage);
    QVERIFY(stageOf("n1") >= 0 && said("n1").contains(QStringLiteral("n1.g")));
    for (int step = 0; step < 3; ++step)
        app.document.undoStack()->undo();
    QVERIFY(app.candidates.drawnNames(*app.candidates.find(id)).empty());
    QCOMPARE(stageOf("n1"), stage);
    app.document.undoStack()->undo();
    QVERIFY(!Candidates::isStale(*app.candidates.find(id), app.document.problem()));
    // Where the project asks nothing the plan is stale as well.
    Project none = *app.document.project();
    none.model.reset();
    QVERIFY(app.document.apply(none, QStringLiteral("no model")));
    rename("n1", "big");
    QCOMPARE(stageOf("big"), stage);
    // A fresh plan has the new names in its question.
    for (int step = 0; step < 2; ++step)
        app.document.undoStack()->undo();
    rename("n1", "big");
    QVERIFY(!Candidates::isStale(*app.candidates.find(id), app.document.problem()));
    QVERIFY(app.candidates.drawnNames(*app.candidates.find(id)).empty());
    QCOMPARE(stageOf("big"), stage);
}

// Nothing is shown in it yet: a bare number has the unit of the field, and what is taken is no longer red.
void PropertyPanelTest::aFieldWithAnExampleTakesBareNumbers() {
    ValueSpec spec = bitRateSpec(1e6, 1e13);
    spec.unit = QStringLiteral("Gbit/s");
    ValueField field(std::move(spec), QStringLiteral("rate"), QStringLiteral("Rate"));
    field.setExample(QStringLiteral("such as 200 Gbit/s"));
    field.show();
    const QSignalSpy taken(&field, &ValueField::committed);
    const auto type = [&](const char* text) {
        field.edit()->setFocus();
        field.edit()->selectAll();
        QTest::keyClicks(field.edit(), QLatin1String(text));
        QTest::keyClick(field.edit(), Qt::Key_Return);
    };
    type("fast");
    QVERIFY(taken.isEmpty() && !field.error().isEmpty() && field.edit()->property("invalid").toBool());
    double expected = 0.0;
    for (const char* text : {"100 Gbit/s", "200", "300G"}) {
        expected += 12.5e9;
        type(text);
        QVERIFY2(!taken.isEmpty() && field.error().isEmpty() && !field.edit()->property("invalid").toBool(),
                 text);
        QCOMPARE(taken.back()[0].toDouble(), expected);
        type("1e30");
        QVERIFY(field.edit()->property("invalid").toBool());
    }
}

// From any field; one that holds a text which is not taken yet has its own use of the first Escape.
void PropertyPanelTest::escapeLeadsBackToTheDrawing() {
    ShownPropertyPanel app;
    app.selection.setItems({QStringLiteral("n1")});
    const QSignalSpy back(&app.selection, &Selection::editingFinished);
    QLineEdit* field = app.edit("memoryTaken");
    field->setFocus();
    QTRY_VERIFY(field->hasFocus());
    QTest::keyClicks(field, QStringLiteral("7"));
    QTest::keyClick(field, Qt::Key_Escape);
    QVERIFY(back.isEmpty());
    QTest::keyClick(field, Qt::Key_Escape);
    QCOMPARE(back.size(), 1);
}

// What the views of a stale plan choose is one of the drawing's GPUs, whatever its node is called by now, and
// what is chosen stays so.
void PropertyPanelTest::theDeviceOfAStalePlanIsMarked() {
    ShownPropertyPanel app;
    Project project = smallProject();
    project.model->blocks = 8;
    app.document.adopt(project, QString());
    const auto problem = app.document.problem();
    const Plan plan = test::editPlan(*problem);
    const int id =
        app.candidates.add(problem, {{plan, *evaluate(*problem, plan)}}, QStringLiteral("searched"));
    app.selection.setPlan(id);
    project.cluster.nodes.front().speed = 0.5;
    QVERIFY(app.document.apply(project, QStringLiteral("slower")));
    const QString before = QStringLiteral("n1.g0"), now = QStringLiteral("big.g0");
    app.selection.setDevice(before);
    const int stage = app.candidates.shown(id, true)->stageOfDevice(before);
    QVERIFY(stage >= 0);
    QVERIFY(app.document.apply(renameItem(*app.document.project(), "n1", "big"), QStringLiteral("rename")));
    QCOMPARE(app.selection.device(), now);
    const auto shown = app.candidates.shown(id, true);
    QCOMPARE(shown->stageOfDevice(now), stage);
    QCOMPARE(shown->stageOfDevice(before), -1);
    const ShownStage& row = shown->stages[static_cast<std::size_t>(stage)];
    QVERIFY(row.deviceIds.contains(now) && !row.deviceIds.contains(before));
    QVERIFY2(row.devices.contains(QStringLiteral("big")), qPrintable(row.devices));
    const Track& track = shown->timeline->tracks[static_cast<std::size_t>(stage)];
    QVERIFY(q(track.deviceNames).contains(now) && q(track.label) == row.devices);
    const Candidate& candidate = *app.candidates.find(id);
    const Drawing drawing = drawingOf(*app.document.project(), {}, &candidate, true, {},
                                      shown->device(now)->id, app.candidates.drawnNames(candidate));
    QStringList marked;
    for (const NodeLook& look : drawing.nodes)
        for (std::size_t slot = 0; slot < look.tiles.size(); ++slot)
            if (look.tiles[slot].chosen)
                marked << QStringLiteral("%1.g%2").arg(look.id).arg(slot);
    QCOMPARE(marked, QStringList{now});
    app.document.undoStack()->undo();
    QCOMPARE(app.selection.device(), before);
    QCOMPARE(app.candidates.shown(id, true)->stageOfDevice(before), stage);
}

QTEST_MAIN(PropertyPanelTest)
#include "property_panel_test.moc"
