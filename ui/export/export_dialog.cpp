// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include "core/base/file.h"
#include "core/exchange/exports/export_set.h"

#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/icons.h"
#include "ui/base/manual_link.h"
#include "ui/base/theme.h"
#include "ui/session/candidates.h"
#include "ui/session/plan_text.h"
#include "ui/widgets/alert.h"
#include "ui/widgets/file_dialogs.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableWidget>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

namespace {

constexpr qsizetype kPreviewLimit = 200'000; // characters; a trace may have millions
constexpr int kWidestPlace = 28;             // characters of a refusal's place
constexpr qsizetype kNamesShown = 4;         // of files that are there already

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
    auto* release = new QLabel(tr("for"));
    release->setAccessibleName(m_release->accessibleName()); // a list is heard by its label and its value
    release->setBuddy(m_release);
    head->addWidget(release);
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
    m_warning = new QLabel;
    m_warning->setObjectName(QStringLiteral("export.warning"));
    m_warning->setTextFormat(Qt::PlainText);
    m_warning->setWordWrap(true);
    m_warning->hide();
    m_announcer = new Announcer(this);
    column->addWidget(m_warning);
    column->addLayout(middle, 1);
    column->addWidget(makeFooter());
    m_ownFolder = QDir(QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation))
                      .filePath(QStringLiteral("plan-%1").arg(candidate.name));
    int first = 0;
    while (first < m_targets->count() && !(exporterTable()[static_cast<std::size_t>(first)].trainer &&
                                           m_results[static_cast<std::size_t>(first)].refusals.empty()))
        ++first;
    m_targets->setCurrentRow(first < m_targets->count() ? first : 0);
}

ExportDialog::~ExportDialog() = default;

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
    m_report->hide();
    m_openFolder->hide();
    if (!m_ownFolder.isEmpty()) // of two trainers some files have one name
        m_folder->setText(QStringLiteral("%1-%2").arg(m_ownFolder, QString::fromUtf8(row.format)));
    m_files->clear();
    for (const ExportFile& file : result->files)
        m_files->addItem(q(file.name));
    m_files->setFixedHeight(qBound(30, 22 * m_files->count() + 6, 112));
    m_files->setCurrentRow(0);
    const std::vector<Refusal> refusals = saidOnce(result->refusals); // a fault of all stages in one line
    m_refusals->setRowCount(static_cast<int>(refusals.size()));
    for (int i = 0; i < m_refusals->rowCount(); ++i) {
        const Refusal& refusal = refusals[static_cast<std::size_t>(i)];
        m_refusals->setItem(i, 0, new QTableWidgetItem(q(refusal.where)));
        m_refusals->item(i, 0)->setToolTip(q(refusal.where));
        auto* code = new QTableWidgetItem(q(refusal.code));
        code->setForeground(theme().accent);
        QFont link = m_refusals->font();
        link.setUnderline(true);
        code->setFont(link);
        code->setToolTip(explainText(refusal.code));
        m_refusals->setItem(i, 1, code);
        QString reason = sentence(refusal);
        if (!reason.endsWith(QLatin1Char('.')))
            reason += QLatin1Char('.');
        QStringList trainers;
        for (const std::string& target : refusal.targets)
            trainers.append(QString::fromUtf8(exporterRow(target)->label));
        if (!trainers.isEmpty())
            reason += QLatin1Char(' ') + tr("Possible with %1.").arg(trainers.join(QStringLiteral(", ")));
        m_refusals->setItem(i, 2, new QTableWidgetItem(reason));
        m_refusals->item(i, 2)->setToolTip(reason);
        for (int cell = 0; cell < m_refusals->columnCount(); ++cell)
            m_refusals->item(i, cell)->setData(kMessageCodeRole, q(refusal.code));
    }
    m_refusals->resizeColumnToContents(0); // a long name leaves the reason its room
    m_refusals->setColumnWidth(
        0, std::min(m_refusals->columnWidth(0), kWidestPlace * m_refusals->fontMetrics().averageCharWidth()));
    QStringList others;
    for (std::size_t i = 0; i < m_results.size(); ++i)
        if (m_results[i].refusals.empty())
            others.append(QString::fromUtf8(exporterTable()[i].label));
    m_alternatives->setText(
        others.isEmpty() ? QString() : tr("Formats that can: %1").arg(others.join(QStringLiteral(", "))));
    m_pages->setCurrentIndex(result->refusals.empty() ? 0 : 1);
    if (result->refusals.empty())
        m_announcer->forget();
    else if (isVisible()) // else it is said as the dialog opens
        m_announcer->say(m_refused->text());
    showOffer();
    refreshReplace();
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
    const QString cost = item->data(CostWordsRole).toString();
    const QString whole = cost.isEmpty() ? verdict : QStringLiteral("%1, %2").arg(verdict, cost);
    item->setData(Qt::AccessibleTextRole, QStringLiteral("%1, %2").arg(item->text(), whole));
    item->setToolTip(whole);
    item->setForeground(refused ? theme().text2 : theme().text);
}

void ExportDialog::chooseRelease() {
    const int row = m_targets->currentRow();
    m_chosen[static_cast<std::size_t>(row)] = s(m_release->currentData().toString());
    makeResult(static_cast<std::size_t>(row));
    showVerdict(row);
    if (m_costRow >= row) { // is looked for anew
        m_costRow = row;
        m_costPlan = 0;
        m_costing->start();
    }
    showTarget();
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

const ExporterRow* ExportDialog::chosenRow() const {
    const int row = m_targets->currentRow();
    return row < 0 ? nullptr : &exporterTable()[static_cast<std::size_t>(row)];
}

QStringList ExportDialog::filesInTheWay() const {
    QStringList found;
    const ExportResult* result = current();
    const QString folder = m_folder->text().trimmed();
    if (result && !folder.isEmpty())
        for (const ExportFile& file : result->files)
            if (const QFileInfo there(QDir(folder).filePath(q(file.name))); there.exists()) {
                const Written own = m_written.value(there.filePath());
                if (own.left != there.lastModified() || own.row != chosenRow())
                    found.append(q(file.name));
            }
    return found;
}

// What is there already is replaced only once that was agreed to, for these files.
void ExportDialog::refreshReplace() {
    const QStringList found = filesInTheWay();
    if (found != m_inTheWay)
        m_replace->setChecked(false);
    m_inTheWay = found;
    for (int row = 0; row < m_files->count(); ++row) {
        QListWidgetItem* item = m_files->item(row);
        const bool there = found.contains(item->text());
        const bool written =
            !there && m_written.contains(QDir(m_folder->text().trimmed()).filePath(item->text()));
        item->setIcon(there     ? icon(QStringLiteral("warning"), IconTone::Warn)
                      : written ? icon(QStringLiteral("ok"), IconTone::Ok)
                                : QIcon());
        item->setToolTip(there ? tr("is in the folder already") : written ? tr("written") : QString());
        item->setData(Qt::AccessibleTextRole, there ? tr("%1, exists").arg(item->text()) : item->text());
    }
    const QString names = found.mid(0, kNamesShown).join(QStringLiteral(", "));
    const QString text = found.size() == 1 ? tr("&Replace %1, which is in the folder already").arg(names)
                         : found.size() > kNamesShown
                             ? tr("&Replace %1 and %2 more, which are in the folder already")
                                   .arg(names)
                                   .arg(found.size() - kNamesShown)
                             : tr("&Replace %1, which are in the folder already").arg(names);
    m_replace->setText(text);
    m_replace->setAccessibleName(QString(text).remove(QLatin1Char('&')));
    m_replace->setToolTip(found.join(QLatin1Char('\n')));
    m_replace->setVisible(!found.isEmpty());
    refreshExport();
}

void ExportDialog::refreshExport() {
    const ExportResult* result = current();
    const bool agreed = m_inTheWay.isEmpty() || m_replace->isChecked();
    m_export->setEnabled(result && result->refusals.empty() && !m_folder->text().trimmed().isEmpty() &&
                         agreed);
    m_export->setToolTip(agreed ? QString() : tr("Waits for the tick to replace files"));
}

void ExportDialog::setProject(const QString& name, const QStringList& warnings) {
    const QFileInfo offered(m_ownFolder);
    m_ownFolder = offered.dir().filePath(QStringLiteral("%1-%2").arg(name, offered.fileName()));
    showTarget();
    m_warning->setStyleSheet(coloured(theme().warn));
    m_warning->setText(warnings.join(QLatin1Char('\n')));
    m_warning->setVisible(!warnings.isEmpty());
    setAccessibleDescription(warnings.join(QLatin1Char(' ')));
}

// What stands there in colour and has no focus.
void ExportDialog::showEvent(QShowEvent* event) {
    QDialog::showEvent(event);
    QStringList said;
    if (const ExportResult* result = current(); result && !result->refusals.empty())
        said << m_refused->text();
    if (!accessibleDescription().isEmpty())
        said << accessibleDescription();
    if (!said.isEmpty())
        m_announcer->say(said.join(QLatin1Char(' ')));
}

void ExportDialog::setFolder(const QString& folder) {
    m_ownFolder.clear();
    m_folder->setText(folder);
}

void ExportDialog::selectFormat(const QString& format) {
    for (int row = 0; row < m_targets->count(); ++row)
        if (m_targets->item(row)->data(Qt::UserRole).toString() == format)
            m_targets->setCurrentRow(row);
}

void ExportDialog::chooseFolder() {
    const QString chosen =
        askForFolder(this, QStringLiteral("export"), tr("Export to"), m_folder->text().trimmed());
    if (!chosen.isEmpty())
        setFolder(chosen);
}

void ExportDialog::exportNow() {
    const ExporterRow& row = exporterTable()[static_cast<std::size_t>(m_targets->currentRow())];
    const QString folder = m_folder->text().trimmed();
    if (filesInTheWay() != m_inTheWay) { // while the dialog stood open
        refreshReplace();
        return report(tr("The folder has changed. Nothing was written."), false);
    }
    if (const std::error_code problem = makeFolders(s(QDir::cleanPath(folder))))
        return report(tr("%1 cannot be made: %2.").arg(folder, q(problem.message())), false);
    if (const Status written =
            writeExport(row, *current(), s(folder), m_inTheWay.isEmpty() ? Replace::Unchanged : Replace::All);
        !written)
        return report(errorText(written.error()), false, written.error().code);
    for (const ExportFile& file : current()->files)
        if (const QFileInfo made(QDir(folder).filePath(q(file.name))); made.exists())
            m_written[made.filePath()] = {made.lastModified(), &row};
    refreshReplace();
    m_openFolder->show();
    const auto count = current()->files.size();
    const QLatin1String manifest(kExportManifest);
    QString done =
        count == 1
            ? tr("1 file written, and %1, which says of which plan it is").arg(manifest)
            : tr("%1 files written, and %2, which says of which plan they are").arg(count).arg(manifest);
    for (const Diagnostic& note : current()->notes)
        done += QLatin1Char('\n') + errorText(note);
    report(done, true);
}

void ExportDialog::report(const QString& text, bool good, std::string_view code) {
    m_report->setStyleSheet(coloured(good ? theme().ok : theme().err));
    m_report->setText(text.toHtmlEscaped().replace(QLatin1Char('\n'), QStringLiteral("<br>")) +
                      explainLink(code));
    m_report->show();
    Q_EMIT reported(m_folder->text().trimmed(), text, good);
}

} // namespace pw
