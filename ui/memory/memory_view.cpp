// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/memory_view.h"

#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/memory/device_list_model.h"
#include "ui/memory/memory_column.h"
#include "ui/memory/memory_plot.h"
#include "ui/session/selection.h"
#include "ui/session/time_range.h"
#include "ui/timeline/legend.h"
#include "ui/widgets/eliding_combo.h"
#include "ui/widgets/empty_state.h"

#include <QHBoxLayout>
#include <QListView>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <utility>

namespace pw {

namespace {

// As the eye meets them, from the top down.
std::vector<Legend::Entry> memoryLegend(const MemoryParts* p) {
    const QString names[] = {MemoryView::tr("Reserve"),       MemoryView::tr("Weights"),
                             MemoryView::tr("Gradients"),     MemoryView::tr("Optimizer"),
                             MemoryView::tr("Communication"), MemoryView::tr("Transient"),
                             MemoryView::tr("Activations")};
    std::array<QString, std::size(names)> values;
    if (p) {
        const Bytes parts[] = {p->reserve,       p->weights,   p->gradients,  p->optimizer,
                               p->communication, p->transient, p->activations};
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = MemoryView::tr("%1 GiB").arg(gibText(parts[i]));
    }
    std::vector<Legend::Entry> entries;
    for (std::size_t i = theme().memory.size(); i-- > 0;)
        entries.push_back({names[i], theme().memory[i], {}, {}, values[i]});
    return entries;
}

} // namespace

MemoryView::MemoryView(const AppContext& context, QWidget* parent)
    : View(parent), m_plan(*new CurrentPlan(context, this)), m_selection(context.selection),
      m_range(context.timeRange) {
    build();
}

MemoryView::MemoryView(CurrentPlan& plan, Selection& selection, TimeRange& range, QWidget* parent)
    : View(parent), m_plan(plan), m_selection(selection), m_range(range) {
    build();
}

void MemoryView::build() {
    m_list = new DeviceListModel(this);
    m_devices = new ElidingCombo;
    m_devices->setObjectName(QStringLiteral("memory.device"));
    m_devices->setAccessibleName(tr("Device"));
    m_devices->setToolTip(tr("Device whose memory is shown, what it needs and with which chance that fits"));
    m_devices->setModel(m_list);
    m_devices->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon); // asks no row
    m_devices->setMinimumContentsLength(24);
    m_devices->setMaxVisibleItems(16);
    if (auto* rows = qobject_cast<QListView*>(m_devices->view()))
        rows->setUniformItemSizes(true);
    m_devices->setMinimumWidth(90);
    m_devices->setMaximumWidth(200); // the legend needs the rest
    auto* tools = new QWidget(this);
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(new Legend([this] { return memoryLegend(shownPeak()); }), 1);
    row->addWidget(m_devices);
    setTitleTools(tools);

    m_column = new MemoryColumn;
    m_plot = new MemoryPlot(m_range);
    auto* page = new QWidget;
    auto* halves = new QHBoxLayout(page);
    halves->setContentsMargins(0, 0, 0, 0);
    halves->setSpacing(0);
    halves->addWidget(m_column);
    halves->addWidget(m_plot, 1);
    auto* empty = new EmptyState(QStringLiteral("chart"));
    empty->setText(tr("No plan selected"), tr("Select a plan to see its memory."));
    m_stack = new QStackedWidget;
    m_stack->addWidget(empty);
    m_stack->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setMinimumSize(280, 96);
    setFocusProxy(m_column);

    // One px more for the splitter's handle in the timeline.
    const auto align = [this] { m_column->setFixedWidth(m_range.labelWidth() + 1); };
    align();
    connect(&m_range, &TimeRange::labelWidthChanged, this, align);
    connect(&m_plan, &CurrentPlan::changed, this, &MemoryView::planChanged);
    connect(&m_selection, &Selection::stageChanged, this, &MemoryView::stageChanged);
    connect(&m_selection, &Selection::deviceChanged, this, &MemoryView::showDevice);
    const auto choose = [this](const QString& id) {
        m_selection.setDevice(id);
        if (m_plan.plan())
            m_selection.setStage(m_plan.plan()->stageOfDevice(id));
    };
    connect(m_column, &MemoryColumn::chosen, this, choose);
    connect(m_devices, &QComboBox::activated, this, [this, choose](int chosen) {
        if (const ShownDevice* device = m_list->at(chosen))
            choose(device->id);
    });
    RowMenu menu;
    menu.place = "memory";
    menu.choose = [this](const QPoint&) { return !m_device.isEmpty(); };
    menu.text = [this] { return m_column->textOf(m_device); };
    menu.all = [this] { return m_column->text(); };
    menu.stage = [this] { return m_plan.plan() ? m_plan.plan()->stageOfDevice(m_device) : -1; };
    menu.device = [this] { return m_device; };
    menu.current = [this] { return m_device.isEmpty() ? QRect() : m_plot->rect(); };
    offerMenu(m_plot, menu);
    menu.choose = [this](const QPoint& at) {
        m_column->chooseAt(at);
        return !m_device.isEmpty();
    };
    menu.current = [this] { return m_device.isEmpty() ? QRect() : m_column->rect(); };
    offerMenu(m_column, std::move(menu));
    planChanged();
}

void MemoryView::planChanged() {
    const auto& plan = m_plan.plan();
    m_stack->setCurrentIndex(plan ? 1 : 0);
    m_list->setPlan(plan);
    m_devices->setVisible(plan != nullptr);
    m_device.clear();
    m_column->setPlan(plan);
    if (!plan)
        return setSubtitle({});
    const ShownDevice* fullest = plan->fullest();
    const bool known = fullest && fullest->whole().value > 0.0; // what it has
    const QString chance = chanceOfFitText(plan->fitChance());
    setSubtitle(!known              ? plan->isEarlier() ? tr("stale") : QString()
                             : plan->isEarlier() ? tr("stale, fits with a chance of %1").arg(chance)
                                    : tr("fits with a chance of %1").arg(chance));
    if (!fullest)
        return;
    constexpr int kFrame = 40; // px beside the words: padding and the scroll bar
    m_devices->view()->setMinimumWidth(
        m_devices->fontMetrics().horizontalAdvance(DeviceListModel::textOf(*fullest)) + kFrame);
    if (plan->stageOfDevice(m_selection.device()) >= 0)
        showDevice(m_selection.device());
    else if (m_selection.stage() >= 0 && m_selection.stage() < static_cast<int>(plan->stages.size()))
        stageChanged(m_selection.stage());
    else
        showDevice(fullest->id);
}

const MemoryParts* MemoryView::shownPeak() const {
    const auto& plan = m_plan.plan();
    const int stage = plan ? plan->stageOfDevice(m_device) : -1;
    if (stage >= 0)
        for (const ShownDevice& device : plan->stages[static_cast<std::size_t>(stage)].memory)
            if (device.id == m_device)
                return &device.peak;
    return nullptr;
}

// The chosen stage's fullest device, unless one of its devices is shown already.
void MemoryView::stageChanged(int stage) {
    const auto& plan = m_plan.plan();
    if (!plan || stage < 0 || stage >= static_cast<int>(plan->stages.size()) ||
        plan->stageOfDevice(m_device) == stage)
        return;
    if (const ShownDevice* device = plan->stages[static_cast<std::size_t>(stage)].fullest())
        showDevice(device->id);
}

void MemoryView::showDevice(const QString& id) {
    const auto& plan = m_plan.plan();
    const int stage = plan ? plan->stageOfDevice(id) : -1;
    if (stage < 0)
        return;
    m_device = id;
    m_devices->setCurrentIndex(m_list->rowOf(id));
    const ShownStage& shown = plan->stages[static_cast<std::size_t>(stage)];
    for (const ShownDevice& device : shown.memory)
        if (device.id == id) {
            m_plot->show(device, shown, *plan);
            m_column->setDevice(id, m_plot->top());
        }
}

} // namespace pw
