// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/build.h"
#include "ui/session/selection.h"

#include <QString>

namespace pw {

// Bars in words, the same in tooltips, read-outs, details and for screen readers.
BarRef refOf(const Selection::Bar& bar);
Selection::Bar selectionOf(BarRef ref);
bool isBar(const Timeline& timeline, BarRef ref); // whether it names a bar of this timeline
const Lane& laneOf(const Timeline& timeline, BarRef ref);

QString kindName(BarKind kind);                            // "Forward"
QString barName(const Timeline& timeline, BarRef ref);     // "B 2", "Optimizer step"
QString barPlace(const Timeline& timeline, BarRef ref);    // "B 2 on stage 3"
QString barKindText(const Timeline& timeline, BarRef ref); // "backward, micro-batch 2"
QString barDescription(const Timeline& timeline,
                       BarRef ref); // "B 2, stage 2, 0.920 s for 170.1 ms, estimated"

// What a row does between two instants: "114.9 ms idle", "waits for B 0 of stage 3", or the sums of its bars.
struct AreaText {
    QString figure; // the key figure, "114.9 ms"
    QString text;   // the rest
};
AreaText areaText(const Timeline& timeline, int firstTrack, int lastTrack, const TimeWindow& window);

} // namespace pw
