// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/base/quantity.h"
#include "core/cluster/cluster.h"

#include <span>
#include <string>
#include <vector>

namespace pw {

// Where a figure came from, best first. A sum takes the worst of its parts; `measured_share` weighs by time.
enum class Provenance { Measured, Interpolated, Fitted, Estimated };
const char* name(Provenance p);

// One measured point: a layer of one model on one device kind at one tensor-parallel size and micro-batch
// (sequences per replica). `layer` counts as profilers do: 0 embedding, 1..blocks the transformer blocks,
// blocks + 1 the head. Times include tensor-parallel communication. Memory 0 = not measured.
struct ProfileRow {
    std::string model;
    std::string kind; // catalogue name
    int layer = 0;
    int tp = 1;
    int mbs = 1;
    std::int64_t seq = 0;  // 0 = unstated: matches any and is marked
    std::string precision; // "" = unstated: matches any and is marked
    Seconds forward, backward, update;
    Bytes memory{0};
    std::string source; // file or publication
    std::string licence;
    std::string date;
    std::string op;          // an operator inside the layer; "" = the whole layer, which alone prices a plan
    std::string shape;       // of the operator, as its profiler writes it; "" = unstated
    std::string software;    // versions it was measured with; "" = unstated
    double confidence = 0.0; // in [0, 1] as the source states it, 0 = unstated: decides between sources
    bool operator==(const ProfileRow&) const = default;
};

struct TimedCost {
    Seconds forward, backward, update;
    Provenance provenance = Provenance::Estimated;
};

// Rows of one model as a lookup table. Interpolates linearly in the micro-batch between two measured points
// of the same (kind, layer, tp); never beyond them, never across tp.
//
// Several sources may have measured one point. All are kept, and each point is taken from one of them, since
// an average over different software is nobody's time: from the row that states most of precision and
// sequence length, of these from the one with the highest confidence, then the latest date, then the last
// source in alphabetical order. A source that measured a point twice counts with its last row.
class ProfileTable {
public:
    ProfileTable() = default;
    explicit ProfileTable(std::vector<ProfileRow> rows); // rows of single operators are left out
    bool empty() const { return m_rows.empty(); }
    // Sorted by (kind, layer, tp, mbs), of one point the one that is taken last.
    const std::vector<ProfileRow>& rows() const { return m_rows; }
    // Measured or interpolated, or nothing. `precision` is the plan's resolved one; rows of the sources named
    // in `without` are passed over.
    std::optional<TimedCost> find(std::string_view kind, int layer, int tp, int mbs, Precision precision,
                                  std::int64_t seq, std::span<const std::string> without = {}) const;
    // All rows of a layer on a kind.
    std::span<const ProfileRow> of(std::string_view kind, int layer) const;

private:
    std::vector<ProfileRow> m_rows;
};

// Whether two names are taken for one model's, since profilers and model files spell them differently: case,
// separators, a leading "hf", a trailing "config" and the "b" behind a size do not count. Numbers stay apart:
// "llama3-8b" is not "llama-38b". "hf_gpt_neo_2.7b_config" and "GPT-Neo-2.7" are one.
bool sameModelName(std::string_view a, std::string_view b);

// Gives rows of the same model the name `model`, unless some have just that name. Returns the names changed,
// sorted.
std::vector<std::string> adoptRows(std::vector<ProfileRow>& rows, const std::string& model);

// What is wrong with a row, whoever made it; empty if nothing.
std::string rowProblem(const ProfileRow& row);

Result<ProfileRow> profileRowFromJson(const JsonReader& reader);
Json toJson(const ProfileRow& row);

} // namespace pw
