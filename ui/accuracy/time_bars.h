// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/accuracy/run_detail.h"
#include "ui/widgets/plot_widget.h"

#include <QStringList>
#include <QWidget>

namespace pw {

// Two bars on one scale: the predicted time by kind of work, and the measured one.
class TimeBars : public QWidget, public PlotWidget {
    Q_OBJECT

public:
    explicit TimeBars(QWidget* parent = nullptr);
    void show(std::shared_ptr<const RunDetail> detail, double measured); // seconds; 0 = not measured
    QSize sizeHint() const override { return {240, 46}; }

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Part {
        QString name;
        double seconds = 0.0;
        QColor fill, edge;
        QBrush texture;
    };
    std::vector<Part> parts() const;
    QStringList texts() const;

    std::shared_ptr<const RunDetail> m_detail;
    double m_measured = 0.0;
};

} // namespace pw
