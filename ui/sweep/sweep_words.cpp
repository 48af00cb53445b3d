// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_words.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

// One row a figure, in the order of the enumeration. The unit stands behind values; "" where the name says
// all.
struct Words {
    const char* name;
    const char* unit;
    double factor; // from core's unit
    int decimals;  // -1: four digits in all
};
constexpr Words kWords[] = {
    {QT_TRANSLATE_NOOP("Sweep", "Iteration"), "s", 1.0, -1},
    {QT_TRANSLATE_NOOP("Sweep", "Tokens a second"), "", 1.0, 0},
    {QT_TRANSLATE_NOOP("Sweep", "Gap to the bound"), "%", 100.0, 1},
    {QT_TRANSLATE_NOOP("Sweep", "Bubble"), "%", 100.0, 1},
    {QT_TRANSLATE_NOOP("Sweep", "Peak memory"), "%", 100.0, 1},
    {QT_TRANSLATE_NOOP("Sweep", "GPUs"), "", 1.0, 0},
    {QT_TRANSLATE_NOOP("Sweep", "GPUs used"), "", 1.0, 0},
    {QT_TRANSLATE_NOOP("Sweep", "Price an hour"), "", 1.0, 2},
    {QT_TRANSLATE_NOOP("Sweep", "Price a million tokens"), "", 1e6, -1},
    {QT_TRANSLATE_NOOP("Sweep", "Power"), "kW", 1e-3, 2},
    {QT_TRANSLATE_NOOP("Sweep", "Energy a token"), "J", 1.0, -1},
    {QT_TRANSLATE_NOOP("Sweep", "Run"), "d", 1.0, -1},
    {QT_TRANSLATE_NOOP("Sweep", "Money"), "", 1.0, -1},
    {QT_TRANSLATE_NOOP("Sweep", "Energy"), "MWh", 1e-3, -1},
    {QT_TRANSLATE_NOOP("Sweep", "Goodput"), "%", 100.0, 1},
};
static_assert(std::size(kWords) == kSweepFigures);

const Words& wordsOf(SweepFigure figure) {
    return kWords[static_cast<std::size_t>(figure)];
}

int decimalsOf(double value, int decimals) {
    if (decimals >= 0)
        return decimals;
    const double size = std::abs(value);
    return size >= 1000.0 ? 0 : size >= 100.0 ? 1 : size >= 10.0 ? 2 : size >= 1.0 ? 3 : 4;
}

// Of a path: its name, for most files without what stands behind its last dot, and the folders before it.
QString lastParts(const QString& path, qsizetype count, bool stem) {
    const QString ending = path.section(QLatin1Char('/'), -count);
    const QString suffix = QFileInfo(path).suffix();
    return stem && !suffix.isEmpty() ? ending.chopped(suffix.size() + 1) : ending;
}

} // namespace

QString numberText(std::size_t count) {
    return countText(static_cast<std::int64_t>(count));
}

QString figureName(SweepFigure figure) {
    const Words& words = wordsOf(figure);
    const QString name = QCoreApplication::translate("Sweep", words.name);
    return *words.unit == '\0' ? name : QStringLiteral("%1, %2").arg(name, QLatin1String(words.unit));
}

QString figureCell(SweepFigure figure, double value) {
    if (std::isnan(value))
        return {};
    const double shown = value * wordsOf(figure).factor;
    return decimalText(shown, decimalsOf(shown, wordsOf(figure).decimals));
}

double figureFactor(SweepFigure figure) {
    return wordsOf(figure).factor;
}

QString figureText(SweepFigure figure, double value) {
    const QString cell = figureCell(figure, value);
    const QLatin1String unit(wordsOf(figure).unit);
    return cell.isEmpty() || unit.isEmpty() ? cell : QStringLiteral("%1 %2").arg(cell, unit);
}

QString standingText(TaskStanding standing) {
    switch (standing) {
    case TaskStanding::Open:
        return QCoreApplication::translate("Sweep", "open");
    case TaskStanding::Begun:
        return QCoreApplication::translate("Sweep", "begun");
    case TaskStanding::Failed:
        return QCoreApplication::translate("Sweep", "failed");
    case TaskStanding::NoPlan:
        return QCoreApplication::translate("Sweep", "no plan");
    case TaskStanding::Plan:
        return QCoreApplication::translate("Sweep", "plan");
    }
    return {};
}

QString valueText(const SweepAxis& axis, std::size_t value) {
    const QString text = q(plainValue(axis.values[value]));
    const bool stem = axis.kind == AxisKind::Cluster || axis.kind == AxisKind::Model;
    if (!stem && axis.kind != AxisKind::Plan)
        return text;
    // As much of the path as tells it from the other files.
    const QStringList folders = text.split(QLatin1Char('/'));
    for (qsizetype last = 1; last <= folders.size(); ++last) {
        const QString ending = lastParts(text, last, stem);
        const auto isSame = [&](const std::string& other) {
            return lastParts(q(plainValue(other)), last, stem) == ending;
        };
        if (std::ranges::count_if(axis.values, isSame) == 1)
            return ending;
    }
    return text;
}

QString taskText(const SweepDocument& sweep, const Assignment& at) {
    QStringList parts;
    for (std::size_t a = 0; a < sweep.axes.size(); ++a)
        parts << QStringLiteral("%1 %2").arg(q(sweep.axes[a].name), valueText(sweep.axes[a], at[a]));
    return parts.join(QStringLiteral(", "));
}

} // namespace pw
