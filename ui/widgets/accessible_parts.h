// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAccessible>
#include <QRect>
#include <QString>

#include <vector>

namespace pw {

// A thing that a view paints itself and that a screen reader, or a test, should find: an item of the drawing,
// a bar of the timeline.
struct AccessiblePart {
    QString key;  // what activatePart() takes; names the part for as long as it lives
    QString name; // "node n1", "F 12, stage 3, 0.004 s for 1.9 ms"
    QString description;
    QRect rect; // in the widget
    QAccessible::Role role = QAccessible::ListItem;
    bool selected = false;
};

// A widget with painted parts, which assistive tools find as its children. Only what is visible, and few: a
// screen reader asks for each by itself. Where a bridge to such tools listens, a widget is asked what it is
// as soon as it is given a name, and the answer is kept: the first PartsWidget's constructor therefore
// installs the factory that answers for all of them.
class PartsWidget {
public:
    PartsWidget();
    virtual ~PartsWidget() = default;
    virtual std::vector<AccessiblePart> accessibleParts() const = 0;
    virtual void activatePart(const QString& key) = 0; // selects it
};
inline constexpr std::size_t kMostParts = 200;

} // namespace pw
