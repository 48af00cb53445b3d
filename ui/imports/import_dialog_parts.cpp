// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/imports/import_dialog.h"

#include "core/exchange/imports/import_table.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/app_context.h"
#include "ui/commands/context_menu.h"
#include "ui/imports/file_kinds.h"
#include "ui/imports/import_job.h"
#include "ui/imports/import_notes.h"
#include "ui/imports/import_questions.h"
#include "ui/imports/source_pane.h"
#include "ui/imports/store_job.h"
#include "ui/profiles/fit_plot.h"
#include "ui/session/document.h"
#include "ui/widgets/alert.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QComboBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTableWidget>
#include <QTimer>
#include <QVBoxLayout>

namespace pw {

namespace {

constexpr int kPaceMs = 100;
constexpr int kMostPlots = 6; // tabs; a trace may have timed hundreds
constexpr int kFileRows = 4;  // that are seen at once
constexpr int kRowHeight = 22, kHeaderHeight = 26;
constexpr int kAskedWidth = 292;

QLabel* wrapped(const QFont& font, bool quiet) {
    auto* label = new QLabel;
    label->setFont(font);
    label->setWordWrap(true);
    if (quiet)
        label->setForegroundRole(QPalette::PlaceholderText);
    return label;
}

} // namespace

ImportDialog::ImportDialog(const AppContext& app, const QString& storePath, QWidget* parent)
    : QDialog(parent), m_app(app), m_storePath(storePath), m_job(new ImportJob(this)),
      m_storing(new StoreJob(this)), m_pace(new QTimer(this)), m_bar(new MessageBar(this)),
      m_pages(new QStackedWidget), m_empty(new EmptyState(QStringLiteral("drop"))) {
    setObjectName(QStringLiteral("importDialog"));
    setWindowTitle(tr("Import"));
    setAccessibleName(windowTitle());
    setAcceptDrops(true);
    resize(1080, 700);
    m_empty->setObjectName(QStringLiteral("import.empty"));
    m_empty->setText(tr("Drop files here"),
                     tr("Models, machines, measured layers and links, traces, training logs, and the plans "
                        "of trainers. Files "
                        "that complete one another, as those of Slurm, come together."));
    m_empty->setButton(tr("Choose files\u2026"), QStringLiteral("folder"), true);
    m_empty->button()->setObjectName(QStringLiteral("import.choose"));
    connect(m_empty, &EmptyState::clicked, this, &ImportDialog::chooseFiles);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(8);
    column->addWidget(makeFiles());
    column->addWidget(makeMiddle(), 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(12, 12, 12, 12);
    all->setSpacing(8);
    all->addWidget(m_bar);
    all->addWidget(m_pages, 1);
    all->addWidget(makeFooter());

    m_pace->setInterval(kPaceMs);
    connect(m_pace, &QTimer::timeout, this, &ImportDialog::refreshState);
    connect(m_job, &ImportJob::finished, this, &ImportDialog::showReading);
    connect(m_storing, &StoreJob::finished, this, [this](const Status& stored) {
        m_pace->stop();
        if (stored)
            return finish();
        m_bar->setError(tr("Not stored."), stored.error());
        refreshState();
    });
    connect(m_questions, &ImportQuestions::changed, this, &ImportDialog::refreshOffer);
    connect(m_questions, &ImportQuestions::readAgain, this, &ImportDialog::startReading,
            Qt::QueuedConnection); // the form is made anew
    connect(m_notes, &ImportNotes::placeRequested, this, &ImportDialog::showPlace);
    connect(m_bar, &MessageBar::actionClicked, this, &ImportDialog::followBar);
    refreshState();
}

ImportDialog::~ImportDialog() = default;

QWidget* ImportDialog::makeFiles() {
    auto* head = new QWidget;
    m_files = new QTableWidget(0, 3);
    m_files->setObjectName(QStringLiteral("import.files"));
    m_files->setAccessibleName(tr("Files"));
    m_files->setHorizontalHeaderLabels({tr("File"), tr("Kind"), tr("What it says")});
    m_files->verticalHeader()->hide();
    m_files->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_files->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_files->horizontalHeader()->setHighlightSections(false);
    m_files->horizontalHeader()->setStretchLastSection(true);
    m_files->setColumnWidth(0, 240);
    m_files->setColumnWidth(1, 230);
    m_files->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_files->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_files->setSelectionMode(QAbstractItemView::ExtendedSelection);
    m_files->setShowGrid(false);
    m_files->setWordWrap(false);
    m_files->setTabKeyNavigation(false);
    m_files->setTextElideMode(Qt::ElideMiddle);
    connect(m_files, &QTableWidget::cellClicked, this, [this](int row, int) {
        if (m_reading && row < static_cast<int>(m_reading->files.size()))
            m_source->showFile(m_reading->files[static_cast<std::size_t>(row)].path);
    });
    auto* remove = new QAction(icon(QStringLiteral("remove")), tr("&Remove"), m_files);
    remove->setObjectName(QStringLiteral("import.remove"));
    remove->setShortcut(QKeySequence::Delete);
    remove->setShortcutContext(Qt::WidgetShortcut);
    connect(remove, &QAction::triggered, this, &ImportDialog::removeFiles);
    m_remove = new QPushButton(icon(QStringLiteral("remove")), tr("&Remove"));
    m_remove->setObjectName(QStringLiteral("import.removeFiles"));
    m_remove->setAccessibleName(tr("Remove files"));
    connect(m_remove, &QPushButton::clicked, this, &ImportDialog::removeFiles);
    connect(m_files, &QTableWidget::itemSelectionChanged, this, &ImportDialog::refreshRemoval);
    m_files->addAction(remove);
    offerRowMenu(m_files, "import files", [remove](QMenu& menu) { menu.addAction(remove); });
    m_kind = new QComboBox;
    m_kind->setObjectName(QStringLiteral("import.kind"));
    m_kind->setAccessibleName(tr("Kind of the files"));
    m_kind->addItem(tr("Kind by content"), QString());
    for (const ImporterRow& row : importerTable())
        m_kind->addItem(importKindLabel(QLatin1String(row.kind)), QLatin1String(row.kind));
    m_kind->addItem(importKindLabel(QLatin1String(kTrainingLogKind)), QLatin1String(kTrainingLogKind));
    for (const OwnFileKind& own : ownFileKinds())
        m_kind->addItem(importKindLabel(QLatin1String(own.kind)), QLatin1String(own.kind));
    m_kind->setMaxVisibleItems(24);
    connect(m_kind, &QComboBox::activated, this, [this] {
        m_request.kind = m_kind->currentData().toString();
        startReading();
    });
    auto* add = new QPushButton(icon(QStringLiteral("plus")), tr("&Add files\u2026"));
    add->setObjectName(QStringLiteral("import.add"));
    add->setAccessibleName(tr("Add files"));
    connect(add, &QPushButton::clicked, this, &ImportDialog::chooseFiles);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    buttons->addWidget(add);
    buttons->addWidget(m_remove);
    buttons->addStretch(1);
    auto* side = new QVBoxLayout;
    side->setSpacing(8);
    side->addWidget(m_kind);
    side->addLayout(buttons);
    side->addStretch(1);
    m_kind->setFixedWidth(kAskedWidth);
    auto* row = new QHBoxLayout(head);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    row->addWidget(m_files, 1);
    row->addLayout(side);
    return head;
}

QWidget* ImportDialog::makeMiddle() {
    m_heading = new ElidedLabel;
    m_heading->setObjectName(QStringLiteral("import.heading"));
    m_heading->setFont(headingFont());
    m_figures = new ElidedLabel;
    m_figures->setObjectName(QStringLiteral("import.figures"));
    m_tabs = new QTabWidget;
    m_tabs->setObjectName(QStringLiteral("import.tabs"));
    m_tabs->setDocumentMode(true);
    m_source = new SourcePane;
    m_tabs->addTab(m_source, tr("File"));
    m_notes = new ImportNotes;
    offerRowMenu(m_notes, "messages", m_app.commands);
    auto* top = new QWidget;
    auto* column = new QVBoxLayout(top);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_heading);
    column->addWidget(m_figures);
    column->addWidget(m_tabs, 1);
    auto* split = new QSplitter(Qt::Vertical);
    split->setObjectName(QStringLiteral("import.split"));
    split->addWidget(top);
    split->addWidget(m_notes);
    split->setChildrenCollapsible(false);
    split->setHandleWidth(8);
    split->setSizes({340, 132});
    split->setStretchFactor(0, 1);

    m_asked = wrapped(headingFont(), false);
    m_asked->setText(tr("What no file says"));
    m_questions = new ImportQuestions;
    m_happens = wrapped(bodyFont(), true);
    m_happens->setObjectName(QStringLiteral("import.happens"));
    m_announcer = new Announcer(this);
    auto* form = new QWidget;
    auto* side = new QVBoxLayout(form);
    side->setContentsMargins(0, 0, 0, 0);
    side->setSpacing(8);
    side->addWidget(m_happens);
    side->addWidget(m_asked);
    side->addWidget(m_questions);
    side->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setObjectName(QStringLiteral("import.scroll"));
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(form);
    scroll->setFixedWidth(kAskedWidth);
    scroll->viewport()->setAutoFillBackground(false);
    form->setAutoFillBackground(false);
    auto* middle = new QWidget;
    auto* row = new QHBoxLayout(middle);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    row->addWidget(split, 1);
    row->addWidget(scroll);
    return middle;
}

QWidget* ImportDialog::makeFooter() {
    auto* footer = new QWidget;
    m_progress = new QProgressBar;
    m_progress->setObjectName(QStringLiteral("import.progress"));
    m_progress->setAccessibleName(tr("Progress"));
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(180);
    m_stop = new QPushButton(icon(QStringLiteral("stop")), tr("Stop"));
    m_stop->setObjectName(QStringLiteral("import.stop"));
    connect(m_stop, &QPushButton::clicked, this, &ImportDialog::reject);
    m_state = new ElidedLabel;
    m_state->setObjectName(QStringLiteral("import.state"));
    m_import = new QPushButton(icon(QStringLiteral("import"), IconTone::OnAccent), tr("&Import"));
    m_import->setObjectName(QStringLiteral("import.import"));
    m_import->setProperty("primary", true);
    m_import->setDefault(true);
    connect(m_import, &QPushButton::clicked, this, &ImportDialog::takeNow);
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setObjectName(QStringLiteral("import.cancel"));
    cancel->setAutoDefault(false);
    connect(cancel, &QPushButton::clicked, this, [this] {
        m_job->stop();
        reject();
    });
    auto* row = new QHBoxLayout(footer);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_progress);
    row->addWidget(m_stop);
    row->addWidget(m_state, 1);
    row->addWidget(m_import);
    row->addWidget(cancel);
    return footer;
}

void ImportDialog::showFiles() {
    std::vector<ImportedFile> files;
    if (m_reading)
        files = m_reading->files;
    else
        for (const QString& path : m_request.paths)
            files.push_back({path, {}, {}, false});
    m_files->setRowCount(static_cast<int>(files.size()));
    for (int i = 0; i < m_files->rowCount(); ++i) {
        const ImportedFile& file = files[static_cast<std::size_t>(i)];
        const auto put = [&](int column, const QString& text, const QString& tip) {
            auto* item = new QTableWidgetItem(text);
            item->setToolTip(tip);
            m_files->setItem(i, column, item);
            return item;
        };
        QTableWidgetItem* name = put(0, QFileInfo(file.path).fileName(), file.path);
        if (m_reading && !m_reading->stopped)
            name->setIcon(file.refused ? icon(QStringLiteral("error"), IconTone::Err)
                                       : icon(QStringLiteral("ok"), IconTone::Ok));
        const QString kind = file.kind.isEmpty() && m_reading ? tr("not known") : importKindLabel(file.kind);
        put(1, kind, kind);
        const QString says = file.refused ? tr("refused") : file.summary;
        put(2, says, says);
    }
    m_files->setFixedHeight(kHeaderHeight +
                            kRowHeight * std::max(2, std::min(kFileRows, m_files->rowCount())) + 8);
    refreshRemoval();
}

void ImportDialog::showPreview() {
    const int before = m_tabs->currentWidget() == m_source ? -1 : m_tabs->currentIndex();
    while (m_tabs->widget(0) != m_source) {
        QWidget* old = m_tabs->widget(0);
        m_tabs->removeTab(0);
        delete old; // with its model behind it, which m_preview owns
    }
    m_preview = m_reading->refused() || m_reading->stopped
                    ? Preview{}
                    : previewOf(m_reading, m_offer.cluster ? &*m_offer.cluster : nullptr);
    m_heading->setText(m_preview.heading);
    m_figures->setText(m_preview.figures);
    m_heading->setVisible(!m_preview.heading.isEmpty());
    m_figures->setVisible(!m_preview.figures.isEmpty());
    QString happens = m_preview.happens;
    if (m_offer.cluster && !m_app.document.project()->cluster.nodes.empty())
        happens += QLatin1Char(' ') + tr("It replaces the present one; undo brings that back.");
    m_happens->setText(happens);
    m_happens->setVisible(!happens.isEmpty());
    int at = 0;
    for (const auto& table : m_preview.tables) {
        if (table->rowCount() == 0)
            continue;
        auto* view = new QTableView;
        view->setObjectName(QStringLiteral("import.table.") + table->name());
        view->setAccessibleName(table->name());
        view->setModel(table.get());
        view->setShowGrid(false);
        view->setWordWrap(false);
        view->setTabKeyNavigation(false);
        view->setFrameShape(QFrame::NoFrame);
        view->setSelectionBehavior(QAbstractItemView::SelectRows);
        view->verticalHeader()->hide();
        view->verticalHeader()->setDefaultSectionSize(kRowHeight);
        view->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
        view->horizontalHeader()->setHighlightSections(false);
        view->horizontalHeader()->setResizeContentsPrecision(50); // rows; there may be a million
        view->horizontalHeader()->setStretchLastSection(true);
        view->resizeColumnsToContents();
        for (int column = 0; column < table->columnCount(); ++column)
            view->setColumnWidth(column, std::min(view->columnWidth(column) + 12, 320));
        offerRowMenu(view, "import table", m_app.commands);
        m_tabs->insertTab(at++, view, table->name());
    }
    int plots = 0;
    if (const auto* links = std::get_if<std::vector<LinkMeasurement>>(&m_reading->content))
        for (const LinkMeasurement& measurement : *links)
            for (const FitCurve& curve : fitCurves(measurement)) {
                if (++plots > kMostPlots)
                    break;
                auto* plot = new FitPlot("import fit");
                plot->setCurve(curve);
                m_tabs->insertTab(at++, plot, plots == 1 ? tr("Fit") : tr("Fit %1").arg(plots));
            }
    if (at > 0)
        m_tabs->setCurrentIndex(before >= 0 && before < at ? before : 0);
}

} // namespace pw
