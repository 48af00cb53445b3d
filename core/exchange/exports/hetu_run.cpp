// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/hetu_run.h"

#include "core/exchange/exports/launch_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

namespace {

// The runtime numbers ranks as if all stages had the largest tensor-parallel size; those that a smaller stage
// leaves over are mapped to devices beyond the last one and listed as unused.
struct Numbering {
    int stageGpus = 1;
    std::vector<int> devices; // by rank
    std::vector<int> unused;
};

Numbering numbered(const std::vector<PlainPipeline>& pipelines, const std::map<DeviceIndex, int>& ranks) {
    Numbering numbers;
    for (const PlainPipeline& p : pipelines)
        for (const PlainStage& s : p.stages)
            numbers.stageGpus = std::max(numbers.stageGpus, s.stage->tp);
    int rank = 0, beyond = static_cast<int>(ranks.size());
    for (const PlainPipeline& p : pipelines)
        for (const PlainStage& s : p.stages)
            for (int t = 0; t < numbers.stageGpus; ++t, ++rank) {
                const bool used = t < s.stage->tp;
                numbers.devices.push_back(used ? ranks.at(s.devices[static_cast<std::size_t>(t)]) : beyond++);
                if (!used)
                    numbers.unused.push_back(rank);
            }
    return numbers;
}

// The fields of LlamaConfig, which swallows any other (models/llama/llama_config.py:32).
Json modelSettings(const ExportInput& input) {
    const Model& m = input.problem.model();
    Json settings = {
        {"vocab_size", m.vocab},          {"hidden_size", m.hidden},
        {"intermediate_size", m.ffn},     {"num_hidden_layers", m.blocks},
        {"num_attention_heads", m.heads}, {"num_key_value_heads", m.kvHeads},
        {"head_dim", m.headDim},          {"max_position_embeddings", input.problem.recipe().seq},
        {"attention_bias", m.qkvBias},    {"mlp_bias", m.mlpBias}};
    if (m.normEpsilon > 0.0)
        settings["rms_norm_eps"] = m.normEpsilon;
    return settings;
}

// The fields of StrategyConfig (utils/parallel/ds_config.py:85), but that the devices stand in the order of
// their ranks. Of a sequence without a list of lengths the trainer would add up None (engine/trainer.py:536).
Json strategySettings(const ExportInput& input, const std::vector<PlainPipeline>& pipelines, int world,
                      const Numbering& numbers) {
    const std::int64_t tokens = input.problem.recipe().seq;
    Json layers = Json::array(), lengths = Json::array(), counts = Json::array(), groups = Json::array();
    bool sharded = false;
    for (std::size_t p = 0;
         p < pipelines.size();) { // the pipelines of a replica hold the parts of a sequence
        const int cp = pipelines[p].stages.front().stage->cp;
        groups.push_back(cp);
        counts.push_back(pipelines[p].microbatches);
        for (int part = 0; part < cp; ++part, ++p) {
            Json held = Json::array();
            for (const PlainStage& stage : pipelines[p].stages) {
                held.push_back(wholeBlocks(input.problem.model(), stage.stage->chunks.front()));
                sharded = sharded || stage.stage->zero == 1;
            }
            layers.push_back(std::move(held));
            lengths.push_back(tokens * (part + 1) / cp - tokens * part / cp);
        }
    }
    return {{"hetero", true},
            {"dp", groups.size()},
            {"tp", numbers.stageGpus},
            {"zero", sharded && groups.size() > 1},
            {"num_layers", input.problem.model().blocks},
            {"num_gpus", world},
            {"rank_to_device_mapping", numbers.devices},
            {"unused_rank", numbers.unused},
            {"gpus_per_stage", numbers.stageGpus},
            {"hetero_layers", std::move(layers)},
            {"micro_batch_num_list", std::move(counts)},
            {"seq_len_list", std::move(lengths)},
            {"cp_list", std::move(groups)}};
}

std::string settings(const ExportInput& input, const std::vector<PlainPipeline>& pipelines,
                     const LaunchOrder& order, const Numbering& numbers) {
    Json nodes = Json::array();
    for (const RankNode& node : order.nodes)
        nodes.push_back(
            {{"name", input.problem.topology().cluster().nodes[static_cast<std::size_t>(node.node)].id},
             {"gpus", node.gpus}});
    const Recipe& recipe = input.problem.recipe();
    const Json trainer = {{"bf16", true}, // the attention knows half precision alone
                          {"packing", false},
                          {"micro_batch_size", pipelines.front().microbatchSize},
                          {"global_load_size", recipe.gbs},
                          {"max_seq_length", recipe.seq}};
    return printJson({{"nodes", std::move(nodes)},
                      {"model", modelSettings(input)},
                      {"trainer", trainer},
                      {"ds_parallel", strategySettings(input, pipelines, order.world(), numbers)}});
}

constexpr const char* kProgram = R"py(#!/usr/bin/env python3
"""Trains the plan of this folder with Hetu at 9e47240d, one process a GPU; train.sh starts it.

It does what Hetu's examples/pretrain/train_hetu.py does, with two things that engine/trainer.py lacks: a table of
rotary positions as long as the sequences (:273 leaves it out, models/llama/llama_model.py:229 needs it), and groups of
context parallelism with numbers of their own beyond the second one (:440).
"""

import argparse
import json
import os
from pathlib import Path

HERE = Path(__file__).resolve().parent
SETTINGS = json.loads((HERE / "settings.json").read_text(encoding="utf-8"))
NODES = {node["name"]: node["gpus"] for node in SETTINGS["nodes"]}
NAME = os.environ.get("HETU_LOCAL_HOSTNAME")
if NAME not in NODES:
    raise SystemExit(f"HETU_LOCAL_HOSTNAME is {NAME}; the plan has the nodes {', '.join(NODES)}")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", ",".join(str(gpu) for gpu in NODES[NAME]))

import hetu  # noqa: E402: it looks at the variable
from hetu.data.tokenizers.hf_tokenizer import HuggingFaceTokenizer  # noqa: E402
from hetu.engine.trainer import Trainer  # noqa: E402
from hetu.engine.trainer_config import TrainingConfig  # noqa: E402
from hetu.engine.wrapper import ModelWrapper, OptimizerWrapper  # noqa: E402
from hetu.models import LlamaConfig, LlamaLMHeadModel  # noqa: E402
from hetu.utils.parallel import StrategyConfig, config_spread_zero, distributed_init  # noqa: E402


class PlanTrainer(Trainer):
    def _init_config_symbol(self):
        super()._init_config_symbol()
        self.model.config.max_seqlen_symbol = hetu.IntSymbol(self.pretrain_config.max_seq_length)

    def extract_strategy(self, cp_list, strategy_id):
        found = super().extract_strategy(cp_list, strategy_id)
        groups = [group for group, size in enumerate(cp_list) for _ in range(size)]
        for symbol, group in zip(self.model.config.multi_cp_group_symbol[strategy_id], groups):
            symbol.set_data(group)
        return found


def ranks_of_the_plan(devices):
    """Hetu numbers GPUs by the order in which nodes come in; the plan by its list of nodes."""
    places = {}
    for rank in range(SETTINGS["ds_parallel"]["num_gpus"]):
        device = devices.get(rank)
        places[device.hostname, device.index] = rank
    wanted = [(name, index) for name, gpus in NODES.items() for index in range(len(gpus))]
    missing = [name + " GPU " + str(index) for name, index in wanted if (name, index) not in places]
    if missing:
        raise SystemExit(f"no process is on {', '.join(missing)} of the plan")
    return [places[place] for place in wanted]


def renumbered(value, ranks):
    if not isinstance(value, dict):
        return value
    return {key: [[ranks[device] for device in group] for group in inner] if key == "device_group_union"
            else renumbered(inner, ranks) for key, inner in value.items()}


def main():
    words = argparse.ArgumentParser(description="Trains the plan of this folder with Hetu.")
    words.add_argument("--data", required=True, help="JSON or lines of JSON, a text a record")
    words.add_argument("--field", default="text", help="where a record has its text")
    words.add_argument("--tokenizer", required=True, help="folder of a Hugging Face tokenizer")
    words.add_argument("--steps", type=int, default=10)
    words.add_argument("--learning-rate", type=float, default=1e-4)
    words.add_argument("--server", default="127.0.0.1")
    words.add_argument("--port", default="23457")
    asked = words.parse_args()

    strategy = dict(SETTINGS["ds_parallel"])
    _, devices = distributed_init(strategy["num_gpus"], asked.server, asked.port)
    ranks = ranks_of_the_plan(devices)
    # Ranks beyond the last are those that no stage uses.
    strategy["rank_to_device_mapping"] = {rank: ranks[device] if device < len(ranks) else device for rank, device
                                          in enumerate(strategy["rank_to_device_mapping"])}
    plan = json.loads((HERE / "ds_parallel_config.json").read_text(encoding="utf-8"))
    trainer = PlanTrainer(
        TrainingConfig(ds_parallel=StrategyConfig(**strategy), steps=asked.steps, train_dataset_path=asked.data,
                       dataset_text_field=asked.field, output_dir=str(HERE / "output"), **SETTINGS["trainer"]),
        ModelWrapper(LlamaLMHeadModel, LlamaConfig(**SETTINGS["model"])),
        HuggingFaceTokenizer.from_pretrained(asked.tokenizer),
        OptimizerWrapper({"type": "Adam", "learning_rate": asked.learning_rate}),
        ds_parallel_configs=[config_spread_zero(renumbered(plan, ranks))])
    trainer.build()
    trainer.train()


if __name__ == "__main__":
    main()
)py";

std::string script(const ExportInput& input, std::size_t pipelines, const LaunchOrder& order) {
    std::string text = "#!/bin/bash\n";
    text += fmt::format("# For {}: {} GPUs, {} pipelines.\n", exporterRow("hetu")->releases.front().label,
                        order.world(), pipelines);
    text += "# Devices are numbered node by node:\n" + placementComment(input.problem, order);
    text +=
        R"sh(# Run it on one machine, in a folder that all nodes see under this name. It starts a process a GPU over SSH.
# HETU_ENVIRONMENT is a script that each of them reads first (Hetu's hetu.exp), HETU_SERVER what the nodes
# call this machine:
#     HETU_ENVIRONMENT=... HETU_SERVER=... ./train.sh --data FILE --tokenizer FOLDER [ARGUMENT...]
set -eo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
port=${HETU_PORT:-23457}
source "${HETU_ENVIRONMENT:?set it to the script that makes Hetu known}"
mkdir -p logs
)sh";
    text +=
        fmt::format("exec python3 -m hetu.rpc.pssh_start --hosts hosts.yaml --ngpus {} --log_path logs \\\n",
                    order.world());
    text += R"sh(    --envs "$HETU_ENVIRONMENT" --server_port "$port" \
    --command "python3 -u train.py --server ${HETU_SERVER:?set it to what the nodes call this machine} --port $port ${*@Q}"
)sh";
    return text;
}

// What hetu.rpc.pssh_start reads (rpc/pssh_start.py:26).
std::string hosts(const ExportInput& input, const LaunchOrder& order) {
    std::string text = "hosts:\n";
    for (const RankNode& node : order.nodes)
        text +=
            fmt::format("  - {{addr: \"{0}\", initial_workers: {1}, min_workers: {1}, max_workers: {1}}}\n",
                        input.problem.topology().cluster().nodes[static_cast<std::size_t>(node.node)].id,
                        node.gpus.size());
    return text + "max_restart_times: 0\nheartbeat_interval: 10.0\n";
}

} // namespace

std::vector<ExportFile> hetuRunFiles(const ExportInput& input, const std::vector<PlainPipeline>& pipelines,
                                     const LaunchOrder& order, const std::map<DeviceIndex, int>& ranks) {
    return {{"settings.json", settings(input, pipelines, order, numbered(pipelines, ranks))},
            {"train.py", kProgram},
            {"hosts.yaml", hosts(input, order)},
            {"train.sh", script(input, pipelines.size(), order)}};
}

} // namespace pw
