// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/accuracy/accuracy_context.h"
#include "ui/accuracy/run_detail.h"
#include "ui/session/view.h"

class QLabel;
class QPushButton;
class QStackedWidget;
class QVBoxLayout;

namespace pw {

class EmptyState;
class PropertyList;
class TimeBars;

// The chosen run: what its row says, what was predicted and why, and the ways on: as a plan, or out of the
// figures.
class RunPanel : public View {
    Q_OBJECT

public:
    explicit RunPanel(AccuracyContext& context, QWidget* parent = nullptr);
    const RunDetailMaker& maker() const { return m_maker; }

private:
    struct Section {
        QLabel* title;
        PropertyList* rows;
    };
    void build();
    Section addSection(QVBoxLayout* column, const QString& title);
    QLabel* addText(QVBoxLayout* column, const QString& name);
    void runChanged();
    void refresh();
    void refreshRow(const RunRow& row);
    void refreshFigures();
    void refreshBasis();
    void refreshButtons();

    AccuracyContext& m_context;
    RunDetailMaker m_maker;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QLabel *m_name, *m_quality;
    PropertyList* m_row;
    Section m_time, m_memory, m_basis;
    TimeBars* m_bars;
    QLabel *m_barsNote, *m_refusal, *m_assumptions, *m_source;
    QLabel* m_assumptionsTitle;
    QPushButton *m_open, *m_leaveOut;
};

} // namespace pw
