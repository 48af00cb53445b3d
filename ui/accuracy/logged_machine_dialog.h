// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/own_runs.h"
#include "core/cluster/cluster.h"
#include "core/plan/plan.h"

#include <QDialog>
#include <QStringList>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace pw {

// On which machine training logs were printed, which no log says: GPUs, of one kind or a mixture with the
// number of each, GPUs of a node, network. It begins with what was answered last, else with the project's
// machines, those of the plan in view as its ranks have them, which a button brings back. Accepted only with
// GPUs that runs can be predicted on and a network that is understood; until then the reason stands below,
// and else every kind that counts.
class LoggedMachineDialog : public QDialog {
    Q_OBJECT

public:
    // `ofProject`: drawn() of what is open; without a GPU it is not offered.
    LoggedMachineDialog(const QStringList& logs, const LoggedMachine& start, const LoggedMachine& ofProject,
                        QWidget* parent = nullptr);

    LoggedMachine machine() const;     // as the fields say
    void setNote(const QString& text); // why they begin as they do
    // The machines of a drawing, in the words that runs are described by; nothing where one is of a kind that
    // the catalogue does not have. Without a network, which then is what is usual for each kind, where nodes
    // have different ones: runs have no words for that.
    static LoggedMachine drawn(const Cluster& cluster);
    // Those of a plan, in the order of its ranks, as its exported launch files start them; drawn() where it
    // does not use whole nodes one after the other.
    static LoggedMachine ranked(const Problem& problem, const Plan& plan);

private:
    void fill(const LoggedMachine& machine);
    void judge();

    QLabel* m_note;
    QComboBox* m_gpu;
    QSpinBox* m_perNode;
    QLineEdit* m_network;
    QLabel* m_verdict;
    QPushButton* m_accept;
};

} // namespace pw
