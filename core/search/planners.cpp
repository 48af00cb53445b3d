// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/planners.h"

#include "core/base/units.h"
#include "core/plan/stage_partition.h"
#include "core/search/baselines/alpa.h"
#include "core/search/baselines/hyperpipe.h"
#include "core/search/baselines/megatron.h"
#include "core/search/baselines/metis.h"
#include "core/search/behind.h"
#include "core/search/exhaustive/enumerate.h"
#include "core/search/haap/haap.h"
#include "core/search/harp/harp.h"
#include "core/search/pipewright/pipewright.h"
#include "core/search/pipewright/wider_search.h"
#include "core/search/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>

namespace pw {
namespace {

// The default planner: on a Space with wider axes another search stands around it.
SearchOutcome runDefault(const Problem& problem, const SearchOptions& options, SearchObserver& observer,
                         const std::stop_token& stop) {
    const bool wider = problem.space().wider.any();
    return wider ? runWider(problem, options, observer, stop)
                 : runPipewright(problem, options, observer, stop);
}

} // namespace

const std::vector<PlannerRow>& plannerTable() {
    static const std::vector<PlannerRow> table = {
        {"pipewright",
         "Pipewright",
         "own design",
         "The best plan that it can find, and a proof of how good it is",
         pipewrightWork,
         "800 per GPU squared, from 1,000,000 to 2,500,000; where a gap of over 2 % is left, the other "
         "planners' on top",
         runDefault,
         nullptr,
         {"partition"},
         true},
        {"haap",
         "AutoHAAP-style",
         "reconstruction",
         "Aceso's search with starts that memory suffices for and cached costs; after AutoHAAP (HPCA 2026), "
         "reconstructed from its abstract, without its estimator, which brought nothing here",
         haapWork,
         "200 per GPU squared, from 100,000 to 1,000,000",
         runHaap,
         nullptr,
         {"init", "cache", "partition", "bound"}},
        {"harp",
         "HARP",
         "published, extended",
         "The published dynamic programme of HARP (EuroSys 2026) over a chain of sub-clusters, with H-1F1B's "
         "launch counts. This project's: gradient sums, step and tied ends in its objective, every order of "
         "sub-clusters, two layers a block in place of three, a further run that may leave devices out, and "
         "simulation, which decides",
         harpWork,
         "20,000,000",
         runHarp,
         nullptr,
         {"fast-networks", "fine-layers", "h1f1b", "partition"}},
        {"hyperpipe",
         "HyperPipe-style",
         "reconstruction",
         "Data, pipeline and tensor parallelism chosen from what the devices can do; after HyperPipe (CSCWD "
         "2025), reconstructed from its abstract",
         hyperPipeWork,
         "10,000,000",
         runHyperPipe,
         nullptr,
         {"partition"}},
        {"megatron", "Megatron-LM grid", "reconstruction",
         "Every uniform grid of equal stages over all GPUs and over each set of device kinds, 1F1B and "
         "interleaved; common practice, reconstructed",
         megatronWork, "10,000,000", runMegatron, nullptr},
        {"alpa", "Alpa-style", "reconstruction",
         "The published inter-operator programme of Alpa (arXiv 2201.12023) on this program's costs. It "
         "knows "
         "one kind of device: on mixed clusters each class of nodes by itself, and all GPUs as if each were "
         "the slowest",
         alpaWork, "40,000,000", runAlpa, nullptr},
        {"metis", "Metis-like", "reconstruction",
         "Power-of-two groups over every order of device kinds, layers and batch shares balanced by time; "
         "after Metis (ATC 2024), which is published, its details reconstructed",
         metisWork, "4,000,000", runMetis, nullptr},
        {"aceso",
         "Aceso-style",
         "reconstruction",
         "The published multi-hop search of Aceso (EuroSys 2024) from balanced starts, primitives in fixed "
         "order; haap without its two parts, stages whole",
         haapWork,
         "200 per GPU squared, from 100,000 to 1,000,000",
         runAceso,
         nullptr,
         {"partition", "bound"}},
        {"exhaustive",
         "Exhaustive",
         "ground truth",
         "Every plan of the Space; for a handful of GPUs and layers",
         exhaustiveWork,
         "50,000,000",
         runExhaustive,
         tooLargeToEnumerate,
         {"partition"},
         true},
    };
    return table;
}

namespace {

// The progress of a search that follows another one: its work on top, the other's best plan and bound. How
// much there will be is not known.
class WithBestBefore : public ProgressBehind {
public:
    WithBestBefore(SearchObserver& to, const SearchOutcome& before)
        : ProgressBehind(to, 0), m_before(before) {
        ended(before);
    }
    void progress(const SearchProgress& now) override {
        SearchProgress all = together(now);
        const Seconds best = m_before.plans.front().evaluation.iteration;
        all.best = now.best.value > 0.0 ? std::min(now.best, best) : best;
        all.bound = m_before.covered ? m_before.bound.value : Seconds(0.0);
        m_to.progress(all);
    }

private:
    const SearchOutcome& m_before; // with a plan
};

// No trainer runs partitions: the best without is searched by itself and put with the others, whose plans
// without one are only what was tried before. It may be the best of all where work ended the search.
void addUnpartitioned(const Problem& problem, const PlannerRow& planner, SearchOptions options,
                      SearchObserver& observer, const std::stop_token& stop, SearchOutcome& outcome) {
    if (outcome.plans.empty() || outcome.timeLimit || stop.stop_requested() ||
        (outcome.status == SearchStatus::Optimal && !hasPartition(outcome.plans.front().plan)))
        return;
    if (options.timeLimit > 0.0)
        options.timeLimit = std::max(options.timeLimit - outcome.wall, 1e-3);
    const std::size_t most = outcome.plans.size();
    options.top = 1;
    WithBestBefore behind(observer, outcome);
    Space space = problem.space();
    space.partitions = false;
    constexpr const char* kPlain = "without partitions";
    InPhase searching(options.trace, kPlain, *options.clock);
    const SearchOutcome plain = planner.run(*problem.withSpace(std::move(space)), options, behind, stop);
    if (Phase* figures = searching.figures()) {
        const Seconds before = outcome.plans.front().evaluation.iteration;
        *figures = phaseOf(plain, kPlain);
        figures->before = before;
        figures->after = figures->after.value > 0.0 ? std::min(figures->after, before) : before;
    }
    outcome.work += plain.work;
    outcome.evaluated += plain.evaluated;
    outcome.wall += plain.wall;
    if (plain.plans.empty())
        return;
    const auto behindPlain = [&](FoundPlan found) {
        found.foundBy = fmt::format("{} / {}", kPlain, found.foundBy);
        return found;
    };
    std::erase_if(outcome.plans,
                  [&](const FoundPlan& found) { return found.plan == plain.plans.front().plan; });
    const auto at = std::find_if(outcome.plans.begin(), outcome.plans.end(), [&](const FoundPlan& found) {
        return plain.plans.front().evaluation.iteration < found.evaluation.iteration;
    });
    const auto number = at - outcome.plans.begin() + 1;
    outcome.plans.insert(at, behindPlain(plain.plans.front()));
    const bool partitioned = hasPartition(outcome.plans.front().plan);
    if (!partitioned)
        outcome.plans.resize(std::min(outcome.plans.size(), most), outcome.plans.front());
    std::ranges::transform(plain.differing, std::back_inserter(outcome.differing), behindPlain);
    markDifferences(problem, outcome.plans, outcome.differing);
    if (!partitioned)
        return;
    outcome.notes.push_back(
        {Severity::Note,
         "search.partitions",
         "search",
         {"No trainer runs tensor partitions today; plan {number} is the best that was found without them",
          {{"number", number}}}});
}

std::string beginText(const Problem& problem, const SearchOptions& options) {
    return fmt::format("{} searches the problem {}, {} candidates, seed {}", options.planner, problem.hash(),
                       options.work > 0 ? fmt::format("{}", options.work) : "its own number of",
                       options.seed);
}

std::string resultText(const SearchOutcome& outcome) {
    const std::string best =
        outcome.plans.empty()
            ? "no plan"
            : fmt::format("best {}, found by {}", formatDuration(outcome.plans.front().evaluation.iteration),
                          outcome.plans.front().foundBy);
    return fmt::format("{} ended: {} after {:.3f} s, {} candidates, {} plans simulated, {}", outcome.planner,
                       endText(outcome), outcome.wall, outcome.work, outcome.evaluated, best);
}

} // namespace

Result<SearchOutcome> search(const std::shared_ptr<const Problem>& problem, const SearchOptions& options,
                             SearchObserver& observer, std::stop_token stop) {
    for (const PlannerRow& planner : plannerTable())
        if (options.planner == planner.name) {
            const bool partitions =
                (options.partitions || problem->space().partitions) && options.uses("partition");
            Space space = problem->space();
            space.partitions = partitions;
            space.fineCuts = space.fineCuts || options.fineCuts;
            if (options.wider.any())
                space.wider = options.wider;
            if (!planner.wider)
                space.wider = {};
            const auto asked = space == problem->space() ? problem : problem->withSpace(std::move(space));
            SearchOptions own = options; // parts that the planner does not have cannot be left out
            std::erase_if(own.without, [&](const std::string& part) {
                return std::find(planner.parts.begin(), planner.parts.end(), part) == planner.parts.end();
            });
            std::optional<PhaseRecorder> recorder;
            if (options.trace) {
                own.trace = &recorder.emplace(options.trace);
                options.trace->happened(LogLevel::Info, beginText(*problem, own));
            }
            SearchOutcome outcome = planner.run(*asked, own, observer, stop);
            if (partitions)
                addUnpartitioned(*problem, planner, own, observer, stop, outcome);
            outcome.without = own.without;
            if (recorder) {
                outcome.phases = recorder->take();
                recorder->happened(LogLevel::Info, resultText(outcome));
            }
            return outcome;
        }
    return badInput("search.planner", "planner",
                    {"\"{planner}\" is not a planner", {{"planner", options.planner}}});
}

std::optional<Error> refusalOf(const SearchOutcome& outcome) {
    if (!outcome.plans.empty())
        return std::nullopt;
    if (outcome.status == SearchStatus::Infeasible && outcome.rejected.contains(Rejection::TiedEndsApart))
        return infeasible(
            "search.ends_apart", "",
            "no plan of this space can run: where the GPUs suffice, no links join the first stage "
            "with the last one, which share an embedding",
            outcome.reasons);
    if (outcome.status == SearchStatus::Infeasible)
        return infeasible("search.infeasible", "", "no plan of this space can run", outcome.reasons);
    const bool budget = outcome.status == SearchStatus::Budget;
    Error error = stopped(budget ? "search.budget" : "search.stopped",
                          outcome.timeLimit ? "the time limit ended before a plan was found"
                          : budget          ? "the budget ended before a plan was found"
                                            : "stopped before a plan was found");
    for (const Wording& reason : outcome.reasons)
        error.because(reason);
    return error;
}

} // namespace pw
