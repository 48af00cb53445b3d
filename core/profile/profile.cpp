// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/profile/date.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <tuple>

namespace pw {

namespace {

constexpr double kLongest = 1e6;     // seconds that one layer may take
constexpr double kMostMemory = 1e15; // bytes of one layer on a device
constexpr int kMostLayers = 1'000'000;
constexpr int kMostTp = 4096;
constexpr int kMostMbs = 1'000'000;

std::string catalogueName(std::string_view kind) {
    const DeviceKind* known = Catalogue::builtin().find(kind);
    return known ? known->name : std::string(kind);
}

auto curve(const ProfileRow& r) { // the rows between which the micro-batch may be interpolated
    return std::tie(r.kind, r.layer, r.tp);
}

auto point(const ProfileRow& r) {
    return std::tie(r.kind, r.layer, r.tp, r.mbs, r.precision, r.seq);
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// Which of several sources counts for a point: the greatest.
auto preference(const ProfileRow& r) {
    return std::tuple(r.confidence, sortableDate(r.date), std::string_view(r.source));
}

// 0 for a row that states exactly what is asked, more the more it leaves unstated, -1 for one that states
// otherwise.
int looseness(const ProfileRow& r, std::string_view precision, std::int64_t seq) {
    if ((!r.precision.empty() && r.precision != precision) || (r.seq != 0 && r.seq != seq))
        return -1;
    return (r.precision.empty() ? 2 : 0) + (r.seq == 0 ? 1 : 0);
}

// What counts of a model's name: letters in lower case and digits, a dot between two numbers.
std::string modelKey(std::string_view name) {
    std::string key;
    bool separated = false;
    for (char c : name) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
        if (!isDigit(c) && !(c >= 'a' && c <= 'z')) {
            separated = true;
            continue;
        }
        if (separated && isDigit(c) && !key.empty() && isDigit(key.back()))
            key += '.';
        key += c;
        separated = false;
    }
    if (key.starts_with("hf"))
        key.erase(0, 2);
    if (key.ends_with("config"))
        key.erase(key.size() - 6);
    if (key.size() > 1 && key.back() == 'b' && isDigit(key[key.size() - 2]))
        key.pop_back();
    return key;
}

Seconds between(Seconds low, Seconds high, double share) {
    return low + (high - low) * share;
}

} // namespace

const char* name(Provenance p) {
    switch (p) {
    case Provenance::Measured:
        return "measured";
    case Provenance::Interpolated:
        return "interpolated";
    case Provenance::Fitted:
        return "fitted";
    case Provenance::Estimated:
        return "estimated";
    }
    return "";
}

bool sameModelName(std::string_view a, std::string_view b) {
    const std::string key = modelKey(a);
    return a == b || (!key.empty() && key == modelKey(b));
}

std::vector<std::string> adoptRows(std::vector<ProfileRow>& rows, const std::string& model) {
    std::set<std::string> changed;
    if (std::any_of(rows.begin(), rows.end(), [&](const ProfileRow& r) { return r.model == model; }))
        return {};
    for (ProfileRow& row : rows)
        if (sameModelName(row.model, model)) {
            changed.insert(row.model);
            row.model = model;
        }
    return {changed.begin(), changed.end()};
}

ProfileTable::ProfileTable(std::vector<ProfileRow> rows) : m_rows(std::move(rows)) {
    std::erase_if(m_rows, [](const ProfileRow& r) { return !r.op.empty(); });
    for (ProfileRow& r : m_rows)
        r.kind = catalogueName(r.kind);
    const auto of = [](const ProfileRow& r) { return std::tuple_cat(point(r), std::tie(r.source)); };
    std::stable_sort(m_rows.begin(), m_rows.end(),
                     [&](const ProfileRow& a, const ProfileRow& b) { return of(a) < of(b); });
    const auto again = [&](const ProfileRow& a, const ProfileRow& b) { return of(a) == of(b); };
    const auto kept =
        std::unique(m_rows.rbegin(), m_rows.rend(), again); // from behind, so the last one stays
    m_rows.erase(m_rows.begin(), kept.base());
    std::stable_sort(m_rows.begin(), m_rows.end(), [](const ProfileRow& a, const ProfileRow& b) {
        return std::tuple_cat(point(a), preference(a)) < std::tuple_cat(point(b), preference(b));
    });
}

std::span<const ProfileRow> ProfileTable::of(std::string_view kind, int layer) const {
    const std::string canonical = catalogueName(kind);
    const auto key = [](const ProfileRow& r) { return std::tie(r.kind, r.layer); };
    const auto wanted = std::tie(canonical, layer);
    const auto begin = std::partition_point(m_rows.begin(), m_rows.end(),
                                            [&](const ProfileRow& r) { return key(r) < wanted; });
    const auto end =
        std::partition_point(begin, m_rows.end(), [&](const ProfileRow& r) { return key(r) == wanted; });
    return {begin, end};
}

std::optional<TimedCost> ProfileTable::find(std::string_view kind, int layer, int tp, int mbs,
                                            Precision precision, std::int64_t seq,
                                            std::span<const std::string> without) const {
    if (m_rows.empty())
        return std::nullopt;
    const std::string canonical = catalogueName(kind);
    const auto wanted = std::tie(canonical, layer, tp);
    const auto begin = std::partition_point(m_rows.begin(), m_rows.end(),
                                            [&](const ProfileRow& r) { return curve(r) < wanted; });
    // The nearest point on either side; of several rows for one point the one that states most.
    const ProfileRow *below = nullptr, *above = nullptr;
    const auto takenOver = [&](const ProfileRow& a, const ProfileRow& b) { // `a` stands behind `b`
        return looseness(a, name(precision), seq) <= looseness(b, name(precision), seq);
    };
    for (auto r = begin; r != m_rows.end() && curve(*r) == wanted; ++r) {
        if (looseness(*r, name(precision), seq) < 0 || std::ranges::find(without, r->source) != without.end())
            continue;
        if (r->mbs <= mbs && (!below || r->mbs > below->mbs || takenOver(*r, *below)))
            below = &*r;
        if (r->mbs >= mbs && (!above || (r->mbs == above->mbs && takenOver(*r, *above))))
            above = &*r;
    }
    if (!below || !above)
        return std::nullopt;
    if (below->mbs == above->mbs)
        return TimedCost{below->forward, below->backward, below->update, Provenance::Measured};
    const double share = static_cast<double>(mbs - below->mbs) / static_cast<double>(above->mbs - below->mbs);
    return TimedCost{between(below->forward, above->forward, share),
                     between(below->backward, above->backward, share),
                     between(below->update, above->update, share), Provenance::Interpolated};
}

std::string rowProblem(const ProfileRow& row) {
    const auto time = [](Seconds s) { return s.value >= 0.0 && s.value <= kLongest; };
    if (row.model.empty() || row.kind.empty())
        return "names no model or no device kind";
    for (const std::string* text :
         {&row.model, &row.kind, &row.op, &row.shape, &row.source, &row.licence, &row.date, &row.software})
        if (!isWellFormed(*text))
            return "has a text that is not UTF-8";
        else if (!isPrintable(*text, kInText)) // a table of rows is shown as it is
            return "has a text with a control character";
    if (row.layer < 0 || row.layer > kMostLayers || row.tp < 1 || row.tp > kMostTp || row.mbs < 1 ||
        row.mbs > kMostMbs || row.seq < 0)
        return "has a layer, a tensor-parallel size, a micro-batch or a length out of range";
    if (!time(row.forward) || !time(row.backward) || !time(row.update))
        return fmt::format("has a time that is none from 0 to {:g} s", kLongest);
    if (!(row.memory.value >= 0.0 && row.memory.value <= kMostMemory))
        return fmt::format("has a memory that is none from 0 to {:g} bytes", kMostMemory);
    if (!(row.confidence >= 0.0 && row.confidence <= 1.0))
        return "has a confidence outside 0 to 1";
    if (const auto known = precisionFromName(row.precision);
        !row.precision.empty() && (!known || *known == Precision::Auto))
        return fmt::format("has the unknown precision \"{}\"", row.precision);
    return {};
}

Result<ProfileRow> profileRowFromJson(const JsonReader& reader) {
    ProfileRow r;
    r.model = reader.text("model");
    r.kind = reader.text("kind");
    r.layer = static_cast<int>(reader.count("layer", 0, kMostLayers));
    r.tp = static_cast<int>(reader.count("tp", 1, kMostTp));
    r.mbs = static_cast<int>(reader.count("mbs", 1, kMostMbs));
    r.seq = reader.count("seq", 0, std::int64_t{1} << 40, 0);
    r.precision = reader.text("precision", "");
    if (const auto known = precisionFromName(r.precision);
        !r.precision.empty() && (!known || *known == Precision::Auto))
        reader.fail("profile.precision", reader.where("precision"),
                    "must be fp32, tf32, fp16, bf16 or fp8, or be left out");
    r.forward = Seconds(reader.number("forward_s", 0.0, kLongest));
    r.backward = Seconds(reader.number("backward_s", 0.0, kLongest));
    r.update = Seconds(reader.number("update_s", 0.0, kLongest, 0.0));
    r.memory = Bytes(reader.withUnit("memory", parseBytes, 0.0));
    if (!(r.memory.value >= 0.0 && r.memory.value <= kMostMemory))
        reader.fail("json.range", reader.where("memory"),
                    {"is none from 0 to {high} bytes", {{"high", kMostMemory}}});
    r.source = reader.text("source", "");
    r.licence = reader.text("licence", "");
    r.date = reader.text("date", "");
    r.op = reader.text("op", "");
    r.shape = reader.text("shape", "");
    r.software = reader.text("software", "");
    r.confidence = reader.number("confidence", 0.0, 1.0, 0.0);
    if (const std::string problem = reader.status() ? rowProblem(r) : std::string(); !problem.empty())
        reader.fail("profile.row", reader.where(), {"{problem}", {{"problem", problem}}});
    if (Status s = reader.status(); !s)
        return s.error();
    return r;
}

Json toJson(const ProfileRow& r) {
    Json json = {{"model", r.model},
                 {"kind", r.kind},
                 {"layer", r.layer},
                 {"tp", r.tp},
                 {"mbs", r.mbs},
                 {"seq", r.seq},
                 {"precision", r.precision},
                 {"forward_s", r.forward.value},
                 {"backward_s", r.backward.value},
                 {"update_s", r.update.value},
                 {"memory", r.memory.value},
                 {"source", r.source},
                 {"licence", r.licence},
                 {"date", r.date}};
    // Only where stated: problems without them keep their hash.
    for (const auto& [key, text] : {std::pair{"op", &r.op}, {"shape", &r.shape}, {"software", &r.software}})
        if (!text->empty())
            json[key] = *text;
    if (r.confidence > 0.0)
        json["confidence"] = r.confidence;
    return json;
}

} // namespace pw
