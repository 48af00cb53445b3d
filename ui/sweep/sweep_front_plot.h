// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/sweep/sweep_study.h"
#include "ui/widgets/point_plot.h"

#include <memory>
#include <vector>

namespace pw {

// Tasks as points over two figures; those of the front are filled and walked with Left and Right. The front
// may count a third figure, so that a point of it may lie behind others in this picture.
class SweepFrontPlot : public PointPlot {
    Q_OBJECT

public:
    explicit SweepFrontPlot(SweepStudy& study, QWidget* parent = nullptr);
    ~SweepFrontPlot() override;

    // `front`: tasks, in their order.
    void setPoints(SweepFigure x, SweepFigure y, std::vector<std::size_t> front);
    const std::vector<std::size_t>& front() const { return m_front; }
    int pointCount() const;
    QPointF positionOf(std::size_t task) const; // px
    int taskAt(const QPointF& position) const;  // of the front before others; -1 if none is near

Q_SIGNALS:
    void activated(); // the chosen task: open its plan

protected:
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void recolour(const Theme& theme) override;

private:
    struct Parts; // of the plot library, whose header takes seconds to compile
    void showChosen();
    bool isOnFront(std::size_t task) const;
    bool isDrawn(std::size_t task) const;
    bool isChosenDrawn() const;
    QString textOf(std::size_t task) const;
    void makeMenu();

    SweepStudy& m_study;
    std::unique_ptr<Parts> m_parts;
    SweepFigure m_x = SweepFigure::Iteration, m_y = SweepFigure::Iteration;
    std::vector<std::size_t> m_front;
};

} // namespace pw
