// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

#include <memory>
#include <set>
#include <vector>

namespace pw {

struct ShownPlan;

// Which tracks stand where: pinned ones first and in view while the rest scrolls, the rest in the user's
// order without what the filter or the user hides. Nothing is lost by hiding: all of it comes back. An edit
// of the plan keeps order, pins and filter as long as the plan has as many rows.
class TimelineRows : public QObject {
    Q_OBJECT

public:
    explicit TimelineRows(QObject* parent = nullptr) : QObject(parent) {}

    void setPlan(std::shared_ptr<const ShownPlan> plan);
    const std::vector<int>& shown() const { return m_shown; } // tracks from top to bottom
    int pinnedCount() const { return m_pinnedShown; }         // the first of them
    bool isPinned(int track) const { return m_pinned.contains(track); }
    int hiddenCount() const { return static_cast<int>(m_order.size() - m_shown.size()); }
    const QString& filter() const { return m_filter; }

    void togglePinned(int track);
    void hide(int track); // the last visible one stays
    void move(int track, int row);
    void setFilter(const QString& words); // part of "stage 2", its devices, kind or blocks
    void showAll();                       // neither filter nor hidden rows
    void reset();                         // as the plan has them

Q_SIGNALS:
    void changed();

private:
    void arrange();
    bool matches(int track) const;

    std::shared_ptr<const ShownPlan> m_plan;
    std::vector<int> m_order; // of all tracks
    std::set<int> m_pinned, m_hidden;
    QString m_filter;
    std::vector<int> m_shown;
    int m_pinnedShown = 0;
};

} // namespace pw
