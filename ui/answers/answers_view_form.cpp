// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answer_history.h"
#include "ui/answers/answers_view.h"
#include "ui/answers/price_row.h" // keep: the row is a widget, which a forward declaration does not say
#include "ui/answers/question_limits.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/widgets/column_scroll.h"
#include "ui/widgets/message_bar.h"
#include "ui/widgets/wrap_layout.h"

#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

// What questions are asked with: the form above the answers.

namespace {

constexpr int kEdge = 4, kStep = 28; // pixels: above the form's first row, and from one row to the next

} // namespace

void AnswersView::makeForm() {
    auto* form = new QWidget;
    auto* rows = new QVBoxLayout(form);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->setSpacing(0);
    rows->addWidget(makeQuestions());
    rows->addWidget(m_prices);
    m_form = new ColumnScroll(form);
    m_form->setObjectName(QStringLiteral("answers.form"));
    m_form->verticalScrollBar()->setSingleStep(kStep);
    m_form->viewport()->setAutoFillBackground(false);
    form->setAutoFillBackground(false);
}

QWidget* AnswersView::makeQuestions() {
    auto* deadline = new QLabel(tr("Iteration within"));
    m_deadline->setObjectName(QStringLiteral("answers.deadline"));
    m_deadline->setAccessibleName(tr("Deadline of an iteration"));
    m_deadline->setToolTip(
        tr("Of an iteration, as in 2.5 s, or of a run and its length, as in 30 days for 15T "
           "tokens or 12 h for 5000 iterations"));
    m_deadline->setPlaceholderText(tr("s, or 30 days for 15T tokens"));
    m_deadline->setFixedSize(176, 24);
    deadline->setBuddy(m_deadline);
    m_objective->setObjectName(QStringLiteral("answers.objective"));
    m_objective->setAccessibleName(tr("What to trade time against"));
    for (const ObjectiveRow& objective : objectiveTable())
        if (objective.objective != Objective::Time)
            m_objective->addItem(sentence(std::string(objective.name)),
                                 static_cast<int>(objective.objective));
    m_objective->setCurrentIndex(m_objective->findData(static_cast<int>(Objective::Memory)));
    m_objective->setFixedHeight(24);
    m_objective->setToolTip(tr("What a plan is to be good at beside its time: memory to spare on the fullest "
                               "GPU, or the price or the energy of a token"));
    auto* against = new QLabel(tr("Time against"));
    against->setBuddy(m_objective);
    QPushButton* fastest = makeButton(QStringLiteral("answers.fastest"), tr("Fastest plan"),
                                      tr("The fastest plan that keeps to what stands above"), Asked::Fastest);
    QPushButton* fewest = makeButton(
        QStringLiteral("answers.fewest"), tr("Fewest GPUs"),
        tr("The fewest GPUs, by whole nodes, whose plan ends an iteration in that time"), Asked::Fewest);
    connect(m_deadline, &QLineEdit::returnPressed, fewest, &QPushButton::click);
    connect(m_limits, &QuestionLimits::entered, fastest, &QPushButton::click);
    QPushButton* tradeOff =
        makeButton(QStringLiteral("answers.tradeOff"), tr("Trade time for it"),
                   tr("Plans that no other beats both in time and in this"), Asked::TradeOff);
    m_inTime =
        makeButton(QStringLiteral("answers.inTime"), QString(),
                   tr("Of the plans that end an iteration within the deadline the best one in this, on "
                      "any of the GPUs, and what is faster but worse"),
                   Asked::InTime);
    QPushButton* around =
        makeButton(QStringLiteral("answers.around"), tr("How sure, and what if"),
                   tr("How sure the order of the plans is, which measurements could change it, and what a "
                      "slow, lost or further node changes"),
                   Asked::Around);
    m_judge = makeButton(QStringLiteral("answers.judge"), tr("Judge this plan"), QString(), Asked::Judged);
    m_stop->setObjectName(QStringLiteral("answers.stop"));
    m_stop->setAccessibleName(tr("Stop answering"));
    m_stop->setFixedHeight(24);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        m_stopAsked = true;
        m_job.stop();
    });

    auto* questions = new QWidget;
    auto* rows = new WrapLayout(20, 4);
    const auto addGroup = [rows](std::initializer_list<QWidget*> widgets) {
        auto* group = new QWidget;
        auto* row = new QHBoxLayout(group);
        row->setContentsMargins(0, 0, 0, 0);
        row->setSpacing(8);
        for (QWidget* widget : widgets)
            row->addWidget(widget);
        rows->addWidget(group);
    };
    addGroup({fastest});
    addGroup({deadline, m_deadline, fewest});
    addGroup({against, m_objective, tradeOff});
    addGroup({m_inTime});
    addGroup({around});
    addGroup({m_judge});
    auto* limits = new QHBoxLayout;
    limits->setSpacing(8);
    limits->addWidget(m_limits, 1, Qt::AlignTop);
    limits->addWidget(m_stop, 0, Qt::AlignTop);
    auto* column = new QVBoxLayout(questions);
    column->setContentsMargins(10, 4, 10, 4);
    column->setSpacing(4);
    column->addLayout(limits);
    column->addLayout(rows);
    return questions;
}

QPushButton* AnswersView::makeButton(const QString& name, const QString& text, const QString& help,
                                     Asked asked) {
    auto* button = new QPushButton(text);
    button->setObjectName(name);
    button->setAccessibleName(text);
    button->setToolTip(help);
    button->setFixedHeight(24);
    connect(button, &QPushButton::clicked, this, [this, asked] { ask(asked); });
    m_buttons.push_back(button);
    return button;
}

// Prices stand where money is asked about, and the button says what is asked for.
void AnswersView::followObjective() {
    const auto objective = static_cast<Objective>(m_objective->currentData().toInt());
    m_prices->setVisible(objective == Objective::Money);
    const QString text = objective == Objective::Money    ? tr("Cheapest within the deadline")
                         : objective == Objective::Energy ? tr("Least energy within the deadline")
                                                          : tr("Most memory free within the deadline");
    m_inTime->setText(text);
    m_inTime->setAccessibleName(text);
}

// As high as its rows are, as long as half of the view is left for an answer, or a third where none is yet.
// Where that is too low, it shows whole rows and scrolls by them.
void AnswersView::fitForm() {
    const int bar = std::max(m_message->minimumHeight(), m_message->sizeHint().height());
    const int message = m_message->isHidden() ? 0 : bar;
    const int history = m_history->isHidden() ? 0 : m_history->sizeHint().height();
    const int share = m_history->chosen() ? height() / 2 : height() * 2 / 3;
    const int rows = std::max(1, (share - message - history - kEdge) / kStep);
    m_form->setFixedHeight(
        std::min(m_form->widget()->layout()->totalHeightForWidth(width()), kEdge + rows * kStep));
}

void AnswersView::showFocused() {
    QWidget* focus = QApplication::focusWidget();
    if (focus && m_form->isAncestorOf(focus))
        m_form->ensureWidgetVisible(focus, 0, kEdge);
}

bool AnswersView::event(QEvent* event) {
    if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize) {
        fitForm();
        showFocused(); // where its row came just now
    }
    return View::event(event);
}

} // namespace pw
