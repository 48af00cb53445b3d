// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/edit/domains.h"

#include <QDialog>

class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace pw {

class ValueField;

// Asks how the chosen nodes share NVLink: name, GPUs of a domain (72 makes two of 36 trays of four),
// bandwidth and latency; says what that comes to, or why it cannot be, before it is done.
class DomainDialog : public QDialog {
    Q_OBJECT

public:
    DomainDialog(const Project& project, const ItemIds& items, QWidget* parent = nullptr);
    Result<Project> edited() const; // what the answer makes of the project

private:
    DomainWish wish() const;
    void judge();

    const Project m_project;
    const ItemIds m_items;
    double m_bandwidth = 0.0, m_latency = 0.0; // bytes/s, s
    QLineEdit* m_name;
    QSpinBox* m_gpus;
    ValueField* m_rate;
    ValueField* m_delay;
    QLabel* m_total;
    QDialogButtonBox* m_buttons;
};

} // namespace pw
