// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_view.h"

#include "ui/base/format.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/session/what_if.h"
#include "ui/timeline/bar_text.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/legend.h"
#include "ui/timeline/marks.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/timeline_corner.h"
#include "ui/timeline/timeline_labels.h"
#include "ui/timeline/timeline_tracks.h"
#include "ui/widgets/empty_state.h"

#include <QAction>
#include <QActionGroup>
#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QInputDialog>
#include <QScrollBar>
#include <QSplitter>
#include <QStackedWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <functional>

namespace pw {

namespace {

constexpr int kHeightStep = 8;          // px a key press
constexpr int kHighestPicture = 10'000; // px: what has more rows is pictured as it is seen
constexpr int kAlongSteps = 10'000;     // of the horizontal scroll bar, whose ints cannot hold nanoseconds

} // namespace

TimelineView::TimelineView(const AppContext& context, QWidget* parent)
    : View(parent), m_plan(*new CurrentPlan(context, this)), m_range(context.timeRange) {
    build(context.selection);
    bindCommands(context.commands);
    bindMarks(context.document, context.commands);
    followRuns(context);
}

TimelineView::TimelineView(CurrentPlan& plan, Selection& selection, TimeRange& range, QWidget* parent)
    : View(parent), m_plan(plan), m_range(range) {
    build(selection);
}

void TimelineView::build(Selection& selection) {
    auto* tools = new QWidget(this);
    auto* toolRow = new QHBoxLayout(tools);
    toolRow->setContentsMargins(0, 0, 0, 0);
    m_lanes = new QComboBox;
    m_lanes->setObjectName(QStringLiteral("timeline.lanes"));
    m_lanes->setAccessibleName(tr("Predicted bars or what ran"));
    m_lanes->setFont(smallFont());
    m_lanes->setFixedHeight(20);
    m_lanes->hide();
    toolRow->addWidget(m_lanes);
    toolRow->addWidget(new Legend(timelineLegend), 1);
    setTitleTools(tools);
    m_tracks = new TimelineTracks(selection, m_range);
    m_labels = new TimelineLabels(selection, *m_tracks);
    m_ruler = new TimeRuler(m_range);
    m_overview = new OverviewStrip(m_range);
    m_corner = new TimelineCorner(m_range, m_tracks->rows());
    m_find = new FindBar;
    m_along = new QScrollBar(Qt::Horizontal);
    m_along->setAccessibleName(tr("Time"));
    m_along->setFixedHeight(10);
    m_down = new QScrollBar(Qt::Vertical);
    m_down->setAccessibleName(tr("Rows"));

    auto* left = new QWidget;
    auto* leftColumn = new QVBoxLayout(left);
    leftColumn->setContentsMargins(0, 0, 0, m_along->height());
    leftColumn->setSpacing(0);
    leftColumn->addWidget(m_corner);
    leftColumn->addWidget(m_labels, 1);
    left->setMinimumWidth(60);

    auto* right = new QWidget;
    auto* grid = new QGridLayout(right);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setSpacing(0);
    grid->addWidget(m_overview, 0, 0);
    grid->addWidget(m_ruler, 1, 0);
    grid->addWidget(m_tracks, 2, 0);
    grid->addWidget(m_down, 2, 1);
    grid->addWidget(m_along, 3, 0);
    grid->setRowStretch(2, 1);
    grid->setColumnStretch(0, 1);

    m_splitter = new QSplitter(Qt::Horizontal);
    m_splitter->setObjectName(QStringLiteral("timeline.splitter"));
    m_splitter->setHandleWidth(1);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->addWidget(left);
    m_splitter->addWidget(right);
    m_splitter->setStretchFactor(1, 1);
    m_splitter->setSizes({m_range.labelWidth(), 4 * m_range.labelWidth()});
    connect(m_splitter, &QSplitter::splitterMoved, this,
            [this](int position) { m_range.setLabelWidth(position); });

    auto* sheet = new QWidget;
    auto* sheetColumn = new QVBoxLayout(sheet);
    sheetColumn->setContentsMargins(0, 0, 0, 0);
    sheetColumn->setSpacing(0);
    sheetColumn->addWidget(m_find);
    sheetColumn->addWidget(m_splitter, 1);
    connect(m_find, &FindBar::found, m_tracks, &TimelineTracks::show);
    connect(m_find, &FindBar::closed, m_tracks, [this] { m_tracks->setFocus(); });

    auto* empty = new EmptyState(QStringLiteral("stages"));
    empty->setText(tr("No plan selected"), tr("Select a plan to see its timeline."));
    m_stack = new QStackedWidget;
    m_stack->addWidget(empty);
    m_stack->addWidget(sheet);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setMinimumSize(280, 150);
    setFocusProxy(m_tracks);

    connect(m_lanes, &QComboBox::currentIndexChanged, this, &TimelineView::showLanes);
    connect(&m_plan, &CurrentPlan::changed, this, &TimelineView::planChanged);
    connect(&m_range, &TimeRange::visibleChanged, this, &TimelineView::updateScrollBars);
    connect(m_tracks, &TimelineTracks::rowsChanged, this, &TimelineView::updateScrollBars);
    connect(m_tracks, &TimelineTracks::rowsChanged, m_labels, qOverload<>(&QWidget::update));
    connect(m_tracks, &TimelineTracks::scrolled, this, [this] { m_down->setValue(m_tracks->scroll()); });
    connect(m_down, &QScrollBar::valueChanged, m_tracks, &TimelineTracks::setScroll);
    connect(m_along, &QScrollBar::valueChanged, this, [this](int value) {
        const TimeWindow window = m_range.visible();
        const auto begin =
            static_cast<std::int64_t>(static_cast<double>(m_range.traceEnd()) * value / kAlongSteps);
        m_range.setVisible({begin, begin + window.span()});
    });
    planChanged();
}

// A plan that is being edited is not the one that ran.
void TimelineView::followRuns(const AppContext& context) {
    const auto follow = [this, &runs = context.runs, &whatIf = context.whatIf] {
        showRun(m_plan.plan() && !whatIf.shown() ? runs.shown(m_plan.plan()->id) : nullptr);
    };
    connect(&context.runs, &PlanRuns::changed, this, follow);
    connect(&m_plan, &CurrentPlan::changed, this, follow);
    follow();
}

void TimelineView::showRun(const PlanRunPointer& run) {
    if (run == m_tracks->run() || !m_plan.plan())
        return;
    m_tracks->setRun(run);
    const PlanRunPointer& shown = m_tracks->run();
    m_lanes->setVisible(shown != nullptr);
    if (shown) {
        const QSignalBlocker quiet(m_lanes);
        const int index = std::max(m_lanes->currentIndex(), 0);
        m_lanes->clear();
        const QString ran = ranText(*shown->record);
        m_lanes->addItems({tr("Predicted and %1").arg(ran), tr("Predicted"), sentence(ran)});
        m_lanes->setCurrentIndex(index);
        m_lanes->setToolTip(
            tr("%1, step %2: %3%4")
                .arg(shown->name)
                .arg(shown->rows.step)
                .arg(standingText(*shown->record),
                     shown->overlay.measured
                         ? QString()
                         : tr("; drawn at the pace of the prediction: only the shape can be read")));
    }
    showLanes();
}

void TimelineView::showLanes() {
    m_tracks->setLanes(static_cast<TimelineTracks::Lanes>(std::max(m_lanes->currentIndex(), 0)));
    const auto& plan = m_plan.plan();
    if (!plan)
        return;
    const PlanRunPointer& run = m_tracks->run();
    const TimelineTracks::Lanes lanes = m_tracks->lanes();
    const std::int64_t ran = run ? run->rows.timeline.end : 0;
    m_range.stretchTrace(lanes == TimelineTracks::Lanes::Predicted ? plan->timeline->end
                         : lanes == TimelineTracks::Lanes::Ran     ? ran
                                                                   : std::max(plan->timeline->end, ran));
    if (lanes == TimelineTracks::Lanes::Ran)
        m_overview->setTimeline(std::shared_ptr<const Timeline>(run, &run->rows.timeline), plan->stale);
    else
        m_overview->setTimeline(plan->timeline, plan->stale);
    m_labels->update();
    m_corner->update();
    setSubtitle(run                 ? tr("%1, %2").arg(run->name, standingText(*run->record))
                : plan->isEarlier() ? tr("stale")
                                    : QString());
}

void TimelineView::planChanged() {
    const auto& plan = m_plan.plan();
    m_stack->setCurrentIndex(plan ? 1 : 0);
    const auto related = [](const ShownPlan& a, const ShownPlan& b) { return a.base && a.base->id == b.id; };
    if (plan && m_shown && (plan->id == m_shown->id || related(*plan, *m_shown) || related(*m_shown, *plan)))
        m_range.stretchTrace(plan->timeline->end); // an edit: the eye stays where it was
    else if (plan)
        m_range.setTrace(plan->timeline->end);
    m_shown = plan;
    m_tracks->setPlan(plan);
    m_labels->setPlan(plan);
    m_find->setPlan(plan);
    m_ruler->setShown(plan != nullptr);
    m_overview->setTimeline(plan ? plan->timeline : nullptr, plan && plan->stale);
    m_lanes->hide(); // the run was of the plan before
    m_corner->update();
    setSubtitle(plan && plan->isEarlier() ? tr("stale") : QString());
    updateScrollBars();
}

void TimelineView::updateScrollBars() {
    const int hidden = std::max(0, m_tracks->contentHeight() - m_tracks->height());
    m_down->setVisible(hidden > 0);
    m_down->setPageStep(m_tracks->height());
    m_down->setSingleStep(m_tracks->viewport().rowHeight);
    m_down->setRange(0, hidden);
    m_down->setValue(m_tracks->scroll());

    const double end = static_cast<double>(m_range.traceEnd());
    const TimeWindow window = m_range.visible();
    const auto steps = [end](std::int64_t t) {
        return static_cast<int>(static_cast<double>(t) / end * kAlongSteps);
    };
    const QSignalBlocker quiet(m_along); // the bar follows the range here, not the other way round
    const int page = std::max(1, steps(window.span()));
    m_along->setPageStep(page);
    m_along->setSingleStep(std::max(1, page / 10));
    m_along->setRange(0, std::max(0, kAlongSteps - page));
    m_along->setValue(steps(window.begin));
}

void TimelineView::bindCommands(Commands& commands) {
    commands.attach("timeline", this);
    connect(m_tracks, &TimelineTracks::menuRequested, this,
            [this, &commands](const QPoint& at) { showContext(commands, "timeline", m_tracks, at); });
    for (QWidget* above : {static_cast<QWidget*>(m_overview), static_cast<QWidget*>(m_ruler)}) {
        above->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(above, &QWidget::customContextMenuRequested, this, [above, &commands](const QPoint& at) {
            showContext(commands, "timeline", above, above->mapToGlobal(at));
        });
    }
    const auto bind = [&](const char* id, std::function<void()> run) {
        commands.bind(id, this, std::move(run));
    };
    bind("timeline.fit", [this] { m_range.fit(); });
    bind("timeline.zoomIn", [this] { m_tracks->zoom(2.0); });
    bind("timeline.zoomOut", [this] { m_tracks->zoom(-2.0); });
    bind("timeline.left", [this] { m_tracks->pan(-0.1); });
    bind("timeline.right", [this] { m_tracks->pan(0.1); });
    bind("timeline.centre", [this] { m_tracks->centre(); });
    bind("timeline.range", [this] { m_tracks->selectRange(); });
    bind("timeline.previousBar", [this] { m_tracks->step(-1); });
    bind("timeline.nextBar", [this] { m_tracks->step(1); });
    bind("timeline.cause", [this] { m_tracks->follow(false); });
    bind("timeline.effect", [this] { m_tracks->follow(true); });
    bind("timeline.clear", [this] { m_tracks->clear(); });
    bind("timeline.pinRow", [this] {
        const int track = m_tracks->chosenTrack();
        if (track >= 0)
            m_tracks->rows().togglePinned(track);
    });
    bind("timeline.resetRows", [this] { m_tracks->rows().reset(); });
    bind("timeline.taller", [this] { m_tracks->setRowHeight(m_tracks->rowHeight() + kHeightStep); });
    bind("timeline.lower", [this] { m_tracks->setRowHeight(m_tracks->rowHeight() - kHeightStep); });
    bind("timeline.fitRows", [this] { m_tracks->setRowHeight(0); });
    bind("timeline.lanes", [this] {
        if (m_tracks->run())
            m_lanes->setCurrentIndex((m_lanes->currentIndex() + 1) % m_lanes->count());
    });
    auto* tools = new QActionGroup(this);
    for (const auto& [id, tool] : {std::pair("timeline.toolSelect", TimelineTracks::Tool::Select),
                                   std::pair("timeline.toolPan", TimelineTracks::Tool::Pan),
                                   std::pair("timeline.toolZoom", TimelineTracks::Tool::Zoom),
                                   std::pair("timeline.toolTiming", TimelineTracks::Tool::Timing)}) {
        tools->addAction(commands.action(id));
        commands.action(id)->setChecked(tool == m_tracks->tool());
        bind(id, [this, tool = tool] { m_tracks->setTool(tool); });
    }
    bind("timeline.find", [this] {
        if (m_plan.plan())
            m_find->open(refOf(m_tracks->chosen()));
    });
}

void TimelineView::bindMarks(Document& document, Commands& commands) {
    m_marks = new TimelineMarks(document, m_range, this);
    commands.bind("timeline.mark", this, [this] {
        if (m_plan.plan())
            m_marks->add(m_tracks->markPlace(), {});
    });
    commands.bind("timeline.keepMark", this, [this] {
        if (m_plan.plan())
            m_marks->keep(m_tracks->markPlace(), placeText(m_tracks->markPlace()));
    });
    commands.bind("timeline.removeMark", this, [this] { m_marks->removeNearest(m_tracks->markPlace()); });
    m_commands = &commands;
    connect(&m_plan, &CurrentPlan::changed, this, &TimelineView::offerMarks);
    offerMarks();
    connect(m_ruler, &TimeRuler::markRequested, this, [this](std::int64_t at) { m_marks->add(at, {}); });
    connect(m_ruler, &TimeRuler::markActivated, this, &TimelineView::nameMark);
}

// What a kept mark is called until the user names it: the chosen bar if it stands there, else the time.
QString TimelineView::placeText(std::int64_t at) const {
    const BarRef chosen = refOf(m_tracks->chosen());
    if (m_plan.plan() && isBar(*m_plan.plan()->timeline, chosen)) {
        const Lane& lane = laneOf(*m_plan.plan()->timeline, chosen);
        const auto i = static_cast<std::size_t>(chosen.bar);
        if (at >= lane.start(i) && at <= lane.end(i))
            return barPlace(*m_plan.plan()->timeline, chosen);
    }
    return spanText(at);
}

void TimelineView::showEvent(QShowEvent* event) {
    View::showEvent(event);
    offerMarks();
}

void TimelineView::hideEvent(QHideEvent* event) {
    View::hideEvent(event);
    offerMarks();
}

QSize TimelineView::wholeSize() const {
    const int hidden = m_plan.plan() ? m_tracks->contentHeight() - m_tracks->height() : 0;
    return hidden > 0 && height() + hidden <= kHighestPicture ? QSize(width(), height() + hidden) : QSize();
}

// As high as that, for the moment.
void TimelineView::paintWhole(QPainter& painter) {
    const int scroll = m_tracks->scroll();
    const QSize seen = size();
    const auto become = [this](const QSize& size) {
        resize(size);
        layout()->activate();
        m_stack->layout()->activate();
    };
    become(wholeSize());
    render(&painter, QPoint(), QRegion(), DrawWindowBackground | DrawChildren);
    become(seen);
    m_tracks->setScroll(scroll);
}

// Not where nobody would see what becomes of them.
void TimelineView::offerMarks() {
    if (!m_commands)
        return;
    for (const char* id : {"timeline.mark", "timeline.keepMark", "timeline.removeMark"})
        m_commands->action(id)->setEnabled(isVisible() && m_plan.plan());
}

void TimelineView::nameMark(int index) {
    auto* dialog = new QInputDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("timeline.nameMark"));
    dialog->setWindowTitle(tr("Name the mark"));
    dialog->setLabelText(tr("Name"));
    dialog->setTextValue(m_range.marks()[static_cast<std::size_t>(index)].text);
    connect(dialog, &QInputDialog::textValueSelected, this,
            [this, index](const QString& text) { m_marks->rename(index, text); });
    dialog->open();
}

} // namespace pw
