// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/message_bar.h"

#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/icons.h"
#include "ui/base/manual_link.h"
#include "ui/base/theme.h"
#include "ui/widgets/elided_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>

namespace pw {

namespace {
constexpr int kHeight = 28; // px
}

MessageBar::MessageBar(Text text, QWidget* parent)
    : QWidget(parent), m_symbol(new QLabel), m_lead(new QLabel),
      m_text(text == Text::Cut ? new ElidedLabel : new QLabel), m_actions{new QPushButton, new QPushButton},
      m_explain(new QToolButton), m_close(new QToolButton) {
    if (text == Text::Cut)
        setFixedHeight(kHeight);
    else
        setMinimumHeight(kHeight);
    m_lead->setFont(bodyFont(QFont::DemiBold));
    m_text->setTextFormat(Qt::PlainText);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_text->setWordWrap(text == Text::Wrapped);
    for (QPushButton* action : m_actions) {
        action->setProperty("link", true);
        action->setCursor(Qt::PointingHandCursor);
        action->setObjectName(QStringLiteral("messageBar.action"));
    }
    m_close->setObjectName(QStringLiteral("messageBar.close"));
    m_close->setToolTip(tr("Dismiss"));
    m_close->setAccessibleName(tr("Dismiss"));
    m_explain->setObjectName(QStringLiteral("messageBar.explain"));
    m_explain->setAccessibleName(tr("Explain"));
    for (QToolButton* button : {m_explain, m_close}) {
        button->setIconSize({14, 14});
        button->setFixedSize(20, 20);
    }
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 0, 6, 1);
    row->setSpacing(6);
    row->addWidget(m_symbol);
    row->addWidget(m_lead);
    row->addWidget(m_text, 1);
    for (int i = 0; QPushButton * action : m_actions) {
        row->addWidget(action);
        connect(action, &QPushButton::clicked, this, [this, i] { Q_EMIT actionClicked(i); });
        ++i;
    }
    row->addWidget(m_explain);
    row->addWidget(m_close);
    connect(m_explain, &QToolButton::clicked, this,
            [this] { openMessage(s(property(kMessageCodeProperty).toString())); });
    connect(m_close, &QToolButton::clicked, this, &MessageBar::dismiss);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &MessageBar::recolour);
    hide();
}

void MessageBar::setMessage(Tone tone, const QString& lead, const QString& text, const QStringList& actions) {
    m_tone = tone;
    const QString said = accessibleName();
    m_lead->setText(lead);
    m_text->setText(text);
    m_text->setToolTip(text);
    QString spoken = lead + QLatin1Char(' ') + text;
    for (int i = 0; QPushButton * button : m_actions) {
        const QString action = actions.value(i++);
        button->setText(action);
        button->setVisible(!action.isEmpty());
        if (!action.isEmpty())
            spoken += tr(" Button: %1.").arg(action);
    }
    setProperty(kMessageCodeProperty, QString());
    m_explain->hide();
    setAccessibleName(spoken);
    recolour();
    const bool away = tone != Tone::Error && m_dismissed == accessibleName();
    if (!away)
        m_dismissed.clear();
    const bool shown = isVisible();
    static int told = 0;
    if (tone == Tone::Error || said != accessibleName() || !shown)
        m_told = ++told;
    setVisible(!away);
    if (shown && !away && (tone == Tone::Error || said != accessibleName()))
        sayAlert(*this); // what comes with it is said as it is shown
}

void MessageBar::setMessage(Tone tone, const QString& lead, const QString& text, const QString& action) {
    setMessage(tone, lead, text, QStringList{action});
}

void MessageBar::setError(const QString& lead, const Error& error, const QStringList& actions) {
    setMessage(Tone::Error, lead, error.where.empty() ? sentence(error) : errorText(error), actions);
    setProperty(kMessageCodeProperty, q(error.code));
    m_explain->setToolTip(explainText(error.code));
    m_explain->setAccessibleName(m_explain->toolTip());
    m_explain->setVisible(!error.code.empty());
    Q_EMIT errorShown(lead, error);
}

void MessageBar::clear() {
    m_dismissed.clear();
    hide();
}

bool MessageBar::focusNewest(const QWidget& area) {
    const MessageBar* newest = nullptr;
    for (const MessageBar* bar : area.findChildren<MessageBar*>())
        if (bar->isVisible() && !bar->visibleRegion().isEmpty() && (!newest || bar->m_told > newest->m_told))
            newest = bar;
    if (!newest)
        return false;
    QWidget* button = newest->m_actions.front()->isVisible()
                          ? static_cast<QWidget*>(newest->m_actions.front())
                          : newest->m_close;
    button->setFocus(Qt::ShortcutFocusReason);
    return true;
}

void MessageBar::dismiss() {
    m_dismissed = accessibleName();
    hide();
}

void MessageBar::layOver(QWidget* area) {
    m_over = true;
    setParent(area);
    area->installEventFilter(this);
    place();
}

void MessageBar::place() {
    if (!m_over)
        return;
    const QRect area = parentWidget()->rect();
    setFixedHeight(std::min(kHeight, area.height()));
    setGeometry(area.left(), area.bottom() + 1 - height(), area.width(), height());
}

// Before the Esc of the view around it, which may be a shortcut.
bool MessageBar::event(QEvent* event) {
    if (event->type() != QEvent::ShortcutOverride && event->type() != QEvent::KeyPress)
        return QWidget::event(event);
    const auto& key = static_cast<const QKeyEvent&>(*event);
    if (key.key() != Qt::Key_Escape || key.modifiers() != Qt::NoModifier)
        return QWidget::event(event);
    event->accept();
    if (event->type() == QEvent::KeyPress)
        dismiss();
    return true;
}

bool MessageBar::eventFilter(QObject* watched, QEvent* event) {
    if (watched == parentWidget() && event->type() == QEvent::Resize)
        place();
    return QWidget::eventFilter(watched, event);
}

void MessageBar::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_over)
        raise();
}

QString MessageBar::text() const {
    return m_text->text();
}

void MessageBar::recolour() {
    const char* names[] = {"error", "clock", "info"};
    const IconTone tones[] = {IconTone::Err, IconTone::Warn, IconTone::Text2};
    const auto at = static_cast<std::size_t>(m_tone);
    m_symbol->setPixmap(icon(QLatin1String(names[at]), tones[at]).pixmap(16));
    m_explain->setIcon(icon(QStringLiteral("help"), IconTone::Text2));
    m_close->setIcon(icon(QStringLiteral("close"), IconTone::Text2));
    update();
}

void MessageBar::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), m_tone == Tone::Error   ? t.errGround
                             : m_tone == Tone::Stale ? t.warnGround
                                                     : t.infoGround);
    painter.fillRect(0, height() - 1, width(), 1, t.line);
}

} // namespace pw
