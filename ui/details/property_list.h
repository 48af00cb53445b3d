// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

// Rows of properties, 20 px each. Values are labels, so that they can be read out; links take the focus. Up
// and Down walk the rows, for the menu of `place`.
class PropertyList : public QWidget {
    Q_OBJECT

public:
    explicit PropertyList(const char* place, QWidget* parent = nullptr);
    void setProperties(std::vector<Property> properties);
    void setStale(bool stale); // of the properties set next: values quieter

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
    QRect rowRect(std::size_t row) const;
    QString textOf(const Property& property) const;

    std::vector<Property> m_properties;
    std::vector<Row> m_rows;
    std::size_t m_current = 0; // row of the menu
    bool m_stale = false, m_shownStale = false;
    QGridLayout* m_grid;
};

} // namespace pw
