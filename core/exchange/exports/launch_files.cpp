// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/launch_files.h"

#include "core/base/text.h"
#include "core/cluster/host_name.h"
#include "core/exchange/exports/exporters.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace pw {

namespace {

const Node& nodeOf(const Problem& problem, const RankNode& entry) {
    return problem.topology().cluster().nodes[static_cast<std::size_t>(entry.node)];
}

// Consecutive nodes that one component of a Slurm job can be: alike, and in the order that Slurm gives them,
// which is the natural one.
struct Component {
    std::size_t offset = 0;
    std::vector<const Node*> nodes;
};

std::vector<Component> componentsOf(const Problem& problem, const LaunchOrder& order) {
    std::vector<Component> components;
    for (std::size_t r = 0; r < order.nodes.size(); ++r) {
        const Node& node = nodeOf(problem, order.nodes[r]);
        if (components.empty() || components.back().nodes.back()->kind != node.kind ||
            components.back().nodes.back()->gpus != node.gpus ||
            !naturallyBefore(components.back().nodes.back()->id, node.id))
            components.push_back({r, {}});
        components.back().nodes.push_back(&node);
    }
    return components;
}

std::string torchrun(const Problem& problem, const LaunchOrder& order) {
    std::string text = R"sh(#!/bin/bash
# Starts this node's ranks of the planned run. Run it on every node:
#     ./launch.sh SCRIPT [ARGUMENT...]
# Ranks follow the order of the nodes below, which is the placement of the stages: do not sort them, and keep
# the static rendezvous. A node finds its place by its name; NODE_RANK overrides that.
set -euo pipefail
# Node and the numbers of its GPUs, in rank order.
nodes=(
)sh";
    for (const RankNode& entry : order.nodes)
        text += fmt::format("    \"{} {}\"\n", nodeOf(problem, entry).id, fmt::join(entry.gpus, ","));
    text += R"sh()
if [[ -z "${NODE_RANK:-}" ]]; then
    for rank in "${!nodes[@]}"; do
        host=${nodes[$rank]% *}
        if [[ "$host" == "$(hostname)" || "$host" == "$(hostname -s)" || "$host" == "${SLURMD_NODENAME:-}" ]]; then
            NODE_RANK=$rank
        fi
    done
fi
: "${NODE_RANK:?$(hostname) is not among the nodes of the plan}"
if [[ ! "$NODE_RANK" =~ ^[0-9]{1,6}$ || -z "${nodes[$((10#$NODE_RANK))]:-}" ]]; then
    echo "NODE_RANK is $NODE_RANK; expected 0 to $((${#nodes[@]} - 1)), the nodes of the plan" >&2
    exit 2
fi
for rank in "${!nodes[@]}"; do
    if [[ "${nodes[$rank]% *}" == "${SLURMD_NODENAME:-}" && "$rank" -ne $((10#$NODE_RANK)) ]]; then
        echo "NODE_RANK is $NODE_RANK, and $SLURMD_NODENAME is node $rank of the plan" >&2
        exit 2
    fi
done
export CUDA_VISIBLE_DEVICES=${nodes[$((10#$NODE_RANK))]#* }
IFS=, read -ra gpus <<<"$CUDA_VISIBLE_DEVICES"
exec torchrun --nnodes="${#nodes[@]}" --node_rank="$NODE_RANK" --nproc_per_node="${#gpus[@]}" \
    --master_addr="${MASTER_ADDR:-${nodes[0]% *}}" --master_port="${MASTER_PORT:-29500}" "$@"
)sh";
    return text;
}

// Until all components have ended, or one has failed, whichever that is.
constexpr const char* kWaitForAll = R"sh(while ((${#jobs[@]} > 0)); do
    for i in "${!jobs[@]}"; do
        if kill -0 "${jobs[$i]}" 2>/dev/null; then
            continue
        fi
        code=0
        wait "${jobs[$i]}" || code=$?
        unset "jobs[$i]"
        if ((code != 0)); then
            # shellcheck disable=SC2046
            kill $(jobs -p) 2>/dev/null || true
            exit "$code"
        fi
    done
    sleep 0.1
done
)sh";

std::string slurm(const Problem& problem, const LaunchOrder& order, const std::string& command) {
    const std::vector<Component> components = componentsOf(problem, order);
    std::string text = "#!/bin/bash\n";
    for (std::size_t c = 0; c < components.size(); ++c) {
        const Component& part = components[c];
        std::vector<std::string> names;
        for (const Node* node : part.nodes)
            names.push_back(node->id);
        text += c == 0 ? "#SBATCH --job-name=pipewright\n" : "#SBATCH hetjob\n";
        text +=
            fmt::format("#SBATCH --nodes={} --nodelist={} --ntasks-per-node=1 --gres=gpu:{} --exclusive\n",
                        names.size(), fmt::join(names, ","), part.nodes.front()->gpus);
    }
    text +=
        fmt::format("# {} GPUs of {} nodes. Partitions, accounts and time limits are yours to add, to each "
                    "component its own.\n",
                    order.world(), order.nodes.size());
    text += "set -euo pipefail\ncd \"$SLURM_SUBMIT_DIR\"\n";
    if (command.empty())
        text += "# sbatch slurm.sbatch SCRIPT [ARGUMENT...]\nset -- ./launch.sh \"$@\"\n";
    else
        text += fmt::format("[[ $# -gt 0 ]] || set -- {}\n", command);
    const bool several = components.size() > 1;
    text += several ? "jobs=()\n" : "";
    text += fmt::format("MASTER_ADDR=$(scontrol show hostnames \"${}\" | sed -n 1p)\nexport MASTER_ADDR\n",
                        several ? "SLURM_JOB_NODELIST_HET_GROUP_0" : "SLURM_JOB_NODELIST");
    for (std::size_t c = 0; c < components.size(); ++c)
        text += fmt::format("srun{} --ntasks-per-node=1 --kill-on-bad-exit=1 bash -c "
                            "'NODE_RANK=$(({} + SLURM_NODEID)) exec \"$@\"' _ \"$@\"{}\n",
                            several ? fmt::format(" --het-group={}", c) : "", components[c].offset,
                            several ? " &\njobs+=(\"$!\")" : "");
    return several ? text + kWaitForAll : text;
}

} // namespace

std::string placementComment(const Problem& problem, const LaunchOrder& order) {
    std::string text;
    for (std::size_t r = 0; r < order.nodes.size(); ++r)
        text += fmt::format("# node {}: {} {}\n", r, nodeOf(problem, order.nodes[r]).id,
                            fmt::join(order.nodes[r].gpus, ","));
    return text;
}

void checkHostNames(const Problem& problem, const LaunchOrder& order, std::vector<Refusal>& refusals) {
    for (const RankNode& entry : order.nodes) {
        const std::string& id = nodeOf(problem, entry).id;
        if (!isHostName(id))
            refusals.push_back({kHostNameRefusal, "node " + id,
                                "has characters that host lists and scripts cannot hold; letters, digits, "
                                "underscores and, but at its beginning, dots and dashes are possible"});
    }
}

std::vector<ExportFile> launchFiles(const Problem& problem, const LaunchOrder& order,
                                    const std::string& command) {
    return {{"launch.sh", torchrun(problem, order)}, {"slurm.sbatch", slurm(problem, order, command)}};
}

void checkLaunch(const Problem& problem, const Plan& plan, const std::string&,
                 std::vector<Refusal>& refusals) {
    for (const Pipeline& pipeline : plan.pipelines)
        checkHostNames(problem, bestLaunchOrder(problem, pipeline), refusals);
}

std::vector<ExportFile> exportLaunch(const ExportInput& input) {
    return launchFiles(input.problem, bestLaunchOrder(input.problem, input.plan.pipelines.front()), {});
}

} // namespace pw
