// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/bar_place.h"
#include "ui/timeline/run_text.h"
#include "ui/timeline/timeline_tracks.h"

// What ran, under what is predicted for it.

namespace pw {

void TimelineTracks::setRun(PlanRunPointer run) {
    const bool sameRows = run && timeline() && run->rows.timeline.tracks.size() == timeline()->tracks.size();
    m_run = sameRows ? std::move(run) : nullptr;
    m_hover = m_hoverRan = {};
    m_hoverLinked.clear();
    divideRows();
}

void TimelineTracks::setLanes(Lanes lanes) {
    m_lanes = lanes;
    m_hover = m_hoverRan = {};
    m_hoverLinked.clear();
    divideRows();
}

void TimelineTracks::divideRows() {
    m_view.parts = lanes() == Lanes::Both ? 2 : 1;
    m_view.part = lanes() == Lanes::Ran ? -1 : 0;
    m_layer = {};
    fitRows();
    describe();
}

GanttViewport TimelineTracks::ranViewport() const {
    GanttViewport view = m_view;
    view.part = lanes() == Lanes::Both ? 1 : lanes() == Lanes::Ran ? 0 : -1;
    return view;
}

BarRef TimelineTracks::ranAt(const QPoint& at) const {
    return lanes() == Lanes::Predicted ? BarRef{} : pw::barAt(m_run->rows.timeline, ranViewport(), at);
}

QRect TimelineTracks::ranRect(BarRef ref) const {
    return lanes() == Lanes::Predicted ? QRect() : pw::barRect(m_run->rows.timeline, ranViewport(), ref);
}

BarRef TimelineTracks::ranOf(BarRef predicted) const {
    return m_run && isBar(*timeline(), predicted)
               ? sameOperation(*timeline(), predicted, m_run->rows.timeline)
               : BarRef{};
}

BarRef TimelineTracks::predictedOf(BarRef ran) const {
    return isBar(m_run->rows.timeline, ran) ? sameOperation(m_run->rows.timeline, ran, *timeline())
                                            : BarRef{};
}

QRect TimelineTracks::shownRect(BarRef ref) const {
    return lanes() == Lanes::Ran ? ranRect(ranOf(ref)) : barRect(ref);
}

QRect TimelineTracks::areaBand(int track) const {
    const QRect ran = ranViewport().band(track, LaneRole::Compute);
    return m_view.band(track, LaneRole::Compute).united(ran);
}

QString TimelineTracks::describedBar(BarRef ref) const {
    const QString text = barDescription(*timeline(), ref);
    return m_run ? text + QLatin1Char('\n') + operationText(*timeline(), ref, *m_run, ranOf(ref)) : text;
}

} // namespace pw
