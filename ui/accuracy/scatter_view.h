// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/accuracy/accuracy_context.h"
#include "ui/session/view.h"

class QComboBox;
class QStackedWidget;

namespace pw {

class EmptyState;
class ScatterLegend;
class ScatterPlot;

// The scatter plot with its legend, and the switch between time and memory.
class ScatterView : public View {
    Q_OBJECT

public:
    explicit ScatterView(AccuracyContext& context, QWidget* parent = nullptr);
    ScatterPlot* plot() const { return m_plot; }

private:
    void makeTools();
    void refresh();
    void placeLegend();

    AccuracyContext& m_context;
    ScatterPlot* m_plot;
    ScatterLegend* m_legend;
    EmptyState* m_empty;
    QStackedWidget* m_pages;
    QComboBox* m_quantity;
};

} // namespace pw
