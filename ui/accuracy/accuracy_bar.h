// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/accuracy/accuracy_context.h"

#include <QWidget>

class QComboBox;
class QLabel;

namespace pw {

// The right part of the tool bar in the accuracy layout: the way back to planning, and how many sources and
// runs the figures rest on.
class AccuracyBar : public QWidget {
    Q_OBJECT

public:
    explicit AccuracyBar(AccuracyContext& context, QWidget* parent = nullptr);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void refresh();
    void fit();

    AccuracyContext& m_context;
    QComboBox* m_layout;
    QLabel *m_sources, *m_runs;
};

} // namespace pw
