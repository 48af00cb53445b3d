// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/run_deadline.h"

#include <QtTest>

using namespace pw;

class RunDeadlineTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void iterationsAndRuns_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<double>("seconds"); // of an iteration of 512 x 4096 tokens
        QTest::newRow("seconds") << "2.5 s" << 2.5;
        QTest::newRow("a bare number") << "100" << 100.0;
        QTest::newRow("hours of an iteration") << " 1 h " << 3600.0;
        QTest::newRow("days for tokens") << "30 days for 15T tokens" << 30.0 * 86400.0 / 7152558.0;
        QTest::newRow("a day") << "1 d for 2.1 M tokens" << 86400.0 / 2.0;
        QTest::newRow("weeks") << "2 weeks for 1 trillion tokens" << 14.0 * 86400.0 / 476838.0;
        QTest::newRow("hours for iterations") << "12 h for 5000 iterations" << 8.64;
        QTest::newRow("steps") << "90 min for 5.4k steps" << 1.0;
        QTest::newRow("one step") << "1 Day for 1 step" << 86400.0;
        QTest::newRow("less than an iteration") << "10 s for 5 tokens" << 10.0;
    }
    void iterationsAndRuns() {
        QFETCH(QString, text);
        Recipe recipe;
        recipe.gbs = 512;
        recipe.seq = 4096;
        const Result<RunDeadline> deadline = parseRunDeadline(text.toStdString());
        QVERIFY2(deadline, deadline ? "" : deadline.error().text().c_str());
        QTEST(deadline->ofIteration(recipe).value, "seconds");
    }

    void whatIsNoDeadlineIsRefused() {
        for (const char* text :
             {"", "soon", "0", "0 s", "-3 s", "nan", "30 days", "30 days for", "30 days for ever",
              "30 days for 0 tokens", "30 days for -1T tokens", "1 d for 15Q tokens", "1 d for 15T",
              "1 d for tokens", "2 fortnights for 1T tokens", "1 d for 1e400 tokens",
              "1 month for 1T tokens"})
            QVERIFY2(!parseRunDeadline(text), text);
        const Result<RunDeadline> days = parseRunDeadline("30 days");
        QVERIFY(days.error().text().find("for 15T tokens") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(RunDeadlineTest)
#include "run_deadline_test.moc"
