// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/base/false_clock.h"
#include "tests/ui/settle.h"
#include "tests/ui/stages/edited_fixture.h"
#include "tests/ui/ui_fixture.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/plans/kept_plans.h"
#include "ui/session/compare_set.h"
#include "ui/session/shown_plan.h"
#include "ui/stages/edited_bar.h"
#include "ui/stages/stage_edits.h"
#include "ui/stages/stage_map.h"
#include "ui/stages/stage_rows.h"
#include "ui/topology/drag_payload.h"
#include "ui/widgets/message_bar.h"

#include <QComboBox>
#include <QDropEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextDocumentFragment>

using namespace pw;

// Editing the plan in view: what mouse, keys and fields make of it, and what the project keeps.
class WhatIfTest : public QObject {
    Q_OBJECT

private:
    using Fixture = EditedFixture;
    using MapFixture = EditedMapFixture;

private Q_SLOTS:
    // In a title that is too narrow for all words, fields keep their width and words go.
    void fieldsFitTheTitle() {
        MapFixture f;
        QWidget title;
        auto* row = new QHBoxLayout(&title);
        auto* tools = f.map.titleTools();
        row->addStretch(1);
        row->addWidget(tools);
        title.show();
        int before = 0;
        for (const int width : {460, 560, 660, 900}) {
            title.resize(width, 28);
            QVERIFY(settle());
            int words = 0;
            for (const QWidget* part : tools->findChildren<QWidget*>(Qt::FindDirectChildrenOnly)) {
                if (part->isHidden())
                    continue;
                const QRect place(part->mapTo(&title, QPoint()), part->size());
                QVERIFY2(title.rect().contains(place), qPrintable(part->objectName()));
                if (const auto* label = qobject_cast<const QLabel*>(part)) {
                    QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
                    ++words;
                }
            }
            QVERIFY(words >= before);
            before = words;
        }
        QVERIFY(before > 3); // at 900 none is missing
        const auto* size = tools->findChild<QComboBox*>(QStringLiteral("stages.microbatch"));
        QVERIFY(!size->currentText().contains(QStringLiteral("seq")));
        title.resize(460, 28);
        QVERIFY(settle());
        const qlonglong sequences = size->currentData().toLongLong();
        QCOMPARE(size->currentText(),
                 sequences == 1 ? QStringLiteral("1 seq") : QStringLiteral("%1 seqs").arg(sequences));
        title.resize(900, 28);
        QVERIFY(settle());
        QVERIFY(!tools->findChild<QLabel*>(QStringLiteral("stages.chosen"))->isHidden());
    }

    void aPlanIsMadeByHandWithoutASearch() {
        UiFixture ui;
        StageMap map(ui.context);
        map.show();
        auto* make = map.findChild<QPushButton*>(QStringLiteral("stages.byHand"));
        QVERIFY(make->isHidden()); // there is nothing to plan yet
        ui.openSmallProject();
        QVERIFY(make->isVisible());
        QTest::mouseClick(make, Qt::LeftButton);
        QCOMPARE(ui.candidates.all().size(), std::size_t(1));
        QCOMPARE(ui.selection.plan(), ui.candidates.all().front().id);
        QCOMPARE(ui.candidates.all().front().origin, QStringLiteral("by hand"));
        QVERIFY(!make->isVisible());
        QVERIFY(ui.whatIf.subject()); // open to edits
    }

    void theFirstEditMakesAPlanBesideItsBase() {
        Fixture f;
        const int before = f.document.undoStack()->count();
        QVERIFY(
            f.whatIf.edit(whatif::moveBoundary(*f.document.problem(), f.plan, 0, 5), QStringLiteral("move")));
        QCOMPARE(f.document.undoStack()->count(), before + 1);
        QVERIFY(f.selection.plan() != f.base);
        QCOMPARE(f.current().name, QStringLiteral("1, edited"));
        QCOMPARE(f.current().origin, QStringLiteral("edited"));
        QCOMPARE(f.whatIf.base()->id, f.base);
        QVERIFY(f.candidates.find(f.base)->plan == f.plan); // not overwritten
        const Result<Evaluation> anew = evaluate(*f.document.problem(), f.current().plan);
        QCOMPARE(f.current().evaluation.iteration.value, anew->iteration.value);
        // A second edit changes the same one.
        const int edited = f.selection.plan();
        QVERIFY(f.whatIf.edit(whatif::setTp(*f.document.problem(), f.current().plan, 0, 4),
                              QStringLiteral("tp")));
        QCOMPARE(f.selection.plan(), edited);
        QCOMPARE(f.candidates.all().size(), std::size_t(2));
    }

    // A key that is held or pressed quickly makes one step; one after a pause, or another boundary, the next.
    void keysInQuickSuccessionAreOneStep() {
        test::FalseClock clock; // outlives the edits
        Fixture f;
        StageEdits edits(f.whatIf, nullptr, clock);
        const auto step = [&](int boundary, int layers, double after) {
            clock.advance(after);
            edits.stepBoundary(boundary, layers);
            return f.document.undoStack()->count();
        };
        const int start = f.boundaryLayer(0);
        QCOMPARE(step(0, -2, 100.0), 1);
        QCOMPARE(step(0, -2, 0.39), 1);
        QCOMPARE(f.boundaryLayer(0), start - 4);
        QCOMPARE(step(0, 2, 0.41), 2);
        QCOMPARE(step(1, -2, 0.1), 3);
        QCOMPARE(step(0, 2, 0.1), 4);
        for (const int layer : {start - 2, start - 2, start - 4, start}) {
            f.document.undoStack()->undo();
            QCOMPARE(f.boundaryLayer(0), layer);
        }
    }

    void undoAndRedoFollowThePlan() {
        Fixture f;
        std::vector<Plan> states{f.plan};
        for (const int layer : {5, 3, 9}) {
            QVERIFY(f.whatIf.edit(whatif::moveBoundary(*f.document.problem(), f.current().plan, 0, layer),
                                  QStringLiteral("move")));
            states.push_back(f.current().plan);
        }
        for (std::size_t i = states.size() - 1; i-- > 0;) {
            f.document.undoStack()->undo();
            QVERIFY(f.current().plan == states[i]);
        }
        QCOMPARE(f.selection.plan(), f.base);
        QCOMPARE(f.candidates.all().size(), std::size_t(1));
        for (std::size_t i = 1; i < states.size(); ++i) {
            f.document.undoStack()->redo();
            QVERIFY(f.current().plan == states[i]);
        }
    }

    void keptAndRevertedAndReadAgain() {
        Fixture f;
        const auto move = [&](int layer) {
            return f.whatIf.edit(whatif::moveBoundary(*f.document.problem(), f.current().plan, 0, layer),
                                 QStringLiteral("move"));
        };
        QVERIFY(move(5));
        QVERIFY(f.whatIf.canKeep() && f.whatIf.canRevert());
        f.whatIf.revert();
        QCOMPARE(f.selection.plan(), f.base);
        QVERIFY(!f.whatIf.canRevert());
        f.document.undoStack()->undo(); // of the revert
        QCOMPARE(f.current().name, QStringLiteral("1, edited"));
        f.whatIf.keep();
        followPins(f.context);
        QVERIFY(f.current().pinned && !f.whatIf.canKeep());
        QVERIFY(move(3)); // another one
        QCOMPARE(f.current().name, QStringLiteral("1, edited 2"));
        QCOMPARE(f.current().base, QStringLiteral("1, edited"));
        const Plan last = f.current().plan;
        // Through the file.
        const Result<Project> read = readProject(printProject(*f.document.project()), "p.pwx");
        QVERIFY(read);
        Fixture g;
        g.document.adopt(*read, QString());
        g.candidates.clear();
        restoreKept(g.context);
        g.whatIf.restore();
        const Candidate* again =
            g.candidates.findNamed(QStringLiteral("1, edited 2"), g.document.problem()->hash());
        QVERIFY(again && again->plan == last);
        QCOMPARE(g.candidates.baseOf(*again)->name, QStringLiteral("1, edited"));
        QCOMPARE(again->root, QStringLiteral("1"));
        // What was added there is no draft here: an edit of it makes another one.
        const Candidate* added =
            g.candidates.findNamed(QStringLiteral("1, edited"), g.document.problem()->hash());
        QVERIFY(added && added->pinned && !again->pinned);
        g.selection.setPlan(added->id);
        QVERIFY(!g.whatIf.canKeep());
        const std::size_t before = g.candidates.all().size();
        const Plan asItWas = added->plan;
        QVERIFY(g.whatIf.edit(whatif::moveBoundary(*g.document.problem(), asItWas, 0, 7),
                              QStringLiteral("move")));
        QCOMPARE(g.candidates.all().size(), before + 1);
        QVERIFY(g.candidates.findNamed(QStringLiteral("1, edited"), g.document.problem()->hash())->plan ==
                asItWas);
    }

    // Whoever looks at it, or compares it, goes on doing so.
    void anEditWithAnotherNameIsTheSamePlan() {
        Fixture f;
        QObject::connect(&f.document, &Document::changed, &f.window, [&f] {
            followNames(f.context);
            followPins(f.context);
        });
        QVERIFY(f.whatIf.edit(whatif::moveBoundary(*f.document.problem(), f.current().plan, 0, 5),
                              QStringLiteral("move")));
        f.whatIf.keep();
        const int id = f.selection.plan();
        CompareSet compare(f.document, f.candidates);
        compare.setPlans({f.base, id});
        renamePlan(f.context, id, QStringLiteral("even first stage"));
        const auto isStill = [&](const char* name, const char* base) {
            return f.selection.plan() == id && compare.lanes().size() == 2 &&
                   f.current().name == QLatin1String(name) && f.current().base == QLatin1String(base) &&
                   f.current().pinned && f.candidates.all().size() == 2;
        };
        QVERIFY(isStill("even first stage", "1"));
        renamePlan(f.context, f.base, QStringLiteral("found"));
        QVERIFY(isStill("even first stage", "found"));
        f.document.undoStack()->undo();
        f.document.undoStack()->undo();
        QVERIFY(isStill("1, edited", "1"));
        f.document.undoStack()->undo(); // of the adding
        QVERIFY(f.selection.plan() == id && f.whatIf.canKeep());
    }

    // A search may leave launch counts to the evaluation, and a file has them.
    void aPlanIsKnownAgainFromItsDocument() {
        Fixture f;
        Plan open = f.plan;
        open.pipelines.front().schedule.launch.clear();
        const auto evaluation = evaluate(*f.document.problem(), open);
        QVERIFY(evaluation && !evaluation->pipelines.front().launch.empty());
        Plan stated = open;
        stated.pipelines.front().schedule.launch = evaluation->pipelines.front().launch;
        f.candidates.clear();
        const int found =
            f.candidates.add(f.document.problem(), {{open, *evaluation}}, QStringLiteral("found"));
        QCOMPARE(f.candidates.add(f.document.problem(), {{stated, *evaluation}}, QStringLiteral("read")),
                 found);
        QCOMPARE(f.candidates.all().size(), std::size_t{1});
        QVERIFY(f.candidates.all().front().plan == stated);
    }

    // A name of one's own may have a comma; edits are called after all of it.
    void editsAreCalledAfterTheWholeName() {
        Fixture f;
        const auto move = [&](int layer) {
            return f.whatIf.edit(whatif::moveBoundary(*f.document.problem(), f.current().plan, 0, layer),
                                 QStringLiteral("move"));
        };
        f.candidates.setName(f.base, QStringLiteral("fast, small"));
        QVERIFY(move(5));
        QCOMPARE(f.current().name, QStringLiteral("fast, small, edited"));
        QCOMPARE(f.current().root, QStringLiteral("fast, small"));
        f.whatIf.keep();
        followPins(f.context);
        QVERIFY(move(3));
        QCOMPARE(f.current().name, QStringLiteral("fast, small, edited 2"));
    }

    void aRefusalChangesNothing() {
        Fixture f;
        QSignalSpy refused(&f.whatIf, &WhatIf::refused);
        const int steps = f.document.undoStack()->count();
        QVERIFY(!f.whatIf.edit(whatif::setTp(*f.document.problem(), f.plan, 0, 3), QStringLiteral("tp")));
        QCOMPARE(refused.size(), 1);
        QVERIFY(q(refused[0][0].value<Error>().message).contains(QStringLiteral("tp 3 does not divide")));
        QCOMPARE(f.document.undoStack()->count(), steps);
        QCOMPARE(f.selection.plan(), f.base);
    }

    void mouseKeysAndFieldsMakeTheSamePlan() {
        MapFixture mouse, keys, half;
        QCOMPARE(mouse.rows->boundaryCount(), 2);
        const QPoint at = mouse.rows->boundaryRect(0).center();
        mouse.drag(at, {mouse.xOf(3), at.y()});
        QCOMPARE(mouse.boundaryLayer(0), 5); // a block back, snapped
        QCOMPARE(mouse.document.undoStack()->count(), 1);
        keys.rows->setFocus();
        keys.rows->setFocused({StageRows::Handle::Kind::Boundary, 0, -1});
        keys.commands->action("stages.back")->trigger();
        QVERIFY(keys.current().plan == mouse.current().plan);
        // Alt between the halves of a block.
        const QPoint mid = half.rows->boundaryRect(0).center();
        half.drag(mid, {half.xOf(3.5), mid.y()}, Qt::AltModifier);
        QCOMPARE(half.boundaryLayer(0), 6);

        MapFixture fields, plus;
        fields.selection.setStage(0);
        auto* tp = fields.map.findChild<QComboBox*>(QStringLiteral("stages.tp"));
        if (!tp) // the dock would have taken the tools
            tp = fields.map.titleTools()->findChild<QComboBox*>(QStringLiteral("stages.tp"));
        QVERIFY(tp);
        tp->setCurrentIndex(tp->findData(4));
        Q_EMIT tp->activated(tp->currentIndex());
        plus.selection.setStage(0);
        plus.commands->action("stages.tpMore")->trigger();
        QCOMPARE(plus.current().plan.pipelines[0].stages[0].tp, 4);
        QVERIFY(plus.current().plan == fields.current().plan);
    }

    void aDeviceMovesByMouseAndByKeys() {
        MapFixture mouse, keys;
        mouse.drag(mouse.rows->chipRect(0, 3).center(), mouse.rows->rowRect(1).center());
        QCOMPARE(mouse.current().plan.pipelines[0].stages[1].deviceCount(), 3);
        QCOMPARE(mouse.selection.stage(), 1);
        keys.selection.setStage(0);
        keys.rows->setFocused({StageRows::Handle::Kind::Chip, 0, 3});
        keys.commands->action("stages.deviceDown")->trigger();
        QVERIFY(keys.current().plan == mouse.current().plan);
        QCOMPARE(keys.rows->focused().index, 1);
    }

    // Ctrl and a click, Shift and a click, Space: what is marked goes as one, by mouse and by key.
    void severalDevicesMoveAtOnce() {
        using Kind = StageRows::Handle::Kind;
        MapFixture mouse, keys, shift;
        QTest::mouseClick(mouse.rows, Qt::LeftButton, Qt::ControlModifier,
                          mouse.rows->chipRect(0, 2).center());
        QTest::mouseClick(mouse.rows, Qt::LeftButton, Qt::ControlModifier,
                          mouse.rows->chipRect(0, 3).center());
        QVERIFY(mouse.rows->isMarked({Kind::Chip, 0, 2}) && mouse.rows->isMarked({Kind::Chip, 0, 3}));
        QVERIFY(!mouse.rows->isMarked({Kind::Chip, 0, 1}));
        mouse.drag(mouse.rows->chipRect(0, 2).center(), mouse.rows->rowRect(1).center());
        QCOMPARE(mouse.current().plan.pipelines[0].stages[0].deviceCount(), 2);
        QCOMPARE(mouse.current().plan.pipelines[0].stages[1].deviceCount(), 4);
        QCOMPARE(mouse.document.undoStack()->count(), 1);
        QVERIFY(!mouse.rows->isMarked({Kind::Chip, 0, 2})); // gone with its device

        keys.selection.setStage(0);
        keys.rows->setFocus();
        for (const int chip : {2, 3}) {
            keys.rows->setFocused({Kind::Chip, 0, chip});
            keys.commands->action("stages.mark")->trigger();
        }
        QVERIFY(keys.rows->isMarked({Kind::Chip, 0, 2}) && keys.rows->isMarked({Kind::Chip, 0, 3}));
        keys.commands->action("stages.deviceDown")->trigger();
        QVERIFY(keys.current().plan == mouse.current().plan);

        QTest::mouseClick(shift.rows, Qt::LeftButton, {}, shift.rows->chipRect(0, 2).center());
        QTest::mouseClick(shift.rows, Qt::LeftButton, Qt::ShiftModifier, shift.rows->chipRect(0, 3).center());
        QVERIFY(shift.rows->isMarked({Kind::Chip, 0, 2}) && shift.rows->isMarked({Kind::Chip, 0, 3}));
        QTest::mouseClick(shift.rows, Qt::LeftButton, Qt::ControlModifier,
                          shift.rows->chipRect(0, 2).center());
        QVERIFY(!shift.rows->isMarked({Kind::Chip, 0, 2}));
        QTest::mouseClick(shift.rows, Qt::LeftButton, {}, shift.rows->chipRect(0, 0).center());
        QVERIFY(!shift.rows->isMarked({Kind::Chip, 0, 3})); // a plain click is of one
        QTest::mouseClick(shift.rows, Qt::LeftButton, Qt::ControlModifier,
                          shift.rows->chipRect(0, 1).center());
        QVERIFY(shift.rows->isMarked({Kind::Chip, 0, 0}) && shift.rows->isMarked({Kind::Chip, 0, 1}));
        shift.rows->setFocus();
        QTest::keyClick(shift.rows, Qt::Key_Down); // on to the stages
        QVERIFY(!shift.rows->isMarked({Kind::Chip, 0, 0}));
    }

    void everyScheduleSaysWhatItIs() {
        MapFixture f;
        const auto* box = f.map.titleTools()->findChild<QComboBox*>(QStringLiteral("stages.schedule"));
        QSet<QString> tips;
        for (int i = 0; i < box->count(); ++i)
            tips.insert(box->itemData(i, Qt::ToolTipRole).toString());
        QCOMPARE(static_cast<int>(tips.size()), box->count());
        QVERIFY(!tips.contains(QString()));
        QVERIFY(box->toolTip().contains(box->currentData(Qt::ToolTipRole).toString()));
    }

    // The bar of edits comes while one drags and takes room: the rows stay under the mouse until it is let
    // go.
    void rowsStayUnderADrag() {
        EditedMapFixture f;
        f.map.resize(868, 400);
        QVERIFY(settle());
        const QRect from = f.rows->rowRect(0), to = f.rows->rowRect(1);
        QVERIFY(from.height() > 32); // they have room to give
        f.drag(f.rows->chipRect(0, 3).center(), to.center(), {}, false);
        QVERIFY(settle());
        QCOMPARE(f.rows->rowRect(0), from);
        QCOMPARE(f.rows->rowRect(1), to);
        QTest::mouseRelease(f.rows, Qt::LeftButton, {}, to.center());
        QVERIFY(settle());
        QCOMPARE(f.current().plan.pipelines[0].stages[1].deviceCount(), 3);
        f.drag(QPoint(f.xOf(4), f.rows->rowRect(0).center().y()), QPoint(f.xOf(5), 10), {}, false);
        QTest::keyClick(f.rows, Qt::Key_Escape);
        QVERIFY(settle());
        QVERIFY(f.rows->minimumHeight() <= 32 * 5);
    }

    // What was said at the cursor goes with it.
    void aRefusedDropStaysSaid() {
        MapFixture f;
        const auto* bar = f.map.findChild<MessageBar*>();
        QVERIFY(!bar->isVisible());
        f.drag(f.rows->chipRect(1, 0).center(), f.rows->rowRect(0).center());
        QVERIFY(bar->isVisible());
        QVERIFY(!bar->text().isEmpty());
        f.drag(f.rows->chipRect(0, 3).center(), f.rows->rowRect(1).center()); // taken
        QVERIFY(!bar->isVisible());
    }

    void chipsAreHitBesideTheirColour() {
        MapFixture f;
        f.drag(f.rows->chipRect(0, 3).topRight() + QPoint(1, -4), f.rows->rowRect(1).center());
        QCOMPARE(f.current().plan.pipelines[0].stages[1].deviceCount(), 3);
        QVERIFY(f.rows->chipRect(0, 0).width() >= 12);
    }

    void escapeGivesADragUp() {
        MapFixture f;
        const QPoint at = f.rows->boundaryRect(0).center();
        f.drag(at, {f.xOf(2), at.y()}, {}, false);
        QVERIFY(f.whatIf.isEditing());
        QTRY_VERIFY_WITH_TIMEOUT(f.whatIf.shown(), 60'000); // every view follows
        QVERIFY(f.whatIf.shown()->base);
        QTest::keyClick(f.rows, Qt::Key_Escape);
        QVERIFY(!f.whatIf.isEditing() && !f.whatIf.shown());
        QTest::mouseRelease(f.rows, Qt::LeftButton, {}, {f.xOf(2), at.y()});
        QCOMPARE(f.selection.plan(), f.base);
        QCOMPARE(f.document.undoStack()->count(), 0);
    }

    void tabGoesThroughBoundariesAndChipsAndOut() {
        MapFixture f;
        f.rows->setFocus();
        f.selection.setStage(1);
        QStringList names;
        for (int i = 0; i < 4; ++i) {
            QTest::keyClick(f.rows, Qt::Key_Tab);
            names << f.rows->accessibleDescription();
        }
        QVERIFY2(names[0].startsWith(QStringLiteral("boundary between stage 0 and 1")), qPrintable(names[0]));
        QCOMPARE(names[1], QStringLiteral("n2.g0 of stage 1"));
        QCOMPARE(names[2], QStringLiteral("n2.g1 of stage 1"));
        QVERIFY(names[3].startsWith(QStringLiteral("boundary between stage 1 and 2")));
        QTest::keyClick(f.rows, Qt::Key_Tab);
        QVERIFY(!f.rows->focused()); // no key trap
    }

    // The plan stays in view where the project has no model any more, and so does what has the focus.
    void aDeviceKeepsItsNameWithoutAProblem() {
        MapFixture f;
        f.rows->setFocus();
        f.selection.setStage(1);
        QTest::keyClick(f.rows, Qt::Key_Tab);
        QTest::keyClick(f.rows, Qt::Key_Tab);
        QCOMPARE(f.rows->accessibleDescription(), QStringLiteral("n2.g0 of stage 1"));
        Project without = *f.document.project();
        without.model.reset();
        QVERIFY(f.document.apply(without, QStringLiteral("no model")));
        QVERIFY(!f.document.problem() && !f.whatIf.problem());
        QVERIFY(f.rows->isVisible());
        QCOMPARE(f.rows->accessibleDescription(), QStringLiteral("n2.g0 of stage 1"));
    }

    // From a boundary or a chip back to the stages.
    void arrowsAndEnterLeadOntoAStage() {
        MapFixture f;
        f.rows->setFocus();
        f.selection.setStage(1);
        QTest::keyClick(f.rows, Qt::Key_Tab);
        QTest::keyClick(f.rows, Qt::Key_Tab);
        QVERIFY(f.rows->focused().kind == StageRows::Handle::Kind::Chip);
        QTest::keyClick(f.rows, Qt::Key_Down);
        QVERIFY(!f.rows->focused());
        QCOMPARE(f.selection.stage(), 2);
        QVERIFY2(f.rows->accessibleDescription().startsWith(QStringLiteral("stage 2, ")),
                 qPrintable(f.rows->accessibleDescription()));
        f.rows->setFocused({StageRows::Handle::Kind::Boundary, 0, -1});
        QTest::keyClick(f.rows, Qt::Key_Return);
        QVERIFY(!f.rows->focused());
        QCOMPARE(f.selection.stage(), 0); // the one that ends there
        f.selection.setStage(-1);
        QTest::keyClick(f.rows, Qt::Key_Enter);
        QCOMPARE(f.selection.stage(), 0);
    }

    // A frame tells the stage with the keys from one that is only chosen.
    void theChosenStageShowsTheFocus() {
        MapFixture f;
        f.selection.setStage(1);
        const QPoint edge(f.rows->width() / 2, f.rows->rowRect(1).top() + 1);
        f.rows->clearFocus();
        QVERIFY(f.rows->grab().toImage().pixelColor(edge) != theme().accent);
        f.rows->setFocus();
        QCOMPARE(f.rows->grab().toImage().pixelColor(edge), theme().accent);
    }

    void repeatedKeysAreOneStep() {
        MapFixture f;
        f.rows->setFocused({StageRows::Handle::Kind::Boundary, 0, -1});
        for (int i = 0; i < 2; ++i)
            f.rows->moveFocused(-2);
        QCOMPARE(f.boundaryLayer(0), 3);
        QCOMPARE(f.document.undoStack()->count(), 1);
    }

    // By devices and layers: a stage in front that goes takes no lock along, and gives its own to nobody.
    void locksFollowTheirStage() {
        MapFixture f;
        const auto stages = static_cast<int>(f.plan.pipelines.front().stages.size());
        QVERIFY(stages >= 3);
        f.whatIf.toggleLock(stages - 1);
        const Stage locked = f.plan.pipelines.front().stages.back();
        QVERIFY(
            f.whatIf.edit(whatif::mergeStages(*f.document.problem(), f.plan, 0), QStringLiteral("merge")));
        QCOMPARE(f.whatIf.locks().stages, std::vector<int>{stages - 2});
        const Plan merged = f.current().plan;
        QCOMPARE(merged.pipelines.front().stages[static_cast<std::size_t>(stages - 2)].replicas,
                 locked.replicas);
        // An edit of the edit, which keeps its id: all that the stage has is gone, and no other one is
        // locked.
        QVERIFY(f.whatIf.edit(whatif::dropNode(*f.document.problem(), merged, 2), QStringLiteral("drop")));
        QVERIFY(f.whatIf.locks().stages.empty());
        f.document.undoStack()->undo();
        QCOMPARE(f.whatIf.locks().stages, std::vector<int>{stages - 2});
        f.document.undoStack()->undo();
        QCOMPARE(f.whatIf.locks().stages, std::vector<int>{stages - 1});
        // A plan that an edit of the project makes stale has none; they come back with it, and go with
        // another.
        Project changed = *f.document.project();
        changed.recipe.seq /= 2;
        QVERIFY(f.document.apply(changed, QStringLiteral("sequence")));
        QVERIFY(f.whatIf.locks().isEmpty());
        f.document.undoStack()->undo();
        QCOMPARE(f.whatIf.locks().stages, std::vector<int>{stages - 1});
        f.whatIf.toggleLock(stages - 1);
        QVERIFY(f.whatIf.locks().isEmpty());
        f.whatIf.toggleLock(stages - 1);
        f.selection.setPlan(-1);
        f.selection.setPlan(f.base);
        QVERIFY(f.whatIf.locks().isEmpty());
    }

    // A refused move says what works in its place, and a click does that as one step.
    void aRefusedMoveOffersTheNearestOne() {
        MapFixture f;
        auto* bar = f.map.findChild<MessageBar*>();
        auto* action = bar->findChild<QPushButton*>(QStringLiteral("messageBar.action"));
        StageEdits edits(f.whatIf);
        edits.setTp(0, 4);
        edits.setTp(1, 2);
        edits.setTp(2, 4);
        edits.setMicrobatch(1); // one replica each, and no stage can have two
        QCOMPARE(f.current().plan.pipelines.front().stages[0].dp(), 1);
        const Plan before = f.current().plan;
        f.rows->setFocused({StageRows::Handle::Kind::Chip, 0, 0});
        f.rows->shiftFocused(+1);
        QVERIFY(bar->isVisible());
        // First what moves that device alone, and all that it changes besides; then the nearest move.
        const auto actions = bar->findChildren<QPushButton*>(QStringLiteral("messageBar.action"));
        QCOMPARE(actions.size(), 2);
        QCOMPARE(actions[0]->text(),
                 QStringLiteral("Move n1.g0, micro-batches of 4, tp of stage 0 from 4 to 1, "
                                "tp of stage 1 from 2 to 1"));
        action = actions[1];
        QVERIFY2(action->isVisible() && action->text().contains(QStringLiteral("n1.g0")),
                 qPrintable(action->text()));
        QVERIFY(f.current().plan == before);
        QTest::mouseClick(action, Qt::LeftButton);
        const Plan after = f.current().plan;
        QVERIFY(!(after == before));
        QVERIFY(!bar->isVisible());
        f.document.undoStack()->undo();
        QVERIFY(f.current().plan == before);
        // Another refusal has nothing to offer, and does not keep the offer of the last.
        edits.setTp(0, 3);
        f.rows->setFocused({StageRows::Handle::Kind::Chip, 0, 0});
        f.rows->shiftFocused(-1);
        QVERIFY(bar->isVisible());
        QVERIFY2(!action->isVisible(), qPrintable(action->text()));
    }

    void aGpuOfTheCanvasIsDroppedOnAStage() {
        MapFixture f;
        const QString device = QStringLiteral("n1.g3");
        const std::unique_ptr<QMimeData> data(DeviceDrag::toMime({device}));
        const QPoint there = f.rows->rowRect(1).center();
        QDragEnterEvent enter(there, Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(f.rows, &enter);
        QVERIFY(enter.isAccepted());
        QDragMoveEvent move(there, Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(f.rows, &move);
        QVERIFY(f.whatIf.isEditing());
        QDropEvent drop(there, Qt::MoveAction, data.get(), Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(f.rows, &drop);
        const DeviceIndex moved = f.document.problem()->topology().find("n1.g3");
        const auto expected = whatif::moveDevices(*f.document.problem(), f.plan, {moved}, 1);
        QVERIFY(expected);
        QCOMPARE(f.current().plan.pipelines.front().stages[1].deviceCount(),
                 expected->pipelines.front().stages[1].deviceCount());
    }

    // The project changes while a gesture goes on: what is previewed is of an earlier state.
    void anOpenPreviewOfAnEarlierStateIsNoPlan() {
        Fixture f;
        QVERIFY(f.whatIf.uses(QStringLiteral("n2")));
        QVERIFY(
            f.whatIf.preview(whatif::moveBoundary(*f.document.problem(), f.plan, 0, f.boundaryLayer(0) - 1)));
        QVERIFY(f.whatIf.isEditing() && f.whatIf.uses(QStringLiteral("n2")));
        Project changed = *f.document.project();
        changed.recipe.gbs *= 2;
        QVERIFY(f.document.apply(changed, QStringLiteral("batch")));
        QVERIFY(!f.whatIf.plan() && !f.whatIf.problem());
        QVERIFY(!f.whatIf.uses(QStringLiteral("n2")));
        QVERIFY(!f.whatIf.dropNode(QStringLiteral("n2")));
    }

    // Ctrl+Down on a boundary moves no GPU that happens to be the last one: it says what to choose.
    void aBoundaryMovesNoDevice() {
        MapFixture f;
        const Plan before = f.current().plan;
        auto* bar = f.map.findChild<MessageBar*>();
        f.rows->setFocused({StageRows::Handle::Kind::Boundary, 0, -1});
        f.rows->shiftFocused(+1);
        QVERIFY(f.current().plan == before);
        QVERIFY(bar->isVisible());
        QVERIFY2(bar->text().contains(QStringLiteral("Tab leads to the GPU")), qPrintable(bar->text()));
        for (const QPushButton* action : bar->findChildren<QPushButton*>(QStringLiteral("messageBar.action")))
            QVERIFY(!action->isVisible());
    }

    // Whoever searches for a trainer hears of the edit that it cannot run.
    void theBarSaysThatTheTrainerIsLost() {
        MapFixture f;
        f.map.resize(1400, 182);
        const auto* changes = f.map.findChild<QLabel*>(QStringLiteral("editedBar.changes"));
        // A plan of two like stages is one that trainers run.
        const auto problem = f.document.problem();
        Plan plan = f.plan;
        std::vector<Stage>& stages = plan.pipelines.front().stages;
        const int blocks = static_cast<int>(problem->model().blocks);
        stages = {
            test::stageOn(*problem, layersOfBlocks(0, 4, blocks), {"n1.g0", "n1.g1", "n1.g2", "n1.g3"}, 2),
            test::stageOn(*problem, layersOfBlocks(4, 8, blocks), {"n2.g0", "n2.g1", "n2.g2", "n2.g3"}, 2)};
        plan.pipelines.front().schedule = {};
        plan.pipelines.front().schedule.launch = {2, 1};
        QVERIFY(checkPlan(*problem, plan, "plan"));
        const auto evaluation = evaluate(*problem, plan);
        QVERIFY(evaluation);
        f.selection.setPlan(f.candidates.add(problem, {{plan, *evaluation}}, QStringLiteral("searched")));
        const Result<Plan> edited = whatif::setTp(*problem, plan, 0, 4);
        QVERIFY(edited);
        const ExporterRow* lost = nullptr;
        for (const ExporterRow& row : exporterTable())
            if (!lost && row.trainer && canRun(row, *problem, plan) && !canRun(row, *problem, *edited))
                lost = &row;
        QVERIFY(lost);
        StageEdits edits(f.whatIf);
        edits.setTp(0, 4);
        QVERIFY(!changes->text().contains(QStringLiteral("cannot run it")));
        f.whatIf.revert();
        SearchDemand demand;
        demand.target = lost;
        f.runner.setDemand(demand);
        edits.setTp(0, 4);
        const QString text = QTextDocumentFragment::fromHtml(changes->text()).toPlainText();
        QVERIFY2(text.startsWith(QStringLiteral("%1 cannot run it, ").arg(QString::fromUtf8(lost->label))),
                 qPrintable(text));
    }

    void theBarSaysWhatChanged() {
        MapFixture f;
        f.map.resize(1400, 182);
        auto* bar = f.map.findChild<EditedBar*>();
        QVERIFY(!bar->isVisible());
        f.rows->setFocused({StageRows::Handle::Kind::Boundary, 0, -1});
        f.rows->moveFocused(-2);
        QVERIFY(bar->isVisible());
        const auto* changes = bar->findChild<QLabel*>(QStringLiteral("editedBar.changes"));
        const QString text = changes->text();
        const double percent =
            100.0 *
            (f.current().evaluation.iteration / f.candidates.find(f.base)->evaluation.iteration - 1.0);
        QVERIFY2(text.contains(signedText(percent, 2)), qPrintable(text));
        QVERIFY(text.contains(QStringLiteral("GiB")));
        // In less room the last ones go whole.
        const auto seen = [changes] {
            return QTextDocumentFragment::fromHtml(changes->text()).toPlainText();
        };
        const QString all = seen();
        for (int width = 1400; width >= 600; width -= 50) {
            f.map.resize(width, 182);
            QCoreApplication::processEvents();
            QVERIFY2(changes->fontMetrics().horizontalAdvance(seen()) <= changes->width() + 2,
                     qPrintable(QString::number(width)));
            QVERIFY(all == seen() || all.startsWith(seen() + QStringLiteral(", ")) ||
                    seen().endsWith(QChar(0x2026)));
        }
        QVERIFY(seen() != all);
        QVERIFY(changes->toolTip().contains(all));
        f.map.resize(1400, 182);
        QCoreApplication::processEvents();
        QCOMPARE(seen(), all);
        f.commands->action("whatif.revert")->trigger();
        QVERIFY(!bar->isVisible());
    }
};

QTEST_MAIN(WhatIfTest)
#include "what_if_test.moc"
