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

// A widget with painted parts. Only what is visible, and few: a screen reader asks for each by itself.
class PartsWidget {
public:
    virtual ~PartsWidget() = default;
    virtual std::vector<AccessiblePart> accessibleParts() const = 0;
    virtual void activatePart(const QString& key) = 0; // selects it
};
inline constexpr std::size_t kMostParts = 200;

// Makes the parts of every PartsWidget children of it for assistive tools. Once a program.
void installAccessibleParts();

} // namespace pw
