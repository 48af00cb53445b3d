// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/session/view.h"

class QStackedWidget;

namespace pw {

class ParetoPlot;
class ParallelPlot;

// The docks of the two plots: an empty state until there are plans, and the choice of axes in the title.
class ParetoView : public View {
    Q_OBJECT

public:
    explicit ParetoView(AppContext& context, QWidget* parent = nullptr);
    ParetoPlot* plot() const { return m_plot; }

private:
    ParetoPlot* m_plot;
};

class ParallelView : public View {
    Q_OBJECT

public:
    explicit ParallelView(AppContext& context, QWidget* parent = nullptr);
    ParallelPlot* plot() const { return m_plot; }

private:
    ParallelPlot* m_plot;
};

} // namespace pw
