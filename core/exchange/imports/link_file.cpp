// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/link_file.h"

#include "core/base/json.h"
#include "core/base/units.h"
#include "core/exchange/imports/link_apply.h"
#include "core/exchange/imports/link_fit.h"
#include "core/inventory/bus_id.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace pw {

namespace {

constexpr int kMostRanks = 131'072;
constexpr int kMostDevices = 1023;  // number of a GPU in its host
constexpr double kMostBytes = 1e18; // of a message
constexpr double kLongest = 1e6;    // seconds that it may take
constexpr double kMostRate = 1e18;  // bytes/s

std::vector<LinkSample> samplesOf(const JsonReader& run, const char* key) {
    std::vector<LinkSample> samples;
    if (run.has(key))
        for (const JsonReader& s : run.array(key))
            samples.push_back(
                {Bytes(s.number("bytes", 0.0, kMostBytes)), Seconds(s.number("seconds", 0.0, kLongest))});
    return samples;
}

std::optional<LinkFit> lineOf(const JsonReader& run, const char* key) {
    if (!run.has(key))
        return std::nullopt;
    const JsonReader fit = run.object(key);
    return LinkFit{Seconds(fit.number("latency", 0.0, kLongest)),
                   BytesPerSecond(fit.number("algorithm_bandwidth", 0.0, kMostRate)),
                   BytesPerSecond(fit.number("bus_bandwidth", 0.0, kMostRate)),
                   fit.number("worst_error", 0.0, kMostRate)};
}

LinkMeasurement measurementOf(const JsonReader& run) {
    LinkMeasurement m;
    m.collective = run.text("collective");
    m.ranks = static_cast<int>(run.count("ranks", 1, kMostRanks));
    if (run.has("devices"))
        for (const JsonReader& d : run.array("devices"))
            m.devices.push_back({static_cast<int>(d.count("rank", 0, kMostRanks)), d.text("host", ""),
                                 d.text("name", ""), normalisedBusId(d.text("bus_id", "")),
                                 static_cast<int>(d.count("device", 0, kMostDevices, 0))});
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

bool between(double value, double low, double high) {
    return value >= low && value <= high; // false for NaN
}

} // namespace

std::string linkProblem(const LinkMeasurement& m) {
    if (m.source.empty() || m.collective.empty())
        return "names no source or no collective";
    if (m.ranks < 1 || m.ranks > kMostRanks)
        return fmt::format("has {} ranks; expected 1 to {}", m.ranks, kMostRanks);
    for (const auto* samples : {&m.outOfPlace, &m.inPlace})
        for (const LinkSample& s : *samples)
            if (!between(s.size.value, 0.0, kMostBytes) || !(s.time.value > 0.0) ||
                !between(s.time.value, 0.0, kLongest))
                return fmt::format("has a sample of {:g} bytes in {:g} s", s.size.value, s.time.value);
    for (const auto& fit : {m.outOfPlaceFit, m.inPlaceFit})
        if (fit && (!between(fit->latency.value, 0.0, kLongest) || !(fit->algorithm.value > 0.0) ||
                    !between(fit->algorithm.value, 0.0, kMostRate) ||
                    !between(fit->bus.value, 0.0, kMostRate) || !between(fit->worst, 0.0, kMostRate)))
            return "has a fit out of range";
    return {};
}

std::string describe(const std::vector<LinkMeasurement>& measurements) {
    std::string text;
    for (const LinkMeasurement& m : measurements) {
        const LinkFit* fit = fitOf(m);
        text += fmt::format("{}{} over {} ranks, {} samples{}", text.empty() ? "" : "; ", m.collective,
                            m.ranks, m.outOfPlace.size() + m.inPlace.size(),
                            fit != nullptr ? fmt::format(": {} and {} of bus bandwidth, within {:.1f} %",
                                                         formatDuration(fit->latency),
                                                         formatByteRate(fit->bus), 100 * fit->worst)
                                           : ", too few sizes to fit");
    }
    return text;
}

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
        root.fail("links.schema", root.where("schema"),
                  fmt::format("\"{}\"; expected \"{}\"", schema, kLinksSchema));
    std::vector<LinkMeasurement> links;
    for (const JsonReader& run : root.array("measurements")) {
        links.push_back(measurementOf(run));
        if (const std::string problem = linkProblem(links.back()); root.status() && !problem.empty())
            run.fail("links.measurement", run.where(), problem);
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
