// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/document/plan_file.h"
#include "core/exchange/imports/import_table.h"
#include "core/project/project.h"
#include "core/search/planners.h"
#include "core/search/proof/certificate.h"
#include "core/search/search.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <cmath>

using namespace pw;

namespace {

const std::filesystem::path kShipped = std::filesystem::path(PW_SOURCE_DIR) / "samples";
constexpr double kTolerance = 1e-6; // relative, against samples/expected: other compilers, other last bits

std::string textOf(const std::filesystem::path& path) {
    const Result<std::string> text = readFile(path);
    if (!text)
        qFatal("%s", text.error().text().c_str());
    return *text;
}

std::shared_ptr<const Problem> make(Cluster cluster, Model model, Recipe recipe,
                                    std::vector<ProfileRow> profiles = {},
                                    std::vector<std::string> forbidden = {}) {
    Space space;
    space.forbidden = std::move(forbidden);
    auto problem =
        Problem::make(std::move(cluster), std::move(model), std::move(recipe), std::move(profiles), space);
    if (!problem)
        qFatal("%s", problem.error().text().c_str());
    return *problem;
}

SearchOutcome plan(const std::shared_ptr<const Problem>& problem) {
    SearchObserver nobody;
    auto outcome = search(problem, SearchOptions{}, nobody, {});
    if (!outcome)
        qFatal("%s", outcome.error().text().c_str());
    return *std::move(outcome);
}

// Every plan is legal, fits, and is not faster than the bound. Empty if so.
QString fault(const Problem& problem, const SearchOutcome& outcome) {
    for (const FoundPlan& found : outcome.plans) {
        if (const Status sound = checkPlan(problem, found.plan, "plan"); !sound)
            return sound.error().text().c_str();
        const auto again = evaluate(problem, found.plan);
        if (!again || again->iteration != found.evaluation.iteration)
            return "another time when evaluated again";
        for (const DeviceMemory& m : again->memory)
            if (m.peak.total() > m.capacity)
                return "more than the memory of " +
                       QString::fromStdString(
                           problem.topology().devices()[static_cast<std::size_t>(m.device)].id);
        if (again->iteration.value < outcome.bound.value.value * (1 - 1e-9))
            return "faster than the lower bound";
    }
    if (outcome.bound.certificate && !provesBound(problem, *outcome.bound.certificate, outcome.bound.value))
        return "a certificate that does not prove the bound";
    return {};
}

} // namespace

// Plans for what ships.
class SamplesPlansTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyModelOnEveryCluster_data() {
        QTest::addColumn<QString>("cluster");
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("gbs");
        QTest::addColumn<int>("seq");
        for (const char* cluster : {"mixed-16", "mixed-64"})
            for (const char* model : {"gpt-neo-2.7b", "opt-350m", "gpt3-1.3b", "llama3-8b", "llama3-70b"}) {
                const bool large = QByteArray(cluster) == "mixed-64";
                QTest::addRow("%s on %s", model, cluster)
                    << cluster << model << (large ? 512 : 256) << (large && model[0] == 'l' ? 4096 : 2048);
            }
    }
    void everyModelOnEveryCluster() {
        QFETCH(QString, cluster);
        QFETCH(QString, model);
        QFETCH(int, gbs);
        QFETCH(int, seq);
        const std::filesystem::path file = kShipped / "clusters" / (cluster.toStdString() + ".json");
        const auto drawn = readCluster(textOf(file), file.string());
        const auto read = readModelFile(kShipped / "models" / (model.toStdString() + ".json"));
        QVERIFY(drawn && read);
        Recipe recipe;
        recipe.gbs = gbs;
        recipe.seq = seq;
        const auto problem = make(*drawn, *read, recipe);
        const SearchOutcome outcome = plan(problem);
        // 70.6e9 parameters of 18 bytes are 1183 GiB; mixed-16 has 427 beside the reserve.
        const bool fits = model != "llama3-70b" || cluster != "mixed-16";
        if (!fits) {
            QCOMPARE(outcome.status, SearchStatus::Infeasible);
            QVERIFY(outcome.plans.empty() && !outcome.reasons.empty());
            const QString reason = QString::fromStdString(outcome.reasons.front().message);
            QVERIFY2(reason.contains("1182.7 GiB") && reason.contains("427.2 GiB"), qPrintable(reason));
            return;
        }
        QVERIFY2(!outcome.plans.empty(), name(outcome.status));
        const QString wrong = fault(*problem, outcome);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        qInfo("%.4f s, bound %.4f s (gap %.1f %%), %s, in %.2f s",
              outcome.plans.front().evaluation.iteration.value, outcome.bound.value.value,
              100 * outcome.gap(), stagePattern(*problem, outcome.plans.front().plan).c_str(), outcome.wall);
    }

    // The measured project against what stands beside the samples. PW_UPDATE_EXPECTED=1 writes it anew.
    void measuredProjectAsExpected() {
        const std::filesystem::path file = kShipped / "projects" / "measured-16.pwx";
        const auto project = readProject(textOf(file), file.string());
        QVERIFY(project);
        const auto asked = problemOf(*project);
        QVERIFY(asked);
        const SearchOutcome best = plan(*asked);
        QVERIFY(!best.plans.empty());
        const auto fast =
            make(project->cluster, *project->model, project->recipe, project->profiles, {"V100-SXM2-16GB"});
        const SearchOutcome alone = plan(fast);
        QVERIFY(!alone.plans.empty());
        for (const auto& [problem, outcome] : {std::pair{*asked, &best}, std::pair{fast, &alone}}) {
            const QString wrong = fault(*problem, *outcome);
            QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        }
        const std::filesystem::path plans = kShipped / "plans" / "measured-16-uniform.json";
        const auto uniform = readPlanFile(textOf(plans), plans.string());
        QVERIFY2(uniform, uniform ? "" : uniform.error().text().c_str());
        const auto judged = evaluate(**asked, uniform->plans.front());
        QVERIFY(judged);
        QVERIFY(judged->feasible);

        const Json now = {{"schema", "pipewright-expected-1"},
                          {"project", "projects/measured-16.pwx"},
                          {"planner", best.planner},
                          {"relative_tolerance", kTolerance},
                          {"best_iteration_s", best.plans.front().evaluation.iteration.value},
                          {"lower_bound_s", best.bound.value.value},
                          {"uniform_iteration_s", judged->iteration.value},
                          {"a100_only_iteration_s", alone.plans.front().evaluation.iteration.value}};
        qInfo("%s", now.dump(1).c_str());
        // Using everything, well divided, beats both simple ways.
        QVERIFY(now["best_iteration_s"] < now["uniform_iteration_s"]);
        QVERIFY(now["best_iteration_s"] < now["a100_only_iteration_s"]);

        const std::filesystem::path expected = kShipped / "expected" / "measured-16.json";
        if (qEnvironmentVariableIsSet("PW_UPDATE_EXPECTED")) {
            std::filesystem::create_directories(expected.parent_path());
            const Status written = writeFileAtomically(expected, now.dump(2) + "\n");
            QVERIFY(written);
            return;
        }
        const auto before = parseJson(textOf(expected), expected.string());
        QVERIFY(before);
        for (const auto& [key, value] : now.items()) {
            QVERIFY2(before->contains(key), key.c_str());
            if (!value.is_number_float()) {
                QVERIFY2((*before)[key] == value, key.c_str());
                continue;
            }
            const double then = (*before)[key];
            QVERIFY2(std::abs(value.get<double>() - then) <= kTolerance * then,
                     qPrintable(QString("%1: %2, expected %3")
                                    .arg(key.c_str())
                                    .arg(value.get<double>(), 0, 'g', 12)
                                    .arg(then, 0, 'g', 12)));
        }
    }

    // A comparison on measured times: the plan that Metis found for this input, in 319 s, is judged here
    // beside what the default planner finds.
    void measuredFleetIsPlannedAsWellAsByMetis() {
        const std::filesystem::path file = kShipped / "projects" / "measured-32.pwx";
        const auto project = readProject(textOf(file), file.string());
        QVERIFY2(project, project ? "" : project.error().text().c_str());
        const auto asked = problemOf(*project);
        QVERIFY(asked);
        const std::filesystem::path plans = kShipped / "plans" / "measured-32-metis.json";
        const auto metis = readPlanFile(textOf(plans), plans.string());
        QVERIFY2(metis, metis ? "" : metis.error().text().c_str());
        const auto judged = evaluate(**asked, metis->plans.front());
        QVERIFY(judged && judged->feasible);
        QCOMPARE(judged->measuredShare, 1.0);
        const SearchOutcome best = plan(*asked);
        QVERIFY(!best.plans.empty());
        const QString wrong = fault(**asked, best);
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        const double own = best.plans.front().evaluation.iteration.value;
        qInfo("%.3f s, Metis' plan %.3f s, bound %.3f s", own, judged->iteration.value,
              best.bound.value.value);
        QVERIFY(own <= judged->iteration.value * (1 + 1e-9));
        QVERIFY(best.bound.value.value <= judged->iteration.value);
    }
};

QTEST_APPLESS_MAIN(SamplesPlansTest)
#include "samples_plans_test.moc"
