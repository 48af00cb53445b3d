// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/selection.h"
#include "ui/session/time_range.h"

#include <QTimer>

namespace pw {

// Where the user has been: selection and visible time, as Back and Forward go through them. It is apart from
// undo, which is about the project. Changes within half a second are one step, so that a zoom or a walk along
// the bars is one place.
class History : public QObject {
    Q_OBJECT

public:
    static constexpr int kSettleMs = 500;
    History(Selection& selection, TimeRange& range, QObject* parent = nullptr, int settleMs = kSettleMs);

    bool canGoBack() const { return m_at > 0; }
    bool canGoForward() const { return m_at + 1 < m_places.size(); }
    void back();
    void forward();
    void forget(); // another project: begins anew

Q_SIGNALS:
    void changed();

private:
    struct Place {
        int plan = -1, stage = -1;
        Selection::Bar bar;
        QSet<QString> items;
        QString device;
        TimeWindow visible;
        bool operator==(const Place&) const = default;
    };
    Place here() const;
    void record();
    void go(std::size_t to);

    Selection& m_selection;
    TimeRange& m_range;
    std::vector<Place> m_places;
    std::size_t m_at = 0;
    bool m_going = false;
    QTimer m_settle;
};

} // namespace pw
