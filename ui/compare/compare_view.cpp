// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_view.h"

#include "ui/base/convert.h"
#include "ui/base/icons.h"
#include "ui/commands/commands.h"
#include "ui/compare/compare_lanes.h"
#include "ui/plans/plan_table_model.h"
#include "ui/session/candidates.h"
#include "ui/session/compare_set.h"
#include "ui/session/document.h"
#include "ui/session/plan_order.h"
#include "ui/session/plan_text.h"
#include "ui/session/selection.h"
#include "ui/timeline/time_ruler.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/message_bar.h"

#include <QButtonGroup>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalBlocker>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

namespace pw {

CompareView::CompareView(AppContext& context, QWidget* parent)
    : View(parent), m_context(context), m_set(context.compare),
      m_inputs(new MessageBar(MessageBar::Text::Wrapped)), m_pages(new QStackedWidget),
      m_empty(new EmptyState(QStringLiteral("stages"))), m_lanes(new CompareLanes(m_set)),
      m_ruler(new TimeRuler(m_set.range())), m_overview(new OverviewStrip(m_set.range())),
      m_add(new QComboBox), m_place(new QLabel) {
    setObjectName(QStringLiteral("compareView"));
    setAccessibleName(tr("Compare"));
    setAcceptDrops(true);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); // the ruler keeps its width
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_lanes);
    m_seen = scroll->viewport();
    m_seen->installEventFilter(this);
    connect(m_lanes, &CompareLanes::scrollWanted, scroll->verticalScrollBar(), &QScrollBar::setValue);
    auto* ruler = new QGridLayout;
    ruler->setContentsMargins(0, 0, scroll->verticalScrollBar()->sizeHint().width(), 0);
    ruler->setSpacing(0);
    ruler->setColumnMinimumWidth(0, CompareLanes::kLabels);
    m_overview->setAccessibleName(tr("Overview of the base"));
    ruler->addWidget(m_overview, 0, 1);
    ruler->addWidget(m_ruler, 1, 1);
    ruler->setColumnStretch(1, 1);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(makeTools());
    column->addWidget(m_inputs);
    column->addLayout(ruler);
    column->addWidget(scroll, 1);
    m_empty->setButton(tr("Compare the two fastest"), QStringLiteral("stages"));
    connect(m_empty, &EmptyState::clicked, this, [this] {
        m_set.setPlans(fastestPlans(m_context.candidates, m_context.document.problem(), CompareSet::kLeast));
    });
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    setMinimumSize(480, 200);
    setFocusProxy(m_lanes);
    bindCommands();
    connect(&m_set, &CompareSet::changed, this, &CompareView::refresh);
    connect(&m_set, &CompareSet::axisChanged, this, &CompareView::refreshTools);
    connect(&m_set, &CompareSet::chosenChanged, this, &CompareView::refreshTools);
    connect(&context.candidates, &Candidates::changed, this, &CompareView::refresh);
    connect(&context.document, &Document::changed, this, &CompareView::refresh);
    refresh();
}

QWidget* CompareView::makeTools() {
    auto* tools = new QWidget;
    tools->setFixedHeight(36);
    auto* row = new QHBoxLayout(tools);
    row->setContentsMargins(10, 0, 10, 0);
    row->setSpacing(6);
    const auto word = [this, row](const QString& text) {
        auto* label = new QLabel(text);
        label->setForegroundRole(QPalette::PlaceholderText);
        row->addWidget(label);
        m_words << label;
    };
    const auto choice = [row](QButtonGroup* group, const QString& text, const QString& name,
                              const QString& help) {
        auto* button = new QToolButton;
        button->setText(text);
        button->setFixedHeight(24);
        button->setCheckable(true);
        button->setObjectName(name);
        button->setToolTip(help);
        button->setAccessibleName(help);
        group->addButton(button);
        row->addWidget(button);
        return button;
    };
    word(tr("Align"));
    auto* align = new QButtonGroup(this);
    const std::pair<QString, QString> places[] = {{tr("Start"), tr("Align the starts")},
                                                  {tr("Steady"), tr("Align where the last stage begins")},
                                                  {tr("End"), tr("Align the ends")}};
    for (int i = 0; i < 3; ++i) {
        m_align[i] =
            choice(align, places[i].first, QStringLiteral("compare.align%1").arg(i), places[i].second);
        connect(m_align[i], &QAbstractButton::toggled, this,
                [this, i](bool on) { // screen readers do not click
                    if (on)
                        m_set.setAlign(static_cast<CompareSet::Align>(i));
                });
    }
    row->addSpacing(10);
    word(tr("Axis"));
    auto* axis = new QButtonGroup(this);
    m_axis[0] = choice(axis, tr("Seconds"), QStringLiteral("compare.seconds"),
                       tr("One second is as long in every lane"));
    m_axis[1] = choice(axis, tr("Share of iteration"), QStringLiteral("compare.share"),
                       tr("Every iteration is as long as the base's"));
    for (int i = 0; i < 2; ++i)
        connect(m_axis[i], &QAbstractButton::toggled, this, [this, i](bool on) {
            if (on)
                m_set.setNormalised(i == 1);
        });
    row->addSpacing(10);
    auto* swap = new QPushButton(tr("Swap base  X"));
    swap->setObjectName(QStringLiteral("compare.swap"));
    swap->setToolTip(m_context.commands.action("compare.swap")->toolTip());
    connect(swap, &QPushButton::clicked, m_context.commands.action("compare.swap"), &QAction::trigger);
    row->addWidget(swap);
    m_add->setObjectName(QStringLiteral("compare.add"));
    m_add->setAccessibleName(tr("Add a plan to the comparison"));
    m_add->setMinimumWidth(90);
    m_add->setMaximumWidth(150);
    connect(m_add, &QComboBox::activated, this, [this] { m_set.add(m_add->currentData().toInt()); });
    row->addWidget(m_add);
    row->addStretch();
    const std::pair<const char*, QString> steps[] = {{"compare.previous", QStringLiteral("previous")},
                                                     {"compare.next", QStringLiteral("next")}};
    for (const auto& [id, symbol] : steps) {
        auto* button = new QPushButton(icon(symbol, IconTone::Text2), QString());
        button->setFixedSize(24, 24);
        button->setObjectName(QStringLiteral("button.") + QLatin1String(id));
        nameAfter(button, m_context.commands.action(id));
        button->setToolTip(m_context.commands.action(id)->toolTip());
        connect(button, &QPushButton::clicked, m_context.commands.action(id), &QAction::trigger);
        row->addWidget(button);
    }
    m_place->setObjectName(QStringLiteral("compare.place"));
    m_place->setForegroundRole(QPalette::PlaceholderText);
    m_place->setMinimumWidth(84);
    row->addWidget(m_place);
    return tools;
}

// The choices explain themselves where there is no room to name them.
void CompareView::resizeEvent(QResizeEvent* event) {
    constexpr int kRoomForWords = 800;
    View::resizeEvent(event);
    for (QLabel* word : m_words)
        word->setVisible(width() >= kRoomForWords);
}

// The plans share the height that is left of them.
bool CompareView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_seen && event->type() == QEvent::Resize)
        m_lanes->setRoom(m_seen->height());
    return View::eventFilter(watched, event);
}

void CompareView::bindCommands() {
    Commands& c = m_context.commands;
    c.attach("compare", this);
    c.bind("compare.swap", this, [this] { m_set.swapBase(); });
    c.bind("compare.base", this, [this] { m_set.setBase(m_set.activeLane()); });
    c.bind("compare.remove", this, [this] { m_set.remove(m_set.activeLane()); });
    c.bind("compare.previous", this, [this] { stepDifference(-1); });
    c.bind("compare.next", this, [this] { stepDifference(1); });
    c.bind("compare.fit", this, [this] { m_set.range().fit(); });
    c.bind("compare.zoomIn", this, [this] { m_lanes->zoom(2.0); });
    c.bind("compare.zoomOut", this, [this] { m_lanes->zoom(-2.0); });
    c.bind("compare.left", this, [this] { m_lanes->pan(-0.1); });
    c.bind("compare.right", this, [this] { m_lanes->pan(0.1); });
    c.bind("compare.clear", this, [this] {
        if (m_set.microbatch() < 0 && m_set.chosen() < 0)
            return m_context.selection.leaveStage();
        m_set.setMicrobatch(-1);
        m_set.setChosen(-1);
    });
}

void CompareView::stepDifference(int by) {
    if (!m_set.comparison())
        return;
    const auto rows = static_cast<int>(m_set.comparison()->time.size());
    const int now = m_set.chosen();
    m_set.setChosen(now < 0 ? (by > 0 ? 0 : rows - 1) : (now + by + rows) % rows);
}

void CompareView::refresh() {
    const Comparison* comparison = m_set.comparison();
    const auto lanes = static_cast<int>(m_set.lanes().size());
    m_empty->setText(lanes == 1 ? tr("One plan is not enough") : tr("Pick two to four plans"),
                     m_context.candidates.all().size() < 2
                         ? tr("A comparison needs two plans: run a search or edit one by hand.")
                         : tr("Choose them in the table (Ctrl and click) and press Ctrl+Enter, or drop a row "
                              "here. Plans of "
                              "another drawing or fabric come in by Plan > Compare with another project."));
    m_empty->button()->setVisible(m_context.candidates.all().size() >= 2);
    m_pages->setCurrentIndex(comparison ? 1 : 0);
    setFocusProxy(comparison ? static_cast<QWidget*>(m_lanes) : m_empty->button());
    m_ruler->setShown(comparison != nullptr);
    setSubtitle(comparison ? tr("%1 plans on one time axis").arg(lanes) : QString());
    const QSignalBlocker quiet(m_add);
    m_add->clear();
    m_add->setPlaceholderText(tr("Add a plan"));
    const auto problem = m_context.document.problem();
    for (const Candidate* candidate : currentFirst(m_context.candidates, problem)) {
        const bool in = std::any_of(m_set.lanes().begin(), m_set.lanes().end(),
                                    [&](const CompareSet::Lane& lane) { return lane.id == candidate->id; });
        if (!in && m_add->count() < 40)
            m_add->addItem(QStringLiteral("%1   %2").arg(
                               planTitle(*candidate),
                               withStale(markedIteration(candidate->evaluation), *candidate, problem)),
                           candidate->id);
    }
    m_add->setCurrentIndex(-1);
    m_add->setEnabled(m_add->count() > 0 && m_set.lanes().size() < CompareSet::kMost);
    if (comparison && !comparison->inputs.empty()) {
        QStringList inputs;
        for (const std::string& input : comparison->inputs)
            inputs << q(input);
        m_inputs->setMessage(MessageBar::Tone::Stale, tr("Different questions."),
                             (comparison->sameWork
                                  ? tr("The same work under other conditions, those of the base first: %1.")
                                  : tr("The figures are not for the same work, that of the base first: %1."))
                                 .arg(inputs.join(QStringLiteral(", "))));
    } else {
        m_inputs->clear();
    }
    refreshTools();
}

void CompareView::refreshTools() {
    // The strip shows the base where it lies on the common axis.
    const bool any = m_set.comparison() != nullptr;
    const ShownPlan* base = any ? m_set.lanes()[m_set.base()].plan.get() : nullptr;
    m_overview->setTimeline(base ? base->timeline : nullptr, base && base->stale,
                            any ? -m_set.laneWindow(m_set.base(), {0, 1}).begin : 0);
    m_ruler->setWhole(base && m_set.isNormalised() ? static_cast<std::int64_t>(base->iteration.value * 1e9)
                                                   : 0);
    m_align[static_cast<int>(m_set.align())]->setChecked(true);
    m_axis[m_set.isNormalised() ? 1 : 0]->setChecked(true);
    const Comparison* comparison = m_set.comparison();
    m_place->setText(!comparison ? QString()
                     : m_set.chosen() < 0
                         ? tr("%1 differences").arg(comparison->time.size())
                         : tr("Difference %1 of %2").arg(m_set.chosen() + 1).arg(comparison->time.size()));
}

void CompareView::dragEnterEvent(QDragEnterEvent* event) {
    if (event->mimeData()->hasFormat(QLatin1String(PlanTableModel::kPlanMime)))
        event->acceptProposedAction();
}

void CompareView::dropEvent(QDropEvent* event) {
    for (const QByteArray& id : event->mimeData()->data(QLatin1String(PlanTableModel::kPlanMime)).split(' '))
        m_set.add(id.toInt());
    event->acceptProposedAction();
}

} // namespace pw
