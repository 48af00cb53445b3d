// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/session/view.h"

class QAbstractButton;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QStackedWidget;

namespace pw {

class CompareLanes;
class CompareSet;
class EmptyState;
class MessageBar;
class OverviewStrip;
class TimeRuler;

// Two to four plans against each other: the tools, a ruler for all, and the lanes.
class CompareView : public View {
    Q_OBJECT

public:
    explicit CompareView(AppContext& context, QWidget* parent = nullptr);

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QWidget* makeTools();
    void bindCommands();
    void refresh();
    void refreshTools();
    void stepDifference(int by);

    AppContext& m_context;
    CompareSet& m_set;
    MessageBar* m_inputs;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    CompareLanes* m_lanes;
    QWidget* m_seen = nullptr; // of the lanes
    TimeRuler* m_ruler;
    OverviewStrip* m_overview;
    QAbstractButton* m_align[3];
    QAbstractButton* m_axis[2];
    QComboBox* m_add;
    QLabel* m_place;
    QList<QLabel*> m_words; // in front of the choices
};

} // namespace pw
