// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "tests/fuzz/targets.h"

#include "core/base/text.h"
#include "core/calibrate/calibration.h"
#include "core/calibrate/layer_table.h"
#include "core/calibrate/run_table.h"
#include "core/calibrate/validate.h"
#include "core/document/plan_file.h"
#include "core/exchange/imports/import_table.h"
#include "core/exchange/imports/measurements/link_file.h"
#include "core/inventory/inventory_cluster.h"
#include "core/links/link_apply.h"
#include "core/links/link_check.h"
#include "core/links/link_fit.h"
#include "core/project/project.h"
#include "core/search/search.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace pw::fuzz {

namespace {

std::string fileName = "input";

void require(bool holds) {
    if (!holds)
        std::abort();
}

const pw::Cluster& twoNodes() {
    static const pw::Cluster cluster = [] {
        pw::Cluster made;
        made.switches = {{"s", "Ethernet", {}}};
        for (const char* id : {"a", "b"}) {
            pw::Node node;
            node.id = id;
            node.kind = "A100-SXM4-80GB";
            node.gpus = 8;
            made.nodes.push_back(node);
            pw::Link link;
            link.id = std::string(id) + "-s";
            link.a = id;
            link.b = "s";
            link.bandwidth = pw::BytesPerSecond(25e9);
            made.links.push_back(link);
        }
        return made;
    }();
    return cluster;
}

void use(const pw::Imported& found) {
    if (const auto* inventory = std::get_if<pw::Inventory>(&found.what)) {
        pw::Diagnostics notes;
        pw::ClusterAnswers answers;
        answers.devices = {{"", "A100-80"}};
        answers.bandwidth = pw::BytesPerSecond(1e9);
        answers.gpus = 8;
        static_cast<void>(pw::toJson(*inventory));
        static_cast<void>(pw::describe(*inventory));
        static_cast<void>(pw::questionsOf(*inventory));
        const pw::Result<pw::Inventory> joined = pw::joinInventories({*inventory, *inventory}, {"a", "b"});
        const pw::Result<pw::Cluster> cluster =
            pw::clusterOf(joined ? *joined : *inventory, answers, "fuzz", notes);
        require(!cluster || !pw::hasErrors(pw::checkCluster(*cluster)));
    } else if (const auto* rows = std::get_if<std::vector<pw::ProfileRow>>(&found.what)) {
        for (const pw::ProfileRow& row : *rows)
            static_cast<void>(pw::toJson(row).dump()); // throws where a text is none
    } else if (const auto* links = std::get_if<std::vector<pw::LinkMeasurement>>(&found.what)) {
        const bool sound = std::all_of(links->begin(), links->end(),
                                       [](const pw::LinkMeasurement& m) { return !pw::linkProblem(m); });
        const auto again = pw::importLinkFile(pw::printLinks(*links), "again", {});
        require(!sound || links->empty() ||
                (again && std::get<std::vector<pw::LinkMeasurement>>(again->what) == *links));
        pw::Diagnostics notes;
        for (const pw::LinkMeasurement& measurement : *links) {
            const auto targets = pw::linkTargets(twoNodes(), measurement);
            const auto changed = pw::applyMeasurement(twoNodes(), measurement, targets, notes);
            require(!changed || !pw::hasErrors(pw::checkCluster(*changed)));
        }
    } else if (const auto* model = std::get_if<pw::Model>(&found.what)) {
        require(static_cast<bool>(pw::checkModel(*model, "fuzz")));
        static_cast<void>(pw::parameterCount(*model));
    } else if (const auto* plan = std::get_if<pw::TrainerPlan>(&found.what)) {
        pw::TrainerPlan both = *plan;
        static_cast<void>(pw::joinParts(both, *plan, "fuzz"));
        static_cast<void>(pw::recipeOf(*plan, "fuzz"));
    }
}

// Importers that stream read a file; it lives in memory.
bool importStream(const pw::ImporterRow& row, const std::string& bytes) {
    const int file = ::memfd_create("fuzz", 0);
    require(file >= 0 && ::write(file, bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    const pw::Result<pw::Imported> found = row.stream(path, {});
    if (found)
        use(*found);
    ::close(file);
    return static_cast<bool>(found);
}

bool import(const pw::ImporterRow& row, const std::string& bytes) {
    if (row.stream != nullptr)
        return importStream(row, bytes);
    const pw::Result<std::string> text = pw::decoded(bytes, fileName);
    if (!text)
        return false;
    static_cast<void>(row.recognise(*text, fileName));
    const pw::Result<pw::Imported> found = row.import(*text, fileName, {});
    if (found)
        use(*found);
    return static_cast<bool>(found);
}

bool readCluster(const std::string& text) {
    const pw::Result<pw::Cluster> read = pw::readCluster(text, fileName);
    if (!read)
        return false;
    static_cast<void>(pw::checkCluster(*read));
    const pw::Result<pw::Cluster> again = pw::readCluster(pw::printJson(pw::toJson(*read)), fileName);
    require(again && *again == *read);
    return true;
}

pw::Result<pw::Model> modelOf(const std::string& text) {
    const pw::Result<pw::Json> document = pw::parseJson(text, fileName);
    return document ? pw::modelFromJson(pw::JsonReader(*document, fileName))
                    : pw::Result<pw::Model>(document.error());
}

bool readModel(const std::string& text) {
    const pw::Result<pw::Model> read = modelOf(text);
    if (!read)
        return false;
    require(static_cast<bool>(pw::checkModel(*read, "fuzz")));
    static_cast<void>(pw::parameterCount(*read));
    const pw::Result<pw::Model> again = modelOf(pw::printJson(pw::toJson(*read)));
    require(again && *again == *read);
    return true;
}

bool readProject(const std::string& text) {
    pw::Diagnostics notes;
    const pw::Result<pw::Project> read = pw::readProject(text, fileName, &notes);
    if (!read)
        return false;
    static_cast<void>(pw::checkProject(*read));
    const pw::Result<pw::Project> again = pw::readProject(pw::printProject(*read), fileName);
    require(again && *again == *read);
    return true;
}

bool readPlans(const std::string& text) {
    constexpr std::int64_t kMostPasses = 2000; // that are simulated; the file decides how many there are
    const pw::Result<pw::PlanFile> read = pw::readPlanFile(text, fileName);
    if (!read)
        return false;
    for (const pw::Plan& plan : read->plans) {
        std::int64_t passes = 0;
        for (const pw::Pipeline& pipeline : plan.pipelines)
            passes += pipeline.microbatches * static_cast<std::int64_t>(pipeline.stages.size());
        if (passes <= kMostPasses)
            static_cast<void>(pw::evaluate(*read->problem, plan));
    }
    return true;
}

bool readCalibration(const std::string& text) {
    const pw::Result<pw::Calibration> read = pw::readCalibration(text, fileName);
    if (!read)
        return false;
    const pw::Result<pw::Calibration> again = pw::readCalibration(pw::printJson(pw::toJson(*read)), fileName);
    require(again && *again == *read);
    return true;
}

// Read and predicted, as `validate` does.
bool readRunTable(const std::string& text) {
    constexpr std::size_t kMostRows = 4;
    pw::Result<std::vector<pw::RunRow>> rows = pw::readRuns(text, fileName);
    if (!rows)
        return false;
    rows->resize(std::min(rows->size(), kMostRows));
    static_cast<void>(pw::predictionsCsv(pw::predictRuns(*rows, 2, {})));
    return true;
}

bool readLayerTable(const std::string& text) {
    const pw::Result<std::vector<pw::LayerTime>> times = pw::readLayerTimes(text, fileName);
    if (!times)
        return false;
    pw::Model model;
    for (const pw::LayerTime& time : *times) {
        model.name = time.model;
        for (const pw::ProfileRow& row : pw::profileRows(*times, model, twoNodes()))
            static_cast<void>(pw::toJson(row).dump());
    }
    return true;
}

struct OwnDocument {
    const char* kind;
    bool (*read)(const std::string& text);
};
constexpr OwnDocument kOwnDocuments[] = {
    {"own-cluster", readCluster},         {"own-model", readModel},
    {"own-project", readProject},         {"own-plan", readPlans},
    {"own-calibration", readCalibration}, {"run-table", readRunTable},
    {"layer-table", readLayerTable},
};

// Formats whose file names carry data.
struct NamedKind {
    const char* kind;
    const char* file;
};
constexpr NamedKind kNames[] = {{"metis", "DeviceType.A100_tp2_bs4.json"},
                                {"aceso", "gpt_350M_mbs1_tp2_algo0.csv"},
                                {"aceso-links", "prim_gpt_350M_all_reduce_2gpus.csv"}};

} // namespace

const std::vector<Kind>& kinds() {
    static const std::vector<Kind> all = [] {
        std::vector<Kind> list;
        for (const ImporterRow& row : importerTable())
            list.push_back({row.kind, [&row](const std::string& bytes) { return import(row, bytes); }});
        for (const OwnDocument& own : kOwnDocuments)
            list.push_back({own.kind, own.read});
        list.insert(list.end(), folderKinds().begin(), folderKinds().end());
        return list;
    }();
    return all;
}

bool run(const Kind& kind, const std::string& bytes) {
    fileName = "input";
    for (const NamedKind& named : kNames)
        if (kind.name == named.kind)
            fileName = named.file;
    return kind.run(bytes);
}

} // namespace pw::fuzz
