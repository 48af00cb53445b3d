// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answers_view.h"

#include "core/base/units.h"
#include "ui/answers/answer_sections.h"
#include "ui/answers/price_row.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/commands/commands.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/message_bar.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace pw {

AnswersView::AnswersView(AppContext& context, QWidget* parent)
    : View(parent), m_context(context), m_message(new MessageBar), m_deadline(new QLineEdit),
      m_objective(new QComboBox), m_prices(new PriceRow(context)),
      m_stop(new QPushButton(icon(QStringLiteral("stop")), tr("Stop"))), m_pages(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("help"))), m_sections(new AnswerSections),
      m_job([this] { refresh(); }) {
    setObjectName(QStringLiteral("answers"));
    setAccessibleName(tr("Answers"));
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_sections);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeQuestions());
    column->addWidget(m_prices);
    column->addWidget(m_message);
    column->addWidget(m_pages, 1);
    setFocusProxy(m_deadline);

    Commands& c = context.commands;
    c.attach("answers", this);
    c.bind("answers.around", this, [this] { ask(Question::Kind::Around); });
    c.bind("answers.deadline", this, [this] {
        Q_EMIT raiseRequested();
        m_deadline->setFocus(Qt::ShortcutFocusReason);
        m_deadline->selectAll();
    });
    const auto followObjective = [this] {
        m_prices->setVisible(m_objective->currentData().toInt() == static_cast<int>(Objective::Money));
    };
    connect(m_objective, &QComboBox::currentIndexChanged, this, followObjective);
    followObjective();
    connect(m_message, &MessageBar::actionClicked, this, [this] { ask(m_kind); });
    connect(&context.document, &Document::changed, this, &AnswersView::refresh);
    refresh();
}

AnswersView::~AnswersView() = default;

QPushButton* AnswersView::makeButton(QHBoxLayout* row, const QString& name, const QString& text,
                                     const QString& help, Question::Kind kind) {
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    button->setAccessibleName(text);
    button->setToolTip(help);
    button->setFixedHeight(24);
    connect(button, &QPushButton::clicked, this, [this, kind] { ask(kind); });
    row->addWidget(button);
    m_buttons.push_back(button);
    return button;
}

QWidget* AnswersView::makeQuestions() {
    auto* questions = new QWidget;
    auto* row = new QHBoxLayout(questions);
    row->setContentsMargins(10, 6, 10, 6);
    row->setSpacing(8);
    auto* label = new QLabel(tr("Iteration within"));
    m_deadline->setObjectName(QStringLiteral("answers.deadline"));
    m_deadline->setAccessibleName(tr("Deadline of an iteration"));
    m_deadline->setPlaceholderText(tr("2.5 s"));
    m_deadline->setFixedWidth(84);
    m_deadline->setFixedHeight(24);
    label->setBuddy(m_deadline);
    row->addWidget(label);
    row->addWidget(m_deadline);
    QPushButton* fewest =
        makeButton(row, QStringLiteral("answers.fewest"), tr("Fewest GPUs"),
                   tr("The fewest GPUs, by whole nodes, whose plan ends an iteration in that time"),
                   Question::Kind::Deadline);
    connect(m_deadline, &QLineEdit::returnPressed, fewest, &QPushButton::click);
    row->addSpacing(12);
    m_objective->setObjectName(QStringLiteral("answers.objective"));
    m_objective->setAccessibleName(tr("What to trade time against"));
    for (const ObjectiveRow& objective : objectiveTable())
        if (objective.objective != Objective::Time)
            m_objective->addItem(sentence(std::string(objective.name)), static_cast<int>(objective.objective));
    m_objective->setCurrentIndex(m_objective->findData(static_cast<int>(Objective::Memory)));
    m_objective->setFixedHeight(24);
    row->addWidget(m_objective);
    makeButton(row, QStringLiteral("answers.tradeOff"), tr("Trade time for it"),
               tr("Plans that no other beats both in time and in this"), Question::Kind::TradeOff);
    row->addSpacing(12);
    makeButton(row, QStringLiteral("answers.around"), tr("How sure, and what if"),
               tr("How sure the order of the plans is, which measurements could change it, and what a slow, "
                  "lost or further node changes"),
               Question::Kind::Around);
    row->addStretch(1);
    m_stop->setObjectName(QStringLiteral("answers.stop"));
    m_stop->setAccessibleName(tr("Stop answering"));
    m_stop->setFixedHeight(24);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_stopAsked = true;
        m_job.stop();
    });
    row->addWidget(m_stop);
    return questions;
}

void AnswersView::ask(Question::Kind kind) {
    const auto problem = m_context.document.problem();
    Q_EMIT raiseRequested();
    if (isRunning() || !problem)
        return;
    m_kind = kind;
    Question question{kind, {}, static_cast<Objective>(m_objective->currentData().toInt()), {}};
    if (kind == Question::Kind::Deadline) {
        const Result<double> seconds = parseDuration(s(m_deadline->text()));
        if (!seconds || *seconds <= 0.0) {
            m_message->setError(tr("No deadline."),
                                seconds
                                    ? badInput("field.range", {}, s(tr("It has to be above 0, as in 2.5 s.")))
                                    : seconds.error());
            m_deadline->setFocus();
            return;
        }
        question.deadline = Seconds(*seconds);
    }
    const SearchRunner& runner = m_context.runner;
    if (kind == Question::Kind::Around && runner.outcome() && !runner.outcome()->plans.empty() &&
        runner.problem()->hash() == problem->hash())
        question.outcome = runner.outcome();
    m_pages->currentWidget()->setFocus(); // the button is about to be disabled
    m_problem = problem;
    m_stopAsked = false;
    m_message->clear();
    m_searches = std::make_shared<Mailbox<int>>();
    m_job.start(
        [searches = m_searches, question = std::move(question), problem,
         options = runner.options()](const std::stop_token& stop) {
            const auto searched = [&] { searches->write([](int& count) { ++count; }); };
            return replyTo(question, problem, options, searched, stop);
        },
        [this](const Result<Reply>& reply) { end(reply); });
    refresh();
}

void AnswersView::end(const Result<Reply>& reply) {
    if (reply)
        take(*reply);
    else if (m_stopAsked)
        m_message->setMessage(MessageBar::Tone::Info, tr("Stopped."), sentence(errorText(reply.error())));
    else
        m_message->setError(tr("No answer."), reply.error());
    refresh();
    Q_EMIT answered();
}

void AnswersView::take(const Reply& reply) {
    m_sections->setTables(reply.tables);
    m_pages->setCurrentWidget(m_sections);
    const auto problem = m_context.document.problem();
    if (!reply.plans.empty() && problem && problem->hash() == m_problem->hash())
        m_context.selection.setPlan(m_context.candidates.add(m_problem, reply.plans, tr("answer")));
}

bool AnswersView::isStale() const {
    const auto problem = m_context.document.problem();
    if (!m_problem || !problem)
        return m_problem != nullptr;
    // Prices are no part of the question that is hashed, but of what is answered about money.
    const auto prices = [](const Problem& p) {
        std::vector<double> list;
        for (const DeviceKind& kind : p.topology().kinds())
            list.push_back(kind.pricePerHour);
        return list;
    };
    return problem->hash() != m_problem->hash() ||
           (m_kind == Question::Kind::TradeOff && prices(*problem) != prices(*m_problem));
}

void AnswersView::refresh() {
    const auto problem = m_context.document.problem();
    for (QPushButton* button : m_buttons)
        button->setEnabled(problem && !isRunning());
    m_stop->setVisible(isRunning());
    setSubtitle(isRunning() ? tr("%1 searches made").arg(countText(m_searches->read())) : QString());
    m_empty->setText(tr("No questions asked yet"),
                     problem
                         ? tr("Ask for the fewest GPUs that meet a deadline, for what time costs in memory, "
                              "or what surer knowledge and other nodes would change.")
                         : tr("A cluster and a model are needed first; Problems lists what is missing."));
    const bool answeredBefore = m_pages->currentWidget() == m_sections;
    if (answeredBefore && !isRunning() && isStale())
        m_message->setMessage(MessageBar::Tone::Stale, tr("Stale."),
                              tr("These answers are about an earlier state of the project."),
                              problem ? tr("Ask again") : QString());
}

} // namespace pw
