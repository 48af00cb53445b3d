// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/rejection_bar.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/manual_link.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"

#include <QCoreApplication>
#include <QDesktopServices>
#include <QFocusEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <utility>

namespace pw {

namespace {
constexpr std::size_t kShown = 6;
constexpr int kBar = 7, kGap = 5, kRow = 18;
constexpr int kBetween = 12, kMark = 15, kBeforeFigure = 8; // pixels of a row beside its words
} // namespace

QString rejectionText(Rejection reason) {
    return sentence(QCoreApplication::translate("Rejections", words(reason)));
}

std::string_view RejectionBar::Part::code() const {
    return reason ? words(*reason) : "";
}

RejectionBar::RejectionBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("search.rejected"));
    setFixedHeight(kBar);
    setMouseTracking(true);
    setFocusPolicy(Qt::NoFocus); // until there is something to go to
    RowMenu menu = partsMenu(this, "rejected", {});
    menu.choose = [this](const QPoint& at) {
        if (partAt(at) < 0)
            return false;
        setFocus(Qt::MouseFocusReason); // what has it is explained
        setCurrent(partAt(at));
        return true;
    };
    offerMenu(this, std::move(menu));
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
}

void RejectionBar::setCounts(const Rejections& rejected) {
    m_parts.clear();
    m_total = 0;
    for (const auto& [reason, count] : rejected)
        if (count > 0) {
            m_parts.push_back({rejectionText(reason), count, reason});
            m_total += count;
        }
    std::stable_sort(m_parts.begin(), m_parts.end(),
                     [](const Part& a, const Part& b) { return a.count > b.count; });
    if (m_parts.size() > kShown) {
        Part rest{tr("Other reasons"), 0, std::nullopt};
        for (std::size_t i = kShown - 1; i < m_parts.size(); ++i)
            rest.count += m_parts[i].count;
        m_parts.resize(kShown - 1);
        m_parts.push_back(rest);
    }
    fitRows();
    setFocusPolicy(m_parts.empty() ? Qt::NoFocus : Qt::TabFocus);
    setCurrent(std::min(m_current, static_cast<int>(m_parts.size()) - 1));
    QStringList spoken;
    for (const Part& part : m_parts)
        spoken.append(QStringLiteral("%1 %2").arg(part.label, countText(part.count)));
    setAccessibleName(tr("Rejected: %1").arg(spoken.join(QStringLiteral(", "))));
    setToolTip(spoken.join(QLatin1Char('\n')));
    update();
}

// Two reasons beside each other where both are whole, else one below the other.
void RejectionBar::fitRows() {
    const QFontMetrics metrics(smallFont());
    const int room = width() / 2 - kBetween - kMark - kBeforeFigure;
    const bool whole = std::all_of(m_parts.begin(), m_parts.end(), [&](const Part& part) {
        return metrics.horizontalAdvance(part.label) + figuresWidth(smallFont(), countText(part.count)) <=
               room;
    });
    m_across = whole ? 2 : 1;
    const auto parts = static_cast<int>(m_parts.size());
    const int rows = (parts + m_across - 1) / m_across;
    setFixedHeight(kBar + (rows > 0 ? kGap + rows * kRow : 0));
    update();
}

void RejectionBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fitRows();
}

QRect RejectionBar::rowOf(std::size_t part) const {
    const int each = width() / m_across, at = static_cast<int>(part);
    return {at % m_across * each, kBar + kGap + at / m_across * kRow,
            each - (at % m_across < m_across - 1 ? kBetween : 0), kRow};
}

int RejectionBar::partAt(QPoint point) const {
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        if (rowOf(i).contains(point))
            return static_cast<int>(i);
    return -1;
}

// Only what cannot run is a fault; a slower plan is none.
QColor RejectionBar::colorOf(std::size_t part) const {
    const Theme& t = theme();
    const QColor ramp[] = {t.text3, t.warnMark, t.line};
    return m_parts[part].reason == Rejection::OutOfMemory ? t.err : ramp[std::min<std::size_t>(part, 2)];
}

void RejectionBar::setCurrent(int part) {
    m_current = part;
    setProperty(kMessageCodeProperty,
                part < 0 ? QString() : q(m_parts[static_cast<std::size_t>(part)].code()));
    setCursor(part < 0 ? Qt::ArrowCursor : Qt::PointingHandCursor);
    update();
}

void RejectionBar::open(int part) {
    if (part < 0)
        return;
    const std::string_view code = m_parts[static_cast<std::size_t>(part)].code();
    code.empty()
        ? void(QDesktopServices::openUrl(manualUrl(QStringLiteral("messages.md#reasons-of-rejection"))))
        : openMessage(code);
}

std::vector<AccessiblePart> RejectionBar::accessibleParts() const {
    std::vector<AccessiblePart> parts;
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        parts.push_back(
            {q(m_parts[i].code()), tr("%1, %2 rejected").arg(m_parts[i].label, countText(m_parts[i].count)),
             tr("Opens the manual"), rowOf(i), QAccessible::Link, m_current == static_cast<int>(i)});
    return parts;
}

void RejectionBar::activatePart(const QString& code) {
    for (std::size_t i = 0; i < m_parts.size(); ++i)
        if (q(m_parts[i].code()) == code)
            open(static_cast<int>(i));
}

void RejectionBar::mouseMoveEvent(QMouseEvent* event) {
    setCurrent(partAt(event->position().toPoint()));
}

void RejectionBar::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        open(partAt(event->position().toPoint()));
}

void RejectionBar::leaveEvent(QEvent*) {
    setCurrent(hasFocus() ? m_current : -1);
}

void RejectionBar::keyPressEvent(QKeyEvent* event) {
    const int last = static_cast<int>(m_parts.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Down:
    case Qt::Key_Right:
        return setCurrent(std::min(last, m_current + 1));
    case Qt::Key_Up:
    case Qt::Key_Left:
        return setCurrent(std::max(0, m_current - 1));
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        return open(m_current);
    default:
        QWidget::keyPressEvent(event);
    }
}

void RejectionBar::focusInEvent(QFocusEvent*) {
    setCurrent(std::max(0, m_current));
}

void RejectionBar::focusOutEvent(QFocusEvent* event) {
    if (event->reason() != Qt::PopupFocusReason) // its own menu
        setCurrent(-1);
}

void RejectionBar::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(0, 0, width(), kBar, t.faint);
    double x = 0.0;
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const double next = x + static_cast<double>(width()) * static_cast<double>(m_parts[i].count) /
                                    static_cast<double>(m_total);
        const int from = qRound(x), to = qMax(from + 2, qRound(next));
        painter.fillRect(from, 0, to - from - (i + 1 < m_parts.size() ? 1 : 0), kBar, colorOf(i));
        x = next;
    }
    for (std::size_t i = 0; i < m_parts.size(); ++i) {
        const bool current = m_current == static_cast<int>(i);
        const QRect row = rowOf(i);
        QFont font = smallFont();
        painter.setFont(font);
        painter.fillRect(row.left(), row.center().y() - 4, 9, 9, colorOf(i));
        painter.setPen(t.text);
        const int number = paintFigures(painter, row, Qt::AlignRight, countText(m_parts[i].count));
        const QRect room = row.adjusted(kMark, 0, -number - kBeforeFigure, 0);
        font.setUnderline(current);
        painter.setFont(font);
        painter.setPen(current ? t.accent : t.text2);
        painter.drawText(room, Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(m_parts[i].label, Qt::ElideRight, room.width()));
        if (current && hasFocus()) {
            painter.setPen(t.accent);
            painter.drawRect(row.adjusted(0, 0, -1, -1));
        }
    }
}

} // namespace pw
