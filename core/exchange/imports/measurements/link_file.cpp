// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/link_file.h"

#include "core/base/json.h"
#include "core/inventory/bus_id.h"
#include "core/links/link_check.h"
#include "core/links/link_fit.h"

#include <nlohmann/json.hpp>

#include <limits>

namespace pw {

namespace {

std::vector<LinkSample> samplesOf(const JsonReader& run, const char* key) {
    std::vector<LinkSample> samples;
    if (run.has(key))
        for (const JsonReader& s : run.array(key))
            samples.push_back({Bytes(s.number("bytes", 0.0, LinkLimits::bytes)),
                               Seconds(s.number("seconds", 0.0, LinkLimits::seconds))});
    return samples;
}

std::optional<LinkFit> lineOf(const JsonReader& run, const char* key) {
    if (!run.has(key))
        return std::nullopt;
    const JsonReader fit = run.object(key);
    return LinkFit{Seconds(fit.number("latency", 0.0, LinkLimits::seconds)),
                   BytesPerSecond(fit.number("algorithm_bandwidth", 0.0, LinkLimits::rate)),
                   BytesPerSecond(fit.number("bus_bandwidth", 0.0, LinkLimits::rate)),
                   fit.number("worst_error", 0.0, LinkLimits::rate)};
}

LinkMeasurement measurementOf(const JsonReader& run) {
    LinkMeasurement m;
    m.collective = run.text("collective");
    m.ranks = static_cast<int>(run.count("ranks", 1, LinkLimits::ranks));
    if (run.has("devices"))
        for (const JsonReader& d : run.array("devices"))
            m.devices.push_back({static_cast<int>(d.count("rank", 0, LinkLimits::ranks)), d.text("host", ""),
                                 d.text("name", ""), normalisedBusId(d.text("bus_id", "")),
                                 static_cast<int>(d.count("device", 0, LinkLimits::devices, 0))});
    m.outOfPlace = samplesOf(run, "out_of_place");
    m.inPlace = samplesOf(run, "in_place");
    m.outOfPlaceFit = lineOf(run, "out_of_place_fit");
    m.inPlaceFit = lineOf(run, "in_place_fit");
    if (run.has("stated_mean"))
        m.statedMean = run.number("stated_mean", 0.0, std::numeric_limits<double>::max());
    m.source = run.text("source");
    m.date = run.text("date", "");
    m.software = run.text("software", "");
    return m;
}

} // namespace

bool recogniseLinkFile(std::string_view text, const std::filesystem::path&) {
    return text.find(std::string("\"") + kLinksSchema + "\"") != std::string_view::npos &&
           text.find("\"measurements\"") != std::string_view::npos;
}

Result<Imported> importLinkFile(std::string_view text, const std::filesystem::path& path,
                                const ImportHints&) {
    const std::string file = path.string();
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader root(*document, file);
    if (const std::string schema = root.text("schema"); schema != kLinksSchema)
        root.fail(
            "links.schema", root.where("schema"),
            {"\"{schema}\"; expected \"{expected}\"", {{"schema", schema}, {"expected", kLinksSchema}}});
    std::vector<LinkMeasurement> links;
    for (const JsonReader& run : root.array("measurements")) {
        links.push_back(measurementOf(run));
        if (const auto problem = linkProblem(links.back()); root.status() && problem)
            run.fail("links.measurement", run.where(), *problem);
    }
    if (links.empty() && root.status())
        root.fail("links.empty", root.where("measurements"), "holds no measurement");
    if (Status sound = root.status(); !sound)
        return sound.error();
    Imported imported;
    imported.kind = "pipewright-links";
    imported.summary = describe(links);
    imported.notes = root.unread();
    imported.what = std::move(links);
    return imported;
}

} // namespace pw
