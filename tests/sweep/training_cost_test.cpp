// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/training_cost.h"

#include <QTest>

#include <cmath>

using namespace pw;

class TrainingCostTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // What Daly's figures 3 to 5 print for a job of 500 h, restarts of 10 min and checkpoints of 5 min.
    void intervalsAreThoseThatDalyPrints_data() {
        QTest::addColumn<double>("between"); // minutes
        QTest::addColumn<double>("interval");
        QTest::addColumn<double>("within");
        QTest::newRow("24 h") << 1440.0 << 117.0 << 0.5;
        QTest::newRow("6 h") << 360.0 << 57.0 << 0.5;
        QTest::newRow("15 min") << 15.0 << 9.1 << 0.05;
    }
    void intervalsAreThoseThatDalyPrints() {
        QFETCH(double, between);
        QFETCH(double, interval);
        QFETCH(double, within);
        const Goodput goodput = goodputOf({between / 60.0 * 8, 300.0, 600.0}, 8);
        QVERIFY2(std::abs(goodput.interval / 60.0 - interval) <= within,
                 QByteArray::number(goodput.interval / 60.0).constData());
    }

    // Oracle: no other interval wastes less, by the same complete cost.
    void noOtherIntervalIsMuchBetter() {
        for (const double hours : {1.0, 5.0, 24.0, 500.0}) {
            const double m = hours * 3600.0, write = 120.0, restart = 300.0;
            const Goodput goodput = goodputOf({hours, write, restart}, 1);
            double best = 0.0;
            const int steps = static_cast<int>(std::log(20.0 * m / 30.0) / std::log(1.01));
            for (int step = 0; step <= steps; ++step) {
                const double tau = 30.0 * std::pow(1.01, step);
                best = std::max(best, tau / (m * std::exp(restart / m) * std::expm1((tau + write) / m)));
            }
            QVERIFY2(goodput.share > 0.0 && goodput.share <= best * (1.0 + 1e-4), QByteArray::number(hours));
            QVERIFY2(goodput.share > 0.998 * best, QByteArray::number(goodput.share / best).constData());
        }
    }

    void withoutFailuresAllTimeIsWork() {
        const Goodput goodput = goodputOf({}, 1000);
        QCOMPARE(goodput.share, 1.0);
        QCOMPARE(goodput.interval, 0.0);
    }

    void moreGpusFailMoreOften() {
        const FailureModel failures{50'700.0, 60.0, 600.0};
        double before = 1.0;
        for (const std::int64_t gpus : {8, 512, 4096, 16384}) {
            const double share = goodputOf(failures, gpus).share;
            QVERIFY(share < before);
            before = share;
        }
        // Llama 3 405B: more than 90 % of the time was effective, at a failure in three hours.
        QVERIFY2(before > 0.75 && before < 0.95, QByteArray::number(before).constData());
    }

    void moneyIsOfAllGpusAndEnergyOfThoseInUse() {
        TrainingGoal goal;
        goal.tokens = 1e9;
        goal.powerOverhead = 1.5;
        const TrainingCost cost = trainingCost(goal, {1e6, 8, 36.0, 0.25});
        QCOMPARE(cost.days * 86400.0, 1000.0);
        QCOMPARE(cost.money, 10.0);
        QCOMPARE(cost.energyKwh, 1e9 * 0.25 * 1.5 / 3.6e6);
        QVERIFY(cost.meets);
    }

    void goalsAreMetOrNot() {
        TrainingGoal goal;
        goal.tokens = 86400.0 * 1e6;
        const TrainingRates rates{1e6, 8, 10.0, 0.0}; // a day, 240
        goal.deadlineDays = 1.5;
        goal.budget = 250.0;
        QVERIFY(trainingCost(goal, rates).meets);
        goal.budget = 239.0;
        QVERIFY(!trainingCost(goal, rates).meets);
        goal.budget = 250.0;
        goal.deadlineDays = 0.9;
        QVERIFY(!trainingCost(goal, rates).meets);
        goal.deadlineDays = 0.0;
        QVERIFY(!trainingCost(goal, {1e6, 8, 0.0, 0.0}).meets); // nobody knows the price
    }
};

QTEST_APPLESS_MAIN(TrainingCostTest)
#include "training_cost_test.moc"
