// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/elided_label.h"

#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

namespace pw {

ElidedLabel::ElidedLabel(const QString& words, QWidget* parent) : QLabel(words, parent) {
    setTextFormat(Qt::PlainText);
}

QSize ElidedLabel::minimumSizeHint() const {
    const QSize whole = QLabel::minimumSizeHint();
    constexpr int kLetters = 4; // and the ellipsis
    return {qMin(whole.width(), kLetters * fontMetrics().averageCharWidth()), whole.height()};
}

bool ElidedLabel::isCut() const {
    return fontMetrics().horizontalAdvance(text()) > contentsRect().width();
}

QString ElidedLabel::wholeToolTip() const {
    return toolTip().isEmpty() && isCut() ? text() : toolTip();
}

bool ElidedLabel::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip || wholeToolTip().isEmpty())
        return QLabel::event(event);
    QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(), wholeToolTip(), this);
    return true;
}

void ElidedLabel::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, foregroundRole()));
    painter.drawText(contentsRect(), static_cast<int>(alignment()) | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

} // namespace pw
