// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

#include <QDialog>

#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;

namespace pw {

// A decoder entered size by size, for one that no configuration file describes or whose architecture is not
// read. It begins with the sizes of a model at hand; what it has no field for stays as that has it. Accepted
// only when checkModel() takes it; until then the reason stands below.
class SizeDialog : public QDialog {
    Q_OBJECT

public:
    explicit SizeDialog(const Model& start, QWidget* parent = nullptr);

    // As the fields say; bad input names the field that holds no whole number.
    Result<Model> model() const;
    static Model usual(); // a small decoder of today: what an empty project begins with

private:
    void judge();

    Model m_start;
    QLineEdit* m_name;
    std::vector<QLineEdit*> m_sizes;  // by row of the table of sizes
    std::vector<QCheckBox*> m_traits; // likewise
    QLabel* m_verdict;
    QPushButton* m_accept;
};

} // namespace pw
