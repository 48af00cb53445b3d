// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/whatif/slice.h"
#include "ui/base/background_job.h"
#include "ui/commands/app_context.h"
#include "ui/session/view.h"

#include <QTimer>

class QComboBox;
class QPushButton;
class QStackedWidget;
class QTableWidget;

namespace pw {

class EmptyState;
class SlicePlot;

// What the time of the plan in view does when one thing changes and all others stay: a bandwidth, the
// micro-batch, a boundary, a tensor-parallel size. Evaluated in the background while the view is seen; a
// value of the plan itself can be tried, as an edit.
class SensitivityView : public View {
    Q_OBJECT

public:
    explicit SensitivityView(AppContext& context, QWidget* parent = nullptr);
    ~SensitivityView() override;

Q_SIGNALS:
    void evaluated();

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makePage();
    void follow(); // another plan, or the same one edited
    void look();
    void present(const Result<std::vector<whatif::SlicePoint>>& points);
    void choose(int row);
    void tryIt();
    QString name(const whatif::SliceParameter& parameter) const;
    QString valueText(const whatif::SlicePoint& point) const;

    AppContext& m_context;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QComboBox* m_parameter;
    QPushButton* m_try;
    SlicePlot* m_plot;
    QTableWidget* m_table;
    std::vector<whatif::SliceParameter> m_parameters;
    std::vector<whatif::SlicePoint> m_points;
    QTimer m_later{this}; // several changes in a row are one
    int m_plan = -1, m_revision = -1;
    bool m_fresh = false; // what is shown, or being evaluated, is of this plan and parameter
    BackgroundJob m_job;  // last: it uses the above
};

} // namespace pw
