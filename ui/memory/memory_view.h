// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/current_plan.h"
#include "ui/session/view.h"

class QStackedWidget;

namespace pw {

class DeviceListModel;
class ElidingCombo;
class MemoryColumn;
class MemoryPlot;
class Selection;
class TimeRange;

// Whether it fits, where, and when the peak is: the memory of one device over the timeline's axis, beside the
// peaks of all devices. Everything here is a prediction and says so.
class MemoryView : public View {
    Q_OBJECT

public:
    explicit MemoryView(const AppContext& context, QWidget* parent = nullptr);
    // For tests and pictures; `plan` must outlive the view.
    MemoryView(CurrentPlan& plan, Selection& selection, TimeRange& range, QWidget* parent = nullptr);

    QString device() const { return m_device; }
    MemoryPlot* plot() const { return m_plot; }

private:
    void build();
    void planChanged();
    void stageChanged(int stage);
    void showDevice(const QString& id);
    const MemoryParts* shownPeak() const; // of the device in view; null: none is

    CurrentPlan& m_plan;
    Selection& m_selection;
    TimeRange& m_range;
    QString m_device;
    MemoryColumn* m_column = nullptr;
    MemoryPlot* m_plot = nullptr;
    ElidingCombo* m_devices = nullptr;
    DeviceListModel* m_list = nullptr; // in it
    QStackedWidget* m_stack = nullptr;
};

} // namespace pw
