// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/shown_plan.h"
#include "ui/widgets/plot_widget.h"

#include <QWidget>

namespace pw {

class TimeRange;

// One device's memory over time as stacked bands: what stays (reserve to transient) and the activations,
// which step with the micro-batches in flight. The capacity is a dashed line; what stands above it is
// hatched. Where a plan may hold less than the device has, to be surer that it fits, a plain line is what it
// has.
class MemoryPlot : public QWidget, public PlotWidget {
    Q_OBJECT

public:
    explicit MemoryPlot(TimeRange& range, QWidget* parent = nullptr);
    ~MemoryPlot() override;
    // The plan is the shown stage's; it says how long the iteration is and whether its figures are stale.
    void show(const ShownDevice& device, const ShownStage& stage, const ShownPlan& plan);
    double top() const { return m_top; } // of the scale, GiB
    static std::vector<double> scaleMarks(double top);
    double gibAt(std::int64_t t) const; // all bands together
    QString peakText() const;
    QString capacityText() const; // beside the line of the capacity
    // Where the words of both stand, px; the capacity's are left out, and its rectangle is null, where there
    // is no room beside the peak's.
    QRect peakRect() const { return m_peakRect; }
    QRect capacityRect() const { return m_capacityRect; }

protected:
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Parts; // of the plot library, whose header takes seconds to compile
    void applyTheme();
    void rangeChanged();
    void cursorChanged();
    void placeWords();

    TimeRange& m_range;
    std::unique_ptr<Parts> m_parts;
    double m_top = 1.0;
    double m_capacity = 0.0, m_peak = 0.0, m_peakTime = 0.0; // GiB, GiB, s
    bool m_overflows = false, m_stale = false;
    QRect m_peakRect, m_capacityRect;
    double m_pressX = -1.0;
    TimeWindow m_pressWindow;
};

} // namespace pw
