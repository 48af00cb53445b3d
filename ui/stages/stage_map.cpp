// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stages/stage_map.h"

#include "ui/base/empty_state.h"
#include "ui/base/format.h"
#include "ui/stages/stage_rows.h"

#include <QScrollArea>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace pw {

StageMap::StageMap(const AppContext& context, QWidget* parent)
    : View(parent), m_plan(*new CurrentPlan(context, this)) {
    build(context.selection);
}

StageMap::StageMap(CurrentPlan& plan, Selection& selection, QWidget* parent) : View(parent), m_plan(plan) {
    build(selection);
}

void StageMap::build(Selection& selection) {
    m_header = new StageHeader;
    m_rows = new StageRows(selection);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_rows);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_header);
    column->addWidget(scroll, 1);
    auto* empty = new EmptyState(QStringLiteral("stages"));
    empty->setText(tr("No plan selected"), tr("Select a plan to see who computes what."));
    m_stack = new QStackedWidget;
    m_stack->addWidget(empty);
    m_stack->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setMinimumSize(640, 76);
    setFocusProxy(m_rows);
    connect(m_rows, &StageRows::showRow, scroll,
            [scroll](const QRect& row) { scroll->ensureVisible(0, row.center().y(), 0, row.height() / 2); });
    connect(&m_plan, &CurrentPlan::changed, this, &StageMap::planChanged);
    planChanged();
}

void StageMap::planChanged() {
    const auto& plan = m_plan.plan();
    m_stack->setCurrentIndex(plan ? 1 : 0);
    m_header->setPlan(plan);
    m_rows->setPlan(plan);
    if (!plan)
        return setSubtitle({});
    QStringList launch;
    for (const ShownStage& stage : plan->stages)
        launch << QString::number(stage.figures.inFlight);
    setSubtitle(
        tr("launch %1, mean %2").arg(launch.join(QStringLiteral(", ")), stageTimeText(plan->meanTime())));
}

} // namespace pw
