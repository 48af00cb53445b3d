// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sweep/composer.h"

#include <nlohmann/json.hpp>

#include <QtGlobal>

namespace pw::test {

inline const std::filesystem::path& samples() {
    static const std::filesystem::path folder = std::filesystem::path(PW_SOURCE_DIR) / "samples";
    return folder;
}

// A sweep over the 16 GPUs of samples/clusters/mixed-16.json, with these axes.
inline Json sweepJson(const std::vector<Json>& axes) {
    return {{"schema", kSweepSchema},
            {"name", "test"},
            {"base",
             {{"cluster", "clusters/mixed-16.json"},
              {"model", "models/gpt3-1.3b.json"},
              {"recipe", {{"gbs", 64}, {"seq", 2048}}},
              {"search", {{"planner", "megatron"}}}}},
            {"axes", axes}};
}

inline Json axis(const char* name, const char* of, Json values) {
    return {{"name", name}, {"of", of}, {"values", std::move(values)}};
}

inline Json countAxis(const char* name, const char* kind, Json values) {
    return {{"name", name}, {"of", "cluster.nodes"}, {"class", kind}, {"values", std::move(values)}};
}

// A document and all that it reads, as long as a test wants it.
struct ReadSweep {
    SweepDocument sweep;
    SweepInputs inputs;

    explicit ReadSweep(const Json& document) {
        Result<SweepDocument> read = readSweep(document.dump(), "sweep.json");
        if (!read)
            qFatal("%s", read.error().text().c_str());
        sweep = *std::move(read);
        Diagnostics notes;
        Result<SweepInputs> all = readSweepInputs(sweep, "sweep.json", samples(), notes);
        if (!all)
            qFatal("%s", all.error().text().c_str());
        inputs = *std::move(all);
    }
    Composer composer() const {
        Result<Composer> made = Composer::make(sweep, inputs, "sweep.json");
        if (!made)
            qFatal("%s", made.error().text().c_str());
        return *std::move(made);
    }
};

} // namespace pw::test
