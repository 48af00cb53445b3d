// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// One fuzz target for every row of importerTable(): --kind=NAME says which, --name=FILE under what name the
// input lies, for importers that read names too. Whatever the input, an import is a value or an error; what
// it gives is used further as the command line does.
#include "core/base/text.h"
#include "core/exchange/imports/import.h"
#include "core/exchange/imports/inventory_cluster.h"
#include "core/exchange/imports/link_apply.h"
#include "core/exchange/imports/link_fit.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

namespace {

const pw::ImporterRow* chosen = nullptr;
std::string fileName = "input";

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
        if (cluster && pw::hasErrors(pw::checkCluster(*cluster)))
            std::abort();
    } else if (const auto* links = std::get_if<std::vector<pw::LinkMeasurement>>(&found.what)) {
        static_cast<void>(pw::printLinks(*links));
        pw::Diagnostics notes;
        for (const pw::LinkMeasurement& measurement : *links) {
            const auto targets = pw::linkTargets(twoNodes(), measurement);
            const auto changed = pw::applyMeasurement(twoNodes(), measurement, targets, notes);
            if (changed && pw::hasErrors(pw::checkCluster(*changed)))
                std::abort();
        }
    } else if (const auto* model = std::get_if<pw::Model>(&found.what)) {
        if (!pw::checkModel(*model, "fuzz"))
            std::abort();
        static_cast<void>(pw::parameterCount(*model));
    } else if (const auto* plan = std::get_if<pw::TrainerPlan>(&found.what)) {
        pw::TrainerPlan both = *plan;
        static_cast<void>(pw::joinParts(both, *plan, "fuzz"));
        static_cast<void>(pw::recipeOf(*plan, "fuzz"));
    }
}

// Importers that stream read a file; it lives in memory.
void importStream(const char* data, std::size_t size) {
    const int file = ::memfd_create("fuzz", 0);
    if (file < 0 || ::write(file, data, size) != static_cast<ssize_t>(size))
        std::abort();
    const std::string path = "/proc/self/fd/" + std::to_string(file);
    if (const pw::Result<pw::Imported> found = chosen->stream(path, {}))
        use(*found);
    ::close(file);
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
    const std::string kindFlag = "--kind=", nameFlag = "--name=";
    std::string kind;
    for (int i = 1; i < *argc; ++i) {
        const std::string argument = (*argv)[i];
        if (argument.starts_with(kindFlag))
            kind = argument.substr(kindFlag.size());
        else if (argument.starts_with(nameFlag))
            fileName = argument.substr(nameFlag.size());
    }
    for (const pw::ImporterRow& row : pw::importerTable())
        if (kind == row.kind)
            chosen = &row;
    if (chosen != nullptr)
        return 0;
    std::fprintf(stderr, "import_fuzz --kind=KIND [--name=FILE] CORPUS, with one of:\n");
    for (const pw::ImporterRow& row : pw::importerTable())
        std::fprintf(stderr, "  %s\n", row.kind);
    std::exit(1);
}

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
    const char* bytes = reinterpret_cast<const char*>(data);
    if (chosen->stream != nullptr) {
        importStream(bytes, size);
        return 0;
    }
    const pw::Result<std::string> text = pw::decoded(std::string(bytes, size), fileName);
    if (!text)
        return 0;
    static_cast<void>(chosen->recognise(*text, fileName));
    if (const pw::Result<pw::Imported> found = chosen->import(*text, fileName, {}))
        use(*found);
    return 0;
}
