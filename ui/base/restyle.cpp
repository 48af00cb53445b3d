// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/restyle.h"

#include <QDockWidget>
#include <QEvent>
#include <QPalette>
#include <QStyle>
#include <QWidget>

#include <memory>
#include <unordered_map>
#include <utility>

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
    widget.style()->polish(&widget);
    widget.update();
}

// What is painted in a palette of its own since the rules have changed: a style takes that back, as it knows
// the palette from before.
void polishKeeping(const QPalette& before, QWidget& widget) {
    const QPalette now = widget.palette();
    polish(widget);
    QPalette kept = widget.palette();
    bool any = false;
    for (int g = 0; g < QPalette::NColorGroups; ++g)
        for (int r = 0; r < QPalette::NColorRoles; ++r) {
            const auto group = static_cast<QPalette::ColorGroup>(g);
            const auto role = static_cast<QPalette::ColorRole>(r);
            if (!now.isBrushSet(group, role) ||
                (before.isBrushSet(group, role) && before.brush(group, role) == now.brush(group, role)))
                continue;
            kept.setBrush(group, role, now.brush(group, role));
            any = true;
        }
    if (any)
        widget.setPalette(kept);
}

using Palettes = std::unordered_map<const QWidget*, QPalette>; // of those that are styled

void note(const QWidget& widget, Palettes& palettes) {
    if (widget.testAttribute(Qt::WA_WState_Polished))
        palettes.emplace(&widget, widget.palette());
    for (const QWidget* child : childrenOf(widget))
        note(*child, palettes);
}

std::shared_ptr<const Palettes> palettesIn(const QWidget& widget) {
    auto palettes = std::make_shared<Palettes>();
    note(widget, *palettes);
    return palettes;
}

// The widgets that are to be styled when they come into sight, and all that lies in them.
class LateStyles : public QObject {
public:
    static LateStyles& instance() {
        static LateStyles styles;
        return styles;
    }
    // Those of now, or of when the rules have changed.
    void add(QWidget& widget, std::shared_ptr<const Palettes> before = nullptr) {
        if (!before)
            before = palettesIn(widget);
        const auto [waiting, isNew] = m_waiting.insert_or_assign(&widget, std::move(before));
        if (!isNew)
            return;
        widget.installEventFilter(this);
        connect(&widget, &QObject::destroyed, this, [this](QObject* gone) { m_waiting.erase(gone); });
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() != QEvent::Show && event->type() != QEvent::Move)
            return false;
        auto& widget = static_cast<QWidget&>(*watched);
        if (isOutOfSight(widget))
            return false;
        watched->removeEventFilter(this);
        watched->disconnect(this);
        style(widget, m_waiting.extract(watched).mapped());
        return false;
    }

private:
    void style(QWidget& widget, const std::shared_ptr<const Palettes>& palettes) {
        if (isOutOfSight(widget))
            return add(widget, palettes);
        if (const auto before = palettes->find(&widget); before != palettes->end())
            polishKeeping(before->second, widget);
        for (QWidget* child : childrenOf(widget))
            style(*child, palettes);
    }

    std::unordered_map<const QObject*, std::shared_ptr<const Palettes>> m_waiting;
};

} // namespace

// QWidget's own order: what a widget inherits is there before it.
void restyle(QWidget& widget) {
    if (isOutOfSight(widget))
        return LateStyles::instance().add(widget);
    if (widget.testAttribute(Qt::WA_WState_Polished))
        polish(widget);
    for (QWidget* child : childrenOf(widget))
        restyle(*child);
}

} // namespace pw
