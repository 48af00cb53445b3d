// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/answer_history.h"

#include "ui/session/given_answers.h"
#include "ui/widgets/eliding_combo.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>

namespace pw {

AnswerHistory::AnswerHistory(const GivenAnswers& answers, QWidget* parent)
    : QWidget(parent), m_answers(answers), m_list(new ElidingCombo) {
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
    hide();
    fill();
    connect(m_list, &QComboBox::currentIndexChanged, this, &AnswerHistory::changed);
    connect(&answers, &GivenAnswers::added, this, &AnswerHistory::takeNewest);
    connect(&answers, &GivenAnswers::replaced, this, [this] {
        fill();
        Q_EMIT changed();
    });
}

void AnswerHistory::takeNewest() {
    {
        const QSignalBlocker quietly(m_list);
        m_list->insertItem(
            0, tr("%1. %2").arg(QString::number(m_answers.asked()), m_answers.all().front().question));
        while (m_list->count() > static_cast<int>(m_answers.all().size()))
            m_list->removeItem(m_list->count() - 1);
        m_list->setCurrentIndex(0);
    }
    show();
    Q_EMIT changed();
}

void AnswerHistory::fill() {
    const QSignalBlocker quietly(m_list);
    m_list->clear();
    int number = m_answers.asked();
    for (const GivenAnswer& answer : m_answers.all())
        m_list->addItem(tr("%1. %2").arg(QString::number(number--), answer.question));
    m_list->setCurrentIndex(m_list->count() > 0 ? 0 : -1);
    setVisible(m_list->count() > 0);
}

const GivenAnswer* AnswerHistory::chosen() const {
    const int at = m_list->currentIndex();
    return at < 0 ? nullptr : &m_answers.all()[static_cast<std::size_t>(at)];
}

} // namespace pw
