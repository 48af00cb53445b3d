// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/format.h"

#include <QLocale>
#include <QPainter>

#include <cmath>

namespace pw {

namespace {

QString number(double value, int decimals) {
    return QLocale().toString(value, 'f', decimals);
}

bool isInMilliseconds(Seconds iteration) {
    return iteration.value < 1.0;
}

// Without the unit.
QString figureOf(Seconds iteration) {
    const double seconds = iteration.value;
    return isInMilliseconds(iteration) ? number(seconds * 1e3, 1) : number(seconds, seconds < 10.0 ? 3 : 2);
}

} // namespace

QString decimalText(double value, int decimals) {
    return number(value, decimals);
}

QString iterationText(Seconds time) {
    return (isInMilliseconds(time) ? QStringLiteral("%1 ms") : QStringLiteral("%1 s")).arg(figureOf(time));
}

QString iterationFrom(Seconds low, Seconds high) {
    return isInMilliseconds(low) == isInMilliseconds(high) ? figureOf(low) : iterationText(low);
}

QString stageTimeText(Seconds time) {
    const double ms = time.value * 1e3;
    return QStringLiteral("%1 ms").arg(number(ms, ms < 10.0 ? 1 : 0));
}

QString tokensText(double perSecond) {
    return QStringLiteral("%1 k").arg(number(perSecond / 1e3, 2));
}

QString shareText(double share) {
    return QStringLiteral("%1 %").arg(number(share * 100.0, 1));
}

QString gibText(Bytes bytes) {
    return number(toGibibytes(bytes), 1);
}

QString countText(std::int64_t count) {
    return QLocale().toString(static_cast<qlonglong>(count));
}

QString sentence(QString message) {
    if (!message.isEmpty())
        message[0] = message[0].toUpper();
    return message;
}

QString sentence(const std::string& message) {
    return sentence(QString::fromStdString(message));
}

QString signedText(double value, int decimals) {
    const QString magnitude = number(std::abs(value), decimals);
    if (magnitude == number(0.0, decimals))
        return magnitude;
    return value < 0.0 ? QChar(0x2212) + magnitude : QLatin1Char('+') + magnitude;
}

int figuresWidth(const QFont& font, const QString& text) {
    const QFontMetrics metrics(font);
    const int zero = metrics.horizontalAdvance(QLatin1Char('0'));
    int width = 0;
    for (const QChar ch : text)
        width += ch.isDigit() ? zero : metrics.horizontalAdvance(ch);
    return width;
}

int paintFigures(QPainter& painter, const QRect& rect, Qt::Alignment alignment, const QString& text) {
    const QFontMetrics metrics(painter.font());
    const int zero = metrics.horizontalAdvance(QLatin1Char('0'));
    const int width = figuresWidth(painter.font(), text);
    int x = rect.left();
    if (alignment & Qt::AlignRight)
        x = rect.right() + 1 - width;
    else if (alignment & Qt::AlignHCenter)
        x = rect.left() + (rect.width() - width) / 2;
    const int baseline = rect.top() + (rect.height() + metrics.ascent() - metrics.descent()) / 2;
    for (const QChar ch : text) {
        const int own = metrics.horizontalAdvance(ch);
        const int advance = ch.isDigit() ? zero : own;
        painter.drawText(x + (advance - own) / 2, baseline, QString(ch));
        x += advance;
    }
    return width;
}

} // namespace pw
