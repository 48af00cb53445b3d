// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/own_runs.h"
#include "core/cluster/cluster.h"

#include <QDialog>
#include <QStringList>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace pw {

// On which machine training logs were printed, which no log says: GPU, GPUs of a node, network. It begins
// with what was answered last, else with the project's machines where all its nodes are alike. Accepted only
// with a GPU that runs can be predicted on; until then the reason stands below.
class LoggedMachineDialog : public QDialog {
    Q_OBJECT

public:
    LoggedMachineDialog(const QStringList& logs, const LoggedMachine& start, QWidget* parent = nullptr);

    LoggedMachine machine() const; // as the fields say
    // The machine of a drawing, in the words that runs are described by; nothing where nodes differ, or are
    // of a kind that the catalogue does not have.
    static LoggedMachine drawn(const Cluster& cluster);

private:
    void judge();

    QComboBox* m_gpu;
    QSpinBox* m_perNode;
    QLineEdit* m_network;
    QLabel* m_verdict;
    QPushButton* m_accept;
};

} // namespace pw
