// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/aceso.h"

#include "core/base/text.h"
#include "core/exchange/imports/measurements/layer_profile.h"
#include "core/formats/csv.h"
#include "core/links/link_fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace pw {

namespace {

constexpr const char* kEmbedding = "encoder-embedding";
constexpr const char* kLastNorm = "final-layernorm";
constexpr const char* kHead = "gpt-post-process";
constexpr std::array kBlockOps = {
    "enc-1st-layernorm",     "enc-attention-qkv",     "enc-attention-score", "enc-attention-softmax",
    "enc-attention-dropout", "enc-attention-context", "enc-attention-dense", "enc-post-attention-dropout",
    "enc-2nd-layernorm",     "enc-MLP-GEMM-1",        "enc-MLP-gelu",        "enc-MLP-GEMM-2",
    "enc-post-MLP-dropout"};
constexpr std::array kColumns = {"op_name",     "forward-compute", "backward-compute",
                                 "input_size",  "output_size",     "weights",
                                 "activations", "fwd_reserved",    "bwd_reserved"};

struct OpFigures {
    double forward = 0.0, backward = 0.0;    // s
    double weights = 0.0, activations = 0.0; // bytes
    void add(const OpFigures& o) {
        forward += o.forward;
        backward += o.backward;
        weights += o.weights;
        activations += o.activations;
    }
};

std::string_view firstLine(std::string_view text) {
    return trimmed(text.substr(0, text.find('\n')));
}

double cellNumber(const CsvCell& cell, const std::string& what, TextFaults& faults, bool mayBeZero = true) {
    const auto value = finiteNumber(trimmed(cell.text));
    if (value && (*value > 0.0 || (mayBeZero && *value == 0.0)))
        return *value;
    faults.add("aceso.number", faults.where(cell.line, cell.column),
               {mayBeZero ? "{what} is \"{found}\"; expected a number from 0"
                          : "{what} is \"{found}\"; expected a number above 0",
                {{"what", what}, {"found", trimmed(cell.text)}}});
    return 0.0;
}

// The operators by name, in the order of the file.
std::vector<std::pair<std::string, OpFigures>> readOps(const std::vector<CsvRecord>& records,
                                                       TextFaults& faults) {
    std::array<std::size_t, kColumns.size()> column{};
    const CsvRecord& head = records.front();
    for (std::size_t i = 0; i < kColumns.size(); ++i) {
        const auto at = std::find_if(head.begin(), head.end(),
                                     [&](const CsvCell& cell) { return trimmed(cell.text) == kColumns[i]; });
        if (at == head.end())
            faults.add("aceso.column", faults.where(head.front().line),
                       {"has no column \"{column}\"", {{"column", kColumns[i]}}});
        column[i] = static_cast<std::size_t>(at - head.begin());
    }
    std::vector<std::pair<std::string, OpFigures>> ops;
    if (!faults.empty())
        return ops;
    for (std::size_t r = 1; r < records.size(); ++r) {
        const CsvRecord& record = records[r];
        if (record.size() != head.size()) {
            faults.add("aceso.columns", faults.where(record.front().line),
                       {"has {found} columns; the head has {head}",
                        {{"found", record.size()}, {"head", head.size()}}});
            continue;
        }
        const std::string op(trimmed(record[column[0]].text));
        const auto number = [&](std::size_t i) {
            return cellNumber(record[column[i]], fmt::format("{} of {}", kColumns[i], op), faults);
        };
        for (std::size_t i : {3U, 4U, 7U, 8U})
            number(i);
        OpFigures figures;
        figures.forward = number(1) * 1e-6;
        figures.backward = number(2) * 1e-6;
        figures.weights = number(5) * kMebibyte;
        figures.activations = number(6) * kMebibyte;
        if (std::any_of(ops.begin(), ops.end(), [&](const auto& known) { return known.first == op; }))
            faults.add("aceso.twice", faults.where(record.front().line),
                       {"{op} is there twice", {{"op", op}}});
        ops.emplace_back(op, figures);
    }
    return ops;
}

std::string figuresText(const OpFigures& f) {
    return fmt::format("{:.3f} / {:.3f} us", f.forward * 1e6, f.backward * 1e6);
}

} // namespace

bool recogniseAcesoOps(std::string_view text, const std::filesystem::path&) {
    return text.starts_with("op_name,") && firstLine(text).find("forward-compute") != std::string_view::npos;
}

Result<Imported> importAcesoOps(std::string_view text, const std::filesystem::path& path,
                                const ImportHints& hints) {
    const std::string file = path.string(), name = path.stem().string();
    const int mbs = numberBehind(name, "mbs"), tp = numberBehind(name, "tp");
    const std::size_t modelEnd = name.find("_mbs");
    const auto records = parseCsv(text, file);
    if (!records)
        return records.error();
    TextFaults faults(file);
    if (records->empty())
        return badInput("aceso.empty", file, "is empty");
    const auto ops = readOps(*records, faults);
    const auto find = [&](const char* op) -> const OpFigures& {
        static const OpFigures none;
        for (const auto& [known, figures] : ops)
            if (known == op)
                return figures;
        if (faults.empty())
            faults.add("aceso.op", file, {"has no operator {op}", {{"op", op}}});
        return none;
    };
    OpFigures block;
    for (const char* op : kBlockOps)
        block.add(find(op));
    const OpFigures embedding = find(kEmbedding), norm = find(kLastNorm), last = find(kHead);
    if (Status sound = faults.status(); !sound)
        return sound.error();
    if (mbs == 0 || tp == 0 || modelEnd == 0 || modelEnd == std::string::npos)
        return badInput("aceso.name", file,
                        "says what was measured by its name alone; expected "
                        "<model>_<size>_mbs<b>_tp<t>_algo<a>.csv");
    OpFigures head = last;
    head.add(norm);

    Imported imported;
    imported.kind = "aceso";
    ProfileRow row;
    row.model = measuredModel(hints, name.substr(0, modelEnd));
    row.kind = measuredKind(hints, {}, file, imported.notes);
    row.tp = tp;
    row.mbs = mbs;
    const std::size_t algo = name.find("_algo");
    row.source = algo == std::string::npos ? "Aceso profile " + name.substr(0, modelEnd)
                                           : "Aceso profile " + name.substr(0, modelEnd) + name.substr(algo);
    std::vector<ProfileRow> rows;
    const int blocks = hints.model ? static_cast<int>(hints.model->blocks) : 1;
    const auto add = [&](const OpFigures& figures, int layer, const char* op) {
        ProfileRow one = row;
        one.layer = layer;
        one.op = op;
        one.forward = Seconds(figures.forward);
        one.backward = Seconds(figures.backward);
        one.memory = Bytes(figures.weights + figures.activations);
        rows.push_back(std::move(one));
    };
    add(embedding, 0, "");
    for (int layer = 1; layer <= blocks; ++layer)
        add(block, layer, "");
    add(head, blocks + 1, "");
    for (const auto& [op, figures] : ops)
        add(figures, op == kEmbedding ? 0 : op == kLastNorm || op == kHead ? blocks + 1 : 1, op.c_str());
    imported.summary = fmt::format("{} on {}, tp {}, micro-batch {}: {} operators; a layer {}, {:.3f} MB "
                                   "weights, {:.3f} MB activations; "
                                   "embedding {}; head {} and its norm {}",
                                   row.model, row.kind, tp, mbs, ops.size(), figuresText(block),
                                   block.weights / kMebibyte, block.activations / kMebibyte,
                                   figuresText(embedding), figuresText(last), figuresText(norm));
    imported.notes.push_back(
        {Severity::Note, "profile.unstated", file,
         hints.model
             ? "The file states neither precision nor sequence length: its rows match any"
             : "The file states neither precision nor sequence length nor the number of layers: its rows "
               "match any, and are those of one block; name the model for all of them"});
    imported.what = std::move(rows);
    return imported;
}

bool recogniseAcesoLinks(std::string_view text, const std::filesystem::path& path) {
    if (firstLine(text) == "data_size(MB),time(ms)")
        return true;
    return path.filename().string().starts_with("p2p_") && !text.empty() && text.front() >= '0' &&
           text.front() <= '9';
}

Result<Imported> importAcesoLinks(std::string_view text, const std::filesystem::path& path,
                                  const ImportHints&) {
    const std::string file = path.string(), name = path.stem().string();
    const auto records = parseCsv(text, file);
    if (!records)
        return records.error();
    TextFaults faults(file);
    LinkMeasurement link;
    link.source = "Aceso profile " + name;
    if (firstLine(text) == "data_size(MB),time(ms)") {
        for (const char* known : {"all_reduce", "all_gather", "reduce_scatter", "all_to_all"})
            if (name.find(fmt::format("_{}_", known)) != std::string::npos)
                link.collective = known == std::string_view("all_to_all") ? "alltoall" : known;
        const auto ranks = integerNumber(name.substr(name.rfind('_') + 1, name.size() - name.rfind('_') - 5));
        if (!name.ends_with("gpus") || !ranks || *ranks < 2 || *ranks > 131'072 || link.collective.empty())
            return badInput("aceso.name", file,
                            "says what was measured by its name alone; expected "
                            "prim_<model>_<size>_<collective>_<n>gpus.csv");
        link.ranks = static_cast<int>(*ranks);
        for (std::size_t r = 1; r < records->size(); ++r) {
            const CsvRecord& record = (*records)[r];
            if (record.size() != 2) {
                faults.add("aceso.columns", faults.where(record.front().line),
                           {"has {found} columns; expected a size and a time", {{"found", record.size()}}});
                continue;
            }
            link.outOfPlace.push_back({Bytes(cellNumber(record[0], "the size", faults, false) * kMebibyte),
                                       Seconds(cellNumber(record[1], "the time", faults, false) * 1e-3)});
        }
    } else {
        link.collective = "sendrecv";
        link.ranks = 2;
        if (records->size() != 2 || (*records)[0].size() != (*records)[1].size())
            return badInput(
                "aceso.p2p", file,
                records->size() != 2
                    ? Wording("has {rows} rows; expected one of sizes and one of GB/s",
                              {{"rows", records->size()}})
                    : Wording("has {sizes} sizes and {bandwidths} bandwidths",
                              {{"sizes", (*records)[0].size()}, {"bandwidths", (*records)[1].size()}}));
        for (std::size_t i = 0; i < (*records)[0].size(); ++i) {
            const double size = cellNumber((*records)[0][i], "the size", faults, false) * kMebibyte;
            const double rate = cellNumber((*records)[1][i], "the bandwidth", faults, false) * 1e9;
            link.outOfPlace.push_back({Bytes(size), Seconds(rate > 0.0 ? size / rate : 0.0)});
        }
    }
    if (Status sound = faults.status(); !sound)
        return sound.error();
    if (link.outOfPlace.empty())
        return badInput("aceso.empty", file, "has no rows");
    std::sort(link.outOfPlace.begin(), link.outOfPlace.end(),
              [](const LinkSample& a, const LinkSample& b) { return a.size.value < b.size.value; });
    if (const auto factor = busFactor(link.collective, link.ranks))
        link.outOfPlaceFit = fitLink(link.outOfPlace, *factor);
    Imported imported;
    imported.kind = "aceso-links";
    const LinkSample &first = link.outOfPlace.front(), &last = link.outOfPlace.back();
    imported.summary =
        fmt::format("{} of {} GPUs: {} sizes from {:g} MB in {:.3f} ms to {:g} MB in {:.3f} ms",
                    link.collective, link.ranks, link.outOfPlace.size(), first.size.value / kMebibyte,
                    first.time.value * 1e3, last.size.value / kMebibyte, last.time.value * 1e3);
    imported.what = std::vector<LinkMeasurement>{std::move(link)};
    return imported;
}

} // namespace pw
