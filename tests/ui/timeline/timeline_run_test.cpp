// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/synthetic_plan.h"
#include "tests/ui/timeline/shown_timeline.h"
#include "ui/base/theme.h"
#include "ui/session/selection.h"
#include "ui/session/time_range.h"
#include "ui/timeline/timeline_labels.h"
#include "ui/timeline/timeline_tracks.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/accessible_parts.h"

#include <QApplication>
#include <QComboBox>
#include <QHelpEvent>
#include <QTest>
#include <QToolTip>

#include <memory>

using namespace pw;

namespace {

// The plan as it ran, each pass of stage 1 a tenth longer and a gap behind its first bar: emulated at half
// the pace, or measured.
PlanRunPointer runOf(const ShownPlan& plan, bool emulated) {
    auto record = std::make_shared<RunRecord>();
    record->emulated = record->tiny = emulated;
    auto run = std::make_shared<PlanRun>();
    run->id = 1;
    run->plan = plan.id;
    run->name = QStringLiteral("out/run.json");
    run->record = record;
    run->overlay.measured = !emulated;
    run->overlay.emulated = emulated;
    run->overlay.scale = emulated ? 2.0 : 1.0;
    run->rows.step = 2;
    for (const Track& like : plan.timeline->tracks) {
        Track track = like;
        auto& lengths = run->rows.lengths.emplace_back();
        for (std::size_t l = 0; l < track.lanes.size(); ++l) {
            Lane lane;
            std::int64_t late = 0;
            for (std::size_t i = 0; i < track.lanes[l].size(); ++i) {
                const Lane& from = track.lanes[l];
                const std::int64_t length = from.end(i) - from.start(i);
                const std::int64_t longer = like.stage == 1 && l == 0 ? length / 10 : 0;
                lane.add(from.start(i) + late, from.end(i) + late + longer, from.kind(i), from.microbatch(i),
                         false, from.chunk(i));
                lengths[l].push_back(length + longer);
                late += longer;
            }
            lane.seal();
            if (lane.size() > 0)
                run->rows.timeline.end = std::max(run->rows.timeline.end, lane.end(lane.size() - 1));
            track.lanes[l] = lane;
        }
        run->rows.ranks.push_back(like.stage);
        run->rows.timeline.tracks.push_back(std::move(track));
    }
    return run;
}

} // namespace

// What ran, under what is predicted for it.
class TimelineRunTest : public QObject {
    Q_OBJECT

private:
    std::unique_ptr<test::ShownTimeline> m_shown;
    Selection* m_selection = nullptr; // of what is shown
    TimeRange* m_range = nullptr;
    CurrentPlan* m_plan = nullptr;
    TimelineView* m_view = nullptr;
    TimelineTracks* m_tracks = nullptr;

    QComboBox* lanes() const { return m_view->findChild<QComboBox*>(QStringLiteral("timeline.lanes")); }
    QString toolTipAt(const QPoint& at) const {
        QToolTip::hideText();
        QHelpEvent help(QEvent::ToolTip, at, m_tracks->mapToGlobal(at));
        QApplication::sendEvent(m_tracks, &help);
        return QToolTip::text();
    }

private Q_SLOTS:
    void init() {
        ThemeControl::instance().apply(*qApp, ThemeMode::Light);
        m_shown = std::make_unique<test::ShownTimeline>(QSize{900, 520});
        m_selection = &m_shown->selection;
        m_range = &m_shown->range;
        m_plan = &m_shown->plan;
        m_view = &m_shown->view;
        m_tracks = m_view->tracks();
    }
    void cleanup() { m_shown.reset(); }

    void withoutARunThereIsThePredictionAlone() {
        QVERIFY(lanes()->isHidden());
        QCOMPARE(m_tracks->lanes(), TimelineTracks::Lanes::Predicted);
        QVERIFY(m_tracks->ranRect({0, LaneRole::Compute, 0}).isNull());
    }

    void aPairOfBandsAStageOnOneAxis() {
        const PlanRunPointer run = runOf(*m_plan->plan(), false);
        m_view->showRun(run);
        QCOMPARE(m_range->traceEnd(), std::max(m_plan->plan()->timeline->end, run->rows.timeline.end));
        for (int track = 0; track < 4; ++track)
            for (const std::ptrdiff_t i : {0, 5, 11}) {
                const BarRef bar{track, LaneRole::Compute, i};
                const QRect above = m_tracks->barRect(bar), below = m_tracks->ranRect(bar);
                QVERIFY(above.bottom() < below.top());
                QCOMPARE(m_tracks->barAt(above.center()), bar);
                QVERIFY(!m_tracks->ranAt(above.center()));
                QCOMPARE(m_tracks->ranAt(below.center()), bar);
                QVERIFY(!m_tracks->barAt(below.center()));
                if (track == 0) // as long as predicted, at the same instant
                    QVERIFY(above.left() == below.left() && above.width() == below.width());
            }
        QVERIFY(m_tracks->barRect({1, LaneRole::Compute, 0}).top() >
                m_tracks->ranRect({0, LaneRole::BackwardSend, 0}).bottom());
    }

    void hoverTellsBothTimesAndTheirDifference() {
        m_view->showRun(runOf(*m_plan->plan(), false));
        const BarRef bar{1, LaneRole::Compute, 3};
        for (const QPoint at : {m_tracks->barRect(bar).center(), m_tracks->ranRect(bar).center()}) {
            const QString text = toolTipAt(at);
            for (const char* part : {"measured: 11.0", "rank 1, step 2", "predicted 10.0", "+10.0 %"})
                QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
        }
    }

    void emulatedTimesAreNeverCalledMeasured() {
        m_view->showRun(runOf(*m_plan->plan(), true));
        const BarRef bar{1, LaneRole::Compute, 3};
        const QString text = toolTipAt(m_tracks->ranRect(bar).center());
        // Twice as long as it is drawn, beside the prediction at its pace.
        for (const char* part :
             {"emulated, with tiny widths: 22.0", "predicted 10.0", "at this run's pace 20.0", "+10.0 %"})
            QVERIFY2(text.contains(QLatin1String(part)), qPrintable(text));
        QVERIFY(!text.contains(QStringLiteral("measured")));
        QVERIFY(m_view->subtitle().contains(QStringLiteral("emulated, with tiny widths")));
        QVERIFY(lanes()->toolTip().contains(QStringLiteral("only the shape")));
        for (int i = 0; i < lanes()->count(); ++i)
            QVERIFY(!lanes()->itemText(i).contains(QStringLiteral("easured")));
        const std::vector<AccessiblePart> rows = m_view->findChild<TimelineLabels*>()->accessibleParts();
        QVERIFY2(rows.front().name.contains(QStringLiteral("emulated: ")), qPrintable(rows.front().name));
        // What does not scale with the passes has no predicted time to hold it against.
        const QString sync = toolTipAt(m_tracks->ranRect({0, LaneRole::ForwardSend, 2}).center());
        QVERIFY2(sync.contains(QStringLiteral("no predicted time")), qPrintable(sync));
    }

    void theSwitchShowsOneOrBoth() {
        const PlanRunPointer run = runOf(*m_plan->plan(), false);
        m_view->showRun(run);
        const BarRef bar{2, LaneRole::Compute, 1};
        QVERIFY(!m_tracks->barRect(bar).isNull() && !m_tracks->ranRect(bar).isNull());
        const int pair = m_tracks->rowHeight();
        lanes()->setCurrentIndex(1);
        QVERIFY(!m_tracks->barRect(bar).isNull() && m_tracks->ranRect(bar).isNull());
        QVERIFY(m_tracks->rowHeight() < pair);
        QCOMPARE(m_range->traceEnd(), m_plan->plan()->timeline->end);
        lanes()->setCurrentIndex(2);
        QVERIFY(m_tracks->barRect(bar).isNull() && !m_tracks->ranRect(bar).isNull());
        QCOMPARE(m_range->traceEnd(), run->rows.timeline.end);
        // Another run, another plan, none.
        m_view->showRun(runOf(*m_plan->plan(), true));
        QCOMPARE(m_tracks->lanes(), TimelineTracks::Lanes::Ran); // the choice stays
        m_plan->show(test::syntheticPlan(3, 4));
        QCOMPARE(m_tracks->lanes(), TimelineTracks::Lanes::Predicted);
        m_view->showRun(run); // of a plan with other rows
        QVERIFY(!m_tracks->run());
    }

    // A chosen operation is chosen in both bands; keys walk it as they do without a run.
    void anOperationIsChosenInBothBands() {
        m_view->showRun(runOf(*m_plan->plan(), false));
        for (const int shown : {0, 2}) {
            lanes()->setCurrentIndex(shown);
            const BarRef bar{1, LaneRole::Compute, 2};
            QTest::mouseClick(m_tracks, Qt::LeftButton, {}, m_tracks->ranRect(bar).center());
            QCOMPARE(m_selection->bar(), selectionOf(bar));
            QCOMPARE(m_selection->stage(), 1);
            QTest::keyClick(m_tracks, Qt::Key_Right);
            QCOMPARE(m_selection->bar().index, 3);
            const QString text = m_tracks->accessibleDescription();
            QVERIFY2(text.contains(QStringLiteral("F 3, stage 1")) &&
                         text.contains(QStringLiteral("measured: 11.0")),
                     qPrintable(text));
            const QImage picture = m_tracks->grab().toImage();
            const QRect ran = m_tracks->ranRect({1, LaneRole::Compute, 3});
            QCOMPARE(picture.pixelColor(ran.left() - 1, ran.center().y()), theme().ink); // its outline
            m_selection->setBar({});
        }
    }

    void keysZoomAndPanBoth() {
        m_view->showRun(runOf(*m_plan->plan(), false));
        const BarRef bar{0, LaneRole::Compute, 2};
        const int before = m_tracks->ranRect(bar).width();
        QTest::keyClick(m_tracks, Qt::Key_W);
        QVERIFY(m_tracks->ranRect(bar).width() > before);
        QCOMPARE(m_tracks->ranRect(bar).width(), m_tracks->barRect(bar).width());
        QTest::keyClick(m_tracks, Qt::Key_D);
        QCOMPARE(m_tracks->ranRect(bar).left(), m_tracks->barRect(bar).left());
    }

    void anAreaSaysWhatIsPredictedAndWhatRan() {
        m_view->showRun(runOf(*m_plan->plan(), false));
        m_range->setSelected({0, 100 * test::kMs}, 1, 1);
        const QString both = m_tracks->areaReadout();
        QVERIFY2(both.contains(QStringLiteral("predicted: ")) && both.contains(QStringLiteral("measured: ")),
                 qPrintable(both));
        lanes()->setCurrentIndex(2);
        QVERIFY(!m_tracks->areaReadout().contains(QStringLiteral("predicted")));
    }

    // Both bands are painted in both themes, the lower one from the run.
    void bothBandsArePaintedInBothThemes() {
        for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
            ThemeControl::instance().apply(*qApp, mode);
            m_view->showRun(nullptr);
            m_view->showRun(runOf(*m_plan->plan(), true));
            const QImage picture = m_view->grab().toImage();
            const auto colourAt = [&](const QRect& rect) {
                return picture.pixelColor(
                    m_tracks->mapTo(m_view, QPoint(rect.left() + 3, rect.top() + 3))); // beside its number
            };
            for (const std::ptrdiff_t i : {2, 12}) {
                const BarRef bar{1, LaneRole::Compute, i};
                const QColor fill = theme().kind(i == 2 ? BarKind::Forward : BarKind::Backward).fill;
                QCOMPARE(colourAt(m_tracks->barRect(bar)), fill);
                QCOMPARE(colourAt(m_tracks->ranRect(bar)), fill);
            }
            const QRect last = m_tracks->ranRect({1, LaneRole::Compute, 15});
            const QRect predicted = m_tracks->barRect({1, LaneRole::Compute, 15});
            QVERIFY(last.right() > predicted.right()); // it ran longer: nothing is predicted above its end
            QVERIFY(colourAt(QRect(last.right() - 5, predicted.top(), 8, 8)) !=
                    theme().kind(BarKind::Backward).fill);
        }
    }
};

QTEST_MAIN(TimelineRunTest)
#include "timeline_run_test.moc"
