// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/proof/certificate.h"

#include "core/search/proof/capacity_bound.h"
#include "core/search/proof/launch_count_bound.h"
#include "core/search/space/sharded_stages.h"
#include "core/search/space/uniform_grid.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

namespace pw {

ProofScope::Family familyOf(const Json& certificate) {
    if (certificate.is_object() && certificate.contains("layers"))
        return ProofScope::Family::AnyShape;
    return certificate.is_object() && certificate.contains("any_order") ? ProofScope::Family::AnyOrder
                                                                        : ProofScope::Family::ChainsAndGrids;
}

bool provesBound(const Problem& problem, const Json& certificate, Seconds value, bool grids,
                 const std::vector<int>& sharded) {
    if (familyOf(certificate) == ProofScope::Family::AnyShape)
        return CapacityBound(problem).proves(certificate, value);
    const CostTable table(problem);
    const std::vector<std::unique_ptr<ChainSpace>> spaces =
        chainSpaces(problem, table, sharings(problem), [] { return false; });
    if (spaces.empty() || !std::isfinite(value.value))
        return false;
    const std::size_t classes = spaces.front()->classes().size();
    const bool anyOrder = familyOf(certificate) == ProofScope::Family::AnyOrder;
    const LaunchCountBound bound(
        pointersTo(spaces), [] { return false; }, 0, anyOrder ? ChainOrder::Any : ChainOrder::Filled);
    std::vector<std::map<ChainRegion, std::vector<bool>>> proven(spaces.size()); // by stages
    for (std::size_t s = 0; s < spaces.size(); ++s)
        for (const auto& [region, least, most] : bound.wanted(s, value.value)) {
            auto& counts = proven[s][region];
            counts.assign(static_cast<std::size_t>(std::max(most, 1)) + 1, false);
            std::fill_n(counts.begin(), least, true); // not wanted
        }
    const JsonReader reader(certificate, "certificate");
    for (const JsonReader& item : reader.array("proofs")) {
        constexpr double kDearest = 1e300; // finite
        const std::int64_t m = item.count("microbatch_size", 1, std::numeric_limits<std::int64_t>::max());
        const auto size = [&](const char* key) {
            return static_cast<int>(item.count(key, 1, std::numeric_limits<int>::max(), 1));
        };
        const Sharing sharing{size("cp"), size("ep")};
        const int stages = static_cast<int>(item.count("stages", 0, std::numeric_limits<int>::max()));
        LaunchCountBound::Proof proof;
        proof.stages = stages;
        proof.most =
            static_cast<int>(item.count("most_stages", std::max(1, stages), std::numeric_limits<int>::max(),
                                        stages > 0 ? stages : LaunchCountBound::kStagesEach));
        for (const JsonReader& price : item.array("prices")) {
            if (!price.value().is_number() || !(price.value().get<double>() >= 0.0))
                return false;
            proof.prices.push_back(price.value().get<double>());
        }
        proof.fill = item.number("fill", 0.0, kDearest);
        proof.open = stages == 0 && item.flag("any_order", false);
        proof.region.nodeOf = static_cast<int>(
            item.count("in_node_of", 0, std::numeric_limits<int>::max(), ChainRegion::kAnywhere));
        if (item.has("on_classes"))
            for (const JsonReader& cls : item.array("on_classes")) {
                if (!cls.value().is_number_integer())
                    return false;
                proof.region.classes.push_back(cls.value().get<int>());
            }
        if (!reader.status() || proof.prices.size() != (stages > 0 ? classes : 0))
            return false;
        for (std::size_t s = 0; s < spaces.size(); ++s)
            if (spaces[s]->microbatchSize() == m && spaces[s]->sharing() == sharing &&
                proof.most <= std::max(spaces[s]->maxStages(), LaunchCountBound::kStagesEach)) {
                proof.space = s;
                if (!bound.holds(proof, value.value))
                    continue;
                for (auto& [region, counts] : proven[s])
                    if (stages == 0 || region == proof.region)
                        for (int count = stages; count <= proof.most; ++count)
                            if (static_cast<std::size_t>(count) < counts.size())
                                counts[static_cast<std::size_t>(count)] = true;
            }
    }
    if (!reader.status())
        return false;
    for (const auto& parts : proven)
        for (const auto& [region, counts] : parts)
            if (std::find(counts.begin(), counts.end(), false) != counts.end())
                return false;
    if (anyOrder)
        return true;
    const auto never = [] { return false; };
    return leastOfShardedStages(problem, table, spaces, sharded, value.value, never) == value.value &&
           (!grids || leastOfGrids(problem, table, value.value, never) == value.value);
}

} // namespace pw
