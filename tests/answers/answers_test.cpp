// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/answer_tables.h"
#include "core/answers/answers.h"
#include "tests/answers/small_question.h"

#include <QTest>

#include <algorithm>

using namespace pw;

// Two plans that share nothing: the first on A100 alone, the second on V100 alone.
class AnswersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        m_problem = test::smallQuestion();
        m_groups = nodeGroups(*m_problem);
        int calls = 0;
        for (const NodeCounts& counts : {NodeCounts{2, 0}, NodeCounts{0, 2}}) {
            const auto part = withCounts(*m_problem, m_groups, counts);
            QVERIFY(part);
            const auto found = test::searcherOf(calls)(*part);
            QVERIFY(found && !found->plans.empty());
            const Plan& plan = found->plans.front().plan;
            const auto evaluation = evaluate(*m_problem, plan); // at the precision of both kinds
            QVERIFY(evaluation);
            m_outcome.plans.push_back({plan, *evaluation});
        }
        QVERIFY(time(0) < time(1));
    }

    void fasterLayersHelpThePlanThatHasThem() {
        const auto answers = measurementsThatMatter(*m_problem, m_outcome, 2, {});
        QVERIFY(!answers.empty());
        QVERIFY(answers.size() <= 5);
        const double now = time(1) / time(0);
        bool a100 = false, v100 = false;
        for (const MeasurementAnswer& m : answers) {
            QVERIFY(m.low < 1.0 && m.high > 1.0);
            const bool first = m.kind == "A100-SXM4-40GB";
            (first ? a100 : v100) = true;
            QVERIFY(first ? m.ratioLow >= now * 0.999 : m.ratioLow <= now * 1.001);
            QVERIFY(first ? m.ratioHigh <= now * 1.001 : m.ratioHigh >= now * 0.999);
            QCOMPARE(m.flips, std::min(m.ratioLow, m.ratioHigh) < 1.0);
            if (m.layer != "block")
                continue;
            QVERIFY(m.share > 0.3);
            // The plan's time moves by about what its blocks take of it.
            const double moved = first ? m.ratioLow / now : m.ratioHigh / now;
            const double layer = first ? 1.0 / m.low : m.high;
            QVERIFY2(moved > 1.0 + 0.3 * m.share * (layer - 1.0) && moved < 1.02 * layer,
                     qPrintable(QStringLiteral("%1 for %2").arg(moved).arg(layer)));
        }
        QVERIFY(a100 && v100);
        for (std::size_t i = 1; i < answers.size(); ++i)
            QVERIFY(answers[i - 1].flips >= answers[i].flips);
    }

    void flipsAreOfAnotherPlan() {
        SearchOutcome close = m_outcome;
        close.plans[1] = close.plans[0]; // the same plan twice: nothing can part them
        for (const MeasurementAnswer& m : measurementsThatMatter(*m_problem, close, 2, {})) {
            QVERIFY(!m.flips);
            QVERIFY(m.swing() < 1e-12);
        }
        close.plans[0] = m_outcome.plans[1]; // the slower one first: the other is ahead at both ends
        close.plans[1] = m_outcome.plans[0];
        const auto answers = measurementsThatMatter(*m_problem, close, 2, {});
        QVERIFY(std::any_of(answers.begin(), answers.end(),
                            [](const MeasurementAnswer& m) { return m.flips && m.becomesFirst == 1; }));
    }

    void slowNodeCostsWhoUsesIt() {
        const auto answers = slowNodes(*m_problem, m_groups, m_outcome, 2, {});
        QVERIFY(answers);
        QCOMPARE(answers->size(), std::size_t{2}); // each plan has nodes of one class
        for (const SlowNodeAnswer& s : *answers) {
            QCOMPARE(m_groups[static_cast<std::size_t>(s.group)].gpus, s.plan == 0 ? 4 : 2);
            const double slower = s.iteration.value / time(s.plan);
            QVERIFY2(slower > 1.005 && slower < 1.0 / kSlowSpeed + 1e-9, qPrintable(QString::number(slower)));
        }
    }

    void lostAndExtraNodes() {
        int calls = 0;
        const auto answers = answersAround(*m_problem, m_outcome, test::searcherOf(calls), {});
        QVERIFY(answers);
        QCOMPARE(static_cast<std::size_t>(calls),
                 4 + answers->faster.size()); // one lost, one more of each class
        QCOMPARE(answers->lost.size(), std::size_t{2});
        for (const LostNodeAnswer& lost : answers->lost) {
            const bool a100 = m_groups[static_cast<std::size_t>(lost.group)].gpus == 4;
            QCOMPARE(lost.goesOn[a100 ? 1 : 0], true); // the plan without this class goes on
            const double spared = time(a100 ? 1 : 0);
            QVERIFY(lost.iteration.value > 0.0 && lost.iteration.value <= spared);
        }
        QCOMPARE(answers->extras.size(), std::size_t{2});
        QVERIFY(answers->extras[0].iteration <= answers->extras[1].iteration);
        QVERIFY(answers->extras[1].iteration.value <= time(0));
        QCOMPARE(answers->order.size(), std::size_t{1});
        QVERIFY(answers->order[0].beside.firstFaster > 0.5);
    }

    // Nothing says how another of a node without a link would be joined to it: all else is answered.
    void aNodeWithoutALinkHasNoOther() {
        Cluster cluster;
        cluster.nodes = {m_problem->topology().cluster().nodes.front()};
        auto alone = Problem::make(cluster, m_problem->model(), m_problem->recipe(), {});
        QVERIFY(alone);
        int calls = 0;
        const auto searcher = test::searcherOf(calls);
        const auto found = searcher(*alone);
        QVERIFY(found && !found->plans.empty());
        const auto answers = answersAround(**alone, *found, searcher, {});
        QVERIFY2(answers, answers ? "" : answers.error().text().c_str());
        QVERIFY(answers->extras.empty() && !answers->slow.empty());
    }

    // A span runs from the smaller to the larger number, whichever of them comes with the faster layer; a
    // change for the better has a minus, not a hyphen.
    void tablesSayFiguresAsPeopleReadThem() {
        Answers answers;
        answers.groups = m_groups;
        answers.ratio = 1.0002;
        MeasurementAnswer& m = answers.measurements.emplace_back();
        m.ratioLow = 1.0002;
        m.ratioHigh = 1.0;
        answers.lost.push_back({0, Seconds(1.25 * time(0)), {}});
        ExtraNode& extra = answers.extras.emplace_back();
        extra.iteration = Seconds(0.8 * time(0));
        const std::vector<AnswerTable> tables = tablesOf(answers, m_outcome);
        QCOMPARE(tables.size(), std::size_t{3});
        const auto says = [](const std::vector<std::string>& row, const std::string& cell) {
            return std::count(row.begin(), row.end(), cell) == 1;
        };
        QVERIFY(says(tables[1].rows.front(), "1.0000 to 1.0002"));
        QVERIFY(says(tables[2].rows.front(), "\u221220.0 %"));
        QVERIFY(says(tables[2].rows.back(), "+25.0 %"));
        // Against which plan, under the name that it goes by.
        QVERIFY(tables[2].text.find("against plan 1, the best found for the same question") !=
                std::string::npos);
        QVERIFY(tablesOf(answers, m_outcome, {"57", "58"})[2].text.find("against plan 57,") !=
                std::string::npos);
    }

    // The largest gain first, whatever brings it; what costs behind it; what has no time last, with why.
    void whatIfsAreInOrderOfTheirGain() {
        Answers answers;
        answers.groups = m_groups;
        answers.slow = {{0, 0, "n1", Seconds(1.06 * time(0))}, {1, 1, "n2", Seconds(1.02 * time(1))}};
        answers.lost = {{0, Seconds(0.0), {}}, {1, Seconds(1.04 * time(0)), {false}}};
        answers.extras = {{1, 1, Seconds(0.9 * time(0)), {}}, {0, 1, Seconds(0.7 * time(0)), {}}};
        const std::vector<AnswerTable> tables = tablesOf(answers, m_outcome);
        std::vector<std::string> changes;
        for (const std::vector<std::string>& row : tables.back().rows)
            changes.push_back(row[4]);
        QCOMPARE(changes, (std::vector<std::string>{"\u221230.0 %", "\u221210.0 %", "+2.0 %", "+4.0 %",
                                                    "+6.0 %", ""}));
        QCOMPARE(tables.back().rows.back()[5], std::string("no plan was found without it"));
        answers.groups.resize(1);
        answers.groups[0].nodes.resize(1);
        answers.slow.clear();
        answers.extras.clear();
        answers.lost.resize(1);
        QCOMPARE(tablesOf(answers, m_outcome).back().rows.back()[5], std::string("it is the only one"));
    }

private:
    double time(std::size_t plan) const { return m_outcome.plans[plan].evaluation.iteration.value; }

    std::shared_ptr<const Problem> m_problem;
    std::vector<NodeGroup> m_groups;
    SearchOutcome m_outcome;
};

QTEST_GUILESS_MAIN(AnswersTest)
#include "answers_test.moc"
