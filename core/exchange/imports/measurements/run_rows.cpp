// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/run_passes.h"

#include "core/base/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

// Layer times out of the passes of stages. A pass is of all layers of its stage, so that only this follows
// from it: the time of a block, where a stage holds whole blocks (or as many halves of either kind) and
// nothing else; and, once that is known, of an embedding or a head that stands beside such blocks on the same
// kind of device. Nothing is divided by what was predicted.

namespace pw {

namespace {

// What rows of one point have in common.
struct PointKey {
    std::string kind;
    int tp = 1, mbs = 1;
    auto operator<=>(const PointKey&) const = default;
};

struct HeldLayers {
    int attention = 0, mlp = 0;
    bool embedding = false, head = false;
    bool blocksAlone() const { return !embedding && !head && attention == mlp && attention > 0; }
};

struct TimedStage {
    const Stage* stage = nullptr;
    HeldLayers held;
    double forward = 0.0, backward = 0.0; // backward with the gradients of weights, without recompute
};

HeldLayers layersHeld(const Stage& stage, int fineLayers) {
    HeldLayers held;
    for (const LayerRange& chunk : stage.chunks)
        for (int layer = chunk.first; layer <= chunk.last; ++layer)
            if (layer == 0)
                held.embedding = true;
            else if (layer == fineLayers - 1)
                held.head = true;
            else
                ++(layer % 2 == 1 ? held.attention : held.mlp);
    return held;
}

bool blocksAlike(const Model& m) {
    const auto same = [](const std::vector<std::int64_t>& list) {
        return std::all_of(list.begin(), list.end(), [&](std::int64_t w) { return w == list.front(); });
    };
    return same(m.window) && m.experts.denseBlocks.empty() && m.others.empty();
}

// A rank's passes add up over the chunks of its stage.
std::map<PointKey, std::vector<TimedStage>> timedStages(const RunRecord& run, Diagnostics& notes) {
    const Problem& problem = *run.problem;
    const auto layers = static_cast<int>(problem.layers().size());
    std::map<std::pair<int, int>, std::map<RunOpKind, double>> passes;
    for (const StageOps& ops : stageOps(run))
        passes[{ops.pipeline, ops.stage}][ops.kind] = ops.middle().value;
    std::map<PointKey, std::vector<TimedStage>> found;
    for (auto& [at, seconds] : passes) {
        const Pipeline& pipeline = run.plan->pipelines[static_cast<std::size_t>(at.first)];
        const Stage& stage = pipeline.stages[static_cast<std::size_t>(at.second)];
        const std::string where = fmt::format("stage {}.{}", at.first, at.second);
        const Replica& first = stage.replicas.front();
        const auto unlike = [&](const Replica& r) {
            return r.share != first.share || problem.topology().kindOf(r.devices.front()).name !=
                                                 problem.topology().kindOf(first.devices.front()).name;
        };
        const HeldLayers held = layersHeld(stage, layers);
        const int whole = std::min(held.attention, held.mlp);
        const bool partly =
            stage.recompute == Recompute::Full && stage.recomputeLayers > 0 && stage.recomputeLayers < whole;
        if (std::any_of(stage.replicas.begin(), stage.replicas.end(), unlike) || partly ||
            stage.recompute == Recompute::Selective) {
            notes.push_back({Severity::Note, "run.stage", where,
                             "gives no layer times: its replicas differ, or it recomputes a part"});
            continue;
        }
        const auto chunks = static_cast<double>(pipeline.schedule.chunks);
        TimedStage timed{&stage, held, chunks * seconds[RunOpKind::Forward],
                         chunks * (seconds[RunOpKind::Backward] + seconds[RunOpKind::WeightGrad])};
        if (stage.recompute == Recompute::Full)
            timed.backward -= timed.forward;
        const auto mbs =
            static_cast<int>(std::llround(first.share * static_cast<double>(pipeline.microbatchSize)));
        found[{problem.topology().kindOf(first.devices.front()).name, stage.tp, mbs}].push_back(timed);
    }
    return found;
}

class RunRows {
public:
    RunRows(const RunRecord& run, const ImportHints& hints) : m_run(run) {
        m_row.model = hints.model != nullptr ? hints.model->name : run.problem->model().name;
        if (run.tiny)
            m_row.model += " (tiny)";
        m_row.seq = run.tiny ? 0 : run.problem->recipe().seq;
        m_row.precision = run.tiny ? "fp32" : name(run.precision.value_or(run.problem->precision()));
        m_row.source = fmt::format("runner, {}", run.standing());
        m_row.software = run.software;
    }

    std::vector<ProfileRow> take(Diagnostics& notes) {
        for (auto& [key, stages] : timedStages(m_run, notes))
            add(key, stages, notes);
        return std::move(m_rows);
    }

private:
    void add(const PointKey& key, const std::vector<TimedStage>& stages, Diagnostics& notes) {
        // A kind that was acted out is none that a cluster has: nothing real is priced by it.
        m_row.kind = key.kind + (m_run.emulated ? " (emulated)" : m_run.onCpus ? " (CPU)" : "");
        m_row.tp = key.tp;
        m_row.mbs = key.mbs;
        double forward = 0.0, backward = 0.0;
        int blocks = 0;
        for (const TimedStage& s : stages)
            if (s.held.blocksAlone()) {
                forward += s.forward;
                backward += s.backward;
                blocks += s.held.attention;
            }
        const std::string where = fmt::format("{} tp {} micro-batch {}", key.kind, key.tp, key.mbs);
        if (blocks == 0) {
            notes.push_back({Severity::Note, "run.blocks", where,
                             "gives no layer times: no stage holds whole blocks and nothing else"});
            return;
        }
        const Seconds f(forward / blocks), b(std::max(0.0, backward / blocks));
        addBlocks(stages, f, b);
        const auto last = static_cast<int>(m_run.problem->model().blocks) + 1;
        for (const TimedStage& s : stages)
            if (s.held.embedding != s.held.head && s.held.attention == s.held.mlp) {
                const double n = s.held.attention;
                const double ownF = s.forward - n * f.value, ownB = s.backward - n * b.value;
                if (ownF > 0.0 && ownB >= 0.0)
                    push(s.held.head ? last : 0, Seconds(ownF), Seconds(ownB));
            }
    }

    void addBlocks(const std::vector<TimedStage>& stages, Seconds f, Seconds b) {
        std::vector<bool> ran(static_cast<std::size_t>(m_run.problem->model().blocks),
                              blocksAlike(m_run.problem->model()));
        for (const TimedStage& s : stages)
            for (const LayerRange& chunk : s.stage->chunks)
                for (int layer = chunk.first; s.held.blocksAlone() && layer <= chunk.last; ++layer)
                    ran[static_cast<std::size_t>((layer - 1) / 2)] = true;
        for (std::size_t block = 0; block < ran.size(); ++block)
            if (ran[block])
                push(static_cast<int>(block) + 1, f, b);
    }

    void push(int layer, Seconds forward, Seconds backward) {
        m_row.layer = layer;
        m_row.forward = forward;
        m_row.backward = backward;
        m_rows.push_back(m_row);
    }

    const RunRecord& m_run;
    ProfileRow m_row; // what the rows to come have in common
    std::vector<ProfileRow> m_rows;
};

} // namespace

bool recogniseRun(std::string_view text, const std::filesystem::path&) {
    return text.find("\"pipewright-run-1\"") != std::string_view::npos;
}

Result<Imported> importRun(std::string_view text, const std::filesystem::path& path,
                           const ImportHints& hints) {
    const Result<RunRecord> run = readRunRecord(text, path.string());
    if (!run)
        return run.error();
    if (!run->plan)
        return badInput(
            "run.document", path.string(),
            "does not hold the plan that ran, which says what its passes are of; run it again with this "
            "version's runner");
    if (Status sound = checkRun(*run, *run->problem, *run->plan); !sound)
        return sound.error();
    Imported result;
    result.kind = "run";
    std::vector<ProfileRow> rows = RunRows(*run, hints).take(result.notes);
    if (rows.empty())
        return badInput("run.layers", path.string(),
                        "gives no layer times: no stage holds whole blocks and nothing else");
    if (!run->isMeasured())
        result.notes.push_back(
            {Severity::Warning,
             "run.emulated_rows",
             path.string(),
             {"is {standing}: its rows stand under names of their own and price no plan of the "
              "real {what}",
              {{"standing", run->standing()},
               {"what", run->emulated || run->onCpus ? "devices" : "model"}}}});
    result.summary =
        fmt::format("{} layer times of {} ({})", rows.size(), rows.front().model, run->standing());
    result.what = std::move(rows);
    return result;
}

} // namespace pw
