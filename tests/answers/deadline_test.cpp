// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/answer_tables.h"
#include "core/answers/deadline.h"
#include "tests/answers/small_question.h"

#include <QTest>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace pw;

namespace {

DeadlineAnswer ask(const std::shared_ptr<const Problem>& problem, double seconds) {
    int calls = 0;
    const auto answer = meetDeadline(problem, Seconds(seconds), test::searcherOf(calls), {});
    if (!answer)
        qFatal("%s", answer.error().text().c_str());
    return *answer;
}

} // namespace

class DeadlineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Every set of nodes searched by itself.
    void initTestCase() {
        m_problem = test::smallQuestion();
        m_groups = nodeGroups(*m_problem);
        QCOMPARE(m_groups.size(), std::size_t{2});
        int calls = 0;
        const Searcher searcher = test::searcherOf(calls);
        for (int a = 0; a <= 2; ++a)
            for (int b = 0; b <= 2; ++b) {
                if (a + b == 0)
                    continue;
                const auto part = withCounts(*m_problem, m_groups, {a, b});
                QVERIFY(part);
                const auto outcome = searcher(*part);
                QVERIFY(outcome);
                m_times[{a, b}] = outcome->plans.empty() ? std::numeric_limits<double>::infinity()
                                                         : outcome->plans.front().evaluation.iteration.value;
            }
    }

    // Nodes of one kind and size that differ in their links are told apart by their names.
    void groupsThatLookAlikeAreNamedWithTheirNodes() {
        std::vector<test::DrawnNode> nodes;
        for (int n = 0; n < 9; ++n) // n1, n3, n5, n7 are slower; n9 is another kind
            nodes.push_back(
                {n == 8 ? "V100-SXM2-32GB" : "A100-SXM4-40GB", 4, n < 8 && n % 2 == 0 ? 25.0 : 100.0});
        nodes.push_back({"A100-SXM4-40GB", 4, 100.0});
        nodes.push_back({"A100-SXM4-40GB", 4, 100.0});
        nodes.push_back({"A100-SXM4-40GB", 4, 100.0});
        const auto problem = test::problemOf(test::drawnCluster(nodes), m_problem->model(), 64, 2048);
        QStringList names;
        for (const NodeGroup& group : nodeGroups(*problem))
            names << QString::fromStdString(group.name);
        QCOMPARE(names, (QStringList{QStringLiteral("A100-40 x4 of n1, n3, n5 and others"),
                                     QStringLiteral("A100-40 x4 of n2, n4, n6 and others"),
                                     QStringLiteral("V100-32 x4")}));
        QCOMPARE(m_groups[0].name, std::string("A100-40 x4")); // the only one: its kind is enough
    }

    void fewestGpusAreThoseOfTrial() {
        int met = 0;
        for (const auto& [unused, time] : m_times) {
            if (!std::isfinite(time))
                continue;
            const double deadline = time * 1.001;
            int fewest = std::numeric_limits<int>::max();
            for (const auto& [counts, other] : m_times)
                if (other <= deadline)
                    fewest = std::min(fewest, gpusOf(m_groups, counts));
            const DeadlineAnswer answer = ask(m_problem, deadline);
            QVERIFY(answer.met);
            QVERIFY(answer.best.iteration.value <= deadline);
            QCOMPARE(answer.outcome.plans.front().evaluation.iteration.value, answer.best.iteration.value);
            QVERIFY2(answer.best.gpus <= fewest,
                     qPrintable(QStringLiteral("%1 GPUs, by trial %2").arg(answer.best.gpus).arg(fewest)));
            QVERIFY(usedGpus(answer.outcome.plans.front().plan) <= answer.best.gpus);
            QVERIFY(answer.searches <= answer.searchLimit);
            ++met;
        }
        QVERIFY(met >= 5);
    }

    void provenSetsHaveNoPlan() {
        int proven = 0;
        for (const auto& [unused, time] : m_times) {
            if (!std::isfinite(time))
                continue;
            const DeadlineAnswer answer = ask(m_problem, time * 1.001);
            for (const NodeSet& set : answer.smaller) {
                QVERIFY(set.gpus < answer.best.gpus);
                QVERIFY(!set.proven || m_times.at(set.counts) > answer.deadline.value);
                proven += set.proven ? 1 : 0;
            }
            if (answer.fewest)
                for (const auto& [counts, other] : m_times)
                    QVERIFY(gpusOf(m_groups, counts) >= answer.best.gpus || other > answer.deadline.value);
        }
        QVERIFY(proven > 0);
    }

    void outOfReachSaysWhatWouldHelp() {
        const double fastest = m_times.at({2, 2});
        const DeadlineAnswer answer = ask(m_problem, fastest / 10.0);
        QVERIFY(!answer.met);
        QVERIFY(answer.all.proven);
        QVERIFY(answer.extras.size() >= 2 && !answer.enough());
        QCOMPARE(answer.extras[1].nodes, 1);
        QVERIFY(answer.extras[0].iteration <= answer.extras[1].iteration);
        QCOMPARE(m_groups[static_cast<std::size_t>(answer.extras[0].group)].gpus, 4); // A100 before V100
        QVERIFY(answer.extras[0].iteration.value < fastest);
        const auto refused = refusalOf(answer);
        QVERIFY(refused && refused->kind == ErrorKind::Infeasible);
        QVERIFY(refused->reasons.size() >= 4);
        for (const Error& reason : refused->reasons) // what would help is no reason of the refusal
            QCOMPARE(reason.code == "deadline.one_more", reason.message.find(" of ") != std::string::npos &&
                                                             reason.message.find(" more node") <= 8);
        QCOMPARE(refused->reasons.back().code, std::string("deadline.one_more"));
    }

    void extraNodeIsOneOfItsGroup() {
        for (const NodeGroup& group : m_groups) {
            const auto larger = withExtraNodes(*m_problem, group);
            QVERIFY2(larger, larger ? "" : larger.error().text().c_str());
            int grown = 0;
            for (const NodeGroup& now : nodeGroups(**larger))
                grown += now.name == group.name && now.count() == group.count() + 1 ? 1 : 0;
            QCOMPARE(grown, 1); // in the same class: its links are alike
        }
    }

    // A drawing that is too small by far: the fewest more nodes of one kind that do, with what one fewer
    // takes, each as a search of such a drawing finds it.
    void aDrawingThatIsTooSmallIsToldHowMuch() {
        const double all = m_times.at({2, 2});
        int told = 0;
        for (const double share : {0.8, 0.6, 0.45, 1e-4}) {
            const DeadlineAnswer answer = ask(m_problem, share * all);
            QVERIFY(!answer.met && answer.searches <= answer.searchLimit);
            const ExtraNode* enough = answer.enough();
            const AnswerTable table = tablesOf(answer).front();
            QCOMPARE(table.text.find("met with ") != std::string::npos, enough != nullptr);
            QCOMPARE(table.rows.size(), answer.extras.size());
            if (share < 1e-3)
                QVERIFY(!enough);
            if (!enough || enough->nodes == 1)
                continue;
            ++told;
            const ExtraNode& tooFew = enough->nodes > 2 ? answer.extras.back() : answer.extras.front();
            QVERIFY(!answer.meets(tooFew) && tooFew.nodes == enough->nodes - 1);
            QVERIFY(enough->nodes == 2 || tooFew.group == enough->group);
            int calls = 0;
            const auto group = static_cast<std::size_t>(enough->group);
            const auto direct =
                test::searcherOf(calls)(*withExtraNodes(*m_problem, answer.groups[group], enough->nodes));
            QVERIFY(direct && direct->plans.front().evaluation.iteration.value <= share * all);
            QVERIFY(std::abs(direct->plans.front().evaluation.iteration / enough->iteration - 1.0) < 1e-9);
        }
        QVERIFY(told > 0);
    }

    // A run's deadline: what it takes instead, in days.
    void aRunIsToldInDays() {
        const auto run = parseRunDeadline("3 days for 1M iterations");
        QVERIFY(run);
        const Recipe& recipe = m_problem->recipe();
        DeadlineAnswer answer = ask(m_problem, run->ofIteration(recipe).value);
        answer.run = *run;
        const std::string text = tablesOf(answer).front().text;
        QVERIFY2(text.starts_with("a deadline of 3 days for 1M iterations, 259.2 ms an iteration: "),
                 text.c_str());
        const double days = (answer.met ? answer.best : answer.all).iteration.value * 1e6 / 86400.0;
        QVERIFY2(text.find(fmt::format(", the run {:.3g} days", days)) != std::string::npos, text.c_str());
        QCOMPARE(toJson(answer)["run"]["stated"].get<std::string>(), std::string("3 days for 1M iterations"));
        QCOMPARE(toJson(answer)["run"]["iterations"].get<double>(), 1e6);
        QCOMPARE(run->ofRun(run->ofIteration(recipe), recipe).value, 3.0 * 86400.0);
    }

    void sameAnswerTwice() {
        const double deadline = m_times.at({2, 0}) * 1.02;
        const Json first = toJson(ask(m_problem, deadline)), second = toJson(ask(m_problem, deadline));
        QCOMPARE(printJson(first), printJson(second));
    }

    void stopEndsIt() {
        std::stop_source source;
        source.request_stop();
        int calls = 0;
        const auto answer =
            meetDeadline(m_problem, Seconds(1.0), test::searcherOf(calls), source.get_token());
        QVERIFY(answer);
        QCOMPARE(calls, 0);
        const auto refused = refusalOf(*answer);
        QVERIFY(refused && refused->kind == ErrorKind::Stopped);
    }

private:
    std::shared_ptr<const Problem> m_problem;
    std::vector<NodeGroup> m_groups;
    std::map<NodeCounts, double> m_times;
};

QTEST_GUILESS_MAIN(DeadlineTest)
#include "deadline_test.moc"
