// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_rows.h"

#include "ui/session/shown_plan.h"

#include <algorithm>
#include <numeric>

namespace pw {

void TimelineRows::setPlan(std::shared_ptr<const ShownPlan> plan) {
    const std::size_t count = plan ? plan->stages.size() : 0;
    m_plan = std::move(plan);
    if (count != m_order.size()) {
        m_order.resize(count);
        std::iota(m_order.begin(), m_order.end(), 0);
        m_pinned.clear();
        m_hidden.clear();
    }
    arrange();
}

bool TimelineRows::matches(int track) const {
    const ShownStage& stage = m_plan->stages[static_cast<std::size_t>(track)];
    const QString text = tr("stage %1").arg(stage.stage) + QLatin1Char(' ') + stage.devices +
                         QLatin1Char(' ') + stage.kind + QLatin1Char(' ') + stage.layerPhrase;
    const QString wanted = m_filter.trimmed();
    // A long list of devices is shortened: each of them is looked for too.
    return text.contains(wanted, Qt::CaseInsensitive) ||
           (!wanted.isEmpty() && stage.deviceIds.filter(wanted, Qt::CaseInsensitive).size() > 0);
}

void TimelineRows::arrange() {
    m_shown.clear();
    for (const bool pinned : {true, false}) {
        for (const int track : m_order)
            if (m_pinned.contains(track) == pinned && !m_hidden.contains(track) && matches(track))
                m_shown.push_back(track);
        if (pinned)
            m_pinnedShown = static_cast<int>(m_shown.size());
    }
    Q_EMIT changed();
}

void TimelineRows::togglePinned(int track) {
    if (!m_pinned.erase(track))
        m_pinned.insert(track);
    arrange();
}

void TimelineRows::hide(int track) {
    if (m_shown.size() < 2)
        return;
    m_hidden.insert(track);
    arrange();
}

void TimelineRows::move(int track, int row) {
    if (row < 0 || row >= static_cast<int>(m_shown.size()))
        return;
    const int there = m_shown[static_cast<std::size_t>(row)];
    const auto from = std::find(m_order.begin(), m_order.end(), track);
    const auto to = std::find(m_order.begin(), m_order.end(), there);
    if (from == m_order.end() || from == to)
        return;
    if (from < to)
        std::rotate(from, from + 1, to + 1);
    else
        std::rotate(to, from, from + 1);
    arrange();
}

void TimelineRows::setFilter(const QString& words) {
    if (words == m_filter)
        return;
    m_filter = words;
    arrange();
}

void TimelineRows::showAll() {
    m_hidden.clear();
    m_filter.clear();
    arrange();
}

void TimelineRows::reset() {
    std::sort(m_order.begin(), m_order.end());
    m_pinned.clear();
    m_hidden.clear();
    m_filter.clear();
    arrange();
}

} // namespace pw
