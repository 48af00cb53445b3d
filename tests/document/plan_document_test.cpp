// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/band.h"
#include "core/accuracy/conformal.h"
#include "core/accuracy/tie.h"
#include "core/document/plan_document.h"
#include "core/document/plan_file.h"
#include "core/search/search.h"

#include "tests/search/random_problem.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pw;

namespace {

constexpr std::uint64_t kSeed = 71133;

// Some legal plans of one problem, fastest first.
std::pair<std::shared_ptr<const Problem>, SearchOutcome> plansOf(std::uint64_t seed) {
    Random random(seed);
    for (int attempt = 0; attempt < 200; ++attempt) {
        const auto problem = test::randomProblem(random);
        SearchOutcome outcome;
        outcome.status = SearchStatus::Feasible;
        for (int i = 0; i < 60 && outcome.plans.size() < 4; ++i) {
            const auto plan = test::randomPlan(random, *problem);
            if (!plan || !checkPlan(*problem, *plan, ""))
                continue;
            auto evaluation = evaluate(*problem, *plan);
            if (evaluation)
                outcome.plans.push_back({*plan, *std::move(evaluation)});
        }
        std::sort(outcome.plans.begin(), outcome.plans.end(), [](const FoundPlan& a, const FoundPlan& b) {
            return a.evaluation.iteration < b.evaluation.iteration;
        });
        if (outcome.plans.size() == 4)
            return {problem, std::move(outcome)};
    }
    qFatal("seed %llu: no problem with four plans", static_cast<unsigned long long>(seed));
}

} // namespace

// The plan document carries what its figures are worth.
class PlanDocumentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyPlanHasItsBand() {
        for (std::uint64_t seed = kSeed; seed < kSeed + 5; ++seed) {
            const auto [problem, outcome] = plansOf(seed);
            const Json document = planDocument(*problem, outcome);
            for (std::size_t i = 0; i < outcome.plans.size(); ++i) {
                const Plan& plan = outcome.plans[i].plan;
                const Evaluation& evaluation = outcome.plans[i].evaluation;
                const ErrorBand band = errorBand(*problem, plan, evaluation);
                const Json& expected = document["plans"][i]["expected"];
                QCOMPARE(expected["share"].get<double>(), kBandShare);
                QCOMPARE(expected["low_s"].get<double>(), evaluation.iteration.value * band.low);
                QCOMPARE(expected["high_s"].get<double>(), evaluation.iteration.value * band.high);
                QVERIFY(expected["low_s"] < expected["high_s"]);
                QCOMPARE(expected["near"].get<bool>(), band.distance <= kNearDistance);
                QVERIFY(!expected["nearest"].empty() && expected["nearest"].size() <= 12);
                const std::string row = expected["nearest"][0]["row_id"];
                QVERIFY(caseText(band.cases.front()).ends_with(row));
            }
        }
    }

    void plansStandBesideTheFirst() {
        const auto [problem, outcome] = plansOf(kSeed);
        const Json document = planDocument(*problem, outcome);
        QCOMPARE(document["against_first"].size(), outcome.plans.size() - 1);
        const auto features = [&](std::size_t i) {
            return featuresOf(*problem, outcome.plans[i].plan, outcome.plans[i].evaluation);
        };
        for (std::size_t i = 1; i < outcome.plans.size(); ++i) {
            const Json& against = document["against_first"][i - 1];
            QCOMPARE(against["plan"].get<std::size_t>(), i + 1);
            const TimeComparison c = compareTimes(features(0), outcome.plans[0].evaluation.iteration,
                                                  features(i), outcome.plans[i].evaluation.iteration);
            QCOMPARE(against["first_faster"].get<double>(), c.firstFaster);
            QVERIFY(c.firstFaster >= 0.5);
            QCOMPARE(against["tie"].get<bool>(), c.firstFaster < kCertain);
        }
    }

    // Figures about a plan are made anew when it is read: nothing is taken from the file, and nothing warned
    // of.
    void readBackAsKnownKeys() {
        const auto [problem, outcome] = plansOf(kSeed);
        const Json document = planDocument(*problem, outcome);
        const auto file = readPlanFile(printJson(document), "plans.json");
        QVERIFY2(file, file ? "" : file.error().text().c_str());
        for (const Diagnostic& note : file->notes)
            QVERIFY2(note.where.find("expected") == std::string::npos &&
                         note.where.find("against") == std::string::npos,
                     note.where.c_str());
        const auto again = evaluate(*file->problem, file->plans[0]);
        QVERIFY(again);
        const Json entry = planEntry(*file->problem, file->plans[0], *again);
        const double low = entry["expected"]["low_s"], before = document["plans"][0]["expected"]["low_s"];
        QVERIFY(std::abs(low / before - 1.0) < 1e-9);
    }

    // They are counted on behind the others, and a document without them is read as ever.
    void plansThatDifferStandBehindTheOthers() {
        auto [problem, outcome] = plansOf(kSeed);
        const std::vector<FoundPlan> all = outcome.plans;
        outcome.differing = {outcome.plans[2], outcome.plans[3]};
        outcome.plans.resize(2);
        outcome.plans[1].differs = {Difference::FewerStages};
        outcome.differing[0].differs = {Difference::HalfTheGpus, Difference::LessMemory};
        outcome.differing[1].differs = {Difference::OtherSchedule};
        for (const DeviceNames names : {DeviceNames::Each, DeviceNames::Ranges}) {
            Json document = planDocument(*problem, outcome, names);
            QCOMPARE(document["plans"].size(), std::size_t{2});
            QVERIFY(document["plans"][0]["differs"].empty());
            QVERIFY(document["plans"][1]["differs"] == Json::array({"fewer_stages"}));
            QVERIFY(document["differing"][0]["differs"] == Json::array({"half_the_gpus", "less_memory"}));
            QVERIFY(document["differing"][1]["differs"] == Json::array({"other_schedule"}));
            QCOMPARE(document["differing"][1]["iteration_s"].get<double>(),
                     all[3].evaluation.iteration.value);
            QCOMPARE(document["against_first"].size(), std::size_t{1});
            const JsonReader reader(document, "plans.json");
            QCOMPARE(planEntries(reader).size(), std::size_t{4});
            QVERIFY(differencesOf(planEntries(reader)[0]).empty());
            QVERIFY(differencesOf(planEntries(reader)[2]) == outcome.differing[0].differs);
            const auto file = readPlanFile(printPlanDocument(document, names), "plans.json");
            QVERIFY2(file, file ? "" : file.error().text().c_str());
            QVERIFY2(file->notes.empty(), file->notes.empty() ? "" : file->notes.front().where.c_str());
            QCOMPARE(file->plans.size(), std::size_t{4});
            for (std::size_t i = 0; i < 4; ++i)
                QCOMPARE(evaluate(*file->problem, file->plans[i])->iteration.value,
                         all[i].evaluation.iteration.value);
            Json newer = document["differing"][1];
            newer["differs"] = {"cheaper", "other_schedule", 4};
            QVERIFY(differencesOf(JsonReader(newer, "entry")) == outcome.differing[1].differs);
            Json wrong = document;
            wrong["differing"] = 3;
            const auto refused = readPlanFile(wrong.dump(), "plans.json");
            QVERIFY(!refused);
            QVERIFY2(refused.error().where.find("/differing") != std::string::npos,
                     refused.error().where.c_str());
            document.erase("differing");
            const auto old = readPlanFile(document.dump(), "plans.json");
            QVERIFY(old && old->notes.empty() && old->plans.size() == 2);
        }
    }
};

QTEST_APPLESS_MAIN(PlanDocumentTest)
#include "plan_document_test.moc"
