// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/compare_lanes.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/commands/context_menu.h"
#include "ui/session/compare_set.h"
#include "ui/session/plan_order.h"
#include "ui/timeline/bar_text.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>
#include <cmath>
#include <utility>

namespace pw {

CompareLanes::CompareLanes(CompareSet& set, QWidget* parent) : QWidget(parent), m_set(set) {
    setObjectName(QStringLiteral("compare.lanes"));
    setAccessibleName(tr("Compared plans"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    const auto refresh = [this] {
        describe();
        update();
    };
    connect(&set, &CompareSet::changed, this, &CompareLanes::resized);
    connect(&set, &CompareSet::axisChanged, this, refresh);
    connect(&set, &CompareSet::chosenChanged, this, refresh);
    connect(&set, &CompareSet::chosenChanged, this, &CompareLanes::showChosen);
    connect(&set.range(), &TimeRange::visibleChanged, this, refresh);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
    makeMenu();
    resized();
}

int CompareLanes::tracks(std::size_t lane) const {
    return static_cast<int>(m_set.lanes()[lane].plan->timeline->tracks.size());
}

int CompareLanes::barsWidth() const {
    return std::max(1, width() - kLabels);
}

void CompareLanes::resized() {
    std::vector<int> rows;
    for (std::size_t lane = 0; lane < m_set.lanes().size(); ++lane)
        rows.push_back(tracks(lane));
    m_layout = LaneLayout(std::move(rows), m_room);
    const int whole = m_layout.height();
    setMinimumHeight(m_layout.most() == 0 ? whole : std::max(whole, m_room) + m_layout.most());
    updateGeometry();
    describe();
    update();
}

void CompareLanes::setRoom(int height) {
    if (height == m_room)
        return;
    m_room = height;
    resized();
}

// The scroll area moves the widget up; its heads go down by the same.
int CompareLanes::scrolled() const {
    return std::clamp(-y(), 0, m_layout.most());
}

void CompareLanes::showChosen() {
    const Comparison* comparison = m_set.comparison();
    if (!comparison || m_set.chosen() < 0)
        return;
    const auto& stages = comparison->time[static_cast<std::size_t>(m_set.chosen())].stage;
    for (std::size_t lane = 0; lane < m_set.lanes().size(); ++lane) {
        const int row = m_layout.rowHeight();
        if (stages[lane] < 0 || stages[lane] >= tracks(lane))
            continue;
        if (!rowsRect(lane).contains(rowRect(lane, stages[lane])))
            Q_EMIT scrollWanted(
                std::clamp(stages[lane] * row - (m_layout.shown(lane) - row) / 2, 0, m_layout.most()));
        return;
    }
}

void CompareLanes::moveEvent(QMoveEvent* event) {
    QWidget::moveEvent(event);
    update();
}

QSize CompareLanes::sizeHint() const {
    return {800, minimumHeight()};
}

GanttViewport CompareLanes::viewport(std::size_t lane) const {
    GanttViewport view;
    view.window = m_set.laneWindow(lane, m_set.range().visible());
    view.rowHeight = m_layout.rowHeight();
    view.scroll = m_layout.scroll(lane, scrolled());
    view.size = QSize(barsWidth(), m_layout.shown(lane));
    view.stale = m_set.lanes()[lane].plan->stale;
    // Lanes that are shifted or scaled have no grid: its lines would not be those of the ruler.
    view.grid = m_set.align() == CompareSet::Align::Start && !m_set.isNormalised();
    return view;
}

int CompareLanes::laneTop(std::size_t lane) const {
    return scrolled() + m_layout.top(lane);
}

QRect CompareLanes::headRect(std::size_t lane) const {
    return QRect(0, laneTop(lane), width(), LaneLayout::kHead);
}

QRect CompareLanes::rowRect(std::size_t lane, int track) const {
    const int row = m_layout.rowHeight();
    return QRect(0, laneTop(lane) + LaneLayout::kHead + track * row - m_layout.scroll(lane, scrolled()),
                 width(), row);
}

QRect CompareLanes::rowsRect(std::size_t lane) const {
    return QRect(0, laneTop(lane) + LaneLayout::kHead, width(), m_layout.shown(lane));
}

QRect CompareLanes::closeRect(std::size_t lane) const {
    const QRect head = headRect(lane);
    return QRect(head.right() - 26, head.top() + 4, 20, 20);
}

CompareLanes::Place CompareLanes::placeAt(int y) const {
    for (std::size_t lane = 0; lane < m_set.lanes().size(); ++lane) {
        if (headRect(lane).contains(1, y))
            return {static_cast<int>(lane), -1};
        if (!rowsRect(lane).contains(1, y))
            continue;
        for (int track = 0; track < tracks(lane); ++track)
            if (rowRect(lane, track).contains(1, y))
                return {static_cast<int>(lane), track};
    }
    return {};
}

QString CompareLanes::headText(std::size_t lane) const {
    const ShownPlan& plan = *m_set.lanes()[lane].plan;
    const QString head =
        tr("Lane %1: plan %2%3, iteration %4, bubble %5")
            .arg(QString::number(lane + 1), plan.name, lane == m_set.base() ? tr(" (base)") : QString(),
                 iterationText(plan.iteration), shareText(plan.bubble));
    return plan.isEarlier() ? tr("%1, %2").arg(head, staleWord()) : head;
}

std::vector<AccessiblePart> CompareLanes::accessibleParts() const {
    std::vector<AccessiblePart> parts;
    for (std::size_t lane = 0; lane < m_set.lanes().size(); ++lane)
        parts.push_back({QString::number(lane), headText(lane), m_set.lanes()[lane].plan->reason,
                         headRect(lane), QAccessible::ListItem, lane == m_set.activeLane()});
    return parts;
}

void CompareLanes::activatePart(const QString& key) {
    m_set.setActiveLane(key.toULongLong());
}

QString CompareLanes::differenceText() const {
    const Comparison* comparison = m_set.comparison();
    if (!comparison || m_set.chosen() < 0 || m_set.chosen() >= static_cast<int>(comparison->time.size()))
        return {};
    const TimeDifference& chosen = comparison->time[static_cast<std::size_t>(m_set.chosen())];
    QStringList changes;
    for (std::size_t lane = 0; lane < m_set.lanes().size(); ++lane)
        if (lane != m_set.base())
            changes << tr("plan %1 %2")
                           .arg(m_set.lanes()[lane].plan->name,
                                q(signedDuration(chosen.seconds[lane] - chosen.seconds[m_set.base()])));
    return tr("Difference %1 of %2, %3: %4")
        .arg(QString::number(m_set.chosen() + 1), QString::number(comparison->time.size()),
             sentence(std::string(label(chosen.entry))), changes.join(QStringLiteral(", ")));
}

void CompareLanes::describe() {
    QString text = m_set.lanes().empty() ? QString() : headText(m_set.activeLane());
    if (const QString difference = differenceText(); !difference.isEmpty())
        text = tr("%1. %2").arg(difference, text);
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void CompareLanes::mousePressEvent(QMouseEvent* event) {
    m_press = event->position().toPoint();
    m_pressWindow = m_set.range().visible();
    m_panning = event->button() == Qt::MiddleButton || event->button() == Qt::RightButton ||
                (event->modifiers() & Qt::ShiftModifier) != 0;
    const Place place = placeAt(m_press.y());
    if (place.lane < 0 || event->button() != Qt::LeftButton || m_panning)
        return;
    const auto lane = static_cast<std::size_t>(place.lane);
    if (place.track < 0 && closeRect(lane).contains(m_press))
        return m_set.remove(lane);
    m_set.setActiveLane(lane);
    if (place.track < 0 || m_press.x() < kLabels)
        return;
    const Timeline& timeline = *m_set.lanes()[lane].plan->timeline;
    const pw::Lane& bars = timeline.tracks[static_cast<std::size_t>(place.track)].lane(LaneRole::Compute);
    const GanttViewport view = this->viewport(lane);
    const std::int64_t slack = view.window.span() * 3 / barsWidth();
    const std::ptrdiff_t bar = hitTest(bars, view.timeAt(m_press.x() - kLabels), slack);
    m_set.setMicrobatch(bar < 0 ? -1 : bars.microbatch(static_cast<std::size_t>(bar)));
}

void CompareLanes::makeMenu() {
    RowMenu menu = partsMenu(this, "compare", {});
    menu.choose = [this](const QPoint& at) {
        // The right button pans; its menu comes only when it did not move.
        if ((at - m_press).manhattanLength() >= QApplication::startDragDistance())
            return false;
        m_panning = false;
        if (const Place place = placeAt(at.y()); place.lane >= 0)
            m_set.setActiveLane(static_cast<std::size_t>(place.lane));
        return !m_set.lanes().empty();
    };
    offerMenu(this, std::move(menu));
}

void CompareLanes::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    if (m_panning && event->buttons() != Qt::NoButton) {
        const auto by = static_cast<std::int64_t>(static_cast<double>(m_press.x() - at.x()) / barsWidth() *
                                                  static_cast<double>(m_pressWindow.span()));
        return m_set.range().setVisible(m_pressWindow.panned(by, m_set.range().traceEnd()));
    }
    m_set.range().setCursor(at.x() < kLabels ? -1
                                             : m_set.range().visible().toTime(at.x() - kLabels, barsWidth()));
    update();
}

void CompareLanes::mouseReleaseEvent(QMouseEvent*) {
    m_panning = false;
}

void CompareLanes::zoom(double steps) {
    TimeRange& range = m_set.range();
    const QPoint mouse = mapFromGlobal(QCursor::pos());
    const int x = rect().contains(mouse) && mouse.x() >= kLabels ? mouse.x() - kLabels : barsWidth() / 2;
    range.setVisible(range.visible().zoomed(std::pow(1.2, -steps), range.visible().toTime(x, barsWidth()),
                                            range.traceEnd()));
}

void CompareLanes::pan(double widths) {
    TimeRange& range = m_set.range();
    const auto by = static_cast<std::int64_t>(widths * static_cast<double>(range.visible().span()));
    range.setVisible(range.visible().panned(by, range.traceEnd()));
}

void CompareLanes::wheelEvent(QWheelEvent* event) {
    if (!(event->modifiers() & Qt::ControlModifier))
        return QWidget::wheelEvent(event); // scrolls
    zoom(event->angleDelta().y() / 120.0);
    event->accept();
}

// Tab goes from lane to lane, and past the last one out of the view.
bool CompareLanes::focusNextPrevChild(bool next) {
    const std::size_t lane = m_set.activeLane();
    if (next ? lane + 1 >= m_set.lanes().size() : lane == 0)
        return QWidget::focusNextPrevChild(next);
    m_set.setActiveLane(next ? lane + 1 : lane - 1);
    return true;
}

bool CompareLanes::event(QEvent* event) {
    if (event->type() == QEvent::FocusIn || event->type() == QEvent::FocusOut)
        update();
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    const Place place = placeAt(help.pos().y());
    QString text;
    if (place.lane >= 0 && place.track >= 0 && help.pos().x() >= kLabels) {
        const auto lane = static_cast<std::size_t>(place.lane);
        const Timeline& timeline = *m_set.lanes()[lane].plan->timeline;
        const GanttViewport view = viewport(lane);
        const std::int64_t at = view.timeAt(help.pos().x() - kLabels);
        const pw::Lane& bars = timeline.tracks[static_cast<std::size_t>(place.track)].lane(LaneRole::Compute);
        const std::ptrdiff_t bar = hitTest(bars, at, view.window.span() * 2 / barsWidth());
        if (bar >= 0)
            text = barDescription(timeline, {place.track, LaneRole::Compute, bar});
    } else if (place.lane >= 0 && place.track >= 0) {
        const ShownPlan& plan = *m_set.lanes()[static_cast<std::size_t>(place.lane)].plan;
        const Track& track = plan.timeline->tracks[static_cast<std::size_t>(place.track)];
        text = tr("Plan %1, stage %2 on %3, %4 busy")
                   .arg(plan.name, QString::number(track.stage), q(track.label), shareText(track.busyShare));
    } else if (place.lane >= 0) {
        text = headText(static_cast<std::size_t>(place.lane));
    }
    QToolTip::showText(help.globalPos(), text, this);
    return true;
}

} // namespace pw
