// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/deciding_stages.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/session/what_if.h"
#include "ui/stages/stage_edits.h"
#include "ui/stages/stage_rows.h"
#include "ui/topology/drag_payload.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QDropEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QToolTip>

#include <algorithm>

namespace pw {

// What one does to the rows: handles, mouse and keys. Painting is in stage_rows.cpp.

namespace {

constexpr int kChipLeft = 36, kChipHeight = 6, kChipRoom = 136;
constexpr int kLeastPitch = 8, kMostPitch = 16; // few chips are wide
constexpr int kMostChips = kChipRoom / kLeastPitch;
constexpr int kChipReach = 4; // pixels above one that still hit it
constexpr int kTipFrame = 38; // px: around the words of a tip, and from where it is asked for to the tip

} // namespace

const ChunkLayout* StageRows::layout() const {
    if (!m_plan || m_plan->timeline->tracks.empty())
        return nullptr;
    const ChunkLayout& own = m_plan->timeline->tracks.front().layout;
    return own.stages == count() ? &own : nullptr;
}

int StageRows::boundaryCount() const {
    return layout() ? layout()->virtualStages() - 1 : 0;
}

QRect StageRows::boundaryRect(int boundary) const {
    if (boundary < 0 || boundary >= boundaryCount())
        return {};
    const auto stage = layout()->stageOf(boundary);
    const ShownStage& shown = m_plan->stages[static_cast<std::size_t>(stage)];
    const auto chunk = static_cast<std::size_t>(layout()->chunkOf(boundary));
    if (chunk >= shown.layers.size())
        return {};
    const int x = StageColumns::of(width(), m_plan->layerCount).layerX(shown.layers[chunk].end) - 1;
    const int rows = layout()->chunks == 1 ? 2 : 1; // from its stage to the next
    return QRect(x - 4, rowRect(stage).top(), 9, rows * rowHeight());
}

std::vector<std::vector<DeviceIndex>> StageRows::chips(int stage) const {
    std::vector<DeviceIndex> all;
    for (const auto& replica : m_plan->stages[static_cast<std::size_t>(stage)].devicesIn)
        all.insert(all.end(), replica.begin(), replica.end());
    const std::size_t each = (all.size() + kMostChips - 1) / kMostChips;
    std::vector<std::vector<DeviceIndex>> list;
    for (std::size_t first = 0; first < all.size(); first += each)
        list.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(first),
                          all.begin() + static_cast<std::ptrdiff_t>(std::min(first + each, all.size())));
    return list;
}

int StageRows::chipPitch(int stage) const {
    return std::clamp(kChipRoom / std::max(1, static_cast<int>(chips(stage).size())), kLeastPitch,
                      kMostPitch);
}

QRect StageRows::chipRect(int stage, int chip) const {
    const int pitch = chipPitch(stage);
    return QRect(kChipLeft + chip * pitch, rowRect(stage).bottom() - kChipHeight - 3, pitch - 2, kChipHeight);
}

StageRows::Handle StageRows::handleAt(const QPoint& at) const {
    const int row = rowAt(at.y());
    if (!m_edits || row < 0 || !layout())
        return {};
    for (int boundary = 0; boundary < boundaryCount(); ++boundary)
        if (boundaryRect(boundary).contains(at))
            return {Handle::Kind::Boundary, boundary, -1};
    const int chip = (at.x() - kChipLeft) / chipPitch(row);
    if (at.x() >= kChipLeft && at.y() >= chipRect(row, 0).top() - kChipReach &&
        chip < static_cast<int>(chips(row).size()))
        return {Handle::Kind::Chip, row, chip};
    if (at.x() >= 6 && at.x() < 32)
        return {Handle::Kind::Stage, row, -1};
    return {};
}

QString StageRows::toolTipAt(const QPoint& at) const {
    const Handle handle = handleAt(at);
    if (handle.kind == Handle::Kind::Boundary)
        return tr("Boundary between stage %1 and %2: drag it, Alt for half blocks; Left and Right move it")
            .arg(layout()->stageOf(handle.index))
            .arg(layout()->stageOf(handle.index + 1));
    if (handle.kind == Handle::Kind::Chip)
        return tr("%1: drag it to another stage, or Ctrl+Up and Ctrl+Down; Ctrl and a click or Space take "
                  "several")
            .arg(nameOf(handle));
    const int row = rowAt(at.y());
    if (row < 0)
        return {};
    return toolTipOf(row);
}

QString StageRows::toolTipOf(int index) const {
    const ShownStage& stage = m_plan->stages[static_cast<std::size_t>(index)];
    const ShownDevice* device = stage.fullest();
    QString text = tr("Stage %1 on %2, %3, %4: %5, forward %6 ms, backward %7 ms")
                       .arg(QString::number(stage.stage), stage.devices, stage.kind, divisionText(stage),
                            stage.layerPhrase, decimalText(stage.figures.forward.value * 1e3, 1),
                            decimalText(stage.figures.backward.value * 1e3, 1));
    if (device)
        text += device->overflows() ? tr("; needs %1 on %2").arg(memoryText(*device), device->id)
                                    : tr("; holds %1 on %2").arg(memoryText(*device), device->id);
    if (m_plan->decides(index))
        text += m_plan->deciding.size() == 1
                    ? tr("; decides the time")
                    : tr("; stages %1 decide the time").arg(q(stageNumbers(m_plan->deciding)));
    if (isLocked(index))
        text += tr("; locked: Improve leaves it as it is");
    return text;
}

bool StageRows::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    const auto& help = static_cast<const QHelpEvent&>(*event);
    QPoint at = help.globalPos();
    if (const int row = rowAt(help.y()); row >= 0 && !handleAt(help.pos())) {
        // Over its own row, whose figures it repeats, and not over the next one.
        const int tip = QFontMetrics(QToolTip::font()).height() + kTipFrame;
        at.setY(mapToGlobal(rowRect(row).bottomLeft()).y() - tip);
    }
    QToolTip::showText(at, toolTipAt(help.pos()), this);
    return true;
}

void StageRows::mousePressEvent(QMouseEvent* event) {
    const QPoint at = event->position().toPoint();
    m_held = event->button() == Qt::LeftButton ? handleAt(at) : Handle{};
    m_press = m_mouse = at;
    m_dragging = false;
    m_target = -1;
    markChip(m_held, event->modifiers());
    if (m_held.kind == Handle::Kind::Boundary || m_held.kind == Handle::Kind::Chip)
        setFocused(m_held);
    else
        setFocused({});
    if (m_held.kind == Handle::Kind::Chip)
        m_heldDevices = devicesOf(m_held);
    const int row = rowAt(at.y());
    if (row >= 0 && m_held.kind != Handle::Kind::Boundary)
        m_selection.setStage(row);
}

void StageRows::mouseMoveEvent(QMouseEvent* event) {
    m_mouse = event->position().toPoint();
    const bool pressed = (event->buttons() & Qt::LeftButton) != 0 && m_held;
    if (!pressed) {
        const int row = rowAt(m_mouse.y());
        const Handle handle = handleAt(m_mouse);
        if (row == m_hover && handle == m_hovered)
            return;
        m_hover = row;
        m_hovered = handle;
        setCursor(handle.kind == Handle::Kind::Boundary ? Qt::SplitHCursor
                  : handle                              ? Qt::OpenHandCursor
                                                        : Qt::ArrowCursor);
        return update();
    }
    if (!m_dragging && (m_mouse - m_press).manhattanLength() < QApplication::startDragDistance() / 2)
        return;
    if (!m_dragging) {
        setDragging(true);
        m_edits->begin();
    }
    if (m_held.kind == Handle::Kind::Boundary) {
        const StageColumns columns = StageColumns::of(width(), m_plan->layerCount);
        m_edits->dragBoundary(m_held.index,
                              columns.fineLayerAt(m_mouse.x(), (event->modifiers() & Qt::AltModifier) != 0));
        return;
    }
    const int target = rowAt(std::clamp(m_mouse.y(), 0, count() * rowHeight() - 1));
    if (target != m_target) {
        m_target = target;
        if (m_held.kind == Handle::Kind::Chip)
            m_edits->dragDevices(m_heldDevices, target);
        else
            m_edits->dragStage(m_held.index, target);
    }
    update();
}

void StageRows::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    if (m_dragging)
        m_edits->drop();
    if (m_dragging && m_held.kind != Handle::Kind::Boundary && m_target >= 0)
        m_selection.setStage(m_target);
    setDragging(false);
    forgetMarks();
    m_held = {};
    m_target = -1;
    update();
}

// GPUs from the canvas: judged under way like a chip, given to the stage they are let go on.
void StageRows::dragEnterEvent(QDragEnterEvent* event) {
    if (!m_edits || !layout() || !event->mimeData()->hasFormat(QLatin1String(DeviceDrag::kMime)))
        return;
    m_heldDevices.clear();
    const std::shared_ptr<const Problem> problem = m_edits->whatIf().problem();
    for (const QString& id : DeviceDrag::fromMime(*event->mimeData()))
        if (const DeviceIndex device = problem ? problem->topology().find(s(id)) : -1; device >= 0)
            m_heldDevices.push_back(device);
    if (m_heldDevices.empty())
        return;
    m_target = -1;
    m_edits->begin();
    event->acceptProposedAction();
}

void StageRows::dragMoveEvent(QDragMoveEvent* event) {
    const int target = rowAt(event->position().toPoint().y());
    if (target >= 0 && target != m_target)
        m_edits->dragDevices(m_heldDevices, target);
    m_target = target;
    event->setAccepted(target >= 0);
    update();
}

void StageRows::dragLeaveEvent(QDragLeaveEvent*) {
    m_target = -1;
    if (m_edits)
        m_edits->abort();
    update();
}

void StageRows::dropEvent(QDropEvent* event) {
    m_edits->drop();
    if (m_target >= 0)
        m_selection.setStage(m_target);
    m_target = -1;
    event->acceptProposedAction();
    update();
}

void StageRows::contextMenuEvent(QContextMenuEvent* event) {
    const int row = rowAt(event->pos().y());
    if (event->reason() == QContextMenuEvent::Keyboard)
        Q_EMIT menuRequested(m_selection.stage(),
                             mapToGlobal(rowRect(std::max(m_selection.stage(), 0)).center()));
    else
        Q_EMIT menuRequested(row, event->globalPos());
}

void StageRows::leaveEvent(QEvent* event) {
    m_hover = -1;
    m_hovered = {};
    update();
    QWidget::leaveEvent(event);
}

void StageRows::moveFocused(int fineLayers) {
    if (m_edits && m_focus.kind == Handle::Kind::Boundary)
        m_edits->stepBoundary(m_focus.index, fineLayers);
}

void StageRows::pushFocused(int by) {
    if (count() == 0)
        return;
    if (m_edits && m_focus.kind == Handle::Kind::Boundary)
        m_edits->pushBoundary(m_focus.index, by);
    else
        goToStage(by < 0 ? 0 : count() - 1);
}

// Off what can be moved, onto the row itself.
void StageRows::goToStage(int stage) {
    m_marked.clear();
    setFocused({});
    m_selection.setStage(stage);
}

int StageRows::focusedStage() const {
    if (m_focus.kind == Handle::Kind::Boundary && layout())
        return static_cast<int>(layout()->stageOf(m_focus.index));
    return m_focus ? m_focus.index : m_selection.stage();
}

void StageRows::shiftFocused(int by) {
    const int from = m_focus.kind == Handle::Kind::Chip ? m_focus.index : m_selection.stage();
    if (m_edits && m_focus.kind == Handle::Kind::Boundary)
        return Q_EMIT refused(
                   infeasible("whatif.refused", "",
                              "Left and Right move a boundary; Tab leads to the GPU that is to move")),
               void();
    if (!m_edits || from < 0 || from >= count())
        return;
    const auto list = chips(from);
    const auto chip = m_focus.kind == Handle::Kind::Chip && m_focus.chip < static_cast<int>(list.size())
                          ? static_cast<std::size_t>(m_focus.chip)
                          : list.size() - 1;
    const std::vector<DeviceIndex> devices = devicesOf({Handle::Kind::Chip, from, static_cast<int>(chip)});
    const int to = from + by;
    m_edits->moveDevices(devices, to);
    // The focus goes with the device.
    if (to < 0 || to >= count())
        return;
    const auto there = chips(to);
    for (int i = 0; i < static_cast<int>(there.size()); ++i)
        if (there[static_cast<std::size_t>(i)].front() == devices.front()) {
            m_selection.setStage(to);
            setFocused({Handle::Kind::Chip, to, i});
        }
}

void StageRows::abort() {
    if (m_dragging && m_edits)
        m_edits->abort();
    setDragging(false);
    m_held = {};
    m_target = -1;
    update();
}

void StageRows::goBack() {
    m_dragging ? abort() : m_selection.leaveStage();
}

void StageRows::keyPressEvent(QKeyEvent* event) {
    if (count() == 0)
        return QWidget::keyPressEvent(event);
    const int stage = focusedStage();
    switch (event->key()) {
    case Qt::Key_Up:
        return goToStage(stage < 0 ? count() - 1 : std::max(stage - 1, 0));
    case Qt::Key_Down:
        return goToStage(std::min(stage + 1, count() - 1));
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return goToStage(std::max(stage, 0));
    case Qt::Key_Home:
        return pushFocused(-1);
    case Qt::Key_End:
        return pushFocused(1);
    case Qt::Key_Escape:
        return goBack();
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

} // namespace pw
