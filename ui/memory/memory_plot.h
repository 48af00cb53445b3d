// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/base/shown_plan.h"

#include <QWidget>

namespace pw {

class TimeRange;

// One device's memory over time as stacked bands: what stays (reserve to transient) and the activations,
// which step with the micro-batches in flight. The capacity is a dashed line; what stands above it is
// hatched.
class MemoryPlot : public QWidget {
    Q_OBJECT

public:
    explicit MemoryPlot(TimeRange& range, QWidget* parent = nullptr);
    ~MemoryPlot() override;
    void show(const ShownDevice& device, const ShownStage& stage, std::int64_t end); // end: ns
    double top() const { return m_top; }                                             // of the scale, GiB
    static std::vector<double> scaleMarks(double top);
    double gibAt(std::int64_t t) const; // all bands together
    QString peakText() const;

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

    TimeRange& m_range;
    std::unique_ptr<Parts> m_parts;
    double m_top = 1.0;
    bool m_overflows = false;
    double m_pressX = -1.0;
    TimeWindow m_pressWindow;
};

} // namespace pw
