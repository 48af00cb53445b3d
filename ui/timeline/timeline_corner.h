// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QAction;
class QLineEdit;

namespace pw {

class TimeRange;
class TimelineRows;

// The cell beside overview and ruler: what is visible, and the filter of the rows, which is lit while it
// hides any.
class TimelineCorner : public QWidget {
public:
    TimelineCorner(TimeRange& range, TimelineRows& rows);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    TimeRange& m_range;
    QLineEdit* m_filter;
    QAction* m_sign;
};

} // namespace pw
