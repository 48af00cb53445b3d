// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stages/stage_rows.h"

#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/timeline/gantt_painter.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr double kTightMemory = 0.95;        // share of the capacity from which a figure warns
constexpr int kMostRow = 46, kTwoLines = 42; // px of a row
constexpr int kBarApart = 8;                 // px between the longest bar and its figure

void edged(QPainter& painter, const QRectF& rect, const QColor& fill, const QColor& edge) {
    painter.fillRect(rect, edge);
    if (rect.width() >= 4.0)
        painter.fillRect(rect.adjusted(1, 1, -1, -1), fill);
}

// Draws the signed change against the base into the lower part of the room, less being better, and returns
// what is left above it for the figure; all of it where nothing has changed.
QRect withDelta(QPainter& painter, const QRect& room, double change, int decimals, const QString& unit) {
    const QString text = signedText(change, decimals) + unit;
    if (std::abs(change) < 0.5 * std::pow(10.0, -decimals))
        return room;
    const int split = room.top() + (room.height() + 3) / 2;
    painter.save();
    painter.setFont(smallFont());
    painter.setPen(change < 0.0 ? theme().ok : theme().err);
    paintFigures(painter, QRect(room.left(), split, room.width(), room.bottom() - split - 1), Qt::AlignRight,
                 text);
    painter.restore();
    return QRect(room.left(), room.top(), room.width(), split - room.top());
}

QString mark(bool estimated) {
    return estimated ? QStringLiteral("∴ ") : QString();
}

} // namespace

StageRows::StageRows(Selection& selection, QWidget* parent) : QWidget(parent), m_selection(selection) {
    setObjectName(QStringLiteral("stageMap.rows"));
    setAccessibleName(tr("Stage map"));
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAcceptDrops(true);
    connect(&selection, &Selection::stageChanged, this, &StageRows::stageChanged);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, qOverload<>(&QWidget::update));
}

void StageRows::setPlan(std::shared_ptr<const ShownPlan> plan) {
    m_plan = std::move(plan);
    setMinimumHeight(count() * (m_heldHeight > 0 ? m_heldHeight : leastRowHeight()));
    if (m_focus && nameOf(m_focus).isEmpty())
        m_focus = {};
    forgetMarks();
    stageChanged();
}

int StageRows::rowHeight() const {
    if (m_heldHeight > 0)
        return m_heldHeight;
    return std::clamp(height() / std::max(1, count()), leastRowHeight(), kMostRow);
}

// What is dragged is let go on the row that it was aimed at: none moves under the mouse.
void StageRows::setDragging(bool dragging) {
    m_heldHeight = dragging ? rowHeight() : 0;
    m_dragging = dragging;
    setMinimumHeight(count() * (dragging ? m_heldHeight : leastRowHeight()));
}

bool StageRows::hasSecondLine() const {
    return rowHeight() >= kTwoLines;
}

QRect StageRows::rowRect(int stage) const {
    return QRect(0, stage * rowHeight(), width(), rowHeight());
}

int StageRows::rowAt(int y) const {
    const int row = y / rowHeight();
    return y >= 0 && row < count() ? row : -1;
}

void StageRows::stageChanged() {
    const int stage = m_selection.stage();
    if (stage >= 0 && stage < count())
        Q_EMIT showRow(rowRect(stage));
    describe();
    update();
}

const ShownStage* StageRows::baseStage(int index) const {
    if (!m_plan->base || index >= static_cast<int>(m_plan->base->stages.size()))
        return nullptr;
    return &m_plan->base->stages[static_cast<std::size_t>(index)];
}

double StageRows::timeScale(const StageColumns& columns) const {
    Seconds longest;
    for (const ShownStage& stage : m_plan->stages)
        longest = std::max(longest, stage.time());
    const double mean = m_plan->meanTime().value;
    if (mean <= 0.0)
        return 0.0;
    const double atMean = 83.0 / mean; // room on the right for slower stages
    const int figure = figuresWidth(bodyFont(600), mark(true) + stageTimeText(longest));
    const double most = columns.timeRight - columns.timeLeft - figure - kBarApart;
    return std::min(atMean, most / longest.value);
}

void StageRows::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.panel);
    if (count() == 0)
        return;
    const StageColumns columns = StageColumns::of(width(), m_plan->layerCount);
    const std::vector<RangeLabel> ranges = rangeLabels(*m_plan, columns);
    for (int i = 0; i < count(); ++i)
        paintRow(painter, i, ranges[static_cast<std::size_t>(i)]);
    const int mean =
        columns.timeLeft + static_cast<int>(std::lround(m_plan->meanTime().value * timeScale(columns)));
    for (int y = 4; y < rowRect(count() - 1).bottom() - 2; y += 4)
        painter.fillRect(mean, y, 1, 2, t.ink);
    paintBoundaries(painter);
    paintDrag(painter);
    if (hasFocus() && !m_focus) { // of the row, else of all
        const bool chosen = m_selection.stage() >= 0 && m_selection.stage() < count();
        painter.setPen(QPen(t.accent, 2));
        painter.drawRect((chosen ? rowRect(m_selection.stage()) : rect()).adjusted(1, 1, -1, -1));
    }
}

void StageRows::paintRow(QPainter& painter, int index, const RangeLabel& range) {
    const Theme& t = theme();
    const ShownStage& stage = m_plan->stages[static_cast<std::size_t>(index)];
    const QRect row = rowRect(index);
    const bool chosen = m_selection.stage() == index;
    if (chosen || m_hover == index)
        painter.fillRect(row, chosen ? t.accentGround : t.alternate);
    painter.fillRect(row.left(), row.bottom(), row.width(), 1, t.faint);
    if (chosen)
        painter.fillRect(row.left(), row.top(), 3, row.height(), t.accent);

    const StageColumns columns = StageColumns::of(width(), m_plan->layerCount);
    paintStageBadge(painter, QRect(10, row.center().y() - 8, 18, 18), stage.stage, m_plan->stale);
    if (isLocked(index))
        icon(QStringLiteral("lock"), IconTone::Accent)
            .paint(&painter, columns.cellsLeft - 22, row.top() + (row.height() - 14) / 2, 14, 14);
    paintName(painter, stage, index, row, columns);
    paintGhost(painter, index, row, columns);
    paintCells(painter, stage, index, row, columns);
    painter.setFont(bodyFont());
    painter.setPen(t.text2);
    painter.drawText(QRect(range.left, row.top(), range.width, row.height()),
                     Qt::AlignVCenter | (range.inFront ? Qt::AlignRight : Qt::AlignLeft), range.text);
    paintTime(painter, stage, index, row, columns);
    paintMemory(painter, stage, index, row, columns);
    painter.setFont(bodyFont());
    painter.setPen(t.text);
    const bool sends = stage.figures.send.value > 0.0;
    const QString send = sends
                             ? mark(stage.figures.sendProvenance == Provenance::Estimated) +
                                   QStringLiteral("%1 ms").arg(decimalText(stage.figures.send.value * 1e3, 1))
                             : QStringLiteral("–");
    paintFigures(painter,
                 QRect(columns.memoryRight, row.top(), columns.sendRight - columns.memoryRight, row.height()),
                 Qt::AlignRight, send);
}

void StageRows::paintName(QPainter& painter, const ShownStage& stage, int index, const QRect& row,
                          const StageColumns& columns) {
    const Theme& t = theme();
    // The chips stand below the words.
    const int below = m_edits && layout() ? 10 : 0;
    painter.setFont(bodyFont(500));
    painter.setPen(m_plan->stale ? t.text2 : t.text);
    const int words = row.height() - below;
    const int lock = isLocked(index) ? 18 : 0; // behind the words
    const QRect name(36, row.top(), columns.cellsLeft - 42 - lock, hasSecondLine() ? words / 2 : words);
    const QString further = furtherText(stage); // in front of the devices, where they have a line
    const QString pattern = hasSecondLine() ? parallelText(stage) : divisionText(stage);
    const int patternWidth = QFontMetrics(smallFont()).horizontalAdvance(pattern);
    const QString kind =
        painter.fontMetrics().elidedText(stage.kind, Qt::ElideMiddle, name.width() - patternWidth - 5);
    painter.drawText(name, Qt::AlignVCenter | Qt::AlignLeft, kind);
    const int kindWidth = painter.fontMetrics().horizontalAdvance(kind);
    const ShownStage* before = baseStage(index);
    const bool changed = before && divisionText(*before) != divisionText(stage);
    painter.setFont(smallFont(changed ? 600 : 400));
    painter.setPen(changed ? t.text : t.text2);
    painter.drawText(name.adjusted(kindWidth + 5, 0, 4, 0), Qt::AlignVCenter | Qt::AlignLeft, pattern);
    if (hasSecondLine()) {
        painter.setFont(smallFont());
        painter.setPen(t.text2);
        painter.drawText(name.translated(0, name.height()), Qt::AlignVCenter | Qt::AlignLeft,
                         painter.fontMetrics().elidedText(
                             further.isEmpty() ? stage.devices : tr("%1, %2").arg(further, stage.devices),
                             Qt::ElideRight, name.width()));
    }
    if (below > 0)
        paintChips(painter, index);
}

void StageRows::paintChips(QPainter& painter, int index) {
    const Theme& t = theme();
    const std::vector<std::vector<DeviceIndex>> all = chips(index);
    for (int chip = 0; chip < static_cast<int>(all.size()); ++chip) {
        const QRect rect = chipRect(index, chip);
        const Handle handle{Handle::Kind::Chip, index, chip};
        painter.fillRect(rect, m_plan->stale ? t.text3 : t.stage(index));
        if (isLocked(all[static_cast<std::size_t>(chip)])) // a hole for the key
            painter.fillRect(rect.adjusted(2, 2, -2, -2), t.panel);
        if (handle == m_hovered || isMarked(handle) || (handle == m_focus && hasFocus())) {
            painter.setPen(QPen(t.accent, 2));
            painter.drawRect(rect.adjusted(-1, -1, 1, 1));
        }
    }
}

// Where the base's layers were: a dashed frame.
void StageRows::paintGhost(QPainter& painter, int index, const QRect& row, const StageColumns& columns) {
    const ShownStage* before = baseStage(index);
    if (!before)
        return;
    const ShownStage& now = m_plan->stages[static_cast<std::size_t>(index)];
    const auto same = [](const ShownStage::Layers& a, const ShownStage::Layers& b) {
        return a.begin == b.begin && a.end == b.end;
    };
    if (std::equal(now.layers.begin(), now.layers.end(), before->layers.begin(), before->layers.end(), same))
        return;
    QPen pen(theme().text3, 1, Qt::CustomDashLine);
    pen.setDashPattern({2, 2});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const int top = row.top() + (rowHeight() - 18) / 2 - 2;
    for (const ShownStage::Layers& run : before->layers) {
        const int left = columns.layerX(run.begin);
        painter.drawRect(left, top, columns.layerX(run.end) - left - 2, 19);
    }
}

void StageRows::paintBoundaries(QPainter& painter) {
    if (!m_edits)
        return;
    const Theme& t = theme();
    for (int boundary = 0; boundary < boundaryCount(); ++boundary) {
        const Handle handle{Handle::Kind::Boundary, boundary, -1};
        const bool held = m_dragging && m_held == handle, focus = hasFocus() && m_focus == handle;
        if (!held && !focus && m_hovered != handle)
            continue;
        const QRect rect = boundaryRect(boundary);
        painter.fillRect(QRect(rect.center().x() - 1, rect.top() + 2, 3, rect.height() - 4), t.accent);
        if (focus) {
            painter.setBrush(Qt::NoBrush);
            painter.setPen(QPen(t.accent, 1));
            painter.drawRect(rect.adjusted(0, 1, -1, -2));
        }
    }
}

void StageRows::paintDrag(QPainter& painter) {
    if (m_held.kind == Handle::Kind::Boundary)
        return;
    const Theme& t = theme();
    if (m_target >= 0) {
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(t.accent, 1));
        painter.drawRect(rowRect(m_target).adjusted(0, 0, -1, -2));
    }
    if (m_dragging)
        painter.fillRect(QRect(m_mouse - QPoint(5, 5), QSize(10, 10)), t.accent);
}

void StageRows::paintCells(QPainter& painter, const ShownStage& stage, int index, const QRect& row,
                           const StageColumns& columns) {
    const Theme& t = theme();
    const QColor colour = paled(t.stage(stage.stage), m_plan->stale);
    const bool recomputes = stage.recompute != Recompute::None;
    const int top = row.top() + (rowHeight() - 18) / 2, height = recomputes ? 12 : 16;
    const double gap = columns.cell >= 4.0 ? 1.0 : 0.0;
    double end = 0.0;
    for (const ShownStage::Layers& run : stage.layers) {
        for (double layer = run.begin; layer < run.end;) {
            const double next = std::min(run.end, std::floor(layer) + 1.0);
            const int x0 = columns.layerX(layer);
            const QRectF cell(x0, top, std::max(1.0, columns.layerX(next) - x0 - gap), height);
            const bool whole = layer == 0.0 || next == m_plan->layerCount;
            if (whole) { // embedding and head are no blocks: drawn hollow
                painter.fillRect(QRectF(cell.left(), top, cell.width(), 16), colour);
                painter.fillRect(QRectF(cell.left(), top, cell.width(), 16).adjusted(2, 2, -2, -2),
                                 t.stageGround(stage.stage));
            } else {
                painter.fillRect(cell, colour);
                if (recomputes)
                    painter.fillRect(QRectF(x0, top + 13, cell.width(), 4), t.kind(BarKind::Recompute).fill);
            }
            layer = next;
        }
        end = std::max(end, run.end);
    }
    if (index + 1 < count() && stage.layers.size() == 1) { // the step down to the next stage
        const int x = columns.layerX(end) - 1;
        painter.fillRect(x, top - 2, 1, rowHeight() + 16, t.text2);
        painter.fillRect(x - 1, top + 1, 3, 12, t.text2);
    }
}

void StageRows::paintTime(QPainter& painter, const ShownStage& stage, int index, const QRect& row,
                          const StageColumns& columns) {
    const Theme& t = theme();
    const double scale = timeScale(columns);
    const double top = row.center().y() - 5;
    double x = columns.timeLeft;
    const bool estimated = stage.figures.forwardProvenance == Provenance::Estimated;
    const StageFigures& f = stage.figures;
    painter.fillRect(QRectF(x - 1, top - 1, stage.time().value * scale + 2, 13), t.panel);
    for (const auto& [kind, time] :
         {std::pair(BarKind::Forward, f.forward), std::pair(BarKind::Recompute, f.recompute),
          std::pair(BarKind::Backward, f.backward - f.recompute)}) {
        const double width = std::round(time.value * scale);
        if (width < 1.0)
            continue;
        const QRectF part(x, top, width, 11);
        edged(painter, part, paled(t.kind(kind).fill, m_plan->stale),
              paled(t.kind(kind).edge, m_plan->stale));
        if (estimated) {
            painter.setBrushOrigin(part.topLeft());
            painter.fillRect(part.adjusted(1, 1, -1, -1),
                             kind == BarKind::Forward ? t.estimateDotsOnForward : t.estimateDots);
        }
        x += width;
    }
    painter.setFont(bodyFont(m_plan->decides(index) ? 600 : 400));
    painter.setPen(m_plan->stale ? t.text2 : t.text);
    const QRect room(columns.timeLeft, row.top(), columns.timeRight - columns.timeLeft, row.height());
    const ShownStage* before = baseStage(index);
    const double change =
        before && before->time().value > 0.0 ? 100.0 * (stage.time() / before->time() - 1.0) : 0.0;
    paintFigures(painter, withDelta(painter, room, change, 1, tr(" %")), Qt::AlignRight,
                 mark(estimated) + stageTimeText(stage.time()));
}

void StageRows::paintMemory(QPainter& painter, const ShownStage& stage, int index, const QRect& row,
                            const StageColumns& columns) {
    const ShownDevice* device = stage.fullest();
    if (!device)
        return;
    const Theme& t = theme();
    const double top = row.center().y() - 5, room = columns.memoryBarRight - columns.memoryLeft;
    const double capacity = device->capacity.value, total = device->peak.total().value;
    const double scale = room / std::max(device->whole().value > 0.0 ? device->whole().value : total, total);
    const double moving = (device->peak.activations + device->peak.transient).value;
    const double split = std::round((total - moving) * scale);
    painter.fillRect(QRectF(columns.memoryLeft, top, room, 11), t.faint);
    painter.fillRect(QRectF(columns.memoryLeft, top, split, 11), paled(t.memory[2], m_plan->stale));
    painter.fillRect(QRectF(columns.memoryLeft + split, top, std::round(moving * scale), 11),
                     paled(t.memory[6], m_plan->stale));
    if (capacity > 0.0) {
        const double limit = columns.memoryLeft + std::round(capacity * scale);
        if (device->overflows())
            painter.fillRect(QRectF(limit, top, columns.memoryLeft + std::round(total * scale) - limit, 11),
                             t.overflow);
        painter.fillRect(QRectF(limit - 1, top - 3, 2, 17), t.err);
    }
    const QColor figure = device->overflows()                ? t.err
                          : total >= kTightMemory * capacity ? t.warn
                          : m_plan->stale                    ? t.text2
                                                             : t.text;
    const QString rest = tr(" of %1").arg(limitText(device->room()));
    const ShownStage* before = baseStage(index);
    const ShownDevice* fullestBefore = before ? before->fullest() : nullptr;
    const double change =
        fullestBefore ? toGibibytes(device->peak.total() - fullestBefore->peak.total()) : 0.0;
    const QRect room2 = withDelta(
        painter,
        QRect(columns.memoryBarRight, row.top(), columns.memoryRight - columns.memoryBarRight, row.height()),
        change, 1, {});
    painter.setFont(smallFont());
    painter.setPen(t.text2);
    const int restWidth = figuresWidth(painter.font(), rest);
    paintFigures(painter, room2, Qt::AlignRight, rest);
    painter.setFont(bodyFont(device->overflows() || total >= kTightMemory * capacity ? 600 : 400));
    painter.setPen(figure);
    paintFigures(painter, room2.adjusted(0, 0, -restWidth, 0), Qt::AlignRight, gibText(device->peak.total()));
}

} // namespace pw
