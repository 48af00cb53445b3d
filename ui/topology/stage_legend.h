// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/drawing.h"

#include <QStringList>
#include <QWidget>

namespace pw {

// Under the canvas: a badge a stage with its devices and layers, in up to two lines; what does not fit is
// counted.
class StageLegend : public QWidget {
    Q_OBJECT

public:
    explicit StageLegend(QWidget* parent = nullptr);
    void setEntries(const std::vector<LegendEntry>& entries, bool stale);

Q_SIGNALS:
    void stageClicked(int stage);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent*) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void place();

    std::vector<LegendEntry> m_entries;
    std::vector<QRect> m_places; // of the entries that are shown
    QStringList m_texts;         // likewise
    bool m_stale = false;
};

} // namespace pw
