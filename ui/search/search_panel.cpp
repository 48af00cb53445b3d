// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/search_panel.h"

#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/manual_link.h"
#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/search/convergence_plot.h"
#include "ui/search/demand_form.h"
#include "ui/search/option_form.h"
#include "ui/search/refusals.h"
#include "ui/search/rejection_bar.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/session/tournament_runner.h"
#include "ui/widgets/column_scroll.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/name_list.h"

#include <QCheckBox>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

#include <utility>

namespace pw {

namespace {

constexpr int kProgressSteps = 1000;

QLabel* quiet(const QString& text = QString()) {
    auto* label = new QLabel(text);
    label->setProperty("quiet", true);
    return label;
}

QWidget* rule() {
    auto* line = new QWidget;
    line->setFixedHeight(1);
    line->setAutoFillBackground(true);
    line->setBackgroundRole(QPalette::Midlight);
    return line;
}

// Symbol of an end state: ended well, ended by a limit, not at all.
std::pair<QString, IconTone> symbolOf(const SearchRunner& runner) {
    if (runner.isRunning())
        return {QStringLiteral("run"), IconTone::Accent};
    if (runner.failure())
        return {QStringLiteral("error"), IconTone::Err};
    if (!runner.outcome())
        return {QStringLiteral("info"), IconTone::Text2};
    switch (runner.outcome()->status) {
    case SearchStatus::Optimal:
    case SearchStatus::Feasible:
        return {QStringLiteral("ok"), IconTone::Ok};
    case SearchStatus::Budget:
        return {QStringLiteral("clock"), IconTone::Text2};
    case SearchStatus::Stopped:
        return {QStringLiteral("stop"), IconTone::Text2};
    case SearchStatus::Infeasible:
        return {QStringLiteral("error"), IconTone::Err};
    }
    return {};
}

} // namespace

SearchPanel::SearchPanel(AppContext& context, QWidget* parent)
    : View(parent), m_context(context), m_demand(new DemandForm(context)), m_form(new OptionForm),
      m_refusals(new Refusals), m_stale(new MessageBar), m_results(new QWidget), m_rejected(new RejectionBar),
      m_plot(new ConvergencePlot) {
    setObjectName(QStringLiteral("searchPanel"));
    setAccessibleName(tr("Search"));
    setMinimumHeight(240);
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    auto* page = new QWidget;
    auto* scroll = new ColumnScroll(page); // results take more height than a small screen has
    scroll->setObjectName(QStringLiteral("search.page"));
    page->setBackgroundRole(QPalette::Base);
    auto* whole = new QVBoxLayout(this);
    whole->setContentsMargins(0, 0, 0, 0);
    whole->setSpacing(0);
    whole->addWidget(scroll, 1);
    whole->addWidget(m_refusals); // below: what is typed in stays where it is
    connect(m_refusals, &Refusals::wayOutTaken, this, &SearchPanel::searchWithout);
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_demand);
    column->addWidget(m_form);
    column->addWidget(rule());
    column->addWidget(makeStatus());
    column->addWidget(m_stale);
    const QAction* run = m_context.commands.action("search.run");
    connect(m_stale, &MessageBar::actionClicked, run, &QAction::trigger);
    connect(run, &QAction::enabledChanged, this, &SearchPanel::refreshStale);
    auto* results = new QVBoxLayout(m_results);
    results->setContentsMargins(0, 0, 0, 0);
    results->setSpacing(0);
    results->addWidget(makeFigures());
    results->addWidget(makeCounts());
    results->addWidget(rule());
    m_course = new QWidget;
    auto* course = new QVBoxLayout(m_course);
    course->setContentsMargins(0, 0, 0, 0);
    course->setSpacing(0);
    auto* heading = new QHBoxLayout;
    heading->setContentsMargins(10, 6, 10, 0);
    auto* title = new QLabel(tr("Convergence"));
    title->setFont(bodyFont(QFont::DemiBold));
    heading->addWidget(title);
    heading->addStretch();
    heading->addWidget(quiet(tr("iteration time by stage candidates")));
    course->addLayout(heading);
    auto* plot = new QVBoxLayout;
    plot->setContentsMargins(8, 0, 0, 4);
    plot->addWidget(m_plot);
    course->addLayout(plot, 1);
    results->addWidget(m_course, 1);
    results->addWidget(makeBestList());
    results->addStretch(0); // takes the room when there is no course to draw
    column->addWidget(m_results, 1);
    column->addStretch(0);
    setFocusProxy(m_demand); // its first field, for who comes by Alt and a number

    connect(m_demand, &DemandForm::changed, this, [this] {
        m_context.runner.setDemand(m_demand->demand());
        refresh();
    });
    connect(&m_context.runner, &SearchRunner::demandChanged, this,
            [this] { m_demand->set(m_context.runner.demand()); });
    connect(m_form, &OptionForm::changed, this, [this] {
        m_context.runner.setOptions(m_form->options());
        refresh();
    });
    connect(&m_context.runner, &SearchRunner::optionsPreset, this, [this] {
        m_form->setOptions(m_context.runner.options());
        refresh();
    });
    m_context.runner.setOptions(m_form->options());
    connect(&m_context.runner, &SearchRunner::started, this, &SearchPanel::refresh);
    connect(&m_context.runner, &SearchRunner::progressed, this, &SearchPanel::refresh);
    connect(&m_context.runner, &SearchRunner::finished, this, &SearchPanel::refresh);
    connect(&m_context.runner, &SearchRunner::replaced, this, &SearchPanel::refresh);
    connect(&m_context.document, &Document::replaced, this, [this] {
        m_form->setOptions({});
        m_context.runner.setOptions(m_form->options());
    });
    connect(&m_context.runner, &SearchRunner::bestFound, this, [this](int id) {
        // A plan of the table may be better than what this search finds; one that a demand was made of may
        // not be what is demanded.
        const Candidate* best = m_context.candidates.find(id);
        if (best && !m_context.runner.demanded().limitsPlans())
            best = m_context.candidates.bestLike(*best);
        if (m_follow->isChecked() && best)
            m_context.selection.setPlan(best->id);
    });
    connect(&m_context.tournament, &TournamentRunner::started, this, &SearchPanel::refresh);
    connect(&m_context.tournament, &TournamentRunner::finished, this, &SearchPanel::refresh);
    connect(&m_context.document, &Document::changed, this, &SearchPanel::refresh);
    connect(&m_context.candidates, &Candidates::changed, this, [this, had = false]() mutable {
        const bool has = !m_context.candidates.all().empty(); // of a file that knows plans and no search
        if (std::exchange(had, has) != has)
            refresh();
    });
    connect(&m_context.selection, &Selection::planChanged, this, &SearchPanel::showChosenPlan);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, &SearchPanel::refresh);
    refresh();
}

std::vector<QWidget*> SearchPanel::fields() const {
    std::vector<QWidget*> all;
    for (const QWidget* form : {static_cast<QWidget*>(m_demand), static_cast<QWidget*>(m_form)})
        for (QWidget* each : form->findChildren<QWidget*>(QRegularExpression(QStringLiteral("^search\\."))))
            if (qobject_cast<QLineEdit*>(each) || qobject_cast<QComboBox*>(each) ||
                qobject_cast<QCheckBox*>(each))
                all.push_back(each);
    return all;
}

void SearchPanel::focusField(QWidget& field) {
    m_form->unfoldFor(field);
    field.setFocus(Qt::OtherFocusReason);
    QTimer::singleShot(0, &field, [this, at = &field] { // laid out by then
        findChild<QScrollArea*>(QStringLiteral("search.page"))->ensureWidgetVisible(at);
    });
}

// Why nothing runs leaves half of a low panel to what can be done about it.
bool SearchPanel::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize)
        m_refusals->fit(width(), height() / 2);
    return View::event(event);
}

QWidget* SearchPanel::makeStatus() {
    auto* box = new QWidget;
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(10, 8, 10, 6);
    column->setSpacing(6);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(8);
    m_run = new QPushButton(icon(QStringLiteral("run")), tr("Run  F5"));
    m_run->setObjectName(QStringLiteral("search.run"));
    m_run->setAccessibleName(tr("Run search"));
    m_stop = new QPushButton(icon(QStringLiteral("stop")), tr("Stop"));
    m_stop->setObjectName(QStringLiteral("search.stop"));
    m_stop->setAccessibleName(tr("Stop search"));
    m_follow = new QCheckBox(tr("Follow the best"));
    m_follow->setObjectName(QStringLiteral("search.follow"));
    m_follow->setAccessibleName(m_follow->text());
    m_follow->setToolTip(tr("Selects each new best plan while the search runs"));
    m_follow->setChecked(true);
    buttons->addWidget(m_run);
    buttons->addWidget(m_stop);
    buttons->addStretch();
    buttons->addWidget(m_follow);
    column->addLayout(buttons);
    // The window says when a search can run: one state for its button and this one.
    const QAction* run = m_context.commands.action("search.run");
    m_run->setEnabled(run->isEnabled());
    connect(run, &QAction::enabledChanged, m_run, &QPushButton::setEnabled);
    connect(m_run, &QPushButton::clicked, run, &QAction::trigger);
    connect(m_stop, &QPushButton::clicked, m_context.commands.action("search.stop"), &QAction::trigger);

    auto* row = new QHBoxLayout;
    row->setSpacing(6);
    m_stateSymbol = new QLabel;
    m_state = new QLabel;
    m_state->setObjectName(QStringLiteral("search.state"));
    m_state->setFont(bodyFont(QFont::DemiBold));
    m_stateText = new ElidedLabel;
    m_stateText->setProperty("quiet", true);
    m_stateText->setObjectName(QStringLiteral("search.stateText"));
    m_stateText->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_stateText->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    row->addWidget(m_stateSymbol);
    row->addWidget(m_state);
    row->addWidget(m_stateText, 1);
    column->addLayout(row);
    m_bar = new QProgressBar;
    m_bar->setObjectName(QStringLiteral("search.progress"));
    m_bar->setAccessibleName(tr("Search progress"));
    m_bar->setTextVisible(false);
    m_bar->setRange(0, kProgressSteps);
    m_bar->setFixedHeight(4);
    column->addWidget(m_bar);
    m_cost = quiet();
    m_cost->setObjectName(QStringLiteral("search.cost"));
    m_cost->setWordWrap(true);
    column->addWidget(m_cost);
    return box;
}

QWidget* SearchPanel::makeFigures() {
    auto* box = new QWidget;
    box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* row = new QHBoxLayout(box);
    row->setContentsMargins(10, 2, 10, 6);
    m_names = {tr("Best"), tr("Lower bound"), tr("Gap")};
    const char* objects[] = {"search.best", "search.bound", "search.gap"};
    for (std::size_t i = 0; i < 3; ++i) {
        auto* column = new QVBoxLayout;
        column->setSpacing(0);
        m_values[i] = new QLabel;
        m_values[i]->setObjectName(QLatin1String(objects[i]));
        m_values[i]->setFont(headingFont());
        m_notes[i] = new ElidedLabel; // a plan's name may be long
        m_notes[i]->setProperty("quiet", true);
        m_notes[i]->setFont(smallFont());
        column->addWidget(quiet(m_names[i]));
        column->addWidget(m_values[i]);
        column->addWidget(m_notes[i]);
        row->addLayout(column, 1);
    }
    return box;
}

QWidget* SearchPanel::makeCounts() {
    auto* box = new QWidget;
    box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
    auto* column = new QVBoxLayout(box);
    column->setContentsMargins(10, 0, 10, 8);
    column->setSpacing(4);
    auto* row = new QHBoxLayout;
    m_evaluated = new QLabel;
    m_evaluated->setObjectName(QStringLiteral("search.evaluated"));
    m_evaluated->setFont(bodyFont(QFont::DemiBold));
    m_ruledOut = quiet();
    m_ruledOut->setObjectName(QStringLiteral("search.ruledOut"));
    row->addWidget(m_evaluated);
    row->addStretch();
    row->addWidget(m_ruledOut);
    column->addLayout(row);
    column->addWidget(m_rejected);
    m_says = quiet();
    m_says->setObjectName(QStringLiteral("search.says"));
    m_says->setWordWrap(true);
    openLinks(m_says);
    column->addWidget(m_says);
    return box;
}

QWidget* SearchPanel::makeBestList() {
    m_best = new QListWidget;
    m_best->setObjectName(QStringLiteral("search.bestPlans"));
    m_best->setAccessibleName(tr("Best plans so far"));
    m_best->setUniformItemSizes(true);
    m_best->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Not what is current: the list makes a row that as soon as it gets the focus.
    connect(m_best, &QListWidget::itemSelectionChanged, this, [this] {
        if (const QList<QListWidgetItem*> chosen = m_best->selectedItems(); !chosen.isEmpty())
            m_context.selection.setPlan(chosen.front()->data(Qt::UserRole).toInt());
    });
    connect(m_best, &QListWidget::itemActivated, this, [this](const QListWidgetItem* item) {
        m_context.selection.setPlan(item->data(Qt::UserRole).toInt());
    });
    connect(m_best, &QListWidget::itemClicked, &m_context.selection,
            &Selection::leaveStage); // a plan is looked at as a whole first
    offerRowMenu(m_best, "found plans", m_context.commands);
    return m_best;
}

void SearchPanel::refresh() {
    const SearchRunner& runner = m_context.runner;
    const SearchProgress& p = runner.progress();
    refreshProblems();
    const auto [name, tone] = symbolOf(runner);
    m_stateSymbol->setPixmap(icon(name, tone).pixmap(14));
    m_state->setText(runner.endWord());
    const auto problem = m_context.document.problem();
    const bool stale = runner.isStale(problem), endStale = runner.isEndStale(problem);
    refreshStale();
    if (endStale)
        m_state->setText(tr("%1, stale").arg(runner.endWord()));
    // Why there is no plan takes lines of its own; everything else fits beside the word.
    const QStringList why = reasons(endStale);
    const std::vector<std::string> kinds = endStale ? std::vector<std::string>() : leaveOut();
    m_refusals->setReasons(why.join(QStringLiteral("<br>")),
                           kinds.empty() ? QString() : tr("Leave %1 out and search").arg(namesText(kinds)));
    m_cost->setText(stale || runner.isRunning() ? QString() : runner.costText());
    m_cost->setVisible(!m_cost->text().isEmpty());
    m_stateText->setText(why.isEmpty() && !endStale ? runner.endText() : QString());
    m_stateText->setToolTip(m_stateText->text());
    const bool searched = runner.isRunning() || runner.outcome();
    m_bar->setVisible(searched);
    // Without a limit nobody knows how much is left: then it only moves.
    const bool unknown = runner.isRunning() && p.workLimit == 0;
    const bool moves = unknown && !runner.isPaused();
    m_bar->setRange(0, moves ? 0 : kProgressSteps);
    if (!moves)
        m_bar->setValue(unknown              ? 0
                        : runner.isRunning() ? static_cast<int>(p.work * kProgressSteps / p.workLimit)
                                             : kProgressSteps);
    m_bar->setAccessibleDescription(runner.endText());
    m_results->setVisible(searched);
    setSubtitle(runner.isPaused()    ? tr("paused")
                : runner.isRunning() ? tr("running")
                : stale || endStale  ? tr("stale")
                                     : QString());
    if (!searched)
        return;
    for (QLabel* value : {m_values[0], m_values[1], m_values[2], m_evaluated})
        value->setForegroundRole(stale ? QPalette::PlaceholderText : QPalette::WindowText);
    // What a project keeps of a search is its end, not its course.
    m_course->setVisible(runner.isRunning() ||
                         (!runner.history().empty() && (p.best.value > 0.0 || p.bound.value > 0.0)));
    refreshFigures();
    for (std::size_t i = 0; i < m_names.size(); ++i) // a name hides the text from a screen reader
        m_values[i]->setAccessibleName(tr("%1: %2").arg(m_names[i], m_values[i]->text()));
    refreshCounts();
    m_plot->setHistory(runner.history(), p);
    refreshBestList();
}

void SearchPanel::refreshProblems() {
    QStringList errors;
    for (const Diagnostic& d : m_context.document.diagnostics())
        if (d.severity == Severity::Error)
            errors.append(d.where.empty() || d.code == "project.no_model" // its message says where
                              ? sentence(d).toHtmlEscaped() + explainLink(d.code)
                              : QStringLiteral("<b>%1</b>&nbsp; %2%3")
                                    .arg(q(d.where).toHtmlEscaped(), messageText(d).toHtmlEscaped(),
                                         explainLink(d.code)));
    QStringList refused;
    if (const QString demand = m_demand->refusal(); !demand.isEmpty())
        refused << demand;
    if (!m_form->valid())
        refused << m_form->refusal();
    for (auto line = refused.crbegin(); line != refused.crend(); ++line)
        errors.prepend(line->toHtmlEscaped());
    m_context.runner.setWaitsFor(refused);
    const auto count = static_cast<int>(errors.size());
    m_refusals->setProblems(errors);
    m_stop->setEnabled(m_context.runner.isRunning());
    m_run->setToolTip(count == 1  ? tr("Enabled when the problem is gone")
                      : count > 1 ? tr("Enabled when all %1 problems are gone").arg(count)
                                  : m_context.commands.action("search.run")->toolTip());
}

} // namespace pw
