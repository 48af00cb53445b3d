// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/timeline.h"

#include <algorithm>
#include <cmath>

namespace pw {

// A run starts at its first bar's visible start and takes every bar that starts less than the least width
// later. Only the last of those can be wide itself, since a wide one covers the rest of the width; it is left
// for its own item. Lengths are differences of the busy time, which a run asks for anyway: two arrays are
// walked through and not three.
void fold(const Lane& lane, std::int64_t t0, std::int64_t t1, int pixels, double minPixels,
          std::vector<FoldedItem>& out) {
    out.clear();
    if (t1 <= t0 || pixels <= 0)
        return;
    const double exact = std::ceil(static_cast<double>(t1 - t0) * minPixels / pixels);
    const auto width = static_cast<std::int64_t>(std::clamp(exact, 1.0, 1e18));
    const std::size_t first = lane.firstEndingAfter(t0);
    const std::size_t end = lane.firstStartingFrom(t1, first);
    const auto isWide = [&](std::size_t i) { return lane.busy(i, i + 1) >= width; };

    for (std::size_t i = first; i < end;) {
        FoldedItem item;
        item.start = std::max(lane.start(i), t0);
        item.first = i;
        std::size_t next = i + 1;
        if (isWide(i)) {
            item.end = std::min(lane.start(i) + lane.busy(i, i + 1), t1);
            item.kind = lane.kind(i);
            item.busy = item.end - item.start;
        } else {
            next = std::min(lane.firstStartingFrom(item.start + width, i), end);
            if (next > i + 1 && isWide(next - 1))
                --next;
            const std::int64_t room = next < end ? lane.start(next) : t1;
            const std::int64_t lastEnd = lane.start(next - 1) + lane.busy(next - 1, next);
            item.end = std::min(std::max(lastEnd, item.start + width), room);
            item.kind = lane.dominant(i, next);
            item.busy =
                lane.busy(i, next) - (item.start - lane.start(i)) - std::max<std::int64_t>(lastEnd - t1, 0);
        }
        item.count = static_cast<std::uint32_t>(next - i);
        out.push_back(item);
        i = next;
    }
}

} // namespace pw
