// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/compare.h"
#include "core/evaluate/idle_share.h"
#include "core/timeline/build.h"
#include "tests/search/random_problem.h"
#include "tests/whatif/edited_plan.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pw;

namespace {

struct Judged {
    std::shared_ptr<const Problem> problem;
    Plan plan;
    Evaluation evaluation;
    Timeline timeline;
    Judged(std::shared_ptr<const Problem> of, Plan what) : problem(std::move(of)), plan(std::move(what)) {
        evaluation = *evaluate(*problem, plan, {.keepOps = true});
        timeline = buildTimeline(*problem, plan, evaluation);
    }
    ComparedPlan named(const char* name) const {
        return {name, problem.get(), &plan, &evaluation, &timeline};
    }
};

} // namespace

class CompareTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // The differences explain the difference of the iterations, to the nanosecond that bars are rounded to.
    void entriesAddUpToTheIteration() {
        constexpr std::uint64_t kSeed = 7;
        qInfo("seed %llu", static_cast<unsigned long long>(kSeed));
        Random random(kSeed);
        int compared = 0;
        for (int round = 0; round < 200; ++round) {
            const auto problem = test::randomProblem(random);
            const auto a = test::randomPlan(random, *problem), b = test::randomPlan(random, *problem);
            if (!a || !b || !evaluate(*problem, *a) || !evaluate(*problem, *b))
                continue;
            const Judged first(problem, *a), second(problem, *b);
            const Comparison c = comparePlans({first.named("a"), second.named("b")}, 0);
            for (std::size_t p = 0; p < 2; ++p) {
                double sum = 0.0;
                for (const TimeDifference& row : c.time)
                    sum += row.seconds[p];
                const double iteration = (p == 0 ? first : second).evaluation.iteration.value;
                QVERIFY2(std::abs(sum - iteration) < 1e-6,
                         qPrintable(QStringLiteral("round %1: %2 of %3").arg(round).arg(sum).arg(iteration)));
            }
            for (std::size_t i = 1; i < c.time.size(); ++i)
                QVERIFY(std::abs(c.time[i - 1].largest) >= std::abs(c.time[i].largest));
            QVERIFY(c.inputs.empty());
            const auto bubble =
                std::find_if(c.figures.begin(), c.figures.end(),
                             [](const PlanFigure& figure) { return figure.name == std::string("bubble"); });
            QVERIFY(bubble != c.figures.end()); // as everywhere else: a share of the time
            QCOMPARE(bubble->values[0], 100.0 * idleShare(first.evaluation.bubble));
            QVERIFY(bubble->values[1] >= 0.0 && bubble->values[1] <= 100.0);
            ++compared;
        }
        QVERIFY(compared > 50);
    }

    void wordsAndFieldsNameWhatWasEdited() {
        const auto problem = test::editProblem();
        const Plan plan = test::editPlan(*problem);
        const Judged base(problem, plan);
        const Judged moved(problem, *whatif::moveBoundary(*problem, plan, 0, 3));
        const Judged same(problem, plan);
        const Comparison c =
            comparePlans({base.named("plan 1"), moved.named("plan 2"), same.named("plan 3")}, 0);
        std::vector<std::string> differ;
        for (const PlanField& field : c.fields)
            if (field.differs)
                differ.push_back(field.name);
        QCOMPARE(differ, (std::vector<std::string>{"blocks of a stage"}));
        QCOMPARE(c.fields[2].values[0], std::string("3 3 2"));
        QCOMPARE(c.fields[2].values[1], std::string("1 5 2"));
        // In brief: one for all where all are alike, and never more than the whole.
        QCOMPARE(c.fields[2].brief, c.fields[2].values);
        const auto recompute = std::ranges::find(c.fields, "recompute", &PlanField::name);
        QVERIFY(recompute != c.fields.end());
        QCOMPARE(recompute->values[0], std::string("none none none"));
        QCOMPARE(recompute->brief, (std::vector<std::string>(3, "none")));
        const bool slower = moved.evaluation.iteration > base.evaluation.iteration;
        QVERIFY(c.sentences.front().starts_with("plan 2 takes "));
        QCOMPARE(c.sentences.front().ends_with("longer than plan 1"), slower);
        QCOMPARE(c.sentences.back(), std::string("plan 3 takes as long as plan 1"));
        QCOMPARE(c.memory.size(), std::size_t(10));
        // From the other side the signs turn.
        const Comparison turned = comparePlans({base.named("plan 1"), moved.named("plan 2")}, 1);
        for (const TimeDifference& row : turned.time)
            QCOMPARE(row.largest, row.seconds[0] - row.seconds[1]);
    }

    // Of eight stages: one that differs is named alone, all are not.
    void stagesThatDifferAreNamedAloneWhereThatIsShorter() {
        const auto problem = test::editProblem();
        Plan plan = test::editPlan(*problem);
        Pipeline& pipeline = plan.pipelines.front();
        pipeline.stages.clear();
        pipeline.schedule.launch.clear();
        for (int i = 0; i < 8; ++i) {
            pipeline.stages.push_back(
                test::stageOn(*problem, layersOfBlocks(i, i + 1, 8), {"n1.g" + std::to_string(i)}, 1));
            pipeline.schedule.launch.push_back(8 - i);
        }
        Result<Plan> one = whatif::setRecompute(*problem, plan, 5, Recompute::Full), two = plan;
        for (int i = 0; i < 8 && two; ++i)
            two =
                whatif::setRecompute(*problem, *two, i, i % 2 == 0 ? Recompute::Full : Recompute::Selective);
        QVERIFY(one && two);
        const Judged first(problem, plan), second(problem, *one), third(problem, *two);
        const auto recompute = [](const Judged& a, const Judged& b) {
            const Comparison c = comparePlans({a.named("a"), b.named("b")}, 0);
            return *std::ranges::find(c.fields, "recompute", &PlanField::name);
        };
        QCOMPARE(recompute(first, second).brief,
                 (std::vector<std::string>{"stage 5: none", "stage 5: full"}));
        const PlanField apart = recompute(second, third);
        QVERIFY(apart.differs);
        QCOMPARE(apart.brief, apart.values);
    }

    void differentQuestionsAreNamed() {
        const auto problem = test::editProblem();
        Project other = smallProject();
        other.model->blocks = 8;
        other.recipe.gbs = 128;
        const auto doubled = problemOf(other);
        const Plan plan = test::editPlan(*problem);
        Plan larger = plan;
        larger.pipelines.front().microbatches *= 2;
        const Judged a(problem, plan), b(*doubled, larger);
        const Comparison c = comparePlans({a.named("a"), b.named("b")}, 0);
        QCOMPARE(c.inputs, (std::vector<std::string>{"global batch 64 and 128"}));
        QVERIFY(!c.memory.empty()); // of the same cluster
    }

    void aClusterWithoutANameHasWordsForIt() {
        Project named = smallProject(), nameless = named;
        nameless.cluster.name.clear();
        nameless.cluster.links.front().lanes = 2;
        const auto a = problemOf(named), b = problemOf(nameless);
        QVERIFY(a && b);
        const std::string said = "cluster three nodes and one without a name";
        QCOMPARE(differingInputs(**a, **b),
                 (std::vector<std::string>{said, "link n1-s1: 100 Gbit/s and 2 x 100 Gbit/s"}));
        QCOMPARE(differingInputs(**b, **a),
                 (std::vector<std::string>{said, "link n1-s1: 2 x 100 Gbit/s and 100 Gbit/s"}));
        nameless.cluster.name = named.cluster.name;
        const auto alike = problemOf(nameless);
        QVERIFY(alike);
        QCOMPARE(differingInputs(**a, **alike),
                 (std::vector<std::string>{"link n1-s1: 100 Gbit/s and 2 x 100 Gbit/s"}));
    }
};

QTEST_APPLESS_MAIN(CompareTest)
#include "compare_test.moc"
