// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/imports/import_offer.h"
#include "ui/imports/import_preview.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableWidget;
class QTabWidget;
class QTimer;

namespace pw {

struct AppContext;
class Announcer;
class EmptyState;
class ImportJob;
class ImportNotes;
class ImportQuestions;
class MessageBar;
class SourcePane;
class StoreJob;

// The one way in for every file: reads in the background, shows what would come in and what is wrong with it
// and where, asks for what no file says, and does nothing until "Import" is pressed. What changes the
// document is one undo step; measured rows go into the user's store, all or none.
class ImportDialog : public QDialog {
    Q_OBJECT

public:
    // `storePath`: the user's SQLite file; it is made with the first import.
    ImportDialog(const AppContext& app, const QString& storePath, QWidget* parent = nullptr);
    ~ImportDialog() override;

    void read(const QStringList& paths); // in place of what was read before
    void addFiles(const QStringList& paths);
    const ImportReading* reading() const { return m_reading.get(); } // null while it is read
    bool isBusy() const;

Q_SIGNALS:
    void readingShown();
    void imported();                         // into the present project, or the store
    void projectChosen(const QString& path); // to be opened in place of it
    void projectMade(const pw::Project& project, std::shared_ptr<const pw::Problem> problem,
                     const std::vector<pw::Plan>& plans); // likewise
    void runsChosen(const QStringList& logs);             // of trainers, to be held against their prediction
    void runChosen(const QString& path);                  // of the runner, to be laid over its plan

protected:
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void reject() override;

private:
    QWidget* makeFiles();
    QWidget* makeMiddle();
    QWidget* makeFooter();
    void chooseFiles();
    void startReading();
    void removeFiles(); // those that are selected
    void refreshRemoval();
    void offerOneSort();
    QString refusedRun() const; // run.json that gives no layer times, alone; empty: none
    void followBar();
    QStringList shownPaths() const; // of the files, as far as they are known
    QStringList pathsOf(ImportSort sort) const;
    bool isMixed() const; // refused for it
    void showReading(std::shared_ptr<const ImportReading> reading);
    void focusWhatIsNext();
    void refreshOffer();
    void refreshState();
    void showFiles();
    void showPreview();
    void showPlace(const QString& where);
    void takeNow();
    void finish();
    QString reasonNotReady() const;

    const AppContext& m_app;
    QString m_storePath;
    ImportRequest m_request;
    ImportJob* m_job;
    StoreJob* m_storing;
    std::shared_ptr<const ImportReading> m_reading;
    ImportOffer m_offer;
    Preview m_preview;
    QTimer* m_pace; // of the progress bar
    MessageBar* m_bar;
    QStackedWidget* m_pages;
    EmptyState* m_empty;
    QTableWidget* m_files = nullptr;
    QComboBox* m_kind = nullptr;
    QPushButton* m_remove = nullptr;
    QLabel* m_heading = nullptr;
    QLabel* m_figures = nullptr;
    QTabWidget* m_tabs = nullptr;
    SourcePane* m_source = nullptr;
    ImportNotes* m_notes = nullptr;
    ImportQuestions* m_questions = nullptr;
    QLabel* m_asked = nullptr;
    QLabel* m_happens = nullptr;
    QProgressBar* m_progress = nullptr;
    QPushButton* m_stop = nullptr;
    Announcer* m_announcer = nullptr; // of what was read: it is seen, and would not be heard
    QLabel* m_state = nullptr;
    QPushButton* m_import = nullptr;
};

} // namespace pw
