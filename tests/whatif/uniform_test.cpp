// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/evaluation.h"
#include "core/whatif/whatif.h"
#include "tests/search/random_problem.h"
#include "tests/whatif/edited_plan.h"

#include <QTest>

#include <algorithm>

using namespace pw;

// The plan that a user starts from by hand: sound, equal, and on all devices.
class UniformTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void stagesAreNodesWithEqualParts() {
        const auto problem = test::editProblem();
        const Result<Plan> plan = whatif::uniformPlan(*problem);
        QVERIFY2(plan, plan ? "" : plan.error().message.c_str());
        const Pipeline& pipeline = plan->pipelines.front();
        QCOMPARE(pipeline.stages.size(), problem->topology().cluster().nodes.size());
        QVERIFY(whatif::unusedDevices(*problem, *plan).empty());
        const int fine = static_cast<int>(problem->layers().size());
        int least = fine, most = 0;
        for (const Stage& stage : pipeline.stages) {
            const LayerRange& range = stage.chunks.front();
            QVERIFY(areWholeBlocks(range, fine));
            const int inner = std::min(range.last, fine - 2) - std::max(range.first, 1) + 1;
            least = std::min(least, inner);
            most = std::max(most, inner);
        }
        QVERIFY(most - least <= 2);
        QVERIFY(evaluate(*problem, *plan));
    }

    void anyProblemHasOneOrAReason() {
        constexpr std::uint64_t kSeed = 7;
        Random random(kSeed);
        int made = 0;
        for (int round = 0; round < 60; ++round) {
            const auto problem = test::randomProblem(random);
            const Result<Plan> plan = whatif::uniformPlan(*problem);
            if (!plan) {
                QVERIFY(!plan.error().message.empty());
                continue;
            }
            ++made;
            QVERIFY2(checkPlan(*problem, *plan, "plan"), qPrintable(QString::number(round)));
            QVERIFY(whatif::unusedDevices(*problem, *plan).empty());
        }
        QVERIFY2(made > 30, qPrintable(QStringLiteral("%1 of 60").arg(made)));
    }
};

QTEST_APPLESS_MAIN(UniformTest)
#include "uniform_test.moc"
