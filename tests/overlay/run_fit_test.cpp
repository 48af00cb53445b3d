// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/overlay/run_fit.h"

#include "core/base/file.h"
#include "tests/exchange/made_run.h"
#include "tests/exchange/sample_plan.h"

#include <QDirIterator>
#include <QTest>

#include <cmath>

using namespace pw;

namespace {

bool near(double a, double b, double share = 1e-9) {
    return std::abs(a - b) <= share * std::max(std::abs(a), std::abs(b)) + 1e-12;
}

bool isPassOf(const char* kind) {
    return kind[0] == 'F' || kind[0] == 'B';
}
bool isUpdate(const char* kind) {
    return std::string(kind) == "update";
}

} // namespace

// Factors from a run: made ones of which one thing is as slow as the test says, and those that ship.
class RunFitTest : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() {
        m_problem = sampleProblem();
        m_plan = samplePlan();
        m_evaluation = *evaluate(*m_problem, m_plan, {.keepOps = true});
    }

    // A machine whose V100s are 1.6 times and whose links 2 times as slow as estimated: the factors say so,
    // and with them the plan is predicted as it ran.
    void factorsOfARun() {
        const auto slow = [](int, int stage, const char* kind, double s) {
            const bool pass = kind[0] == 'F' || kind[0] == 'B';
            return pass && stage >= 2 ? 1.6 * s : std::string(kind) == "send" ? 2.0 * s : s;
        };
        const auto fit = fitOf(run(slow));
        QVERIFY2(fit, fit ? "" : fit.error().text().c_str());
        QVERIFY(!fit->calibration.emulated);
        QCOMPARE(fit->stages, 4);
        QVERIFY(near(fit->calibration.kinds.at("A100-SXM4-40GB").compute, 1.0, 1e-6));
        QVERIFY(near(fit->calibration.kinds.at("V100-SXM2-16GB").compute, 1.0 / 1.6, 1e-6));
        QVERIFY(near(fit->calibration.links.begin()->second, 0.5, 0.02));
        QVERIFY(fit->before.p90 > 0.3);
        QVERIFY2(fit->after.p90 < 0.1,
                 std::to_string(fit->after.p90).c_str()); // launches and collectives stay
        const auto held = fit->crossValidated.value_or(decltype(fit->crossValidated)::value_type{});
        QVERIFY(held.count == 4 && held.p90 < 0.1);
    }

    // Only the optimizer's step is slower: its factor has that, and nothing else moves.
    void theOptimizersStepHasAFactorOfItsOwn() {
        Json made = run([](int, int, const char* kind, double s) { return isUpdate(kind) ? 4.0 * s : s; });
        double own = 0.0;
        for (const StageFigures& f : m_evaluation.pipelines[0].stages)
            own = std::max(own, f.optimizer.value);
        for (Json& step : made["steps"])
            step["seconds"] = step["seconds"].get<double>() + 3.0 * own;
        const auto fit = fitOf(made);
        QVERIFY2(fit, fit ? "" : fit.error().text().c_str());
        for (const auto& [kind, factors] : fit->calibration.kinds)
            QVERIFY2(near(factors.compute, 1.0, 1e-6), kind.c_str());
        const double factor = fit->calibration.software.at(kUpdateGroup);
        QVERIFY2(factor > 0.25 && factor < 0.26, std::to_string(factor).c_str()); // the prior draws a little
        QVERIFY(fit->calibration.fusedUpdate == Choice::Auto);
        QVERIFY(near(fit->updateBefore.value_or(ErrorFigures{}).bias, -0.75, 1e-6));
        QVERIFY(fit->updateAfter.value_or(ErrorFigures{1, 1.0, 1.0, 1.0}).p90 < 0.02);
        const ErrorFigures unseen = fit->updateCrossValidated.value_or(ErrorFigures{});
        QVERIFY(unseen.count == 4 && unseen.p90 < 0.02);
        QVERIFY(fit->errorBefore() < 0.0);
        QVERIFY2(std::abs(fit->errorOf(fit->fitted)) < 0.1 * std::abs(fit->errorBefore()),
                 std::to_string(fit->errorOf(fit->fitted)).c_str());
        // A project has no constants: there the step is predicted as before.
        QVERIFY(near(fit->errorOf(fit->inProject), fit->errorBefore(), 1e-3));
        const auto read = readCalibration(printJson(toJson(fit->calibration)), "c.json");
        QVERIFY(read && *read == fit->calibration);
    }

    // A memory of kinds that is fitted to passes is not the optimizer's: its step took as long as estimated.
    void factorsOfPassesLeaveTheOptimizersStep() {
        for (const double slower : {2.0, 0.5}) {
            const auto fit = fitOf(
                run([=](int, int, const char* kind, double s) { return isPassOf(kind) ? slower * s : s; }));
            QVERIFY2(fit, fit ? "" : fit.error().text().c_str());
            QVERIFY(near(fit->calibration.kinds.at("V100-SXM2-16GB").memory, 1.0 / slower, 1e-6));
            const double factor = fit->calibration.software.at(kUpdateGroup);
            QVERIFY2(near(factor, slower, 0.01), std::to_string(factor).c_str());
            QVERIFY(fit->updateAfter.value_or(ErrorFigures{1, 1.0, 1.0, 1.0}).p90 < 0.02);
        }
    }

    // An optimizer that steps kernel by kernel moves more bytes; that is no slow memory, and the recipe that
    // says nothing of it is predicted so from then on.
    void theStepIsPricedAsItRan() {
        Recipe recipe = m_problem->recipe();
        recipe.software.fusedUpdate = Choice::Off;
        const auto problem = Problem::make(m_problem->topology().cluster(), m_problem->model(), recipe, {});
        QVERIFY2(problem, problem ? "" : problem.error().text().c_str());
        const auto ran = evaluate(**problem, m_plan, {.keepOps = true});
        QVERIFY(ran && ran->iteration > m_evaluation.iteration);
        Json made = madeRun(*m_problem, m_plan, *ran);
        made["fused_update"] = false;
        const auto fit = fitOf(made);
        QVERIFY2(fit, fit ? "" : fit.error().text().c_str());
        QVERIFY(near(fit->calibration.software.at(kUpdateGroup), 1.0, 1e-6));
        QVERIFY(fit->calibration.fusedUpdate == Choice::Off);
        for (const FittedStep& step : {fit->fitted, fit->inProject})
            QVERIFY(std::abs(fit->errorOf(step)) < 0.1 * std::abs(fit->errorBefore()));
        const auto read = readCalibration(printJson(toJson(fit->calibration)), "c.json");
        QVERIFY(read && *read == fit->calibration);
        QVERIFY(calibrated(m_problem->recipe(), *read) == recipe);
        Recipe stated = m_problem->recipe();
        stated.software.fusedUpdate = Choice::On;
        QVERIFY(calibrated(stated, *read) == stated);
        Recipe stacked = m_problem->recipe();
        stacked.stack = "megatron-core";
        QVERIFY(calibrated(stacked, *read) == stacked);
    }

    void aRunWithoutOptimizerStepsTellsNothingOfThem() {
        Json made = run();
        Json& ops = made["ops"];
        Json kept = Json::array();
        for (const Json& op : ops)
            if (op["kind"] != "update")
                kept.push_back(op);
        ops = kept;
        made["fused_update"] = false;
        const auto fit = fitOf(made);
        QVERIFY2(fit, fit ? "" : fit.error().text().c_str());
        QVERIFY(fit->calibration.software.empty() && fit->calibration.fusedUpdate == Choice::Auto);
        QVERIFY(!fit->updateBefore && !fit->updateAfter && !fit->updateCrossValidated);
    }

    // Recording holds the first pass of a step up: neither passes nor the step are fitted to that.
    void stepsThatWereNotRecordedAreHeldAgainst() {
        const double iteration = m_evaluation.iteration.value;
        Json made = madeRun(*m_problem, m_plan, m_evaluation, 4);
        Json kept = Json::array();
        for (const Json& op : made["ops"])
            if (op["step"] == 3)
                kept.push_back(op);
        made["ops"] = kept;
        made["steps"][0]["seconds"] = 9.0 * iteration;
        made["steps"][2]["seconds"] = 1.02 * iteration;
        made["steps"][3]["seconds"] = 1.2 * iteration;
        const auto fit = fitOf(made);
        QVERIFY2(fit, fit ? "" : fit.error().text().c_str());
        QVERIFY(!fit->ofRecordedSteps);
        QVERIFY(near(fit->measured.value, std::sqrt(1.02) * iteration, 1e-6)); // between the two that count
        const auto all = fitOf(run());
        QVERIFY(all && all->ofRecordedSteps && near(all->measured.value, iteration, 1e-6));
    }

    // Passes that are estimated too slow and gaps that nobody estimates make up for each other; no factor is
    // of the latter.
    void factorsThatBringTheStepFurtherOffSaySo() {
        Json made = run([](int, int, const char* kind, double s) { return isPassOf(kind) ? 0.9 * s : s; });
        const auto fit = fitOf(made); // whose steps take as long as predicted
        QVERIFY2(fit, fit ? "" : fit.error().text().c_str());
        QVERIFY(std::abs(fit->errorBefore()) < 1e-6);
        QVERIFY(fit->after.median < fit->before.median); // of passes
        for (const FittedStep& step : {fit->fitted, fit->inProject})
            QVERIFY(fit->errorOf(step) < -0.02 && fit->isFurtherOff(step));
        // The same passes in a step that took as long as they say: nearer.
        for (Json& step : made["steps"])
            step["seconds"] = step["seconds"].get<double>() * 0.9;
        const auto nearer = fitOf(made);
        QVERIFY(nearer && !nearer->isFurtherOff(nearer->fitted));
        QVERIFY(std::abs(nearer->errorOf(nearer->fitted)) < std::abs(nearer->errorBefore()));
    }

    // What holds of every run on an H200 that ships: with its own factors it is predicted nearer.
    void shippedRunsArePredictedNearer() {
        int runs = 0, unfused = 0;
        for (QDirIterator all(QStringLiteral(PW_SOURCE_DIR "/samples/runs/h200"), {QStringLiteral("*.json")});
             all.hasNext(); ++runs) {
            const std::string file = all.next().toStdString();
            const auto text = readFile(file);
            QVERIFY2(text, file.c_str());
            const auto record = readRunRecord(*text, file);
            QVERIFY2(record, file.c_str());
            const auto fit = fitRun(*record);
            QVERIFY2(fit, fit ? "" : fit.error().text().c_str());
            const double before = fit->errorBefore(), after = fit->errorOf(fit->fitted);
            const double factor = fit->calibration.software.at(kUpdateGroup);
            const std::string says = file + ": " + std::to_string(before) + " to " + std::to_string(after) +
                                     ", update " + std::to_string(factor);
            QVERIFY2(std::abs(after) < std::abs(before) && std::abs(after) < 0.02, says.c_str());
            QVERIFY2(!fit->isFurtherOff(fit->fitted) && !fit->ofRecordedSteps, says.c_str());
            QVERIFY2(fit->updateAfter.value_or(ErrorFigures{1, 1.0, 1.0, 1.0}).median < 0.05, says.c_str());
            const bool fused = record->fusedUpdate.value_or(false);
            QCOMPARE(fit->calibration.fusedUpdate, fused ? Choice::Auto : Choice::Off);
            // Bytes that are counted kernel by kernel are moved at near the memory's rate.
            QVERIFY2(fused ? factor < 0.5 : factor > 0.45 && factor < 1.1, says.c_str());
            unfused += fused ? 0 : 1;
        }
        QVERIFY(runs >= 9 && unfused >= 7);
    }

    // As near as before is not further off, on either side of what was measured.
    void furtherOffIsByWhatAViewShows() {
        RunFit fit;
        fit.measured = Seconds(1.0);
        const auto further = [&](double before, double after) {
            fit.iterationBefore = Seconds(before);
            return fit.isFurtherOff({Seconds(after), std::nullopt});
        };
        QVERIFY(further(0.944, 0.882) && further(1.0, 1.01) && further(0.95, 1.06));
        QVERIFY(!further(0.882, 0.944) && !further(0.95, 1.05) && !further(1.0, 1.0004) &&
                !further(1.0, 1.0));
    }

    void factorsOfAnEmulatedRunAreMarked() {
        Json made = slowed(run(), 100.0);
        made["emulated"] = true;
        const auto fit = fitOf(made);
        QVERIFY(fit && fit->calibration.emulated && fit->calibration.links.empty());
        QVERIFY(fit->calibration.software.empty() && !fit->updateAfter); // no GPU stepped
        for (const auto& [kind, factors] : fit->calibration.kinds)
            QVERIFY2(near(factors.compute, 1.0, 1e-6), kind.c_str()); // as slow throughout
        const auto read = readCalibration(printJson(toJson(fit->calibration)), "c.json");
        QVERIFY(read && *read == fit->calibration);
        made.erase("plan_document");
        QCOMPARE(fitOf(made).error().code, std::string("run.document"));
    }

private:
    Json run(const RunSeconds& seconds = {}) const {
        return madeRun(*m_problem, m_plan, m_evaluation, 3, seconds);
    }
    static Result<RunFit> fitOf(const Json& made) {
        const auto record = readRunRecord(printJson(made), "run.json");
        if (!record)
            qFatal("%s", record.error().text().c_str());
        return fitRun(*record);
    }

    std::shared_ptr<const Problem> m_problem;
    Plan m_plan;
    Evaluation m_evaluation;
};

QTEST_GUILESS_MAIN(RunFitTest)
#include "run_fit_test.moc"
