// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/session/view.h"

class QComboBox;

namespace pw {

class HeatPlot;
class SweepStudy;

// The heat map with the boxes that say what is drawn over what.
class HeatView : public View {
    Q_OBJECT

public:
    explicit HeatView(AppContext& context, QWidget* parent = nullptr);
    HeatPlot* plot() const { return m_plot; }

private:
    QComboBox* makeBox(const char* name, const QString& label);
    QWidget* makeTools();
    void fillAxes();
    void fillFigures();
    void ask();

    SweepStudy& m_study;
    HeatPlot* m_plot;
    QComboBox *m_figure, *m_over, *m_x, *m_y, *m_panels;
};

} // namespace pw
