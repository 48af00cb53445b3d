// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details/details_panel.h"

#include "ui/base/focus_frame.h"
#include "ui/base/icons.h"
#include "ui/base/own_colour.h"
#include "ui/base/theme.h"
#include "ui/details/area_section.h"
#include "ui/details/detail_rows.h"
#include "ui/details/plan_sentence.h"
#include "ui/details/property_list.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/plan_text.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/timeline/bar_text.h"
#include "ui/widgets/elided_label.h"
#include "ui/widgets/empty_state.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace pw {

namespace {

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
        page->setAutoFillBackground(true);
        setOwnColour(*page, QPalette::Window, t.panel);
        setOwnColour(*m_barTitle, QPalette::Window, t.head);
        setOwnColour(*m_kind, QPalette::WindowText, t.text2);
        setOwnColour(*m_barKind, QPalette::WindowText, t.text2);
    };
    colours();
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, colours);
    const auto both = [this, scroll] {
        showHead();
        showBar();
        const std::pair now(m_selection.plan(), m_selection.stage());
        if (std::exchange(m_shown, now) != now &&
            m_bar->isHidden()) // whoever goes from bar to bar stays there
            scroll->verticalScrollBar()->setValue(0);
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
    m_stage->setProperties(planRows(plan, m_bound(), m_beside()));
}

void DetailsPanel::showStage(const ShownPlan& plan, int row) {
    const ShownStage& stage = plan.stages[static_cast<std::size_t>(row)];
    m_heading->setText(tr("Stage %1").arg(stage.stage));
    m_kind->setText(stage.kind);
    m_badge->update();
    m_stage->setProperties(stageRows(plan, stage));
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
    m_barName->setText(tr("Bar %1").arg(barName(timeline, ref)));
    m_barKind->setText(barKindText(timeline, ref));
    nameAfter(*m_bar, *m_barName, *m_barKind);
    m_bar->setProperties(barRows(timeline, ref));
}

void DetailsPanel::follow(const QString& link) {
    const QStringList parts = link.split(QLatin1Char('/'));
    if (parts.size() == 3)
        m_selection.setBar(
            {parts[0].toInt(), parts[1].toInt(), static_cast<std::ptrdiff_t>(parts[2].toLongLong())});
}

} // namespace pw
