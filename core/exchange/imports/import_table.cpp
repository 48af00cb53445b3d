// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/import_table.h"

#include "core/base/text.h"
#include "core/calibrate/training_log.h"
#include "core/exchange/imports/machines/astra_sim.h"
#include "core/exchange/imports/machines/hostfile.h"
#include "core/exchange/imports/machines/hwloc.h"
#include "core/exchange/imports/machines/ibnetdiscover.h"
#include "core/exchange/imports/machines/kubernetes.h"
#include "core/exchange/imports/machines/metis_cluster.h"
#include "core/exchange/imports/machines/nccl_topo.h"
#include "core/exchange/imports/machines/nvidia_gpus.h"
#include "core/exchange/imports/machines/nvidia_topo.h"
#include "core/exchange/imports/machines/simai.h"
#include "core/exchange/imports/machines/slurm.h"
#include "core/exchange/imports/measurements/aceso.h"
#include "core/exchange/imports/measurements/galvatron.h"
#include "core/exchange/imports/measurements/kineto.h"
#include "core/exchange/imports/measurements/link_file.h"
#include "core/exchange/imports/measurements/metis.h"
#include "core/exchange/imports/measurements/nccl_tests.h"
#include "core/exchange/imports/measurements/profile_file.h"
#include "core/exchange/imports/measurements/run_record.h"
#include "core/exchange/imports/measurements/sailor.h"
#include "core/exchange/imports/measurements/sailor_figures.h"
#include "core/exchange/imports/models/hf_config.h"
#include "core/exchange/imports/trainers/flagscale_yaml.h"
#include "core/exchange/imports/trainers/hexiscale_json.h"
#include "core/exchange/imports/trainers/hexiscale_script.h"
#include "core/exchange/imports/trainers/megatron_args.h"
#include "core/formats/source.h"
#include "core/links/link_check.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

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
        {"run", "Layers of a run of the runner", "run.json", recogniseRun, importRun},
        {"pipewright-links", "Timed collectives handed on by Pipewright", "*.json", recogniseLinkFile,
         importLinkFile},
        {"nvidia-topo", "nvidia-smi topo -m", "*.txt", recogniseNvidiaTopo, importNvidiaTopo},
        {"nvidia-gpus", "nvidia-smi --query-gpu", "*.csv", recogniseNvidiaGpus, importNvidiaGpus},
        {"nccl-topo", "NCCL topology", "*.xml", recogniseNcclTopo, importNcclTopo},
        {"slurm", "Slurm topology, gres or nodes", "*.conf", recogniseSlurm, importSlurm},
        {"ibnetdiscover", "InfiniBand subnet as ibnetdiscover lists it", "*.txt *.topo",
         recogniseIbnetdiscover, importIbnetdiscover},
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

// "[2026-05-01 12:00:00] iteration 1", "[default0]:loading": a line of a log, and no list.
bool isMarked(std::string_view line) {
    const std::size_t close = line.substr(0, line.find('\n')).find(']');
    return close != std::string_view::npos && close + 1 < line.size() &&
           (line[close + 1] == ' ' || line[close + 1] == ':');
}

} // namespace

std::string looksLike(const std::string& text) {
    constexpr std::size_t kShown = 60; // bytes of a line
    const std::string_view body = trimmed(text);
    if (body.empty())
        return "is empty";
    if (const std::string trainer = trainerOfLog(text); !trainer.empty())
        return "is a training log of " + trainer;
    if (body.front() == '{' || (body.front() == '[' && !isMarked(body))) {
        const Result<Json> document = parseJson(text, "");
        const std::string_view line = trimmed(body.substr(0, body.find('\n')));
        if (!document && line.starts_with('[') && line.ends_with(']'))
            return fmt::format("looks like TOML or an INI file: {}", line.substr(0, kShown));
        if (!document) {
            std::string_view place =
                document.error().where; // ":1:2": the file's name stands before all of this
            while (place.starts_with(':'))
                place.remove_prefix(1);
            return fmt::format("looks like JSON, which it is not: {} at {}", document.error().message, place);
        }
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
    const std::string_view line = body.substr(0, std::min<std::size_t>(body.find('\n'), kShown));
    if (body.starts_with("#!"))
        return fmt::format("looks like a script: {}", line);
    return fmt::format("{} that begins with \"{}\"",
                       std::count(line.begin(), line.end(), ',') > 1 ? "looks like CSV" : "is text", line);
}

namespace {

// Documents of this program that are read as they are: what they are and where they are given.
struct OwnDocument {
    std::string_view schema; // with or without the version behind it
    const char* what;
    const char* use;
};
constexpr std::array<OwnDocument, 8> kOwnDocuments{{
    {"pipewright-project", "a project", "--project takes it"},
    {"pipewright-plan", "a plan document", "evaluate, compare, improve and export take it"},
    {"pipewright-model", "a model", "--model takes it"},
    {"pipewright-cluster", "a cluster", "--cluster takes it"},
    {"pipewright-calibration", "a calibration", "--calibration takes it"},
    {"pipewright-stack", "a software stack", "--stack takes it"},
    {"pipewright-inventory", "an inventory of nodes",
     "it is for reading; the files that it was made of are imported"},
    {"pipewright-sweep", "a sweep", "sweep make takes it"},
}};

// The row of a document, or nothing where it is another's.
const OwnDocument* ownDocument(const std::string& text) {
    const Result<Json> document = parseJson(text, "");
    if (!document || !document->is_object())
        return nullptr;
    const auto found = document->find("schema");
    if (found == document->end() || !found->is_string())
        return nullptr;
    const std::string& schema = found->get_ref<const std::string&>();
    const auto* const row =
        std::find_if(kOwnDocuments.begin(), kOwnDocuments.end(), [&](const OwnDocument& own) {
            return schema == own.schema || schema.starts_with(std::string(own.schema) + "-");
        });
    return row != kOwnDocuments.end() ? row : nullptr;
}

// What is measured lies within what a machine can take, and every text of it is one, whichever importer read
// it.
Result<Imported> sound(Result<Imported> imported, const std::string& file) {
    if (!imported)
        return imported;
    TextFaults faults(file);
    if (const auto* rows = std::get_if<std::vector<ProfileRow>>(&imported->what))
        for (std::size_t i = 0; i < rows->size(); ++i)
            if (const std::string problem = rowProblem((*rows)[i]); !problem.empty())
                faults.add("import.measurement", file,
                           {"measurement {index} ({model} layer {layer} on {kind}) {problem}",
                            {{"index", i + 1},
                             {"model", (*rows)[i].model},
                             {"layer", (*rows)[i].layer},
                             {"kind", (*rows)[i].kind},
                             {"problem", problem}}});
    if (const auto* links = std::get_if<std::vector<LinkMeasurement>>(&imported->what))
        for (const LinkMeasurement& m : *links)
            if (const auto problem = linkProblem(m))
                faults.add("import.measurement", file,
                           {"{collective} over {ranks} ranks {problem}",
                            {{"collective", m.collective}, {"ranks", m.ranks}, {"problem", *problem}}});
    if (const Status all = faults.status(); !all)
        return all.error();
    return imported;
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
                        {"is no kind of import; known are {known}", {{"known", known}}});

    const Result<std::string> head = readHead(path);
    if (!head)
        return head.error();
    const auto streamed = std::find_if(table.begin(), table.end(), [&](const ImporterRow& r) {
        return r.stream != nullptr && (kind.empty() ? r.recognise(*head, path) : named(r));
    });
    if (streamed != table.end())
        return sound(streamed->stream(path, hints), pathText(path));
    const Result<std::string> text = readText(path);
    if (!text)
        return text.error();
    const auto row = std::find_if(table.begin(), table.end(), [&](const ImporterRow& r) {
        return r.stream == nullptr && (kind.empty() ? r.recognise(*text, path) : named(r));
    });
    if (row == table.end()) {
        if (const OwnDocument* own = ownDocument(*text))
            return badInput("import.unrecognised", path.string(),
                            {"is {what} of this program and needs no import: {use}",
                             {{"what", own->what}, {"use", own->use}}});
        return badInput("import.unrecognised", path.string(),
                        {"{form}, and of no kind that can be imported ({known}); name the kind if it is one",
                         {{"form", looksLike(*text)}, {"known", known}}});
    }
    // Importers take names of models and sources from the path, but do not open it.
    const std::string name = pathText(path);
    return sound(row->import(*text, name, hints), name);
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
