// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include "ui/base/candidates.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/plan_text.h"
#include "ui/base/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
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
#include <QTabWidget>
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
    m_results.resize(exporterTable().size());
    for (const ExporterRow& row : exporterTable())
        m_chosen.emplace_back(row.releases.front().name);
    for (std::size_t row = 0; row < m_results.size(); ++row)
        makeResult(row);

    setObjectName(QStringLiteral("exportDialog"));
    setWindowTitle(tr("Export %1").arg(m_title));
    resize(1040, 680);
    auto* middle = new QHBoxLayout;
    middle->setSpacing(12);
    middle->addWidget(makeTargets());
    auto* right = new QVBoxLayout;
    right->setSpacing(8);
    m_heading = new QLabel;
    m_heading->setFont(headingFont());
    m_release = new QComboBox;
    m_release->setObjectName(QStringLiteral("export.release"));
    m_release->setAccessibleName(tr("Release that the files are for"));
    m_release->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* head = new QHBoxLayout;
    head->addWidget(m_heading);
    head->addStretch(1);
    head->addWidget(new QLabel(tr("for")));
    head->addWidget(m_release);
    right->addLayout(head);
    m_pages = new QStackedWidget;
    m_pages->addWidget(makePreview());
    m_pages->addWidget(makeRefusals());
    m_tabs = new QTabWidget;
    m_tabs->setObjectName(QStringLiteral("export.tabs"));
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_pages, tr("Files"));
    m_tabs->addTab(makeMatrix(), tr("What formats can express"));
    right->addWidget(m_tabs, 1);
    connect(m_release, &QComboBox::activated, this, &ExportDialog::chooseRelease);
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
        auto* item = new QListWidgetItem(QString::fromUtf8(rows[i].label), m_targets);
        item->setData(Qt::UserRole, QString::fromUtf8(rows[i].format));
        item->setSizeHint({0, 28});
        showVerdict(static_cast<int>(i));
    }
    connect(m_targets, &QListWidget::currentRowChanged, this, &ExportDialog::showTarget);
    return m_targets;
}

QWidget* ExportDialog::makePreview() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 8, 0, 0);
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
    auto* copy = new QPushButton(icon(QStringLiteral("copy"), IconTone::Text2), tr("Co&py file"));
    copy->setObjectName(QStringLiteral("export.copy"));
    copy->setAccessibleName(tr("Copy the text of the file"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_files, 1);
    row->addWidget(copy, 0, Qt::AlignTop);
    column->addLayout(row);
    column->addWidget(m_text, 1);
    connect(m_files, &QListWidget::currentRowChanged, this, &ExportDialog::showFile);
    connect(copy, &QPushButton::clicked, this, &ExportDialog::copyFile);
    return page;
}

// A row a feature, a column a format: what the format allows, marked where this plan asks for more.
QWidget* ExportDialog::makeMatrix() {
    const std::vector<ExporterRow>& formats = exporterTable();
    const std::vector<CapabilityRow>& features = capabilityTable();
    m_matrix = new QTableWidget(static_cast<int>(features.size()), static_cast<int>(formats.size()));
    m_matrix->setObjectName(QStringLiteral("export.matrix"));
    m_matrix->setAccessibleName(tr("What each format can express"));
    m_matrix->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_matrix->setShowGrid(false);
    m_matrix->setWordWrap(false);
    m_matrix->setSelectionMode(QAbstractItemView::SingleSelection);
    for (int f = 0; f < m_matrix->rowCount(); ++f)
        m_matrix->setVerticalHeaderItem(
            f, new QTableWidgetItem(QString::fromUtf8(features[static_cast<std::size_t>(f)].label)));
    for (int t = 0; t < m_matrix->columnCount(); ++t) {
        const ExporterRow& row = formats[static_cast<std::size_t>(t)];
        m_matrix->setHorizontalHeaderItem(t, new QTableWidgetItem(QString::fromUtf8(row.label)));
        for (int f = 0; f < m_matrix->rowCount(); ++f) {
            const CapabilityRow& feature = features[static_cast<std::size_t>(f)];
            const std::vector<Refusal> refusals = refusalsOf(feature, row.capability, *m_problem, m_plan);
            auto* item = new QTableWidgetItem(q(feature.allowed(row.capability)));
            QStringList reasons;
            for (const Refusal& refusal : refusals)
                reasons.append(q(refusal.code + ", " + refusal.where + ": " + refusal.message));
            if (!refusals.empty()) {
                item->setIcon(icon(QStringLiteral("error"), IconTone::Err));
                item->setForeground(theme().err);
                item->setToolTip(reasons.join(QLatin1Char('\n')));
            }
            item->setData(Qt::AccessibleTextRole,
                          refusals.empty() ? item->text() : tr("%1, refused").arg(item->text()));
            m_matrix->setItem(f, t, item);
        }
    }
    m_matrix->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_matrix->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(m_matrix, &QTableWidget::currentCellChanged, this, [this](int, int column) {
        if (column >= 0)
            m_targets->setCurrentRow(column);
    });
    return m_matrix;
}

QWidget* ExportDialog::makeRefusals() {
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 8, 0, 0);
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
    m_offer = new QPushButton;
    m_offer->setObjectName(QStringLiteral("export.offer"));
    column->addWidget(head);
    column->addWidget(m_refusals, 1);
    column->addWidget(m_alternatives);
    column->addWidget(m_offer, 0, Qt::AlignLeft);
    connect(m_offer, &QPushButton::clicked, this, [this] {
        if (m_offered < 0)
            return;
        Q_EMIT offerTaken(m_offerIds[static_cast<std::size_t>(m_offered)],
                          m_targets->currentItem()->data(Qt::UserRole).toString());
        accept();
    });
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
    const auto at = static_cast<std::size_t>(m_targets->currentRow());
    m_release->clear();
    for (const ExportRelease& release : row.releases) {
        m_release->addItem(QString::fromUtf8(release.label), QString::fromUtf8(release.name));
        if (m_chosen[at] == release.name)
            m_release->setCurrentIndex(m_release->count() - 1);
    }
    m_release->setEnabled(row.releases.size() > 1);
    const int column = m_targets->currentRow();
    if (m_matrix->currentColumn() != column)
        m_matrix->setCurrentCell(std::max(0, m_matrix->currentRow()), column);
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
        QString reason = sentence(refusal.message);
        if (!reason.endsWith(QLatin1Char('.')))
            reason += QLatin1Char('.');
        QStringList trainers;
        for (const std::string& target : refusal.targets)
            trainers.append(QString::fromUtf8(exporterRow(target)->label));
        if (!trainers.isEmpty())
            reason += QLatin1Char(' ') + tr("Possible with %1.").arg(trainers.join(QStringLiteral(", ")));
        m_refusals->setItem(i, 2, new QTableWidgetItem(reason));
        m_refusals->item(i, 2)->setToolTip(reason);
    }
    QStringList others;
    for (std::size_t i = 0; i < m_results.size(); ++i)
        if (m_results[i].refusals.empty())
            others.append(QString::fromUtf8(exporterTable()[i].label));
    m_alternatives->setText(
        others.isEmpty() ? QString() : tr("Formats that can: %1").arg(others.join(QStringLiteral(", "))));
    m_pages->setCurrentIndex(result->refusals.empty() ? 0 : 1);
    showOffer();
    refreshExport();
}

void ExportDialog::makeResult(std::size_t row) {
    m_results[row] =
        makeExport(exporterTable()[row], {*m_problem, m_outcome, m_plan, m_evaluation, m_chosen[row]});
}

void ExportDialog::showVerdict(int row) {
    const ExportResult& result = m_results[static_cast<std::size_t>(row)];
    const bool refused = !result.refusals.empty();
    const QString verdict =
        refused ? tr("refused, %1").arg(q(result.refusals.front().code)) : tr("can express it");
    QListWidgetItem* item = m_targets->item(row);
    item->setIcon(refused ? icon(QStringLiteral("error"), IconTone::Err)
                          : icon(QStringLiteral("ok"), IconTone::Ok));
    item->setData(Qt::AccessibleTextRole, QStringLiteral("%1, %2").arg(item->text(), verdict));
    item->setToolTip(verdict);
    item->setForeground(refused ? theme().text2 : theme().text);
}

void ExportDialog::chooseRelease() {
    const int row = m_targets->currentRow();
    m_chosen[static_cast<std::size_t>(row)] = s(m_release->currentData().toString());
    makeResult(static_cast<std::size_t>(row));
    showVerdict(row);
    showTarget();
}

void ExportDialog::setOffers(const std::vector<Candidate>& plans) {
    m_offers.clear();
    m_offerIds.clear();
    for (const Candidate& candidate : plans)
        if (candidate.problem->hash() == m_problem->hash() && candidate.evaluation.feasible) {
            m_offers.push_back({candidate.plan, candidate.evaluation});
            m_offerIds.push_back(candidate.id);
        }
    showOffer();
}

void ExportDialog::showOffer() {
    m_offered = -1;
    const ExportResult* result = current();
    const bool refused = result && !result->refusals.empty();
    const auto row = static_cast<std::size_t>(std::max(0, m_targets->currentRow()));
    if (refused)
        if (const auto offer = bestRunnable(exporterTable()[row], m_chosen[row], *m_problem, m_offers,
                                            m_evaluation.iteration)) {
            m_offered = static_cast<int>(offer->index);
            m_offer->setText(offer->slower >= 0.0
                                 ? tr("Export the best plan that it takes instead: %1 % slower")
                                       .arg(100.0 * offer->slower, 0, 'f', 1)
                                 : tr("Export the best plan that it takes instead: %1 % faster")
                                       .arg(-100.0 * offer->slower, 0, 'f', 1));
        }
    m_offer->setVisible(m_offered >= 0);
}

void ExportDialog::copyFile() {
    const ExportResult* result = current();
    const int row = m_files->currentRow();
    if (!result || row < 0)
        return;
    const ExportFile& file = result->files[static_cast<std::size_t>(row)];
    QApplication::clipboard()->setText(q(file.text));
    report(tr("%1 copied").arg(q(file.name)), true);
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
