// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details/details_panel.h"

#include "core/problem/memory_span.h"
#include "ui/base/focus_frame.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/details/area_section.h"
#include "ui/details/plan_sentence.h"
#include "ui/details/property_list.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/plan_text.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/timeline/bar_text.h"
#include "ui/timeline/time_axis.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <cmath>
#include <utility>

namespace pw {

namespace {

constexpr qsizetype kOperatorsALine = 2;

class Badge : public QWidget {
public:
    explicit Badge(Selection& selection, CurrentPlan& plan) : m_selection(selection), m_plan(plan) {
        setFixedSize(20, 20);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        const int row = m_selection.stage();
        if (!m_plan.plan() || row < 0 || row >= static_cast<int>(m_plan.plan()->stages.size()))
            return;
        QPainter painter(this);
        paintStageBadge(painter, rect(), m_plan.plan()->stages[static_cast<std::size_t>(row)].stage,
                        m_plan.plan()->stale);
    }

private:
    Selection& m_selection;
    CurrentPlan& m_plan;
};

// Words that Tab stops at, so that they are heard: they show that they have the focus.
class SentenceLabel : public QLabel {
public:
    SentenceLabel() {
        setWordWrap(true);
        setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        setFocusPolicy(Qt::StrongFocus);
    }

protected:
    void paintEvent(QPaintEvent* event) override {
        QLabel::paintEvent(event);
        if (!hasFocus())
            return;
        QPainter painter(this);
        paintFocusFrame(painter, rect());
    }
};

// What stands above the rows: "Plan 1, 4 stages, properties".
void nameAfter(PropertyList& list, const QLabel& title, const QLabel& kind) {
    const QString name = DetailsPanel::tr("%1, %2, properties").arg(title.text(), kind.text());
    if (name != list.accessibleName()) // each time is an event
        list.setAccessibleName(name);
}

QString provenanceText(Provenance provenance) {
    switch (provenance) {
    case Provenance::Measured:
        return DetailsPanel::tr("measured");
    case Provenance::Interpolated:
        return DetailsPanel::tr("interpolated");
    case Provenance::Fitted:
        return DetailsPanel::tr("fitted");
    case Provenance::Estimated:
        break;
    }
    return DetailsPanel::tr("∴ estimated");
}

// They add up to the iteration.
void addTimeParts(const TimeParts& t, std::vector<Property>& rows) {
    rows.push_back({DetailsPanel::tr("Fill, drain"),
                    DetailsPanel::tr("%1, %2").arg(iterationText(t.fill), iterationText(t.drain)),
                    DetailsPanel::tr("busiest stage"),
                    {},
                    {},
                    false,
                    DetailsPanel::tr("How long the stage that computes most waits for its first micro-batch, "
                                     "and how long other stages go on behind its last pass. Both are 0 where "
                                     "that is the first stage, which starts at once and ends last.")});
    rows.push_back({DetailsPanel::tr("Steady"),
                    iterationText(t.steady),
                    {},
                    {},
                    {},
                    false,
                    DetailsPanel::tr("What that stage computes, and its waits for other stages between its "
                                     "first and its last pass.")});
    rows.push_back(
        {DetailsPanel::tr("Exposed"),
         DetailsPanel::tr("tp %1, dp %2, pp %3")
             .arg(iterationText(t.exposedTp), iterationText(t.exposedDp), iterationText(t.exposedPp)),
         {},
         {},
         {},
         false,
         DetailsPanel::tr("Communication that nothing hides. tp: inside the passes of that stage. "
                          "dp: gradients that are still summed over replicas behind the last pass "
                          "of all stages. pp: its waits for transfers.")});
    rows.push_back(
        {DetailsPanel::tr("Sync, step"),
         DetailsPanel::tr("%1, %2").arg(iterationText(t.sync), iterationText(t.optimizer)),
         {},
         {},
         {},
         false,
         DetailsPanel::tr("Sync: the gradient of a tied embedding, which first and last stage "
                          "exchange behind the sums over replicas; 0 where the head has a matrix of "
                          "its own. Step: the optimiser's.")});
}

QString linkOf(BarRef ref) {
    return QStringLiteral("%1/%2/%3").arg(ref.track).arg(static_cast<int>(ref.lane)).arg(ref.bar);
}

} // namespace

DetailsPanel::DetailsPanel(const AppContext& context, QWidget* parent)
    : View(parent), m_plan(*new CurrentPlan(context, this)), m_selection(context.selection) {
    m_bound = [context] {
        const Candidate* plan = context.candidates.find(context.selection.plan());
        return plan ? context.runner.boundFor(*plan) : Seconds();
    };
    m_words = [context] {
        const Candidate* plan = context.candidates.find(context.selection.plan());
        return plan ? planSentence(*plan, context.runner.boundFor(*plan)) : QString();
    };
    m_beside = [context]() -> std::pair<QString, QString> {
        const Candidate* plan = context.candidates.find(context.selection.plan());
        const auto beside =
            plan ? context.candidates.besideBest(*plan, context.document.problem()) : std::nullopt;
        if (!beside)
            return {};
        return {besideText(*beside), besideNote(*beside, *context.candidates.bestLike(*plan))};
    };
    build(&context.timeRange);
    connect(&context.runner, &SearchRunner::finished, this, &DetailsPanel::showHead);
    connect(&context.runner, &SearchRunner::replaced, this, &DetailsPanel::showHead);
    connect(&context.runner, &SearchRunner::progressed, this, [this, seen = Seconds()]() mutable {
        if (const Seconds bound = m_bound(); bound != std::exchange(seen, bound)) // proven while it runs
            showHead();
    });
    connect(&context.candidates, &Candidates::changed, this, &DetailsPanel::showHead);
}

DetailsPanel::DetailsPanel(CurrentPlan& plan, Selection& selection, TimeRange* range, QWidget* parent)
    : View(parent), m_plan(plan), m_selection(selection), m_bound([] { return Seconds(); }),
      m_words([] { return QString(); }), m_beside([] { return std::pair<QString, QString>(); }) {
    build(range);
}

void DetailsPanel::build(TimeRange* range) {
    setObjectName(QStringLiteral("details"));
    setAccessibleName(tr("Details"));
    m_badge = new Badge(m_selection, m_plan);
    m_heading = new ElidedLabel;
    m_heading->setFont(headingFont());
    m_heading->setObjectName(QStringLiteral("details.heading"));
    m_kind = new ElidedLabel;
    m_back = new QToolButton;
    m_back->setObjectName(QStringLiteral("details.back"));
    m_back->setIcon(icon(QStringLiteral("previous"), IconTone::Text2));
    m_back->setAutoRaise(true);
    m_back->setAccessibleName(tr("Back to the plan"));
    m_back->setToolTip(tr("The figures of the whole plan (Esc)"));
    connect(m_back, &QToolButton::clicked, this, [this] { m_selection.leaveStage(); });
    auto* head = new QHBoxLayout;
    head->setContentsMargins(10, 10, 10, 4);
    head->setSpacing(8);
    head->addWidget(m_back);
    head->addWidget(m_badge);
    head->addWidget(m_heading, 1);
    head->addWidget(m_kind);
    m_sentence = new SentenceLabel;
    m_sentence->setObjectName(QStringLiteral("details.sentence"));
    m_sentence->setContentsMargins(10, 0, 10, 6);
    m_stage = new PropertyList("details");
    m_stage->setObjectName(QStringLiteral("details.stage"));
    m_barTitle = new QWidget;
    m_barTitle->setFixedHeight(24);
    m_barTitle->setAutoFillBackground(true);
    m_barName = new QLabel;
    m_barName->setFont(bodyFont(500));
    m_barName->setObjectName(QStringLiteral("details.bar"));
    m_barKind = new QLabel;
    auto* barHead = new QHBoxLayout(m_barTitle);
    barHead->setContentsMargins(10, 0, 10, 0);
    barHead->addWidget(m_barName, 1);
    barHead->addWidget(m_barKind);
    m_bar = new PropertyList("details");
    m_bar->setObjectName(QStringLiteral("details.barRows"));

    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(head);
    column->addWidget(m_sentence);
    column->addWidget(m_stage);
    column->addWidget(m_barTitle);
    column->addWidget(m_bar);
    AreaSection* area = range ? new AreaSection(m_plan, *range) : nullptr;
    if (area)
        column->addWidget(area);
    column->addStretch(1);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff); // words give way instead
    scroll->setFocusPolicy(Qt::NoFocus);                          // the lists in it have it
    scroll->setWidget(page);
    if (area) // who has dragged an area looks for its figures
        connect(
            range, &TimeRange::selectedChanged, area,
            [area, scroll] {
                if (area->isVisible())
                    scroll->ensureWidgetVisible(area, 0, 0);
            },
            Qt::QueuedConnection);
    auto* empty = new EmptyState(QStringLiteral("info"));
    empty->setText(tr("No plan selected"), tr("Select a plan, a stage or a bar to read its figures."));
    m_stack = new QStackedWidget;
    m_stack->addWidget(empty);
    m_stack->addWidget(scroll);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setMinimumSize(240, 160);
    setFocusProxy(m_stage);

    const auto colours = [this, page] {
        const Theme& t = theme();
        const auto paint = [](QWidget* widget, QPalette::ColorRole role, const QColor& colour) {
            QPalette palette = widget->palette();
            palette.setColor(role, colour);
            widget->setPalette(palette);
        };
        page->setAutoFillBackground(true);
        paint(page, QPalette::Window, t.panel);
        paint(m_barTitle, QPalette::Window, t.head);
        paint(m_kind, QPalette::WindowText, t.text2);
        paint(m_barKind, QPalette::WindowText, t.text2);
    };
    colours();
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, colours);
    const auto both = [this] {
        showHead();
        showBar();
    };
    connect(&m_plan, &CurrentPlan::changed, this, both);
    connect(&m_selection, &Selection::stageChanged, this, [both] { both(); });
    connect(&m_selection, &Selection::barChanged, this, &DetailsPanel::showBar);
    connect(m_bar, &PropertyList::linkActivated, this, &DetailsPanel::follow);
    both();
}

void DetailsPanel::showHead() {
    const auto& plan = m_plan.plan();
    const int row = m_selection.stage();
    m_stack->setCurrentIndex(plan ? 1 : 0);
    setSubtitle(plan && plan->isEarlier() ? tr("stale") : QString());
    if (!plan)
        return;
    for (PropertyList* list : {m_stage, m_bar})
        list->setStale(plan->stale);
    const bool stage = row >= 0 && row < static_cast<int>(plan->stages.size());
    m_badge->setVisible(stage);
    m_back->setVisible(stage);
    m_sentence->setText(stage ? QString() : m_words());
    m_sentence->setVisible(!m_sentence->text().isEmpty());
    stage ? showStage(*plan, row) : showPlan(*plan);
    nameAfter(*m_stage, *m_heading, *m_kind);
}

void DetailsPanel::showPlan(const ShownPlan& plan) {
    m_heading->setText(tr("Plan %1").arg(plan.name));
    const auto stages = static_cast<int>(plan.stages.size());
    m_kind->setText(stages == 1 ? tr("%1 stage").arg(stages) : tr("%1 stages").arg(stages));
    std::vector<Property> rows;
    if (!plan.reason.isEmpty())
        rows.push_back({tr("Infeasible"), plan.reason, {}, {}, {}, true});
    rows.push_back({tr("Iteration"),
                    iterationText(plan.iteration),
                    plan.base ? tr("%1 % to plan %2")
                                    .arg(signedText(100.0 * (plan.iteration / plan.base->iteration - 1.0), 2),
                                         plan.base->name)
                              : tr("predicted"),
                    plan.estimated ? tr("∴ estimated") : tr("measured"),
                    {}});
    if (!plan.band.cases.empty()) {
        rows.push_back({tr("Expected"), expectedText(plan.band, plan.iteration), tr("80 %"), {}, {}});
        rows.push_back({tr("Rests on"),
                        basisText(plan.band),
                        tr("distance %1").arg(decimalText(plan.band.distance, 2)),
                        {},
                        {},
                        !plan.band.isNear()});
        rows.push_back({tr("Nearest"), plan.nearest, {}, {}, {}});
        for (const QString& what : plan.differs)
            rows.push_back({what == plan.differs.front() ? tr("Differs in") : QString(), what, {}, {}, {}});
    }
    if (const auto [verdict, sentence] = m_beside(); !verdict.isEmpty())
        rows.push_back({tr("Beside best"), verdict, sentence, {}, {}});
    rows.push_back({tr("Measured"), shareText(plan.measuredShare), tr("of the computing time"), {}, {}});
    rows.push_back({tr("Closed form"), iterationText(plan.closedForm), tr("a filter, not ranked"), {}, {}});
    if (const Seconds bound = m_bound(); bound.value > 0.0)
        rows.push_back({tr("Lower bound"),
                        iterationText(bound),
                        tr("gap %1").arg(shareText(plan.iteration / bound - 1.0)),
                        {},
                        {}});
    rows.push_back({tr("Tokens/s"), tokensText(plan.tokensPerSecond), {}, {}, {}});
    rows.push_back({tr("Bubble"),
                    shareText(plan.bubble),
                    tr("in the worst stage"),
                    {},
                    {},
                    plan.bubble > 0.2,
                    bubbleHelp(plan.bubble)});
    // Layers that were measured in another precision than the plan states have another peak.
    const bool beyond = plan.utilisation > 1.0;
    rows.push_back({tr("MFU"),
                    shareText(plan.utilisation),
                    beyond
                        ? tr("above the peak of %1: the layers were measured in another").arg(plan.precision)
                        : tr("of all GPUs' dense peak"),
                    {},
                    {},
                    beyond});
    if (const ShownDevice* fullest = plan.fullest())
        rows.push_back({tr("Fullest GPU"),
                        fullest->id,
                        memoryText(*fullest),
                        {},
                        {},
                        fullest->peak.total() > fullest->capacity});
    if (const ShownDevice* fullest = plan.fullest(); fullest && fullest->whole().value > 0.0)
        rows.push_back({tr("Chance to fit"),
                        chanceOfFitText(plan.fitChance()),
                        tr("that all GPUs have room"),
                        {},
                        {},
                        plan.fitChance() < kLikelyToFit,
                        tr("From measured peaks of memory beside their predictions. A search for a greater "
                           "chance, Chance to fit in the Model view, finds plans that need less.")});
    rows.push_back({tr("Precision"), plan.precision, {}, {}, {}});
    rows.push_back(
        {tr("Micro-batches"), plan.microbatches, replicaNote(plan), {}, {}, false, microbatchHelp(plan)});
    rows.push_back({tr("Schedule"),
                    plan.schedule,
                    plan.launch.isEmpty() ? QString() : tr("launch %1").arg(plan.launch),
                    {},
                    {}});
    if (!plan.foundBy.isEmpty())
        rows.push_back({tr("Found by"), plan.foundBy, {}, {}, {}});
    addTimeParts(plan.time, rows);
    m_stage->setProperties(std::move(rows));
}

void DetailsPanel::showStage(const ShownPlan& plan, int row) {
    const ShownStage& stage = plan.stages[static_cast<std::size_t>(row)];
    const StageFigures& f = stage.figures;
    m_heading->setText(tr("Stage %1").arg(stage.stage));
    m_kind->setText(stage.kind);
    m_badge->update();

    const auto ms = [](Seconds time) { return decimalText(time.value * 1e3, 1) + QStringLiteral(" ms"); };
    std::vector<Property> rows;
    rows.push_back({tr("Layers"), stage.layerPhrase, tr("(fine layers %1)").arg(stage.fineLayers), {}, {}});
    rows.push_back({tr("Devices"), stage.devices, {}, {}, {}});
    const QString sequences =
        decimalText(stage.sequences, stage.sequences == std::floor(stage.sequences) ? 0 : 2);
    QString parallel = tr("tp %1").arg(stage.tp);
    if (stage.cp > 1)
        parallel += tr(", cp %1").arg(stage.cp);
    parallel += (stage.sequences == 1.0 ? tr(", dp %1, %2 sequence each") : tr(", dp %1, %2 sequences each"))
                    .arg(stage.dp)
                    .arg(sequences);
    rows.push_back({tr("Parallel"), parallel, {}, {}, {}});
    if (!stage.partition.isEmpty())
        rows.push_back({tr("Partition"), tr("PrimePar"), {}, tr("∴ predicted"), {}});
    for (qsizetype i = 0; i < stage.partition.size(); i += kOperatorsALine)
        rows.push_back({{}, stage.partition.mid(i, kOperatorsALine).join(QStringLiteral(", ")), {}, {}, {}});
    rows.push_back({tr("Launch"), QString::number(f.inFlight), tr("micro-batches in flight"), {}, {}});
    const QString provenance = provenanceText(f.forwardProvenance);
    rows.push_back({tr("Forward"), ms(f.forward), {}, provenance, {}});
    rows.push_back({tr("Backward"),
                    ms(f.backward),
                    f.recompute.value > 0.0
                        ? tr("incl. recompute %1").arg(decimalText(f.recompute.value * 1e3, 1))
                        : QString(),
                    f.forwardProvenance == Provenance::Estimated ? provenance : QString(),
                    {}});
    const int next = plan.layoutOf(stage).stageBehind(stage.stage);
    if (next >= 0)
        rows.push_back({tr("Send"),
                        tr("%1 to stage %2").arg(ms(f.send)).arg(next),
                        {},
                        provenanceText(f.sendProvenance),
                        {}});
    if (const ShownDevice* device = stage.fullest())
        rows.push_back({tr("Memory"),
                        peakText(device->peak.total(), {device->whole(), {}}),
                        {},
                        tr("∴ estimated"),
                        {},
                        device->peak.total().value >= 0.95 * device->capacity.value});
    if (const ShownDevice* device = stage.fullest(); device && device->room().isHeldBack())
        rows.push_back({tr("At most"),
                        tr("%1 GiB").arg(gibText(device->capacity)),
                        tr("to fit with %1 % chance").arg(chanceText(device->room())),
                        {},
                        {}});
    const double idle = plan.iteration.value > 0.0 ? stage.idle.total() / plan.iteration : 0.0;
    rows.push_back({tr("Idle"), tr("%1 of the iteration").arg(shareText(idle)), {}, {}, {}, idle > 0.2});
    m_stage->setProperties(std::move(rows));
}

void DetailsPanel::showBar() {
    const auto& plan = m_plan.plan();
    const BarRef ref = refOf(m_selection.bar());
    const bool chosen = plan && isBar(*plan->timeline, ref);
    m_barTitle->setVisible(chosen);
    m_bar->setVisible(chosen);
    if (!chosen)
        return;
    const Timeline& timeline = *plan->timeline;
    const Lane& lane = laneOf(timeline, ref);
    const auto i = static_cast<std::size_t>(ref.bar);
    m_barName->setText(tr("Bar %1").arg(barName(timeline, ref)));
    m_barKind->setText(barKindText(timeline, ref));
    nameAfter(*m_bar, *m_barName, *m_barKind);
    std::vector<Property> rows;
    rows.push_back({tr("Start"),
                    decimalText(static_cast<double>(lane.start(i)) / 1e9, 3) + QStringLiteral(" s"),
                    tr("for %1").arg(spanText(lane.end(i) - lane.start(i))),
                    lane.estimated(i) ? tr("∴ estimated") : QString(),
                    {}});
    if (const BarRef before = dataSource(timeline, ref); isBar(timeline, before)) {
        // What the bar could not start before; idle time in front of it is what it really waited.
        const std::int64_t free = i > 0 ? lane.end(i - 1) : 0;
        const std::int64_t waited = lane.start(i) - free;
        rows.push_back({tr("Waited for"),
                        barPlace(timeline, before),
                        waited > 0 ? spanText(waited) : tr("in time"),
                        {},
                        linkOf(before)});
    } else {
        rows.push_back({tr("Waited for"), tr("nothing"), {}, {}, {}});
    }
    if (const BarRef after = dataTarget(timeline, ref); isBar(timeline, after))
        rows.push_back({tr("Then"), barPlace(timeline, after), {}, {}, linkOf(after)});
    m_bar->setProperties(std::move(rows));
}

void DetailsPanel::follow(const QString& link) {
    const QStringList parts = link.split(QLatin1Char('/'));
    if (parts.size() == 3)
        m_selection.setBar(
            {parts[0].toInt(), parts[1].toInt(), static_cast<std::ptrdiff_t>(parts[2].toLongLong())});
}

} // namespace pw
