// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include "ui/base/candidates.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/plan_text.h"
#include "ui/base/theme.h"

#include <QDir>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTableWidget>
#include <QVBoxLayout>

namespace pw {

namespace {

constexpr qsizetype kPreviewLimit = 200'000; // characters; a trace may have millions

QString coloured(const QColor& color) {
    return QStringLiteral("color: %1").arg(color.name());
}

} // namespace

ExportDialog::ExportDialog(const Candidate& candidate, const Evaluation& withOps,
                           const SearchOutcome* outcome, QWidget* parent)
    : QDialog(parent), m_problem(candidate.problem), m_plan(candidate.plan), m_evaluation(withOps),
      m_title(planTitle(candidate)) {
    if (outcome)
        m_outcome = *outcome;
    else
        m_outcome.status = candidate.evaluation.feasible ? SearchStatus::Feasible : SearchStatus::Infeasible;
    m_outcome.plans = {{candidate.plan, candidate.evaluation}};
    const ExportInput input{*m_problem, m_outcome, m_plan, m_evaluation};
    for (const ExporterRow& row : exporterTable())
        m_results.push_back(makeExport(row, input));

    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export %1").arg(m_title));
    resize(920, 600);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(12);
    middle->addWidget(makeTargets());
    auto* right = new QVBoxLayout;
    right->setSpacing(8);
    m_heading = new QLabel;
    m_heading->setFont(headingFont());
    m_release = new QLabel;
    m_release->setStyleSheet(coloured(theme().text2));
    right->addWidget(m_heading);
    right->addWidget(m_release);
    m_pages = new QStackedWidget;
    m_pages->addWidget(makePreview());
    m_pages->addWidget(makeRefusals());
    right->addWidget(m_pages, 1);
    middle->addLayout(right, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->setSpacing(12);
    column->addLayout(middle, 1);
    column->addWidget(makeFooter());
    m_export->setDefault(true); // only a button inside the dialog can be what Enter presses there
    setFolder(QDir(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation))
                  .filePath(QStringLiteral("plan-%1").arg(candidate.name)));
    m_targets->setCurrentRow(0);
    refreshExport();
}

ExportDialog::~ExportDialog() = default;

QWidget* ExportDialog::makeTargets() {
    m_targets = new QListWidget;
    m_targets->setObjectName(QStringLiteral("export.targets"));
    m_targets->setAccessibleName(tr("Formats"));
    m_targets->setFixedWidth(264);
    m_targets->setFrameShape(QFrame::StyledPanel);
    const std::vector<ExporterRow>& rows = exporterTable();
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const bool refused = !m_results[i].refusals.empty();
        const QString verdict =
            refused ? tr("refused, %1").arg(q(m_results[i].refusals.front().code)) : tr("can express it");
        auto* item = new QListWidgetItem(refused ? icon(QStringLiteral("error"), IconTone::Err)
                                                 : icon(QStringLiteral("ok"), IconTone::Ok),
                                         QString::fromUtf8(rows[i].label), m_targets);
        item->setData(Qt::UserRole, QString::fromUtf8(rows[i].format));
        item->setData(Qt::AccessibleTextRole, QStringLiteral("%1, %2").arg(item->text(), verdict));
        item->setToolTip(verdict);
        item->setSizeHint({0, 28});
        if (refused)
            item->setForeground(theme().text2);
    }
    connect(m_targets, &QListWidget::currentRowChanged, this, &ExportDialog::showTarget);
    return m_targets;
}

QWidget* ExportDialog::makePreview() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_files = new QListWidget;
    m_files->setObjectName(QStringLiteral("export.files"));
    m_files->setAccessibleName(tr("Files that will be written"));
    m_files->setFrameShape(QFrame::StyledPanel);
    m_files->setFixedHeight(112);
    m_text = new QPlainTextEdit;
    m_text->setObjectName(QStringLiteral("export.preview"));
    m_text->setAccessibleName(tr("Text of the file"));
    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(codeFont());
    m_text->document()->setDefaultFont(codeFont());
    column->addWidget(m_files);
    column->addWidget(m_text, 1);
    connect(m_files, &QListWidget::currentRowChanged, this, &ExportDialog::showFile);
    return page;
}

QWidget* ExportDialog::makeRefusals() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    auto* head =
        new QLabel(tr("Refused. This format cannot express %1. Nothing will be written.").arg(m_title));
    head->setObjectName(QStringLiteral("export.refused"));
    head->setFont(bodyFont(QFont::DemiBold));
    head->setStyleSheet(
        QStringLiteral("color: %1; background: %2; padding: 6px 10px; border-left: 3px solid %1")
            .arg(theme().err.name(), theme().errGround.name()));
    m_refusals = new QTableWidget(0, 3);
    m_refusals->setObjectName(QStringLiteral("export.refusals"));
    m_refusals->setAccessibleName(tr("Why the format refuses the plan"));
    m_refusals->setHorizontalHeaderLabels({tr("Place"), tr("Code"), tr("Reason")});
    m_refusals->verticalHeader()->hide();
    m_refusals->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_refusals->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
    m_refusals->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents); // reasons wrap
    m_refusals->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_refusals->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_refusals->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_refusals->setShowGrid(false);
    m_refusals->setWordWrap(true);
    m_alternatives = new QLabel;
    m_alternatives->setObjectName(QStringLiteral("export.alternatives"));
    m_alternatives->setWordWrap(true);
    column->addWidget(head);
    column->addWidget(m_refusals, 1);
    column->addWidget(m_alternatives);
    return page;
}

QWidget* ExportDialog::makeFooter() {
    auto* footer = new QWidget;
    auto* row = new QHBoxLayout(footer);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* label = new QLabel(tr("&Folder"));
    m_folder = new QLineEdit;
    m_folder->setObjectName(QStringLiteral("export.folder"));
    m_folder->setAccessibleName(tr("Folder to write to"));
    label->setBuddy(m_folder);
    auto* choose = new QPushButton(icon(QStringLiteral("folder"), IconTone::Text2), tr("Choose..."));
    choose->setObjectName(QStringLiteral("export.choose"));
    choose->setAccessibleName(tr("Choose the folder"));
    m_report = new QLabel;
    m_report->setObjectName(QStringLiteral("export.report"));
    m_report->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_export = new QPushButton(icon(QStringLiteral("export"), IconTone::OnAccent), tr("&Export"));
    m_export->setObjectName(QStringLiteral("export.export"));
    m_export->setAccessibleName(tr("Export"));
    m_export->setProperty("primary", true);
    auto* close = new QPushButton(tr("Close"));
    close->setObjectName(QStringLiteral("export.close"));
    close->setAccessibleName(tr("Close"));
    row->addWidget(label);
    row->addWidget(m_folder, 3);
    row->addWidget(choose);
    row->addWidget(m_report, 2);
    row->addWidget(m_export);
    row->addWidget(close);
    connect(choose, &QPushButton::clicked, this, &ExportDialog::chooseFolder);
    connect(m_folder, &QLineEdit::textChanged, this, &ExportDialog::refreshExport);
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::exportNow);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    return footer;
}

const ExportResult* ExportDialog::current() const {
    const int row = m_targets->currentRow();
    return row < 0 ? nullptr : &m_results[static_cast<std::size_t>(row)];
}

void ExportDialog::showTarget() {
    const ExportResult* result = current();
    if (!result)
        return;
    const ExporterRow& row = exporterTable()[static_cast<std::size_t>(m_targets->currentRow())];
    m_heading->setText(QString::fromUtf8(row.label));
    m_release->setText(QString::fromUtf8(row.releases.front().label));
    m_report->clear();
    m_files->clear();
    for (const ExportFile& file : result->files)
        m_files->addItem(q(file.name));
    m_files->setFixedHeight(qBound(30, 22 * m_files->count() + 6, 112));
    m_files->setCurrentRow(0);
    m_refusals->setRowCount(static_cast<int>(result->refusals.size()));
    for (int i = 0; i < m_refusals->rowCount(); ++i) {
        const Refusal& refusal = result->refusals[static_cast<std::size_t>(i)];
        m_refusals->setItem(i, 0, new QTableWidgetItem(q(refusal.where)));
        m_refusals->setItem(i, 1, new QTableWidgetItem(q(refusal.code)));
        m_refusals->setItem(i, 2, new QTableWidgetItem(sentence(refusal.message)));
        m_refusals->item(i, 2)->setToolTip(q(refusal.message));
    }
    QStringList others;
    for (std::size_t i = 0; i < m_results.size(); ++i)
        if (m_results[i].refusals.empty())
            others.append(QString::fromUtf8(exporterTable()[i].label));
    m_alternatives->setText(
        others.isEmpty() ? QString() : tr("Formats that can: %1").arg(others.join(QStringLiteral(", "))));
    m_pages->setCurrentIndex(result->refusals.empty() ? 0 : 1);
    refreshExport();
}

void ExportDialog::showFile() {
    const ExportResult* result = current();
    const int row = m_files->currentRow();
    if (!result || row < 0)
        return m_text->clear();
    const QString text = q(result->files[static_cast<std::size_t>(row)].text);
    m_text->setPlainText(text.size() <= kPreviewLimit
                             ? text
                             : text.left(kPreviewLimit) +
                                   tr("\n(the file goes on: %1 characters)").arg(text.size()));
}

void ExportDialog::refreshExport() {
    const ExportResult* result = current();
    m_export->setEnabled(result && result->refusals.empty() && !m_folder->text().trimmed().isEmpty());
}

void ExportDialog::setFolder(const QString& folder) {
    m_folder->setText(folder);
}

void ExportDialog::selectFormat(const QString& format) {
    for (int row = 0; row < m_targets->count(); ++row)
        if (m_targets->item(row)->data(Qt::UserRole).toString() == format)
            m_targets->setCurrentRow(row);
}

void ExportDialog::chooseFolder() {
    const QString chosen = QFileDialog::getExistingDirectory(this, tr("Export to"), m_folder->text());
    if (!chosen.isEmpty())
        m_folder->setText(chosen);
}

void ExportDialog::exportNow() {
    const ExporterRow& row = exporterTable()[static_cast<std::size_t>(m_targets->currentRow())];
    const QString folder = m_folder->text().trimmed();
    if (!QDir().mkpath(folder))
        return report(tr("%1 cannot be made.").arg(folder), false);
    if (const Status written = writeExport(row, *current(), s(folder)); !written)
        return report(q(written.error().text()), false);
    const auto count = current()->files.size();
    report(count == 1 ? tr("1 file written") : tr("%1 files written").arg(count), true);
}

void ExportDialog::report(const QString& text, bool good) {
    m_report->setStyleSheet(coloured(good ? theme().ok : theme().err));
    m_report->setText(text);
    m_report->setToolTip(text);
}

} // namespace pw
