// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_labels.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/commands/context_menu.h"
#include "ui/timeline/timeline_tracks.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr int kGrip = 3; // px on either side of an edge that can be dragged

QString busyText(const Track& track) {
    return QStringLiteral("%1 %").arg(std::lround(track.busyShare * 100.0));
}

} // namespace

TimelineLabels::TimelineLabels(Selection& selection, TimelineTracks& tracks, QWidget* parent)
    : QWidget(parent), m_selection(selection), m_tracks(tracks) {
    setMouseTracking(true);
    setObjectName(QStringLiteral("timeline.labels"));
    setAccessibleName(tr("Timeline rows"));
    setAttribute(Qt::WA_OpaquePaintEvent);
    const auto refresh = qOverload<>(&QWidget::update);
    connect(&tracks, &TimelineTracks::scrolled, this, refresh);
    connect(&tracks, &TimelineTracks::rowsChanged, this, refresh);
    connect(&selection, &Selection::stageChanged, this, refresh);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, refresh);
}

void TimelineLabels::setPlan(std::shared_ptr<const ShownPlan> plan) {
    m_plan = std::move(plan);
    setAccessibleDescription(
        tr("%n rows", nullptr, m_plan ? static_cast<int>(m_plan->timeline->tracks.size()) : 0));
    update();
}

std::vector<AccessiblePart> TimelineLabels::accessibleParts() const {
    std::vector<AccessiblePart> parts;
    if (!m_plan)
        return parts;
    const GanttViewport& view = m_tracks.viewport();
    for (int i = 0; i < static_cast<int>(m_plan->timeline->tracks.size()) && parts.size() < kMostParts; ++i) {
        const Track& track = m_plan->timeline->tracks[static_cast<std::size_t>(i)];
        const QRect row = QRect(0, view.rowTop(i), width(), view.rowHeight).intersected(rect());
        if (!row.isEmpty())
            parts.push_back({QString::number(i), rowText(i), tr("stage %1").arg(track.stage), row,
                             QAccessible::ListItem, m_selection.stage() == i});
    }
    return parts;
}

// "Row n1.g0, 81 % busy; emulated: 63 % busy"
QString TimelineLabels::rowText(int index) const {
    const Track& track = m_plan->timeline->tracks[static_cast<std::size_t>(index)];
    const QString text = tr("Row %1, %2 busy").arg(q(track.label), busyText(track));
    const PlanRunPointer& run = m_tracks.run();
    return run ? tr("%1; %2: %3 busy")
                     .arg(text, ranText(*run->record),
                          busyText(run->rows.timeline.tracks[static_cast<std::size_t>(index)]))
               : text;
}

void TimelineLabels::activatePart(const QString& key) {
    m_selection.setStage(key.toInt());
}

void TimelineLabels::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), theme().panel);
    if (!m_plan)
        return;
    const GanttViewport& view = m_tracks.viewport();
    // Pinned rows last: the others scroll under them.
    for (int row = m_tracks.rowCount() - 1; row >= 0; --row) {
        const int top = view.rowTop(view.trackIn(row));
        if (top < height() && top + view.rowHeight > 0)
            paintRow(painter, view.trackIn(row));
    }
    if (m_dropRow >= 0)
        painter.fillRect(0, view.rowTop(view.trackIn(m_dropRow)) - (m_dropRow > 0 ? 1 : 0), width(), 2,
                         theme().accent);
    painter.fillRect(width() - 1, 0, 1, height(), theme().line);
}

void TimelineLabels::paintRow(QPainter& painter, int index) const {
    const Theme& t = theme();
    const GanttViewport& view = m_tracks.viewport();
    const Track& track = m_plan->timeline->tracks[static_cast<std::size_t>(index)];
    const QRect row(0, view.rowTop(index), width(), view.rowHeight);
    const bool chosen = m_selection.stage() == index;
    painter.fillRect(row.adjusted(0, 0, 0, -1), chosen ? t.accentGround : t.panel);
    painter.fillRect(row.left(), row.bottom(), row.width(), 1, t.faint);
    if (chosen)
        painter.fillRect(row.left(), row.top(), 3, row.height() - 1, t.accent);

    const bool ranAlone = m_tracks.lanes() == TimelineTracks::Lanes::Ran;
    const GanttViewport first = ranAlone ? m_tracks.ranViewport() : view;
    const QRect band = first.band(index, LaneRole::Compute);
    const QRect badge(10, band.center().y() - 8, 18, 18);
    paintStageBadge(painter, badge, track.stage, m_plan->stale);
    if (m_tracks.rows().isPinned(index))
        icon(QStringLiteral("pinned"), IconTone::Accent).paint(&painter, 12, badge.bottom() + 4, 14, 14);
    const QRect line(34, band.top(), width() - 34 - 9, band.height());
    painter.setFont(bodyFont());
    painter.setPen(t.text2);
    const QString busy = busyText(ranAlone ? ranTrack(index) : track);
    paintFigures(painter, line, Qt::AlignRight, busy);
    painter.setFont(bodyFont(500));
    painter.setPen(m_plan->stale ? t.text2 : t.text);
    const int room = line.width() - figuresWidth(bodyFont(), busy) - 4;
    painter.drawText(
        line, Qt::AlignVCenter | Qt::AlignLeft,
        painter.fontMetrics().elidedText(QString::fromStdString(track.label), Qt::ElideMiddle, room));
    if (m_tracks.lanes() != TimelineTracks::Lanes::Predicted)
        paintRan(painter, index);
    if (!view.hasLanes() || ranAlone)
        return;
    painter.setFont(laneFont());
    painter.setPen(t.text2);
    // The lanes stand closer than lines of text: two names move apart.
    const int apart =
        track.lane(LaneRole::ForwardSend).size() > 0 && track.lane(LaneRole::BackwardSend).size() > 0;
    const auto lane = [&](LaneRole role, int stage, int shift) {
        if (track.lane(role).size() == 0)
            return;
        const QRect r = view.band(index, role);
        painter.drawText(QRect(0, r.center().y() - 5 + shift, width() - 9, 12),
                         Qt::AlignRight | Qt::AlignVCenter, tr("to %1").arg(stage));
    };
    lane(LaneRole::ForwardSend, track.layout.stageBehind(track.stage), -2 * apart);
    lane(LaneRole::BackwardSend, track.layout.stageBefore(track.stage), 2 * apart);
}

const Track& TimelineLabels::ranTrack(int index) const {
    return m_tracks.run()->rows.timeline.tracks[static_cast<std::size_t>(index)];
}

QString TimelineLabels::rankText(int index) const {
    const PlanRun& run = *m_tracks.run();
    return tr("%1, rank %2").arg(ranText(*run.record)).arg(run.rows.ranks[static_cast<std::size_t>(index)]);
}

// Beside the bars that ran, what they are: "emulated", "rank 3", and how busy the rank was.
void TimelineLabels::paintRan(QPainter& painter, int index) const {
    const Theme& t = theme();
    const PlanRun& run = *m_tracks.run();
    const GanttViewport view = m_tracks.ranViewport();
    const bool alone = m_tracks.lanes() == TimelineTracks::Lanes::Ran;
    const QRect band = view.band(index, LaneRole::Compute);
    const int left = alone ? 34 : 10; // under the name of the row, or beside no badge
    QRect line(left, band.top(), width() - left - 9, band.height());
    if (alone && view.hasLanes()) // the upper line is the row's own
        line.translate(0, band.height() - 6);
    else if (alone)
        return;
    painter.setFont(bodyFont());
    painter.setPen(t.text2);
    const QString busy = alone ? QString() : busyText(ranTrack(index));
    paintFigures(painter, line, Qt::AlignRight, busy);
    const int room = line.width() - figuresWidth(bodyFont(), busy) - 4;
    const QString word = ranText(*run.record);
    const QString full = rankText(index);
    const QFontMetrics metrics = painter.fontMetrics();
    painter.drawText(
        line, Qt::AlignVCenter | Qt::AlignLeft,
        metrics.horizontalAdvance(full) <= room ? full : metrics.elidedText(word, Qt::ElideRight, room));
}

bool TimelineLabels::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    const int track = trackAt(help.pos());
    QString text;
    if (track >= 0) {
        const ShownStage& stage = m_plan->stages[static_cast<std::size_t>(track)];
        text = tr("Stage %1: %2, %3, %4")
                   .arg(QString::number(stage.stage), stage.devices, stage.kind, stage.layerPhrase);
        if (m_tracks.lanes() != TimelineTracks::Lanes::Predicted)
            text += QLatin1Char('\n') + rankText(track);
    }
    QToolTip::showText(help.globalPos(), text, this);
    return true;
}

int TimelineLabels::trackAt(const QPoint& at) const {
    const int track = m_tracks.viewport().trackAt(at.y());
    return m_plan && track >= 0 && track < static_cast<int>(m_plan->timeline->tracks.size()) ? track : -1;
}

// The row whose lower edge is here: a drag of it changes the height of all; -1 elsewhere.
int TimelineLabels::edgeAt(const QPoint& at) const {
    const int row = m_tracks.viewport().rowAt(at.y() - kGrip);
    const int below = m_tracks.viewport().rowAt(at.y() + kGrip);
    return m_plan && row >= 0 && row != below && row < m_tracks.rowCount() ? row : -1;
}

void TimelineLabels::mousePressEvent(QMouseEvent* event) {
    m_press = event->position().toPoint();
    m_heightBefore = edgeAt(m_press) >= 0 ? m_tracks.rowHeight() : 0;
    m_pressed = m_heightBefore > 0 ? -1 : trackAt(m_press);
    if (m_pressed >= 0)
        m_selection.setStage(m_pressed);
}

void TimelineLabels::mouseMoveEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    setCursor(m_heightBefore > 0 || (event->buttons() == Qt::NoButton && edgeAt(at) >= 0) ? Qt::SplitVCursor
                                                                                          : Qt::ArrowCursor);
    if (m_heightBefore > 0)
        return m_tracks.setRowHeight(m_heightBefore + at.y() - m_press.y());
    if (m_pressed < 0 || !(event->buttons() & Qt::LeftButton) ||
        (m_dropRow < 0 && (at - m_press).manhattanLength() < QApplication::startDragDistance()))
        return;
    m_dropRow = std::clamp(m_tracks.viewport().rowAt(at.y()), 0, m_tracks.rowCount() - 1);
    update();
}

void TimelineLabels::mouseReleaseEvent(QMouseEvent*) {
    if (m_dropRow >= 0)
        m_tracks.rows().move(m_pressed, m_dropRow);
    m_dropRow = m_pressed = -1;
    m_heightBefore = 0;
    update();
}

void TimelineLabels::contextMenuEvent(QContextMenuEvent* event) {
    const int track = trackAt(event->pos());
    TimelineRows& rows = m_tracks.rows();
    QMenu* const menu = newContextMenu("rows", this);
    if (track >= 0) {
        menu->addAction(rows.isPinned(track) ? tr("Unpin the row") : tr("Pin the row on top"), this,
                        [&rows, track] { rows.togglePinned(track); });
        menu->addAction(tr("Hide the row"), this, [&rows, track] { rows.hide(track); })
            ->setEnabled(m_tracks.rowCount() > 1);
    }
    menu->addAction(tr("Show all rows"), this, [&rows] { rows.showAll(); })
        ->setEnabled(rows.hiddenCount() > 0);
    menu->addAction(tr("Row height that fits"), this, [this] { m_tracks.setRowHeight(0); });
    menu->addAction(tr("Rows as the plan has them"), this, [&rows] { rows.reset(); });
    menu->popup(event->globalPos());
}

void TimelineLabels::wheelEvent(QWheelEvent* event) {
    m_tracks.setScroll(m_tracks.scroll() - static_cast<int>(std::lround(event->angleDelta().y() / 120.0 *
                                                                        m_tracks.viewport().rowHeight)));
    event->accept();
}

} // namespace pw
