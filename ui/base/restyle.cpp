// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/restyle.h"

#include "ui/base/own_colour.h"

#include <QDockWidget>
#include <QEvent>
#include <QStyle>
#include <QWidget>

#include <unordered_set>

namespace pw {

namespace {

// Hidden, or a dock behind another one's tab, which Qt moves to where nothing is seen.
bool isOutOfSight(const QWidget& widget) {
    const auto* dock = qobject_cast<const QDockWidget*>(&widget);
    const QRect place = widget.geometry();
    return widget.isHidden() || (dock && !dock->isWindow() && (place.right() < 0 || place.bottom() < 0));
}

QList<QWidget*> childrenOf(const QWidget& widget) {
    return widget.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
}

void polish(QWidget& widget) {
    if (!widget.testAttribute(Qt::WA_WState_Polished))
        return;
    widget.style()->polish(&widget);
    paintOwnColours(widget);
    widget.update();
}

// QWidget's own order: what a widget inherits is there before it.
void restyleWithin(QWidget& widget) {
    polish(widget);
    for (QWidget* child : childrenOf(widget))
        restyle(*child);
}

// The widgets that are to be styled when they come into sight.
class LateStyles : public QObject {
public:
    static LateStyles& instance() {
        static LateStyles styles;
        return styles;
    }
    void add(QWidget& widget) {
        if (!m_waiting.insert(&widget).second)
            return;
        widget.installEventFilter(this);
        connect(&widget, &QObject::destroyed, this, [this](QObject* gone) { m_waiting.erase(gone); });
    }
    bool take(QObject& widget) { // whether it waited
        if (m_waiting.erase(&widget) == 0)
            return false;
        widget.removeEventFilter(this);
        widget.disconnect(this);
        return true;
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Show && event->type() != QEvent::Move)
            return false;
        auto& widget = static_cast<QWidget&>(*watched);
        if (!isOutOfSight(widget) && take(widget))
            restyleWithin(widget);
        return false;
    }

private:
    std::unordered_set<const QObject*> m_waiting;
};

} // namespace

void restyle(QWidget& widget) {
    if (isOutOfSight(widget))
        LateStyles::instance().add(widget);
    else
        restyleWithin(widget);
}

void restyleUnseen(QWidget& widget) {
    QList<QWidget*> around;
    for (QWidget* each = &widget; each; each = each->isWindow() ? nullptr : each->parentWidget())
        around.prepend(each);
    for (QWidget* each : around)
        if (LateStyles::instance().take(*each))
            restyleWithin(*each);
}

} // namespace pw
