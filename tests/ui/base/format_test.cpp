// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/format.h"

#include <QTest>

using namespace pw;

// Numbers as all views write them.
class FormatTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void changesHaveASignUnlessTheyReadZero_data() {
        QTest::addColumn<double>("value");
        QTest::addColumn<int>("decimals");
        QTest::addColumn<QString>("text");
        QTest::newRow("more") << 1.25 << 2 << QStringLiteral("+1.25");
        QTest::newRow("less") << -0.06 << 1 << QStringLiteral("\u22120.1");
        QTest::newRow("hardly more") << 0.04 << 1 << QStringLiteral("0.0");
        QTest::newRow("hardly less") << -0.04 << 1 << QStringLiteral("0.0");
        QTest::newRow("the same with more decimals") << -0.04 << 2 << QStringLiteral("\u22120.04");
        QTest::newRow("none") << 0.0 << 0 << QStringLiteral("0");
    }
    void changesHaveASignUnlessTheyReadZero() {
        QFETCH(const double, value);
        QFETCH(const int, decimals);
        QFETCH(const QString, text);
        QCOMPARE(signedText(value, decimals), text);
    }
};

QTEST_MAIN(FormatTest)
#include "format_test.moc"
