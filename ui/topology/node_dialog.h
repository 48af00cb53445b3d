// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QSpinBox;

namespace pw {

// "How many?": kind, GPUs a node, number of nodes, of racks where there are some, what they are linked to,
// and what that comes to.
class NodeDialog : public QDialog {
    Q_OBJECT

public:
    struct Answer {
        std::string kind;
        int gpusPerNode = 8;
        int count = 1;             // nodes, of each rack
        int racks = 0;             // 0: none, and not asked for
        std::string linkedTo = {}; // the switch; empty: nothing
    };

    // Offers the cluster's own kinds before those that ship.
    NodeDialog(const Cluster& cluster, const Answer& start, QWidget* parent = nullptr);
    Answer answer() const;

private:
    void showTotal();

    QComboBox* m_kind;
    QSpinBox* m_gpus;
    QSpinBox* m_count;
    QSpinBox* m_racks;     // null: not asked for
    QComboBox* m_linkedTo; // null: not asked for, as where there is no switch
    QLabel* m_total;
    const Cluster m_cluster;
};

} // namespace pw
