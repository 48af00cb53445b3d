// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"

#include <QFont>
#include <QRect>
#include <QString>

#include <cstdint>
#include <string>

class QPainter;

namespace pw {

// Figures as every view words them; the unit is part of the text unless the name says otherwise.
QString iterationText(Seconds time);   // "15.82 s"; below 10 s three decimals, below 1 s milliseconds
QString stageTimeText(Seconds time);   // "229 ms"
QString tokensText(double perSecond);  // "33.14 k"
QString shareText(double share);       // 0.046 -> "4.6 %"
QString gibText(Bytes bytes);          // "34.9"
QString countText(std::int64_t count); // "24,911"
QString decimalText(double value, int decimals); // without unit
QString sentence(QString message);               // with a capital: core words its messages to follow a place
QString sentence(const std::string& message);    // of a text that is no Wording (error_text.h has those)
QString signedText(double value, int decimals);  // "+1.2", with a true minus; "0.0" has no sign

// The beginning of a span of iterations from `low` to `high`, without the unit where `high` has the same.
QString iterationFrom(Seconds low, Seconds high);

// Draws text with every digit as wide as "0": Inter's digits are proportional and Qt 6.4 cannot ask for
// others. Returns the width drawn.
int paintFigures(QPainter& painter, const QRect& rect, Qt::Alignment alignment, const QString& text);
int figuresWidth(const QFont& font, const QString& text);

} // namespace pw
