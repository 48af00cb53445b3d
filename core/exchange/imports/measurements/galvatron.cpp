// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/galvatron.h"

#include "core/base/text.h"
#include "core/exchange/imports/measurements/layer_profile.h"
#include "core/links/link_fit.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <regex>

namespace pw {

namespace {

constexpr double kMost = 1e12;
// Published sums are of means that were rounded and measured apart.
constexpr double kSumTolerance = 1e-6;

// The groups of a key, if all of it matches; numbers in it have at most 7 digits.
std::optional<std::vector<std::string>> parts(const std::string& key, const std::regex& form) {
    std::smatch match;
    if (key.size() > 100 || !std::regex_match(key, match, form))
        return std::nullopt;
    return std::vector<std::string>(match.begin() + 1, match.end());
}

int count(const std::string& digits) {
    return static_cast<int>(integerNumber(digits).value_or(0));
}

double positive(const JsonReader& value) {
    const double number = value.value().is_number() ? value.value().get<double>() : -1.0;
    if (number > 0.0 && number <= kMost)
        return number;
    value.fail("galvatron.number", value.where(),
               {"must be a number above 0 and at most {most}", {{"most", fmt::format("{:g}", kMost)}}});
    return 0.0;
}

// "computation_profiling_bf16_llama2-7b_all" holds precision and model.
struct Named {
    std::string precision, model;
};
Named named(const std::filesystem::path& path) {
    static const std::regex form("[a-z]+_profiling_([a-z0-9]+)_(.+?)(_all)?");
    const auto found = parts(path.stem().string(), form);
    return found ? Named{(*found)[0], (*found)[1]} : Named{};
}

struct Times {
    // (bsz, seq) -> ms; layer counts -> the same
    std::map<std::pair<int, int>, double> layer, other;
    std::map<int, std::map<std::pair<int, int>, double>> whole;
};

Times readTimes(const JsonReader& root) {
    static const std::regex whole("layernum\\[([0-9]{1,6})\\]_bsz([0-9]{1,6})_seq([0-9]{1,7})");
    static const std::regex part("layertype_(0|other)_bsz([0-9]{1,6})_seq([0-9]{1,7})");
    Times times;
    for (const auto& [key, value] : root.members()) {
        if (const auto of = parts(key, whole))
            times.whole[count((*of)[0])][{count((*of)[1]), count((*of)[2])}] = positive(value);
        else if (const auto at = parts(key, part))
            ((*at)[0] == "0" ? times.layer : times.other)[{count((*at)[1]), count((*at)[2])}] =
                positive(value);
        else
            value.fail("galvatron.key", value.where(),
                       "is no key of a computation profile; expected layernum[L]_bszB_seqS or "
                       "layertype_{0,other}_bszB_seqS");
    }
    return times;
}

// The totals of two depths must give what is stated for one layer and for the rest.
void checkSums(const JsonReader& root, const Times& times) {
    if (times.whole.size() < 2)
        return;
    const auto& [few, shallow] = *times.whole.begin();
    const auto& [many, deep] = *std::next(times.whole.begin());
    const auto differ = [](double a, double b) { return std::abs(a - b) > kSumTolerance * std::max(a, b); };
    for (const auto& [at, layer] : times.layer) {
        const auto low = shallow.find(at), high = deep.find(at);
        if (low == shallow.end() || high == deep.end())
            continue;
        const double samples = at.first;
        const double difference = (high->second - low->second) / (many - few) / samples;
        const std::string point = fmt::format("_bsz{}_seq{}", at.first, at.second);
        if (differ(difference, layer))
            root.fail("galvatron.sum", root.where("layertype_0" + point),
                      {"is {layer} ms; {few} and {many} layers differ by {difference} ms a layer",
                       {{"layer", layer}, {"few", few}, {"many", many}, {"difference", difference}}});
        const auto other = times.other.find(at);
        const double rest = low->second / samples - few * layer;
        if (other != times.other.end() && std::abs(rest - other->second) > kSumTolerance * low->second)
            root.fail("galvatron.sum", root.where("layertype_other" + point),
                      {"is {other} ms; {few} layers leave {rest} ms",
                       {{"other", other->second}, {"few", few}, {"rest", rest}}});
    }
}

std::vector<ProfileRow> timeRows(const Times& times, const ProfileRow& like) {
    std::vector<ProfileRow> rows;
    const auto add = [&](const std::string& op, int layer, std::pair<int, int> at, double milliseconds) {
        ProfileRow row = figureRow(like, op, layer);
        row.mbs = at.first;
        row.seq = at.second;
        row.forward = Seconds(milliseconds * 1e-3);
        rows.push_back(std::move(row));
    };
    for (const auto& [at, time] : times.layer)
        add("forward of a layer", 1, at, time * at.first);
    for (const auto& [at, time] : times.other)
        add("forward beside the layers", 0, at, time * at.first);
    for (const auto& [layers, points] : times.whole)
        for (const auto& [at, time] : points)
            add(fmt::format("forward of {} layers", layers), 1, at, time);
    return rows;
}

// One figure in MB of a memory profile.
void addMemory(std::vector<ProfileRow>& rows, const ProfileRow& like, const std::string& op,
               const std::string& shape, int layer, int tp, int mbs, int seq, double megabytes) {
    ProfileRow row = figureRow(like, op, layer);
    row.shape = shape;
    row.tp = std::max(1, tp);
    row.mbs = std::max(1, mbs);
    row.seq = seq;
    row.memory = Bytes(megabytes * kMebibyte);
    rows.push_back(std::move(row));
}

// {tp or "checkpoint": MB}
void addByTp(std::vector<ProfileRow>& rows, const ProfileRow& like, const JsonReader& table,
             const std::string& op, const std::string& shape, int layer, int seq) {
    for (const auto& [tp, value] : table.members()) {
        if (tp == "checkpoint")
            addMemory(rows, like, op + ", checkpointed", shape, layer, 1, 1, seq, positive(value));
        else if (const auto size = integerNumber(tp); size && *size >= 1 && *size <= 4096)
            addMemory(rows, like, op, shape, layer, static_cast<int>(*size), 1, seq, positive(value));
        else
            value.fail("galvatron.key", value.where(), "is no tensor-parallel size");
    }
}

struct MemoryCounts {
    std::size_t layouts = 0, checkpointed = 0, vocabulary = 0, layers = 0, others = 0;
};

MemoryCounts readMemory(const JsonReader& root, const ProfileRow& like, std::vector<ProfileRow>& rows) {
    static const std::regex layout("[0-9]{1,5}_([0-9]{1,4})_[0-9]{1,5}(_c)?(_vtp)?(_sp)?");
    static const std::regex figure(
        "layernum\\[([0-9]{1,6})\\]_bsz([0-9]{1,6})_seq([0-9]{1,7})_rank([0-9]{1,6})_(ms|act|act_peak)");
    static const std::regex layerType("layertype_([0-9]{1,3})(_sp)?");
    static const std::regex other("other_memory_pp_(off|on_first|on_last)(_sp)?");
    MemoryCounts found;
    for (const auto& [key, table] : root.members()) {
        if (const auto of = parts(key, layout)) {
            ++found.layouts;
            found.checkpointed += (*of)[1].empty() ? 0 : 1;
            found.vocabulary += (*of)[2].empty() ? 0 : 1;
            for (const auto& [name, value] : table.members()) {
                const auto at = parts(name, figure);
                if (!at) {
                    value.fail("galvatron.key", value.where(),
                               "is no figure; expected layernum[L]_bszB_seqS_rankR_{ms,act,act_peak}");
                    continue;
                }
                const char* what = (*at)[4] == "ms"    ? "model states"
                                   : (*at)[4] == "act" ? "activations"
                                                       : "peak of activations";
                addMemory(rows, like, fmt::format("{} of {} layers, rank {}", what, (*at)[0], (*at)[3]), key,
                          1, count((*of)[0]), count((*at)[1]), count((*at)[2]), positive(value));
            }
        } else if (parts(key, layerType)) {
            ++found.layers;
            for (const auto& [seq, value] : table.members()) {
                addMemory(rows, like, "parameters", key, 1, 1, 1, count(seq),
                          value.number("parameter_size", 0.0, kMost));
                addByTp(rows, like, value.object("tp_activation_per_bsz_dict"), "activations of a sample",
                        key, 1, count(seq));
            }
        } else if (parts(key, other)) {
            ++found.others;
            for (const auto& [seq, value] : table.members()) {
                addByTp(rows, like, value.object("model_states"), "model states", key, 0, count(seq));
                addByTp(rows, like, value.object("activation"), "activations", key, 0, count(seq));
            }
        } else {
            table.fail("galvatron.key", table.where(),
                       "is no layout <pp>_<tp>_<dp>, layer type or other memory of a memory profile");
        }
    }
    return found;
}

} // namespace

bool recogniseGalvatron(std::string_view text, const std::filesystem::path&) {
    const std::string_view head = text.substr(0, 4096);
    return head.find("layernum[") != std::string_view::npos ||
           head.find("\"layertype_0") != std::string_view::npos;
}

Result<Imported> importGalvatron(std::string_view text, const std::filesystem::path& path,
                                 const ImportHints& hints) {
    const std::string file = path.string();
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader root(*document, file);
    Imported imported;
    imported.kind = "galvatron";
    const Named name = named(path);
    ProfileRow like;
    like.model = measuredModel(hints, name.model);
    if (like.model.empty())
        return badInput("galvatron.name", file, "does not name its model; state the model");
    like.kind = measuredKind(hints, {}, file, imported.notes);
    if (const auto known = precisionFromName(name.precision); known && *known != Precision::Auto)
        like.precision = name.precision;
    like.source = "Galvatron " + path.stem().string();
    std::vector<ProfileRow> rows;
    const std::size_t keys = root.value().is_object() ? root.value().size() : 0;
    const bool memory =
        root.value().is_object() && !root.value().empty() && root.value().begin()->is_object();
    if (memory) {
        const MemoryCounts found = readMemory(root, like, rows);
        imported.summary =
            fmt::format("memory of {}: {} keys, {} layouts ({} checkpointed, {} with a vocabulary of its own "
                        "division), {} layer type, {} other memory; {} figures",
                        like.model, keys, found.layouts, found.checkpointed, found.vocabulary, found.layers,
                        found.others, rows.size());
    } else {
        const Times times = readTimes(root);
        if (root.status())
            checkSums(root, times);
        rows = timeRows(times, like);
        std::string depths;
        for (const auto& [layers, points] : times.whole)
            depths += (depths.empty() ? "" : " and ") + fmt::to_string(layers);
        imported.summary = fmt::format(
            "forward times of {} in {}: {} keys, {} layers, {} points of one layer", like.model,
            like.precision.empty() ? "unstated precision" : like.precision, keys, depths, times.layer.size());
    }
    if (rows.empty())
        root.fail("galvatron.empty", root.where(), "holds no figures");
    if (const Status read = root.status(); !read)
        return read.error();
    imported.notes.push_back(
        {Severity::Note, "galvatron.figures", file,
         memory ? "Memory is kept beside the layers and prices no plan"
                : "Only the forward pass is timed: the figures are kept beside the layers and "
                  "price no plan"});
    imported.what = std::move(rows);
    return imported;
}

bool recogniseGalvatronLinks(std::string_view text, const std::filesystem::path&) {
    const std::string_view head = text.substr(0, 4096);
    return head.find("\"allreduce_size_") != std::string_view::npos ||
           head.find("\"pp_size_") != std::string_view::npos ||
           head.find("\"overlap_coe\"") != std::string_view::npos;
}

Result<Imported> importGalvatronLinks(std::string_view text, const std::filesystem::path& path,
                                      const ImportHints&) {
    static const std::regex reduce("allreduce_size_([0-9]{1,6})_consec_([01])");
    static const std::regex send("pp_size_([0-9]{1,6})");
    static const std::regex time(
        "(allreduce|all2all)_size_([0-9]{1,6})(?:_consec_[01])?_([0-9]{1,6})(KB|MB)_time");
    const std::string file = path.string();
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader root(*document, file);
    Imported imported;
    imported.kind = "galvatron-links";
    std::vector<LinkMeasurement> links;
    std::map<std::pair<std::string, int>, LinkMeasurement> timed;
    std::string shown;
    for (const auto& [key, value] : root.members()) {
        LinkMeasurement link;
        link.source = fmt::format("Galvatron {}, {}", path.stem().string(), key);
        if (const auto of = parts(key, reduce)) {
            link.collective = "all_reduce";
            link.ranks = count((*of)[0]);
            link.statedMean = positive(value);
        } else if (const auto size = parts(key, send)) {
            link.collective = "sendrecv";
            link.ranks = count((*size)[0]);
            link.statedMean = positive(value);
        } else if (const auto at = parts(key, time)) {
            const std::string collective = (*at)[0] == "allreduce" ? "all_reduce" : "alltoall";
            LinkMeasurement& sampled = timed[{collective, count((*at)[1])}];
            sampled.collective = collective;
            sampled.ranks = count((*at)[1]);
            sampled.source = "Galvatron " + path.stem().string();
            const double unit = (*at)[3] == "MB" ? kMebibyte : 1024.0;
            sampled.outOfPlace.push_back({Bytes(count((*at)[2]) * unit), Seconds(positive(value) * 1e-3)});
            continue;
        } else if (key == "overlap_coe") {
            imported.notes.push_back(
                {Severity::Note,
                 "galvatron.overlap",
                 value.where(),
                 {"Computing beside a transfer takes {positive} times as long; this is not kept",
                  {{"positive", positive(value)}}}});
            continue;
        } else {
            value.fail("galvatron.key", value.where(),
                       "is no key of a hardware profile; expected allreduce_size_N_consec_{0,1}, pp_size_N, "
                       "allreduce_size_N_KMB_time or overlap_coe");
            continue;
        }
        shown += fmt::format("{}{} {} GB/s", shown.empty() ? "" : ", ", key, *link.statedMean);
        links.push_back(std::move(link));
    }
    for (auto& [key, link] : timed) {
        if (const auto factor = busFactor(link.collective, link.ranks))
            link.outOfPlaceFit = fitLink(link.outOfPlace, *factor);
        links.push_back(std::move(link));
    }
    for (const LinkMeasurement& link : links)
        if (link.ranks < 2)
            root.fail("galvatron.ranks", root.where(), "measures a transfer between fewer than two GPUs");
    if (links.empty() && root.status() && imported.notes.empty())
        root.fail("galvatron.empty", root.where(), "holds no figures");
    if (const Status read = root.status(); !read)
        return read.error();
    imported.summary = fmt::format("{} entries: {}", root.value().size(), shown);
    imported.what = std::move(links);
    return imported;
}

} // namespace pw
