// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/sized_cluster.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QPushButton;
class QSpinBox;

namespace pw {

class ElidingCombo;
class Selection;
class WrapLayout;

// The fields of a ClusterSize, side by side as far as the width goes, what they come to, and the button that
// has it drawn. Kinds are those that ship and the user's own; the first is the window's kind to draw.
class ClusterForm : public QWidget {
    Q_OBJECT

public:
    // Fields are called `name` with a dot and a word behind it: "start.sizes.nodes".
    ClusterForm(const QString& name, Selection& selection, QWidget* parent = nullptr);

    ClusterSize size() const;

Q_SIGNALS:
    void drawRequested(const pw::ClusterSize& size);

private:
    QWidget* labelled(const QString& text, QWidget* field);
    QSpinBox* makeCount(const QString& name, const QString& label, int least, int most, int value);
    ElidingCombo* makeKinds(const QString& name, const QString& label);
    void fillKinds();
    void showKind();
    void refresh();

    Selection& m_selection;
    WrapLayout* m_row;
    QSpinBox* m_nodes;
    QSpinBox* m_gpus;
    ElidingCombo* m_kind;
    QSpinBox* m_otherNodes;
    QSpinBox* m_otherGpus;
    ElidingCombo* m_otherKind;
    QComboBox* m_network;
    QSpinBox* m_perRack; // these three of racks alone, and seen with them
    QSpinBox* m_spines;
    QSpinBox* m_oversubscription;
    QLabel* m_total;
    QPushButton* m_draw;
};

} // namespace pw
