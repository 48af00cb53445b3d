// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/least_memory.h"

#include "core/cost/cost.h"

#include <fmt/format.h>

namespace pw {

double parametersOf(const Problem& problem) {
    double parameters = 0.0;
    for (const FineLayer& layer : problem.layers())
        parameters += static_cast<double>(layer.parameters);
    return parameters;
}

std::optional<Wording> statesThatCannotFit(const Problem& problem) {
    const StateBytes states = stateBytes(problem);
    const Bytes need(parametersOf(problem) * (states.weight + states.gradient + states.optimizer));
    Bytes room(0.0);
    for (std::size_t d = 0; d < problem.topology().devices().size(); ++d)
        if (problem.allowed()[d])
            room += std::max(Bytes(0.0), problem.topology().devices()[d].capacity - problem.recipe().reserve);
    if (need <= room)
        return std::nullopt;
    return Wording("weights, gradients and optimiser states need {need} GiB of the {room} GiB on all devices",
                   {{"need", fmt::format("{:.1f}", toGibibytes(need))},
                    {"room", fmt::format("{:.1f}", toGibibytes(room))}});
}

} // namespace pw
