// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/published/published_predictions.h"
#include "ui/published/published_project.h"

#include <QDialog>

#include <vector>

class QLabel;
class QPlainTextEdit;
class QProgressBar;
class QPushButton;
class QTableView;
class QTreeWidget;
class QTreeWidgetItem;

namespace pw {

class Announcer;
class MessageBar;
class PublishedTableModel;

// The papers that ship, and files of one's own in their form: cases on the left; on the right what was
// published of the chosen one and, once computed, what this program predicts, what was assumed for it and why
// the two differ. Stands beside the window: a case opens there as a project, and its table stays here.
class PublishedDialog : public QDialog {
    Q_OBJECT

public:
    explicit PublishedDialog(QWidget* parent = nullptr);

    // Reads a file of the form and chooses its paper; one of before from the same file goes. False: the bar
    // says what is wrong, with its place.
    bool addFile(const QString& path);
    const PublishedPredictions& predictions() const { return m_predictions; }
    void reject() override; // gives up what is being computed; what was made stays

Q_SIGNALS:
    void openRequested(const pw::PublishedProject& chosen); // as a new project

private:
    struct Listed {
        QString file; // empty: it ships
        PublishedPaperPtr paper;
    };
    QWidget* makeList();
    QWidget* makeTable();
    QWidget* makeButtons();
    QTreeWidgetItem* addPaper(PublishedPaperPtr paper, const QString& file);
    PublishedChoice choice() const;
    const PublishedCase* chosenCase() const; // null: a whole paper is, or nothing
    void choose();
    void askForFile();
    void openChosen();
    void refresh();
    QString stateText() const;

    std::vector<Listed> m_papers; // in the order of the list
    PublishedPredictions m_predictions;
    PublishedTableModel* m_model;
    MessageBar* m_message;
    QTreeWidget* m_list;
    QLabel* m_title;
    QLabel* m_source;
    QLabel* m_case;
    QTableView* m_table;
    QPlainTextEdit* m_notes;
    QProgressBar* m_progress;
    QLabel* m_state;
    Announcer* m_announcer;
    QPushButton* m_compute;
    QPushButton* m_cancel;
    QPushButton* m_open;
    bool m_opening = false; // the window asks about unsaved work
};

} // namespace pw
