// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/box_lettering.h"

#include "ui/base/theme.h"

#include <QFontMetrics>
#include <QPainter>

#include <algorithm>

namespace pw {

namespace {
constexpr int kWordGap = 6,
              kLeastName = 40; // px, between a name and what stands behind it; of a name that is cut
} // namespace

double nameWidth(const QString& name) {
    return QFontMetrics(smallFont(600)).horizontalAdvance(name);
}

qsizetype wordsBehind(const AlikeNames& names, double scale, const QStringList& more, const QString& kept) {
    const QFontMetrics metrics(smallFont());
    const int room = static_cast<int>(names.room * scale);
    const auto fits = std::ranges::find_if(more, [&](const QString& text) {
        return names.widest + kWordGap + metrics.horizontalAdvance(text) <= room;
    });
    if (fits != more.end() || kept.isEmpty())
        return fits - more.begin();
    const int rest = room - kWordGap - metrics.horizontalAdvance(kept);
    const bool named = names.widest <= room && names.widest > rest && rest < kLeastName; // and no more
    return named ? more.size() : more.indexOf(kept);
}

void drawUnscaled(QPainter& painter, const QRectF& band, double scale, const QString& name,
                  const QStringList& more, const QString& kept) {
    const QFont plain = smallFont();
    const QFontMetrics metrics(plain);
    const int room = static_cast<int>(band.width() * scale);
    const int rest = kept.isEmpty() ? room : room - kWordGap - metrics.horizontalAdvance(kept);
    const QFont bold = smallFont(600);
    const QFontMetrics boldMetrics(bold);
    const int whole = boldMetrics.horizontalAdvance(name);
    const bool beside = kept.isEmpty() || whole <= rest || rest >= kLeastName;
    // Widths are rounded: a name that has just its width would be cut to nothing but dots.
    const bool fitsWhole = whole <= (beside ? rest : room);
    const QString shown = fitsWhole ? name
                          : beside  ? boldMetrics.elidedText(name, Qt::ElideMiddle, rest)
                                    : QString();
    int end = boldMetrics.horizontalAdvance(shown);
    const int behind = shown.isEmpty() ? 0 : end + kWordGap;
    const auto fits = std::ranges::find_if(
        more, [&](const QString& text) { return behind + metrics.horizontalAdvance(text) <= room; });
    if (fits != more.end())
        end = behind + metrics.horizontalAdvance(*fits);
    painter.save();
    painter.translate(band.left(), band.center().y());
    painter.scale(1.0 / scale, 1.0 / scale);
    if (band.height() * scale < kNameGround)
        painter.fillRect(QRectF(-2.0, -kNameGround / 2.0, end + 4.0, kNameGround), theme().node);
    painter.translate(0.0, metrics.capHeight() / 2.0); // of the letters, not of the line
    painter.setFont(bold);
    painter.setPen(theme().text);
    painter.drawText(QPointF(0, 0), shown);
    painter.setFont(plain);
    painter.setPen(theme().text2);
    if (fits != more.end())
        painter.drawText(QPointF(behind, 0), *fits);
    painter.restore();
}

void drawInMiddle(QPainter& painter, const QRectF& box, double scale, const std::vector<QStringList>& texts) {
    if (box.height() * scale < kNameGround)
        return;
    const QFont font = smallFont();
    const QFontMetricsF metrics(font);
    const auto sizeOf = [&](const QStringList& lines) {
        double width = 0.0;
        for (const QString& line : lines)
            width = std::max(width, metrics.horizontalAdvance(line));
        return QSizeF(width + 4.0, kNameGround * static_cast<double>(lines.size()));
    };
    const QSizeF room = box.size() * scale + QSizeF(0.1, 0.1); // what is sized for them rounds down
    const auto lines = std::ranges::find_if(texts, [&](const QStringList& each) {
        const QSizeF size = sizeOf(each);
        return size.width() <= room.width() && size.height() <= room.height();
    });
    if (lines == texts.end())
        return;
    const QSizeF size = sizeOf(*lines);
    painter.save();
    painter.translate(box.center());
    painter.scale(1.0 / scale, 1.0 / scale);
    const QRectF ground(QPointF(-size.width() / 2.0, -size.height() / 2.0), size);
    painter.fillRect(ground, theme().node);
    painter.setFont(font);
    painter.setPen(theme().text);
    for (qsizetype i = 0; i < lines->size(); ++i)
        painter.drawText(QRectF(ground.left(), ground.top() + kNameGround * static_cast<double>(i),
                                size.width(), kNameGround),
                         Qt::AlignCenter, lines->at(i));
    painter.restore();
}

} // namespace pw
