// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/sweep_draft.h"

#include <QWidget>

#include <vector>

class QComboBox;
class QLineEdit;
class QVBoxLayout;

namespace pw {

// The axes of a new sweep, a row each: what it changes, and its values with commas between them.
class AxisRows : public QWidget {
    Q_OBJECT

public:
    explicit AxisRows(std::vector<AxisChoice> choices, QWidget* parent = nullptr);

    std::vector<DraftAxis> axes() const;
    void setAxes(const std::vector<DraftAxis>& axes);
    void add(const DraftAxis& axis);
    int count() const { return static_cast<int>(m_rows.size()); }
    QLineEdit* values(int row) const { return m_rows[static_cast<std::size_t>(row)].values; }

Q_SIGNALS:
    void changed();

private:
    struct Row {
        QWidget* widget = nullptr;
        QComboBox* of = nullptr;
        QLineEdit* values = nullptr;
    };
    void remove(const QWidget* widget);
    void askFiles(const Row& row);

    std::vector<AxisChoice> m_choices;
    QVBoxLayout* m_column;
    std::vector<Row> m_rows;
};

} // namespace pw
