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

constexpr int kProblemsShown = 3;

QString errorStyle() {
    return QStringLiteral("background: %1; border-left: 3px solid %2; padding: 5px 8px")
        .arg(theme().errGround.name(), theme().err.name());
}

} // namespace

Refusals::Refusals()
    : ColumnScroll(new QWidget), m_problems(new QVBoxLayout), m_reasons(new QLabel),
      m_wayOut(new QPushButton) {
    setObjectName(QStringLiteral("search.refusals"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    widget()->setBackgroundRole(QPalette::Base);
    m_problems->setSpacing(6);
    m_reasons->setObjectName(QStringLiteral("search.reasons"));
    m_reasons->setWordWrap(true);
    openLinks(m_reasons);
    m_wayOut->setObjectName(QStringLiteral("search.leaveOut"));
    connect(m_wayOut, &QPushButton::clicked, this, &Refusals::wayOutTaken);
    auto* column = new QVBoxLayout(widget());
    column->setContentsMargins(10, 8, 10, 0);
    column->setSpacing(6);
    column->addLayout(m_problems);
    column->addWidget(m_reasons);
    column->addWidget(m_wayOut, 0, Qt::AlignLeft);
    const auto recolour = [this] { m_reasons->setStyleSheet(errorStyle()); };
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, recolour);
    recolour();
    setReasons({}, {});
}

void Refusals::setProblems(const QStringList& problems) {
    while (QLayoutItem* item = m_problems->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    if (!problems.isEmpty()) {
        auto* heading =
            new QLabel(problems.size() == 1 ? tr("Run waits for 1 problem")
                                            : tr("Run waits for %1 problems").arg(problems.size()));
        heading->setObjectName(QStringLiteral("search.blocked"));
        heading->setFont(headingFont());
        m_problems->addWidget(heading);
    }
    for (const QString& text : problems.first(std::min<qsizetype>(problems.size(), kProblemsShown))) {
        auto* problem = new QLabel(text);
        problem->setWordWrap(true);
        openLinks(problem);
        problem->setStyleSheet(errorStyle());
        m_problems->addWidget(problem);
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
    setVisible(m_problems->count() > 0 || !m_reasons->isHidden() || !m_wayOut->isHidden());
}

void Refusals::fit(int width, int most) {
    const QLayout* column = widget()->layout();
    const int whole =
        column->hasHeightForWidth() ? column->totalHeightForWidth(width) : column->totalSizeHint().height();
    setFixedHeight(std::min(whole, most));
}

} // namespace pw
