// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/log_ticker.h"

#include <cmath>

namespace pw {

namespace {

constexpr double kDecadesAlone = 2.2; // from so many on, a label at each

QVector<double> multiples(const QCPRange& range, const QVector<double>& factors) {
    QVector<double> ticks;
    const int first = static_cast<int>(std::floor(std::log10(range.lower)));
    const int last = static_cast<int>(std::ceil(std::log10(range.upper)));
    for (int decade = first; decade <= last; ++decade)
        for (const double factor : factors)
            ticks << factor * std::pow(10.0, decade);
    return ticks;
}

} // namespace

QVector<double> LogTicker::createTickVector(double, const QCPRange& range) {
    m_range = range;
    if (range.lower <= 0.0)
        return {};
    const double decades = std::log10(range.upper / range.lower);
    if (decades > kDecadesAlone)
        return multiples(range, {1.0});
    return multiples(range, {1.0, 2.0, 5.0});
}

QVector<double> LogTicker::createSubTickVector(int, const QVector<double>&) {
    return m_range.lower > 0.0 ? multiples(m_range, {2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0})
                               : QVector<double>();
}

QString LogTicker::getTickLabel(double tick, const QLocale& locale, QChar, int) {
    return QStringLiteral("%1 %2").arg(locale.toString(tick, 'g', 4), m_unit);
}

} // namespace pw
