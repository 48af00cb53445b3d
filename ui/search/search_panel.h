// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/session/view.h"

#include <array>

class QCheckBox;
class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;

namespace pw {

class ConvergencePlot;
class DemandForm;
class MessageBar;
class OptionForm;
class Refusals;
class RejectionBar;

// Start, watch and stop a search: options, end state, best against the bound, what was rejected, convergence,
// and the best plans in the order in which they were found.
class SearchPanel : public View {
    Q_OBJECT

public:
    explicit SearchPanel(AppContext& context, QWidget* parent = nullptr);

    std::vector<QWidget*> fields() const; // of what is asked, by their accessible names
    void focusField(QWidget& field);      // one of them, unfolded

protected:
    bool event(QEvent* event) override;

private:
    QWidget* makeStatus();
    QWidget* makeFigures();
    QWidget* makeCounts();
    QWidget* makeBestList();
    void refresh();
    void refreshProblems();
    void refreshStale();
    QString staleText(bool stale, bool endStale) const;
    QStringList reasons(bool stale) const; // rich text: why the last search has no plan
    void refreshFigures();
    std::vector<std::string> leaveOut() const; // the way out of a refusal: kinds; none: there is no such way
    void searchWithout();                      // them
    void refreshCounts();
    void refreshBestList();
    void showChosenPlan(); // in that list

    AppContext& m_context;
    DemandForm* m_demand;
    OptionForm* m_form;
    Refusals* m_refusals;
    QPushButton *m_run, *m_stop;
    QCheckBox* m_follow;
    QLabel *m_state, *m_stateSymbol, *m_stateText, *m_cost;
    QProgressBar* m_bar;
    MessageBar* m_stale;
    QWidget *m_results, *m_course;
    std::array<QString, 3> m_names;
    QLabel* m_values[3];
    QLabel* m_notes[3];
    QLabel *m_evaluated, *m_ruledOut, *m_says;
    RejectionBar* m_rejected;
    ConvergencePlot* m_plot;
    QListWidget* m_best;
};

} // namespace pw
