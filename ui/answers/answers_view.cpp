// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answers_view.h"

#include "core/answers/run_deadline.h"
#include "ui/answers/answer_history.h"
#include "ui/answers/answer_sections.h"
#include "ui/answers/price_row.h"
#include "ui/answers/question_limits.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/commands/commands.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/search_demand.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/widgets/column_scroll.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/message_bar.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace pw {

namespace {

constexpr int kLeastHeight = 177; // pixels

} // namespace

AnswersView::AnswersView(AppContext& context, QWidget* parent)
    : View(parent), m_context(context), m_message(new MessageBar), m_limits(new QuestionLimits(context)),
      m_deadline(new QLineEdit), m_objective(new QComboBox), m_prices(new PriceRow(context)),
      m_stop(new QPushButton(icon(QStringLiteral("stop")), tr("Stop"))), m_pages(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("help"))), m_sections(new AnswerSections(context.commands)),
      m_history(new AnswerHistory(context.answers)), m_job([this] { refresh(); }) {
    setObjectName(QStringLiteral("answers"));
    setAccessibleName(tr("Answers"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_sections);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    makeForm();
    column->addWidget(m_form);
    column->addWidget(m_message);
    column->addWidget(m_history);
    column->addWidget(m_pages, 1);
    setFocusProxy(m_deadline);

    Commands& c = context.commands;
    c.attach("answers", this);
    c.bind("answers.around", this, [this] { ask(Asked::Around); });
    c.bind("answers.judge", this, [this] { ask(Asked::Judged); });
    c.bind("answers.deadline", this, [this] {
        Q_EMIT raiseRequested();
        m_deadline->setFocus(Qt::ShortcutFocusReason);
        m_deadline->selectAll();
    });
    c.bind("answers.money", this, [this] {
        Q_EMIT raiseRequested();
        m_objective->setCurrentIndex(m_objective->findData(static_cast<int>(Objective::Money)));
        if (!m_prices->focusFirst()) // an empty drawing has nothing that costs
            m_objective->setFocus(Qt::ShortcutFocusReason);
    });
    connect(qApp, &QApplication::focusChanged, this, &AnswersView::showFocused);
    connect(m_objective, &QComboBox::currentIndexChanged, this, &AnswersView::followObjective);
    followObjective();
    connect(m_message, &MessageBar::actionClicked, this, [this] {
        if (const GivenAnswer* stale = m_history->chosen())
            ask(stale->asked);
    });
    connect(m_history, &AnswerHistory::changed, this, &AnswersView::showChosen);
    connect(m_sections, &AnswerSections::planActivated, this, &AnswersView::openPlan);
    m_ticks.setInterval(1000);
    connect(&m_ticks, &QTimer::timeout, this, [this] {
        ++m_seconds;
        refresh();
    });
    connect(&context.document, &Document::replaced, this, &AnswersView::forget);
    connect(&context.document, &Document::renamed, this, [this](const auto& before, const auto& now) {
        if (m_problem && m_problem->hash() == before->hash())
            m_problem = now;
    });
    connect(&context.document, &Document::changed, this, [this] {
        m_barIsOfLast = false;
        refresh();
    });
    connect(&context.selection, &Selection::planChanged, this, &AnswersView::refresh);
    connect(&context.candidates, &Candidates::changed, this, &AnswersView::refresh);
    showChosen(); // of a project that was opened before
}

// A widget that goes gives up its focus when it is no more than a QWidget.
AnswersView::~AnswersView() {
    disconnect(qApp, nullptr, this, nullptr);
}

QSize AnswersView::minimumSizeHint() const {
    return {layout()->minimumSize().width(), kLeastHeight};
}

const Candidate* AnswersView::judgedPlan() const {
    const Candidate* plan = m_context.candidates.find(m_context.selection.plan());
    return plan && !Candidates::isStale(*plan, m_context.document.problem()) ? plan : nullptr;
}

std::optional<RunDeadline> AnswersView::typedDeadline() {
    const QString typed = m_deadline->text().trimmed();
    const Result<RunDeadline> deadline = parseRunDeadline(s(typed));
    if (deadline)
        return *deadline;
    m_message->setError(
        tr("No deadline."),
        typed.isEmpty() ? badInput("field.range", {},
                                   wordingOf(tr("Enter a deadline, as in 2.5 s or 30 days for 15T tokens.")))
                        : deadline.error());
    m_deadline->setFocus();
    return std::nullopt;
}

std::optional<Question> AnswersView::questionFor(Asked asked, const Problem& problem) {
    const SearchRunner& runner = m_context.runner;
    Question question;
    question.options = asked == Asked::Judged ? quickSearch() : runner.options();
    m_limits->applyTo(question);
    if (asked == Asked::Fewest || asked == Asked::InTime) {
        const std::optional<RunDeadline> deadline = typedDeadline();
        if (!deadline)
            return std::nullopt;
        question.deadline = deadline->ofIteration(m_context.document.project()->recipe);
        if (deadline->isOfRun())
            question.run = deadline;
    }
    if (asked == Asked::TradeOff || asked == Asked::InTime) {
        question.objective = static_cast<Objective>(m_objective->currentData().toInt());
    } else if (asked == Asked::Around) {
        question.around = true;
    } else if (asked == Asked::Judged) {
        const Candidate* plan = judgedPlan();
        if (!plan) {
            m_message->setMessage(MessageBar::Tone::Info, tr("No plan."), m_judge->toolTip());
            return std::nullopt;
        }
        question.judged = FoundPlan{plan->plan, plan->evaluation};
        m_judged = plan->id;
    }
    if (const Clash* clash = clashOf(question)) {
        m_message->setError(tr("Not asked."), clashError(*clash));
        m_limits->focusOn(clash->with);
        m_limits->focusOn(clash->part); // rather
        return std::nullopt;
    }
    // What a search found for one trainer is no answer for any, nor what was found under other limits.
    if (asked == Asked::Around && !question.target && runner.demanded() == SearchDemand{} &&
        runner.outcome() && !runner.outcome()->plans.empty() && runner.problem()->hash() == problem.hash())
        question.found = runner.outcome();
    return question;
}

void AnswersView::ask(Asked asked) {
    const auto problem = m_context.document.problem();
    Q_EMIT raiseRequested();
    if (isRunning() || !problem)
        return;
    std::optional<Question> question = questionFor(asked, *problem);
    m_barIsOfLast = !question;
    if (!question)
        return;
    m_asked = asked;
    const Candidate* judged = m_context.candidates.find(m_judged);
    m_priced = question->objective == Objective::Money;
    m_question = questionText(asked, *question, judged ? judged->name : QString(),
                              m_priced ? pricesOf(*problem) : QStringList());
    m_pages->currentWidget()->setFocus(); // the button is about to be disabled
    m_problem = problem;
    m_stopAsked = false;
    if (m_history->chosen()) // what stands below is no answer to it
        m_message->setMessage(MessageBar::Tone::Info, tr("Looking for the answer."),
                              tr("%1. Below: the answer to an earlier question.").arg(m_question));
    else
        m_message->clear();
    m_searches = std::make_shared<Mailbox<int>>();
    m_seconds = 0;
    m_ticks.start();
    m_job.start(
        [searches = m_searches, question = *std::move(question), problem](const std::stop_token& stop) {
            const auto searched = [&] { searches->write([](int& count) { ++count; }); };
            return replyTo(question, problem, searched, stop);
        },
        [this](const Result<Reply>& reply) { end(reply); });
    refresh();
}

void AnswersView::forget() {
    m_job.drop();
    m_problem.reset();
    m_judged = -1;
    m_message->clear();
    m_deadline->clear();
    m_limits->clear();
}

void AnswersView::end(const Result<Reply>& reply) {
    m_barIsOfLast = !reply;
    const bool waits = m_pages->isAncestorOf(window()->focusWidget()); // else the user is elsewhere
    if (reply) {
        take(*reply);
        if (waits)
            m_sections->focusAnswer();
        if (!reply->refused || m_asked == Asked::Judged) // else the bar above says it
            Q_EMIT newsArrived(tr("The answer is there: %1. %2")
                                   .arg(m_question, firstResult(m_history->chosen()->tables))
                                   .trimmed());
    } else if (m_stopAsked) {
        m_message->setMessage(MessageBar::Tone::Info, tr("Stopped."), sentence(errorText(reply.error())));
    } else {
        m_message->setError(tr("No answer."), reply.error());
        if (reply.error().code.starts_with("require.")) {
            m_limits->focusOn(QuestionPart::Required);
        } else if (waits && reply.error().code == "objective.price") {
            m_objective->setCurrentIndex(m_objective->findData(static_cast<int>(Objective::Money)));
            m_prices->focusOn(q(reply.error().where));
        }
    }
    refresh();
    Q_EMIT answered();
}

// A plan is called here as in the table; one that is not there, of fewer nodes, is counted.
PlanNames AnswersView::namesOf(const Answer& answer) const {
    PlanNames names;
    // What was found for a deadline is in the table as a plan of the project (plansFor() of questions.cpp).
    const Problem& problem = answer.deadline ? *m_problem : *answer.problem;
    std::vector<FoundPlan> plans = answer.found().plans;
    const auto add = [&plans](const std::vector<FoundPlan>& more) {
        plans.insert(plans.end(), more.begin(), more.end());
    };
    add(answer.found().differing);
    if (answer.trainers)
        add(plansBeyondOpen(problem, *answer.trainers));
    for (const FoundPlan& found : plans) {
        const Candidate* candidate = m_context.candidates.findFound(foundKey(found), problem.hash());
        if (!candidate)
            return answer.deadline && !answer.around ? names : PlanNames();
        names.push_back(s(candidate->name));
    }
    return names;
}

void AnswersView::openPlan(const QString& name) {
    const GivenAnswer* answer = m_history->chosen();
    const Candidate* plan = answer ? m_context.candidates.findNamed(name, answer->problem->hash()) : nullptr;
    if (!plan)
        return;
    m_context.selection.leaveStage();
    m_context.selection.setPlan(plan->id);
}

void AnswersView::take(const Reply& reply) {
    const auto problem = m_context.document.problem();
    if (!reply.plans.empty() && problem && problem->hash() == m_problem->hash()) {
        const int best = m_context.candidates.add(m_problem, reply.plans, tr("answer"));
        if (!m_context.candidates.find(m_context.selection.plan())) // else what is in view stays there
            m_context.selection.setPlan(best);
    }
    std::vector<AnswerTable> tables = tablesOf(*reply.answer, namesOf(*reply.answer));
    if (const Candidate* judged = m_context.candidates.find(m_judged); judged && m_asked == Asked::Judged)
        tables.insert(tables.begin(), {s(tr("Plan %1").arg(judged->name)), {}, {}});
    std::optional<Error> refused = m_asked == Asked::Judged ? std::nullopt : reply.refused;
    if (refused)
        refused->where.clear(); // a flag of the command line
    GivenAnswer given{m_asked, m_question, m_problem, std::move(tables), std::move(refused), m_priced};
    if (!isStale(given, problem))
        m_context.document.setNewPlans(true);
    m_context.answers.add(std::move(given));
}

void AnswersView::showChosen() {
    const GivenAnswer* answer = m_history->chosen();
    m_barIsOfLast = false;
    m_message->clear();
    m_sections->setTables(answer ? answer->tables : std::vector<AnswerTable>());
    m_pages->setCurrentWidget(answer ? static_cast<QWidget*>(m_sections) : m_empty);
    if (answer && answer->refused)
        m_message->setError(tr("No plan."), *answer->refused);
    m_saidStale = false;
    refresh();
}

void AnswersView::refresh() {
    const auto problem = m_context.document.problem();
    for (QPushButton* button : m_buttons)
        button->setEnabled(problem && !isRunning());
    const bool canJudge = judgedPlan() != nullptr;
    m_judge->setEnabled(m_judge->isEnabled() && canJudge);
    m_judge->setToolTip(
        canJudge ? tr("How the plan in view stands beside the best that a quick search finds for the trainer")
                 : tr("Judges the plan in view: none is that answers the project as it is"));
    m_stop->setVisible(isRunning());
    const int searches = m_searches ? m_searches->read() : 0;
    const QString made =
        searches == 1 ? tr("1 search made") : tr("%1 searches made").arg(countText(searches));
    setSubtitle(isRunning() ? tr("%1 in %2 s").arg(made, countText(m_seconds)) : QString());
    if (!isRunning())
        m_ticks.stop();
    if (isRunning())
        m_empty->setText(tr("Looking for the answer"), tr("Each question takes several searches."));
    else
        m_empty->setText(
            tr("No questions asked yet"),
            problem ? tr("Ask for the fastest plan of a trainer, for the fewest GPUs or the cheapest plan "
                         "within a deadline, for what time costs in memory, or what surer knowledge and "
                         "other nodes would change. The project's file keeps the answers about it as it is.")
                    : tr("A cluster and a model are needed first; Problems lists what is missing."));
    const GivenAnswer* answer = m_history->chosen();
    const bool stale = answer && !isRunning() && !m_barIsOfLast && isStale(*answer, problem);
    if (std::exchange(m_saidStale, stale) && !stale && !m_barIsOfLast)
        m_message->clear(); // an undo has made them true again
    if (stale)
        m_message->setMessage(MessageBar::Tone::Stale, tr("Stale."),
                              tr("These answers are about an earlier state of the project."),
                              problem ? tr("Ask again") : QString());
}

} // namespace pw
