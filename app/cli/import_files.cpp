// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/import_files.h"

#include "app/cli/inputs.h"
#include "app/cli/parse.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/exchange/imports/import_table.h"
#include "core/exchange/imports/measurements/profile_file.h"
#include "core/formats/source.h"
#include "core/links/link_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace pw::cli {

namespace {

std::string knownKinds() {
    std::string text;
    for (const ImporterRow& row : importerTable())
        text += (text.empty() ? "" : ", ") + std::string(row.kind);
    return text;
}

bool isKind(const std::string& word) {
    return std::any_of(importerTable().begin(), importerTable().end(),
                       [&](const ImporterRow& row) { return word == row.kind; });
}

// "a100=A100-80,v100=V100-16" or one kind for all, under an empty name. Kinds are the catalogue's or `own`.
Result<std::map<std::string, std::string>> devicesOf(const std::string& text,
                                                     const std::vector<DeviceKind>& own) {
    std::map<std::string, std::string> devices;
    if (text.empty())
        return devices;
    const Result<std::vector<std::string>> entries = parseList("--device", text);
    if (!entries)
        return entries.error();
    for (const std::string& entry : *entries) {
        const std::size_t equals = entry.rfind('=');
        const std::string which = equals == std::string::npos ? "" : entry.substr(0, equals);
        const std::string kind = equals == std::string::npos ? entry : entry.substr(equals + 1);
        const bool known = Catalogue::builtin().find(kind) != nullptr ||
                           std::any_of(own.begin(), own.end(), [&](const DeviceKind& k) {
                               return k.name == kind || k.shortName == kind;
                           });
        if (!known)
            return badInput("usage", "--device",
                            {"\"{kind}\" is no device kind of the catalogue or of --cluster; expected "
                             "KIND or NAME=KIND",
                             {{"kind", kind}}});
        devices[which] = kind;
    }
    return devices;
}

template <class Q>
Status takeQuantity(const char* flag, const std::string& text, Result<double> (*parse)(std::string_view),
                    std::optional<Q>& value) {
    if (text.empty())
        return Ok{};
    const Result<double> number = parse(text);
    if (!number)
        return badInput("usage", flag, number.error());
    value = Q(*number);
    return Ok{};
}

Status takeNumber(const char* flag, const std::string& text, std::int64_t most, int& value) {
    std::int64_t count = value;
    const Status taken = takeCount(flag, text, most, count);
    value = static_cast<int>(count);
    return taken;
}

} // namespace

void ImportFlags::addTo(CLI::App& sub) {
    sub.add_option("[KIND] FILE", arguments,
                   "files, after one of: " + knownKinds() + " (without: by content)")
        ->required();
    problem.addTo(sub);
    sub.add_option("--model-name", modelName, "the measured model's name, where no model is at hand")
        ->type_name("NAME");
    sub.add_option("--device", device,
                   "the device kind, where the files do not say: KIND, or NAME=KIND,... by what they call it")
        ->type_name("KIND");
    sub.add_option("--vocabulary", vocabulary,
                   "tokens of the vocabulary, where a trainer's arguments leave it to their tokenizer")
        ->type_name("N");
    sub.add_option("--ranks", ranks,
                   "ranks that took part in timed collectives, where the file does not list them")
        ->type_name("N");
    sub.add_option("--collective", collective, "the timed collective, where the file does not name it")
        ->type_name("NAME");
}

void ImportFlags::addAnswersTo(CLI::App& sub) {
    const auto add = [&sub](const char* flag, std::string& value, const char* type, const char* help) {
        sub.add_option(flag, value, help)->type_name(type)->group("Machines: what their files leave open");
    };
    add("--gpus", gpus, "N", "GPUs of every host for which no file counts them");
    add("--memory", memory, "SIZE", "memory of a GPU, as in 80GiB: tells kinds of one name apart");
    add("--bandwidth", bandwidth, "RATE", "a host's way into the network, as in 200Gbit/s or 8x200Gbit/s");
    add("--trunk", trunk, "RATE", "between switches (else as much as lies below each)");
    add("--latency", latency, "TIME", "of a cable, as in 5us");
    add("--medium", medium, "NAME", "of the network, as in InfiniBand or RoCE (else Ethernet)");
    sub.add_option("--to", to,
                   "nodes, or links, of --cluster that timed collectives are put on (else those they fit)")
        ->type_name("ID,...");
}

bool ImportFlags::answersAnything() const {
    for (const std::string* flag : {&device, &memory, &gpus, &bandwidth, &trunk, &latency, &medium})
        if (!flag->empty())
            return true;
    return false;
}

Result<ClusterAnswers> ImportFlags::answers() const {
    ClusterAnswers given;
    Result<std::map<std::string, std::string>> devices = devicesOf(device, {});
    if (!devices)
        return devices.error();
    given.devices = *std::move(devices);
    int count = 0;
    std::string rate = bandwidth;
    if (const std::size_t times = bandwidth.find('x'); times != std::string::npos) {
        if (Status s = takeNumber("--bandwidth", std::string(trimmed(bandwidth.substr(0, times))), 1024,
                                  given.lanes);
            !s)
            return s.error();
        rate = bandwidth.substr(times + 1);
    }
    for (const Status& taken : {takeQuantity("--bandwidth", rate, parseBandwidth, given.bandwidth),
                                takeQuantity("--trunk", trunk, parseBandwidth, given.trunk),
                                takeQuantity("--memory", memory, parseBytes, given.memory),
                                takeQuantity("--latency", latency, parseDuration, given.latency),
                                takeNumber("--gpus", gpus, 1024, count)})
        if (!taken)
            return taken.error();
    if (count > 0)
        given.gpus = count;
    given.medium = medium;
    return given;
}

Json ImportedFiles::document() const {
    Json messages = Json::array();
    for (const Diagnostic& d : all.notes)
        messages.push_back(
            {{"code", d.code}, {"where", d.where}, {"message", d.message}, {"severity", name(d.severity)}});
    Json list = Json::array();
    for (std::size_t i = 0; i < files.size(); ++i)
        list.push_back({{"file", files[i]}, {"kind", kinds[i]}, {"summary", summaries[i]}});
    Json document = {{"imported", std::move(list)},
                     {"notes", std::move(messages)},
                     {"rows", rows() != nullptr ? rows()->size() : 0}};
    if (const Model* m = model()) {
        document["model"] = toJson(*m);
        document["parameters"] = parameterCount(*m);
    }
    if (const Inventory* inventory = std::get_if<Inventory>(&all.what))
        document["inventory"] = toJson(*inventory);
    if (const auto* links = std::get_if<std::vector<LinkMeasurement>>(&all.what)) {
        document["links"] = Json::array();
        for (const LinkMeasurement& m : *links)
            document["links"].push_back(toJson(m));
    }
    return document;
}

std::string ImportedFiles::text() const {
    std::string text;
    for (std::size_t i = 0; i < files.size(); ++i)
        text += fmt::format("{} ({}): {}\n", files[i], kinds[i], summaries[i]);
    for (const Diagnostic& d : all.notes)
        text += fmt::format("{}: {}: {}\n", name(d.severity), d.where, d.message);
    return text;
}

Result<ImportedFiles> importFiles(const Session& session, const ImportFlags& flags, bool parkProfiles) {
    std::vector<std::string> files = flags.arguments;
    std::string kind;
    std::error_code ignored;
    if (isKind(files.front()) && (files.size() > 1 || !std::filesystem::exists(files.front(), ignored))) {
        kind = files.front();
        files.erase(files.begin());
    }
    if (files.empty())
        return usage({"import {kind}: which file?", {{"kind", kind}}});
    if (kind.empty() && files.size() > 1 && !std::filesystem::exists(files.front(), ignored))
        return usage({"\"{text}\" is no file and none of {known}",
                      {{"text", files.front()}, {"known", knownKinds()}}});

    std::optional<Model> model;
    if (!flags.problem.model().empty() || !session.project.empty()) {
        Result<Model> read = readModel(session, flags.problem.model());
        if (!read)
            return read.error();
        model = *std::move(read);
    }
    std::vector<DeviceKind> ownKinds;
    if (!flags.device.empty() && flags.problem.onMachines(session)) {
        const Result<Cluster> cluster = flags.problem.cluster(session);
        if (!cluster)
            return cluster.error();
        ownKinds = cluster->kinds;
    }
    Result<std::map<std::string, std::string>> devices = devicesOf(flags.device, ownKinds);
    if (!devices)
        return devices.error();
    ImportHints hints{.model = model ? &*model : nullptr,
                      .modelName = flags.modelName,
                      .deviceKind = (*devices)[""],
                      .deviceNames = *devices,
                      .collective = flags.collective};
    if (Status s = takeNumber("--ranks", flags.ranks, 131'072, hints.ranks); !s)
        return s.error();
    if (Status s = takeCount("--vocabulary", flags.vocabulary, ModelLimits::vocab, hints.vocabulary); !s)
        return s.error();
    ImportedFiles all;
    std::vector<Imported> parts;
    hints.stop = session.stop;
    for (const std::string& file : files) {
        if (parkProfiles && (kind.empty() || kind == kProfileFileKind)) {
            const Result<std::string> head = readHead(file);
            if (!head)
                return head.error();
            if (recogniseProfileFile(*head, file)) {
                all.parked.push_back(file);
                continue;
            }
        }
        Result<Imported> one = importFile(file, kind, hints);
        if (!one)
            return one.error();
        all.kinds.push_back(one->kind);
        all.files.push_back(file);
        all.summaries.push_back(one->summary);
        parts.push_back(*std::move(one));
    }
    if (parts.empty()) { // all parked
        all.all.what = std::vector<ProfileRow>();
        return all;
    }
    Result<Imported> joined = joinImported(std::move(parts), all.files);
    if (!joined)
        return joined.error();
    all.all = *std::move(joined);
    return all;
}

} // namespace pw::cli
