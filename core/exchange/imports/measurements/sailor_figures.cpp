// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/sailor_figures.h"

#include "core/base/text.h"
#include "core/exchange/imports/measurements/layer_profile.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace pw {

namespace {

constexpr double kMostFigure = 1e18;
constexpr std::array kSizes = {"params", "act_output", "act_input", "act_mem"};

int keyNumber(const std::string& key, const JsonReader& at, int low, int high, const char* what) {
    const auto number = integerNumber(key);
    if (number && *number >= low && *number <= high && fmt::to_string(*number) == key)
        return static_cast<int>(*number);
    at.fail("sailor.key", at.where(),
            {"is no {what} ({low} to {high})", {{"what", what}, {"low", low}, {"high", high}}});
    return low;
}

double finite(const JsonReader& value, double low) {
    const double number = value.value().is_number() ? value.value().get<double>() : low - 1.0;
    if (!(number >= low && number <= kMostFigure))
        value.fail("sailor.number", value.where(),
                   {"must be a number from {low} to {high}",
                    {{"low", fmt::format("{:g}", low)}, {"high", fmt::format("{:g}", kMostFigure)}}});
    return number;
}

// [[c2, c1, c0], most]
std::optional<SailorLink> readLink(const JsonReader& value) {
    const std::vector<JsonReader> pair = value.items();
    const std::vector<JsonReader> coefficients =
        pair.size() == 2 ? pair[0].items() : std::vector<JsonReader>();
    if (coefficients.size() != 3) {
        value.fail("sailor.link", value.where(),
                   "must be [[c2, c1, c0], highest bandwidth in bytes a second]");
        return std::nullopt;
    }
    SailorLink link{finite(coefficients[0], -1e6), finite(coefficients[1], -1e6),
                    finite(coefficients[2], -1e6), finite(pair[1], 1.0)};
    return link;
}

} // namespace

double SailorLink::fitted(double bytes) const {
    const double x = std::log2(bytes / 1e6);
    return (c2 * x * x + c1 * x + c0) * 1e9;
}

double SailorLink::bandwidth(double bytes) const {
    return std::min(fitted(bytes), most);
}

bool recogniseSailorModel(std::string_view text, const std::filesystem::path&) {
    return text.substr(0, 4096).find("\"act_mem_floats\"") != std::string_view::npos;
}

Result<Imported> importSailorModel(std::string_view text, const std::filesystem::path& path,
                                   const ImportHints& hints) {
    const std::string file = path.string();
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader root(*document, file);
    Imported imported;
    imported.kind = "sailor-model";
    std::vector<ProfileRow> rows;
    for (const auto& [model, sizes] : root.members())
        for (const auto& [tpKey, layers] : sizes.members()) {
            const int tp = keyNumber(tpKey, layers, 1, 4096, "tensor-parallel size");
            std::vector<bool> seen(layers.value().size());
            double parameters = 0.0;
            for (const auto& [key, figures] : layers.members()) {
                const int layer = keyNumber(key, figures, 0, 20'000, "layer");
                if (static_cast<std::size_t>(layer) < seen.size())
                    seen[static_cast<std::size_t>(layer)] = true;
                ProfileRow like;
                like.model = measuredModel(hints, model);
                like.kind = kUnstatedKind;
                like.tp = tp;
                like.source = "Sailor sizes of " + model;
                for (const char* size : kSizes)
                    for (const char* unit : {"floats", "bytes"}) {
                        const std::string op = fmt::format("{}_{}", size, unit);
                        rows.push_back(figureRow(like, op, layer));
                        rows.back().memory = Bytes(figures.number(op, 0.0, kMostFigure));
                    }
                parameters += rows[rows.size() - 2 * kSizes.size()].memory.value;
            }
            if (std::find(seen.begin(), seen.end(), false) != seen.end())
                layers.fail("sailor.layers", layers.where(),
                            {"has {seen} layers that are not numbered from 0 on", {{"seen", seen.size()}}});
            imported.summary +=
                fmt::format("{}{} tp {}: {} layers, {:.0f} parameters a rank",
                            imported.summary.empty() ? "" : "; ", model, tp, seen.size(), parameters);
        }
    if (rows.empty() && root.status())
        root.fail("sailor.empty", root.where(), "holds no layers");
    if (Status s = root.status(); !s)
        return s.error();
    imported.notes.push_back(
        {Severity::Note, "sailor.sizes", file,
         "Sizes are kept beside the layers, a count of floats as if it were bytes; they price "
         "no plan"});
    imported.what = std::move(rows);
    return imported;
}

bool recogniseSailorLinks(std::string_view text, const std::filesystem::path& path) {
    std::string packed; // without blanks
    for (const char c : text.substr(0, 1024))
        if (c > ' ')
            packed += c;
    const std::string name = path.filename().string();
    return packed.starts_with("{\"inter\":{") ||
           ((name.starts_with("intra_node") || name.starts_with("network_coeffs")) &&
            packed.find(":[[") != std::string::npos);
}

Result<Imported> importSailorLinks(std::string_view text, const std::filesystem::path& path,
                                   const ImportHints&) {
    constexpr int kSmallest = 0, kLargest = 10; // powers of two of MB
    const std::string file = path.string();
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader root(*document, file);
    const bool between = root.has("inter");
    Imported imported;
    imported.kind = "sailor-links";
    std::vector<LinkMeasurement> links;
    for (const auto& [gpu, counts] : (between ? root.object("inter") : root).members())
        for (const auto& [key, value] : counts.members()) {
            const int gpus = keyNumber(key, value, 1, 4096, "number of GPUs");
            const auto fit = readLink(value);
            if (!fit)
                continue;
            LinkMeasurement link;
            link.collective = "sendrecv";
            link.ranks = 2;
            link.source = fmt::format("Sailor fit, {} {} {} GPUs",
                                      between ? "between nodes of" : "inside a node of", gpus, gpu);
            for (int power = kSmallest; power <= kLargest; ++power) {
                const double bytes = std::exp2(power) * 1e6;
                if (const double rate = fit->bandwidth(bytes); rate > 0.0)
                    link.outOfPlace.push_back({Bytes(bytes), Seconds(bytes / rate)});
            }
            if (link.outOfPlace.empty())
                value.fail("sailor.link", value.where(),
                           "is a fit without a bandwidth above 0 from 1 MB to 1 GB");
            imported.summary += fmt::format("{}{} x {} {:.4f} GB/s at 64 MB, at most {:.6g} B/s",
                                            imported.summary.empty() ? "" : "; ", gpus, gpu,
                                            fit->fitted(64e6) / 1e9, fit->most);
            if (fit->fitted(64e6) > fit->most)
                imported.notes.push_back(
                    {Severity::Note, "sailor.clamped", value.where(),
                     "The fit exceeds the highest measured bandwidth; that one is taken"});
            links.push_back(std::move(link));
        }
    if (links.empty() && root.status())
        root.fail("sailor.empty", root.where(), "holds no links");
    if (Status s = root.status(); !s)
        return s.error();
    imported.notes.push_back({Severity::Note, "sailor.fit", file,
                              "The times are those of the file's own fit at powers of two of MB, not single "
                              "measurements"});
    imported.what = std::move(links);
    return imported;
}

} // namespace pw
