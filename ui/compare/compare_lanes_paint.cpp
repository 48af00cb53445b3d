// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/compare/compare_lanes.h"
#include "ui/session/compare_set.h"
#include "ui/session/plan_order.h"

#include <QPaintEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pw {

// How compared plans are painted: heads, rows, and marks over their bars.

namespace {

constexpr int kSends = 6; // of a row, below the words beside its bars

// "n1.g0 98 % of 36.0 GiB", which a plan may use of it; nothing where no room is known.
QString fullestText(const ShownPlan& plan, const QFontMetrics& metrics) {
    constexpr int kName = 120; // px
    const ShownDevice* fullest = plan.fullest();
    return fullest && fullest->capacity.value > 0.0
               ? QStringLiteral("%1 %2 % of %3")
                     .arg(metrics.elidedText(fullest->id, Qt::ElideMiddle, kName),
                          QString::number(std::lround(100.0 * (fullest->peak.total() / fullest->capacity))),
                          q(formatGibibytes(fullest->capacity)))
               : QString();
}

} // namespace

void CompareLanes::paintEvent(QPaintEvent* event) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.panel);
    for (std::size_t lane = 0; lane < m_set.lanes().size(); ++lane) {
        const QRect rows = rowsRect(lane);
        if (!event->rect().intersects(rows.united(headRect(lane))))
            continue;
        paintHead(painter, lane);
        painter.save();
        painter.setClipRect(rows);
        painter.save();
        painter.translate(kLabels, rows.top());
        GanttPainter::paint(painter, *m_set.lanes()[lane].plan->timeline, viewport(lane), t);
        painter.restore();
        for (int track = 0; track < tracks(lane); ++track)
            if (rowRect(lane, track).intersects(rows))
                paintRow(painter, lane, track);
        paintMarks(painter, lane);
        painter.restore();
    }
    painter.fillRect(kLabels - 1, 0, 1, height(), t.line);
    if (m_set.range().cursor() >= 0) {
        const double x = m_set.range().visible().toPixel(m_set.range().cursor(), barsWidth());
        if (x >= 0.0 && x < barsWidth())
            painter.fillRect(kLabels + static_cast<int>(x), 0, 1, height(), t.text3);
    }
}

void CompareLanes::paintHead(QPainter& painter, std::size_t lane) {
    const Theme& t = theme();
    const ShownPlan& plan = *m_set.lanes()[lane].plan;
    const ShownPlan& base = *m_set.lanes()[m_set.base()].plan;
    const QRect head = headRect(lane);
    painter.fillRect(head, t.title);
    painter.fillRect(head.left(), head.bottom(), head.width(), 1, t.line);
    if (hasFocus() && lane == m_set.activeLane())
        painter.fillRect(head.left(), head.top(), 3, head.height(), t.accent);
    painter.setFont(bodyFont(600));
    painter.setPen(t.text);
    const QString name = tr("Plan %1").arg(plan.name);
    const bool isBase = lane == m_set.base();
    const int tag = isBase ? QFontMetrics(smallFont()).horizontalAdvance(tr("base")) + 14 : 0;
    // The word goes before the name is cut.
    const int room = kLabels - 18 - tag;
    const QString shortName = painter.fontMetrics().elidedText(
        painter.fontMetrics().horizontalAdvance(name) <= room ? name : plan.name, Qt::ElideMiddle, room);
    painter.drawText(head.adjusted(10, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, shortName);
    if (isBase) {
        const int left = 16 + painter.fontMetrics().horizontalAdvance(shortName);
        painter.fillRect(left, head.top() + 6, tag - 4, 16, t.accentGround);
        painter.setFont(smallFont());
        painter.setPen(t.accent);
        painter.drawText(QRect(left, head.top() + 6, tag - 4, 16), Qt::AlignCenter, tr("base"));
    }
    int x = kLabels + 8;
    if (plan.isEarlier()) {
        painter.setFont(bodyFont(600));
        painter.setPen(t.warn);
        painter.drawText(QRect(x, head.top(), 200, head.height()), Qt::AlignVCenter, staleWord());
        x += painter.fontMetrics().horizontalAdvance(staleWord()) + 14;
    }
    const auto figure = [&](const QString& what, const QString& value, double change, bool lessIsBetter,
                            const QString& delta) {
        painter.setFont(bodyFont());
        painter.setPen(t.text2);
        painter.drawText(QRect(x, head.top(), 200, head.height()), Qt::AlignVCenter, what);
        x += painter.fontMetrics().horizontalAdvance(what) + 6;
        painter.setFont(bodyFont(600));
        painter.setPen(plan.stale ? t.text2 : t.text);
        x += paintFigures(painter, QRect(x, head.top(), 200, head.height()), Qt::AlignLeft, value) + 6;
        if (!isBase && !delta.isEmpty()) {
            painter.setFont(bodyFont());
            painter.setPen((change < 0.0) == lessIsBetter ? t.ok : t.err);
            x += paintFigures(painter, QRect(x, head.top(), 200, head.height()), Qt::AlignLeft, delta);
        }
        x += 14;
    };
    const double seconds = (plan.iteration - base.iteration).value;
    figure(tr("iteration"),
           (plan.estimated ? QStringLiteral("∴ ") : QString()) + iterationText(plan.iteration), seconds, true,
           std::abs(seconds) < 5e-5 ? QString() : q(signedDuration(seconds)));
    const double tokens = (plan.tokensPerSecond - base.tokensPerSecond) / 1e3;
    figure(tr("tokens/s"), tokensText(plan.tokensPerSecond), tokens, false,
           std::abs(tokens) < 5e-3 ? QString() : signedText(tokens, 2) + tr(" k"));
    const double bubble = 100.0 * (plan.bubble - base.bubble);
    figure(tr("bubble"), shareText(plan.bubble), bubble, true,
           std::abs(bubble) < 0.05 ? QString() : signedText(bubble, 1));
    if (const QString fullest = fullestText(plan, QFontMetrics(bodyFont(600))); !fullest.isEmpty())
        figure(tr("fullest"), fullest, 0.0, true, {});
    if (!plan.reason.isEmpty()) {
        painter.setFont(bodyFont());
        painter.setPen(t.err);
        painter.drawText(QRect(x, head.top(), closeRect(lane).left() - x - 8, head.height()),
                         Qt::AlignVCenter,
                         painter.fontMetrics().elidedText(tr("Infeasible: %1").arg(plan.reason),
                                                          Qt::ElideRight, closeRect(lane).left() - x - 8));
    }
    icon(QStringLiteral("close"), IconTone::Text2).paint(&painter, closeRect(lane).adjusted(3, 3, -3, -3));
}

void CompareLanes::paintRow(QPainter& painter, std::size_t lane, int index) {
    const Theme& t = theme();
    const ShownPlan& plan = *m_set.lanes()[lane].plan;
    const Track& track = plan.timeline->tracks[static_cast<std::size_t>(index)];
    const QRect row = rowRect(lane, index);
    painter.fillRect(QRect(0, row.top(), kLabels - 1, row.height()), t.panel);
    painter.fillRect(0, row.bottom(), kLabels - 1, 1, t.faint);
    const int text = row.height() - (viewport(lane).hasLanes() ? kSends : 0);
    paintStageBadge(painter, QRect(10, row.top() + (text - 18) / 2, 18, 18), track.stage, plan.stale);
    const QString busy = QStringLiteral("%1 %").arg(std::lround(100.0 * track.busyShare));
    painter.setFont(smallFont());
    const int busyWidth = painter.fontMetrics().horizontalAdvance(busy);
    painter.setPen(track.busyShare < 0.8 ? t.warn : t.text2);
    painter.drawText(QRect(0, row.top(), kLabels - 8, text), Qt::AlignVCenter | Qt::AlignRight, busy);
    painter.setFont(bodyFont(500));
    painter.setPen(t.text);
    painter.drawText(
        QRect(34, row.top(), kLabels - 48 - busyWidth, text), Qt::AlignVCenter,
        painter.fontMetrics().elidedText(q(track.label), Qt::ElideMiddle, kLabels - 48 - busyWidth));
}

// The marked micro-batch, and the row of the chosen difference.
void CompareLanes::paintMarks(QPainter& painter, std::size_t lane) {
    const Theme& t = theme();
    const Timeline& timeline = *m_set.lanes()[lane].plan->timeline;
    const GanttViewport view = viewport(lane);
    painter.save();
    painter.setClipRect(QRect(kLabels, laneTop(lane) + LaneLayout::kHead, barsWidth(), view.size.height()));
    painter.setBrush(Qt::NoBrush);
    if (m_set.microbatch() >= 0)
        for (int index = 0; index < tracks(lane); ++index) {
            const pw::Lane& bars = timeline.tracks[static_cast<std::size_t>(index)].lane(LaneRole::Compute);
            const QRect band =
                view.band(index, LaneRole::Compute).translated(kLabels, laneTop(lane) + LaneLayout::kHead);
            for (std::size_t i = bars.firstEndingAfter(view.window.begin);
                 i < bars.size() && bars.start(i) < view.window.end; ++i) {
                if (bars.microbatch(i) != m_set.microbatch())
                    continue;
                const double left = view.x(bars.start(i)), right = std::max(view.x(bars.end(i)), left + 2.0);
                painter.setPen(QPen(t.ink, 1));
                painter.drawRect(QRectF(kLabels + left, band.top() - 1, right - left - 1, band.height() + 1));
            }
        }
    painter.restore();
    const Comparison* comparison = m_set.comparison();
    if (!comparison || m_set.chosen() < 0)
        return;
    const int stage = comparison->time[static_cast<std::size_t>(m_set.chosen())].stage[lane];
    if (stage < 0 || stage >= tracks(lane))
        return;
    painter.setPen(QPen(t.accent, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rowRect(lane, stage).adjusted(kLabels, 1, -1, -2));
}

} // namespace pw
