// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/memory_room.h"

#include "core/problem/problem.h"
#include "ui/base/format.h"

#include <QCoreApplication>

#include <cmath>

namespace pw {

MemoryRoom memoryRoom(const Problem& problem, const DeviceMemory& device) {
    return {device.capacity, problem.topology().devices()[static_cast<std::size_t>(device.device)].memory,
            problem.recipe().fitChance};
}

QString chanceText(const MemoryRoom& room) {
    const double percent = 100.0 * room.chance;
    return decimalText(percent, std::abs(percent - std::round(percent)) < 0.05 ? 0 : 1);
}

QString chanceOfFitText(double chance) {
    return QCoreApplication::translate("MemoryRoom", "%1 %").arg(decimalText(100.0 * chance, 0));
}

QString limitText(const MemoryRoom& room) {
    return room.isHeldBack() ? QStringLiteral("\u2264 %1").arg(gibText(room.limit)) : gibText(room.limit);
}

QString peakText(Bytes peak, const MemoryRoom& room) {
    return QCoreApplication::translate("MemoryRoom", "%1 of %2 GiB").arg(gibText(peak), limitText(room));
}

QString memoryText(Bytes peak, const MemoryRoom& room) {
    if (!room.isHeldBack())
        return peakText(peak, room);
    return QCoreApplication::translate("MemoryRoom", "%1 of %2 GiB, at most %3 to fit with a chance of %4 %")
        .arg(gibText(peak), gibText(room.memory), gibText(room.limit), chanceText(room));
}

} // namespace pw
