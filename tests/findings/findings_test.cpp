// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/memory_cases.h"
#include "core/evaluate/deciding_stages.h"
#include "core/evaluate/evaluation.h"
#include "core/findings/findings.h"
#include "core/whatif/whatif.h"
#include "tests/search/random_problem.h"
#include "tests/whatif/edited_plan.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <string>

using namespace pw;

class FindingsTest : public QObject {
    Q_OBJECT

private:
    static const Finding* find(const Findings& findings, const char* rule) {
        for (const Finding& finding : findings.list)
            if (finding.rule == rule)
                return &finding;
        return nullptr;
    }

private Q_SLOTS:
    // What is promised is what comes out.
    void everyGainIsTheDifferenceOfTwoEvaluations() {
        constexpr std::uint64_t kSeed = 11;
        qInfo("seed %llu", static_cast<unsigned long long>(kSeed));
        Random random(kSeed);
        int remedies = 0, tight = 0, sure = 0;
        for (int round = 0; round < 60; ++round) {
            const auto problem = test::randomProblem(random);
            const auto plan = test::randomPlan(random, *problem);
            if (!plan || !evaluate(*problem, *plan))
                continue;
            const Result<Findings> findings = findingsOf(problem, *plan);
            QVERIFY(findings);
            const Result<Evaluation> now = evaluate(*problem, *plan);
            const double chance = chanceToFit(*problem, *now);
            QCOMPARE(find(*findings, "tight") != nullptr, now->feasible && chance < 0.9);
            tight += find(*findings, "tight") ? 1 : 0;
            sure += now->feasible && chance >= 0.9 ? 1 : 0;
            for (const Finding& finding : findings->list) {
                QVERIFY(!finding.text.empty());
                // A search is the way out of that alone, and it asks for no less than what nobody is warned
                // of.
                QCOMPARE(finding.searchChance, finding.rule == "tight" ? kLikelyToFit : 0.0);
                QCOMPARE(finding.remedy.empty(), !finding.plan && !finding.problem);
                if (finding.remedy.empty())
                    continue;
                const Result<Evaluation> then =
                    finding.plan ? evaluate(*problem, *finding.plan) : evaluate(*finding.problem, *plan);
                QVERIFY(then && then->feasible);
                QCOMPARE(finding.iteration.value, then->iteration.value);
                QCOMPARE(finding.gain.value, now->iteration.value - then->iteration.value);
                QVERIFY(finding.severity == Severity::Error || finding.gain.value > 0.0);
                ++remedies;
            }
        }
        QVERIFY(remedies > 40);
        QVERIFY2(tight > 2 && sure > 2, qPrintable(QStringLiteral("%1 tight, %2 sure").arg(tight).arg(sure)));
    }

    void aSlowStageIsNamedWithTheMoveThatHelps() {
        const auto problem = test::editProblem();
        const Result<Plan> skewed = whatif::moveBoundary(*problem, test::editPlan(*problem), 0, 11);
        const Result<Findings> findings = findingsOf(problem, *skewed);
        QVERIFY(findings);
        const Finding* slow = find(*findings, "slow-stage");
        QVERIFY(slow);
        QVERIFY(slow->text.find("slower than the mean") != std::string::npos);
        QVERIFY(slow->remedy.starts_with("move "));
        QVERIFY(slow->plan && slow->gain.value > 0.0);
    }

    // Above what the schedule asks of the stage that idles least, with what most of the idle time goes to.
    void aStageThatIdlesIsNamedWithItsCause() {
        const auto problem = test::editProblem();
        const Result<Plan> skewed = whatif::moveBoundary(*problem, test::editPlan(*problem), 0, 11);
        QVERIFY(skewed);
        const Result<Evaluation> now = evaluate(*problem, *skewed, {.keepOps = true});
        QVERIFY(now);
        const std::vector<IdleTime> idle = idleByCause(now->pipelines.front(), now->iteration);
        const auto total = [](const IdleTime& time) { return time.total().value; };
        const auto worst = std::ranges::max_element(idle, {}, total);
        const auto least = std::ranges::min_element(idle, {}, total);
        QVERIFY(total(*worst) - total(*least) > 0.12 * now->iteration.value);
        const Result<Findings> findings = findingsOf(problem, *skewed);
        QVERIFY(findings);
        const Finding* found = find(*findings, "idle-stage");
        QVERIFY(found);
        QCOMPARE(found->stage, static_cast<int>(worst - idle.begin()));
        QVERIFY(found->text.starts_with("stage " + std::to_string(found->stage) + " is idle "));
        const Seconds ends = worst->warmUp + worst->coolDown;
        const char* cause = worst->transfer > std::max(ends, worst->slowerStage) ? "waits for transfers"
                            : ends > worst->slowerStage                          ? "is warm-up and cool-down"
                                                        : "waits for slower stages: its passes take ";
        QVERIFY2(found->text.find(cause) != std::string::npos, found->text.c_str());
    }

    // Over a slow link nearly all of the time goes to it, and that the plan as it is gains little by a faster
    // one is said to be no measure of its worth.
    void aLinkThatIsAlwaysBusyIsNamed() {
        const auto found = [](double gigabits) {
            Project project = smallProject();
            project.model->blocks = 8;
            project.cluster.links[2].bandwidth = BytesPerSecond(gigabits * 1.25e8); // of n3
            const auto problem = problemOf(project);
            return findingsOf(*problem, test::editPlan(**problem));
        };
        const Result<Findings> slow = found(0.5);
        QVERIFY(slow);
        const Finding* busy = find(*slow, "busy-link");
        QVERIFY(busy);
        QCOMPARE(busy->link, std::string("n3-s1"));
        QVERIFY2(busy->text.starts_with("link n3-s1 (0.5 Gbit/s) is busy ") &&
                     busy->text.find("% of the iteration: plans are made") != std::string::npos,
                 busy->text.c_str());
        QVERIFY2(busy->remedy.empty() || busy->remedy == "give link n3-s1 1 Gbit/s and keep the plan",
                 busy->remedy.c_str());
        const Result<Findings> fast = found(400.0);
        QVERIFY(fast && !find(*fast, "busy-link"));
    }

    // Every stage that decides the time is in one finding, which names no other; what helps is looked for at
    // both ends of them.
    void stagesThatDecideTogetherAreOneFinding() {
        const auto problem = test::editProblem();
        Plan plan = test::editPlan(*problem);
        Pipeline& pipeline = plan.pipelines.front(); // two stages alike between two quick ones
        pipeline.schedule.launch = {4, 3, 2, 1};
        pipeline.stages = {
            test::stageOn(*problem, layersOfBlocks(0, 1, 8), {"n1.g0", "n1.g1"}, 1),
            test::stageOn(*problem, layersOfBlocks(1, 4, 8), {"n1.g2", "n1.g3"}, 1),
            test::stageOn(*problem, layersOfBlocks(4, 7, 8), {"n1.g4", "n1.g5"}, 1),
            test::stageOn(*problem, layersOfBlocks(7, 8, 8), {"n2.g0", "n2.g1", "n2.g2", "n2.g3"}, 1)};
        const Result<Evaluation> now = evaluate(*problem, plan);
        QVERIFY(now);
        const std::vector<int> deciding = {1, 2};
        QCOMPARE(decidingStages(*now).stages, deciding);
        const Result<Findings> findings = findingsOf(problem, plan);
        QVERIFY(findings);
        const Finding* slow = find(*findings, "slow-stage");
        QVERIFY(slow);
        QCOMPARE(slow->severity, Severity::Warning);
        QCOMPARE(slow->stage, 1);
        QCOMPARE(slow->stages, deciding);
        QVERIFY2(slow->text.starts_with("stages 1 and 2 are ") &&
                     slow->text.ends_with(" % slower than the mean of the stages"),
                 slow->text.c_str());
        // From the last of them: from the first the same way leads to stage 3.
        QCOMPARE(slow->remedy, std::string("move a block to stage 1 and one from there to stage 0"));
        for (const Finding& other : findings->list)
            if (other.rule == "slow-stage" && &other != slow)
                QVERIFY(other.stages.empty() && !std::ranges::binary_search(deciding, other.stage));
    }

    void unusedDevicesAndNeedlessRecompute() {
        const auto problem = test::editProblem();
        const Result<Plan> full =
            whatif::setRecompute(*problem, test::editPlan(*problem), 0, Recompute::Full);
        const Result<Findings> findings = findingsOf(problem, *full);
        QVERIFY(findings);
        const Finding* unused = find(*findings, "unused");
        QVERIFY(unused);
        QCOMPARE(unused->text, std::string("10 A100-40 are in no stage"));
        QVERIFY(unused->link.empty()); // they hang on the same switch as those of the plan
        const Finding* recompute = find(*findings, "recompute");
        QVERIFY(recompute);
        QCOMPARE(recompute->stage, 0);
        QCOMPARE(recompute->remedy, std::string("do without recompute in stage 0"));
    }

    // Two sites over a slow link: the finding names it as what the idle site hangs on. Where the link is as
    // fast as the others nothing is named.
    void whatUnusedDevicesHangOnIsNamed() {
        for (const double gbit : {1.0, 100.0}) {
            Project project = smallProject();
            project.model->blocks = 8;
            project.cluster.links.clear();
            project.cluster.switches = {{"s1", "Ethernet", {}}, {"s2", "Ethernet", {}}};
            const auto cable = [&](const char* a, const char* b, double rate) {
                project.cluster.links.push_back({std::string(a) + "-" + b, a, b,
                                                 BytesPerSecond(rate * 1e9 / 8.0), 1, Seconds(5e-6), 0.9});
            };
            cable("n1", "s1", 100.0);
            cable("n2", "s2", 100.0);
            cable("n3", "s1", 100.0);
            cable("s1", "s2", gbit);
            const Result<std::shared_ptr<const Problem>> problem = problemOf(project);
            QVERIFY(problem);
            Plan plan = test::editPlan(**problem);
            std::vector<Stage>& stages = plan.pipelines.front().stages;
            const int blocks = static_cast<int>((*problem)->model().blocks);
            stages[1] = test::stageOn(**problem, layersOfBlocks(3, 6, blocks), {"n1.g4", "n1.g5"}, 1);
            QVERIFY(checkPlan(**problem, plan, "plan"));
            const Result<Findings> findings = findingsOf(*problem, plan);
            QVERIFY(findings);
            const Finding* unused = find(*findings, "unused");
            QVERIFY(unused);
            // n1 has free GPUs too, beside those of the plan: the way from there is not narrow.
            QVERIFY(unused->link.empty());
            project.forbidden = {"n1.g6", "n1.g7"};
            const Result<std::shared_ptr<const Problem>> others = problemOf(project);
            QVERIFY(others);
            const Result<Findings> elsewhere = findingsOf(*others, plan);
            QVERIFY(elsewhere);
            const Finding* far = find(*elsewhere, "unused");
            QVERIFY(far);
            QCOMPARE(far->link, std::string(gbit < 10.0 ? "s1-s2" : ""));
            QCOMPARE(far->text.ends_with("narrows to link s1-s2 (1 Gbit/s)"), gbit < 10.0);
        }
    }

    void whatDoesNotFitIsAnErrorWithTheWayOut() {
        const auto roomy = test::editProblem();
        const Plan plan = test::editPlan(*roomy);
        const Result<Evaluation> now = evaluate(*roomy, plan);
        QVERIFY(now);
        Project tight = smallProject(); // the V100s have room for 97 % of what they need
        tight.model->blocks = 8;
        for (const DeviceMemory& m : now->memory)
            if (m.stage == 2)
                tight.cluster.nodes[2].memoryTaken =
                    roomy->topology().kindOf(m.device).memory - 0.97 * m.peak.total();
        const auto problem = problemOf(tight);
        QVERIFY(problem);
        const Result<Findings> findings = findingsOf(*problem, plan);
        QVERIFY(findings && !findings->list.empty());
        QCOMPARE(findings->list.front().severity, Severity::Error);
        QCOMPARE(findings->list.front().stage, 2);
        QVERIFY(findings->list.front().text.starts_with("stage 2 needs "));
        QVERIFY(!findings->list.front().remedy.empty());
        QVERIFY(!findings->lacking.empty()); // the other rules wait
    }

    // Another order of the passes is what helps; whoever cannot run it is told of nothing but what it can.
    void nothingIsAdvisedThatTheRunnerCannotRun() {
        constexpr std::uint64_t kSeed = 23;
        qInfo("seed %llu", static_cast<unsigned long long>(kSeed));
        Random random(kSeed);
        int advised = 0, otherOrders = 0, refused = 0;
        for (int round = 0; round < 40; ++round) {
            const auto problem = test::randomProblem(random);
            const auto plan = test::randomPlan(random, *problem);
            if (!plan || plan->pipelines.size() != 1 || !evaluate(*problem, *plan))
                continue;
            const ScheduleKind kind = plan->pipelines.front().schedule.kind;
            const PlanRunner same{"a trainer", [kind](const Problem&, const Plan& p) {
                                      return p.pipelines.front().schedule.kind == kind;
                                  }};
            const Result<Findings> any = findingsOf(problem, *plan);
            const Result<Findings> limited = findingsOf(problem, *plan, {}, same);
            QVERIFY(any && limited);
            for (const Finding& finding : any->list)
                otherOrders += finding.plan && !same.runs(*problem, *finding.plan) ? 1 : 0;
            for (const Finding& finding : limited->list) {
                QVERIFY(!finding.plan || same.runs(*problem, *finding.plan));
                advised += finding.plan ? 1 : 0;
            }
            refused += limited->refused;
            QCOMPARE(any->refused, 0);
            QCOMPARE(limited->refused > 0,
                     !limited->lacking.empty() &&
                         limited->lacking.back() ==
                             std::to_string(limited->refused) + " edits to plans that a trainer cannot run");
        }
        QVERIFY2(advised > 20 && otherOrders > 0 && refused > 0,
                 qPrintable(QStringLiteral("%1 %2 %3").arg(advised).arg(otherOrders).arg(refused)));
    }

    // Of a plan that it cannot run as it stands nothing is left out, which is said.
    void whatTheRunnerCannotRunAnywayIsJudgedForAnybody() {
        const auto problem = test::editProblem();
        const Result<Plan> skewed = whatif::moveBoundary(*problem, test::editPlan(*problem), 0, 11);
        const Result<Findings> any = findingsOf(problem, *skewed);
        const Result<Findings> none = findingsOf(
            problem, *skewed, {}, {"a trainer", [](const Problem&, const Plan&) { return false; }});
        QVERIFY(any && none);
        QCOMPARE(none->tried, any->tried);
        QCOMPARE(none->list.size(), any->list.size());
        QCOMPARE(none->refused, 0);
        QCOMPARE(none->lacking.size(), any->lacking.size() + 1);
        QVERIFY(none->lacking.back().find("a trainer") != std::string::npos);
    }

    void stopsWhenAsked() {
        const auto problem = test::editProblem();
        std::stop_source source;
        source.request_stop();
        const Result<Findings> findings = findingsOf(problem, test::editPlan(*problem), source.get_token());
        QVERIFY(findings && findings->stopped && findings->tried == 0);
    }
};

QTEST_APPLESS_MAIN(FindingsTest)
#include "findings_test.moc"
