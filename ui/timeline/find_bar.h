// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/build.h"
#include "ui/session/shown_plan.h"

#include <QWidget>

class QLabel;
class QLineEdit;

namespace pw {

// The find line of the timeline: "B 12", "F 3 stage 2", "transfer n1". Enter and Shift+Enter walk through the
// hits by time, Esc closes the line.
class FindBar : public QWidget {
    Q_OBJECT

public:
    explicit FindBar(QWidget* parent = nullptr);
    void setPlan(std::shared_ptr<const ShownPlan> plan);
    void open(BarRef from); // shows the line; the walk begins at this bar
    QLineEdit* line() const { return m_line; }
    int hits() const { return static_cast<int>(m_hits.size()); }

Q_SIGNALS:
    void found(BarRef ref);
    void closed();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void search(bool walk);
    void step(int by);
    void showCount();

    std::shared_ptr<const ShownPlan> m_plan;
    QLineEdit* m_line;
    QLabel* m_count;
    std::vector<BarRef> m_hits;
    std::ptrdiff_t m_at = -1; // among the hits
};

} // namespace pw
