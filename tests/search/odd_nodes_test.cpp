// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "tests/draws.h"
#include "tests/search/planned.h"
#include "tests/search/sample_problems.h"

#include <QTest>

#include <cstdlib>
#include <random>

using namespace pw;

namespace {

double timeOfPlanner(const std::shared_ptr<const Problem>& problem, const char* planner) {
    const SearchOutcome outcome = test::planned(problem, planner);
    if (outcome.plans.empty())
        return kNever;
    const FoundPlan& best = outcome.plans.front();
    const Status sound = checkPlan(*problem, best.plan, "plan");
    return sound && best.evaluation.feasible ? best.evaluation.iteration.value : -1.0;
}

QString listed(const QList<int>& counts) {
    QStringList texts;
    for (const int count : counts)
        texts += QString::number(count);
    return texts.join(u' ');
}

} // namespace

// Nodes with three, five or seven GPUs, of different sizes side by side: stages of two GPUs then do not tile
// a node, and much of what the planners combine stands nowhere.
class OddNodesTest : public QObject {
    Q_OBJECT

private slots:
    void everyPlannerGetsToItsEnd_data() {
        QTest::addColumn<QStringList>("kinds");
        QTest::addColumn<QList<int>>("gpus");
        QTest::addColumn<QString>("model");
        QTest::addColumn<int>("batch");
        // Two that ended the program.
        const QString a100 = QStringLiteral("A100-SXM4-80GB"), h100 = QStringLiteral("H100-SXM-80GB");
        QTest::newRow("5, 7, 7") << QStringList(3, a100) << QList<int>{5, 7, 7} << "gpt-neo-2.7b" << 16;
        QTest::newRow("5, 3, 5, 3") << QStringList(4, h100) << QList<int>{5, 3, 5, 3} << "llama3-8b" << 64;
        // One micro-batch, whose two stages wait for each other once.
        QTest::newRow("7, 4, 6, 2, 7")
            << QStringList(5, h100) << QList<int>{7, 4, 6, 2, 7} << "opt-350m" << 16;
        const char* asked = std::getenv("PW_SEED");
        const std::uint64_t seed = asked ? std::strtoull(asked, nullptr, 10) : std::random_device{}();
        qInfo("PW_SEED=%llu", static_cast<unsigned long long>(seed));
        const QStringList all = {a100, h100, QStringLiteral("V100-SXM2-32GB"), QStringLiteral("T4")};
        const char* models[] = {"gpt3-1.3b", "gpt-neo-2.7b", "llama2-7b", "opt-350m"};
        for (int n = 0; n < test::draws(9, 300); ++n) {
            Random random(seed + 1000003ULL * static_cast<std::uint64_t>(n));
            const QString kinds[] = {all[static_cast<qsizetype>(random.below(4))],
                                     all[static_cast<qsizetype>(random.below(4))]};
            QStringList drawn;
            QList<int> gpus;
            for (std::uint64_t nodes = 1 + random.below(5); nodes > 0; --nodes) {
                drawn += kinds[random.below(2)];
                gpus += 1 + static_cast<int>(random.below(8));
            }
            const int batches[] = {6, 16, 64};
            QTest::newRow(std::to_string(n).c_str())
                << drawn << gpus << models[random.below(4)] << batches[random.below(3)];
        }
    }
    void everyPlannerGetsToItsEnd() {
        QFETCH(QStringList, kinds);
        QFETCH(QList<int>, gpus);
        QFETCH(QString, model);
        QFETCH(int, batch);
        std::vector<test::DrawnNode> nodes;
        for (qsizetype n = 0; n < kinds.size(); ++n)
            nodes.push_back({kinds[n].toStdString(), gpus[n], 100.0});
        const auto problem =
            test::problemOf(test::drawnCluster(nodes), test::sampleModel(model.toStdString()), batch, 1024);
        const double own = timeOfPlanner(problem, "pipewright");
        QVERIFY(own > 0.0);
        if (QByteArray(QTest::currentDataTag()).contains(',')) // what is drawn may find no room
            QVERIFY(own < kNever);
        for (const PlannerRow& planner : plannerTable()) {
            if (std::string_view(planner.name) == "exhaustive")
                continue;
            const double time = timeOfPlanner(problem, planner.name);
            QVERIFY2(time > 0.0, planner.name);
            QVERIFY2(own <= time * (1.0 + 1e-9),
                     qPrintable(QStringLiteral("%1: %2 s, pipewright %3 s; %4 of %5 GPUs, %6, batch %7")
                                    .arg(QLatin1String(planner.name))
                                    .arg(time)
                                    .arg(own)
                                    .arg(kinds.join(u' '))
                                    .arg(listed(gpus), model)
                                    .arg(batch)));
        }
    }
};

QTEST_APPLESS_MAIN(OddNodesTest)
#include "odd_nodes_test.moc"
