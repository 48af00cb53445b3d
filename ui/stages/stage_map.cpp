// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stages/stage_map.h"

#include "core/whatif/whatif.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/session/what_if.h"
#include "ui/stages/edited_bar.h"
#include "ui/stages/stage_edits.h"
#include "ui/stages/stage_rows.h"
#include "ui/stages/stage_tools.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/message_bar.h"

#include <QCursor>
#include <QMenu>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolTip>
#include <QVBoxLayout>

#include <functional>
#include <set>

namespace pw {

StageMap::StageMap(const AppContext& context, QWidget* parent)
    : View(parent), m_plan(*new CurrentPlan(context, this)), m_selection(context.selection) {
    makeEditable(context);
    build(context.selection);
    m_rows->setEdits(m_edits);
    connect(m_rows, &StageRows::menuRequested, this,
            [this, context](int stage, const QPoint& at) { showMenu(context, stage, at); });
    bindCommands(context);
    m_empty->button()->setObjectName(QStringLiteral("stages.byHand"));
    connect(m_empty, &EmptyState::clicked, this, [this, context] { makeByHand(context); });
    const auto offer = [this, context] {
        m_empty->setButton(context.document.problem() ? tr("Make one by hand") : QString(),
                           QStringLiteral("stages"));
    };
    connect(&context.document, &Document::changed, this, offer);
    offer();
}

// Equal parts of the model, a stage a node: a plan to move boundaries and devices in.
void StageMap::makeByHand(const AppContext& context) {
    const std::shared_ptr<const Problem> problem = context.document.problem();
    if (!problem)
        return;
    const Result<Plan> plan = whatif::uniformPlan(*problem);
    const Result<Evaluation> judged = plan ? evaluate(*problem, *plan) : Result<Evaluation>(plan.error());
    if (!judged)
        return m_empty->setError(tr("No plan can be made by hand"), judged.error());
    context.selection.setPlan(context.candidates.add(problem, {{*plan, *judged}}, tr("by hand")));
}

StageMap::StageMap(CurrentPlan& plan, Selection& selection, QWidget* parent)
    : View(parent), m_plan(plan), m_selection(selection) {
    build(selection);
}

void StageMap::makeEditable(const AppContext& context) {
    m_edits = new StageEdits(context.whatIf, this);
    m_edited = new EditedBar(context, m_plan, this);
    m_refusal = new MessageBar(this);
    setTitleTools(new StageTools(*m_edits, m_plan, context.selection, this));
    connect(&context.whatIf, &WhatIf::refused, this, &StageMap::showRefusal);
    connect(m_edits, &StageEdits::dropRefused, this, &StageMap::showRefusal);
    connect(m_refusal, &MessageBar::actionClicked, m_edits, &StageEdits::takeWayOut);
    connect(&context.whatIf, &WhatIf::followed, m_refusal, &MessageBar::clear);
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
    if (m_edits) { // below the rows, which stay where they are under the mouse
        connect(m_rows, &StageRows::refused, this, [this](const Error& error) {
            m_edits->forgetWaysOut();
            showRefusal(error);
        });
        column->addWidget(m_refusal);
        column->addWidget(m_edited);
    }
    m_empty = new EmptyState(QStringLiteral("stages"));
    m_empty->setText(tr("No plan selected"), tr("Select a plan to see who computes what."));
    m_stack = new QStackedWidget;
    m_stack->addWidget(m_empty);
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
    const QString mean = stageTimeText(plan->meanTime());
    if (plan->isEarlier())
        return setSubtitle(tr("stale, mean %1").arg(mean));
    if (plan->stale || m_edits) // the fields take the room of the launch counts, which are in the details
        return setSubtitle(tr("mean %1").arg(mean));
    QStringList launch;
    for (const ShownStage& stage : plan->stages)
        launch << QString::number(stage.figures.inFlight);
    setSubtitle(tr("launch %1, mean %2").arg(launch.join(QStringLiteral(", ")), mean));
}

// At the cursor while something is dragged; in the view, where it stays, when it is let go there, and where
// keys and tools are refused too.
void StageMap::showRefusal(const Error& error) {
    if (m_edits->isDragging())
        QToolTip::showText(QCursor::pos(), sentence(error), m_rows);
    else
        m_refusal->setError(tr("Refused."), error, m_edits->waysOut());
}

void StageMap::bindCommands(const AppContext& context) {
    Commands& c = context.commands;
    c.attach("stage map", this);
    const auto bind = [&](const char* id, std::function<void()> run) { c.bind(id, this, std::move(run)); };
    constexpr int kBlock = 2; // fine layers
    bind("stages.back", [this] { m_rows->moveFocused(-kBlock); });
    bind("stages.forward", [this] { m_rows->moveFocused(kBlock); });
    bind("stages.backFive", [this] { m_rows->moveFocused(-5 * kBlock); });
    bind("stages.forwardFive", [this] { m_rows->moveFocused(5 * kBlock); });
    bind("stages.backHalf", [this] { m_rows->moveFocused(-1); });
    bind("stages.forwardHalf", [this] { m_rows->moveFocused(1); });
    bind("stages.backFar", [this] { m_rows->pushFocused(-1); });
    bind("stages.forwardFar", [this] { m_rows->pushFocused(1); });
    bind("stages.deviceUp", [this] { m_rows->shiftFocused(-1); });
    bind("stages.deviceDown", [this] { m_rows->shiftFocused(1); });
    const auto chosen = [this](auto change) {
        return [this, change] {
            if (const Stage* stage = m_edits->stageAt(m_selection.stage()))
                change(*stage, m_selection.stage());
        };
    };
    bind("stages.tpMore", chosen([this](const Stage&, int i) { m_edits->stepTp(i, 1); }));
    bind("stages.tpLess", chosen([this](const Stage&, int i) { m_edits->stepTp(i, -1); }));
    bind("stages.dpMore", chosen([this](const Stage& stage, int i) { m_edits->setDp(i, stage.dp() + 1); }));
    bind("stages.dpLess", chosen([this](const Stage& stage, int i) { m_edits->setDp(i, stage.dp() - 1); }));
    bind("stages.recompute", chosen([this](const Stage&, int i) { m_edits->cycleRecompute(i); }));
    bind("stages.split", chosen([this](const Stage&, int i) { m_edits->split(i); }));
    bind("stages.merge", chosen([this](const Stage&, int i) { m_edits->merge(i); }));
    bind("stages.earlier", chosen([this](const Stage&, int i) { m_edits->reorder(i, i - 1); }));
    bind("stages.later", chosen([this](const Stage&, int i) { m_edits->reorder(i, i + 1); }));
    bind("stages.mark", [this] { m_rows->markFocused(); });
    bind("stages.lock", [this] {
        if (const QString done = m_rows->toggleLock(); !done.isEmpty())
            Q_EMIT newsArrived(done);
    });
    connect(&context.whatIf, &WhatIf::locksChanged, m_rows, qOverload<>(&QWidget::update));
    bind("stages.abort", [this] { m_rows->goBack(); });
}

void StageMap::showMenu(const AppContext& context, int stage, const QPoint& at) {
    const Stage* own = m_edits->stageAt(stage);
    if (!own)
        return;
    m_selection.setStage(stage);
    QMenu* menu = newContextMenu("stage", this);
    fillContext(*menu, context.commands, "stage");
    const qsizetype commands = menu->actions().size();
    menu->addSeparator();
    const Topology& topology = context.whatIf.problem()->topology();
    std::set<int> nodes;
    for (const Replica& replica : own->replicas)
        for (const DeviceIndex d : replica.devices)
            nodes.insert(topology.devices()[static_cast<std::size_t>(d)].node);
    constexpr qsizetype kMostNodes = 8;
    for (const int node : nodes) {
        if (menu->actions().size() > commands + kMostNodes)
            break;
        const QString id = q(topology.cluster().nodes[static_cast<std::size_t>(node)].id);
        menu->addAction(tr("What if %1 fails").arg(id), this, [this, id] { m_edits->dropNode(id); });
    }
    menu->addSeparator();
    fillContext(*menu, context.commands, "edited plan");
    menu->popup(at);
}

} // namespace pw
