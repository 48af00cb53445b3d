// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/profiles_panel.h"

#include "core/edit/edit.h"
#include "core/project/unused_rows.h"
#include "core/store/journal.h"
#include "core/store/store.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/app_context.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/profiles/coverage.h"
#include "ui/profiles/measurement_table.h"
#include "ui/profiles/profile_sources.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/message_bar.h"

#include <QBoxLayout>
#include <QDir>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QStackedWidget>
#include <QStandardPaths>
#include <QTabWidget>
#include <QTableView>

#include <utility>

namespace pw {

namespace {

constexpr int kBeside = 720;   // from this width on the matrix stands beside the sources
constexpr int kLeastRows = 40; // px of each, so that the drawing above may have the rest of a low window

// The three signs of the matrix, with their counts.
class CoverageLegend : public QWidget {
public:
    explicit CoverageLegend(const CoverageModel* model) : m_model(model) {
        setFixedHeight(24);
        setObjectName(QStringLiteral("profiles.legend"));
        connect(model, &QAbstractItemModel::modelReset, this, [this] {
            const Coverage& c = m_model->coverage();
            setAccessibleName(ProfilesPanel::tr("measured %1, interpolated %2, estimated %3")
                                  .arg(c.measured)
                                  .arg(c.interpolated)
                                  .arg(c.estimated));
            update();
        });
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        const Coverage& c = m_model->coverage();
        int x = 10;
        const auto entry = [&](Provenance sign, const QString& text) {
            paintCoverageSign(painter, QRect(x, 6, 12, 12), sign);
            painter.setFont(smallFont());
            painter.setPen(theme().text2);
            painter.drawText(x + 18, 16, text);
            x += 18 + painter.fontMetrics().horizontalAdvance(text) + 20;
        };
        entry(Provenance::Measured, ProfilesPanel::tr("measured %1").arg(c.measured));
        entry(Provenance::Interpolated, ProfilesPanel::tr("interpolated %1").arg(c.interpolated));
        entry(Provenance::Estimated, ProfilesPanel::tr("\u2234 estimated %1").arg(c.estimated));
    }

private:
    const CoverageModel* m_model;
};

void makeQuiet(QTableView* table, int rowHeight) {
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setTabKeyNavigation(false);
    table->setWordWrap(false); // a path breaks at its slashes and would lose its end
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(rowHeight);
    table->horizontalHeader()->setHighlightSections(false);
}

} // namespace

QString profileStorePath() {
    QString folder = qEnvironmentVariable("PIPEWRIGHT_DATA_DIR");
    if (folder.isEmpty())
        folder = QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
                 QStringLiteral("/pipewright");
    return QDir(folder).filePath(QStringLiteral("profiles.db"));
}

ProfilesPanel::ProfilesPanel(const AppContext& app, const QString& storePath, QWidget* parent)
    : View(parent), m_app(app), m_storePath(storePath), m_bar(new MessageBar(this)),
      m_empty(new EmptyState(QStringLiteral("chart"), this)), m_stack(new QStackedWidget(this)),
      m_sources(new SourceModel(this)), m_coverage(new CoverageModel(this)) {
    setObjectName(QStringLiteral("profiles"));
    setAccessibleName(tr("Profiles"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_empty->setObjectName(QStringLiteral("profiles.empty"));
    m_empty->setText(tr("All costs are estimates"), tr("Import layer times that were measured on your GPUs; "
                                                       "what they do not cover stays marked \u2234."));
    m_empty->setButton(tr("Import\u2026"), QStringLiteral("import"));

    auto* page = new QWidget;
    m_body = new QBoxLayout(QBoxLayout::TopToBottom, page);
    m_body->setContentsMargins(0, 0, 0, 0);
    m_body->setSpacing(4);
    m_body->addWidget(makeSources(), 1);
    m_body->addWidget(makeTabs(), 1);
    m_stack->addWidget(m_empty);
    m_stack->addWidget(page);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_bar);
    column->addWidget(m_stack, 1);

    // One menu for both ways to import: a folder dialog cannot choose files and the other way round.
    auto* menu = new QMenu(this);
    menu->addAction(app.commands.action("file.import"));
    menu->addAction(app.commands.action("file.importFolder"));
    m_empty->button()->setMenu(menu);
    findChild<QPushButton*>(QStringLiteral("profiles.import"))->setMenu(menu);

    connect(&app.document, &Document::changed, this, &ProfilesPanel::refresh);
    connect(&app.selection, &Selection::focusRequested, this, [this](const QString& where) {
        if (where != QLatin1String("profiles"))
            return;
        Q_EMIT raiseRequested();
        refresh(); // the store may have more than it had
        setFocus(Qt::ShortcutFocusReason);
    });
    setFocusProxy(m_sourceTable);
    refresh();
}

QWidget* ProfilesPanel::makeSources() {
    auto* side = new QWidget;
    const auto button = [&](const QString& name, const QString& text, const char* symbol,
                            const QString& help) {
        auto* made = new QPushButton(icon(QLatin1String(symbol)), text, side);
        made->setObjectName(QStringLiteral("profiles.") + name);
        made->setAccessibleName(text);
        made->setToolTip(help);
        return made;
    };
    auto* import =
        button(QStringLiteral("import"), tr("Import\u2026"), "import", tr("Reads measured layer times"));
    m_use = button(QStringLiteral("use"), tr("Use"), "plus",
                   tr("Takes the rows from your store into the project"));
    m_remove =
        button(QStringLiteral("remove"), tr("Remove"), "remove", tr("Takes the rows out of the project"));
    m_forget =
        button(QStringLiteral("forget"), tr("Forget"), "close", tr("Deletes the rows from your store"));
    connect(m_use, &QPushButton::clicked, this, &ProfilesPanel::useChosen);
    connect(m_remove, &QPushButton::clicked, this, &ProfilesPanel::removeChosen);
    connect(m_forget, &QPushButton::clicked, this, &ProfilesPanel::forgetChosen);
    m_sourceTable = new QTableView(side);
    m_sourceTable->setObjectName(QStringLiteral("profiles.sources"));
    m_sourceTable->setAccessibleName(tr("Sources"));
    m_sourceTable->setModel(m_sources);
    m_sourceTable->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_sourceTable->setSelectionMode(QAbstractItemView::SingleSelection);
    makeQuiet(m_sourceTable, 22);
    m_sourceTable->setTextElideMode(Qt::ElideMiddle);
    m_sourceTable->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_sourceTable->horizontalHeader()->setSectionResizeMode(SourceModel::Source, QHeaderView::Stretch);
    connect(m_sourceTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ProfilesPanel::refreshButtons);
    connect(m_sources, &QAbstractItemModel::modelReset, this, &ProfilesPanel::refreshButtons);
    connect(m_sourceTable->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            &ProfilesPanel::refreshRows);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(10, 8, 10, 4);
    row->setSpacing(8);
    m_export = button(QStringLiteral("export"), tr("Export\u2026"), "export",
                      tr("Writes the rows of the source to a file, JSON or CSV"));
    connect(m_export, &QPushButton::clicked, this, &ProfilesPanel::askExport);
    for (QPushButton* each : {import, m_use, m_remove, m_forget, m_export})
        row->addWidget(each);
    offerRowMenu(m_sourceTable, "profile sources", [this](QMenu& menu) {
        for (QPushButton* each : {m_use, m_export, m_remove, m_forget})
            menu.addAction(each->icon(), each->text(), each, &QPushButton::click)
                ->setEnabled(each->isEnabled());
    });
    row->addStretch(1);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addLayout(row);
    m_sourceTable->setMinimumHeight(kLeastRows);
    column->addWidget(m_sourceTable, 1);
    return side;
}

QWidget* ProfilesPanel::makeCoverage() {
    auto* side = new QWidget;
    m_matrix = new QTableView(side);
    m_matrix->setObjectName(QStringLiteral("profiles.coverage"));
    m_matrix->setAccessibleName(tr("Coverage"));
    m_matrix->setModel(m_coverage);
    m_matrix->setItemDelegate(new CoverageDelegate(m_matrix));
    makeQuiet(m_matrix, 22);
    m_matrix->horizontalHeader()->setMinimumSectionSize(48);
    offerRowMenu(m_matrix, "coverage", m_app.commands);
    m_matrixNote = new QLabel(side);
    m_matrixNote->setObjectName(QStringLiteral("profiles.note"));
    m_matrixNote->setFont(smallFont());
    m_matrixNote->setWordWrap(true);
    m_matrixNote->setMargin(10);
    m_matrixNote->setForegroundRole(QPalette::PlaceholderText);
    m_share = new ElidedLabel;
    m_share->setObjectName(QStringLiteral("profiles.share"));
    m_share->setMargin(4);
    m_share->setIndent(6);
    connect(m_matrix->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& cell) {
                if (!cell.isValid())
                    return;
                const Coverage::Row& row = m_coverage->coverage().rows[static_cast<std::size_t>(cell.row())];
                showFit(m_app.document.project()->model->name, row.kindName, row.layer, row.tp);
            });
    connect(&m_app.selection, &Selection::planChanged, this, &ProfilesPanel::refreshShare);
    connect(&m_app.candidates, &Candidates::changed, this, &ProfilesPanel::refreshShare);
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_share);
    m_matrix->setMinimumHeight(kLeastRows);
    column->addWidget(m_matrix, 1);
    column->addWidget(m_matrixNote);
    column->addWidget(new CoverageLegend(m_coverage));
    return side;
}

void ProfilesPanel::refresh() {
    const Project& project = *m_app.document.project();
    std::vector<ProfileStore::SourceRow> stored;
    if (QFileInfo::exists(m_storePath)) {
        const auto store =
            ProfileStore::open(std::filesystem::path(s(m_storePath)), ProfileStore::Mode::ReadOnly);
        if (!store) {
            showError(tr("Store not read."), store.error());
        } else if (auto rows = store->sources()) {
            stored = std::move(*rows);
            const auto type = fileSystemOf(s(m_storePath));
            if (const char* shared = type ? sharedFileSystem(*type) : nullptr)
                sayJournal(QString::fromUtf8(shared));
        } else {
            showError(tr("Store not read."), rows.error());
        }
    }
    const QString before = chosen();
    m_sources->setSources(profileSources(project.profiles, stored));
    for (int i = 0; i < m_sources->rowCount(); ++i)
        if (m_sources->sources()[static_cast<std::size_t>(i)].source == before)
            m_sourceTable->selectRow(i);
    m_coverage->setCoverage(coverageOf(project));
    const Coverage& c = m_coverage->coverage();
    QStringList unused; // why no time is measured, though there are rows
    if (c.total() > 0 && c.estimated == c.total())
        for (const Wording& why : whyNoRowApplies(project, project.profiles))
            unused << sentence(why);
    m_matrixNote->setText(!project.model   ? tr("Choose a model to see what its layers' times rest on.")
                          : c.rows.empty() ? tr("Draw the cluster to see which of its GPUs are measured.")
                          : project.profiles.empty()
                              ? tr("Nothing is measured yet: every time is an estimate.")
                              : unused.join(QLatin1Char('\n')));
    m_matrixNote->setVisible(!m_matrixNote->text().isEmpty());
    for (int column = 0; column < m_coverage->columnCount(); ++column)
        m_matrix->setColumnWidth(column, column == 0 ? 110 : column == 1 ? 84 : 58);
    m_stack->setCurrentIndex(m_sources->rowCount() == 0 ? 0 : 1);
    refreshRows();
    refreshShare();
    const QString covered = tr("%1 of %2 layer times measured").arg(c.measured).arg(c.total());
    setSubtitle(c.total() == 0     ? QString()
                : unused.isEmpty() ? covered
                                   : tr("%1. %2").arg(covered, unused.first()));
}

QString ProfilesPanel::chosen() const {
    const QModelIndexList rows = m_sourceTable->selectionModel()->selectedRows();
    return rows.isEmpty() ? QString()
                          : m_sources->sources()[static_cast<std::size_t>(rows.first().row())].source;
}

void ProfilesPanel::refreshButtons() {
    const QString source = chosen();
    const auto& all = m_sources->sources();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const ProfileSource& row) { return row.source == source; });
    m_remove->setEnabled(found != all.end() && found->inProject > 0);
    m_use->setEnabled(found != all.end() && found->inStore > 0);
    m_forget->setEnabled(found != all.end() && found->inStore > 0);
    m_export->setEnabled(found != all.end());
}

void ProfilesPanel::sayJournal(const QString& fileSystem) {
    if (std::exchange(m_journalSaid, true))
        return;
    m_bar->setMessage(MessageBar::Tone::Info, tr("The store lies on %1.").arg(fileSystem),
                      tr("It is kept without a write-ahead log: readers and writers wait for each other."));
}

void ProfilesPanel::showError(const QString& lead, const Error& error) {
    m_bar->setError(lead, error);
}

void ProfilesPanel::removeChosen() {
    if (const QString source = chosen(); !source.isEmpty())
        m_app.document.apply(removeProfiles(*m_app.document.project(), s(source)),
                             tr("Remove %1").arg(source));
}

void ProfilesPanel::useChosen() {
    const auto store =
        ProfileStore::open(std::filesystem::path(s(m_storePath)), ProfileStore::Mode::ReadOnly);
    if (!store) {
        showError(tr("Store not read."), store.error());
        return;
    }
    const auto rows = store->rows({}, s(chosen()));
    if (!rows)
        showError(tr("Store not read."), rows.error());
    else
        m_app.document.apply(addProfiles(*m_app.document.project(), *rows), tr("Use %1").arg(chosen()));
}

void ProfilesPanel::forgetChosen() {
    auto store = ProfileStore::open(std::filesystem::path(s(m_storePath)), ProfileStore::Mode::ReadWrite);
    if (!store)
        showError(tr("Not deleted."), store.error());
    else if (const Result<int> removed = store->remove(s(chosen())); !removed)
        showError(tr("Not deleted."), removed.error());
    refresh();
}

void ProfilesPanel::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    m_body->setDirection(width() >= kBeside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
}

} // namespace pw
