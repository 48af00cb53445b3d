// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details/breakdown_view.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"
#include "ui/commands/context_menu.h"
#include "ui/session/selection.h"
#include "ui/timeline/bar_text.h"
#include "ui/timeline/legend.h"
#include "ui/timeline/time_axis.h"
#include "ui/widgets/empty_state.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollArea>
#include <QStackedWidget>
#include <QToolTip>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

namespace {

constexpr int kTop = 6, kRow = 26, kBarsLeft = 36, kAxis = 26, kTitle = 24, kCause = 20;
constexpr std::size_t kCauses = 4; // of idle time, the last of a stage's parts

} // namespace

BreakdownView::BreakdownView(const AppContext& context, QWidget* parent)
    : View(parent), m_plan(*new CurrentPlan(context, this)) {
    build(context.selection);
}

BreakdownView::BreakdownView(CurrentPlan& plan, Selection& selection, QWidget* parent)
    : View(parent), m_plan(plan) {
    build(selection);
}

void BreakdownView::build(Selection& selection) {
    m_bars = new BreakdownBars(selection);
    auto* scroll = new QScrollArea;
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    scroll->setWidget(m_bars);
    auto* empty = new EmptyState(QStringLiteral("chart"));
    empty->setText(tr("No plan selected"), tr("Select a plan to see where its time goes."));
    m_stack = new QStackedWidget;
    m_stack->addWidget(empty);
    m_stack->addWidget(scroll);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);
    setMinimumSize(240, 140);
    setFocusProxy(m_bars);
    const auto planChanged = [this] {
        const auto& plan = m_plan.plan();
        m_stack->setCurrentIndex(plan ? 1 : 0);
        m_bars->setPlan(plan);
        setSubtitle(plan && plan->isEarlier() ? tr("stale") : QString());
    };
    connect(&m_plan, &CurrentPlan::changed, this, planChanged);
    planChanged();
}

BreakdownBars::BreakdownBars(Selection& selection, QWidget* parent)
    : QWidget(parent), m_selection(selection) {
    setObjectName(QStringLiteral("breakdown.bars"));
    setAccessibleName(tr("Breakdown"));
    setFocusPolicy(Qt::StrongFocus);
    makeMenu();
    connect(&selection, &Selection::stageChanged, this, [this] {
        describe();
        update();
    });
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
}

void BreakdownBars::setPlan(std::shared_ptr<const ShownPlan> plan) {
    m_plan = std::move(plan);
    setMinimumHeight(axisTop() + kAxis + kTitle + 5 * kCause + 16);
    describe();
    update();
}

int BreakdownBars::axisTop() const {
    return kTop + count() * kRow;
}

QRect BreakdownBars::rowRect(int stage) const {
    return QRect(0, kTop + stage * kRow, width(), kRow);
}

QRect BreakdownBars::causeRect(int cause) const {
    return QRect(0, axisTop() + kAxis + kTitle + 2 + cause * kCause, width(), kCause);
}

// Activations come over the link of the stage in front, gradients over the stage's own.
QString BreakdownBars::waitsForLinks(const ShownStage& stage) const {
    const int before = m_plan->layoutOf(stage).stageBefore(stage.stage);
    QStringList links;
    for (const ShownStage& other : m_plan->stages)
        if (other.pipeline == stage.pipeline && (other.stage == before || other.stage == stage.stage))
            if (const QString link = q(other.figures.link); !link.isEmpty() && !links.contains(link))
                links << link;
    return links.isEmpty() ? tr("Waits for a transfer") : tr("Waits for link %1").arg(links.join(tr(" or ")));
}

std::vector<BreakdownBars::Part> BreakdownBars::parts(const ShownStage& stage) const {
    const Theme& t = theme();
    std::vector<Part> result;
    for (const BarKind kind : {BarKind::Forward, BarKind::Recompute, BarKind::Backward, BarKind::WeightGrad,
                               BarKind::AllReduce, BarKind::Optimizer}) {
        const bool estimated = stage.figures.forwardProvenance == Provenance::Estimated ||
                               kind == BarKind::AllReduce || kind == BarKind::Optimizer;
        result.push_back({kindName(kind), stage.busy[static_cast<std::size_t>(kind)],
                          paled(t.kind(kind).fill, m_plan->stale), paled(t.kind(kind).edge, m_plan->stale),
                          !estimated                 ? QBrush()
                          : kind == BarKind::Forward ? t.estimateDotsOnForward
                                                     : t.estimateDots});
    }
    result.push_back({tr("Warm-up"), stage.idle.warmUp.value, t.panel, {}, t.idle});
    result.push_back({tr("Waits for a slower stage"), stage.idle.slowerStage.value, t.panel, {}, t.waits});
    const Theme::Kind& transfer = t.kind(BarKind::Transfer);
    result.push_back({waitsForLinks(stage),
                      stage.idle.transfer.value,
                      paled(transfer.fill, m_plan->stale),
                      paled(transfer.edge, m_plan->stale),
                      {}});
    result.push_back({tr("Cool-down"), stage.idle.coolDown.value, t.panel, {}, t.coolDown});
    return result;
}

void BreakdownBars::describe() {
    const int row = m_selection.stage();
    QStringList texts;
    if (row >= 0 && row < count()) {
        const ShownStage& stage = m_plan->stages[static_cast<std::size_t>(row)];
        texts << tr("Stage %1").arg(stage.stage);
        for (const Part& part : parts(stage))
            if (part.seconds > 0.0)
                texts << tr("%1 %2 s").arg(part.name, decimalText(part.seconds, 3));
    }
    setAccessibleDescription(texts.join(QStringLiteral(", ")));
}

void BreakdownBars::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.panel);
    if (count() == 0)
        return;
    for (int i = 0; i < count(); ++i)
        paintRow(painter, i);
    paintAxis(painter);
    paintCauses(painter);
    if (hasFocus() && m_selection.stage() < 0) {
        painter.setPen(QPen(t.accent, 2));
        painter.drawRect(rect().adjusted(1, 1, -1, -1));
    }
}

void BreakdownBars::paintRow(QPainter& painter, int index) const {
    const Theme& t = theme();
    const ShownStage& stage = m_plan->stages[static_cast<std::size_t>(index)];
    const QRect row = rowRect(index);
    if (m_selection.stage() == index) {
        painter.fillRect(row, t.accentGround);
        painter.fillRect(row.left(), row.top(), 3, row.height(), t.accent);
    }
    paintStageBadge(painter, QRect(10, row.center().y() - 8, 18, 18), stage.stage, m_plan->stale);
    const QRectF frame(kBarsLeft, row.center().y() - 8, width() - kBarsLeft - 14, 17);
    painter.fillRect(frame, t.line);
    const QRectF room = frame.adjusted(1, 1, -1, -1);
    painter.fillRect(room, t.panel);
    const double scale = m_plan->iteration.value > 0.0 ? room.width() / m_plan->iteration.value : 0.0;
    double at = 0.0;
    for (const Part& part : parts(stage)) {
        const double x0 = std::round(room.left() + at * scale);
        at += part.seconds;
        const double x1 = std::min(std::round(room.left() + at * scale), room.right());
        if (x1 <= x0)
            continue;
        const QRectF area(x0, room.top(), x1 - x0, room.height());
        const bool edged = part.edge.isValid();
        painter.fillRect(area, edged ? part.edge : part.fill);
        const QRectF inner = edged && area.width() >= 4.0 ? area.adjusted(0, 0, -1, 0) : area;
        painter.fillRect(inner, part.fill);
        if (part.texture.style() != Qt::NoBrush) {
            painter.setBrushOrigin(inner.topLeft());
            painter.fillRect(inner, part.texture);
        }
    }
}

void BreakdownBars::paintAxis(QPainter& painter) const {
    const Theme& t = theme();
    const auto end = static_cast<std::int64_t>(m_plan->iteration.value * 1e9);
    const TimeWindow window{0, std::max<std::int64_t>(end, 1)};
    const int room = width() - kBarsLeft - 16;
    const TimeTicks ticks = timeTicks(window, room, 64);
    painter.setFont(bodyFont());
    painter.setPen(t.text2);
    for (const std::int64_t at : ticks.labelled) {
        const int x = kBarsLeft + 1 + static_cast<int>(std::lround(window.toPixel(at, room)));
        const QString label = at == 0 ? QStringLiteral("0") : ticks.label(at);
        const int half = figuresWidth(bodyFont(), label) / 2 + 1;
        paintFigures(painter, QRect(std::min(x, width() - 14 - half) - 40, axisTop() + 2, 80, kAxis - 8),
                     Qt::AlignHCenter, label);
    }
}

void BreakdownBars::paintCauses(QPainter& painter) const {
    const int row = m_selection.stage();
    if (row < 0 || row >= count())
        return;
    const Theme& t = theme();
    const ShownStage& stage = m_plan->stages[static_cast<std::size_t>(row)];
    int y = axisTop() + kAxis;
    painter.fillRect(0, y, width(), kTitle, t.head);
    painter.fillRect(0, y, width(), 1, t.faint);
    painter.fillRect(0, y + kTitle - 1, width(), 1, t.faint);
    const int right = width() - 14, seconds = right - 56;
    painter.setFont(bodyFont(500));
    painter.setPen(t.text);
    painter.drawText(QRect(10, y, width() - 130, kTitle), Qt::AlignVCenter,
                     tr("Idle time of stage %1").arg(stage.stage));
    painter.setFont(smallFont());
    painter.setPen(t.text2);
    painter.drawText(QRect(seconds - 40, y, 40, kTitle), Qt::AlignVCenter | Qt::AlignRight, tr("s"));
    painter.drawText(QRect(right - 60, y, 60, kTitle), Qt::AlignVCenter | Qt::AlignRight, tr("% of step"));
    y = causeRect(0).top();
    const auto line = [&](const QString& name, double time, int weight) {
        painter.setFont(bodyFont(weight));
        painter.setPen(t.text);
        painter.drawText(QRect(32, y, seconds - 82, kCause), Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(name, Qt::ElideRight, seconds - 82));
        paintFigures(painter, QRect(seconds - 60, y, 60, kCause), Qt::AlignRight, decimalText(time, 3));
        const double share = m_plan->iteration.value > 0.0 ? time / m_plan->iteration.value : 0.0;
        paintFigures(painter, QRect(right - 50, y, 50, kCause), Qt::AlignRight,
                     decimalText(share * 100.0, 1));
        y += kCause;
    };
    const std::vector<Part> all = parts(stage);
    for (std::size_t i = all.size() - kCauses; i < all.size(); ++i) {
        paintSwatch(painter, QRect(10, y + 4, 12, 12),
                    {{}, all[i].fill, all[i].edge.isValid() ? all[i].edge : t.line, all[i].texture});
        line(all[i].name, all[i].seconds, 400);
    }
    painter.fillRect(10, y + 1, width() - 24, 1, t.faint);
    y += 4;
    line(tr("Idle in total"), stage.idle.total().value, 500);
}

QString BreakdownBars::figuresOf(const Part& part) const {
    return tr("%1 %2 s, %3")
        .arg(part.name, decimalText(part.seconds, 3), shareText(part.seconds / m_plan->iteration.value));
}

QStringList BreakdownBars::figuresOf(const ShownStage& stage) const {
    QStringList texts;
    for (const Part& part : parts(stage))
        if (part.seconds > 0.0)
            texts << figuresOf(part);
    return texts;
}

QString BreakdownBars::toolTipAt(const QPoint& at) const {
    for (int i = 0; i < count(); ++i)
        if (rowRect(i).contains(at))
            return figuresOf(m_plan->stages[static_cast<std::size_t>(i)]).join(QLatin1Char('\n'));
    if (chosen() < 0)
        return {};
    const std::vector<Part> all = parts(m_plan->stages[static_cast<std::size_t>(chosen())]);
    for (std::size_t cause = 0; cause < kCauses; ++cause)
        if (causeRect(static_cast<int>(cause)).contains(at))
            return figuresOf(all[all.size() - kCauses + cause]);
    return {};
}

bool BreakdownBars::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    QToolTip::showText(help.globalPos(), toolTipAt(help.pos()), this);
    return true;
}

void BreakdownBars::mousePressEvent(QMouseEvent* event) {
    for (int i = 0; i < count(); ++i)
        if (rowRect(i).contains(event->position().toPoint()))
            m_selection.setStage(i);
}

int BreakdownBars::chosen() const {
    return m_selection.stage() < count() ? m_selection.stage() : -1;
}

QString BreakdownBars::textOf(int index) const {
    const ShownStage& stage = m_plan->stages[static_cast<std::size_t>(index)];
    return tr("Stage %1").arg(stage.stage) + QLatin1Char('\n') + figuresOf(stage).join(QLatin1Char('\n'));
}

void BreakdownBars::makeMenu() {
    RowMenu menu;
    menu.place = "breakdown";
    menu.choose = [this](const QPoint& at) {
        for (int i = 0; i < count(); ++i)
            if (rowRect(i).contains(at))
                m_selection.setStage(i);
        return chosen() >= 0;
    };
    menu.current = [this] { return chosen() < 0 ? QRect() : rowRect(chosen()); };
    menu.text = [this] { return chosen() < 0 ? QString() : textOf(chosen()); };
    menu.all = [this] {
        QStringList stages;
        for (int i = 0; i < count(); ++i)
            stages << textOf(i);
        return stages.join(QLatin1Char('\n'));
    };
    menu.stage = [this] { return chosen(); };
    offerMenu(this, std::move(menu));
}

void BreakdownBars::keyPressEvent(QKeyEvent* event) {
    const int by = event->key() == Qt::Key_Up ? -1 : event->key() == Qt::Key_Down ? 1 : 0;
    if (by == 0 || count() == 0)
        return QWidget::keyPressEvent(event);
    m_selection.setStage(std::clamp(m_selection.stage() + by, 0, count() - 1));
}

} // namespace pw
