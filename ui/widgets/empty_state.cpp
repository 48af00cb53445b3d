// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/empty_state.h"

#include "ui/base/error_text.h"
#include "ui/base/icons.h"
#include "ui/base/manual_link.h"
#include "ui/base/own_colour.h"
#include "ui/base/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

EmptyState::EmptyState(const QString& iconName, QWidget* parent)
    : QWidget(parent), m_symbol(new QLabel), m_heading(new QLabel), m_text(new QLabel), m_explain(new QLabel),
      m_button(new QPushButton), m_second(new QPushButton) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);        // a panel without rows, not chrome
    for (QLabel* label : {m_heading, m_text}) // measured here before they are polished (plain_labels.h)
        label->setTextFormat(Qt::PlainText);
    m_heading->setFont(headingFont());
    m_text->setWordWrap(true);
    m_text->setAlignment(Qt::AlignHCenter);
    m_text->setMaximumWidth(320);
    m_text->setForegroundRole(QPalette::PlaceholderText);
    m_explain->setObjectName(QStringLiteral("emptyState.explain"));
    m_explain->hide();
    openLinks(m_explain);
    m_button->setObjectName(QStringLiteral("emptyState.button"));
    m_second->setObjectName(QStringLiteral("emptyState.second"));
    for (QPushButton* button : {m_button, m_second}) {
        button->setMinimumWidth(128);
        button->setFixedHeight(28);
        button->hide();
    }
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(8);
    column->addStretch();
    column->addWidget(m_symbol, 0, Qt::AlignHCenter);
    column->addWidget(m_heading, 0, Qt::AlignHCenter);
    // Between stretches, not aligned: an aligned label is given the height that it needs at the column's
    // width.
    auto* text = new QHBoxLayout;
    text->addStretch();
    text->addWidget(m_text);
    text->addStretch();
    column->addLayout(text);
    column->addWidget(m_explain, 0, Qt::AlignHCenter);
    column->addSpacing(4);
    column->addWidget(m_button, 0, Qt::AlignHCenter);
    column->addWidget(m_second, 0, Qt::AlignHCenter);
    column->addStretch();

    const auto paintSymbol = [this, iconName] {
        m_symbol->setPixmap(icon(iconName, IconTone::Text3).pixmap(32));
        setOwnColour(*m_text, QPalette::PlaceholderText, theme().text2);
    };
    paintSymbol();
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, paintSymbol);
    connect(m_button, &QPushButton::clicked, this, &EmptyState::clicked);
    connect(m_second, &QPushButton::clicked, this, &EmptyState::secondClicked);
}

void EmptyState::setText(const QString& heading, const QString& text) {
    m_heading->setText(heading);
    m_text->setText(text);
    if (accessibleName() != heading) // some have the focus while they wait
        setAccessibleName(heading);
    if (accessibleDescription() != text)
        setAccessibleDescription(text);
    m_explain->hide();
    m_text->setMinimumWidth(qMin(280, qMax(160, QFontMetrics(m_text->font()).horizontalAdvance(text) + 4)));
    fitHeight();
}

void EmptyState::setError(const QString& heading, const Error& error) {
    setText(heading, sentence(error));
    m_explain->setText(explainLink(error.code));
    m_explain->setVisible(!error.code.empty());
}

void EmptyState::setButton(const QString& text, const QString& iconName, bool primary) {
    m_button->setText(text);
    m_button->setAccessibleName(text);
    m_button->setIcon(icon(iconName, primary ? IconTone::OnAccent : IconTone::Text));
    m_button->setProperty("primary", primary);
    m_button->setVisible(!text.isEmpty());
    fitHeight();
}

void EmptyState::setSecondButton(const QString& text, const QString& iconName) {
    m_second->setText(text);
    m_second->setAccessibleName(text);
    m_second->setIcon(icon(iconName));
    m_second->setVisible(!text.isEmpty());
    fitHeight();
}

void EmptyState::setPart(QWidget* part) {
    auto* column = static_cast<QVBoxLayout*>(layout());
    auto* row = new QHBoxLayout; // between stretches, as the text is
    row->setContentsMargins(0, 16, 0, 0);
    row->addStretch();
    row->addWidget(part, 1);
    row->addStretch();
    column->insertLayout(column->count() - 1, row);
    m_part = part;
    fitHeight();
}

QSize EmptyState::minimumSizeHint() const {
    int buttons = 0;
    for (const QPushButton* button : {m_button, m_second})
        buttons += button->isVisibleTo(this) ? button->minimumHeight() + 12 : 0;
    return {QWidget::minimumSizeHint().width(), m_heading->sizeHint().height() + buttons + 24};
}

void EmptyState::fitHeight() {
    const int text = m_text->text().isEmpty() ? 0 : m_text->heightForWidth(m_text->minimumWidth()) + 8;
    const int least = minimumSizeHint().height() + (m_explain->isVisibleTo(this) ? 24 : 0);
    const int across = width() - 24;
    const int part = m_part ? m_part->heightForWidth(std::min(across, m_part->maximumWidth())) + 24 : 0;
    const bool whole = m_part && m_part->minimumSizeHint().width() <= across && height() >= least + part;
    const int rest = height() - least - (whole ? part : 0);
    m_text->setVisible(text > 0 && rest >= text);
    m_symbol->setVisible(rest >= text + 40);
    if (m_part)
        m_part->setVisible(whole);
}

void EmptyState::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitHeight();
}

} // namespace pw
