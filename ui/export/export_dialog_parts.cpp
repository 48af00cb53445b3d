// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/export_dialog.h"

#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/icons.h"
#include "ui/base/manual_link.h"
#include "ui/base/theme.h"
#include "ui/widgets/read_by_keys.h"

#include <QCheckBox>
#include <QDesktopServices>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStyledItemDelegate>
#include <QTableWidget>
#include <QTimer>
#include <QUrl>
#include <QVBoxLayout>

namespace pw {

// The parts that the export dialog is put together from.

namespace {

// The right half of a target's row: what the best plan here that it takes costs beside this one.
class CostDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        painter->save();
        painter->setFont(smallFont());
        painter->setPen(option.palette.color(QPalette::PlaceholderText));
        painter->drawText(option.rect.adjusted(0, 0, -10, 0), Qt::AlignRight | Qt::AlignVCenter,
                          index.data(ExportDialog::CostRole).toString());
        painter->restore();
    }
};

// Assistive tools select an entry and leave the current one where it is; mouse and keys move both.
void followSelection(QListWidget* list) {
    QObject::connect(
        list, &QListWidget::itemSelectionChanged, list,
        [list] {
            if (const QList<QListWidgetItem*> chosen = list->selectedItems(); chosen.size() == 1)
                list->setCurrentItem(chosen.front());
        },
        Qt::QueuedConnection); // the current entry follows the selection
}

// Which models a target takes that takes only some, by the shorter list; empty for one that takes every
// model.
QString modelsText(const Capability& capability) {
    QStringList taken, refused;
    for (unsigned t = 0; t < static_cast<unsigned>(ModelTrait::kCount); ++t) {
        const auto trait = static_cast<ModelTrait>(t);
        ((capability.models & traits({trait})) != 0 ? taken : refused) << QString::fromUtf8(words(trait));
    }
    if (refused.isEmpty())
        return {};
    return taken.size() < refused.size()
               ? ExportDialog::tr("Takes models that have nothing beside these:\n%1")
                     .arg(taken.join(QLatin1Char('\n')))
               : ExportDialog::tr("Takes all models but those that have one of these:\n%1")
                     .arg(refused.join(QLatin1Char('\n')));
}

// Of one row of the table, with what the target itself says against every plan of the problem.
std::vector<Refusal> matrixRefusals(const CapabilityRow& feature, const ExporterRow& row,
                                    const Problem& problem, const Plan& plan) {
    if (!feature.ofAnyPlan)
        return refusalsOf(feature, row.capability, problem, plan);
    std::vector<Refusal> refusals = questionRefusals(row, problem);
    std::erase_if(refusals, [&](const Refusal& refusal) { return refusal.code != feature.code; });
    return refusals;
}

} // namespace

QWidget* ExportDialog::makeTargets() {
    auto* left = new QWidget;
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    auto* heading = new QLabel(tr("Best plan here that it takes"));
    heading->setFont(smallFont());
    heading->setForegroundRole(QPalette::PlaceholderText);
    heading->setAlignment(Qt::AlignRight);
    heading->setContentsMargins(0, 0, 10, 0);
    column->addWidget(heading);
    m_targets = new QListWidget;
    m_targets->setItemDelegate(new CostDelegate(m_targets));
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
    followSelection(m_targets);
    column->addWidget(m_targets, 1);
    m_costing = new QTimer(this);
    m_costing->setSingleShot(true);
    m_costing->setInterval(0);
    connect(m_costing, &QTimer::timeout, this, &ExportDialog::lookForCost);
    return left;
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
    readByKeys(*m_text);
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
    followSelection(m_files);
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
            const std::vector<Refusal> refusals = matrixRefusals(feature, row, *m_problem, m_plan);
            auto* item = new QTableWidgetItem(q(feature.allowed(row.capability)));
            QStringList reasons;
            for (const Refusal& refusal : refusals)
                reasons.append(QStringLiteral("%1, %2").arg(q(refusal.code), errorText(refusal)));
            if (!refusals.empty()) {
                item->setIcon(icon(QStringLiteral("error"), IconTone::Err));
                item->setForeground(theme().err);
            }
            if (feature.key == std::string_view("model"))
                if (const QString models = modelsText(row.capability); !models.isEmpty())
                    reasons << models;
            item->setToolTip(reasons.join(QLatin1Char('\n')));
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
    m_refused =
        new QLabel(tr("Refused. This format cannot express %1. Nothing will be written.").arg(m_title));
    m_refused->setObjectName(QStringLiteral("export.refused"));
    m_refused->setFont(bodyFont(QFont::DemiBold));
    m_refused->setStyleSheet(
        QStringLiteral("color: %1; background: %2; padding: 6px 10px; border-left: 3px solid %1")
            .arg(theme().err.name(), theme().errGround.name()));
    m_refusals = new QTableWidget(0, 3);
    m_refusals->setObjectName(QStringLiteral("export.refusals"));
    m_refusals->setAccessibleName(tr("Why the format refuses the plan"));
    m_refusals->setHorizontalHeaderLabels({tr("Place"), tr("Code"), tr("Reason")});
    m_refusals->verticalHeader()->hide();
    m_refusals->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_refusals->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Interactive); // showTarget() fits it
    m_refusals->horizontalHeader()->setSectionResizeMode(2, QHeaderView::Stretch);
    m_refusals->setTextElideMode(Qt::ElideMiddle);
    m_refusals->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents); // reasons wrap
    m_refusals->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_refusals->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_refusals->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_refusals->setShowGrid(false);
    m_refusals->setWordWrap(true);
    linkMessages(m_refusals, 1);
    m_alternatives = new QLabel;
    m_alternatives->setObjectName(QStringLiteral("export.alternatives"));
    m_alternatives->setWordWrap(true);
    m_offer = new QPushButton;
    m_offer->setObjectName(QStringLiteral("export.offer"));
    column->addWidget(m_refused);
    column->addWidget(m_refusals, 1);
    column->addWidget(m_alternatives);
    m_never = new QLabel;
    m_never->setObjectName(QStringLiteral("export.never"));
    m_never->setTextFormat(Qt::PlainText);
    m_never->setWordWrap(true);
    column->addWidget(m_never);
    m_search = new QPushButton(icon(QStringLiteral("run"), IconTone::OnAccent), QString());
    m_search->setObjectName(QStringLiteral("export.search"));
    m_search->setProperty("primary", true);
    m_rename = new QPushButton(icon(QStringLiteral("node"), IconTone::OnAccent),
                               tr("Name the nodes as hosts can be called"));
    m_rename->setObjectName(QStringLiteral("export.rename"));
    m_rename->setProperty("primary", true);
    auto* ways = new QVBoxLayout; // each a sentence: beside each other they would widen the dialog
    ways->setSpacing(6);
    ways->addWidget(m_rename, 0, Qt::AlignLeft);
    ways->addWidget(m_search, 0, Qt::AlignLeft);
    ways->addWidget(m_offer, 0, Qt::AlignLeft);
    column->addLayout(ways);
    connect(m_rename, &QPushButton::clicked, this, [this] {
        Q_EMIT renameWanted(m_targets->currentItem()->data(Qt::UserRole).toString());
        accept();
    });
    connect(m_search, &QPushButton::clicked, this, [this] {
        Q_EMIT searchWanted(m_targets->currentItem()->data(Qt::UserRole).toString());
        reject();
    });
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
    auto* column = new QVBoxLayout(footer);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    m_replace = new QCheckBox;
    m_replace->setObjectName(QStringLiteral("export.replace"));
    m_replace->hide();
    column->addWidget(m_replace);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    column->addLayout(row);
    auto* label = new QLabel(tr("&Folder"));
    m_folder = new QLineEdit;
    m_folder->setObjectName(QStringLiteral("export.folder"));
    m_folder->setAccessibleName(tr("Folder to write to"));
    label->setBuddy(m_folder);
    auto* choose = new QPushButton(icon(QStringLiteral("folder"), IconTone::Text2), tr("Choose..."));
    choose->setObjectName(QStringLiteral("export.choose"));
    choose->setAccessibleName(tr("Choose the folder"));
    m_report = new QLabel;
    openLinks(m_report);
    m_report->setObjectName(QStringLiteral("export.report"));
    m_report->setWordWrap(true); // warnings are sentences
    m_report->hide();
    column->insertWidget(0, m_report);
    m_openFolder = new QPushButton(tr("Open folder"));
    m_openFolder->setObjectName(QStringLiteral("export.openFolder"));
    m_openFolder->hide(); // until something was written there
    connect(m_openFolder, &QPushButton::clicked, this,
            [this] { QDesktopServices::openUrl(QUrl::fromLocalFile(m_folder->text().trimmed())); });
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
    row->addWidget(m_openFolder);
    row->addWidget(m_export);
    row->addWidget(close);
    connect(choose, &QPushButton::clicked, this, &ExportDialog::chooseFolder);
    connect(m_folder, &QLineEdit::textChanged, this, &ExportDialog::refreshReplace);
    connect(m_folder, &QLineEdit::textEdited, this, [this] { m_ownFolder.clear(); });
    connect(m_replace, &QCheckBox::toggled, this, &ExportDialog::refreshExport);
    connect(m_export, &QPushButton::clicked, this, &ExportDialog::exportNow);
    connect(close, &QPushButton::clicked, this, &QDialog::reject);
    return footer;
}

} // namespace pw
