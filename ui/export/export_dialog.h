// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"

#include <QDateTime>
#include <QDialog>
#include <QHash>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTableWidget;
class QTabWidget;
class QTimer;

namespace pw {

class Announcer;
struct Candidate;

// Writes one plan as files of a trainer. Every target is tried when the dialog opens: the list says which can
// express the plan, and a target that cannot shows each refusal with its stage instead of a preview, and the
// best known plan that it takes, whose cost stands in the list. The first trainer that takes the plan is
// shown first. A second page compares all targets, feature by feature. Files that are in the folder already
// are named, and replaced only after a tick.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    // `outcome` is of the search that the plan came from, for the plan document; null if there was none.
    ExportDialog(const Candidate& candidate, const Evaluation& withOps, const SearchOutcome* outcome,
                 QWidget* parent = nullptr);
    ~ExportDialog() override;

    // Of the list of targets: what the best known plan that one takes costs beside this one, "+2.4 %", and
    // the same in words.
    enum TargetRole { CostRole = Qt::UserRole + 1, CostWordsRole };

    // Other plans, best first; those that answer the same question may be offered.
    void setOffers(const std::vector<Candidate>& plans);
    // What the folder offered is called after, and what to know before these files are used.
    void setProject(const QString& name, const QStringList& warnings);
    void setFolder(const QString& folder);
    // The project has nodes which no host can be called: that they are named otherwise may be offered.
    void offerRenames();
    void selectFormat(const QString& format);

Q_SIGNALS:
    // The plan that is offered in place of this one is to be exported: its id and the target's format.
    void offerTaken(int id, const QString& format);
    // Plans that this target can run are to be searched for.
    void searchWanted(const QString& format);
    // Nodes are to be called as hosts can be, and this plan exported to that target then.
    void renameWanted(const QString& format);
    // What became of an export: the folder, and the sentence that the dialog says of it.
    void reported(const QString& folder, const QString& text, bool good);

protected:
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeTargets();
    QWidget* makePreview();
    QWidget* makeRefusals();
    QWidget* makeMatrix();
    QWidget* makeFooter();
    void showTarget();
    void showVerdict(int row);
    // Of the trainers' limits, by the plans that are known: a look at one plan at a time, for on a large
    // cluster one takes tens of milliseconds.
    void lookForCost();
    void nextCost();
    void showCost(const QString& cost, const QString& words);
    void showOffer();
    void makeResult(std::size_t row);
    void chooseRelease();
    void copyFile();
    void showFile();
    QStringList filesInTheWay() const; // of the shown target, in the folder already
    void refreshReplace();
    void refreshExport();
    void chooseFolder();
    void exportNow();
    void report(const QString& text, bool good, std::string_view code = {});
    const ExportResult* current() const;

    std::shared_ptr<const Problem> m_problem;
    Plan m_plan;
    Evaluation m_evaluation;
    SearchOutcome m_outcome;
    std::vector<ExportResult> m_results; // by row of exporterTable()
    std::vector<std::string> m_chosen;   // likewise: the release
    std::vector<FoundPlan> m_offers;
    std::vector<int> m_offerIds;
    QTimer* m_costing;
    int m_costRow = 0; // of exporterTable(), with the plan that is looked at next
    std::size_t m_costPlan = 0;
    int m_offered = -1; // of m_offers, for the shown target
    QString m_title;
    QListWidget* m_targets;
    QLabel* m_heading;
    QComboBox* m_release;
    QTabWidget* m_tabs;
    QTableWidget* m_matrix;
    QStackedWidget* m_pages;
    QListWidget* m_files;
    QPlainTextEdit* m_text;
    QLabel* m_refused; // that nothing will be written
    QTableWidget* m_refusals;
    QLabel* m_alternatives;
    QPushButton* m_offer;
    QPushButton* m_search; // seen where a trainer refuses that can run other plans of the problem
    QPushButton* m_rename; // in its place where a node's name is what it refuses
    bool m_renames = false;
    QLabel* m_never; // why it can run none, in the place of the button
    QLineEdit* m_folder;
    QCheckBox* m_replace; // shown while files are in the way
    QStringList m_inTheWay;
    struct Written {
        QDateTime left;
        const ExporterRow* row = nullptr; // of another format they are in the way
    };
    const ExporterRow* chosenRow() const; // null: none
    QHash<QString, Written> m_written;    // files of this dialog, as it left them
    QString m_ownFolder; // that the shown target has by itself; empty once another was chosen
    QPushButton* m_openFolder;
    QLabel* m_report;
    QLabel* m_warning; // of the plan, whatever it is written for
    Announcer* m_announcer;
    QPushButton* m_export;
};

} // namespace pw
