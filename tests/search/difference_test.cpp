// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/search/difference.h"
#include "core/search/met_plans.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace pw;

namespace {

constexpr std::uint64_t kDifferenceSeed = 20261127;

PlanTraits traitsOf(double iteration, int gpus, double memory, int stages, bool equal = false,
                    ScheduleKind schedule = ScheduleKind::H1F1B) {
    return {iteration, gpus, memory, schedule, stages, equal};
}

PlanTraits fitting(PlanTraits traits, double chance) {
    traits.fitChance = chance;
    return traits;
}

// As a search might meet them: times around 1, few values of everything else, so that many are alike in one.
PlanTraits drawnTraits(Random& random) {
    constexpr ScheduleKind kinds[] = {ScheduleKind::H1F1B, ScheduleKind::OneFOneB, ScheduleKind::GPipe};
    const int stages = 1 + static_cast<int>(random.below(8));
    const PlanTraits traits = traitsOf(1.0 + static_cast<double>(random.below(40)) / 100.0,
                                       4 * (1 + static_cast<int>(random.below(8))),
                                       0.4 + 0.6 * static_cast<double>(random.below(100)) / 100.0, stages,
                                       stages > 1 && random.below(8) == 0, kinds[random.below(3)]);
    return fitting(traits, 0.5 + 0.45 * static_cast<double>(random.below(101)) / 100.0);
}

} // namespace

// What sets a plan apart from the fastest one, and what a search has to keep to know it at its end.
class DifferenceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyDifferenceHasItsOwnName() {
        std::set<std::string> names;
        std::size_t at = 0;
        for (const DifferenceRow& row : differenceTable()) {
            QCOMPARE(static_cast<std::size_t>(row.difference), at++);
            QCOMPARE(std::string(name(row.difference)), std::string(row.name));
            QVERIFY(differenceFromName(row.name) == row.difference);
            names.insert(row.name);
        }
        QCOMPARE(names.size(), at);
        QVERIFY(!differenceFromName("") && !differenceFromName("faster"));
    }

    void limitsBelongToTheDifference() {
        const PlanTraits fastest = traitsOf(1.0, 32, 0.8, 8);
        const auto apart = [&](Difference by, const PlanTraits& other) {
            return isSetApart(by, fastest, other);
        };
        QVERIFY(apart(Difference::FewerGpus, traitsOf(1.1, 24, 0.8, 8)));
        QVERIFY(!apart(Difference::FewerGpus, traitsOf(1.1, 25, 0.8, 8)));
        QVERIFY(apart(Difference::HalfTheGpus, traitsOf(1.1, 16, 0.8, 8)));
        QVERIFY(!apart(Difference::HalfTheGpus, traitsOf(1.1, 17, 0.8, 8)));
        QVERIFY(apart(Difference::LessMemory, traitsOf(1.1, 32, 0.8 * 0.85, 8)));
        QVERIFY(!apart(Difference::LessMemory, traitsOf(1.1, 32, 0.8 * 0.86, 8)));
        QVERIFY(apart(Difference::FewerStages, traitsOf(1.1, 32, 0.8, 6)));
        QVERIFY(!apart(Difference::FewerStages, traitsOf(1.1, 32, 0.8, 7)));
        QVERIFY(apart(Difference::OtherSchedule, traitsOf(1.1, 32, 0.8, 8, false, ScheduleKind::OneFOneB)));
        QVERIFY(apart(Difference::EqualStages, traitsOf(1.1, 32, 0.8, 8, true)));
        // Equal stages are nothing of their own where the fastest plan has them, or one stage alone.
        QVERIFY(!isSetApart(Difference::EqualStages, traitsOf(1.0, 32, 0.8, 8, true),
                            traitsOf(1.1, 32, 0.8, 4, true)));
        QVERIFY(
            !isSetApart(Difference::EqualStages, traitsOf(1.0, 32, 0.8, 1), traitsOf(1.1, 32, 0.8, 4, true)));
        for (const DifferenceRow& row : differenceTable())
            QVERIFY2(!apart(row.difference, fastest), row.name);
        // Surer is who is likely to fit beside one that is not, however much surer two others are.
        const PlanTraits toss = fitting(fastest, 0.52);
        QVERIFY(isSetApart(Difference::SurerToFit, toss, fitting(traitsOf(1.1, 32, 0.8, 8), 0.9)));
        QVERIFY(!isSetApart(Difference::SurerToFit, toss, fitting(traitsOf(1.1, 32, 0.8, 8), 0.899)));
        QVERIFY(!isSetApart(Difference::SurerToFit, fitting(fastest, 0.9),
                            fitting(traitsOf(1.1, 32, 0.8, 8), 1.0)));
        QVERIFY(!isSetApart(Difference::SurerToFit, toss, toss));
    }

    // However slow the others are: the fastest that is likely to fit, once, and none where the fastest is.
    void theFastestThatIsLikelyToFitIsMarked() {
        using Marks = std::vector<Difference>;
        const std::vector<PlanTraits> plans = {
            fitting(traitsOf(1.00, 32, 0.99, 8), 0.52), fitting(traitsOf(1.05, 32, 0.95, 8), 0.80),
            fitting(traitsOf(1.10, 32, 0.90, 8), 0.93), fitting(traitsOf(1.12, 32, 0.85, 8), 0.97),
            fitting(traitsOf(1.26, 32, 0.70, 8), 1.00)};
        QVERIFY(differencesFromFirst(plans) ==
                (std::vector<Marks>{{}, {}, {Difference::SurerToFit}, {}, {}}));
        for (const Marks& marks : differencesFromFirst(std::span(plans).subspan(2)))
            QVERIFY(std::ranges::find(marks, Difference::SurerToFit) == marks.end());
        MetPlans met;
        for (std::size_t i = 0; i < plans.size(); ++i) {
            MetPlan own;
            own.iteration = plans[i].iteration;
            own.space = i;
            met.keep(plans[i], own);
        }
        const auto list = met.differingFrom(plans[0]);
        QCOMPARE(list.size(), std::size_t{1});
        QCOMPARE(list.front()->space, std::size_t{2});
    }

    void theFastestOfEachIsMarked() {
        using enum Difference;
        const std::vector<PlanTraits> plans = {
            traitsOf(1.00, 32, 0.8, 8),                              // the fastest
            traitsOf(1.01, 32, 0.8, 8),                              // the same once more
            traitsOf(1.02, 32, 0.8, 4),                              // fewer stages
            traitsOf(1.02, 32, 0.8, 4),                              // as fast, but later
            traitsOf(1.05, 24, 0.6, 4),                              // fewer GPUs and less memory
            traitsOf(1.06, 24, 0.5, 4),                              // slower in both
            traitsOf(1.25, 16, 0.8, 8, true),                        // just in time
            traitsOf(1.2501, 32, 0.8, 8, true, ScheduleKind::GPipe), // too late for its schedule
        };
        using Marks = std::vector<Difference>;
        const std::vector<Marks> expected = {
            {}, {}, {FewerStages}, {}, {FewerGpus, LessMemory}, {}, {HalfTheGpus, EqualStages}, {}};
        QVERIFY(differencesFromFirst(plans) == expected);
        // Who is the fastest of both has half of them, which says it all.
        const std::vector<PlanTraits> two = {plans[0], traitsOf(1.1, 16, 0.8, 8)};
        QVERIFY(differencesFromFirst(two)[1] == Marks{HalfTheGpus});
        QVERIFY(differencesFromFirst(std::span(plans).first(1)) == std::vector<Marks>(1));
        QVERIFY(differencesFromFirst({}).empty());
    }

    void wordsHaveTheFigures() {
        const PlanTraits fastest = fitting(traitsOf(1.0, 32, 0.8, 8), 0.52);
        const PlanTraits other = fitting(traitsOf(1.1, 24, 0.6, 4, true, ScheduleKind::OneFOneB), 0.96);
        const std::map<Difference, std::vector<std::string>> figures = {
            {Difference::HalfTheGpus, {"24", "32"}},
            {Difference::FewerGpus, {"24", "32"}},
            {Difference::LessMemory, {"60 %", "80 %"}},
            {Difference::SurerToFit, {"96 %", "52 %"}},
            {Difference::OtherSchedule, {label(ScheduleKind::OneFOneB), label(ScheduleKind::H1F1B)}},
            {Difference::FewerStages, {"4", "8"}},
            {Difference::EqualStages, {"4"}}};
        for (const DifferenceRow& row : differenceTable()) {
            const Wording wording = wordingOf(row.difference, fastest, other);
            for (const std::string& figure : figures.at(row.difference))
                QVERIFY2(wording.message.find(figure) != std::string::npos, wording.message.c_str());
            QVERIFY2(wording.message.find('{') == std::string::npos, wording.message.c_str());
        }
    }

    // Whatever a search meets in whatever order: at its end it has of each difference a plan that is as fast
    // as the fastest of all.
    void whatIsKeptSuffices() {
        Random random(kDifferenceSeed);
        int marked = 0;
        std::size_t most = 0;
        for (int round = 0; round < 300; ++round) {
            std::vector<PlanTraits> all;
            for (int i = 0; i < 200; ++i)
                all.push_back(drawnTraits(random));
            const auto fastest = *std::ranges::min_element(all, {}, &PlanTraits::iteration);
            std::vector<PlanTraits> list = all;
            list.insert(list.begin(), fastest);
            std::map<Difference, double> expected; // s, of the fastest
            const auto marks = differencesFromFirst(list);
            for (std::size_t i = 0; i < list.size(); ++i)
                for (const Difference by : marks[i])
                    expected[by] = list[i].iteration;
            for (int order = 0; order < 3; ++order) {
                for (std::size_t i = all.size(); i > 1; --i)
                    std::swap(all[i - 1], all[random.below(i)]);
                MetPlans met;
                for (std::size_t i = 0; i < all.size(); ++i)
                    if (met.takes(all[i])) {
                        MetPlan own;
                        own.iteration = all[i].iteration;
                        own.space = i;
                        met.keep(all[i], std::move(own));
                    }
                std::vector<PlanTraits> kept = {fastest};
                for (const auto& plan : met.differingFrom(fastest)) {
                    kept.push_back(all[plan->space]);
                    QCOMPARE(plan->iteration, all[plan->space].iteration);
                }
                most = std::max(most, kept.size());
                std::map<Difference, double> found;
                const auto own = differencesFromFirst(kept);
                for (std::size_t i = 0; i < kept.size(); ++i)
                    for (const Difference by : own[i])
                        found[by] = kept[i].iteration;
                // One plan of several may have half the GPUs and so not be said to have fewer.
                const auto half = [](std::map<Difference, double> map) {
                    map.erase(Difference::FewerGpus);
                    return map;
                };
                QVERIFY2(half(found) == half(expected), qPrintable(QString::number(round)));
                if (expected.contains(Difference::FewerGpus) && found.contains(Difference::FewerGpus))
                    QCOMPARE(found[Difference::FewerGpus], expected[Difference::FewerGpus]);
                marked += static_cast<int>(found.size());
            }
        }
        QVERIFY(marked > 1000);
        QVERIFY(most <= 1 + differenceTable().size());
    }

    // Of plans alike in everything the one that was met first stays: its name is in the documents.
    void theFirstOfEqualsStays() {
        MetPlans met;
        for (const char* who : {"first", "second"}) {
            const PlanTraits traits = traitsOf(1.1, 16, 0.5, 4);
            QCOMPARE(met.takes(traits), std::string(who) == "first");
            MetPlan own;
            own.iteration = traits.iteration;
            own.foundBy = who;
            met.keep(traits, std::move(own));
        }
        const auto list = met.differingFrom(traitsOf(1.0, 32, 0.8, 8));
        QCOMPARE(list.size(), std::size_t{1});
        QCOMPARE(list.front()->foundBy, std::string("first"));
    }

    void guessesAreOfUseWhereNothingIsFaster() {
        const PlanTraits fastest = traitsOf(1.0, 32, 0.8, 8);
        const auto guessed = [&](const MetPlans& met) {
            std::multiset<std::string> names;
            for (const MetPlans::Guess& guess : met.promisingGuesses(fastest))
                names.insert(guess.foundBy);
            return names;
        };
        MetPlans met;
        const auto guess = [&](double about, int gpus, std::size_t stages, const char* who) {
            if (met.takesGuess(about, gpus, stages))
                met.keepGuess(about, gpus, {nullptr, Chain(stages), who});
        };
        guess(1.10, 24, 8, "24 GPUs");
        guess(1.12, 24, 8, "24 GPUs, slower");
        guess(1.20, 20, 8, "20 GPUs");
        guess(1.24, 16, 8, "16 GPUs");
        guess(1.05, 32, 6, "6 stages");
        guess(1.30, 32, 2, "too slow");
        // Two of each difference at most, the fastest first.
        QCOMPARE(guessed(met), (std::multiset<std::string>{"24 GPUs", "20 GPUs", "16 GPUs", "6 stages"}));
        MetPlan own;
        own.iteration = 1.15;
        met.keep(traitsOf(1.15, 24, 0.8, 8), std::move(own));
        QCOMPARE(guessed(met), (std::multiset<std::string>{"24 GPUs", "16 GPUs", "6 stages"}));
        QVERIFY(!met.takesGuess(1.10, 24, 8) && met.takesGuess(1.09, 24, 8));
    }

    void chainsFollowTheirSpaces() {
        MetPlans met;
        MetPlan chain;
        chain.iteration = 1.1;
        chain.space = 3;
        chain.chain = Chain(2);
        met.keep(traitsOf(1.1, 16, 0.5, 2), chain);
        met.renumber([](std::size_t space) { return space + 4; });
        QCOMPARE(met.differingFrom(traitsOf(1.0, 32, 0.8, 8)).front()->space, std::size_t{7});
    }
};

QTEST_APPLESS_MAIN(DifferenceTest)
#include "difference_test.moc"
