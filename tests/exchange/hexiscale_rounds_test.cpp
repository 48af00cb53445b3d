// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/target_search.h"
#include "core/base/file.h"
#include "core/exchange/exports/export.h"
#include "core/exchange/imports/import.h"
#include "core/search/space/wider_space.h"
#include "tests/exchange/exported_file.h"
#include "tests/exchange/script_run.h"
#include "tests/exchange/target_plans.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace pw;

namespace {

const ExporterRow& hexiscale() {
    return *exporterRow("hexiscale");
}

// Pipelines of one stage of tp 4, each on a half of n1, with one micro-batch after the other.
Plan turns(std::int64_t first, std::int64_t second, int zero = 0) {
    Plan plan;
    for (const std::int64_t count : {first, second}) {
        Pipeline& p = plan.pipelines.emplace_back();
        p.microbatches = count;
        p.microbatchSize = 2;
        p.share = static_cast<double>(count) / static_cast<double>(first + second);
        p.schedule = {ScheduleKind::OneFOneB, LaunchRule::Artifact, 1, {1}};
        p.stages = {blockStage(0, 31, 32, plan.pipelines.size() == 1 ? 0 : 4, 1, 4)};
        p.stages.front().sequenceParallel = false;
        p.stages.front().zero = zero;
    }
    return plan;
}

TargetPlan with(Plan plan) {
    TargetPlan target = planFor("hexiscale");
    target.recipe.gbs = 0;
    for (const Pipeline& p : plan.pipelines)
        target.recipe.gbs += p.microbatches * p.microbatchSize;
    target.plan = std::move(plan);
    return target;
}

// The same pipelines, with all micro-batches forward before the first one back.
TargetPlan allAtOnce() {
    TargetPlan target = with(turns(16, 16));
    for (Pipeline& p : target.plan.pipelines)
        p.schedule = {ScheduleKind::GPipe, LaunchRule::Artifact, 1, {16}};
    return target;
}

std::vector<std::string> codesOf(const TargetPlan& target) {
    const auto problem = target.problem();
    if (const Status sound = checkPlan(*problem, target.plan, "plan"); !sound)
        qWarning("%s", sound.error().text().c_str());
    std::vector<std::string> codes;
    for (const Refusal& refusal : exportRefusals(hexiscale(), *problem, target.plan))
        codes.push_back(refusal.code);
    return codes;
}

// Three plans at most, all of which the target takes.
std::vector<FoundPlan> searched(const std::shared_ptr<const Problem>& problem, int pipelines) {
    SearchOptions options;
    options.work = 50'000;
    options.top = 3;
    options.wider.pipelines = pipelines;
    SearchObserver quiet;
    std::optional<Error> refused;
    auto found = searchForTarget(problem, options, hexiscale(), quiet, {}, refused);
    if (!found)
        qWarning("%s", found.error().text().c_str());
    if (refused)
        qWarning("%s", refused->text().c_str());
    if (!found || refused)
        return {};
    for (const FoundPlan& one : found->plans)
        if (!exportRefusals(hexiscale(), *problem, one.plan).empty())
            qFatal("a plan that is refused");
    return std::move(found->plans);
}

} // namespace

// HexiScale's steps of several rounds of GPipe, which on one stage are 1F1B.
class HexiscaleRoundsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What llama_train.py reads: a round has --chunks micro-batches and --global_bsz_size sequences of every
    // pipeline, the optimiser steps after --accum-iter of them, and the run ends after --run-iter.
    void oneMicrobatchARound_data() {
        QTest::addColumn<bool>("open");
        QTest::newRow("launch counts stated") << false;
        QTest::newRow("launch counts left to the schedule") << true;
    }
    void oneMicrobatchARound() {
        QFETCH(bool, open);
        TargetPlan target = with(turns(16, 16));
        if (open)
            for (Pipeline& p : target.plan.pipelines)
                p.schedule.launch.clear();
        const auto problem = target.problem();
        const ExportResult made = makeExport(hexiscale(), {*problem, {}, target.plan, {}});
        QVERIFY2(made.refusals.empty(),
                 made.refusals.empty() ? "" : reasonOf(made.refusals.front()).text().c_str());
        const std::vector<std::string> words = arrayOf(fileOf(made, "train.sh"), "ARGUMENTS");
        using List = std::vector<std::string>;
        QVERIFY(valuesOf(words, "--chunks") == (List{"1", "1"}));
        QVERIFY(valuesOf(words, "--global_bsz_size") == (List{"2", "2"}));
        QVERIFY(valuesOf(words, "--accum-iter") == List{"16"});
        QVERIFY(valuesOf(words, "--run-iter") == List{"160"});
        QVERIFY(valuesOf(words, "--pipeline-type") == List{"Gpipe"});
    }

    void allAtOnceIsOneRound() {
        TargetPlan target = allAtOnce();
        const auto problem = target.problem();
        const ExportResult made = makeExport(hexiscale(), {*problem, {}, target.plan, {}});
        QVERIFY(made.refusals.empty());
        const std::vector<std::string> words = arrayOf(fileOf(made, "train.sh"), "ARGUMENTS");
        using List = std::vector<std::string>;
        QVERIFY(valuesOf(words, "--chunks") == (List{"16", "16"}));
        QVERIFY(valuesOf(words, "--global_bsz_size") == (List{"32", "32"}));
        QVERIFY(valuesOf(words, "--accum-iter") == List{"1"});
        QVERIFY(valuesOf(words, "--run-iter") == List{"10"});
    }

    // Rounds are the run's: as many in all pipelines, and nothing is sharded.
    void refusesOtherRounds() {
        using Codes = std::vector<std::string>;
        QVERIFY(codesOf(with(turns(16, 16))).empty());
        QVERIFY(codesOf(with(turns(16, 8))) == Codes{"E_MB_SPLIT_UNEVEN"});
        TargetPlan mixed = with(turns(16, 16));
        mixed.plan.pipelines.back().schedule = {ScheduleKind::GPipe, LaunchRule::Artifact, 1, {16}};
        QVERIFY(codesOf(mixed) == Codes{"E_SCHEDULE"});
        const Codes sharded = codesOf(with(turns(16, 16, 2))); // beside the one for its tensor parallelism
        QCOMPARE(std::ranges::count(sharded, "E_SHARDING"), 4);
    }

    void refuses1F1bOfSeveralStages() {
        TargetPlan target = planFor("hexiscale");
        target.plan.pipelines.front().schedule = {
            ScheduleKind::OneFOneB, LaunchRule::Artifact, 1, {4, 3, 2, 1}};
        const auto problem = target.problem();
        const std::vector<Refusal> refusals = exportRefusals(hexiscale(), *problem, target.plan);
        QCOMPARE(refusals.size(), std::size_t{1});
        QCOMPARE(refusals.front().code, std::string("E_SCHEDULE"));
        const std::string text = reasonOf(refusals.front()).text();
        QVERIFY2(text.find("GPipe or 1F1B of one stage") != std::string::npos, text.c_str());
        target.plan.pipelines.front().schedule.launch.clear();
        QVERIFY(codesOf(target) == std::vector<std::string>{"E_SCHEDULE"});
    }

    // Rounds of several micro-batches are no schedule here: read as one round, with a word.
    void longerRoundsAreReadAsOne() {
        TargetPlan target = allAtOnce();
        const auto problem = target.problem();
        const ExportResult made = makeExport(hexiscale(), {*problem, {}, target.plan, {}});
        QVERIFY(made.refusals.empty());
        std::string script = fileOf(made, "train.sh");
        const std::string one = "--accum-iter 1", two = "--accum-iter 2";
        QVERIFY(script.find(one) != std::string::npos);
        script.replace(script.find(one), one.size(), two);
        QTemporaryDir folder;
        const auto read = [&](const char* name, const std::string& text) {
            const std::string path = folder.filePath(QString::fromLatin1(name)).toStdString();
            const Status written = writeFileAtomically(path, text);
            if (!written)
                qFatal("%s", written.error().text().c_str());
            return importFile(path, "", {});
        };
        auto stages = read("all_hetero_configs.json", fileOf(made, "all_hetero_configs.json"));
        auto batches = read("train.sh", script);
        QVERIFY(stages && batches);
        const auto all = joinImported({*std::move(stages), *std::move(batches)}, {"stages", "batches"});
        QVERIFY2(all, all ? "" : all.error().text().c_str());
        const TrainerPlan& trainer = std::get<TrainerPlan>(all->what);
        QCOMPARE(recipeOf(trainer, "f")->gbs, std::int64_t{128});
        target.recipe.gbs = 128;
        Diagnostics notes;
        const auto plan = bindPlan(trainer, *target.problem(), "f", notes);
        QVERIFY2(plan, plan ? "" : plan.error().text().c_str());
        QVERIFY(
            std::ranges::any_of(notes, [](const Diagnostic& note) { return note.code == "plan.rounds"; }));
        for (const Pipeline& p : plan->pipelines) {
            QCOMPARE(p.microbatches, std::int64_t{32});
            QCOMPARE(p.schedule.kind, ScheduleKind::GPipe);
        }
    }

    // Batches that GPipe has no room for are found room for in rounds; no plan of 1F1B has several stages.
    // With its weights' gradients sharded GPipe has room, and what is found then is no slower.
    void searchFindsRounds_data() {
        QTest::addColumn<int>("pipelines"); // of different shape, where asked for
        QTest::newRow("one shape") << 1;
        QTest::newRow("two shapes") << 2;
    }
    void searchFindsRounds() {
        QFETCH(int, pipelines);
        TargetPlan target = planFor("hexiscale");
        target.recipe.gbs = 256;
        for (Node& n : target.cluster.nodes)
            n.kind = "A100-SXM4-40GB";
        const std::vector<FoundPlan> sharded = searched(target.problem(), pipelines);
        target.recipe.zero = 0;
        const auto problem = target.problem();
        const std::vector<FoundPlan> found = searched(problem, pipelines);
        QVERIFY(!found.empty() && !sharded.empty());
        QVERIFY(sharded.front().evaluation.iteration <= found.front().evaluation.iteration);
        for (const FoundPlan& one : found)
            for (const Pipeline& p : one.plan.pipelines)
                QVERIFY(p.stages.size() == 1 && runsAs(ScheduleKind::OneFOneB, p));
        // Plans of that Space are in it, and those of 1F1B with several stages are not.
        Space space = problem->space();
        restrictTo(hexiscale().capability, space);
        space.wider.pipelines = 2;
        const auto narrowed = problem->withSpace(space);
        const std::vector<ScheduleTrial> trials = scheduleTrials(*narrowed);
        const auto rounds = std::ranges::find_if(trials, &ScheduleTrial::loneStage);
        QVERIFY(rounds != trials.end());
        QVERIFY(underSchedule(*narrowed, found.front().plan, *rounds));
        QVERIFY(!underSchedule(*narrowed, target.plan, *rounds));
    }
};

QTEST_GUILESS_MAIN(HexiscaleRoundsTest)
#include "hexiscale_rounds_test.moc"
