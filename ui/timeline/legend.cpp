// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/legend.h"

#include "ui/base/theme.h"
#include "ui/timeline/bar_text.h"

#include <QHelpEvent>
#include <QMouseEvent>
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

QString Legend::Entry::whole() const {
    return value.isEmpty() ? text : tr("%1: %2").arg(text, value);
}

QString Legend::toolTipText() const {
    QStringList names;
    bool more = width() < sizeHint().width() - kSpacing;
    for (const Entry& entry : m_entries()) {
        names << entry.whole();
        more = more || !entry.value.isEmpty();
    }
    return more ? names.join(QLatin1Char('\n')) : QString();
}

bool Legend::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || toolTipText().isEmpty())
        return QWidget::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), toolTipText(), this);
    return true;
}

void Legend::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || toolTipText().isEmpty())
        return QWidget::mousePressEvent(event);
    QToolTip::showText(event->globalPosition().toPoint(), toolTipText(), this);
}

std::vector<Legend::Shown> Legend::shown() const {
    const QFontMetrics metrics(bodyFont());
    const int high = metrics.height(), top = (height() - high) / 2;
    const std::vector<Entry> entries = m_entries();
    std::vector<Shown> all;
    int x = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const int text = metrics.horizontalAdvance(entries[i].text);
        const bool last = i + 1 == entries.size();
        if (x + kSwatch + kGap + text + (last ? 0 : kSpacing + kMore) > width())
            break;
        all.push_back({entries[i].text, entries[i].whole(), QRect(x + kSwatch + kGap, top, text + 2, high)});
        x += kSwatch + kGap + text + kSpacing;
    }
    return all;
}

void Legend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setFont(bodyFont());
    painter.setPen(theme().text2);
    const std::vector<Entry> entries = m_entries();
    const std::vector<Shown> all = shown();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const QRect& words = all[i].words;
        paintSwatch(painter, QRect(words.left() - kGap - kSwatch, (height() - kSwatch) / 2, kSwatch, kSwatch),
                    entries[i]);
        painter.drawText(words, Qt::AlignVCenter | Qt::AlignLeft, all[i].text);
    }
    if (all.size() == entries.size())
        return;
    const int x = all.empty() ? 0 : all.back().words.right() - 1 + kSpacing;
    painter.drawText(QRect(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft,
                     QStringLiteral("+%1").arg(entries.size() - all.size()));
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
