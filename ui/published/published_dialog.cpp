// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/published/published_dialog.h"

#include "core/base/file.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/published/published_table_model.h"
#include "ui/published/published_text.h"
#include "ui/widgets/alert.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/file_dialogs.h"
#include "ui/widgets/message_bar.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

namespace {

constexpr int kMargin = 12; // pixels, as all of these
constexpr int kListWidth = 482, kNotesHeight = 130;
constexpr int kCaseRole = Qt::UserRole; // index of the case; none: the whole paper
enum ListColumn { Name, Gpus, ModelName, Figures, ListColumns };

QLabel* plainLabel(const char* name, bool quiet) {
    auto* label = new QLabel;
    label->setObjectName(QLatin1String(name));
    label->setTextFormat(Qt::PlainText); // of files
    label->setWordWrap(true);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse); // by keyboard each would be a stop of Tab
    if (quiet)
        label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

qsizetype publishedFigures(const PublishedCase& one) {
    return std::count_if(one.rows.begin(), one.rows.end(),
                         [](const PublishedRow& row) { return row.published.has_value(); });
}

} // namespace

PublishedDialog::PublishedDialog(QWidget* parent)
    : QDialog(parent), m_model(new PublishedTableModel(m_predictions, this)), m_message(new MessageBar),
      m_announcer(new Announcer) {
    setObjectName(QStringLiteral("publishedDialog"));
    setWindowTitle(tr("Published cases"));
    resize(1180, 660);
    auto* both = new QSplitter;
    both->setChildrenCollapsible(false);
    both->addWidget(makeList());
    both->addWidget(makeTable());
    both->setStretchFactor(1, 1);
    both->setSizes({kListWidth, 1180 - kListWidth});
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_message);
    column->addWidget(both, 1);
    column->addWidget(makeButtons());
    connect(&m_predictions, &PublishedPredictions::started, this, &PublishedDialog::refresh);
    connect(&m_predictions, &PublishedPredictions::progressed, this, &PublishedDialog::refresh);
    connect(&m_predictions, &PublishedPredictions::finished, this, [this] {
        refresh();
        if (m_predictions.failure())
            m_message->setError(tr("Not computed."), *m_predictions.failure());
        else
            m_announcer->say(stateText());
    });
    Result<std::vector<PublishedPaper>> papers = publishedPapers();
    if (!papers)
        m_message->setError(tr("The published cases were not read."), papers.error());
    else
        for (PublishedPaper& paper : *papers)
            addPaper(std::make_shared<const PublishedPaper>(std::move(paper)), {});
    if (QTreeWidgetItem* first = m_list->topLevelItem(0); first && first->childCount() > 0)
        m_list->setCurrentItem(first->child(0));
    refresh();
}

QWidget* PublishedDialog::makeList() {
    m_list = new QTreeWidget;
    m_list->setObjectName(QStringLiteral("published.cases"));
    m_list->setAccessibleName(tr("Papers and their cases"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setUniformRowHeights(true);
    m_list->setIndentation(14);
    m_list->setColumnCount(ListColumns);
    m_list->setHeaderLabels({tr("Paper and case"), tr("GPUs"), tr("Model"), tr("Figures")});
    m_list->headerItem()->setToolTip(Figures, tr("How many of the rows have a published figure."));
    for (const int column : {Gpus, Figures})
        m_list->headerItem()->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    QHeaderView* header = m_list->header();
    header->setStretchLastSection(false);
    header->setSectionResizeMode(Name, QHeaderView::Stretch);
    header->resizeSection(Gpus, 48);
    header->resizeSection(ModelName, 88);
    header->resizeSection(Figures, 64);
    offerRowMenu(m_list, "published cases");
    connect(m_list, &QTreeWidget::currentItemChanged, this, &PublishedDialog::choose);
    connect(m_list, &QTreeWidget::itemActivated, this, [this] {
        if (m_open->isEnabled())
            openChosen();
    });
    return m_list;
}

QWidget* PublishedDialog::makeTable() {
    m_title = plainLabel("published.title", false);
    m_title->setFont(headingFont());
    m_source = plainLabel("published.source", true);
    m_case = plainLabel("published.case", false);
    auto* legend = plainLabel("published.legend", true);
    legend->setText(tr("Published: the authors' figure, never this program's. ∴ Predicted: this program's, "
                       "from estimates. Same: within %1 %, and of a gain at least half.")
                        .arg(100.0 * kSameFigure));
    m_table = new QTableView;
    m_table->setObjectName(QStringLiteral("published.table"));
    m_table->setAccessibleName(tr("Published and predicted figures"));
    m_table->setModel(m_model);
    quietTable(m_table, 22);
    m_table->setAlternatingRowColors(true);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->setTextElideMode(Qt::ElideRight);
    QHeaderView* header = m_table->horizontalHeader();
    header->resizeSection(PublishedTableModel::Case, 176);
    header->resizeSection(PublishedTableModel::Quantity, 208);
    header->resizeSection(PublishedTableModel::Published, 104);
    header->resizeSection(PublishedTableModel::Predicted, 104);
    header->resizeSection(PublishedTableModel::Same, 60);
    header->resizeSection(PublishedTableModel::Standing, 88);
    header->setStretchLastSection(true);
    offerRowMenu(m_table, "published figures");
    connect(&ThemeControl::instance(), &ThemeControl::changed, m_table->viewport(),
            qOverload<>(&QWidget::update));
    m_notes = new QPlainTextEdit;
    m_notes->setObjectName(QStringLiteral("published.notes"));
    m_notes->setAccessibleName(tr("What was assumed, and why figures differ"));
    m_notes->setReadOnly(true);
    m_notes->setTabChangesFocus(true);
    m_notes->setFrameShape(QFrame::NoFrame);
    auto* halves = new QSplitter(Qt::Vertical);
    halves->setChildrenCollapsible(false);
    halves->addWidget(m_table);
    halves->addWidget(m_notes);
    halves->setStretchFactor(0, 1);
    halves->setSizes({400, kNotesHeight});
    auto* page = new QWidget;
    auto* head = new QVBoxLayout;
    head->setContentsMargins(kMargin, 8, kMargin, 8);
    head->setSpacing(4);
    for (QLabel* label : {m_title, m_source, m_case, legend})
        head->addWidget(label);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(halves, 1);
    return page;
}

QWidget* PublishedDialog::makeButtons() {
    m_state = plainLabel("published.state", true);
    m_progress = new QProgressBar;
    m_progress->setObjectName(QStringLiteral("published.progress"));
    m_progress->setAccessibleName(tr("Rows predicted"));
    m_progress->setTextVisible(false);
    m_progress->setFixedHeight(4);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    const auto add = [&](const char* name, const char* symbol, const QString& text) {
        QPushButton* button = buttons->addButton(text, QDialogButtonBox::ActionRole);
        button->setObjectName(QLatin1String(name));
        button->setIcon(icon(QLatin1String(symbol)));
        button->setAutoDefault(false); // Enter in the list opens the case
        return button;
    };
    m_compute = add("published.compute", "run", tr("Com&pute"));
    m_compute->setToolTip(tr("Predicts the rows of the chosen case, or of all cases of the chosen paper."));
    m_cancel = add("published.cancel", "stop", tr("&Cancel"));
    m_cancel->setToolTip(tr("Ends the prediction. Rows that are predicted stay."));
    m_open = add("published.open", "open", tr("&Open as project"));
    QPushButton* file = add("published.file", "folder", tr("Add &file..."));
    file->setToolTip(tr("Reads published figures of your own, a file in the form of those that ship."));
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    connect(m_compute, &QPushButton::clicked, this, [this] {
        m_message->clear();
        m_predictions.compute(choice());
    });
    connect(m_cancel, &QPushButton::clicked, &m_predictions, &PublishedPredictions::cancel);
    connect(m_open, &QPushButton::clicked, this, &PublishedDialog::openChosen);
    connect(file, &QPushButton::clicked, this, &PublishedDialog::askForFile);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* foot = new QWidget;
    auto* column = new QVBoxLayout(foot);
    column->setContentsMargins(kMargin, 8, kMargin, 8);
    column->setSpacing(6);
    auto* said = new QHBoxLayout;
    said->addWidget(m_state, 1);
    said->addWidget(m_announcer);
    column->addWidget(m_progress);
    column->addLayout(said);
    column->addWidget(buttons);
    return foot;
}

QTreeWidgetItem* PublishedDialog::addPaper(PublishedPaperPtr paper, const QString& file) {
    auto* item = new QTreeWidgetItem(
        m_list, {tr("%1: %2", "name and title of a paper").arg(q(paper->name), q(paper->title))});
    item->setToolTip(Name, item->text(Name));
    item->setFirstColumnSpanned(true);
    for (std::size_t c = 0; c < paper->cases.size(); ++c) {
        const PublishedCase& one = paper->cases[c];
        auto* child = new QTreeWidgetItem(item);
        child->setText(Name, q(one.name));
        child->setText(Gpus, one.cluster ? countText(one.cluster->gpuCount()) : QString());
        child->setText(ModelName, one.model ? q(one.model->name) : QString());
        child->setText(Figures, tr("%1 of %2").arg(publishedFigures(one)).arg(one.rows.size()));
        for (const int column : {Gpus, Figures})
            child->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        child->setToolTip(Name, child->text(Name));
        child->setToolTip(ModelName, child->text(ModelName));
        child->setData(Name, kCaseRole, static_cast<int>(c));
    }
    item->setExpanded(true);
    m_papers.push_back({file, std::move(paper)});
    return item;
}

bool PublishedDialog::addFile(const QString& path) {
    const Result<std::string> text = readFile(s(path));
    Result<PublishedPaper> paper =
        text ? readPublishedPaper(*text, s(path)) : Result<PublishedPaper>(text.error());
    if (!paper) {
        m_message->setError(tr("%1 was not read.").arg(QFileInfo(path).fileName()), paper.error());
        return false;
    }
    m_message->clear();
    const QString file = QFileInfo(path).absoluteFilePath();
    const QSignalBlocker quiet(m_list); // while list and papers are not the same
    const auto before = std::find_if(m_papers.begin(), m_papers.end(),
                                     [&](const Listed& listed) { return listed.file == file; });
    if (before != m_papers.end()) {
        const auto row = before - m_papers.begin();
        m_papers.erase(before);
        delete m_list->takeTopLevelItem(static_cast<int>(row));
    }
    QTreeWidgetItem* item = addPaper(std::make_shared<const PublishedPaper>(*std::move(paper)), file);
    m_list->setCurrentItem(item);
    m_list->scrollToItem(item, QAbstractItemView::PositionAtTop);
    choose();
    return true;
}

void PublishedDialog::askForFile() {
    const QString path = pw::askForFile(this, QStringLiteral("published"), tr("Add published figures"),
                                        tr("Published figures (*.json);;All files (*)"));
    if (!path.isEmpty())
        addFile(path);
}

PublishedChoice PublishedDialog::choice() const {
    QTreeWidgetItem* item = m_list->currentItem();
    if (!item)
        return {};
    const int row = m_list->indexOfTopLevelItem(item->parent() ? item->parent() : item);
    if (row < 0 || static_cast<std::size_t>(row) >= m_papers.size())
        return {};
    PublishedChoice chosen{m_papers[static_cast<std::size_t>(row)].paper, std::nullopt};
    if (item->parent())
        chosen.only = static_cast<std::size_t>(item->data(Name, kCaseRole).toInt());
    return chosen;
}

const PublishedCase* PublishedDialog::chosenCase() const {
    const PublishedChoice chosen = choice();
    return chosen.only ? chosen.cases().front() : nullptr; // the paper is among m_papers
}

void PublishedDialog::choose() {
    const PublishedChoice chosen = choice();
    m_model->setChoice(chosen);
    m_table->setColumnHidden(PublishedTableModel::Case, chosen.only.has_value());
    refresh();
}

void PublishedDialog::openChosen() {
    const PublishedChoice chosen = choice();
    if (m_opening || !chosen.only)
        return;
    const Result<PublishedProject> made = projectOf(*chosen.paper, *chosen.cases().front());
    if (!made)
        return m_message->setError(tr("%1 was not opened.").arg(q(chosen.cases().front()->name)),
                                   made.error());
    const QScopedValueRollback opening(m_opening, true);
    Q_EMIT openRequested(*made);
}

void PublishedDialog::reject() {
    m_predictions.cancel();
    QDialog::reject();
}

QString PublishedDialog::stateText() const {
    const PublishedChoice chosen = choice();
    if (m_predictions.isRunning())
        return tr("Predicting: %1 of %2 rows.").arg(m_predictions.done()).arg(m_predictions.total());
    const std::size_t rows = chosen.rowCount(), made = m_predictions.countOf(chosen);
    if (made == 0)
        return tr("%1 rows, none predicted yet.").arg(rows);
    if (m_predictions.wasCancelled() && m_predictions.latest() == chosen)
        return tr("Cancelled: %1 of %2 rows are predicted.").arg(made).arg(rows);
    return tr("%1 of %2 rows are predicted.").arg(made).arg(rows);
}

void PublishedDialog::refresh() {
    const PublishedChoice chosen = choice();
    const PublishedCase* one = chosenCase();
    const bool running = m_predictions.isRunning();
    m_title->setText(chosen.paper ? q(chosen.paper->title) : QString());
    if (chosen.paper)
        m_source->setText(
            chosen.paper->open.empty()
                ? tr("Published in %1.").arg(q(chosen.paper->source))
                : tr("Published in %1. Not public: %2.").arg(q(chosen.paper->source), q(chosen.paper->open)));
    m_case->setText(one ? publishedCaseText(*one) : QString());
    m_case->setVisible(one != nullptr);
    if (const QString text = publishedNotes(chosen, m_model->predicted()); text != m_notes->toPlainText())
        m_notes->setPlainText(text);
    m_progress->setRange(0, static_cast<int>(std::max<std::size_t>(1, m_predictions.total())));
    m_progress->setValue(running ? static_cast<int>(m_predictions.done()) : 0);
    m_state->setText(stateText());
    m_compute->setEnabled(chosen.paper && !running && m_predictions.countOf(chosen) < chosen.rowCount());
    m_cancel->setEnabled(running);
    const bool opens = one && one->cluster && one->model && one->recipe;
    m_open->setEnabled(opens);
    m_open->setToolTip(opens
                           ? tr("Opens cluster, model and training as a new project, with the authors' plans "
                                "as far as they are published. The search asks the case's planner.")
                       : one ? tr("The case has no cluster, model and training of its own.")
                             : tr("Choose a case."));
}

} // namespace pw
