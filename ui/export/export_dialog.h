// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"

#include <QDialog>

class QLabel;
class QLineEdit;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTableWidget;

namespace pw {

struct Candidate;

// Writes one plan as files of a trainer. Every target is tried when the dialog opens: the list says which can
// express the plan, and a target that cannot shows each refusal with its stage instead of a preview.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    // `outcome` is of the search that the plan came from, for the plan document; null if there was none.
    ExportDialog(const Candidate& candidate, const Evaluation& withOps, const SearchOutcome* outcome,
                 QWidget* parent = nullptr);
    ~ExportDialog() override;

    void setFolder(const QString& folder);
    void selectFormat(const QString& format);

private:
    QWidget* makeTargets();
    QWidget* makePreview();
    QWidget* makeRefusals();
    QWidget* makeFooter();
    void showTarget();
    void showFile();
    void refreshExport();
    void chooseFolder();
    void exportNow();
    void report(const QString& text, bool good);
    const ExportResult* current() const;

    std::shared_ptr<const Problem> m_problem;
    Plan m_plan;
    Evaluation m_evaluation;
    SearchOutcome m_outcome;
    std::vector<ExportResult> m_results; // by row of exporterTable()
    QString m_title;
    QListWidget* m_targets;
    QLabel* m_heading;
    QLabel* m_release;
    QStackedWidget* m_pages;
    QListWidget* m_files;
    QPlainTextEdit* m_text;
    QTableWidget* m_refusals;
    QLabel* m_alternatives;
    QLineEdit* m_folder;
    QLabel* m_report;
    QPushButton* m_export;
};

} // namespace pw
