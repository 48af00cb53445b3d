// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/refusals.h"

#include "ui/base/manual_link.h"
#include "ui/base/theme.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

namespace {

constexpr int kEdge = 1; // px

QString errorStyle() {
    return QStringLiteral("background: %1; border-left: 3px solid %2; padding: 5px 8px")
        .arg(theme().errGround.name(), theme().err.name());
}

QLabel* wrapped() {
    auto* label = new QLabel;
    label->setWordWrap(true);
    openLinks(label);
    return label;
}

} // namespace

Refusals::Refusals()
    : ColumnScroll(new QWidget), m_heading(new QLabel), m_reasons(wrapped()), m_wayOut(new QPushButton) {
    setObjectName(QStringLiteral("search.refusals"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    widget()->setBackgroundRole(QPalette::Base);
    m_heading->setObjectName(QStringLiteral("search.blocked"));
    m_heading->setFont(headingFont());
    m_reasons->setObjectName(QStringLiteral("search.reasons"));
    m_wayOut->setObjectName(QStringLiteral("search.leaveOut"));
    connect(m_wayOut, &QPushButton::clicked, this, &Refusals::wayOutTaken);
    setViewportMargins(0, kEdge, 0, 0); // a line towards what scrolls above
    setBackgroundRole(QPalette::Midlight);
    setAutoFillBackground(true);
    auto* column = new QVBoxLayout(widget()); // the only one: fit() asks it
    column->setContentsMargins(10, 8, 10, 8);
    column->setSpacing(6);
    column->addWidget(m_heading);
    for (QLabel*& problem : m_problems) {
        problem = wrapped();
        column->addWidget(problem);
    }
    column->addWidget(m_reasons);
    column->addWidget(m_wayOut, 0, Qt::AlignLeft);
    const auto recolour = [this] {
        for (QLabel* problem : m_problems)
            problem->setStyleSheet(errorStyle());
        m_reasons->setStyleSheet(errorStyle());
    };
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, recolour);
    recolour();
    // Nothing of it may be shown before it has a place: it would be a window of its own.
    for (QWidget* part : {static_cast<QWidget*>(m_reasons), static_cast<QWidget*>(m_wayOut)})
        part->hide();
    setProblems({});
}

void Refusals::setProblems(const QStringList& problems) {
    m_heading->setText(problems.size() == 1 ? tr("Run waits for 1 problem")
                                            : tr("Run waits for %1 problems").arg(problems.size()));
    m_heading->setVisible(!problems.isEmpty());
    for (std::size_t i = 0; i < m_problems.size(); ++i) {
        const QString text = problems.value(static_cast<qsizetype>(i));
        m_problems[i]->setText(text);
        m_problems[i]->setVisible(!text.isEmpty());
    }
    showWhatThereIs();
}

void Refusals::setReasons(const QString& reasons, const QString& wayOut) {
    m_reasons->setText(reasons);
    m_reasons->setVisible(!reasons.isEmpty());
    m_wayOut->setText(wayOut);
    m_wayOut->setVisible(!wayOut.isEmpty());
    showWhatThereIs();
}

void Refusals::showWhatThereIs() {
    setVisible(!m_heading->isHidden() || !m_reasons->isHidden() || !m_wayOut->isHidden());
}

void Refusals::fit(int width, int most) {
    const QLayout* column = widget()->layout();
    const int whole =
        column->hasHeightForWidth() ? column->totalHeightForWidth(width) : column->totalSizeHint().height();
    setFixedHeight(std::min(whole + kEdge, most));
}

} // namespace pw
