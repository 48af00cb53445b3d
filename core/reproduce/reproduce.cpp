// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/reproduce.h"

#include "core/accuracy/published_runs.h"
#include "core/calibrate/validate.h"
#include "core/evaluate/evaluation.h"
#include "core/partition/comparison.h"
#include "core/schedule/builders.h"
#include "core/search/planners.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace pw {

namespace {

Error absent(Wording why, const std::vector<Wording>& reasons = {}) {
    return infeasible("reproduce.none", "", std::move(why), reasons);
}

// The largest of any device, or that of the named one; bytes.
Result<double> memoryOf(const Problem& problem, const Evaluation& evaluation, const std::string& device) {
    double most = 0.0;
    for (const DeviceMemory& memory : evaluation.memory)
        if (device.empty() ||
            problem.topology().devices()[static_cast<std::size_t>(memory.device)].id == device)
            most = std::max(most, memory.peak.total().value);
    if (most == 0.0)
        return absent({"the plan does not use the device \"{device}\"", {{"device", device}}});
    return most / gibibytes(1.0).value;
}

class Predicting {
public:
    Predicting(const PublishedPaper& paper, const ReproduceOptions& options)
        : m_paper(paper), m_options(options) {}

    Result<std::vector<ReproducedRow>> rows() {
        std::vector<ReproducedRow> list;
        for (std::size_t c = 0; c < m_paper.cases.size(); ++c) {
            if (m_options.only && c != *m_options.only)
                continue;
            const PublishedCase& one = m_paper.cases[c];
            if (m_options.begins)
                m_options.begins(one);
            m_case = &one;
            for (const PublishedRow& row : one.rows) {
                if (m_options.stop.stop_requested())
                    return stopped("stopped", "stopped before all rows were predicted");
                m_row = &row;
                const Result<double> predicted =
                    std::visit([this](const auto& own) { return predict(own); }, row.prediction);
                if (!predicted && predicted.error().kind == ErrorKind::Stopped)
                    return predicted.error();
                list.push_back({&one, &row, predicted ? std::optional(*predicted) : std::nullopt,
                                predicted ? std::string() : predicted.error().text()});
                if (m_options.predicted)
                    m_options.predicted(list.back());
            }
        }
        return list;
    }

private:
    using Asked = std::shared_ptr<const Problem>;

    Result<Asked> problemOf(const PublishedCase& one) {
        Asked& known = m_problems[one.name];
        if (!known) {
            Result<Asked> made = pw::problemOf(one);
            if (!made)
                return made.error();
            known = *std::move(made);
        }
        return known;
    }

    Result<const SearchOutcome*> run(const PlannerRun& asked) {
        const PublishedCase* of = m_case;
        for (const PublishedCase& one : m_paper.cases)
            if (one.name == asked.ofCase)
                of = &one;
        PlannerRun key = asked;
        key.ofCase = of->name;
        const auto known = m_runs.find(key);
        if (known != m_runs.end())
            return found(known->second);
        const Result<Asked> problem = problemOf(*of);
        if (!problem)
            return problem.error();
        SearchOptions options;
        options.planner = asked.planner;
        options.without = asked.without;
        options.threads = m_options.threads;
        SearchObserver nobody;
        Result<SearchOutcome> outcome = search(*problem, options, nobody, m_options.stop);
        if (!outcome)
            return outcome.error();
        if (outcome->status == SearchStatus::Stopped)
            return stopped("stopped", "stopped before all rows were predicted");
        return found(m_runs.emplace(std::move(key), *std::move(outcome)).first->second);
    }
    static Result<const SearchOutcome*> found(const SearchOutcome& outcome) {
        if (!outcome.plans.empty())
            return &outcome;
        return absent({"{planner} has no plan", {{"planner", outcome.planner}}}, outcome.reasons);
    }

    Result<double> predict(const NotPredicted& none) { return absent(Wording::asIs(none.why)); }

    Result<double> predict(const PlannerFigure& asked) {
        const Result<const SearchOutcome*> outcome = run(asked.run);
        if (!outcome)
            return outcome.error();
        const Evaluation& best = (*outcome)->plans.front().evaluation;
        const Asked problem = *problemOf(*m_case);
        if (m_row->figure == "memory")
            return memoryOf(*problem, best, {});
        if (m_row->figure == "throughput")
            return static_cast<double>(problem->recipe().gbs) / best.iteration.value;
        return best.iteration.value;
    }

    Result<double> predict(const PlannerRatio& asked) {
        const Result<const SearchOutcome*> over = run(asked.over);
        if (!over)
            return over.error();
        const Result<const SearchOutcome*> own = run(asked.run);
        if (!own)
            return own.error();
        if (m_row->figure == "operators")
            return static_cast<double>((*over)->operatorEvaluations) /
                   static_cast<double>(std::max<std::int64_t>(1, (*own)->operatorEvaluations));
        return (*over)->plans.front().evaluation.iteration / (*own)->plans.front().evaluation.iteration;
    }

    Result<double> predict(const PublishedPlan& asked) {
        const Result<Asked> problem = problemOf(*m_case);
        if (!problem)
            return problem.error();
        const JsonReader reader(asked.plan, m_paper.name + ".json");
        const Result<Plan> plan = planFromJson(reader, **problem);
        if (!plan)
            return plan.error();
        const Result<Evaluation> judged = evaluate(**problem, *plan);
        if (!judged)
            return judged.error();
        if (m_row->figure == "memory")
            return memoryOf(**problem, *judged, asked.device);
        return judged->iteration.value;
    }

    Result<double> predict(const BareSchedule& asked) {
        const StageTimes times{asked.forward, asked.backward, asked.send};
        Result<Simulation> ran = Simulation{};
        if (usesLaunchCounts(asked.kind)) {
            ran = simulate(times, asked.microbatches,
                           launchCounts(asked.kind, LaunchRule::Artifact, times, asked.microbatches));
        } else {
            const ChunkedPipeline pipeline = chunkedPipeline(times, asked.weight, leastChunks(asked.kind),
                                                             chunkPlacement(asked.kind), 0.0);
            const Result<OpLists> lists = opLists(asked.kind, pipeline, {asked.microbatches});
            if (!lists)
                return lists.error();
            ran = simulate(pipeline, asked.microbatches, *lists);
        }
        if (!ran)
            return ran.error();
        return m_row->figure == "bubble" ? 100.0 * ran->bubble() : ran->makespan;
    }

    static double inPass(const partition::WayPrice& price, const std::string& pass) {
        return pass == "forward"    ? price.forward
               : pass == "backward" ? price.backward
               : pass == "weights"  ? price.weightGrad
                                    : price.sync;
    }

    Result<double> predict(const BlockPartition& asked) {
        namespace ptn = partition;
        const Result<Asked> problem = problemOf(*m_case);
        if (!problem)
            return problem.error();
        if (asked.gpus > static_cast<int>((*problem)->topology().devices().size()))
            return absent({"the cluster has fewer than {gpus} GPUs", {{"gpus", asked.gpus}}});
        std::vector<DeviceIndex> devices;
        for (DeviceIndex d = 0; d < asked.gpus; ++d)
            devices.push_back(d);
        const ptn::SpaceOptions space{(*problem)->recipe().gbs, 1};
        if (m_row->figure == "operator") {
            const auto made = ptn::PartitionSpace::make(**problem, devices, space, m_options.threads);
            if (!made)
                return made.error();
            const Result<ptn::Partition> own = (*made)->tensorParallel(asked.tp, false, asked.blocks);
            if (!own)
                return own.error();
            for (const ptn::OperatorWay& way : own->runs.front().operators)
                if (way.name == asked.operatorName)
                    return 1e3 * inPass(way.price, asked.pass);
            return absent({"the model has no operator \"{name}\"", {{"name", asked.operatorName}}});
        }
        const std::string key = fmt::format("{} {} {}", m_case->name, asked.gpus, asked.blocks);
        auto known = m_partitions.find(key);
        if (known == m_partitions.end()) {
            Result<ptn::Comparison> made =
                ptn::compareStrategies(**problem, devices, space, asked.blocks, m_options.threads);
            if (!made)
                return made.error();
            known = m_partitions.emplace(key, *std::move(made)).first;
        }
        const ptn::Comparison& found = known->second;
        const ptn::TensorParallel* other = asked.tp == 0 ? found.best(false) : nullptr;
        for (const ptn::TensorParallel& one : found.others)
            if (!one.sequenceParallel && one.tp == asked.tp)
                other = &one;
        if (other == nullptr)
            return absent("tensor parallelism of that size cannot divide the model or the batch");
        if (m_row->figure == "memory")
            return 100.0 * found.partition.figures.memory() / other->figures.memory();
        if (m_row->figure == "collectives")
            return 100.0 * other->figures.collective / other->figures.seconds;
        return other->figures.seconds / found.partition.figures.seconds;
    }

    Result<double> predict(const MeasuredRun& asked) {
        auto known = m_predicted.find(asked.table);
        if (known == m_predicted.end()) {
            const auto tables = publishedTables();
            const auto table = std::find_if(tables.begin(), tables.end(), [&](const PublishedTable& one) {
                return one.name == asked.table;
            });
            const Result<PublishedRuns> runs = readPublished(*table);
            if (!runs)
                return runs.error();
            known = m_predicted
                        .emplace(asked.table,
                                 predictRuns(runs->rows, m_options.threads, m_options.stop, {}, runs->layers))
                        .first;
            if (m_options.stop.stop_requested()) // some were left out, perhaps the one that is asked for
                return stopped("stopped", "stopped before all rows were predicted");
        }
        for (const RunPrediction& one : known->second)
            if (one.rowId == asked.row)
                return one.status != PredictionStatus::Ok ? Result<double>(absent(Wording::asIs(one.remarks)))
                       : m_row->figure == "memory"        ? one.peakMemGib
                                                          : one.iterTimeS;
        return absent("there is no such run");
    }

    const PublishedPaper& m_paper;
    const ReproduceOptions& m_options;
    const PublishedCase* m_case = nullptr;
    const PublishedRow* m_row = nullptr;
    std::map<std::string, Asked> m_problems;                       // by case
    std::map<PlannerRun, SearchOutcome> m_runs;                    // with the case named
    std::map<std::string, partition::Comparison> m_partitions;     // by case, GPUs, blocks
    std::map<std::string, std::vector<RunPrediction>> m_predicted; // by table
};

} // namespace

bool ReproducedRow::differs() const {
    if (!predicted || !row->published)
        return false;
    const PublishedFigure& published = *row->published;
    const bool gains = row->unit == kRatioUnit && published.low > 1.0;
    return *predicted < published.low * (1.0 - kSameFigure) ||
           *predicted > published.high * (1.0 + kSameFigure) ||
           (gains && *predicted < std::sqrt(published.low));
}

Result<std::vector<ReproducedRow>> reproduce(const PublishedPaper& paper, const ReproduceOptions& options) {
    return Predicting(paper, options).rows();
}

Result<std::shared_ptr<const Problem>> problemOf(const PublishedCase& one) {
    if (!one.cluster || !one.model || !one.recipe)
        return infeasible("reproduce.none", "", "the case has no cluster, model and recipe of its own");
    return Problem::make(*one.cluster, *one.model, *one.recipe, {}, Space{});
}

const PlannerRun* plannerOf(const PublishedCase& one) {
    const auto own = [&](const PlannerRun& run) { return run.ofCase.empty() || run.ofCase == one.name; };
    const PlannerRun* first = nullptr;
    for (const PublishedRow& row : one.rows) {
        if (const auto* ratio = std::get_if<PlannerRatio>(&row.prediction); ratio && own(ratio->run))
            return &ratio->run;
        if (const auto* figure = std::get_if<PlannerFigure>(&row.prediction);
            !first && figure && own(figure->run))
            first = &figure->run;
    }
    return first;
}

Result<std::vector<Plan>> plansOf(const PublishedCase& one, const Problem& problem, const std::string& file) {
    std::vector<Plan> plans;
    std::vector<const Json*> read;
    for (const PublishedRow& row : one.rows) {
        const auto* judged = std::get_if<PublishedPlan>(&row.prediction);
        if (!judged ||
            std::any_of(read.begin(), read.end(), [&](const Json* plan) { return *plan == judged->plan; }))
            continue;
        read.push_back(&judged->plan);
        Result<Plan> plan = planFromJson(JsonReader(judged->plan, file), problem);
        if (!plan)
            return plan.error();
        plans.push_back(*std::move(plan));
    }
    return plans;
}

} // namespace pw
