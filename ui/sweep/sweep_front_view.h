// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/base/background_job.h"
#include "ui/commands/app_context.h"
#include "ui/session/view.h"

class QComboBox;
class QStackedWidget;

namespace pw {

class SweepFrontPlot;
class SweepStudy;
class SweepTable;
enum class SweepFigure;

// What no other task beats in up to three figures, money, time and power to begin with: as points, and as a
// table beside them. The front is worked out in the background.
class SweepFrontView : public View {
    Q_OBJECT

public:
    explicit SweepFrontView(AppContext& context, QWidget* parent = nullptr);
    ~SweepFrontView() override;
    SweepFrontPlot* plot() const { return m_plot; }
    SweepTable* table() const { return m_table; }
    bool isWorking() const { return m_job.isRunning(); }

private:
    QComboBox* makeBox(const char* name, const QString& label);
    QWidget* makeTools();
    void fill();
    void ask();

    SweepStudy& m_study;
    SweepFrontPlot* m_plot;
    SweepTable* m_table;
    QComboBox *m_x, *m_y, *m_third;
    QStackedWidget* m_pages = nullptr; // 0: why there are no points
    BackgroundJob m_job;
};

} // namespace pw
