// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evaluate/evaluation.h"

#include <QString>

#include <algorithm>

namespace pw {

class Problem;

// What a plan may hold on a device, and why it is that much. A plan that is to fit with a greater chance
// keeps away from the device's capacity, so that a peak may lie above the limit and below the capacity:
//
//     0 ------------- peak 54.9 -- limit 55.8 ---------------- memory 79.2 GiB
struct MemoryRoom {
    Bytes limit;         // at most: all that the device has, or less to be surer; 0 = unknown
    Bytes memory;        // what it has; not said: the limit
    double chance = 0.0; // to fit, for whose sake the limit may be less than the memory
    bool isHeldBack() const { return memory > limit; }
    Bytes whole() const { return std::max(memory, limit); }
    bool operator==(const MemoryRoom&) const = default;
};

MemoryRoom memoryRoom(const Problem& problem, const DeviceMemory& device);

// Of a peak, "34.9 of 39.6 GiB"; where the room is held back, the limit and no capacity: "54.9 of ≤ 55.8 GiB"
// in cells, and as a sentence "54.9 of 79.2 GiB, at most 55.8 to fit with a chance of 90 %".
QString peakText(Bytes peak, const MemoryRoom& room);
QString memoryText(Bytes peak, const MemoryRoom& room);
QString limitText(const MemoryRoom& room);  // what follows "of" in the cell: "39.6", "≤ 55.8"
QString chanceText(const MemoryRoom& room); // the percents of it, "90"
QString chanceOfFitText(double chance);     // of a peak: "52 %"

} // namespace pw
