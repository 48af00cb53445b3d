// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/compare_set.h"

#include "ui/base/convert.h"
#include "ui/session/document.h"

#include <algorithm>
#include <cmath>

namespace pw {

CompareSet::CompareSet(Document& document, Candidates& candidates)
    : m_document(document), m_candidates(candidates) {
    connect(&candidates, &Candidates::changed, this, [this] { refresh(false); });
    connect(&document, &Document::changed, this, [this] { refresh(false); });
}

void CompareSet::setPlans(const std::vector<int>& ids) {
    m_lanes.clear();
    for (const int id : ids)
        if (m_lanes.size() < kMost && m_candidates.find(id))
            m_lanes.push_back({id, nullptr});
    m_base = m_active = 0;
    m_chosen = m_microbatch = -1;
    refresh(true);
    m_range.fit();
}

void CompareSet::add(int id) {
    const bool known =
        std::any_of(m_lanes.begin(), m_lanes.end(), [id](const Lane& lane) { return lane.id == id; });
    if (known || m_lanes.size() >= kMost || !m_candidates.find(id))
        return;
    m_lanes.push_back({id, nullptr});
    refresh(true);
}

void CompareSet::remove(std::size_t lane) {
    if (lane >= m_lanes.size())
        return;
    m_lanes.erase(m_lanes.begin() + static_cast<std::ptrdiff_t>(lane));
    m_base = m_base > lane ? m_base - 1 : std::min(m_base, m_lanes.empty() ? 0 : m_lanes.size() - 1);
    refresh(true);
}

void CompareSet::setBase(std::size_t lane) {
    if (lane >= m_lanes.size() || lane == m_base)
        return;
    m_base = lane;
    refresh(true);
}

void CompareSet::swapBase() {
    if (!m_lanes.empty())
        setBase((m_base + 1) % m_lanes.size());
}

// Plans that are gone leave; what is shown of the others may be another one by now.
void CompareSet::refresh(bool force) {
    bool other = force;
    for (std::size_t i = m_lanes.size(); i-- > 0;)
        if (!m_candidates.find(m_lanes[i].id)) {
            m_lanes.erase(m_lanes.begin() + static_cast<std::ptrdiff_t>(i));
            m_base = m_base > i ? m_base - 1 : m_base;
            other = true;
        }
    m_base = std::min(m_base, m_lanes.empty() ? 0 : m_lanes.size() - 1);
    m_active = std::min(m_active, m_lanes.empty() ? 0 : m_lanes.size() - 1);
    for (Lane& lane : m_lanes) {
        const Candidate& candidate = *m_candidates.find(lane.id);
        auto now = m_candidates.shown(lane.id, Candidates::isStale(candidate, m_document.problem()));
        other = other || now != lane.plan;
        lane.plan = std::move(now);
    }
    std::erase_if(m_lanes, [](const Lane& lane) { return !lane.plan; });
    if (!other)
        return;
    m_comparison.reset();
    if (m_lanes.size() >= kLeast) {
        std::vector<std::shared_ptr<const CandidateDetail>> details;
        std::vector<ComparedPlan> plans;
        for (const Lane& lane : m_lanes) {
            const Candidate& candidate = *m_candidates.find(lane.id);
            details.push_back(m_candidates.detail(lane.id));
            plans.push_back({s(tr("plan %1").arg(candidate.name)), candidate.problem.get(), &candidate.plan,
                             &details.back()->evaluation, &details.back()->timeline});
        }
        m_comparison = comparePlans(plans, m_base);
    }
    if (m_chosen >= 0 && (!m_comparison || m_chosen >= static_cast<int>(m_comparison->time.size())))
        m_chosen = -1;
    placeAxis();
    Q_EMIT changed();
}

double CompareSet::scaleOf(std::size_t lane) const {
    if (!m_normalised)
        return 1.0;
    return m_lanes[lane].plan->iteration / m_lanes[m_base].plan->iteration;
}

// Steady state begins when the last stage has got its first micro-batch.
std::int64_t CompareSet::anchorOf(std::size_t lane) const {
    const Timeline& timeline = *m_lanes[lane].plan->timeline;
    if (m_align == Align::End)
        return timeline.end;
    std::int64_t latest = 0;
    if (m_align == Align::Steady)
        for (const Track& track : timeline.tracks)
            if (const pw::Lane& compute = track.lane(LaneRole::Compute); compute.size() > 0)
                latest = std::max(latest, compute.start(0));
    return latest;
}

void CompareSet::placeAxis() {
    if (m_lanes.empty())
        return;
    m_anchor = 0.0;
    for (std::size_t i = 0; i < m_lanes.size(); ++i)
        m_anchor = std::max(m_anchor, static_cast<double>(anchorOf(i)) / scaleOf(i));
    double end = 0.0;
    for (std::size_t i = 0; i < m_lanes.size(); ++i)
        end = std::max(end, m_anchor + static_cast<double>(m_lanes[i].plan->timeline->end - anchorOf(i)) /
                                           scaleOf(i));
    m_range.stretchTrace(std::llround(end));
}

TimeWindow CompareSet::laneWindow(std::size_t lane, const TimeWindow& axis) const {
    const auto own = [&](std::int64_t t) {
        return anchorOf(lane) + std::llround((static_cast<double>(t) - m_anchor) * scaleOf(lane));
    };
    return {own(axis.begin), std::max(own(axis.end), own(axis.begin) + 1)};
}

void CompareSet::setAlign(Align align) {
    if (align == m_align)
        return;
    m_align = align;
    placeAxis();
    Q_EMIT axisChanged();
}

void CompareSet::setNormalised(bool on) {
    if (on == m_normalised)
        return;
    m_normalised = on;
    placeAxis();
    Q_EMIT axisChanged();
}

void CompareSet::setChosen(int row) {
    if (row == m_chosen)
        return;
    m_chosen = row;
    Q_EMIT chosenChanged();
}

void CompareSet::setMicrobatch(int microbatch) {
    if (microbatch == m_microbatch)
        return;
    m_microbatch = microbatch;
    Q_EMIT chosenChanged();
}

void CompareSet::setActiveLane(std::size_t lane) {
    if (lane == m_active || lane >= m_lanes.size())
        return;
    m_active = lane;
    Q_EMIT chosenChanged();
}

} // namespace pw
