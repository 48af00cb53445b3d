// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/shown_plan.h"
#include "ui/widgets/plot_widget.h"

#include <QWidget>

namespace pw {

// Left of the memory plot: the device shown and how full it is, a bar for each device's peak, and the plot's
// scale. A click on a bar, Left and Right from bar to bar, or Up and Down from device to device, choose one.
class MemoryColumn : public QWidget, public PlotWidget {
    Q_OBJECT

public:
    explicit MemoryColumn(QWidget* parent = nullptr);
    void setPlan(std::shared_ptr<const ShownPlan> plan);
    void setDevice(const QString& id, double top); // top: of the plot's scale, GiB
    void chooseAt(const QPointF& at);              // the device whose bar is there, if there is one
    QString textOf(const QString& device) const;   // empty: it is not in the plan
    QString text() const;                          // a line a device

Q_SIGNALS:
    void chosen(const QString& id);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Bar {
        const ShownDevice* device;
        QRectF rect; // of all its memory
    };
    std::vector<Bar> bars() const;
    void stepBar(int by); // to the bar beside
    const ShownDevice* find(const QString& id) const;

    std::shared_ptr<const ShownPlan> m_plan;
    QString m_device;
    double m_top = 0.0;
};

} // namespace pw
