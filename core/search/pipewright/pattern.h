// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"
#include "core/search/space/stage_line.h"

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace pw {

// Which devices stand where, without the layers: one option a stage, last stage first.
using Pattern = std::vector<int>; // indices into ChainSpace::options()

// What the stages of a space's patterns may be.
class PatternOptions {
public:
    PatternOptions(const ChainSpace& space, int threads);

    const ChainSpace& space() const { return m_space; }
    // The options that patterns are made of: one that may recompute any share of its blocks stands for those
    // that recompute none or all.
    const std::vector<int>& list() const { return m_list; }
    // Of an option of the list.
    const StageLine& lineOf(int option, bool embedding, bool head) const {
        return m_lines[static_cast<std::size_t>(option)][(embedding ? 1U : 0U) + (head ? 2U : 0U)];
    }
    // The option of the same devices that recomputes nothing.
    int plainOf(int option) const { return m_plain[static_cast<std::size_t>(option)]; }
    // Whether the stages find their devices, and no class is entered twice: but, where that is asked for, the
    // last stages' by the first ones.
    enum class Return { Never, ToTheEnds };
    bool placeable(const Pattern& pattern, Return back = Return::Never) const;
    // The option of the list that stands for one of the space; -1: none.
    int listed(int option) const;
    // Of a chain; stages that the list has nothing for are left out.
    Pattern patternOf(const Chain& chain) const;

private:
    const ChainSpace& m_space;
    std::vector<int> m_list;
    std::vector<int> m_plain;                      // by option
    std::vector<std::array<StageLine, 4>> m_lines; // [option][embedding + 2 * head]
};

// For a given pattern the best layers follow from a programme over (stage, blocks placed), whose label is the
// launch-count bound with what a stage idles:
//
//     V' = max(B t + max(0, D - (L - 1) f) + max(0, D - (L - 1) b), B (t + D) / L, t + 2c + V, t + (B - 1) c
//     + D), W' = max(V' + tail, f + c + W),
//
// D the way to the stages behind and back, on the best of the layers so far, L the micro-batches in flight
// that memory has room for: with few, the stage waits for its first gradient and again after its last forward
// pass (of a single micro-batch both are one wait), or for each of them (Little's law). A slow boundary
// carries B activations, one after the other. W is when the last of these stages has summed its gradients,
// those of a tied embedding with them, and stepped. A 16-stage pipeline of 126 blocks takes some 50 us, so
// large clusters are searched over patterns, of which symmetry leaves few: nodes of a class are counted, not
// named.
class PatternProgramme {
public:
    explicit PatternProgramme(const PatternOptions& options) : m_options(options), m_space(options.space()) {}

    // Micro-batches in flight that memory is kept for: those that hide slow links by either rule, or one more
    // a stage.
    enum class Reserve { Ceil, Artifact, One };
    struct Layers {
        Chain chain;
        double value = 0.0; // s: about what the iteration takes
    };
    // `deadline`: about what the iteration takes, which the launch counts depend on. Nothing if no layers fit
    // or none come to `cutoff` or less.
    std::optional<Layers> best(const Pattern& pattern, Reserve reserve, double deadline,
                               double cutoff = std::numeric_limits<double>::infinity());

    // A stage that holds so many blocks.
    struct Held {
        int blocks = 0;
        double microbatches = 0.0, send = 0.0, time = 0.0, busy = 0.0, forward = 0.0, tail = 0.0;
        double held = 0.0;                     // micro-batches in flight beside one
        double mostValue = 0.0, mostEnd = 0.0; // what labels are kept up to
    };

private:
    struct Place {
        const StageLine* line = nullptr;
        double send = 0.0, inFlight = 1.0;
        int position = 0;
        int most(const StageLine& of, int blocks) const; // of these that memory holds
    };
    // Where a stage that holds `lead` leading blocks and so many more may begin, at the front of a pipeline
    // or with so many stages ahead: [from, to], empty if nowhere.
    struct Begin {
        int from = 0, to = -1;
    };
    Begin begin(int lead, int more, int ahead) const;
    // The stage with as few of its blocks recomputed as memory allows.
    ChainStage stageAt(std::size_t place, int option, int first, int blocks) const;
    bool place(const Pattern& pattern, Reserve reserve, double deadline);
    // By blocks placed; of the best layers of so many.
    struct Labels {
        std::vector<double> value, path, end, rank; // V', a micro-batch's way there and back, W', the key
        void clear(std::size_t size);
    };
    // The stage in front of `from` to before `to` blocks placed.
    void extend(const Held& stage, int from, int to, std::vector<std::int64_t>& taken);
    const PatternOptions& m_options;
    const ChainSpace& m_space;
    std::vector<Place> m_places;
    double m_tied = 0.0;           // s: exchange of a tied embedding between the ends
    std::vector<double> m_inFront; // s, by blocks placed: what those that are not take at least
    Labels m_now, m_next;          // behind the stage, and with it
    std::vector<std::vector<std::int64_t>> m_taken; // [stage][blocks placed]: of these by this stage
};

} // namespace pw
