// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/shown_plan.h"

#include <QString>
#include <QWidget>

#include <vector>

namespace pw {

// Where the columns of the stage map stand; header and rows agree by asking the same place. px.
struct StageColumns {
    int cellsLeft, timeLeft, timeRight, memoryLeft, memoryBarRight, memoryRight, sendRight;
    double cell; // width of a layer
    static StageColumns of(int width, int layers);
    int layerX(double layer) const;
    int fineLayerAt(double x, bool half) const; // nearest place of a boundary, between blocks unless `half`
};

// Which blocks a stage holds, beside its cells: behind them, or in front of them where there is more room.
struct RangeLabel {
    QString text; // empty: neither side has room for any of it
    int left = 0, width = 0;
    bool inFront = false; // and ends at the cells
};
// Of all stages. All are whole ("emb, 0 to 4"), or where one has too little room for that all are short
// ("0–4"); what is still too long is cut, whichever stage it is of.
std::vector<RangeLabel> rangeLabels(const ShownPlan& plan, const StageColumns& columns);

// The line of column names, with the scale of layers.
class StageHeader : public QWidget {
    Q_OBJECT

public:
    explicit StageHeader(QWidget* parent = nullptr);
    void setPlan(std::shared_ptr<const ShownPlan> plan);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::shared_ptr<const ShownPlan> m_plan;
};

} // namespace pw
