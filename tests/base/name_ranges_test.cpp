// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/name_ranges.h"

#include <QTest>

#include <numeric>

using namespace pw;

using Names = std::vector<std::string>;
Q_DECLARE_METATYPE(Names)

class NameRangesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void threeInARowAreOne_data() {
        QTest::addColumn<Names>("names");
        QTest::addColumn<Names>("items");
        QTest::newRow("none") << Names{} << Names{};
        QTest::newRow("one") << Names{"n1"} << Names{"n1"};
        QTest::newRow("two") << Names{"n1", "n2"} << Names{"n1", "n2"};
        QTest::newRow("three") << Names{"n1", "n2", "n3"} << Names{"n1 to n3"};
        QTest::newRow("over a digit") << Names{"n8", "n9", "n10"} << Names{"n8 to n10"};
        QTest::newRow("filled up") << Names{"gpu08", "gpu09", "gpu10"} << Names{"gpu08 to gpu10"};
        QTest::newRow("numbers") << Names{"0", "1", "2", "5"} << Names{"0 to 2", "5"};
        QTest::newRow("gaps") << Names{"n1", "n3", "n4", "n5", "n9"} << Names{"n1", "n3 to n5", "n9"};
        QTest::newRow("two after another")
            << Names{"a1", "a2", "a3", "b1", "b2", "b3"} << Names{"a1 to a3", "b1 to b3"};
        QTest::newRow("downwards") << Names{"n3", "n2", "n1"} << Names{"n3", "n2", "n1"};
        QTest::newRow("other letters") << Names{"a1", "b2", "c3"} << Names{"a1", "b2", "c3"};
        QTest::newRow("without numbers") << Names{"left", "left", "right"} << Names{"left", "left", "right"};
        QTest::newRow("the same") << Names{"n1", "n1", "n1"} << Names{"n1", "n1", "n1"};
        QTest::newRow("beyond all numbers")
            << Names{"n99999999999999999998", "n99999999999999999999", "n100000000000000000000"}
            << Names{"n99999999999999999998", "n99999999999999999999", "n100000000000000000000"};
    }
    void threeInARowAreOne() {
        QFETCH(Names, names);
        QFETCH(Names, items);
        QVERIFY(nameRanges(names) == items);
        std::vector<std::size_t> counts{7};
        QVERIFY(nameRanges(names, &counts) == items);
        QCOMPARE(counts.size(), items.size());
        QCOMPARE(std::accumulate(counts.begin(), counts.end(), std::size_t{0}), names.size());
        for (std::size_t i = 0; i < items.size(); ++i)
            QCOMPARE(counts[i] > 1, items[i].find(" to ") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(NameRangesTest)
#include "name_ranges_test.moc"
