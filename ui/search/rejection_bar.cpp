// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/rejection_bar.h"

#include "core/search/space/rejection.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"

#include <QPainter>

#include <algorithm>

namespace pw {

namespace {
constexpr std::size_t kShown = 6;
constexpr int kBar = 7, kRow = 18;
} // namespace

QString rejectionText(const std::string& code) {
    QString text = q(code);
    text.replace(QLatin1Char('_'), QLatin1Char(' '));
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

RejectionBar::RejectionBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("search.rejected"));
    setFixedHeight(kBar);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
}

void RejectionBar::setCounts(const std::map<std::string, std::int64_t>& rejected) {
    m_parts.clear();
    m_total = 0;
    for (const auto& [code, count] : rejected)
        if (count > 0) {
            m_parts.push_back({rejectionText(code), count, code == words(Rejection::OutOfMemory)});
            m_total += count;
        }
    std::stable_sort(m_parts.begin(), m_parts.end(),
                     [](const Part& a, const Part& b) { return a.count > b.count; });
    if (m_parts.size() > kShown) {
        Part rest{tr("Other reasons"), 0, false};
        for (std::size_t i = kShown - 1; i < m_parts.size(); ++i)
            rest.count += m_parts[i].count;
        m_parts.resize(kShown - 1);
        m_parts.push_back(rest);
    }
    const auto rows = static_cast<int>((m_parts.size() + 1) / 2);
    setFixedHeight(kBar + (rows > 0 ? 5 + rows * kRow : 0));
    QStringList words;
    for (const Part& part : m_parts)
        words.append(QStringLiteral("%1 %2").arg(part.label, countText(part.count)));
    setAccessibleName(tr("Rejected: %1").arg(words.join(QStringLiteral(", "))));
    setToolTip(words.join(QLatin1Char('\n')));
    update();
}

void RejectionBar::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    // Only what cannot run is a fault; a slower plan is none.
    const QColor ramp[] = {t.text3, t.warnMark, t.line};
    const auto color = [&](std::size_t place) {
        return m_parts[place].fault ? t.err : ramp[std::min<std::size_t>(place, 2)];
    };
    QPainter painter(this);
    painter.fillRect(0, 0, width(), kBar, t.faint);
    double x = 0.0;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const double next = x + static_cast<double>(width()) * static_cast<double>(m_parts[i].count) /
                                    static_cast<double>(m_total);
        const int from = qRound(x), to = qMax(from + 2, qRound(next));
        painter.fillRect(from, 0, to - from - (i + 1 < m_parts.size() ? 1 : 0), kBar, color(i));
        x = next;
    }
    painter.setFont(smallFont());
    const int half = width() / 2;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const QRect row(static_cast<int>(i % 2) * half, kBar + 5 + static_cast<int>(i / 2) * kRow,
                        half - (i % 2 == 0 ? 12 : 0), kRow);
        painter.fillRect(row.left(), row.center().y() - 4, 9, 9, color(i));
        painter.setPen(t.text);
        const int number = paintFigures(painter, row, Qt::AlignRight, countText(m_parts[i].count));
        painter.setPen(t.text2);
        const QRect room = row.adjusted(15, 0, -number - 8, 0);
        painter.drawText(room, Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(m_parts[i].label, Qt::ElideRight, room.width()));
    }
}

} // namespace pw
