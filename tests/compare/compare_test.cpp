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
        // In brief: the stages that differ, and one for all where all are alike.
        QCOMPARE(c.fields[2].brief,
                 (std::vector<std::string>{"stage 0: 3, stage 1: 3", "stage 0: 1, stage 1: 5",
                                           "stage 0: 3, stage 1: 3"}));
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
};

QTEST_APPLESS_MAIN(CompareTest)
#include "compare_test.moc"
