// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/qcustomplot.h"

namespace pw {

// Ticks of a logarithmic axis: decades where there are enough of them, else 1, 2 and 5 of each; with their
// unit, "10 s" or "20 GiB". Between them the other multiples as sub-ticks. Costs the plot library's header.
class LogTicker : public QCPAxisTicker {
public:
    void setUnit(const QString& unit) { m_unit = unit; }

protected:
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    QVector<double> createSubTickVector(int subTickCount, const QVector<double>& ticks) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;
    double getTickStep(const QCPRange&) override { return 1.0; }
    int getSubTickCount(double) override { return 1; }

private:
    QString m_unit;
    QCPRange m_range;
};

} // namespace pw
