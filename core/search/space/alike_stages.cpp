// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/space/alike_stages.h"

#include <algorithm>

namespace pw {

bool areAlike(const AlikeStages& asked, const StageOption& a, const StageOption& b) {
    return (!asked.tp || a.tp == b.tp) && (!asked.replicas || a.dp == b.dp) &&
           (!asked.gpus || a.devices == b.devices);
}

bool areAlike(const ChainSpace& space, const Chain& chain) {
    const AlikeStages& asked = space.problem().space().alike;
    const auto option = [&](const ChainStage& stage) -> const StageOption& {
        return space.options()[static_cast<std::size_t>(stage.option)];
    };
    return std::ranges::all_of(chain, [&](const ChainStage& stage) {
        return areAlike(asked, option(chain.front()), option(stage));
    });
}

bool areAlike(const AlikeStages& asked, const Plan& plan) {
    const auto gpus = [](const Stage& stage) { return stage.dp() * stage.tp * stage.cp; };
    return std::ranges::all_of(plan.pipelines, [&](const Pipeline& pipeline) {
        const Stage& first = pipeline.stages.front();
        return std::ranges::all_of(pipeline.stages, [&](const Stage& stage) {
            return (!asked.tp || stage.tp == first.tp) && (!asked.replicas || stage.dp() == first.dp()) &&
                   (!asked.gpus || gpus(stage) == gpus(first));
        });
    });
}

} // namespace pw
