// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QWidget>

#include <vector>

class QGridLayout;

namespace pw {

// Name, value, and what belongs to it: a quieter note, a badge, or a link instead of the value.
struct Property {
    QString name, value, note, badge;
    QString link; // not empty: the value is a link with this target
    bool warns = false;
};

// Rows of properties, 20 px each. Values are labels, so that they can be read out; links take the focus.
class PropertyList : public QWidget {
    Q_OBJECT

public:
    explicit PropertyList(QWidget* parent = nullptr);
    void setProperties(std::vector<Property> properties);
    void setStale(bool stale); // of the properties set next: values quieter

Q_SIGNALS:
    void linkActivated(const QString& target);

private:
    void rebuild();

    std::vector<Property> m_properties;
    bool m_stale = false;
    QGridLayout* m_grid;
};

} // namespace pw
