// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/base/view.h"

class QBoxLayout;
class QLabel;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace pw {

struct AppContext;
class CoverageModel;
class EmptyState;
class MessageBar;
class SourceModel;

// Which times are measured and which are guesses: the sources with their rows, and the coverage of the
// project's model on the project's GPUs. What is imported goes into the project, which then carries its own
// numbers, and into the user's store, from which other projects can take it.
class ProfilesPanel : public View {
    Q_OBJECT

public:
    // `storePath`: the user's SQLite file; it is made with the first import.
    ProfilesPanel(const AppContext& app, const QString& storePath, QWidget* parent = nullptr);

    void removeChosen(); // from the project, undoable
    void useChosen();    // takes the rows of the chosen source from the store
    void forgetChosen(); // from the store
    SourceModel* sources() const { return m_sources; }
    CoverageModel* coverage() const { return m_coverage; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QString chosen() const;
    void refresh();
    void refreshButtons();
    void showError(const QString& lead, const QString& text);
    QWidget* makeSources();
    QWidget* makeCoverage();

    const AppContext& m_app;
    QString m_storePath;
    MessageBar* m_bar;
    EmptyState* m_empty;
    QStackedWidget* m_stack;
    QBoxLayout* m_body;
    SourceModel* m_sources;
    CoverageModel* m_coverage;
    QTableView* m_sourceTable;
    QTableView* m_matrix;
    QLabel* m_matrixNote;
    QPushButton* m_remove;
    QPushButton* m_use;
    QPushButton* m_forget;
};

// PIPEWRIGHT_DATA_DIR/profiles.db, by default in the user's XDG data folder.
QString profileStorePath();

} // namespace pw
