// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/format.h"
#include "ui/session/what_if.h"
#include "ui/stages/stage_edits.h"
#include "ui/stages/stage_rows.h"

#include <QAccessible>

#include <algorithm>

namespace pw {

// What has the focus, and what the rows are for a screen reader.

std::vector<StageRows::Handle> StageRows::handles() const {
    std::vector<Handle> list;
    if (!m_edits || !layout())
        return list;
    for (int stage = 0; stage < count(); ++stage) {
        if (stage == m_selection.stage())
            for (int chip = 0; chip < static_cast<int>(chips(stage).size()); ++chip)
                list.push_back({Handle::Kind::Chip, stage, chip});
        for (int boundary = 0; boundary < boundaryCount(); ++boundary)
            if (layout()->stageOf(boundary) == stage)
                list.push_back({Handle::Kind::Boundary, boundary, -1});
    }
    return list;
}

QString StageRows::nameOf(Handle handle) const {
    if (!layout())
        return {};
    switch (handle.kind) {
    case Handle::Kind::Boundary: {
        if (handle.index < 0 || handle.index >= boundaryCount())
            return {};
        const auto& front = m_plan->stages[static_cast<std::size_t>(layout()->stageOf(handle.index))];
        const auto& back = m_plan->stages[static_cast<std::size_t>(layout()->stageOf(handle.index + 1))];
        return tr("boundary between stage %1 and %2, %3 and %4")
            .arg(QString::number(front.stage), QString::number(back.stage), front.layerPhrase,
                 back.layerPhrase);
    }
    case Handle::Kind::Chip: {
        if (handle.index < 0 || handle.index >= count())
            return {};
        const auto list = chips(handle.index);
        if (handle.chip < 0 || handle.chip >= static_cast<int>(list.size()))
            return {};
        const ShownStage& stage = m_plan->stages[static_cast<std::size_t>(handle.index)];
        qsizetype before = 0; // devices of the chips in front
        for (int chip = 0; chip < handle.chip; ++chip)
            before += static_cast<qsizetype>(list[static_cast<std::size_t>(chip)].size());
        // As the plan itself knows them: it stays in view where the project has no problem any more.
        const QStringList ids = stage.deviceIds.mid(
            before, static_cast<qsizetype>(list[static_cast<std::size_t>(handle.chip)].size()));
        return tr("%1 of stage %2").arg(ids.join(QStringLiteral(", "))).arg(stage.stage);
    }
    case Handle::Kind::Stage:
        return handle.index < count() ? tr("stage %1").arg(handle.index) : QString();
    case Handle::Kind::None:
        break;
    }
    return {};
}

void StageRows::setFocused(Handle handle) {
    m_focus = handle;
    if (handle.kind == Handle::Kind::Boundary)
        Q_EMIT showRow(boundaryRect(handle.index));
    describe();
    update();
}

bool StageRows::isMarked(Handle chip) const {
    return chip.kind == Handle::Kind::Chip && chip.index == m_markedStage && m_marked.contains(chip.chip);
}

// As files are chosen elsewhere. One of several that is pressed without a key may be the start of their drag.
void StageRows::markChip(Handle chip, Qt::KeyboardModifiers keys) {
    const bool isChip = chip.kind == Handle::Kind::Chip;
    const bool adds = isChip && (keys & (Qt::ControlModifier | Qt::ShiftModifier)) != 0;
    if (!adds && isMarked(chip))
        return;
    if (!adds || chip.index != m_markedStage)
        m_marked.clear();
    if (isChip) {
        const bool wasFocused = m_focus.kind == Handle::Kind::Chip && m_focus.index == chip.index;
        if (!adds)
            m_marked.insert(chip.chip); // others join it
        else if ((keys & Qt::ShiftModifier) != 0 && wasFocused)
            for (int i = std::min(m_focus.chip, chip.chip); i <= std::max(m_focus.chip, chip.chip); ++i)
                m_marked.insert(i);
        else if (!m_marked.erase(chip.chip))
            m_marked.insert(chip.chip);
        m_markedStage = chip.index;
        m_markedAmong = chips(chip.index);
    }
    describe();
    update();
}

void StageRows::markFocused() {
    if (m_edits && m_focus.kind == Handle::Kind::Chip)
        markChip(m_focus, Qt::ControlModifier);
}

void StageRows::forgetMarks() {
    if (m_marked.empty() || m_dragging || (m_markedStage < count() && chips(m_markedStage) == m_markedAmong))
        return;
    m_marked.clear();
}

std::vector<DeviceIndex> StageRows::devicesOf(Handle chip) const {
    const auto list = chips(chip.index);
    if (!isMarked(chip))
        return list[static_cast<std::size_t>(chip.chip)];
    std::vector<DeviceIndex> devices;
    for (const int i : m_marked)
        devices.insert(devices.end(), list[static_cast<std::size_t>(i)].begin(),
                       list[static_cast<std::size_t>(i)].end());
    return devices;
}

bool StageRows::focusNextPrevChild(bool next) {
    const std::vector<Handle> list = handles();
    const auto at = std::find(list.begin(), list.end(), m_focus);
    const auto now =
        at == list.end() ? (next ? -1 : static_cast<std::ptrdiff_t>(list.size())) : at - list.begin();
    const auto wanted = now + (next ? 1 : -1);
    if (wanted < 0 || wanted >= static_cast<std::ptrdiff_t>(list.size())) {
        setFocused({});
        return QWidget::focusNextPrevChild(next); // no key trap
    }
    setFocused(list[static_cast<std::size_t>(wanted)]);
    return true;
}

void StageRows::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    describe();
    update();
}

void StageRows::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    describe();
    update();
}

void StageRows::describe() {
    const int stage = m_selection.stage();
    QString text = tr("%n stages", nullptr, count());
    if (m_focus && hasFocus())
        text = isMarked(m_focus) ? tr("%1, marked").arg(nameOf(m_focus)) : nameOf(m_focus);
    else if (stage >= 0 && stage < count())
        text = QStringLiteral("%1. %2").arg(stageText(stage), toolTipOf(stage));
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

QString StageRows::stageText(int index) const {
    const ShownStage& stage = m_plan->stages[static_cast<std::size_t>(index)];
    const QString text =
        tr("stage %1, %2, %n devices, %3 a micro-batch", nullptr, static_cast<int>(stage.memory.size()))
            .arg(QString::number(stage.stage), stage.layerPhrase, stageTimeText(stage.time()));
    return isLocked(index) ? tr("%1, locked").arg(text) : text;
}

std::vector<AccessiblePart> StageRows::accessibleParts() const {
    std::vector<AccessiblePart> parts;
    const QRect seen = visibleRegion().boundingRect();
    const auto add = [&](const QString& key, const QString& name, const QString& more, const QRect& rect,
                         bool chosen) {
        if (parts.size() < kMostParts && rect.intersects(seen))
            parts.push_back({key, name, more, rect.intersected(seen), QAccessible::ListItem, chosen});
    };
    for (int i = 0; i < count(); ++i)
        add(QStringLiteral("stage/%1").arg(i), stageText(i), toolTipOf(i), rowRect(i),
            m_selection.stage() == i);
    for (const Handle& handle : handles())
        add(keyOf(handle), nameOf(handle), {},
            handle.kind == Handle::Kind::Chip ? chipRect(handle.index, handle.chip)
                                              : boundaryRect(handle.index),
            handle == m_focus || isMarked(handle));
    return parts;
}

void StageRows::activatePart(const QString& key) {
    for (int i = 0; i < count(); ++i)
        if (key == QStringLiteral("stage/%1").arg(i))
            return m_selection.setStage(i);
    for (const Handle& handle : handles())
        if (key == keyOf(handle)) {
            setFocus(Qt::OtherFocusReason);
            return setFocused(handle);
        }
}

QString StageRows::toggleLock() {
    const bool isChip = m_focus.kind == Handle::Kind::Chip;
    const int stage = m_selection.stage();
    if (!m_edits || (!isChip && (stage < 0 || stage >= count())))
        return {};
    bool locked = false;
    if (isChip) {
        const std::vector<DeviceIndex> devices = chips(m_focus.index)[static_cast<std::size_t>(m_focus.chip)];
        m_edits->whatIf().toggleLock(devices);
        locked = isLocked(devices);
    } else {
        m_edits->whatIf().toggleLock(stage);
        locked = isLocked(stage);
    }
    describe();
    const QString what = isChip ? nameOf(m_focus) : tr("Stage %1").arg(stage);
    return locked ? tr("%1 is locked: Improve leaves it as it is.").arg(what)
                  : tr("%1 is not locked any more.").arg(what);
}

bool StageRows::isLocked(int stage) const {
    if (!m_edits)
        return false;
    const std::vector<int>& locked = m_edits->whatIf().locks().stages;
    return std::find(locked.begin(), locked.end(), stage) != locked.end();
}

bool StageRows::isLocked(const std::vector<DeviceIndex>& devices) const {
    if (!m_edits)
        return false;
    const std::vector<DeviceIndex>& locked = m_edits->whatIf().locks().devices;
    return std::all_of(devices.begin(), devices.end(), [&](DeviceIndex device) {
        return std::find(locked.begin(), locked.end(), device) != locked.end();
    });
}

QString StageRows::keyOf(Handle handle) {
    return handle.kind == Handle::Kind::Chip ? QStringLiteral("chip/%1/%2").arg(handle.index).arg(handle.chip)
                                             : QStringLiteral("boundary/%1").arg(handle.index);
}

} // namespace pw
