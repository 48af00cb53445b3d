// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/timeline/random_lane.h"

#include <QTest>

#include <algorithm>

#include <cmath>

using namespace pw;

namespace {

constexpr std::uint64_t kFoldSeed = 4711;

std::int64_t clipped(const Lane& lane, std::size_t i, std::int64_t t0, std::int64_t t1) {
    return std::max<std::int64_t>(std::min(lane.end(i), t1) - std::max(lane.start(i), t0), 0);
}

BarKind plainDominant(const Lane& lane, std::size_t first, std::size_t last) {
    std::array<std::int64_t, kBarKinds> sums{};
    for (std::size_t i = first; i < last; ++i)
        sums[static_cast<std::size_t>(lane.kind(i))] += lane.end(i) - lane.start(i);
    return static_cast<BarKind>(std::max_element(sums.begin(), sums.end()) - sums.begin());
}

// What folding promises, checked bar by bar; says what is broken, empty if nothing.
QString violation(const Lane& lane, std::int64_t t0, std::int64_t t1, int pixels, double minPixels,
                  const std::vector<FoldedItem>& items) {
    const double width = static_cast<double>(t1 - t0) * minPixels / pixels;
    const auto isWide = [&](std::size_t i) {
        return static_cast<double>(lane.end(i) - lane.start(i)) >= width;
    };
    std::size_t next = 0;
    while (next < lane.size() && lane.end(next) <= t0)
        ++next;
    std::int64_t edge = t0;
    for (std::size_t n = 0; n < items.size(); ++n) {
        const FoldedItem& item = items[n];
        if (item.first != next || item.count == 0)
            return "a bar is left out or counted twice";
        if (item.start < edge || item.end <= item.start || item.end > t1)
            return "edges are not monotone inside the window";
        edge = item.end;
        std::int64_t busy = 0;
        for (std::size_t i = next; i < next + item.count; ++i) {
            const std::int64_t part = clipped(lane, i, t0, t1);
            if (part == 0)
                return "an invisible bar is counted";
            if (std::max(lane.start(i), t0) < item.start || std::min(lane.end(i), t1) > item.end)
                return "a bar outside its item";
            if (isWide(i) && (item.count != 1 || part != item.end - item.start))
                return "a wide bar is not its own item";
            busy += part;
        }
        if (busy != item.busy || item.coverage() > 1.0)
            return "busy time is not preserved";
        if (item.kind != plainDominant(lane, next, next + item.count))
            return "dominant kind";
        next += item.count;
        const bool wideFollows = next < lane.size() && isWide(next);
        const bool shortOfRoom = item.end == t1 || wideFollows;
        if (!isWide(item.first) && !shortOfRoom && static_cast<double>(item.end - item.start) < width)
            return "a folded item is too narrow";
    }
    if (next < lane.size() && lane.start(next) < t1)
        return "the last visible bars are left out";
    return {};
}

} // namespace

class FoldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsEveryPromise() {
        Random random(kFoldSeed);
        std::vector<FoldedItem> items;
        for (int n = 0; n < 400; ++n) {
            const Lane lane = test::randomLane(random, random.below(n % 10 == 0 ? 5000 : 300));
            const std::int64_t length = lane.size() == 0 ? 1000 : lane.end(lane.size() - 1);
            for (int w = 0; w < 20; ++w) {
                const auto t0 = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(length)));
                const auto span = 1 + static_cast<std::int64_t>(
                                          std::pow(static_cast<double>(length), random.uniform(0.0, 1.1)));
                const int pixels = 1 + static_cast<int>(random.below(2000));
                const double minPixels = random.below(2) == 0 ? 1.0 : random.uniform(0.1, 40.0);
                fold(lane, t0, t0 + span, pixels, minPixels, items);
                const QString wrong = violation(lane, t0, t0 + span, pixels, minPixels, items);
                QVERIFY2(wrong.isEmpty(),
                         qPrintable(QString("seed %1, lane %2, window %3: ").arg(kFoldSeed).arg(n).arg(w) +
                                    wrong));
                QVERIFY(items.size() <= 2 * static_cast<std::size_t>(pixels / minPixels + 2.0) + 1);
            }
        }
    }

    // 99 ns of work and 1 ns of rest, a hundred to a pixel: never solid.
    void narrowBubblesLightenTheTone() {
        Lane lane;
        for (int i = 0; i < 10000; ++i)
            lane.add(100 * i, 100 * i + 99, BarKind::Forward, i, false);
        lane.seal();
        std::vector<FoldedItem> items;
        fold(lane, 0, 1000000, 100, 1.0, items);
        QCOMPARE(items.size(), 100u);
        for (const FoldedItem& item : items) {
            QCOMPARE(item.count, 100u);
            QCOMPARE(item.coverage(), 0.99);
        }
    }

    void barsAreUntouchedWhereThereIsRoom() {
        Random random(kFoldSeed + 1);
        const Lane lane = test::randomLane(random, 50);
        const std::int64_t end = lane.end(lane.size() - 1);
        std::vector<FoldedItem> items;
        fold(lane, 0, end, static_cast<int>(end), 1.0, items); // a pixel a nanosecond
        QCOMPARE(items.size(), lane.size());
        for (std::size_t i = 0; i < items.size(); ++i) {
            QCOMPARE(items[i].start, lane.start(i));
            QCOMPARE(items[i].end, lane.end(i));
            QCOMPARE(items[i].coverage(), 1.0);
        }
    }

    void emptyWindowsAndLanes() {
        std::vector<FoldedItem> items(3);
        Lane lane;
        lane.seal();
        fold(lane, 0, 100, 10, 1.0, items);
        QVERIFY(items.empty());
        lane.add(10, 20, BarKind::Forward, 0, false);
        lane.seal();
        for (const auto& [t0, t1, pixels] : {std::tuple{20, 30, 10}, {0, 10, 10}, {15, 15, 10}, {0, 30, 0}}) {
            fold(lane, t0, t1, pixels, 1.0, items);
            QVERIFY(items.empty());
        }
    }
};

QTEST_APPLESS_MAIN(FoldTest)
#include "fold_test.moc"
