// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/findings/findings_view.h"

#include "core/answers/findings_for.h"
#include "core/edit/edit.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/manual_link.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/findings/findings_model.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/plan_order.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/session/what_if.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figure_table.h"
#include "ui/widgets/message_bar.h"

#include <QAction>
#include <QHeaderView>
#include <QScrollBar>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pw {

namespace {

constexpr int kSoon = 120; // ms that a plan must stay in view before it is looked at

} // namespace

FindingsView::FindingsView(AppContext& context, QWidget* parent)
    : View(parent), m_context(context), m_model(new FindingsModel(this)), m_table(new QTableView),
      m_empty(new EmptyState(QStringLiteral("ok"))), m_lacking(new MessageBar), m_pages(new QStackedWidget) {
    setObjectName(QStringLiteral("findings"));
    setAccessibleName(tr("Findings"));
    m_table->setObjectName(QStringLiteral("findings.table"));
    m_table->setAccessibleName(tr("Findings"));
    m_table->setModel(m_model);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setAlternatingRowColors(true);
    m_table->setShowGrid(false);
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setTabKeyNavigation(false);
    m_table->setIconSize(QSize(16, 16));
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(28);
    m_table->verticalHeader()->setMinimumSectionSize(28);
    QHeaderView* header = m_table->horizontalHeader();
    header->setHighlightSections(false);
    header->setMinimumSectionSize(32);
    header->setSectionResizeMode(FindingsModel::Text, QHeaderView::Stretch);
    header->setSectionResizeMode(FindingsModel::Remedy, QHeaderView::Fixed);
    connect(header, &QHeaderView::sectionResized, this, [this](int column) { // words take further lines
        if (column == FindingsModel::Text || column == FindingsModel::Remedy)
            m_table->resizeRowsToContents();
    });
    m_table->setColumnWidth(FindingsModel::Sign, 36);
    m_table->setColumnWidth(FindingsModel::Place, 116);
    m_table->setColumnWidth(FindingsModel::Gain, 150);
    m_table->setColumnWidth(FindingsModel::Try, 64);
    m_table->setColumnWidth(FindingsModel::Explain, 32);
    linkMessages(m_table, FindingsModel::Explain);
    RowMenu menu = tableMenu(m_table, "findings");
    menu.commands = &context.commands;
    menu.stage = [this] { return m_model->at(m_table->currentIndex().row()).stage; };
    offerMenu(m_table, std::move(menu));
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_lacking);
    column->addWidget(m_table, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    setFocusProxy(m_table);

    connect(m_table, &QTableView::clicked, this, [this](const QModelIndex& index) {
        if (index.column() == FindingsModel::Try)
            tryIt(index);
        else if (index.column() != FindingsModel::Explain)
            jump(index);
    });
    Commands& c = context.commands;
    c.attach("findings", this);
    c.bind("findings.jump", this, [this] { jump(m_table->currentIndex()); });
    c.bind("findings.try", this, [this] { tryIt(m_table->currentIndex()); });
    c.bind("findings.next", this, [this] { step(1); });
    c.bind("findings.previous", this, [this] { step(-1); });
    m_later.setSingleShot(true);
    m_later.setInterval(kSoon);
    connect(&m_later, &QTimer::timeout, this, &FindingsView::look);
    const auto soon = [this] {
        const Candidate* plan = m_context.whatIf.subject();
        if (plan && plan->id == m_plan && plan->revision == m_revision && m_target == target())
            return;
        m_later.start();
    };
    connect(&context.selection, &Selection::planChanged, this, soon);
    connect(&context.candidates, &Candidates::changed, this, soon);
    connect(&context.document, &Document::changed, this, soon);
    connect(&context.runner, &SearchRunner::demandChanged, this, soon);
    look();
}

FindingsView::~FindingsView() = default;

const ExporterRow* FindingsView::target() const {
    return m_context.runner.demand().target;
}

void FindingsView::look() {
    const Candidate* plan = m_context.whatIf.subject();
    m_plan = plan ? plan->id : -1;
    m_revision = plan ? plan->revision : -1;
    m_target = target();
    if (!plan) {
        m_job.drop();
        m_model->setFindings({}, {});
        const Candidate* apart = m_context.candidates.find(m_context.selection.plan());
        const auto problem = m_context.document.problem();
        m_empty->setText(apart ? apartTitle(*apart, problem) : tr("No plan selected"),
                         apart ? apartText(*apart, problem)
                               : tr("Select a plan to see what it loses and what would help."));
        m_pages->setCurrentIndex(0);
        setSubtitle({});
        return;
    }
    setSubtitle(tr("looking"));
    m_job.start([problem = plan->problem, judged = plan->plan, with = m_target](
                    const std::stop_token& stop) { return findingsFor(problem, judged, with, stop); },
                [this, now = plan->evaluation.iteration](const Result<Findings>& findings) {
                    present(findings, now);
                });
}

void FindingsView::present(const Result<Findings>& findings, Seconds now) {
    if (!findings) {
        m_model->setFindings({}, {});
        m_empty->setError(tr("The plan cannot be judged"), findings.error());
        m_pages->setCurrentIndex(0);
        setSubtitle({});
        return Q_EMIT looked();
    }
    m_model->setFindings(*findings, now);
    fitColumns();
    const int count = m_model->rowCount();
    QStringList rules;
    for (const FindingRule& rule : findingRules())
        rules << q(rule.help);
    m_empty->setText(tr("No findings for this plan"), tr("Looked for, with %1 edits tried: %2.")
                                                          .arg(findings->tried)
                                                          .arg(rules.join(QStringLiteral("; "))));
    QStringList lacking;
    for (const std::string& rule : findings->lacking)
        lacking << q(rule);
    if (lacking.isEmpty())
        m_lacking->clear();
    else
        m_lacking->setMessage(MessageBar::Tone::Info, tr("Not checked."),
                              sentence(wordingOf(lacking.join(QStringLiteral("; ")))));
    m_pages->setCurrentIndex(count > 0 || !lacking.isEmpty() ? 1 : 0);
    const QString text = count == 0 ? tr("none, %1 edits tried").arg(findings->tried)
                                    : tr("%1, %2 edits tried").arg(count).arg(findings->tried);
    setSubtitle(text);
    setAccessibleName(count == 1 ? tr("Findings, %1 item").arg(count) : tr("Findings, %1 items").arg(count));
    Q_EMIT looked();
}

// What helps gets the room that its words need, at most half of what both have; what would be worth nothing
// is not there.
void FindingsView::fitColumns() {
    constexpr int kLeast = 110; // px, of the heading
    bool edits = false, helps = false;
    int wanted = kLeast;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        edits = edits || !m_model->at(row).remedy.empty();
        helps = helps || m_model->canTry(row);
        wanted =
            std::max(wanted, m_table->sizeHintForIndex(m_model->index(row, FindingsModel::Remedy)).width());
    }
    m_table->setColumnHidden(FindingsModel::Gain, !edits);
    m_table->setColumnHidden(FindingsModel::Try, !helps);
    int room = width() - m_table->verticalScrollBar()->sizeHint().width();
    for (const int column : {FindingsModel::Sign, FindingsModel::Place, FindingsModel::Gain,
                             FindingsModel::Try, FindingsModel::Explain})
        room -= m_table->columnWidth(column); // 0 of a hidden one
    m_table->setColumnWidth(FindingsModel::Remedy, std::min(wanted, std::max(room / 2, kLeast)));
    m_table->resizeRowsToContents();
}

void FindingsView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    fitColumns();
}

void FindingsView::jump(const QModelIndex& index) {
    if (!index.isValid())
        return;
    const Finding& finding = m_model->at(index.row());
    if (finding.stage >= 0)
        m_context.selection.setStage(finding.stage);
    if (!finding.link.empty())
        m_context.selection.setItems({q(finding.link)});
}

void FindingsView::tryIt(const QModelIndex& index) {
    if (!index.isValid() || !m_model->canTry(index.row()))
        return;
    const Finding finding = m_model->at(index.row()); // the model is filled anew while it is applied
    jump(index);
    if (finding.searchChance > 0.0)
        return searchFor(finding.searchChance);
    if (finding.plan) {
        m_context.whatIf.edit(*finding.plan, sentence(finding.remedy));
        return;
    }
    // A faster link is a change of the project; the plan is judged on it anew.
    const Candidate* plan = m_context.whatIf.subject();
    if (!plan || !finding.problem)
        return;
    const Plan same = plan->plan;
    const Link* link = finding.problem->topology().cluster().link(finding.link);
    if (!link ||
        !m_context.document.apply(setLinks(*m_context.document.project(), {*link}), sentence(finding.remedy)))
        return;
    const auto problem = m_context.document.problem();
    if (!problem)
        return;
    if (const Result<Evaluation> judged = evaluate(*problem, same))
        m_context.selection.setPlan(m_context.candidates.add(problem, {{same, *judged}}, tr("edited")));
}

// Nothing where no search can run now: its button says why.
void FindingsView::searchFor(double chance) {
    if (!m_context.commands.action("search.run")->isEnabled() || m_context.runner.isRunning())
        return;
    const auto project = m_context.document.project();
    Recipe recipe = project->recipe;
    recipe.fitChance = std::max(recipe.fitChance, chance);
    const Result<Project> edited = setRecipe(*project, recipe);
    if (edited && m_context.document.apply(edited, tr("Change chance to fit")))
        m_context.runner.start();
}

void FindingsView::step(int by) {
    const int row = stepRow(m_table, by);
    if (row < 0) {
        Q_EMIT newsArrived(tr("No findings."));
        return;
    }
    jump(m_model->index(row, 0));
    if (!m_table->hasFocus()) // who is there hears of it by the row
        Q_EMIT newsArrived(m_model->sentenceOf(row));
}

} // namespace pw
