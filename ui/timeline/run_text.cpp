// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/run_text.h"

#include "ui/base/format.h"
#include "ui/timeline/bar_text.h"
#include "ui/timeline/time_axis.h"

#include <QCoreApplication>

#include <cmath>

namespace pw {

namespace {

QString runTextOf(const char* text) {
    return QCoreApplication::translate("pw::RunText", text);
}

} // namespace

QString operationText(const Timeline& predicted, BarRef bar, const PlanRun& run, BarRef ran) {
    const QString standing = standingText(*run.record);
    const std::int64_t expected = isBar(predicted, bar) ? operationLength(predicted, bar) : 0;
    if (!isBar(run.rows.timeline, ran))
        return runTextOf("not drawn in the run, %1").arg(standing);
    const std::int64_t drawn = run.rows.length(ran);
    const auto atItsPace = [&](std::int64_t ns) { // as it ran, not as it is drawn
        return spanText(std::llround(static_cast<double>(ns) * run.overlay.scale));
    };
    const QString place = runTextOf("%1: %2, rank %3, step %4")
                              .arg(standing, atItsPace(drawn))
                              .arg(run.rows.ranks[static_cast<std::size_t>(ran.track)])
                              .arg(run.rows.step);
    const bool pass =
        ran.lane == LaneRole::Compute &&
        laneOf(run.rows.timeline, ran).kind(static_cast<std::size_t>(ran.bar)) != BarKind::Optimizer;
    if (expected <= 0 || (!run.overlay.measured && !pass)) // what does not scale with the passes
        return runTextOf("%1; no predicted time to hold it against").arg(place);
    const double relative = static_cast<double>(drawn) / static_cast<double>(expected) - 1.0;
    const QString difference = runTextOf("%1 %").arg(signedText(100.0 * relative, 1));
    return run.overlay.measured ? runTextOf("%1; predicted %2; %3").arg(place, spanText(expected), difference)
                                : runTextOf("%1; predicted %2, at this run's pace %3; %4")
                                      .arg(place, spanText(expected), atItsPace(expected), difference);
}

} // namespace pw
