// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/settle.h"
#include "tests/ui/synthetic_plan.h"
#include "tests/ui/timeline/shown_timeline.h"
#include "ui/details/area_section.h"
#include "ui/details/details_panel.h"
#include "ui/session/document.h"
#include "ui/session/history.h"
#include "ui/session/selection.h"
#include "ui/session/time_range.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/marks.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/timeline_labels.h"
#include "ui/timeline/timeline_tracks.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/accessible_parts.h"

#include <QAccessible>
#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QTableWidget>
#include <QTest>
#include <QWheelEvent>

#include <memory>

using namespace pw;

class TimelineViewTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<test::ShownTimeline> m_shown;
    Selection* m_selection = nullptr; // of what is shown
    TimeRange* m_range = nullptr;
    CurrentPlan* m_plan = nullptr;
    TimelineView* m_view = nullptr;
    TimelineTracks* m_tracks = nullptr;

    const Timeline& timeline() const { return *m_plan->plan()->timeline; }
    QPoint middleOf(BarRef ref) const { return m_tracks->barRect(ref).center(); }
    void choose(BarRef ref) { QTest::mouseClick(m_tracks, Qt::LeftButton, {}, middleOf(ref)); }
    void drag(QPoint from, QPoint to, Qt::MouseButton button, Qt::KeyboardModifiers modifiers = {}) {
        QTest::mousePress(m_tracks, button, modifiers, from);
        const auto move = [&](QPoint at) {
            QMouseEvent event(QEvent::MouseMove, at, m_tracks->mapToGlobal(at), Qt::NoButton, button,
                              modifiers);
            QApplication::sendEvent(m_tracks, &event);
        };
        move((from + to) / 2);
        move(to);
        QTest::mouseRelease(m_tracks, button, modifiers, to);
    }
    void wheel(QPoint at, int angle, Qt::KeyboardModifiers modifiers) {
        QWheelEvent event(at, m_tracks->mapToGlobal(at), {}, QPoint(0, angle), Qt::NoButton, modifiers,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(m_tracks, &event);
    }

private Q_SLOTS:
    void init() {
        m_shown = std::make_unique<test::ShownTimeline>(QSize{900, 330});
        m_selection = &m_shown->selection;
        m_range = &m_shown->range;
        m_plan = &m_shown->plan;
        m_view = &m_shown->view;
        m_tracks = m_view->tracks();
    }
    void cleanup() { m_shown.reset(); }

    void aStageThatIsChosenElsewhereIsScrolledTo() {
        m_tracks->setRowHeight(160);
        const int last = static_cast<int>(timeline().tracks.size()) - 1;
        const auto seen = [&](int track) {
            return m_tracks->rect().contains(
                m_tracks->barRect({track, LaneRole::Compute, 0}).adjusted(0, 0, -1, -1).center());
        };
        QVERIFY(!seen(last));
        m_selection->setStage(last);
        QVERIFY(seen(last));
        m_selection->setStage(0);
        QCOMPARE(m_tracks->scroll(), 0);
        m_selection->setStage(-1);
        QCOMPARE(m_tracks->scroll(), 0);
    }

    void planSetsTheTrace() {
        QCOMPARE(m_range->traceEnd(), timeline().end);
        QCOMPARE(m_range->visible().span(), timeline().end);
        m_plan->show(nullptr);
        QApplication::processEvents();
        QVERIFY(!m_tracks->isVisible());
    }

    void ctrlWheelKeepsTheTimeUnderTheMouse() {
        for (const int x : {100, 333, 700}) {
            m_range->fit();
            const std::int64_t before = m_tracks->viewport().timeAt(x);
            const std::int64_t span = m_range->visible().span();
            wheel(QPoint(x, 40), 120, Qt::ControlModifier);
            const std::int64_t after = m_tracks->viewport().timeAt(x);
            QVERIFY(std::abs(after - before) < span / m_tracks->width()); // within a pixel
            QVERIFY(qAbs(static_cast<double>(span) / static_cast<double>(m_range->visible().span()) - 1.2) <
                    0.001);
        }
        for (int i = 0; i < 20; ++i)
            wheel(QPoint(300, 40), -120, Qt::ControlModifier);
        QCOMPARE(m_range->visible().span(), timeline().end); // and never out of the trace
    }

    void plainWheelScrollsRowsOnly() {
        m_plan->show(test::syntheticPlan(20, 4));
        QApplication::processEvents();
        const TimeWindow window = m_range->visible();
        wheel(QPoint(300, 40), -120, {});
        QVERIFY(m_tracks->scroll() > 0);
        QCOMPARE(m_range->visible(), window);
        wheel(QPoint(300, 40), 12000, {});
        QCOMPARE(m_tracks->scroll(), 0);
    }

    void clickSelectsBarAndStage() {
        const BarRef ref{2, LaneRole::Compute, 1};
        choose(ref);
        QCOMPARE(m_selection->bar(), selectionOf(ref));
        QCOMPARE(m_selection->stage(), 2);
        QVERIFY(m_tracks->accessibleDescription().contains(QStringLiteral("F 1, stage 2")));
        QTest::keyClick(m_tracks, Qt::Key_Escape);
        QCOMPARE(m_selection->bar(), Selection::Bar{});
    }

    void clickInAGapMeasuresIt() {
        const Lane& lane = timeline().tracks[0].lane(LaneRole::Compute);
        const std::int64_t begin = lane.end(7), end = lane.start(8); // last forward to first backward
        const QRect left = m_tracks->barRect({0, LaneRole::Compute, 7}),
                    right = m_tracks->barRect({0, LaneRole::Compute, 8});
        QTest::mouseClick(m_tracks, Qt::LeftButton, {},
                          QPoint((left.right() + right.left()) / 2, left.center().y()));
        QCOMPARE(m_range->selected(), (TimeWindow{begin, end}));
        const QString text = m_tracks->areaReadout();
        QVERIFY2(text.startsWith(spanText(end - begin) + QStringLiteral(" idle")), qPrintable(text));
        // It is of its row, and stays so where the axis becomes longer: with an edit, or a run beside the
        // plan.
        m_range->stretchTrace(m_range->traceEnd() + 1000);
        QCOMPARE(m_tracks->areaReadout(), text);
    }

    void draggedAreaSnapsUnlessAlt() {
        const QRect bar = m_tracks->barRect({0, LaneRole::Compute, 2});
        const Lane& lane = timeline().tracks[0].lane(LaneRole::Compute);
        const QPoint from(bar.left() + 2, bar.center().y()),
            to(bar.right() + bar.width() - 1, bar.center().y());
        drag(from, to, Qt::LeftButton);
        QCOMPARE(m_range->selected().begin, lane.start(2));
        QCOMPARE(m_range->selected().end, lane.end(3));
        QVERIFY(m_tracks->areaReadout().contains(QStringLiteral("2 bars")));
        drag(from, to, Qt::LeftButton, Qt::AltModifier);
        QVERIFY(m_range->selected().begin != lane.start(2));
        QTest::keyClick(m_tracks, Qt::Key_Escape);
        QVERIFY(!m_range->hasSelected());
    }

    void shiftAndRightDragPan() {
        m_range->setVisible({0, timeline().end / 4});
        const std::int64_t span = m_range->visible().span();
        drag(QPoint(400, 30), QPoint(300, 30), Qt::RightButton);
        QVERIFY(m_range->visible().begin > 0);
        QCOMPARE(m_range->visible().span(), span);
        const std::int64_t begin = m_range->visible().begin;
        drag(QPoint(300, 30), QPoint(400, 30), Qt::LeftButton, Qt::ShiftModifier);
        QVERIFY(m_range->visible().begin < begin);
        QVERIFY(!m_range->hasSelected());
    }

    void rowsArePinnedMovedHiddenAndFiltered() {
        TimelineRows& rows = m_tracks->rows();
        const int count = m_tracks->rowCount();
        QVERIFY(count >= 3);
        const BarRef bar{1, LaneRole::Compute, 0};
        const QRect before = m_tracks->barRect(bar);
        rows.togglePinned(1);
        QCOMPARE(m_tracks->viewport().rowOf(1), 0);
        QVERIFY(m_tracks->barRect(bar).top() < before.top());
        QCOMPARE(m_tracks->viewport().trackAt(m_tracks->barRect(bar).center().y()), 1);
        rows.togglePinned(1);
        QCOMPARE(m_tracks->barRect(bar), before);
        rows.move(0, 2);
        QCOMPARE(rows.shown()[2], 0);
        rows.hide(1);
        QCOMPARE(m_tracks->rowCount(), count - 1);
        QVERIFY(m_tracks->barRect(bar).isEmpty());
        rows.setFilter(QStringLiteral("stage 2"));
        QCOMPARE(rows.shown(), std::vector<int>{2});
        // What is looked for comes back into view; order and pins stay the user's.
        m_tracks->show(bar);
        QVERIFY(!m_tracks->barRect(bar).isEmpty());
        QCOMPARE(m_tracks->rowCount(), count);
        QCOMPARE(rows.hiddenCount(), 0);
        rows.reset();
        QCOMPARE(m_tracks->barRect(bar), before);
    }

    // A label that is shortened, "n57 to n60", hides no device from the filter.
    void rowsAreFilteredByEachDevice() {
        auto plan = test::syntheticPlan();
        for (std::size_t i = 0; i < plan->stages.size(); ++i) {
            plan->stages[i].devices = QStringLiteral("n1 to n9");
            plan->stages[i].deviceIds = QStringList{QStringLiteral("x%1.g0").arg(i), QStringLiteral("y.g0")};
        }
        TimelineRows rows;
        rows.setPlan(plan);
        const std::size_t all = rows.shown().size();
        QVERIFY(all > 1);
        rows.setFilter(QStringLiteral("X1.g"));
        QCOMPARE(rows.shown(), std::vector<int>{1});
        rows.setFilter(QStringLiteral("y.g0"));
        QCOMPARE(rows.shown().size(), all);
        rows.setFilter(QStringLiteral("g0y")); // across two names
        QVERIFY(rows.shown().empty());
        rows.setFilter({});
        QCOMPARE(rows.shown().size(), all);
    }

    void rowsAreAsHighAsTheUserWants() {
        const int fitting = m_tracks->rowHeight();
        const BarRef bar{1, LaneRole::Compute, 0};
        const int before = m_tracks->barRect(bar).height();
        m_tracks->setRowHeight(90);
        QCOMPARE(m_tracks->rowHeight(), 90);
        QVERIFY(m_tracks->barRect(bar).height() > before);
        QVERIFY(!m_tracks->viewport().band(1, LaneRole::ForwardSend).isEmpty());
        m_tracks->setRowHeight(24); // one band, nothing for what is sent
        QVERIFY(m_tracks->viewport().band(1, LaneRole::ForwardSend).isEmpty());
        m_tracks->setRowHeight(1);
        QCOMPARE(m_tracks->rowHeight(), TimelineTracks::kLeastRow);
        m_tracks->setRowHeight(0);
        QCOMPARE(m_tracks->rowHeight(), fitting);

        // By the edge of a label.
        auto* labels = m_view->findChild<TimelineLabels*>();
        const QPoint edge(20, fitting);
        QTest::mousePress(labels, Qt::LeftButton, {}, edge);
        for (const int by : {5, 15, 25}) {
            QMouseEvent move(QEvent::MouseMove, edge + QPoint(0, by), labels->mapToGlobal(edge), Qt::NoButton,
                             Qt::LeftButton, {});
            QCoreApplication::sendEvent(labels, &move);
        }
        QTest::mouseRelease(labels, Qt::LeftButton, {}, edge + QPoint(0, 25));
        QCOMPARE(m_tracks->rowHeight(), fitting + 25);
        QCOMPARE(m_tracks->rows().shown()[0], 0); // the row stayed where it was
        m_tracks->setRowHeight(0);
    }

    void toolsSayWhatADragDoes() {
        const TimeWindow all = m_range->visible();
        m_tracks->setTool(TimelineTracks::Tool::Zoom);
        drag({m_tracks->width() / 4, 10}, {m_tracks->width() / 2, 10}, Qt::LeftButton);
        QVERIFY(m_range->visible().span() < all.span() / 3);
        QVERIFY(!m_range->hasSelected());
        m_range->fit();
        m_tracks->setTool(TimelineTracks::Tool::Timing);
        drag({m_tracks->width() / 4, 10}, {m_tracks->width() / 2, 10}, Qt::LeftButton);
        QVERIFY(m_range->hasSelected() && m_range->firstTrack() < 0);
        QVERIFY(!m_tracks->areaReadout().isEmpty());
        m_tracks->clear();
        m_tracks->setTool(TimelineTracks::Tool::Select);
        drag({m_tracks->width() / 4, 10}, {m_tracks->width() / 2, 10}, Qt::MiddleButton);
        QVERIFY(m_range->visible().span() < all.span() / 3);
    }

    void keysZoomPanAndStep() {
        const std::int64_t whole = m_range->visible().span();
        QTest::keyClick(m_tracks, Qt::Key_W);
        QVERIFY(m_range->visible().span() < whole);
        const std::int64_t begin = m_range->visible().begin;
        QTest::keyClick(m_tracks, Qt::Key_D);
        QVERIFY(m_range->visible().begin > begin);
        QTest::keyClick(m_tracks, Qt::Key_A);
        QCOMPARE(m_range->visible().begin, begin);
        QTest::keyClick(m_tracks, Qt::Key_S);
        QTest::keyClick(m_tracks, Qt::Key_Home);
        QCOMPARE(m_range->visible().span(), whole);

        choose({1, LaneRole::Compute, 0});
        QTest::keyClick(m_tracks, Qt::Key_Right);
        QCOMPARE(m_selection->bar().index, std::ptrdiff_t(1));
        QTest::keyClick(m_tracks, Qt::Key_Comma);
        QCOMPARE(m_selection->bar().index, std::ptrdiff_t(0));
        QTest::keyClick(m_tracks, Qt::Key_Left); // the first bar stays
        QCOMPARE(m_selection->bar().index, std::ptrdiff_t(0));
        QTest::keyClick(m_tracks, Qt::Key_Down);
        QCOMPARE(m_selection->bar().track, 2);
    }

    void bracketsFollowDependencies() {
        choose({1, LaneRole::Compute, 0});
        QTest::keyClick(m_tracks, Qt::Key_BracketLeft);
        QCOMPARE(m_selection->bar(), selectionOf({0, LaneRole::Compute, 0}));
        QTest::keyClick(m_tracks, Qt::Key_BracketRight);
        QCOMPARE(m_selection->bar(), selectionOf({1, LaneRole::Compute, 0}));
    }

    void centreMovesThenFills() {
        m_range->setVisible({0, timeline().end / 4});
        const std::int64_t span = m_range->visible().span();
        m_selection->setBar(selectionOf({0, LaneRole::Compute, 12}));
        QTest::keyClick(m_tracks, Qt::Key_F);
        const Lane& lane = timeline().tracks[0].lane(LaneRole::Compute);
        const TimeWindow window = m_range->visible();
        QCOMPARE(window.span(), span);
        QVERIFY(std::abs((window.begin + window.end) / 2 - (lane.start(12) + lane.end(12)) / 2) <= 1);
        QTest::keyClick(m_tracks, Qt::Key_F);
        QCOMPARE(m_range->visible().span(), 2 * (lane.end(12) - lane.start(12)));
    }

    // However many bars there are; the one that is chosen stays so, for the arrows to go on from.
    void tabStopsOnceAtTheBars() {
        for (const Qt::Key out : {Qt::Key_Tab, Qt::Key_Backtab}) {
            choose({0, LaneRole::Compute, 3});
            m_tracks->setFocus();
            QVERIFY(m_tracks->hasFocus());
            QTest::keyClick(m_tracks, out);
            QVERIFY(!m_tracks->hasFocus());
            QCOMPARE(m_selection->bar(), selectionOf({0, LaneRole::Compute, 3}));
            QVERIFY(QApplication::focusWidget());
            QTest::keyClick(QApplication::focusWidget(), out == Qt::Key_Tab ? Qt::Key_Backtab : Qt::Key_Tab);
            QVERIFY(m_tracks->hasFocus());
            QVERIFY(m_tracks->accessibleDescription().contains(QStringLiteral("F 3")));
            QTest::keyClick(m_tracks, Qt::Key_Right);
            QCOMPARE(m_selection->bar(), selectionOf({0, LaneRole::Compute, 4}));
        }
    }

    void hoverOutlinesTheMicrobatchInAllStages() {
        QTest::mouseMove(m_tracks, QPoint(5, m_tracks->height() - 3));
        const QImage before = m_tracks->grab().toImage();
        QMouseEvent over(QEvent::MouseMove, middleOf({0, LaneRole::Compute, 2}),
                         m_tracks->mapToGlobal(middleOf({0, LaneRole::Compute, 2})), Qt::NoButton,
                         Qt::NoButton, {});
        QApplication::sendEvent(m_tracks, &over);
        const QImage after = m_tracks->grab().toImage();
        const QRect far = m_tracks->barRect({3, LaneRole::Compute, 2});
        QVERIFY(before.copy(far) != after.copy(far));
    }

    void areaFiguresStandInTheDetails() {
        Selection selection;
        DetailsPanel details(*m_plan, selection, m_range);
        auto* section = details.findChild<AreaSection*>();
        QVERIFY(section && section->isHidden());
        const Lane& lane = timeline().tracks[0].lane(LaneRole::Compute);
        m_range->setSelected({lane.start(0), lane.end(3)}, 0, 0);
        QVERIFY(!section->isHidden());
        const QTableWidget& table = section->table();
        QCOMPARE(table.item(0, 0)->text(), QStringLiteral("Forward"));
        QCOMPARE(table.item(0, 1)->text(), QStringLiteral("4"));
        QCOMPARE(table.item(0, 2)->text(), QStringLiteral("40.00")); // ms
        QCOMPARE(table.item(0, 4)->text(), QStringLiteral("10.00"));
        QCOMPARE(details.findChild<QLabel*>(QStringLiteral("details.areaBubble"))->text(),
                 QStringLiteral("0.0 % idle"));
        m_range->setSelected({0, 0});
        QVERIFY(section->isHidden());
    }

    void findWalksTheHits() {
        auto* find = m_view->findChild<FindBar*>();
        find->open({});
        QTest::keyClicks(find->line(), QStringLiteral("B 1 "));
        QCOMPARE(find->hits(), 4);
        QCOMPARE(m_selection->bar(), selectionOf({3, LaneRole::Compute, 9})); // the last stage turns first
        QTest::keyClick(find->line(), Qt::Key_Return);
        QCOMPARE(m_selection->bar(), selectionOf({2, LaneRole::Compute, 9}));
        QTest::keyClick(find->line(), Qt::Key_Return, Qt::ShiftModifier);
        QTest::keyClick(find->line(), Qt::Key_Return, Qt::ShiftModifier); // from the first round to the last
        QCOMPARE(m_selection->bar(), selectionOf({0, LaneRole::Compute, 9}));
        QTest::keyClick(find->line(), Qt::Key_Escape);
        QVERIFY(!find->isVisible());
    }

    void marksAreSetKeptAndRemoved() {
        Document document;
        TimelineMarks marks(document, *m_range, nullptr);
        auto* ruler = m_view->findChild<TimeRuler*>();
        connect(ruler, &TimeRuler::markRequested, &marks, [&](std::int64_t at) { marks.add(at, {}); });
        QTest::mouseClick(ruler, Qt::LeftButton, {}, QPoint(200, 12));
        QCOMPARE(m_range->marks().size(), std::size_t(1));
        QCOMPARE(m_range->marks()[0].at, m_range->visible().toTime(200, ruler->width()));
        QVERIFY(!document.isModified());
        marks.keep(m_range->traceEnd() / 2, QStringLiteral("half"));
        QCOMPARE(document.project()->annotations.marks.size(), std::size_t(1));
        QCOMPARE(m_range->marks().size(), std::size_t(2));
        QCOMPARE(ruler->markAt(ruler->width() / 2.0 + 3), 1);
        marks.rename(1, QStringLiteral("middle"));
        QCOMPARE(document.project()->annotations.marks[0].text, std::string("middle"));
        marks.removeNearest(m_range->traceEnd() / 2 + 5);
        QVERIFY(document.project()->annotations.marks.empty());
        QCOMPARE(m_range->marks().size(), std::size_t(1)); // the fleeting one
        document.undoStack()->undo();
        QCOMPARE(m_range->marks().size(), std::size_t(2));
    }

    void backAndForwardFollowTheWay() {
        History history(*m_selection, *m_range, nullptr, 0);
        m_selection->setBar(selectionOf({0, LaneRole::Compute, 3}));
        QVERIFY(settle());
        m_range->setVisible({0, timeline().end / 4});
        m_range->setVisible({0, timeline().end / 8}); // one place with the one before
        QVERIFY(settle());
        history.back();
        QCOMPARE(m_range->visible().span(), timeline().end);
        QCOMPARE(m_selection->bar(), selectionOf({0, LaneRole::Compute, 3}));
        history.back();
        QCOMPARE(m_selection->bar(), Selection::Bar{});
        QVERIFY(!history.canGoBack());
        history.forward();
        history.forward();
        QCOMPARE(m_range->visible().span(), timeline().end / 8);
        QVERIFY(!history.canGoForward());
    }

    void barsAreFoundAndPressed() {
        QAccessibleInterface* list = QAccessible::queryAccessibleInterface(m_tracks);
        QVERIFY(list);
        QCOMPARE(list->childCount(), static_cast<int>(timeline().barCount())); // all are visible
        QAccessibleInterface* bar = nullptr;
        for (int i = 0; i < list->childCount(); ++i)
            if (list->child(i)->text(QAccessible::Name).startsWith(QStringLiteral("F 3, stage 1")))
                bar = list->child(i);
        QVERIFY(bar);
        bar->actionInterface()->doAction(QAccessibleActionInterface::pressAction());
        QCOMPARE(m_selection->bar(), selectionOf({1, LaneRole::Compute, 3}));
        QVERIFY(bar->state().selected);
        QVERIFY(bar->rect().size() == m_tracks->barRect({1, LaneRole::Compute, 3}).size());
    }

    void namesForScreenReaders() {
        QCOMPARE(m_tracks->accessibleName(), QStringLiteral("Timeline"));
        for (const char* name : {"timeline.overview", "timeline.ruler", "timeline.labels"}) {
            const auto* widget = m_view->findChild<QWidget*>(QLatin1String(name));
            QVERIFY2(widget && !widget->accessibleName().isEmpty(), name);
        }
        QVERIFY(m_tracks->accessibleDescription().contains(QStringLiteral("visible")));
    }

    // The layer below is kept: moving the mouse repaints without drawing bars, so the picture under it stays
    // the same.
    void hoverAndLeaveRestoreThePicture() {
        QTest::mouseMove(m_tracks, QPoint(5, m_tracks->height() - 3));
        QEvent leave(QEvent::Leave);
        QApplication::sendEvent(m_tracks, &leave);
        const QImage before = m_tracks->grab().toImage();
        QTest::mouseMove(m_tracks, middleOf({0, LaneRole::Compute, 2}));
        QApplication::sendEvent(m_tracks, &leave);
        QCOMPARE(m_tracks->grab().toImage(), before);
    }

    void stalePlanIsPale() {
        const QImage fresh = m_tracks->grab().toImage();
        auto stale = test::syntheticPlan();
        stale->stale = true;
        m_plan->show(stale);
        QVERIFY(m_tracks->grab().toImage() != fresh);
        QVERIFY(m_view->subtitle().contains(QStringLiteral("stale")));
    }
};

QTEST_MAIN(TimelineViewTest)
#include "timeline_view_test.moc"
