// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/document/plan_file.h"
#include "ui/accuracy/accuracy_context.h"
#include "ui/accuracy/accuracy_study.h"
#include "ui/diagnostics/bug_report.h"
#include "ui/diagnostics/window_log.h"
#include "ui/session/candidates.h"
#include "ui/session/compare_set.h"
#include "ui/session/document.h"
#include "ui/session/given_answers.h"
#include "ui/session/history.h"
#include "ui/session/improver.h"
#include "ui/session/link_traffic.h"
#include "ui/session/plan_runs.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/session/time_range.h"
#include "ui/session/tournament_runner.h"
#include "ui/session/what_if.h"
#include "ui/window/autosave.h"
#include "ui/window/settings.h"

#include <QMainWindow>
#include <QPointer>

#include <vector>

class QDockWidget;
class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;

namespace pw {

class Commands;
class DiagnosticsDialog;
class DockArea;
struct DockLayout;
class FileActions;
class Help;
class MessageBar;
class PerspectiveBar;
class StartPage;
class StatusLine;
class Tour;
enum class Perspective;

// The program's window: the shared values, and around them menus, tool bar, docks and status line. It knows
// no view by name; docks come from the dock table and actions from the command table.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    AccuracyContext& context() { return m_context; }
    Commands& commands() { return *m_commands; }
    // Each is made when first asked for: those of a project alone would cost as much as the start itself.
    DockArea& docks();
    DockArea& accuracyDocks();
    DockArea& sweepDocks();
    FileActions& files() { return *m_files; }
    Help& help() { return *m_help; }
    WindowLog& log() { return m_log; }
    Facts settingFacts() const;         // for a bug report
    bool openFile(const QString& path); // any file that the program understands: a project, or an import
    // What was chosen or dropped: a project alone is opened, once what is unsaved may go; see takeFiles().
    void takeIn(const QStringList& paths);
    // Runs over the open project's plans, measured runs into Accuracy; imports the others.
    void takeFiles(const QStringList& paths);
    void importFiles(const QStringList& paths); // shows them first; none: asks for some
    void setTheme(ThemeMode mode);
    void setTextSize(int percent); // one of kTextSizes
    void showStartPage(bool on);
    void showPerspective(Perspective perspective); // of the project; does nothing without one
    void comparePlans(); // the rows chosen in the table; of one, with its base or with the best plan
    bool compareWith(const QString& file); // the shown plan with the best one that another project keeps
    void offerLostWork();                  // a bar, if a program has ended without saving
    void offerCrashReport();               // a bar, once for each report that a program has left
    bool restore(const LostWork& work);    // opens it as unsaved; its file goes once it is kept anew
    void showAccuracy(bool on);            // off: back to the project, or to the start page
    void showSweep(bool on);               // the same
    void openSweep(const QString& folder);

Q_SIGNALS:
    void painted(); // once, after the first paint

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool event(QEvent* event) override;
    bool focusNextPrevChild(bool next) override; // past what is not in sight
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeMenus();
    void makeToolBar();
    void bindCommands();
    void bindViewCommands();
    void connectFiles(); // opening, saving, lost work
    void connectState();
    void connectRuns(); // of the planners
    void forgetProject();
    void projectOpened();
    void refreshTitle();
    void refreshRun();
    void lookAtWhatAnswers();
    void showImproving();
    void stepPlan(int by);
    void exportPlan(const QString& format = {}); // that target shown first
    bool leadToWrongField();                     // false: every field is taken over
    void searchToExport(const QString& format);  // plans that it can run, then the dialog again
    void loadRuns(QStringList paths = {});       // measured ones, into Accuracy; empty: asks for them
    void layRun(QString path = {});              // of the runner, over its plan; empty: asks for one
    bool openPlans(const Project& project, const std::shared_ptr<const Problem>& problem,
                   const std::vector<Plan>& plans); // false: what was open stays
    void showPublished();
    void openRun(RunRef run);
    void openTask(const PlanFile& plans, const QString& name);
    void askForSweep();
    void beginTour();
    void makeSweep();
    void showPage();
    void choosePerspective(Perspective perspective);
    std::vector<int> chosenPlans();
    Perspective perspective(); // of the project, seen or not
    void showProperties();     // of what was just chosen, if the search stands before them
    void followPlans();
    bool hasGoneElsewhere() const; // the focus, since the search began
    void lockProject();
    void rememberView();
    void keepDemand();
    DockArea& made(DockArea*& area, const DockLayout& layout, const QString& name);
    QMenu* shownViews();
    std::vector<DockArea*> areas() const; // those that are made
    DockArea* areaInView() const;         // null on the start page
    QWidget* focusedView();
    QWidget& picturedView();
    QDockWidget* dockAround(const QWidget* part) const;
    void focusFront(); // the first view of the page, or what comes first on the start page
    DiagnosticsDialog& showDiagnostics();
    void showError(const QString& lead, const Error& error);

    Settings m_settings;
    WindowLog m_log{stateFolder()};
    Document m_document;
    Autosave m_autosave{m_document};
    ProjectLock m_lock{m_document.disk()};
    Selection m_selection;
    TimeRange m_timeRange;
    History m_history{m_selection, m_timeRange};
    Candidates m_candidates;
    WhatIf m_whatIf;
    CompareSet m_compare;
    std::vector<int> m_toCompare; // of the table, as last taken into the comparison
    SearchRunner m_runner;
    TournamentRunner m_tournament;
    Improver m_improver{m_whatIf, m_candidates, m_selection};
    AccuracyStudy m_accuracy;
    GivenAnswers m_givenAnswers{m_document};
    PlanRuns m_planRuns{m_document, m_candidates, m_selection};
    LinkTraffic m_linkTraffic{m_candidates, m_selection};
    Commands* m_commands;
    AccuracyContext m_context;
    FileActions* m_files;
    Help* m_help;
    MessageBar* m_message;
    MessageBar* m_lost;    // offers work of a program that has crashed
    MessageBar* m_crashed; // offers the report of it
    QStackedWidget* m_pages;
    StartPage* m_start;
    DockArea* m_docks = nullptr;
    DockArea* m_accuracyDocks = nullptr;
    DockArea* m_sweepDocks = nullptr;
    StatusLine* m_status;
    Tour* m_tour = nullptr; // made when first asked for
    QPushButton* m_run = nullptr;
    QPushButton* m_pause = nullptr;
    QPushButton* m_stop = nullptr;
    QPushButton* m_find = nullptr;
    QLabel* m_title = nullptr;
    PerspectiveBar* m_perspectives = nullptr;
    QWidget* m_figures = nullptr;     // of the tool bar; seen with the project
    QWidget* m_accuracyBar = nullptr; // in its place in the accuracy layout
    bool m_open = false;              // a project is
    bool m_inAccuracy = false;
    bool m_inSweep = false;
    bool m_seen = false;
    bool m_hadPlans = false;
    bool m_awaitsPlan = false;        // a search has begun and found none yet
    QPointer<QWidget> m_focusAtStart; // of it
    bool m_opening = false;           // a project is there, its plans are not yet
    bool m_perspectiveChosen = false; // by the user, since the project was opened: it stays
    Perspective m_beforeCompare;      // which F10 leads back to
    std::string m_lastQuestion;       // its hash; empty: the project asks none
    QString m_doneWithout;            // node that the message bar offers to search without
    QString m_saidOfEdit;             // by the message bar; the next edit or undo takes it away
    SearchDemand m_keptDemand;        // what the file says that plans are asked to be
    int m_leftOut = 0;                // plans of the table that the last save left out
};

} // namespace pw
