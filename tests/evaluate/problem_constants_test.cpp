// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluation.h"
#include "tests/project/small_project.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <array>
#include <thread>

using namespace pw;

namespace {

constexpr int kStageBlocks = 4;

ConstantSet scaledConstants(double factor) {
    std::vector<double> values;
    for (const FittedConstant& constant : ConstantSet::builtin().list())
        values.push_back(constant.value * factor);
    return ConstantSet::builtin().with(values);
}

std::shared_ptr<const Problem> problemWith(const ConstantSet& constants) {
    const Project project = smallProject();
    Recipe recipe = project.recipe;
    recipe.zero = 1;
    auto made = Problem::make(project.cluster, *project.model, recipe, {}, {}, constants);
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return *std::move(made);
}

// Two stages on two nodes, with tensor and data parallelism: products, collectives, transfers and the step
// all count.
Plan planOver(const Problem& problem) {
    Pipeline p;
    p.microbatchSize = 2;
    p.microbatches = problem.recipe().gbs / 2;
    p.share = 1.0;
    p.schedule = {ScheduleKind::OneFOneB, LaunchRule::Artifact, 1, {}};
    for (int s = 0; s < 2; ++s) {
        Stage stage;
        stage.chunks = {layersOfBlocks(s * 2, s * 2 + 2, kStageBlocks)};
        stage.tp = 2;
        stage.sequenceParallel = true;
        stage.zero = 1;
        for (const int first : {8 * s, 8 * s + 2})
            stage.replicas.push_back({{first, first + 1}, 0.5});
        p.stages.push_back(stage);
    }
    Plan plan;
    plan.pipelines = {p};
    return plan;
}

double costOf(const Problem& problem) {
    const auto got = evaluate(problem, planOver(problem));
    if (!got)
        qFatal("%s", got.error().text().c_str());
    return got->iteration.value;
}

} // namespace

class ProblemConstantsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anotherSetIsAnotherQuestion() {
        const auto builtin = problemWith(ConstantSet::builtin()), same = problemWith(scaledConstants(1.0)),
                   other = problemWith(scaledConstants(1.1)), third = problemWith(scaledConstants(1.2));
        QCOMPARE(same->hash(), builtin->hash());
        QVERIFY(same->toJson() == builtin->toJson());
        QVERIFY(!builtin->toJson().contains("constants"));
        QVERIFY(other->hash() != builtin->hash() && other->hash() != third->hash());
        QVERIFY(other->constants() == scaledConstants(1.1));
    }

    // An optimizer that reaches half of the memory's rate steps twice as long, and nothing else changes.
    void theOptimizersStepHasAShareOfItsOwn() {
        std::vector<double> values;
        for (const FittedConstant& constant : ConstantSet::builtin().list())
            values.push_back(constant.name == "update_share" ? 0.5 : constant.value);
        const auto usual = problemWith(ConstantSet::builtin()),
                   slow = problemWith(ConstantSet::builtin().with(values));
        QCOMPARE(ConstantSet::builtin().compute().updateShare, 1.0);
        const auto before = evaluate(*usual, planOver(*usual)), after = evaluate(*slow, planOver(*slow));
        QVERIFY(before && after);
        const auto& had = before->pipelines[0].stages;
        const auto& has = after->pipelines[0].stages;
        for (std::size_t i = 0; i < had.size(); ++i) {
            QVERIFY(had[i].optimizer.value > 0.0);
            QCOMPARE(has[i].optimizer.value, 2.0 * had[i].optimizer.value);
            QCOMPARE(has[i].forward.value, had[i].forward.value);
            QCOMPARE(has[i].backward.value, had[i].backward.value);
            QCOMPARE(has[i].sync.value, had[i].sync.value);
        }
    }

    // Whoever reads the question elsewhere is asked the same, and what is derived from it keeps them.
    void theSetGoesWithTheQuestion() {
        const auto other = problemWith(scaledConstants(1.1));
        const Result<Json> document = parseJson(printJson(other->toJson()), "p.json");
        const auto again = Problem::fromJson(JsonReader(*document, "p.json"));
        QVERIFY2(again, again ? "" : again.error().text().c_str());
        QCOMPARE((*again)->hash(), other->hash());
        QVERIFY((*again)->constants() == other->constants());
        QCOMPARE(costOf(**again), costOf(*other));
        QVERIFY(other->withSpace({})->constants() == other->constants());
        const auto fewer = other->withForbidden({"n3"});
        QVERIFY(fewer && (*fewer)->constants() == other->constants());
        QVERIFY((*fewer)->hash() != other->hash());
        Json wrong = other->toJson();
        wrong["constants"]["compute"]["no_such"] = 1.0;
        const auto refused = Problem::fromJson(JsonReader(wrong, "p.json"));
        QVERIFY(!refused);
        QCOMPARE(refused.error().where, std::string("p.json#/constants/compute/no_such"));
    }

    void costsAreTheProblemsOwnInTurnsAndOnThreads() {
        const auto builtin = problemWith(ConstantSet::builtin()), other = problemWith(scaledConstants(1.1));
        const double plain = costOf(*builtin), changed = costOf(*other);
        QVERIFY(plain != changed);
        for (int round = 0; round < 3; ++round) {
            QCOMPARE(costOf(*builtin), plain);
            QCOMPARE(costOf(*other), changed);
        }
        // Each thread begins with the other problem and changes over, so that whatever a thread kept would
        // show.
        std::array<bool, 2> same{true, true};
        {
            std::vector<std::jthread> threads;
            for (std::size_t t = 0; t < same.size(); ++t)
                threads.emplace_back([&, t] {
                    for (std::size_t round = t; round < t + 20; ++round)
                        same[t] = same[t] &&
                                  (round % 2 == 0 ? costOf(*builtin) == plain : costOf(*other) == changed);
                });
        }
        QVERIFY(same[0] && same[1]);
    }
};

QTEST_APPLESS_MAIN(ProblemConstantsTest)
#include "problem_constants_test.moc"
