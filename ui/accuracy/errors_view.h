// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/accuracy/accuracy_context.h"
#include "ui/accuracy/error_histogram.h"
#include "ui/session/view.h"
#include "ui/widgets/plot_widget.h"

namespace pw {

class CalibrationPanel;

// The painted histogram: the chosen source's errors as bars, those of all sources as a stepped line.
class HistogramPlot : public QWidget, public PlotWidget {
    Q_OBJECT

public:
    explicit HistogramPlot(AccuracyStudy& study, QWidget* parent = nullptr);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    void refresh();
    void makeMenu();
    QRect plotRect() const;
    QRect binRect(int bin) const;    // from the axis to the top
    bool chooseAt(const QPoint& at); // false: no bin is there
    QString binText(int bin) const;
    double top() const; // share at the upper end of the scale
    void paintScale(QPainter& painter, const QRect& area) const;
    void paintLegend(QPainter& painter) const;

    AccuracyStudy& m_study;
    ErrorHistogram m_histogram;
    QString m_title;                       // of the chosen source
    int m_bin = ErrorHistogram::kBins / 2; // of menu and keys: from 0 % on
};

// How the errors of the chosen source are spread, and what fitting to its runs would gain.
class ErrorsView : public View {
    Q_OBJECT

public:
    explicit ErrorsView(AccuracyContext& context, QWidget* parent = nullptr);
    CalibrationPanel* calibration() const { return m_calibration; }

private:
    CalibrationPanel* m_calibration;
};

} // namespace pw
