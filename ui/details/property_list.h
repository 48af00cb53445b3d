// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/widgets/accessible_parts.h"

#include <QString>
#include <QWidget>

#include <vector>

class QGridLayout;
class QLabel;

namespace pw {

// Name, value, and what belongs to it: a quieter note, a badge, or a link instead of the value.
struct Property {
    QString name, value, note, badge;
    QString link; // not empty: the value is a link with this target
    bool warns = false;
    QString help = {}; // what it is, in the tool tips
    bool operator==(const Property&) const = default;
};

// Rows of properties, 20 px each. Links take the focus. Up and Down walk the rows, for the menu of `place`; a
// screen reader finds each row as a part of the list and hears the current one, a row without a name of its
// own with the name that it goes on from.
class PropertyList : public QWidget, public PartsWidget {
    Q_OBJECT

public:
    explicit PropertyList(const char* place, QWidget* parent = nullptr);
    void setProperties(std::vector<Property> properties);
    void setStale(bool stale); // of the properties set next: values quieter
    std::vector<AccessiblePart> accessibleParts() const override; // a part a row
    void activatePart(const QString& key) override;

Q_SIGNALS:
    void linkActivated(const QString& target);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    // Labels are kept from one set of properties to the next: making them takes longer than all that is said.
    struct Row {
        QLabel* name = nullptr;
        QWidget* cell = nullptr;                                    // holds the following
        QLabel *value = nullptr, *note = nullptr, *badge = nullptr; // null: never had anything to say
        bool link = false;
    };
    void fill();
    void make(Row& row, std::size_t index, bool link);
    void remove(Row& row);
    void makeMenu(const char* place);
    bool chooseAt(const QPoint& at); // false: no row is there
    void goTo(std::size_t row);
    void describe();                           // the current row, to whoever hears it
    QString spokenText(std::size_t row) const; // "Iteration: 3.5 s, predicted"
    QString headingOf(std::size_t row) const;  // its name, or that of the row that it goes on from
    QRect rowRect(std::size_t row) const;
    QString textOf(const Property& property) const;

    std::vector<Property> m_properties;
    std::vector<Row> m_rows;
    std::size_t m_current = 0; // row of the menu
    bool m_stale = false, m_shownStale = false;
    QGridLayout* m_grid;
};

} // namespace pw
