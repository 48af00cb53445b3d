// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/find_bar.h"

#include "core/timeline/area.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPainter>
#include <QToolButton>

namespace pw {

FindBar::FindBar(QWidget* parent) : QWidget(parent), m_line(new QLineEdit), m_count(new QLabel) {
    setObjectName(QStringLiteral("timeline.find"));
    setFixedHeight(32);
    m_line->setObjectName(QStringLiteral("timeline.findLine"));
    m_line->setAccessibleName(tr("Find bars"));
    m_line->setPlaceholderText(tr("B 12, F 3 stage 2, transfer n1"));
    m_line->setToolTip(
        tr("F, B, W, R or the name of a kind; a number is the micro-batch; \u201cstage 2\u201d; "
           "part of a device's name"));
    m_line->addAction(icon(QStringLiteral("find"), IconTone::Text2), QLineEdit::LeadingPosition);
    m_line->setFixedHeight(24);
    m_line->setMaximumWidth(280);
    m_line->installEventFilter(this);
    m_count->setObjectName(QStringLiteral("timeline.findCount"));
    m_count->setForegroundRole(QPalette::PlaceholderText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 4, 8, 5);
    row->setSpacing(4);
    row->addWidget(m_line, 1);
    const auto button = [&](const char* symbol, const QString& name, auto run) {
        auto* made = new QToolButton;
        made->setIcon(icon(QLatin1String(symbol)));
        made->setIconSize({14, 14});
        made->setFixedSize(22, 22);
        made->setAutoRaise(true);
        made->setToolTip(name);
        made->setAccessibleName(name);
        connect(made, &QToolButton::clicked, this, run);
        row->addWidget(made);
    };
    button("previous", tr("Previous hit (Shift+Enter)"), [this] { step(-1); });
    button("next", tr("Next hit (Enter)"), [this] { step(1); });
    row->addWidget(m_count);
    row->addStretch(1);
    button("close", tr("Close (Esc)"), [this] {
        hide();
        Q_EMIT closed();
    });
    connect(m_line, &QLineEdit::textChanged, this, [this] { search(true); });
    hide();
}

void FindBar::setPlan(std::shared_ptr<const ShownPlan> plan) {
    m_plan = std::move(plan);
    if (isVisible())
        search(false);
}

void FindBar::open(BarRef from) {
    show();
    m_line->setFocus();
    m_line->selectAll();
    search(false);
    for (std::size_t i = 0; i < m_hits.size(); ++i)
        if (m_hits[i] == from)
            m_at = static_cast<std::ptrdiff_t>(i);
    showCount();
}

void FindBar::search(bool walk) {
    m_hits.clear();
    m_at = -1;
    if (const auto query = barQueryFromText(s(m_line->text())); query && m_plan)
        m_hits = findBars(*m_plan->timeline, *query);
    if (walk && !m_hits.empty())
        step(1);
    showCount();
}

void FindBar::step(int by) {
    if (m_hits.empty())
        return;
    const auto count = static_cast<std::ptrdiff_t>(m_hits.size());
    m_at = m_at < 0 ? (by > 0 ? 0 : count - 1) : (m_at + by + count) % count;
    showCount();
    Q_EMIT found(m_hits[static_cast<std::size_t>(m_at)]);
}

void FindBar::showCount() {
    const bool asked = barQueryFromText(s(m_line->text())).has_value();
    m_count->setText(!asked           ? QString()
                     : m_hits.empty() ? tr("No bar matches")
                     : m_at < 0       ? tr("%1 bars").arg(countText(hits()))
                                      : tr("%1 of %2").arg(countText(m_at + 1), countText(hits())));
}

bool FindBar::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    const auto& key = static_cast<const QKeyEvent&>(*event);
    switch (key.key()) {
    case Qt::Key_Return:
    case Qt::Key_Enter:
        step(key.modifiers() & Qt::ShiftModifier ? -1 : 1);
        return true;
    case Qt::Key_Escape:
        hide();
        Q_EMIT closed();
        return true;
    default:
        return QWidget::eventFilter(watched, event);
    }
}

void FindBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme().head);
    painter.fillRect(0, height() - 1, width(), 1, theme().line);
}

} // namespace pw
