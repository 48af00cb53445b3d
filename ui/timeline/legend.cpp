// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/legend.h"

#include "ui/base/theme.h"
#include "ui/timeline/bar_text.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace pw {

namespace {
constexpr int kSwatch = 12, kGap = 5, kSpacing = 12;
constexpr int kMore = 16; // for the count of those that are left out
} // namespace

Legend::Legend(Entries entries, QWidget* parent) : QWidget(parent), m_entries(std::move(entries)) {
    setAccessibleName(tr("Legend"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
}

QSize Legend::sizeHint() const {
    const QFontMetrics metrics(bodyFont());
    int width = 0;
    for (const Entry& entry : m_entries())
        width += kSwatch + kGap + metrics.horizontalAdvance(entry.text) + kSpacing;
    return QSize(width, 20);
}

bool Legend::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || width() >= sizeHint().width() - kSpacing)
        return QWidget::event(event);
    QStringList names;
    for (const Entry& entry : m_entries())
        names << entry.text;
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), names.join(QLatin1Char('\n')), this);
    return true;
}

void Legend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(bodyFont());
    painter.setPen(theme().text2);
    int x = 0;
    const std::vector<Entry> entries = m_entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const Entry& entry = entries[i];
        const int text = painter.fontMetrics().horizontalAdvance(entry.text);
        const bool last = i + 1 == entries.size();
        if (x + kSwatch + kGap + text + (last ? 0 : kSpacing + kMore) > width()) {
            painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft,
                             QStringLiteral("+%1").arg(entries.size() - i));
            break;
        }
        paintSwatch(painter, QRect(x, (height() - kSwatch) / 2, kSwatch, kSwatch), entry);
        painter.drawText(QRect(x + kSwatch + kGap, 0, text + 2, height()), Qt::AlignVCenter | Qt::AlignLeft,
                         entry.text);
        x += kSwatch + kGap + text + kSpacing;
    }
}

void paintSwatch(QPainter& painter, const QRect& rect, const Legend::Entry& entry) {
    painter.fillRect(rect, entry.edge.isValid() ? entry.edge : entry.fill);
    const QRect inner = entry.edge.isValid() ? rect.adjusted(1, 1, -1, -1) : rect;
    painter.fillRect(inner, entry.fill);
    painter.setBrushOrigin(inner.topLeft());
    if (entry.texture.style() != Qt::NoBrush)
        painter.fillRect(inner, entry.texture);
}

std::vector<Legend::Entry> timelineLegend() {
    const Theme& t = theme();
    std::vector<Legend::Entry> entries;
    for (const BarKind kind : {BarKind::Forward, BarKind::Recompute, BarKind::Backward, BarKind::WeightGrad,
                               BarKind::Transfer, BarKind::AllReduce, BarKind::Optimizer})
        entries.push_back({kindName(kind), t.kind(kind).fill, t.kind(kind).edge, {}});
    entries.push_back({Legend::tr("Idle"), t.panel, t.line, t.idle});
    const Theme::Kind& dotted = t.kind(BarKind::Transfer);
    entries.push_back({Legend::tr("∴ estimated"), dotted.fill, dotted.edge, t.estimateDots});
    return entries;
}

} // namespace pw
