// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <vector>

namespace pw {

class Problem;
struct Evaluation;
struct FoundPlan;
struct Plan;
struct SearchOutcome;
struct StageFigures;
enum class DeviceNames;

// What a plan document says beside the problem and the plans themselves, one row a key. Whoever writes a
// document asks every row; whoever reads one passes over every key, since evaluate() makes the figures anew.
template <class... From>
struct Figure {
    const char* key;
    Json (*of)(const From&...);
};
using OutcomeFigure = Figure<Problem, SearchOutcome>;
using EntryFigure = Figure<Problem, Plan, Evaluation, DeviceNames>;
using FoundFigure = Figure<FoundPlan>;
using StageFigure = Figure<StageFigures>;

const std::vector<OutcomeFigure>& outcomeFigures(); // beside searchFigures()
const std::vector<EntryFigure>& entryFigures();     // but for those of its stages
const std::vector<FoundFigure>& foundFigures();     // of a plan that a search has found, beside those
const std::vector<StageFigure>& stageFigures();

// Keys of the document that its callers add: answers to further questions, rows of a tournament.
const std::vector<const char*>& addedKeys();

template <class Row, class... From>
void writeFigures(Json& into, const std::vector<Row>& figures, const From&... from) {
    for (const Row& figure : figures)
        into[figure.key] = figure.of(from...);
}

template <class Row>
void passOverFigures(const JsonReader& reader, const std::vector<Row>& figures) {
    for (const Row& figure : figures)
        reader.passOver({figure.key});
}

} // namespace pw
