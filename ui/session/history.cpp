// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/history.h"

namespace pw {

namespace {
constexpr std::size_t kMostPlaces = 100;
} // namespace

History::History(Selection& selection, TimeRange& range, QObject* parent, int settleMs)
    : QObject(parent), m_selection(selection), m_range(range) {
    m_settle.setSingleShot(true);
    m_settle.setInterval(settleMs);
    connect(&m_settle, &QTimer::timeout, this, &History::record);
    const auto moved = [this] {
        if (!m_going)
            m_settle.start();
    };
    connect(&selection, &Selection::planChanged, this, moved);
    connect(&selection, &Selection::stageChanged, this, moved);
    connect(&selection, &Selection::barChanged, this, moved);
    connect(&selection, &Selection::itemsChanged, this, moved);
    connect(&selection, &Selection::deviceChanged, this, moved);
    connect(&range, &TimeRange::visibleChanged, this, moved);
    m_places.push_back(here());
}

History::Place History::here() const {
    return {m_selection.plan(),  m_selection.stage(),  m_selection.bar(),
            m_selection.items(), m_selection.device(), m_range.visible()};
}

void History::record() {
    const Place place = here();
    if (place == m_places[m_at])
        return;
    m_places.resize(m_at + 1);
    m_places.push_back(place);
    if (m_places.size() > kMostPlaces)
        m_places.erase(m_places.begin());
    m_at = m_places.size() - 1;
    Q_EMIT changed();
}

void History::go(std::size_t to) {
    m_going = true;
    m_at = to;
    const Place place = m_places[to];
    m_selection.setPlan(place.plan);
    m_selection.setBar(place.bar);
    m_selection.setStage(place.stage);
    m_selection.setItems(place.items);
    m_selection.setDevice(place.device);
    m_range.setVisible(place.visible);
    m_going = false;
    Q_EMIT changed();
}

void History::back() {
    m_settle.stop();
    record(); // what has not settled yet is where Forward leads
    if (canGoBack())
        go(m_at - 1);
}

void History::forward() {
    if (canGoForward())
        go(m_at + 1);
}

void History::forget() {
    m_settle.stop();
    m_places = {here()};
    m_at = 0;
    Q_EMIT changed();
}

} // namespace pw
