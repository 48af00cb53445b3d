// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/drawing.h"

#include <QWidget>

namespace pw {

// One line under the canvas: a badge a stage with its devices and layers; what does not fit is counted.
class StageLegend : public QWidget {
    Q_OBJECT

public:
    explicit StageLegend(QWidget* parent = nullptr);
    void setEntries(const std::vector<LegendEntry>& entries, bool stale);
    QSize sizeHint() const override { return {200, 28}; }

Q_SIGNALS:
    void stageClicked(int stage);

protected:
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    std::vector<LegendEntry> m_entries;
    std::vector<QRect> m_places;
    bool m_stale = false;
};

} // namespace pw
