// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/profile_coverage.h"

#include "app/cli/chosen_plan.h"
#include "app/cli/profile_filter.h"
#include "app/cli/table.h"

#include "core/base/units.h"
#include "core/profile/operators.h"
#include "core/profile/reach.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace pw::cli {

namespace {

constexpr std::size_t kNamed = 4; // operators in a cell; the document has all

std::string seqText(std::int64_t seq) {
    return seq > 0 ? fmt::format("{}", seq) : "unstated";
}

std::string precisionText(const std::string& precision) {
    return precision.empty() ? "unstated" : precision;
}

// Which points a plan can rest on, and how far between them is interpolated.
Answer reach(const std::vector<ProfileRow>& rows) {
    Json list = Json::array();
    Table table({"model", "kind", ">tp", ">seq", "precision", "layers", "measured micro-batches",
                 "interpolated between", ">sources"});
    for (const ProfileReach& reach : reachOf(rows)) {
        list.push_back({{"model", reach.model},
                        {"kind", reach.kind},
                        {"tp", reach.tp},
                        {"seq", reach.seq},
                        {"precision", reach.precision},
                        {"first_layer", reach.firstLayer},
                        {"last_layer", reach.lastLayer},
                        {"layers", reach.layers},
                        {"microbatches", reach.microbatches},
                        {"sources", reach.sources}});
        const int span = reach.lastLayer - reach.firstLayer + 1;
        table.add({reach.model, reach.kind, fmt::format("{}", reach.tp), seqText(reach.seq),
                   precisionText(reach.precision),
                   reach.layers == span
                       ? fmt::format("{} to {}", reach.firstLayer, reach.lastLayer)
                       : fmt::format("{} of {} to {}", reach.layers, reach.firstLayer, reach.lastLayer),
                   fmt::format("{}", fmt::join(reach.microbatches, " ")),
                   reach.microbatches.size() > 1
                       ? fmt::format("{} and {}", reach.microbatches.front(), reach.microbatches.back())
                       : "",
                   fmt::format("{}", reach.sources.size())});
    }
    Json operators = Json::array();
    Table timed(
        {"model", "kind", ">tp", ">seq", "precision", ">operators", "timed at micro-batches", ">sources"});
    for (const OperatorReach& reach : operatorReachOf(rows)) {
        operators.push_back({{"model", reach.model},
                             {"kind", reach.kind},
                             {"tp", reach.tp},
                             {"seq", reach.seq},
                             {"precision", reach.precision},
                             {"operators", reach.operators},
                             {"microbatches", reach.microbatches},
                             {"sources", reach.sources}});
        timed.add({reach.model, reach.kind, fmt::format("{}", reach.tp), seqText(reach.seq),
                   precisionText(reach.precision), fmt::format("{}", reach.operators.size()),
                   fmt::format("{}", fmt::join(reach.microbatches, " ")),
                   fmt::format("{}", reach.sources.size())});
    }
    const std::string byOperator =
        operators.empty() ? std::string() : "\nsingle operators, which price no plan:\n" + timed.text();
    return Answer{Json{{"reach", std::move(list)}, {"operators", std::move(operators)}},
                  table.text() +
                      "outside these, and at other tensor-parallel sizes, every time is an estimate; "
                      "a point of several sources is taken from the one with the highest "
                      "confidence, then the latest date, then the last name\n" +
                      byOperator,
                  {}};
}

// The operators of a model at one point of a plan: how many are timed there, and which are not.
struct PointCover {
    OperatorPoint point;
    std::size_t all = 0, measured = 0, interpolated = 0;
    Seconds forward, backward; // of those that are
    std::vector<std::string> missing;
};

PointCover coverOf(const OperatorTable& table, const OperatorPoint& point) {
    PointCover cover;
    cover.point = point;
    for (const OperatorTable::Cover& one : table.at(point)) {
        ++cover.all;
        if (!one.cost) {
            cover.missing.push_back(one.shape.empty() ? one.op : one.op + " " + one.shape);
            continue;
        }
        ++(one.cost->provenance == Provenance::Measured ? cover.measured : cover.interpolated);
        cover.forward = cover.forward + one.cost->forward;
        cover.backward = cover.backward + one.cost->backward;
    }
    return cover;
}

// Where a stage runs operators: one point a device kind and micro-batch of its replicas.
std::vector<OperatorPoint> pointsOf(const Problem& problem, const Pipeline& pipeline, const Stage& stage) {
    std::vector<OperatorPoint> points;
    for (const Replica& replica : stage.replicas) {
        const OperatorPoint point{
            problem.topology().kindOf(replica.devices.front()).name, stage.tp,
            static_cast<int>(std::llround(replica.share * static_cast<double>(pipeline.microbatchSize))),
            problem.precision(), problem.recipe().seq};
        const auto same = [&](const OperatorPoint& p) { return p.kind == point.kind && p.mbs == point.mbs; };
        if (std::none_of(points.begin(), points.end(), same))
            points.push_back(point);
    }
    return points;
}

std::string named(const std::vector<std::string>& operators) {
    std::string text;
    for (std::size_t i = 0; i < operators.size() && i < kNamed; ++i)
        text += (i == 0 ? "" : ", ") + operators[i];
    return operators.size() > kNamed ? fmt::format("{} and {} more", text, operators.size() - kNamed) : text;
}

// What of a plan rests on measurements: its time by layers, its operators by number. Which operators a layer
// is made of no file says, so all that were timed of the model anywhere are looked for at each stage's point.
Result<Answer> ofPlan(const Session& session, const ProfileFilter& filter, const std::string& plan) {
    PlanFlags flags;
    flags.plan = plan;
    const Result<JudgedPlan> judged = judgePlan(session, flags, false);
    if (!judged)
        return judged.error();
    const Problem& problem = *judged->problem;
    Result<std::vector<ProfileRow>> rows = storedRows(session, {{}, filter.source});
    if (!rows)
        return rows.error();
    const std::string model = filter.model.empty() ? problem.model().name : filter.model;
    std::erase_if(*rows, [&](const ProfileRow& row) { return !sameModelName(row.model, model); });
    const OperatorTable table(*rows);
    const Evaluation& evaluation = judged->evaluation();
    Json list = Json::array();
    Table text({"stage", "kind", ">tp", ">micro-batch", ">time measured by layers", ">operators timed",
                ">interpolated", ">forward", ">backward", "not timed there"});
    int number = 0;
    for (std::size_t p = 0; p < judged->plan().pipelines.size(); ++p) {
        const Pipeline& pipeline = judged->plan().pipelines[p];
        for (std::size_t s = 0; s < pipeline.stages.size(); ++s, ++number) {
            const double share = evaluation.pipelines[p].stages[s].measuredShare;
            for (const OperatorPoint& point : pointsOf(problem, pipeline, pipeline.stages[s])) {
                const PointCover cover = coverOf(table, point);
                list.push_back({{"pipeline", p},
                                {"stage", s},
                                {"kind", point.kind},
                                {"tp", point.tp},
                                {"mbs", point.mbs},
                                {"measured_share", share},
                                {"operators", cover.all},
                                {"measured", cover.measured},
                                {"interpolated", cover.interpolated},
                                {"forward_s", cover.forward.value},
                                {"backward_s", cover.backward.value},
                                {"missing", cover.missing}});
                text.add({fmt::format("{}", number), point.kind, fmt::format("{}", point.tp),
                          fmt::format("{}", point.mbs), fmt::format("{:.1f} %", 100 * share),
                          table.empty() ? "none known" : fmt::format("{} of {}", cover.measured, cover.all),
                          fmt::format("{}", cover.interpolated), formatDuration(cover.forward),
                          formatDuration(cover.backward), named(cover.missing)});
            }
        }
    }
    return Answer{Json{{"measured_share", evaluation.measuredShare}, {"stages", std::move(list)}},
                  fmt::format("{:.1f} % of this plan's computing time rests on measured layers\n\n{}"
                              "operators are those timed of {} anywhere; forward and backward are their "
                              "sums, one call each\n",
                              100 * evaluation.measuredShare, text.text(), model),
                  {}};
}

} // namespace

Command addCoverage(CLI::App& parent) {
    struct Flags {
        ProfileFilter filter;
        std::string plan;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App* sub = parent.add_subcommand(
        "coverage", "which points and operators are measured, how far is interpolated, what of a plan it is");
    sub->fallthrough();
    flags->filter.addTo(*sub);
    sub->add_option("--plan", flags->plan, "how much of this plan they cover, stage by stage")
        ->type_name("P");
    return {sub, [flags](const Session& session) -> Result<Answer> {
                if (!flags->plan.empty())
                    return ofPlan(session, flags->filter, flags->plan);
                const Result<std::vector<ProfileRow>> rows = storedRows(session, flags->filter);
                return rows ? Result<Answer>(reach(*rows)) : Result<Answer>(rows.error());
            }};
}

} // namespace pw::cli
