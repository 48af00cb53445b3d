// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/project.h"
#include "tests/project/small_project.h"
#include "tests/ui/app_fixture.h"
#include "ui/base/error_text.h"
#include "ui/base/manual_link.h"
#include "ui/base/theme.h"
#include "ui/problems/fixes.h"
#include "ui/problems/problems_model.h"
#include "ui/problems/problems_panel.h"

#include <QAbstractItemModelTester>
#include <QListWidget>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTest>

#include <algorithm>

using namespace pw;

using Spoil = void (*)(pw::Project&);
Q_DECLARE_METATYPE(Spoil)

class ProblemsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void worstComesFirst();
    void theTitleCounts();
    void clickAndKeysJump();
    void refusalsAreKept();
    void refusalsGoWithTheirProject();
    void withoutARefusalTheTabSaysWhatWouldCome();
    void fixesMend_data();
    void fixesMend();
    void fixesLeadToTheField();
    void aClickOnTheFixMakesIt();
    void theFixOfANodeWithoutLinkStaysWithMoreSwitches();
    void theNextProblemIsCurrentAfterAFix();
    void fixesTakeTheRoomOfTheirWords();
};

void ProblemsTest::worstComesFirst() {
    ProblemsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setDiagnostics(
        {{Severity::Note, "a", "profiles", "first"},
         {Severity::Error, "b", "n4", {"node has no link", {{"value", "0 links"}, {"limit", "at least 1"}}}},
         {Severity::Warning, "c", "model.seq", "long"}});
    QCOMPARE(model.index(0, ProblemsModel::Place).data(), QStringLiteral("n4"));
    QCOMPARE(model.index(0, ProblemsModel::Problem).data(), QStringLiteral("Node has no link"));
    QCOMPARE(model.index(0, ProblemsModel::Value).data(), QStringLiteral("0 links"));
    QCOMPARE(model.index(0, ProblemsModel::Limit).data(), QStringLiteral("at least 1"));
    QCOMPARE(model.index(0, 0).data(Qt::AccessibleTextRole), QStringLiteral("error"));
    QCOMPARE(model.index(2, ProblemsModel::Place).data(), QStringLiteral("Profiles"));
    QCOMPARE(problemCounts(1, 3, 2), QStringLiteral("1 error, 3 warnings, 2 notes"));
}

void ProblemsTest::theTitleCounts() {
    AppFixture app;
    ProblemsPanel panel(app.context);
    const QString empty = panel.subtitle();
    QVERIFY(empty.contains(QStringLiteral("error"))); // no nodes, no model
    app.drawSample();
    QCOMPARE(panel.model()->rowCount(), static_cast<int>(app.document.diagnostics().size()));
    QVERIFY(panel.accessibleName().startsWith(QStringLiteral("Problems, ")));
    // Figures have a column where a problem has one, else the words have the room.
    const auto* table = panel.findChild<QTableView*>(QStringLiteral("problems.table"));
    const auto agree = [&](bool& both) {
        for (const int figure : {ProblemsModel::Value, ProblemsModel::Limit}) {
            bool any = false;
            for (int row = 0; row < panel.model()->rowCount(); ++row)
                any = any || !panel.model()->index(row, figure).data().toString().isEmpty();
            QCOMPARE(table->isColumnHidden(figure), !any);
            both = both || any;
        }
    };
    bool figures = false;
    agree(figures);
    QVERIFY(figures);
    app.document.adopt(smallProject(), QString()); // whose notes have none
    agree(figures);
}

void ProblemsTest::clickAndKeysJump() {
    AppFixture app;
    app.drawSample(); // n3 has no link
    ProblemsPanel panel(app.context, &app.window);
    panel.resize(800, 300);
    app.window.resize(800, 300);
    app.window.show();
    QSignalSpy asked(&app.selection, &Selection::focusRequested);
    auto* table = panel.findChild<QTableView*>(QStringLiteral("problems.table"));
    QVERIFY(table->isVisible());
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                      table->visualRect(panel.model()->index(0, ProblemsModel::Problem)).center());
    QVERIFY(asked.size() >= 1);
    QCOMPARE(asked.first().first().toString(),
             panel.model()->index(0, 0).data(ProblemsModel::WhereRole).toString());
    const qsizetype before = asked.size();
    panel.step(1);
    QCOMPARE(asked.size(), before + 1);
}

void ProblemsTest::refusalsAreKept() {
    AppFixture app;
    ProblemsPanel panel(app.context);
    app.document.apply(badInput("edit.kind", "n9", "there is no such kind"), QStringLiteral("x"));
    auto* messages = panel.findChild<QListWidget*>(QStringLiteral("problems.messages"));
    QCOMPARE(messages->count(), 1);
    QVERIFY(messages->item(0)->text().contains(QStringLiteral("there is no such kind")));
    QCOMPARE(panel.findChild<QTabBar*>(QStringLiteral("problems.tabs"))->tabText(1),
             QStringLiteral("Messages 1"));
}

// Not with an edit of the same project; the list of problems is in front again.
void ProblemsTest::refusalsGoWithTheirProject() {
    AppFixture app;
    ProblemsPanel panel(app.context);
    const auto refuse = [&app] {
        app.document.apply(badInput("edit.kind", "n9", "there is no such kind"), QStringLiteral("x"));
    };
    const auto* messages = panel.findChild<QListWidget*>(QStringLiteral("problems.messages"));
    auto* tabs = panel.findChild<QTabBar*>(QStringLiteral("problems.tabs"));
    refuse();
    tabs->setCurrentIndex(1);
    app.drawSample(); // an edit
    QCOMPARE(messages->count(), 1);
    QCOMPARE(tabs->currentIndex(), 1);
    app.document.reset();
    QCOMPARE(messages->count(), 0);
    QCOMPARE(tabs->currentIndex(), 0);
    QCOMPARE(tabs->tabText(1), QStringLiteral("Messages"));
    refuse();
    QCOMPARE(messages->count(), 1);
    app.document.adopt(smallProject(), QString());
    QCOMPARE(messages->count(), 0);
}

// Every fix that is an edit takes its problem away, and is asked of a project that has it.
void ProblemsTest::withoutARefusalTheTabSaysWhatWouldCome() {
    AppFixture app;
    ProblemsPanel panel(app.context);
    const auto* empty = panel.findChild<QWidget*>(QStringLiteral("problems.noMessages"));
    const auto* messages = panel.findChild<QListWidget*>(QStringLiteral("problems.messages"));
    QVERIFY(!empty->isVisibleTo(&panel));
    panel.findChild<QTabBar*>(QStringLiteral("problems.tabs"))->setCurrentIndex(1);
    QVERIFY(empty->isVisibleTo(&panel) && !messages->isVisibleTo(&panel));
    app.document.apply(badInput("edit.kind", "n9", "there is no such kind"), QStringLiteral("x"));
    QVERIFY(!empty->isVisibleTo(&panel) && messages->isVisibleTo(&panel));
}

void ProblemsTest::fixesMend_data() {
    QTest::addColumn<QByteArray>("code");
    QTest::addColumn<Spoil>("spoil");
    const auto row = [](const char* code, Spoil spoil) { QTest::newRow(code) << QByteArray(code) << spoil; };
    row("cluster.unlinked", [](Project& p) {
        const std::string last = p.cluster.nodes.back().id;
        std::erase_if(p.cluster.links, [&](const Link& l) { return l.a == last || l.b == last; });
    });
    row("cluster.memory_taken", [](Project& p) { p.cluster.nodes.front().memoryTaken = gibibytes(1000); });
    row("cluster.link_end", [](Project& p) { p.cluster.links.front().b = "nowhere"; });
    row("cluster.link_self", [](Project& p) {
        Link loop = p.cluster.links.front();
        loop.id = "loop";
        loop.b = loop.a;
        p.cluster.links.push_back(loop);
    });
    row("cluster.id_character",
        [](Project& p) { p.cluster.nodes.front().id = p.cluster.links.front().a = "rack 1/node 7"; });
    row("cluster.host_name",
        [](Project& p) { p.cluster.nodes.front().id = p.cluster.links.front().a = "n\u00f8de-<b>"; });
    row("space.forbidden", [](Project& p) { p.forbidden = {"nobody"}; });
    row("problem.no_device", [](Project& p) {
        for (const Node& node : p.cluster.nodes)
            p.forbidden.push_back(node.id);
    });
    row("problem.precision", [](Project& p) { p.recipe.precision = Precision::Fp8; });
    row("recipe.twice", [](Project& p) { p.recipe.mbs = {2, 1, 2}; });
    row("project.long_sequence", [](Project& p) {
        p.model->learnedPositions = 0;
        p.model->positions = 512;
        p.recipe.seq = 1024;
    });
    row("problem.seq", [](Project& p) {
        p.model->positions = p.model->learnedPositions = 512;
        p.recipe.seq = 1024;
    });
}

void ProblemsTest::fixesMend() {
    QFETCH(const QByteArray, code);
    QFETCH(Spoil, spoil);
    Project project = smallProject();
    spoil(project);
    const auto problemOfIt = [&](const Project& looked) {
        const Diagnostics found = checkProject(looked);
        const auto at = std::find_if(found.begin(), found.end(),
                                     [&](const Diagnostic& d) { return code == d.code.c_str(); });
        return at == found.end() ? std::optional<Diagnostic>() : *at;
    };
    const std::optional<Diagnostic> problem = problemOfIt(project);
    QVERIFY(problem);
    const std::optional<Fix> fix = fixOf(project, *problem);
    QVERIFY(fix && fix->edit);
    const Result<Project> mended = fix->edit(project);
    QVERIFY(bool(mended));
    QVERIFY(!problemOfIt(*mended));
}

// Where there are several ways to mend it.
void ProblemsTest::fixesLeadToTheField() {
    Project project = smallProject();
    project.cluster.nodes.front().kind = "nothing";
    project.cluster.switches.front().medium = "InfiniBand HDR";
    const std::string narrow = project.cluster.links.front().id;
    project.cluster.links.front().bandwidth = BytesPerSecond(1e8);
    const Diagnostics found = checkProject(project);
    const auto placeOf = [&](const char* code) {
        const auto at = std::ranges::find_if(found, [&](const Diagnostic& d) { return d.code == code; });
        const std::optional<Fix> fix = at == found.end() ? std::nullopt : fixOf(project, *at);
        return fix && !fix->edit ? fix->where : QString();
    };
    QCOMPARE(placeOf("cluster.kind_unknown"), q(project.cluster.nodes.front().id + ".kind"));
    QCOMPARE(placeOf("cluster.medium"), q(project.cluster.switches.front().id + ".medium"));
    project.cluster.nodes.front().kind = smallProject().cluster.nodes.front().kind;
    const Diagnostics known = checkProject(project);
    const auto at = std::ranges::find_if(
        known, [&](const Diagnostic& d) { return d.code == "cluster.narrow" && d.where == narrow; });
    QVERIFY(at != known.end());
    QVERIFY2(messageText(*at).contains(QStringLiteral("0.8 Gbit/s (0.1 GB/s)")) ||
                 messageText(*at).contains(QStringLiteral("800 Mbit/s (100 MB/s)")),
             qPrintable(messageText(*at)));
    QCOMPARE(fixOf(project, *at)->where, q(narrow + ".bandwidth"));
}

void ProblemsTest::aClickOnTheFixMakesIt() {
    AppFixture app;
    app.drawSample(); // n3 has no link, s1 is the one switch
    ProblemsPanel panel(app.context, &app.window);
    panel.resize(1000, 300);
    app.window.resize(1000, 300);
    app.window.show();
    auto* table = panel.findChild<QTableView*>(QStringLiteral("problems.table"));
    const auto rowOf = [&](const char* code) {
        for (int row = 0; row < panel.model()->rowCount(); ++row)
            if (panel.model()->index(row, 0).data(kMessageCodeRole).toString() == QLatin1String(code))
                return row;
        return -1;
    };
    const QModelIndex cell = panel.model()->index(rowOf("cluster.unlinked"), ProblemsModel::Mend);
    QCOMPARE(cell.data().toString(), QStringLiteral("Link n3 to s1"));
    const std::size_t before = app.cluster().links.size();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, table->visualRect(cell).center());
    QCOMPARE(app.cluster().links.size(), before + 1);
    QCOMPARE(rowOf("cluster.unlinked"), -1);
    QCOMPARE(app.document.undoStack()->undoText(), QStringLiteral("Link n3 to s1"));
    // Where people choose, the fix leads there.
    QSignalSpy asked(&app.selection, &Selection::focusRequested);
    table->setCurrentIndex(panel.model()->index(rowOf("project.no_model"), 0));
    QVERIFY(app.commands->action("problems.fix")->isEnabled());
    app.commands->action("problems.fix")->trigger();
    QCOMPARE(asked.size(), 1);
    QCOMPARE(asked.first().first().toString(), QStringLiteral("model"));
}

// With a second switch it leads to the one that is drawn nearer, wherever that stands in the file.
void ProblemsTest::theFixOfANodeWithoutLinkStaysWithMoreSwitches() {
    AppFixture app;
    app.drawSample(); // n3 has no link
    const Node n3 = *app.cluster().node("n3");
    ProblemsPanel panel(app.context, &app.window);
    const auto offered = [&]() -> QString {
        for (int row = 0; row < panel.model()->rowCount(); ++row)
            if (panel.model()->index(row, ProblemsModel::Place).data() == QStringLiteral("n3"))
                return panel.model()->index(row, ProblemsModel::Mend).data().toString();
        return {};
    };
    QCOMPARE(offered(), QStringLiteral("Link n3 to s1"));
    const Point beside{n3.at.x + 80, n3.at.y + 220}, far{n3.at.x + 9000, n3.at.y};
    app.document.apply(addSwitch(*app.document.project(), "Ethernet", far), QStringLiteral("s2"));
    QCOMPARE(offered(), QStringLiteral("Link n3 to s1"));
    app.document.apply(addSwitch(*app.document.project(), "Ethernet", beside), QStringLiteral("s3"));
    QCOMPARE(offered(), QStringLiteral("Link n3 to s3"));
    app.document.apply(removeItems(*app.document.project(), {"s1", "s2", "s3"}), QStringLiteral("none"));
    QCOMPARE(offered(), QString()); // two other nodes, and no switch
}

// So that F after F mends one after the other; another project begins anew.
void ProblemsTest::theNextProblemIsCurrentAfterAFix() {
    AppFixture app;
    app.drawSample(); // n3 has no link, s1 is the one switch
    app.document.apply(addNodes(*app.document.project(), "V100-SXM2-16GB", 4, 1, {480, 320}),
                       QStringLiteral("n4"));
    ProblemsPanel panel(app.context, &app.window);
    panel.resize(1000, 300);
    app.window.resize(1000, 300);
    app.window.show();
    auto* table = panel.findChild<QTableView*>(QStringLiteral("problems.table"));
    const auto unlinked = [&panel] {
        QStringList places;
        for (int row = 0; row < panel.model()->rowCount(); ++row)
            if (panel.model()->index(row, 0).data(kMessageCodeRole) == QStringLiteral("cluster.unlinked"))
                places << panel.model()->index(row, 0).data(ProblemsModel::WhereRole).toString();
        return places;
    };
    QCOMPARE(unlinked(), (QStringList{QStringLiteral("n3"), QStringLiteral("n4")}));
    const auto rowOf = [&panel](const QString& place) {
        const auto found = panel.model()->match(panel.model()->index(0, 0), ProblemsModel::WhereRole, place);
        return found.isEmpty() ? QModelIndex() : found.front();
    };
    // An edit elsewhere keeps the row that the user is at.
    table->setCurrentIndex(rowOf(QStringLiteral("n4")).siblingAtColumn(ProblemsModel::Mend));
    app.document.apply(addLink(*app.document.project(), "n3", "s1"), QStringLiteral("l3"));
    QCOMPARE(table->currentIndex().data(ProblemsModel::WhereRole).toString(), QStringLiteral("n4"));
    QCOMPARE(table->currentIndex().column(), int(ProblemsModel::Mend));
    QVERIFY(table->currentIndex().data(Qt::AccessibleTextRole).toString().contains(QStringLiteral("F ")));
    app.document.undoStack()->undo();
    const int before = panel.model()->rowCount();
    table->setCurrentIndex(rowOf(QStringLiteral("n3")));
    const int row = table->currentIndex().row();
    app.commands->action("problems.fix")->trigger();
    QCOMPARE(panel.model()->rowCount(), before - 1);
    QCOMPARE(table->currentIndex().row(), row);
    QCOMPARE(table->currentIndex().data(ProblemsModel::WhereRole).toString(), QStringLiteral("n4"));
    app.commands->action("problems.fix")->trigger();
    QCOMPARE(unlinked(), QStringList());
    app.document.adopt(smallProject(), QString());
    QVERIFY(!table->currentIndex().isValid());
}

// And leave the rest to what is wrong.
void ProblemsTest::fixesTakeTheRoomOfTheirWords() {
    AppFixture app;
    app.drawSample(); // n3 has no link
    ProblemsPanel panel(app.context, &app.window);
    panel.resize(980, 200);
    app.window.resize(980, 200);
    app.window.show();
    const auto* table = panel.findChild<QTableView*>(QStringLiteral("problems.table"));
    const QFontMetrics metrics(bodyFont(500));
    int widest = 0;
    for (int row = 0; row < panel.model()->rowCount(); ++row)
        widest = std::max(widest, metrics.horizontalAdvance(
                                      panel.model()->index(row, ProblemsModel::Mend).data().toString()));
    const int width = table->columnWidth(ProblemsModel::Mend);
    QVERIFY(widest > 0);
    QVERIFY2(width > widest && width < widest + 40,
             qPrintable(QStringLiteral("%1 for %2").arg(width).arg(widest)));
}

QTEST_MAIN(ProblemsTest)
#include "problems_test.moc"
