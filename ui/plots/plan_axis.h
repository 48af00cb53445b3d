// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/candidates.h"

#include <optional>
#include <vector>

namespace pw {

// The quantities by which plans are plotted, brushed and ranked.
enum class PlanAxis { Iteration, Tokens, Bubble, PeakShare, Gpus, Stages, Microbatches, Measured };
inline constexpr int kPlanAxes = 8;

QString axisName(PlanAxis axis);                        // "Iteration, s"
QString axisText(PlanAxis axis, double value);          // "16.11 s"
double axisValue(PlanAxis axis, const Candidate& plan); // in the unit of the name; shares in %
bool lowerIsBetter(PlanAxis axis);
// Rank in iteration time, GPUs and peak memory among the feasible plans of one question; 0 = infeasible.
std::vector<int> planRanks(const std::vector<Candidate>& plans);

// What is brushed: a range on some axes. Table and plots observe the one brush of a set of candidates, and
// each may change it.
class PlanBrush : public QObject {
    Q_OBJECT

public:
    struct Range {
        double low = 0.0, high = 0.0;
        bool operator==(const Range&) const = default;
    };
    static PlanBrush& of(Candidates& candidates);

    std::optional<Range> range(PlanAxis axis) const { return m_ranges[static_cast<std::size_t>(axis)]; }
    void setRange(PlanAxis axis, std::optional<Range> range);
    void setRanges(PlanAxis x, const Range& onX, PlanAxis y, const Range& onY); // one change
    void clear();
    bool isEmpty() const;
    bool passes(const Candidate& plan) const;

Q_SIGNALS:
    void changed();

private:
    using QObject::QObject;
    std::array<std::optional<Range>, kPlanAxes> m_ranges;
};

} // namespace pw
