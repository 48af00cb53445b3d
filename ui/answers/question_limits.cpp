// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/question_limits.h"

#include "ui/session/document.h"
#include "ui/session/search_runner.h"
#include "ui/session/trainer_box.h"
#include "ui/widgets/name_list.h"
#include "ui/widgets/wrap_layout.h"

#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>

namespace pw {

namespace {

constexpr int kHigh = 24; // pixels
const QString kEachTrainer = QStringLiteral("all");

QWidget* labelled(const QString& text, QWidget* field) {
    auto* group = new QWidget;
    auto* row = new QHBoxLayout(group);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    auto* label = new QLabel(text);
    label->setBuddy(field);
    row->addWidget(label);
    row->addWidget(field);
    return group;
}

} // namespace

QuestionLimits::QuestionLimits(AppContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_target(new TrainerBox), m_required(new QLineEdit),
      m_allPlanners(new QCheckBox(tr("All planners"))), m_around(new QCheckBox(tr("And how sure"))) {
    setObjectName(QStringLiteral("answers.limits"));
    setAccessibleName(tr("What the answers are to keep to"));
    makeTargets();
    makeRequired();
    m_allPlanners->setObjectName(QStringLiteral("answers.allPlanners"));
    m_allPlanners->setAccessibleName(tr("Ask all planners"));
    m_allPlanners->setToolTip(
        tr("Each planner with its own budget, in one table, instead of the one that Search names"));
    m_around->setObjectName(QStringLiteral("answers.also"));
    m_around->setAccessibleName(tr("Ask also how sure the answer is"));
    m_around->setToolTip(tr("With the plans also how sure their order is, what to measure, and what a slow, "
                            "lost or further node changes"));
    for (QCheckBox* box : {m_allPlanners, m_around})
        box->setFixedHeight(kHigh);
    auto* row = new WrapLayout(12, 4, this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(labelled(tr("Plans for"), m_target));
    row->addWidget(labelled(tr("that use"), m_required));
    row->addWidget(m_allPlanners);
    row->addWidget(m_around);
    connect(&context.document, &Document::changed, this, &QuestionLimits::refreshNames);
    refreshNames();
}

void QuestionLimits::makeTargets() {
    m_target->setObjectName(QStringLiteral("answers.target"));
    m_target->setAccessibleName(tr("Trainer that is to run the plans"));
    m_target->setToolTip(
        tr("Only plans that this trainer can run, or the best plan for each; the answer says "
           "what that costs. The trainer is that of Run with in Search."));
    m_target->insertItem(1, tr("each trainer"), kEachTrainer);
    m_target->setFixedSize(150, kHigh);
    showTarget();
    connect(m_target, &QComboBox::currentIndexChanged, this, &QuestionLimits::takeTarget);
    connect(&m_context.runner, &SearchRunner::demandChanged, this, &QuestionLimits::followTarget);
}

void QuestionLimits::takeTarget() {
    if (m_target->currentData().toString() == kEachTrainer)
        return;
    SearchDemand demand = m_context.runner.demand();
    demand.target = m_searched = m_target->trainer();
    if (demand != m_context.runner.demand())
        m_context.runner.setDemand(demand);
}

void QuestionLimits::followTarget() {
    if (m_context.runner.demand().target != m_searched)
        showTarget();
}

void QuestionLimits::showTarget() {
    m_searched = m_context.runner.demand().target;
    const QSignalBlocker quietly(m_target);
    m_target->setTrainer(m_searched);
}

void QuestionLimits::makeRequired() {
    m_required->setObjectName(QStringLiteral("answers.required"));
    m_required->setAccessibleName(tr("Nodes, devices or kinds that every plan uses"));
    m_required->setToolTip(
        tr("Nodes, devices or device kinds that every plan is to use, with commas between them"));
    m_required->setPlaceholderText(tr("any devices"));
    m_required->setFixedSize(150, kHigh);
    completeNames(m_required);
    connect(m_required, &QLineEdit::returnPressed, this, &QuestionLimits::entered);
}

void QuestionLimits::refreshNames() {
    followNames(m_required, m_context.document.project()->cluster);
}

void QuestionLimits::applyTo(Question& question) const {
    question.everyTrainer = m_target->currentData().toString() == kEachTrainer;
    question.target = m_target->trainer();
    question.required = namesIn(m_required);
    question.entrants = m_allPlanners->isChecked() ? allPlanners() : std::vector<Entrant>();
    question.around = m_around->isChecked();
}

void QuestionLimits::clear() {
    showTarget();
    m_required->clear();
    m_allPlanners->setChecked(false);
    m_around->setChecked(false);
}

void QuestionLimits::focusOn(QuestionPart part) {
    if (part == QuestionPart::Target || part == QuestionPart::EveryTrainer)
        m_target->setFocus();
    else if (part == QuestionPart::Required)
        m_required->setFocus();
    else if (part == QuestionPart::AllPlanners)
        m_allPlanners->setFocus();
    else if (part == QuestionPart::Around && m_around->isChecked()) // else a button asks it
        m_around->setFocus();
}

} // namespace pw
