// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answer_history.h"

#include "ui/widgets/eliding_combo.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

#include <utility>

namespace pw {

AnswerHistory::AnswerHistory(QWidget* parent) : QWidget(parent), m_list(new ElidingCombo) {
    m_list->setObjectName(QStringLiteral("answers.asked"));
    m_list->setAccessibleName(tr("Questions so far, newest first"));
    m_list->setFixedHeight(24);
    m_list->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    auto* label = new QLabel(tr("Answer to"));
    label->setBuddy(m_list);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(10, 0, 10, 4);
    row->setSpacing(8);
    row->addWidget(label);
    row->addWidget(m_list, 1);
    connect(m_list, &QComboBox::currentIndexChanged, this, &AnswerHistory::changed);
    hide();
}

void AnswerHistory::add(GivenAnswer answer) {
    {
        const QSignalBlocker quietly(m_list);
        m_list->insertItem(0, tr("%1. %2").arg(QString::number(++m_asked), answer.question));
        m_answers.push_front(std::move(answer));
        if (m_answers.size() > kMost) {
            m_list->removeItem(m_list->count() - 1);
            m_answers.pop_back();
        }
        m_list->setCurrentIndex(0);
    }
    show();
    Q_EMIT changed();
}

const GivenAnswer* AnswerHistory::chosen() const {
    const int at = m_list->currentIndex();
    return at < 0 ? nullptr : &m_answers[static_cast<std::size_t>(at)];
}

void AnswerHistory::clear() {
    const bool had = !m_answers.empty();
    {
        const QSignalBlocker quietly(m_list);
        m_list->clear();
        m_answers.clear();
        m_asked = 0;
    }
    hide();
    if (had)
        Q_EMIT changed();
}

void AnswerHistory::follow(const std::shared_ptr<const Problem>& before,
                           const std::shared_ptr<const Problem>& now) {
    for (GivenAnswer& answer : m_answers)
        if (answer.problem->hash() == before->hash())
            answer.problem = now;
}

} // namespace pw
