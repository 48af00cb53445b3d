// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/stages/edited_fixture.h"
#include "tests/whatif/edited_plan.h"
#include "ui/topology/canvas.h"

#include <QAction>
#include <QContextMenuEvent>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>

using namespace pw;

// The plan in view without a node that fails, asked for on the drawing.
class NodeFailureTest : public QObject {
    Q_OBJECT

private:
    // The entry of the node's menu on the drawing, which stays open; null: there is none.
    static QAction* failureOf(EditedFixture& f, TopologyCanvas& canvas, const QString& node) {
        f.selection.setItems({node});
        QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, {});
        QCoreApplication::sendEvent(&canvas, &event);
        for (QMenu* menu : canvas.findChildren<QMenu*>())
            for (QAction* action : menu->actions())
                if (action->text().contains(node))
                    return action;
        return nullptr;
    }
    static void closeMenus(TopologyCanvas& canvas) {
        for (QMenu* menu : canvas.findChildren<QMenu*>())
            menu->close();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }

private Q_SLOTS:
    // As the stage map's menu has it, from the node itself: where the plan is shown and uses it.
    void aNodeOfTheDrawingFails() {
        EditedFixture f;
        TopologyCanvas canvas(f.context, &f.window);
        canvas.resize(900, 600);
        f.window.show();
        const auto failure = [&](const QString& node) { return failureOf(f, canvas, node); };
        const auto close = [&] { closeMenus(canvas); };
        const QString node = QStringLiteral("n2");
        QVERIFY(f.whatIf.uses(node));
        const auto says = [&](const char* why) { // greyed, with a reason
            const QAction* fails = failure(node);
            return fails && !fails->isEnabled() && fails->toolTip().contains(QLatin1String(why));
        };
        canvas.setOverlayShown(false);
        QVERIFY(says("hidden")); // the plan is not shown
        close();
        canvas.setOverlayShown(true);
        f.selection.setPlan(-1);
        QVERIFY(says("No plan is in view"));
        close();
        QVERIFY(!failure(QStringLiteral("s1"))); // it is of nodes
        close();
        f.selection.setPlan(f.base);
        QAction* fails = failure(node);
        QVERIFY(fails && fails->isEnabled());
        fails->trigger();
        close();
        QVERIFY(f.selection.plan() != f.base);
        QVERIFY(!f.whatIf.uses(node));
        const auto expected = whatif::dropNode(*f.document.problem(), f.plan, 1);
        QVERIFY(expected);
        QCOMPARE(f.current().plan.pipelines.front().stages.size(), expected->pipelines.front().stages.size());
        QVERIFY(says("does not use")); // nothing of it is left
        close();
        f.selection.setPlan(f.base);
        Project changed = *f.document.project();
        changed.recipe.gbs *= 2;
        QVERIFY(f.document.apply(changed, QStringLiteral("batch")));
        QVERIFY(says("earlier state"));
        close();
        QVERIFY(!f.whatIf.dropNode(QStringLiteral("s1")));
    }

    // The drawing shows no memory.
    void whatDoesNotFitWithoutANodeIsSaid() {
        EditedFixture f;
        Project tight = *f.document.project();
        for (Node& node : tight.cluster.nodes)
            node.memoryTaken = findKind(tight.cluster, node.kind)->memory - Bytes(2e8);
        tight.recipe.reserve = Bytes(0);
        f.document.adopt(tight, QString());
        const std::shared_ptr<const Problem> problem = f.document.problem();
        QVERIFY(problem);
        const Plan plan = test::editPlan(*problem);
        const auto evaluation = evaluate(*problem, plan);
        QVERIFY(evaluation && !evaluation->feasible);
        f.selection.setPlan(f.candidates.add(problem, {{plan, *evaluation}}, QStringLiteral("searched")));
        TopologyCanvas canvas(f.context, &f.window);
        canvas.resize(900, 600);
        f.window.show();
        const QSignalSpy said(&f.whatIf, &WhatIf::nodeDropped);
        QAction* fails = failureOf(f, canvas, QStringLiteral("n2"));
        QVERIFY(fails && fails->isEnabled());
        fails->trigger();
        closeMenus(canvas);
        QCOMPARE(said.count(), 1);
        QCOMPARE(said[0][0].toString(), QStringLiteral("n2"));
        QVERIFY(said[0][1].toString().contains(QStringLiteral("edited")));
        QVERIFY2(said[0][2].toString().contains(QStringLiteral("GiB")), qPrintable(said[0][2].toString()));
    }
};

QTEST_MAIN(NodeFailureTest)
#include "node_failure_test.moc"
