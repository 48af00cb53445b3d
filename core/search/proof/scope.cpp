// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/proof/scope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace pw {

const char* name(ProofScope::Family family) {
    switch (family) {
    case ProofScope::Family::Chains:
        return "chains";
    case ProofScope::Family::ChainsAndGrids:
        return "chains-and-grids";
    case ProofScope::Family::AnyOrder:
        return "chains-any-order";
    case ProofScope::Family::AnyShape:
        return "any-shape";
    }
    return "";
}

// Of some kinds alone it is said in words only: as a value the scope leaves them out, and speaks of fewer
// plans than it might.
Json toJson(const ProofScope& scope) {
    Json json{{"family", name(scope.family)},
              {"partitions", scope.partitions},
              {"cp", scope.cp},
              {"ep", scope.ep},
              {"fold_experts", scope.foldExperts},
              {"sharded_stages", scope.sharded},
              {"all_schedules", scope.wider.schedules && scope.wider.kinds.empty()},
              {"mixed_stages", scope.wider.mixedStages},
              {"pipelines", scope.wider.pipelines}};
    if (scope.levelled)
        json["levelled"] = true;
    if (scope.ruledLaunches)
        json["ruled_launches"] = true;
    return json;
}

ProofScope proofScopeFromJson(const JsonReader& reader) {
    constexpr std::int64_t kMost = 1'000'000; // of a parallel size
    ProofScope scope;
    const std::string family = reader.text("family");
    bool known = false;
    for (const ProofScope::Family each : {ProofScope::Family::Chains, ProofScope::Family::ChainsAndGrids,
                                          ProofScope::Family::AnyOrder, ProofScope::Family::AnyShape})
        if (family == name(each)) {
            scope.family = each;
            known = true;
        }
    if (!known && !family.empty())
        reader.fail("bound.family", reader.where("family"),
                    {"\"{text}\" is no family of plans", {{"text", family}}});
    scope.partitions = reader.flag("partitions", false);
    scope.cp = static_cast<int>(reader.count("cp", 1, kMost, 1));
    scope.ep = static_cast<int>(reader.count("ep", 1, kMost, 1));
    scope.foldExperts = reader.flag("fold_experts", false); // as in documents from before they were
    if (reader.has("sharded_stages"))
        for (const JsonReader& zero : reader.array("sharded_stages")) {
            if (zero.value() == 2 || zero.value() == 3)
                scope.sharded.push_back(zero.value().get<int>());
            else
                zero.fail("bound.sharded", zero.where(), "expected 2 or 3");
        }
    scope.levelled = reader.flag("levelled", false);
    scope.ruledLaunches = reader.flag("ruled_launches", false);
    scope.wider.schedules = reader.flag("all_schedules", false);
    scope.wider.mixedStages = reader.flag("mixed_stages", false);
    scope.wider.pipelines = static_cast<int>(reader.count("pipelines", 1, kMost, 1));
    return scope;
}

std::string ProofScope::text() const {
    std::string text;
    if (family == Family::AnyShape)
        text = "plans of any shape";
    else if (family == Family::Chains)
        text = "single pipeline, whole blocks, launch-count schedules, one class of nodes a stage";
    else if (family == Family::AnyOrder)
        text =
            "single pipeline, whole blocks, launch-count schedules, one class of nodes a stage, in any order";
    else if (wider.any())
        text = "single pipeline, whole blocks, and uniform grids";
    else
        text = "single pipeline, whole blocks, and uniform grids; else launch-count schedules, one class of "
               "nodes a stage";
    if (ruledLaunches)
        text += ", launch counts by rule";
    if (levelled)
        text += ", nodes that differ by their cables as one class";
    if (wider.schedules && wider.kinds.empty())
        text += ", any schedule";
    else if (wider.schedules) {
        std::vector<std::string> labels;
        for (const ScheduleKind kind : wider.kinds)
            labels.emplace_back(label(kind));
        text += fmt::format(", {}", fmt::join(labels, ", "));
    }
    if (wider.mixedStages)
        text += ", mixed stages";
    if (wider.pipelines > 1)
        text += fmt::format(", up to {} pipelines", wider.pipelines);
    if (cp > 1)
        text += fmt::format(", context parallelism up to {}", cp);
    if (ep > 1)
        text += fmt::format(", expert parallelism up to {}{}", ep,
                            foldExperts ? " (whole experts over tensor-parallel ranks too)" : "");
    if (partitions)
        text += ", tensor partitions";
    if (!sharded.empty())
        text += fmt::format(", one stage under ZeRO {}", fmt::join(sharded, " and "));
    return text;
}

} // namespace pw
