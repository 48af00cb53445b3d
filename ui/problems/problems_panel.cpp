// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/problems/problems_panel.h"

#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/icons.h"
#include "ui/base/manual_link.h"
#include "ui/commands/app_context.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/problems/problems_model.h"
#include "ui/session/document.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_table.h"

#include <QHeaderView>
#include <QListWidget>
#include <QShortcut>
#include <QStackedWidget>
#include <QTabBar>
#include <QTableView>
#include <QTime>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

namespace {

constexpr const char* kSearch = "search"; // the place of what a search says
constexpr int kMessageLimit = 500;
constexpr int kWidestFix = 190; // px
enum Page { None, Table, Messages, NoMessages };

} // namespace

ProblemsPanel::ProblemsPanel(const AppContext& app, QWidget* parent)
    : View(parent), m_app(app), m_model(new ProblemsModel(this)), m_tabs(new QTabBar(this)),
      m_pages(new QStackedWidget(this)), m_table(new QTableView(this)), m_messages(new QListWidget(this)) {
    setObjectName(QStringLiteral("problems"));
    setAccessibleName(tr("Problems"));
    setFocusProxy(m_table);
    m_tabs->setObjectName(QStringLiteral("problems.tabs"));
    m_tabs->setAccessibleName(tr("Problems or messages"));
    m_tabs->addTab(tr("Problems"));
    m_tabs->addTab(tr("Messages"));
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_table->setObjectName(QStringLiteral("problems.table"));
    m_table->setAccessibleName(tr("Problems"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setTabKeyNavigation(false);
    m_table->setIconSize(QSize(16, 16));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(28);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setMinimumSectionSize(32);
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setSectionResizeMode(ProblemsModel::Problem, QHeaderView::Stretch);
    header->setSectionResizeMode(ProblemsModel::Mend, QHeaderView::Fixed); // follows what stands in it
    m_table->setColumnWidth(ProblemsModel::Sign, 36);
    m_table->setColumnWidth(ProblemsModel::Place, 132);
    m_table->setColumnWidth(ProblemsModel::Value, 130);
    m_table->setColumnWidth(ProblemsModel::Limit, 120);
    m_table->setColumnWidth(ProblemsModel::Explain, 32);
    m_messages->setObjectName(QStringLiteral("problems.messages"));
    m_messages->setAccessibleName(tr("Messages"));
    m_messages->setFrameShape(QFrame::NoFrame);
    m_messages->setWordWrap(true);
    auto* empty = new EmptyState(QStringLiteral("ok"), this);
    empty->setObjectName(QStringLiteral("problems.empty"));
    empty->setText(tr("No problems"), tr("Nothing stops or weakens a search."));
    m_pages->addWidget(empty);
    m_pages->addWidget(m_table);
    m_pages->addWidget(m_messages);
    auto* quiet = new EmptyState(QStringLiteral("info"), this);
    quiet->setObjectName(QStringLiteral("problems.noMessages"));
    quiet->setText(tr("No messages"),
                   tr("An edit that is refused is told here, with the time and the reason."));
    m_pages->addWidget(quiet);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_tabs);
    column->addWidget(m_pages, 1);

    connect(m_tabs, &QTabBar::currentChanged, this, &ProblemsPanel::refresh);
    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == ProblemsModel::Mend && m_model->fixAt(index.row()))
            fix(index);
        else if (index.column() != ProblemsModel::Explain)
            jump(index);
    });
    linkMessages(m_table, ProblemsModel::Explain);
    linkMessages(m_messages, 0);
    app.commands.attach("problems", this);
    app.commands.bind("problems.jump", this, [this] { jump(m_table->currentIndex()); });
    app.commands.bind("problems.fix", this, [this] { fix(m_table->currentIndex()); });
    offerRowMenu(m_table, "problems", app.commands);
    offerRowMenu(m_messages, "messages", app.commands);
    const auto offerFix = [this] {
        m_app.commands.action("problems.fix")
            ->setEnabled(m_model->fixAt(m_table->currentIndex().row()).has_value());
    };
    connect(m_table->selectionModel(), &QItemSelectionModel::currentChanged, this, offerFix);
    connect(m_model, &QAbstractItemModel::modelReset, this, offerFix);
    const auto key = [this](const QKeySequence& keys, int by) {
        auto* shortcut = new QShortcut(keys, this);
        shortcut->setContext(Qt::WidgetWithChildrenShortcut);
        connect(shortcut, &QShortcut::activated, this, [this, by] { step(by); });
    };
    key(QKeySequence(Qt::Key_F8), 1);
    key(QKeySequence(Qt::SHIFT | Qt::Key_F8), -1);
    connect(&app.document, &Document::changed, this, &ProblemsPanel::refresh);
    connect(&app.document, &Document::replaced, m_table, [this] { m_table->setCurrentIndex({}); });
    for (const auto changed : {&SearchRunner::started, &SearchRunner::finished, &SearchRunner::replaced,
                               &SearchRunner::demandChanged})
        connect(&app.runner, changed, this, &ProblemsPanel::refresh);
    connect(&app.document, &Document::failed, this, [this](const Error& error) { addMessage(error); });
    connect(&app.document, &Document::replaced, this, &ProblemsPanel::forgetMessages);
    refresh();
}

Diagnostics ProblemsPanel::problems() const {
    Diagnostics list = m_app.document.diagnostics();
    const SearchRunner& runner = m_app.runner;
    const QString none = runner.noPlanText(m_app.document.problem());
    if (none.isEmpty())
        return list;
    const std::optional<Error>& why = runner.failure() ? runner.failure() : runner.refused();
    list.push_back(
        {Severity::Error, why ? why->code : std::string("search.infeasible"), kSearch, wordingOf(none)});
    return list;
}

// The row that the user is at stays current, or, where its problem is gone, the one that takes its place.
void ProblemsPanel::refresh() {
    const QModelIndex was = m_table->currentIndex();
    int row = was.row();
    const int column = was.column();
    const QVariant code = was.data(kMessageCodeRole), where = was.data(ProblemsModel::WhereRole);
    m_model->setDiagnostics(problems(), m_app.document.project());
    for (const int figure : {ProblemsModel::Value, ProblemsModel::Limit}) {
        bool any = false;
        for (int each = 0; !any && each < m_model->rowCount(); ++each)
            any = !m_model->index(each, figure).data().toString().isEmpty();
        m_table->setColumnHidden(figure, !any);
    }
    m_table->resizeColumnToContents(ProblemsModel::Mend); // the problem's own words have the rest
    m_table->setColumnWidth(ProblemsModel::Mend,
                            std::min(m_table->columnWidth(ProblemsModel::Mend), kWidestFix));
    const int rows = row < 0 ? 0 : m_model->rowCount();
    const auto isIt = [&](int at) {
        const QModelIndex each = m_model->index(at, 0);
        return each.data(kMessageCodeRole) == code && each.data(ProblemsModel::WhereRole) == where;
    };
    for (int other = 0; other < rows && !(row < rows && isIt(row)); ++other)
        if (isIt(other))
            row = other;
    if (rows > 0)
        m_table->setCurrentIndex(m_model->index(std::min(row, rows - 1), column));
    const QString counts = problemCounts(m_model->count(Severity::Error), m_model->count(Severity::Warning),
                                         m_model->count(Severity::Note));
    setSubtitle(counts.isEmpty() ? tr("none") : counts);
    setAccessibleName(counts.isEmpty() ? tr("Problems, none") : tr("Problems, %1").arg(counts));
    m_tabs->setTabText(0, m_model->rowCount() ? tr("Problems %1").arg(m_model->rowCount()) : tr("Problems"));
    m_tabs->setTabText(1, m_messages->count() ? tr("Messages %1").arg(m_messages->count()) : tr("Messages"));
    m_pages->setCurrentIndex(m_tabs->currentIndex() == 1 ? (m_messages->count() ? Messages : NoMessages)
                             : m_model->rowCount()       ? Table
                                                         : None);
}

void ProblemsPanel::addMessage(const Error& error) {
    const QString line =
        QTime::currentTime().toString(QStringLiteral("hh:mm:ss")) + QStringLiteral("  ") + errorText(error);
    auto* item = new QListWidgetItem(icon(QStringLiteral("error"), IconTone::Err), line, m_messages);
    item->setData(kMessageCodeRole, q(error.code));
    item->setToolTip(explainText(error.code));
    while (m_messages->count() > kMessageLimit)
        delete m_messages->takeItem(0);
    m_messages->scrollToBottom();
    refresh();
}

// They speak of items that the next project does not have, or has of another kind.
void ProblemsPanel::forgetMessages() {
    m_messages->clear();
    m_tabs->setCurrentIndex(0);
    refresh();
}

void ProblemsPanel::jump(const QModelIndex& index) {
    if (!index.isValid())
        return;
    const QString where = index.data(ProblemsModel::WhereRole).toString();
    if (where == QLatin1String(kSearch)) // all of it: the reasons and the ways out stand there
        m_app.commands.action("view.search")->trigger();
    else
        m_app.selection.requestFocus(where);
}

void ProblemsPanel::fix(const QModelIndex& index) {
    const std::optional<Fix> found = m_model->fixAt(index.row());
    if (!found)
        return;
    if (found->edit)
        m_app.document.apply(found->edit(*m_app.document.project()), found->text);
    else if (*found->command)
        m_app.commands.action(found->command)->trigger();
    else
        m_app.selection.requestFocus(found->where);
}

void ProblemsPanel::step(int by) {
    if (const int row = stepRow(m_table, by); row >= 0)
        jump(m_model->index(row, 0));
}

} // namespace pw
