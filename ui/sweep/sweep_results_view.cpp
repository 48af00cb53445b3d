// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/sweep_results_view.h"

#include "ui/commands/commands.h"
#include "ui/sweep/sweep_pages.h"
#include "ui/sweep/sweep_study.h"
#include "ui/sweep/sweep_table.h"
#include "ui/sweep/sweep_words.h"

namespace pw {

SweepResultsView::SweepResultsView(AppContext& context, QWidget* parent)
    : View(parent), m_study(SweepStudy::of(context.document)), m_table(new SweepTable(context)) {
    setObjectName(QStringLiteral("sweepResultsView"));
    setAccessibleName(tr("Results"));
    m_table->setObjectName(QStringLiteral("sweep.results"));
    m_table->setAccessibleName(tr("Results"));
    buildSweepPages(*this, context, m_table, nullptr, false);
    context.commands.attach("sweep", this);
    context.commands.bind("sweep.openPlan", this, [this] { m_study.requestPlan(); });
    const auto follow = [this] {
        const SweepStudy& study = m_study;
        const std::size_t tasks = study.isOpen() ? study.tasks().size() : 0;
        setSubtitle(!study.isOpen() ? QString()
                    : tasks == 1    ? tr("1 task")
                                    : tr("%1 tasks").arg(numberText(tasks)));
    };
    connect(&m_study, &SweepStudy::opened, this, follow);
    follow();
}

} // namespace pw
