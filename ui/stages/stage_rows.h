// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/base/selection.h"
#include "ui/base/shown_plan.h"

#include <QWidget>

namespace pw {

// Where the columns of the stage map stand; header and rows agree by asking the same place. px.
struct StageColumns {
    int cellsLeft, timeLeft, timeRight, memoryLeft, memoryBarRight, memoryRight, sendRight;
    double cell; // width of a layer
    static StageColumns of(int width, int layers);
    int layerX(double layer) const;
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

// The rows: 32 px each, 26 from five stages on. A click or Up and Down choose the stage.
class StageRows : public QWidget {
    Q_OBJECT

public:
    explicit StageRows(Selection& selection, QWidget* parent = nullptr);
    void setPlan(std::shared_ptr<const ShownPlan> plan);
    QRect rowRect(int stage) const;

Q_SIGNALS:
    void showRow(const QRect& row); // the chosen one, to be scrolled to

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    int count() const { return m_plan ? static_cast<int>(m_plan->stages.size()) : 0; }
    int rowHeight() const { return count() < 5 ? 32 : 26; }
    int rowAt(int y) const;
    void stageChanged();
    void paintRow(QPainter& painter, int index);
    void paintCells(QPainter& painter, const ShownStage& stage, int index, const QRect& row,
                    const StageColumns& columns);
    void paintTime(QPainter& painter, const ShownStage& stage, const QRect& row, const StageColumns& columns);
    void paintMemory(QPainter& painter, const ShownStage& stage, const QRect& row,
                     const StageColumns& columns);
    double timeScale(const StageColumns& columns) const; // px a second

    Selection& m_selection;
    std::shared_ptr<const ShownPlan> m_plan;
    int m_hover = -1;
};

} // namespace pw
