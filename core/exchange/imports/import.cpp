// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/import.h"

#include "core/base/text.h"
#include "core/exchange/imports/aceso.h"
#include "core/exchange/imports/astra_sim.h"
#include "core/exchange/imports/flagscale_yaml.h"
#include "core/exchange/imports/galvatron.h"
#include "core/exchange/imports/hexiscale_json.h"
#include "core/exchange/imports/hexiscale_script.h"
#include "core/exchange/imports/hf_config.h"
#include "core/exchange/imports/hostfile.h"
#include "core/exchange/imports/hwloc.h"
#include "core/exchange/imports/kineto.h"
#include "core/exchange/imports/kubernetes.h"
#include "core/exchange/imports/link_file.h"
#include "core/exchange/imports/megatron_args.h"
#include "core/exchange/imports/metis.h"
#include "core/exchange/imports/metis_cluster.h"
#include "core/exchange/imports/nccl_tests.h"
#include "core/exchange/imports/nccl_topo.h"
#include "core/exchange/imports/nvidia_gpus.h"
#include "core/exchange/imports/nvidia_topo.h"
#include "core/exchange/imports/profile_file.h"
#include "core/exchange/imports/sailor.h"
#include "core/exchange/imports/sailor_figures.h"
#include "core/exchange/imports/simai.h"
#include "core/exchange/imports/slurm.h"
#include "core/formats/source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

const std::vector<ImporterRow>& importerTable() {
    static const std::vector<ImporterRow> table = {
        {"hf-config", "Hugging Face model configuration", "config.json", recogniseHfConfig, importHfConfig},
        {"sailor", "Sailor layer profile", "profile.json", recogniseSailor, importSailor},
        {"megatron-args", "Megatron-LM arguments", "*.sh", recogniseMegatronArgs, importMegatronArgs},
        {"flagscale", "FlagScale configuration", "*.yaml", recogniseFlagscaleYaml, importFlagscaleYaml},
        {"hexiscale", "HexiScale stages", "*.json", recogniseHexiscaleJson, importHexiscaleJson},
        {"hexiscale-script", "HexiScale launch", "*.sh", recogniseHexiscaleScript, importHexiscaleScript},
        {"sailor-model", "Sailor sizes of layers", "llm_info.json", recogniseSailorModel, importSailorModel},
        {"sailor-links", "Sailor link fits", "network_coeffs*.json intra_node_bandwidths.json",
         recogniseSailorLinks, importSailorLinks},
        {"metis", "Metis layer profile", "DeviceType.*.json", recogniseMetis, importMetis},
        {"aceso", "Aceso operator profile", "*_mbs*_tp*.csv", recogniseAcesoOps, importAcesoOps},
        {"aceso-links", "Aceso collectives and transfers", "prim_*.csv p2p_*.csv", recogniseAcesoLinks,
         importAcesoLinks},
        {"galvatron", "Galvatron computation and memory profile", "*_profiling_*.json", recogniseGalvatron,
         importGalvatron},
        {"galvatron-links", "Galvatron hardware profile", "*_bandwidth_*.json", recogniseGalvatronLinks,
         importGalvatronLinks},
        {"kineto", "torch.profiler trace", "*.json *.json.gz", recogniseKineto, nullptr, importKineto},
        {"kineto-links", "Collectives of a torch.profiler trace", "*.json *.json.gz", recogniseNoLinks,
         nullptr, importKinetoLinks},
        {kProfileFileKind, "Measurements handed on by Pipewright", "*.json *.csv", recogniseProfileFile,
         nullptr, importProfileFile},
        {"pipewright-links", "Timed collectives handed on by Pipewright", "*.json", recogniseLinkFile,
         importLinkFile},
        {"nvidia-topo", "nvidia-smi topo -m", "*.txt", recogniseNvidiaTopo, importNvidiaTopo},
        {"nvidia-gpus", "nvidia-smi --query-gpu", "*.csv", recogniseNvidiaGpus, importNvidiaGpus},
        {"nccl-topo", "NCCL topology", "*.xml", recogniseNcclTopo, importNcclTopo},
        {"slurm", "Slurm topology, gres or nodes", "*.conf", recogniseSlurm, importSlurm},
        {"kubernetes", "Kubernetes nodes", "*.json", recogniseKubernetes, importKubernetes},
        {"hwloc", "hwloc topology", "*.xml", recogniseHwloc, importHwloc},
        {"metis-cluster", "Metis cluster", "clusterfile.json", recogniseMetisCluster, importMetisCluster},
        {"hostfile", "Hostfile", "hostfile", recogniseHostfile, importHostfile},
        {"astra-sim", "ASTRA-sim network", "*.yml", recogniseAstraSim, importAstraSim},
        {"simai", "SimAI topology", "*.txt", recogniseSimai, importSimai},
        {"nccl-tests", "nccl-tests output", "*.txt", recogniseNcclTests, importNcclTests},
    };
    return table;
}

namespace {

// What a person sees in a file that no importer knows.
std::string looksLike(const std::string& text) {
    const std::string_view body = trimmed(text);
    if (body.empty())
        return "is empty";
    if (body.front() == '{' || body.front() == '[') {
        const Result<Json> document = parseJson(text, "");
        if (!document)
            return "looks like JSON, which it is not: " + document.error().text();
        std::string keys;
        if (document->is_object())
            for (const auto& [key, value] : document->items())
                if (keys.size() < 60)
                    keys += (keys.empty() ? "" : ", ") + key;
        return keys.empty() ? "is JSON" : "is JSON with the keys " + keys;
    }
    if (body.front() == '<')
        return fmt::format("looks like XML or HTML: {}",
                           body.substr(0, std::min<std::size_t>(body.find('>'), 40) + 1));
    const std::string_view line = body.substr(0, std::min<std::size_t>(body.find('\n'), 60));
    if (body.starts_with("#!"))
        return fmt::format("looks like a script: {}", line);
    return fmt::format("{} that begins with \"{}\"",
                       std::count(line.begin(), line.end(), ',') > 1 ? "looks like CSV" : "is text", line);
}

} // namespace

Result<Imported> importFile(const std::filesystem::path& path, std::string_view kind,
                            const ImportHints& hints) {
    std::string known;
    for (const ImporterRow& row : importerTable())
        known += (known.empty() ? "" : ", ") + std::string(row.kind);
    const auto& table = importerTable();
    const auto named = [&](const ImporterRow& row) { return row.kind == kind; };
    if (!kind.empty() && std::none_of(table.begin(), table.end(), named))
        return badInput("import.kind", std::string(kind),
                        fmt::format("is no kind of import; known are {}", known));

    const Result<std::string> head = readHead(path);
    if (!head)
        return head.error();
    const auto streamed = std::find_if(table.begin(), table.end(), [&](const ImporterRow& r) {
        return r.stream != nullptr && (kind.empty() ? r.recognise(*head, path) : named(r));
    });
    if (streamed != table.end())
        return streamed->stream(path, hints);
    const Result<std::string> text = readText(path);
    if (!text)
        return text.error();
    const auto row = std::find_if(table.begin(), table.end(), [&](const ImporterRow& r) {
        return r.stream == nullptr && (kind.empty() ? r.recognise(*text, path) : named(r));
    });
    if (row == table.end())
        return badInput(
            "import.unrecognised", path.string(),
            fmt::format("{}, and of no kind that can be imported ({}); name the kind if it is one",
                        looksLike(*text), known));
    return row->import(*text, path, hints);
}

Result<const ImporterRow*> recogniseFile(const std::filesystem::path& path) {
    const Result<std::string> head = readHead(path);
    if (!head)
        return head.error();
    for (const ImporterRow& row : importerTable())
        if (row.stream != nullptr && row.recognise(*head, path))
            return &row;
    const Result<std::string> text = readText(path);
    if (!text)
        return text.error();
    for (const ImporterRow& row : importerTable())
        if (row.stream == nullptr && row.recognise(*text, path))
            return &row;
    return nullptr;
}

Imported importedInventory(const char* kind, Inventory found, Diagnostics notes) {
    std::string summary = describe(found);
    return {kind, std::move(summary), std::move(notes), std::move(found)};
}

namespace {

// The hosts of a trainer's plan are those of the hostfile beside it, in its order.
TrainerPlan hostsOf(const Inventory& found) {
    TrainerPlan plan;
    for (const InventoryHost& host : found.hosts) {
        TrainerHost one{host.name, {}, host.gpus.empty() ? "" : host.gpus.front().model};
        for (const InventoryGpu& gpu : host.gpus)
            one.slots.push_back(gpu.index);
        plan.hosts.push_back(std::move(one));
    }
    return plan;
}

} // namespace

Result<Imported> joinImported(std::vector<Imported> parts, const std::vector<std::string>& files) {
    if (parts.size() == 1)
        return std::move(parts.front());
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (std::size_t j = i + 1; j < parts.size(); ++j)
            if (!parts[i].identity.empty() && parts[i].identity == parts[j].identity)
                return badInput("import.twice", files[j],
                                fmt::format("is of {}, like {}", parts[j].identity, files[i]));
    Imported all;
    std::vector<Inventory> inventories;
    std::vector<std::string> inventoryFiles;
    std::optional<TrainerPlan> plan;
    std::vector<ProfileRow> rows;
    std::vector<LinkMeasurement> links;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (all.kind.find(parts[i].kind) == std::string::npos)
            all.kind += (all.kind.empty() ? "" : "+") + parts[i].kind;
        all.summary += (all.summary.empty() ? "" : "; ") + parts[i].summary;
        append(all.notes, std::move(parts[i].notes));
        auto& what = parts[i].what;
        if (auto* inventory = std::get_if<Inventory>(&what)) {
            inventories.push_back(std::move(*inventory));
            inventoryFiles.push_back(files[i]);
        } else if (auto* some = std::get_if<std::vector<ProfileRow>>(&what)) {
            rows.insert(rows.end(), std::make_move_iterator(some->begin()),
                        std::make_move_iterator(some->end()));
        } else if (auto* timed = std::get_if<std::vector<LinkMeasurement>>(&what)) {
            links.insert(links.end(), timed->begin(), timed->end());
        } else if (auto* found = std::get_if<TrainerPlan>(&what)) {
            if (!plan)
                plan = std::move(*found);
            else if (Status joined = joinParts(*plan, std::move(*found), files[i]); !joined)
                return joined.error();
        } else {
            return badInput("import.mixed", files[i], "a model is imported alone, one file at a time");
        }
    }
    const int sorts =
        (rows.empty() ? 0 : 1) + (links.empty() ? 0 : 1) + (plan || !inventories.empty() ? 1 : 0);
    if (sorts > 1)
        return badInput(
            "import.mixed", files.back(),
            fmt::format("the files are of several sorts ({}); import those of one sort together", all.kind));
    if (!inventories.empty()) {
        Result<Inventory> joined = joinInventories(std::move(inventories), inventoryFiles);
        if (!joined)
            return joined.error();
        if (plan) {
            if (Status taken = joinParts(*plan, hostsOf(*joined), inventoryFiles.front()); !taken)
                return taken.error();
        } else {
            all.summary = describe(*joined);
            all.what = *std::move(joined);
        }
    }
    if (plan)
        all.what = *std::move(plan);
    else if (!links.empty())
        all.what = std::move(links);
    else if (!rows.empty())
        all.what = std::move(rows);
    return all;
}

Result<Model> readModelFile(const std::filesystem::path& path, Diagnostics* notes) {
    const Result<std::string> text = readText(path);
    if (!text)
        return text.error();
    const Result<Json> document = parseJson(*text, path.string());
    if (!document)
        return document.error();
    const JsonReader reader(*document, path.string());
    if (reader.has("schema")) {
        Result<Model> model = modelFromJson(reader);
        if (model && notes != nullptr)
            append(*notes, reader.unread());
        return model;
    }
    Result<Imported> imported = importHfConfig(*text, path, {});
    if (!imported)
        return imported.error();
    return std::get<Model>(std::move(imported->what));
}

} // namespace pw
