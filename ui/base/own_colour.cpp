// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/own_colour.h"

#include <QColor>
#include <QEvent>
#include <QWidget>

namespace pw {

namespace {

const QByteArray kOwn = QByteArrayLiteral("ownColour."); // and the role's number: a property of the widget

// A widget is styled for the first time as it is shown.
class FirstShow : public QObject {
public:
    static FirstShow& instance() {
        static FirstShow shows;
        return shows;
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Show) {
            watched->removeEventFilter(this);
            paintOwnColours(static_cast<QWidget&>(*watched));
        }
        return false;
    }
};

} // namespace

void setOwnColour(QWidget& widget, QPalette::ColorRole role, const QColor& colour) {
    const QByteArray name = kOwn + QByteArray::number(role);
    if (!widget.testAttribute(Qt::WA_WState_Polished))
        widget.installEventFilter(&FirstShow::instance()); // again is as once
    if (widget.property(name) != colour)
        widget.setProperty(name, colour);
    paintOwnColours(widget);
}

void paintOwnColours(QWidget& widget) {
    QPalette palette = widget.palette();
    bool other = false;
    for (const QByteArray& name : widget.dynamicPropertyNames()) {
        if (!name.startsWith(kOwn))
            continue;
        const auto role = static_cast<QPalette::ColorRole>(name.mid(kOwn.size()).toInt());
        const auto colour = widget.property(name).value<QColor>();
        for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled}) {
            if (palette.isBrushSet(group, role) && palette.color(group, role) == colour)
                continue;
            palette.setColor(group, role, colour);
            other = true;
        }
    }
    if (other)
        widget.setPalette(palette);
}

} // namespace pw
