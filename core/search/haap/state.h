// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/haap/option_index.h"
#include "core/search/run.h"
#include "core/search/space/stage_line.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace pw {

// A candidate: a chain under one micro-batch size.
struct HaapConfig {
    std::size_t space = 0; // index into SearchRun::spaces()
    Chain chain;
    bool operator==(const HaapConfig&) const = default;
};

// What one stage costs where it stands.
struct StageWeights {
    double time = 0.0, backward = 0.0;    // s, of a micro-batch
    double sync = 0.0, optimizer = 0.0;   // s, at the end
    double fixedMemory = 0.0, kept = 0.0; // bytes; kept: of a micro-batch in flight
    bool operator==(const StageWeights&) const = default;
};

// A candidate with its costs. The time is the closed form
//
//     sum (t + 2 c) + (B - 1) max(t, c) + exposed gradient sync + optimiser step,
//
// by which the search goes; what it finds is judged by simulation.
struct HaapState {
    HaapConfig config;
    std::vector<StageWeights> stages; // last stage first, as the chain is
    std::vector<double> sends;        // s, behind stage i + 1 of the chain
    double time = 0.0;                // s
    double overflow = 0.0;            // sum over stages of what they lack, in shares of their memory
    int bottleneck = 0;               // the stage that lacks most memory, else the slowest one
    bool fits() const { return overflow <= 0.0; }
};
bool better(const HaapState& a, const HaapState& b); // fits more, or as well and faster

// The costs of candidates, with the caches of state: unit costs by operator and configuration (CostTable), a
// stage that was costed before, and, between a candidate and the one that it was made from, everything that
// did not change. Sums and maxima over the stages are always taken anew, in one order, so that every answer
// is the same to the last bit with and without.
class HaapCosts {
public:
    HaapCosts(SearchRun& run, bool cached);

    HaapState state(HaapConfig config, const HaapState* parent = nullptr);
    // The same from lines through the stages' costs (stage_line.h), for starts that are not costed yet.
    struct Prediction {
        double time = 0.0, overflow = 0.0;
    };
    Prediction predict(const HaapConfig& config);
    const StageLine& line(std::size_t space, int option, bool embedding, bool head);

    SearchRun& run() { return m_run; }
    const ChainSpace& space(std::size_t s) const { return *m_run.spaces()[s]; }
    const OptionIndex& index(std::size_t s) const { return *m_indexes[s]; }
    std::size_t spaces() const { return m_indexes.size(); }
    // Micro-batches in flight that a stage needs memory for: the least of any schedule.
    int held(std::size_t space, std::size_t fromEnd) const;

private:
    StageWeights weights(std::size_t space, const ChainStage& stage);
    StageWeights fresh(std::size_t space, const ChainStage& stage);
    struct StageKey {
        std::uint64_t a = 0, b = 0;
        bool operator==(const StageKey&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const StageKey& k) const {
            return static_cast<std::size_t>(k.a * 0x9E3779B97F4A7C15ULL ^ (k.b + (k.a >> 29U)));
        }
    };

    SearchRun& m_run;
    bool m_cached;
    std::vector<std::unique_ptr<OptionIndex>> m_indexes;
    std::vector<std::vector<std::unique_ptr<StageLine>>> m_lines; // [space][4 * option + edges]
    std::unordered_map<StageKey, StageWeights, KeyHash> m_stages;
};

} // namespace pw
