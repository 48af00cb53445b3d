// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/shown_plan.h"

#include <QWidget>

namespace pw {

// Left of the memory plot: the device shown and how full it is, a bar for each device's peak, and the plot's
// scale. A click on a bar, or Up and Down, choose the device.
class MemoryColumn : public QWidget {
    Q_OBJECT

public:
    explicit MemoryColumn(QWidget* parent = nullptr);
    void setPlan(std::shared_ptr<const ShownPlan> plan);
    void setDevice(const QString& id, double top); // top: of the plot's scale, GiB

Q_SIGNALS:
    void chosen(const QString& id);
    void menuRequested(const QPoint& at); // of the chosen one; global

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    struct Bar {
        const ShownDevice* device;
        QRectF rect; // of its capacity
    };
    std::vector<Bar> bars() const;
    const ShownDevice* find(const QString& id) const;

    std::shared_ptr<const ShownPlan> m_plan;
    QString m_device;
    double m_top = 0.0;
};

} // namespace pw
