// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/session/view.h"

class QBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTabWidget;
class QTableView;

namespace pw {

struct AppContext;
class CoverageModel;
class EmptyState;
class FitPlot;
class MeasurementTable;
class MessageBar;
class SourceModel;

// Which times are measured and which are guesses: the sources with their rows, and the coverage of the
// project's model on the project's GPUs, the rows themselves and the line through those of a layer. What is
// imported goes into the project, which then carries its own numbers, and into the user's store, from which
// other projects can take it.
class ProfilesPanel : public View {
    Q_OBJECT

public:
    // `storePath`: the user's SQLite file; it is made with the first import.
    ProfilesPanel(const AppContext& app, const QString& storePath, QWidget* parent = nullptr);

    void removeChosen();                    // from the project, undoable
    void useChosen();                       // takes the rows of the chosen source from the store
    void forgetChosen();                    // from the store
    bool exportChosen(const QString& path); // JSON, or CSV for a name in .csv
    // That the store has no write-ahead log (core/store/journal.h), since it lies on a file system of that
    // name; said once.
    void sayJournal(const QString& fileSystem);
    SourceModel* sources() const { return m_sources; }
    CoverageModel* coverage() const { return m_coverage; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QString chosen() const;
    void refresh();
    void refreshButtons();
    void refreshRows();
    void refreshShare();
    void askExport();
    void showFit(const std::string& model, const std::string& kind, int layer, int tp);
    void showError(const QString& lead, const Error& error);
    QWidget* makeSources();
    QWidget* makeCoverage();
    QWidget* makeTabs();

    const AppContext& m_app;
    QString m_storePath;
    bool m_journalSaid = false;
    MessageBar* m_bar;
    EmptyState* m_empty;
    QStackedWidget* m_stack;
    QBoxLayout* m_body;
    SourceModel* m_sources;
    CoverageModel* m_coverage;
    QTableView* m_sourceTable;
    QTableView* m_matrix;
    QLabel* m_matrixNote;
    QLabel* m_share;
    QTabWidget* m_tabs;
    MeasurementTable* m_rows;
    FitPlot* m_fit;
    QPushButton* m_export;
    QPushButton* m_remove;
    QPushButton* m_use;
    QPushButton* m_forget;
};

// PIPEWRIGHT_DATA_DIR/profiles.db, by default in the user's XDG data folder.
QString profileStorePath();

} // namespace pw
