// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace pw {

// Whether the row is of a single operator and has a time; figures of memory alone have a name too.
bool isTimedOperator(const ProfileRow& row);

// Where a plan runs operators.
struct OperatorPoint {
    std::string kind;
    int tp = 1, mbs = 1;
    Precision precision = Precision::Fp32;
    std::int64_t seq = 0;
};

// The single operators that profilers time beside whole layers. Each is looked up as layers are, by the same
// rules of several sources and of interpolation: an operator is a name, the shape of its inputs and the layer
// that its profiler counts it to. A shape that holds the micro-batch is another operator at every micro-batch
// and so is never interpolated. Operators price no plan; they say how much of what a plan runs anybody has
// timed, finer than the layers do.
class OperatorTable {
public:
    OperatorTable() = default;
    explicit OperatorTable(const std::vector<ProfileRow>& rows); // of one model; whole layers are passed over
    bool empty() const { return m_tables.empty(); }

    struct Cover {
        int layer = 0; // as the profiler counts; one that knows no layers says 0
        std::string op, shape;
        std::optional<TimedCost> cost; // nothing where it is not timed at the point, nor on both sides of it
    };
    std::vector<Cover> at(const OperatorPoint& point) const; // by layer, name and shape

private:
    std::map<std::tuple<int, std::string, std::string>, ProfileTable> m_tables;
};

} // namespace pw
