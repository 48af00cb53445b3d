// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/exchange/flagscale_reader.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>

namespace {

using Ints = std::vector<int>;

// The runner flattens the sections into arguments: sub-dictionaries are for the reader of the file only.
void flatten(const YAML::Node& node, std::map<std::string, YAML::Node>& arguments) {
    for (const auto& entry : node)
        if (entry.second.IsMap())
            flatten(entry.second, arguments);
        else
            arguments[entry.first.as<std::string>()] = entry.second;
}

struct Arguments {
    std::map<std::string, YAML::Node> all;
    bool flag(const std::string& key) const { return all.count(key) != 0 && all.at(key).as<bool>(); }
    int number(const std::string& key) const { return all.at(key).as<int>(); }
    Ints list(const std::string& key) const { return all.at(key).as<Ints>(); }
    bool has(const std::string& key) const { return all.count(key) != 0; }
};

struct Rank {
    std::string device, type;
};

std::vector<Rank> physicalRanks(const std::string& hostfile, const YAML::Node& experiment,
                                std::vector<std::string>& faults) {
    static const std::regex host(R"(^(\S+)\s+slots=(\d+)(?:\s+type=(\S+))?)");
    std::vector<Rank> ranks;
    std::set<std::string> seen;
    std::istringstream lines(hostfile);
    for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (line.empty() || line[0] == '#')
            continue;
        if (!std::regex_search(line, match, host) || !seen.insert(match[1]).second) {
            faults.push_back("hostfile line \"" + line + "\"");
            continue;
        }
        const std::size_t count = std::stoul(match[2]);
        // The runner's run_node(): a host's variables are those of all with its own over them, and without a
        // text in a variable of visible devices it fails (UnboundLocalError).
        const YAML::Node envs = experiment["experiment"]["envs"];
        YAML::Node shown = envs["CUDA_VISIBLE_DEVICES"];
        if (const YAML::Node own = envs["node_specific"]; own && own[match[1].str()])
            shown.reset(own[match[1].str()]["CUDA_VISIBLE_DEVICES"]);
        Ints visible;
        if (shown && shown.Tag() == "!") { // quoted: a text, not a number
            std::istringstream list(shown.as<std::string>());
            for (std::string index; std::getline(list, index, ',');)
                visible.push_back(std::stoi(index));
        }
        if (visible.size() < count)
            faults.push_back("visible devices of " + match[1].str());
        visible.resize(count);
        for (int index : visible)
            ranks.push_back({match[1].str() + ".g" + std::to_string(index), match[3]});
    }
    return ranks;
}

std::vector<Ints> rows(const Arguments& a, const std::string& key) {
    std::vector<Ints> list;
    for (const YAML::Node& row : a.all.at(key))
        list.push_back(YAML::Load(row.as<std::string>()).as<Ints>());
    return list;
}

// Expands rows [stages, n, value] to a value a stage.
Ints perStage(const Arguments& a, const std::string& key, int stages, int microbatches,
              std::vector<std::string>& faults) {
    Ints values;
    for (const Ints& row : rows(a, key)) {
        if (row.size() != 3 || row[1] != microbatches)
            faults.push_back(key + ": micro-batches of a row");
        values.insert(values.end(), static_cast<std::size_t>(row.at(0)), row.at(2));
    }
    if (static_cast<int>(values.size()) != stages)
        faults.push_back(key + ": stages");
    values.resize(static_cast<std::size_t>(stages));
    return values;
}

void readRecompute(const Arguments& a, FlagscaleRun& run) {
    const int stages = static_cast<int>(run.stages.size());
    const std::string granularity =
        a.has("recompute_granularity") ? a.all.at("recompute_granularity").as<std::string>() : "";
    if (granularity != "full")
        return;
    if (!a.has("recompute_method") || !a.has("recompute_num_layers"))
        run.faults.push_back("full recompute without method and layers");
    if (!a.has("recompute_granularity_per_stage_micro_batch")) {
        for (FlagscaleRun::Stage& stage : run.stages)
            stage.recomputedLayers = stage.layers; // uniform chunks of one layer
        return;
    }
    const Ints on =
        perStage(a, "recompute_granularity_per_stage_micro_batch", stages, run.microbatches, run.faults);
    const Ints block =
        perStage(a, "recompute_method_per_stage_micro_batch", stages, run.microbatches, run.faults);
    const Ints layers =
        perStage(a, "recompute_num_layers_per_stage_micro_batch", stages, run.microbatches, run.faults);
    for (std::size_t i = 0; i < run.stages.size(); ++i) {
        run.stages[i].recomputedLayers = on[i] != 0 ? layers[i] : 0;
        if (block[i] != 1)
            run.faults.push_back("recompute method");
    }
}

} // namespace

FlagscaleRun readFlagscale(const std::vector<pw::ExportFile>& files) {
    FlagscaleRun run;
    const auto require = [&](bool holds, const std::string& what) {
        if (!holds)
            run.faults.push_back(what);
    };
    std::map<std::string, std::string> texts;
    for (const pw::ExportFile& file : files)
        texts[file.name] = file.text;
    const YAML::Node experiment = YAML::Load(texts.at("experiment.yaml"));
    const std::string name = experiment["defaults"][0]["train"].as<std::string>();
    require(experiment["experiment"]["runner"]["rdzv_backend"].as<std::string>() == "static",
            "static rendezvous");
    Arguments a;
    const YAML::Node train = YAML::Load(texts.at("train/" + name + ".yaml"));
    for (const char* section : {"system", "model", "data"})
        flatten(train[section], a.all);

    const Ints meshes = a.list("hetero_process_meshes"), split = a.list("hetero_pipeline_layer_split");
    const auto types = a.all.at("hetero_device_types").as<std::vector<std::string>>();
    require(a.flag("enable_hetero"), "enable_hetero");
    require(meshes.size() % 5 == 0 && meshes.size() / 5 == types.size(), "five numbers and one type a mesh");
    require(std::count(types.begin(), types.end(), a.all.at("hetero_current_device_type").as<std::string>()) >
                0,
            "current type");
    require(!a.flag("standalone_embedding_stage"), "standalone embedding");
    require(std::accumulate(split.begin(), split.end(), 0) == a.number("num_layers"), "layers add up");
    const int mbs = a.number("micro_batch_size"), gbs = a.number("global_batch_size");
    const int dp0 = meshes.at(3), tpLast = meshes.at(meshes.size() - 5),
              dpLast = meshes.at(meshes.size() - 2);
    require(gbs % (dp0 * mbs) == 0, "global batch");
    run.microbatches = gbs / (dp0 * mbs);

    std::vector<Rank> ranks = physicalRanks(texts.at("hostfile"), experiment, run.faults);
    // Logical order: by the first place of the type in the list, then by physical rank.
    const auto place = [&](const Rank& r) {
        return std::find(types.begin(), types.end(), r.type) - types.begin();
    };
    std::stable_sort(ranks.begin(), ranks.end(),
                     [&](const Rank& x, const Rank& y) { return place(x) < place(y); });

    std::size_t rank = 0, stage = 0;
    std::set<int> tps;
    for (std::size_t m = 0; m < types.size(); ++m) {
        const int tp = meshes[5 * m], cp = meshes[5 * m + 1], ep = meshes[5 * m + 2], dp = meshes[5 * m + 3],
                  pp = meshes[5 * m + 4];
        tps.insert(tp);
        require(cp == 1 && dp % ep == 0, "cp and ep");
        require((dp0 * mbs) % dp == 0, "micro-batch over dp");
        require(a.number("num_attention_heads") % tp == 0, "heads");
        if (a.flag("group_query_attention"))
            require(a.number("num_query_groups") % tp == 0, "query groups");
        for (int p = 0; p < pp; ++p, ++stage) {
            FlagscaleRun::Stage s{tp, dp, split.at(stage), dp0 * mbs / dp, 0, {}};
            for (int i = 0; i < tp * dp; ++i, ++rank) {
                require(rank < ranks.size() && ranks[rank].type == types[m],
                        "a mesh gets devices of its type");
                s.devices.push_back(rank < ranks.size() ? ranks[rank].device : "");
            }
            run.stages.push_back(std::move(s));
        }
    }
    require(rank == ranks.size(), "every rank has a place");
    require(static_cast<int>(stage) == a.number("pipeline_model_parallel_size") && stage == split.size(),
            "stages");
    require(tps.size() == 1 || a.flag("sequence_parallel"), "sequence parallel where tp differs");
    if (!a.flag("untie_embeddings_and_output_weights")) {
        require(meshes.at(0) == tpLast, "tied embedding: tp");
        if (a.flag("use_distributed_optimizer") && dp0 != dpLast)
            require((dp0 % dpLast == 0 || dpLast % dp0 == 0) &&
                        a.flag("use_partial_reduce_for_shared_embedding"),
                    "tied embedding: dp");
    }
    readRecompute(a, run);
    return run;
}
