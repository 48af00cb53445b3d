// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dock_title.h"

#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/export/picture.h"
#include "ui/session/view.h"
#include "ui/widgets/elided_label.h"

#include <QDockWidget>
#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>

namespace pw {

namespace {

QToolButton* titleButton(const QString& iconName, const QString& help, const QString& name) {
    auto* button = new QToolButton;
    button->setIcon(icon(iconName, IconTone::Text2));
    button->setIconSize({14, 14});
    button->setFixedSize(20, 20);
    button->setToolTip(help);
    button->setObjectName(name);
    button->setAccessibleName(help);
    button->setFocusPolicy(Qt::TabFocus);
    button->setProperty(kNotPictured, true);
    return button;
}

} // namespace

DockTitle::DockTitle(QDockWidget* dock) : QWidget(dock), m_subtitle(new ElidedLabel) {
    setFixedHeight(28);
    auto* title = new QLabel(dock->windowTitle());
    title->setFont(bodyFont(QFont::DemiBold));
    m_subtitle->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_subtitle->setForegroundRole(QPalette::PlaceholderText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(8, 0, 6, 1);
    row->setSpacing(8);
    row->addWidget(title);
    row->addWidget(m_subtitle, 1);
    if (auto* view = qobject_cast<View*>(dock->widget())) {
        m_subtitle->setText(view->subtitle());
        connect(view, &View::subtitleChanged, m_subtitle, &QLabel::setText);
        if (QWidget* tools = view->titleTools())
            row->addWidget(tools);
    }
    const QString name = dock->objectName();
    QToolButton* whole = titleButton(QStringLiteral("fit"), tr("Maximise %1 (F12)").arg(dock->windowTitle()),
                                     name + QStringLiteral(".maximise"));
    connect(whole, &QToolButton::clicked, this, &DockTitle::maximiseRequested);
    QToolButton* floating = titleButton(QStringLiteral("float"), tr("Float %1").arg(dock->windowTitle()),
                                        name + QStringLiteral(".float"));
    QToolButton* close = titleButton(QStringLiteral("close"), tr("Close %1").arg(dock->windowTitle()),
                                     name + QStringLiteral(".close"));
    connect(floating, &QToolButton::clicked, dock, [dock] { dock->setFloating(!dock->isFloating()); });
    connect(close, &QToolButton::clicked, dock, &QDockWidget::close);
    row->addWidget(whole);
    row->addSpacing(-4);
    row->addWidget(floating);
    row->addSpacing(-4);
    row->addWidget(close);
}

QSize DockTitle::sizeHint() const {
    return {QWidget::sizeHint().width(), 28};
}

// Left to the dock it would float it, frameless, over the others.
void DockTitle::mouseDoubleClickEvent(QMouseEvent* event) {
    event->accept();
    Q_EMIT maximiseRequested();
}

void DockTitle::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme().title);
    painter.fillRect(0, height() - 1, width(), 1, theme().line);
}

} // namespace pw
