// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/deciding_stages.h"

#include <QTest>

using namespace pw;

class DecidingStagesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // All that figures show as equally busy, counted over all pipelines.
    void allThatAreEquallyBusyDecide() {
        Evaluation evaluation;
        QVERIFY(decidingStages(evaluation).stages.empty());
        evaluation.pipelines.resize(1);
        evaluation.pipelines[0].simulation.busy = {1.0, 2.0, 1.995, 1.98, 1.9999};
        DecidingStages deciding = decidingStages(evaluation);
        QCOMPARE(deciding.stages, (std::vector<int>{1, 2, 4}));
        QCOMPARE(deciding.computing.value, 2.0);
        evaluation.pipelines.resize(2);
        evaluation.pipelines[1].simulation.busy = {3.0, 1.0};
        deciding = decidingStages(evaluation);
        QCOMPARE(deciding.stages, (std::vector<int>{5}));
        QCOMPARE(deciding.computing.value, 3.0);
    }

    void theirNumbersAreRanges() {
        QCOMPARE(stageNumbers({}), std::string());
        QCOMPARE(stageNumbers({5}), std::string("5"));
        QCOMPARE(stageNumbers({3, 4}), std::string("3 and 4"));
        QCOMPARE(stageNumbers({5, 6, 7, 8, 9, 10}), std::string("5 to 10"));
        QCOMPARE(stageNumbers({0, 2, 5, 6, 7}), std::string("0, 2 and 5 to 7"));
    }
};

QTEST_APPLESS_MAIN(DecidingStagesTest)
#include "deciding_stages_test.moc"
