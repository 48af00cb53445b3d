// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/shown_plan.h"

#include <QWidget>

namespace pw {

// Where the columns of the stage map stand; header and rows agree by asking the same place. px.
struct StageColumns {
    int cellsLeft, timeLeft, timeRight, memoryLeft, memoryBarRight, memoryRight, sendRight;
    double cell; // width of a layer
    static StageColumns of(int width, int layers);
    int layerX(double layer) const;
    int fineLayerAt(double x, bool half) const; // nearest place of a boundary, between blocks unless `half`
};

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
