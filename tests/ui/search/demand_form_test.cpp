// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What plans have to be, as the search panel's fields ask it: a refusal lasts as long as its reason, and what
// stands in a field is what is asked.

#include "core/edit/edit.h"
#include "tests/ui/search/bound_run.h"
#include "tests/ui/settle.h"
#include "ui/base/convert.h"
#include "ui/search/search_panel.h"
#include "ui/window/key_figures.h"

#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

using namespace pw;

namespace {

// The panel over the small project, and the fields with names.
struct Demanding : UiFixture {
    SearchPanel panel{context};
    QLineEdit* require = panel.findChild<QLineEdit*>(QStringLiteral("search.require"));
    QLineEdit* forbid = panel.findChild<QLineEdit*>(QStringLiteral("search.forbid"));

    Demanding() {
        bindRun(*this);
        openSmallProject();
    }
    bool edit(const Result<Project>& edited) { return document.apply(edited, QStringLiteral("edit")); }
    Result<Project> withNode(double x) const { // under the first name that is free
        return addNodes(*document.project(), "V100-SXM2-16GB", 4, 1, {x, 0});
    }
    void demandUse(const char* names) {
        require->selectAll();
        QTest::keyClicks(require, QLatin1String(names));
    }
    void leaveOut(const char* names) {
        forbid->setText(QLatin1String(names));
        Q_EMIT forbid->editingFinished();
    }
    bool canRun() const {
        return runner.waitsFor().isEmpty() &&
               panel.findChild<QPushButton*>(QStringLiteral("search.run"))->isEnabled();
    }
    // Run waits for that field, and it says which name it is.
    bool isRefused(const QLineEdit* field, const char* name) const {
        return !canRun() && field->property("invalid").toBool() &&
               runner.waitsFor().value(0).startsWith(field->accessibleName()) &&
               runner.waitsFor().value(0).contains(QLatin1String(name));
    }
};

} // namespace

class DemandFormTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // A name that is refused is judged again as it is typed; what one name alone begins with is that name;
    // the next project has neither.
    void aCorrectedNameIsNoLongerRefused() {
        UiFixture ui;
        bindRun(ui);
        SearchPanel panel(ui.context);
        ui.openSmallProject();
        auto* forbid = panel.findChild<QLineEdit*>(QStringLiteral("search.forbid"));
        const auto* run = panel.findChild<QPushButton*>(QStringLiteral("search.run"));
        QTest::keyClicks(forbid, QStringLiteral("n"));
        QVERIFY(run->isEnabled()); // not judged before it is whole
        Q_EMIT forbid->editingFinished();
        QVERIFY(!run->isEnabled() && forbid->property("invalid").toBool());
        QVERIFY2(ui.runner.waitsFor().value(0).contains(QStringLiteral("\"n\"")),
                 qPrintable(ui.runner.waitsFor().value(0)));
        QTest::keyClicks(forbid, QStringLiteral("3"));
        QVERIFY(run->isEnabled() && !forbid->property("invalid").toBool());
        QVERIFY(ui.document.project()->forbidden.empty());
        forbid->setText(QStringLiteral("v1"));
        Q_EMIT forbid->editingFinished();
        QCOMPARE(ui.document.project()->forbidden, std::vector<std::string>{"V100-16"});
        QCOMPARE(forbid->text(), QStringLiteral("V100-16"));
        forbid->setText(QStringLiteral("nobody"));
        Q_EMIT forbid->editingFinished();
        QVERIFY(!run->isEnabled());
        ui.openSmallProject();
        QVERIFY(run->isEnabled() && forbid->text().isEmpty());
    }

    void whatMustBeUsedAndLeftOutIsAsked() {
        UiFixture ui;
        bindRun(ui);
        SearchPanel panel(ui.context);
        ui.openSmallProject();
        const QString node = q(ui.cluster().nodes.front().id);
        auto* require = panel.findChild<QLineEdit*>(QStringLiteral("search.require"));
        auto* forbid = panel.findChild<QLineEdit*>(QStringLiteral("search.forbid"));
        QTest::keyClicks(require, QStringLiteral("nobody"));
        QVERIFY(!panel.findChild<QPushButton*>(QStringLiteral("search.run"))->isEnabled());
        require->selectAll();
        QTest::keyClicks(require, node);
        QVERIFY(panel.findChild<QPushButton*>(QStringLiteral("search.run"))->isEnabled());
        QCOMPARE(ui.runner.demand().required, std::vector<std::string>{s(node)});
        QVERIFY(ui.search());
        QVERIFY(!ui.candidates.all().empty());
        const auto uses = [&](const Candidate& candidate) {
            const Topology& topology = candidate.problem->topology();
            for (const Stage& stage : candidate.plan.pipelines.front().stages)
                for (const Replica& replica : stage.replicas)
                    for (const DeviceIndex device : replica.devices)
                        if (topology.devices()[static_cast<std::size_t>(device)].id.starts_with(s(node) +
                                                                                                "."))
                            return true;
            return false;
        };
        for (const Candidate& candidate : ui.candidates.all())
            QVERIFY(uses(candidate));
        require->clear();
        Q_EMIT require->textEdited({});
        forbid->setText(QStringLiteral("nobody"));
        Q_EMIT forbid->editingFinished();
        QVERIFY(ui.document.project()->forbidden.empty());
        QVERIFY(forbid->property("invalid").toBool());
        forbid->setText(node);
        Q_EMIT forbid->editingFinished();
        QCOMPARE(ui.document.project()->forbidden, std::vector<std::string>{s(node)});
        ui.candidates.clear();
        QVERIFY(ui.search());
        for (const Candidate& candidate : ui.candidates.all())
            QVERIFY(!uses(candidate));
        ui.document.undoStack()->undo();
        QVERIFY(forbid->text().isEmpty());
    }

    void theLargestSizesHold() {
        UiFixture ui;
        SearchPanel panel(ui.context);
        ui.openLongProject();
        auto* size = panel.findChild<QLineEdit*>(QStringLiteral("search.max-tp"));
        QTest::keyClicks(size, QStringLiteral("0"));
        QVERIFY(size->property("invalid").toBool());
        size->selectAll();
        QTest::keyClicks(size, QStringLiteral("1"));
        QVERIFY(!size->property("invalid").toBool());
        QVERIFY(ui.search());
        QVERIFY(!ui.candidates.all().empty());
        for (const Candidate& candidate : ui.candidates.all()) {
            QVERIFY(!Candidates::isStale(candidate, ui.document.problem()));
            for (const Stage& stage : candidate.plan.pipelines.front().stages)
                QCOMPARE(stage.tp, 1);
        }
    }

    // A drawing that asks nothing says nothing of a name. Once it asks again the name is judged again, and so
    // is one that was there and is gone.
    // The tool bar counts what this panel counts, its fields before the drawing's faults.
    void theToolBarCountsTheFieldsToo() {
        Demanding ui;
        KeyFigures figures(ui.context);
        figures.resize(1200, 40);
        figures.show();
        const auto* link = figures.findChild<QPushButton*>(QStringLiteral("blockedReason"));
        const auto says = [&](const QString& words) {
            const QList<QLabel*> labels = figures.findChildren<QLabel*>();
            return std::ranges::any_of(
                labels, [&](const QLabel* label) { return label->isVisible() && label->text() == words; });
        };
        QVERIFY(!link->isVisible());
        ui.demandUse("nope");
        QTest::keyClick(ui.require, Qt::Key_Return);
        QVERIFY(link->isVisible() && says(QStringLiteral("Run waits for 1 problem:")));
        QCOMPARE(link->toolTip(), ui.runner.waitsFor().value(0));
        QVERIFY(ui.edit(ui.withNode(600))); // no link leads to it
        const auto* heading = ui.panel.findChild<QLabel*>(QStringLiteral("search.blocked"));
        QCOMPARE(heading->text(), QStringLiteral("Run waits for 2 problems"));
        QVERIFY(says(heading->text() + u':'));
        QCOMPARE(link->toolTip(), ui.runner.waitsFor().value(0));
        QSignalSpy search(&figures, &KeyFigures::searchClicked);
        link->parentWidget()->findChild<QPushButton*>(QStringLiteral("blockedReason"))->click();
        QCOMPARE(search.size(), 1);
        ui.demandUse("");
        QTest::keyClick(ui.require, Qt::Key_Delete);
        QTest::keyClick(ui.require, Qt::Key_Return);
        QVERIFY(says(QStringLiteral("Run waits for 1 problem:")));
        QVERIFY(link->toolTip().contains(QStringLiteral("n4")));
    }

    void aNameIsRefusedUntilItIsThere() {
        Demanding ui;
        ui.demandUse("nope");
        QVERIFY(ui.isRefused(ui.require, "nope"));
        QVERIFY(ui.edit(ui.withNode(600)));
        QVERIFY(!ui.document.problem()); // no link leads to it
        QVERIFY(ui.isRefused(ui.require, "nope"));
        QVERIFY(ui.edit(addLink(*ui.document.project(), "n4", "s1")));
        QVERIFY(ui.document.problem());
        QVERIFY(ui.isRefused(ui.require, "nope"));
        ui.demandUse("n4");
        QVERIFY(ui.canRun());
        QVERIFY(ui.edit(removeItems(*ui.document.project(), {"n4"})));
        QVERIFY(ui.isRefused(ui.require, "n4"));
        ui.document.undoStack()->undo();
        QVERIFY(ui.canRun() && !ui.require->property("invalid").toBool());
        QVERIFY(ui.edit(setForbidden(*ui.document.project(), {"n4"})));
        QVERIFY(ui.isRefused(ui.require, "n4"));
    }

    // Of a file, or of a node that is called otherwise by now: what was not typed is judged like what was.
    void aNameFromElsewhereIsJudged() {
        Demanding ui;
        SearchDemand demand;
        demand.required = {"n1", "nope"};
        ui.runner.setDemand(demand);
        QCOMPARE(ui.require->text(), QStringLiteral("n1, nope"));
        QVERIFY(ui.isRefused(ui.require, "nope"));
        QVERIFY(ui.edit(renameItem(*ui.document.project(), "n1", "a1")));
        QCOMPARE(ui.require->text(), QStringLiteral("a1, nope"));
        QVERIFY(ui.isRefused(ui.require, "nope"));
        demand.required = {"a1"};
        ui.runner.setDemand(demand);
        QVERIFY(ui.canRun() && !ui.require->property("invalid").toBool());
    }

    // It counts without another visit to its field as soon as all of it is drawn, as a step of its own; a
    // node whose name begins so is another.
    void whatIsLeftOutCountsOnceItIsDrawn() {
        Demanding ui;
        const auto stays = [&ui] {
            return settle() && ui.document.project()->forbidden.empty() &&
                   ui.forbid->text() == QStringLiteral("n4, n5");
        };
        ui.leaveOut("n4, n5");
        QVERIFY(stays() && ui.isRefused(ui.forbid, "\"n4\""));
        const Result<Project> drawn = ui.withNode(600);
        QVERIFY(drawn && ui.edit(renameItem(*drawn, "n4", "n40")));
        QVERIFY(stays() && ui.isRefused(ui.forbid, "\"n4\""));
        QVERIFY(ui.edit(ui.withNode(800)));
        QVERIFY(stays() && ui.isRefused(ui.forbid, "\"n5\""));
        QVERIFY(ui.edit(ui.withNode(1000)));
        QVERIFY(settle());
        QCOMPARE(ui.document.project()->forbidden, (std::vector<std::string>{"n4", "n5"}));
        QVERIFY(ui.runner.waitsFor().isEmpty() && !ui.forbid->property("invalid").toBool());
        ui.document.undoStack()->undo();
        QVERIFY(ui.document.project()->forbidden.empty() && ui.forbid->text().isEmpty());
        QCOMPARE(ui.cluster().nodes.size(), std::size_t{6});
    }

    // What the field completes when it is left is asked, too.
    void whatStandsInTheFieldIsAsked() {
        Demanding ui;
        QVERIFY(ui.edit(renameItem(*ui.document.project(), "n3", "n10")));
        ui.demandUse("n1");
        QCOMPARE(ui.runner.demand().required, std::vector<std::string>{"n1"});
        QVERIFY(ui.edit(removeItems(*ui.document.project(), {"n1"})));
        QVERIFY(ui.isRefused(ui.require, "n1"));
        Q_EMIT ui.require->editingFinished();
        QCOMPARE(ui.require->text(), QStringLiteral("n10"));
        QCOMPARE(ui.runner.demand().required, std::vector<std::string>{"n10"});
        QVERIFY(ui.canRun() && !ui.require->property("invalid").toBool());
    }
};

QTEST_MAIN(DemandFormTest)
#include "demand_form_test.moc"
