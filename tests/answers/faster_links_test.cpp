// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/faster_links.h"

#include "core/evaluate/link_loads.h"
#include "tests/answers/small_question.h"

#include <QTest>

#include <algorithm>
#include <set>

using namespace pw;

// What a faster network is worth, planned anew.
class FasterLinksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Two sites of two nodes each, with a slow link between them.
    void initTestCase() {
        Model model = test::sampleModel("gpt3-1.3b");
        model.blocks = 8;
        Cluster cluster = test::drawnCluster(
            {{"A100-SXM4-40GB", 4, 100.0}, {"A100-SXM4-40GB", 4, 100.0}, {"A100-SXM4-40GB", 4, 100.0}});
        Node far = cluster.nodes.back();
        far.id = "far";
        far.kind = "V100-SXM2-32GB";
        cluster.nodes.push_back(far);
        cluster.switches.push_back({"there", "Ethernet", {}});
        Link link = cluster.links.back();
        link.id = "far-there";
        link.a = "far";
        link.b = "there";
        cluster.links.push_back(link);
        link.id = "wan";
        link.a = "there";
        link.b = cluster.switches.front().id;
        link.bandwidth = BytesPerSecond(10e9 / 8.0);
        cluster.links.push_back(link);
        m_problem = test::problemOf(cluster, model, 64, 2048);
        int calls = 0;
        const auto found = test::searcherOf(calls)(m_problem);
        QVERIFY(found && !found->plans.empty());
        m_best = found->plans.front();
    }

    void groupsOfLikeLinksAreWorthWhatASearchFinds() {
        const auto across = acrossTheWan();
        QVERIFY(across);
        int calls = 0;
        const auto answers =
            fasterLinks(*m_problem, across->plan, across->evaluation.iteration, test::searcherOf(calls), {});
        QVERIFY(answers && !answers->empty());
        QCOMPARE(static_cast<std::size_t>(calls), answers->size());
        std::set<std::string> seen;
        for (const FasterLinks& group : *answers) {
            QVERIFY(group.busy >= 0.0);
            QVERIFY(!group.links.empty());
            for (const std::string& link : group.links) {
                QVERIFY(m_problem->topology().cluster().link(link));
                QVERIFY(seen.insert(link).second); // of one group
            }
            QVERIFY(group.same <= across->evaluation.iteration); // nothing gets slower by faster links
            QVERIFY(group.iteration <= group.same);
            QVERIFY(group.bound.value <= group.iteration.value * (1.0 + 1e-9));
        }
        QVERIFY(std::ranges::is_sorted(*answers, {}, &FasterLinks::iteration));
        // The plan that crosses the slow link: it is the busiest, alone in its group, and worth something.
        const auto wan = std::ranges::find(*answers, std::vector<std::string>{"wan"}, &FasterLinks::links);
        QVERIFY(wan != answers->end());
        QVERIFY(wan->name == "link wan (10 Gbit/s)");
        QVERIFY(wan->same < across->evaluation.iteration);
    }

    // A plan may leave a link alone because it is slow: what it is worth faster is asked all the same, behind
    // those that are busy.
    void aLinkThatIsAvoidedIsAskedAboutToo() {
        int calls = 0;
        const auto near = m_problem->withForbidden({"far"});
        QVERIFY(near);
        const auto found = test::searcherOf(calls)(*near);
        QVERIFY(found && !found->plans.empty());
        const auto here = evaluate(*m_problem, found->plans.front().plan);
        QVERIFY(here);
        const auto answers =
            fasterLinks(*m_problem, found->plans.front().plan, here->iteration, test::searcherOf(calls), {});
        QVERIFY(answers);
        const auto wan = std::ranges::find(*answers, std::vector<std::string>{"wan"}, &FasterLinks::links);
        QVERIFY(wan != answers->end());
        QCOMPARE(wan->busy, 0.0);
        QCOMPARE(wan->same.value, here->iteration.value);
        QVERIFY(wan->iteration <= wan->same);
        std::stop_source stop;
        stop.request_stop();
        const auto none = fasterLinks(*m_problem, m_best.plan, m_best.evaluation.iteration,
                                      test::searcherOf(calls), stop.get_token());
        QVERIFY(none && none->empty());
    }

    void aSearchThatFailsIsAnError() {
        const auto across = acrossTheWan();
        QVERIFY(across);
        const Searcher failing = [](const std::shared_ptr<const Problem>&) -> Result<SearchOutcome> {
            return badInput("test", "", "no");
        };
        QVERIFY(!fasterLinks(*m_problem, across->plan, across->evaluation.iteration, failing, {}));
    }

private:
    // The best plan of one node on either side of it that sends something across.
    std::optional<FoundPlan> acrossTheWan() const {
        const auto part = m_problem->withForbidden({"n1", "n2"});
        if (!part)
            return std::nullopt;
        SearchOptions options;
        options.work = 60'000;
        options.top = 64;
        SearchObserver nobody;
        const auto found = search(*part, options, nobody, {});
        if (!found)
            return std::nullopt;
        std::vector<FoundPlan> all = found->plans;
        all.insert(all.end(), found->differing.begin(), found->differing.end());
        for (const FoundPlan& one : all) {
            const auto judged = evaluate(*m_problem, one.plan);
            if (judged && linkLoads(*m_problem, one.plan).back()[0].total() > 0.0)
                return FoundPlan{one.plan, *judged};
        }
        return std::nullopt;
    }

    std::shared_ptr<const Problem> m_problem;
    FoundPlan m_best;
};

QTEST_GUILESS_MAIN(FasterLinksTest)
#include "faster_links_test.moc"
