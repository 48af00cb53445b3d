// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "tests/ui/synthetic_plan.h"
#include "ui/timeline/gantt_painter.h"
#include "ui/timeline/time_axis.h"

#include <QImage>
#include <QPainter>
#include <QPicture>
#include <QTest>

#include <map>

using namespace pw;

// The picture is judged by its pixels, without any text in it: what fold() says is what stands there.
class GanttPainterTest : public QObject {
    Q_OBJECT

private:
    static QImage paint(const Timeline& timeline, const GanttViewport& view, const Theme& theme) {
        QImage image(view.size, QImage::Format_ARGB32_Premultiplied);
        image.fill(Qt::magenta); // a colour that must not stay
        QPainter painter(&image);
        GanttPainter::paint(painter, timeline, view, theme);
        return image;
    }

private Q_SLOTS:
    void pixelsAreTheFoldedList_data() {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<double>("minPixels");
        QTest::newRow("light, 1 px") << false << 1.0;
        QTest::newRow("light, 3 px") << false << 3.0;
        QTest::newRow("dark, 1 px") << true << 1.0;
        QTest::newRow("dark, 3 px") << true << 3.0;
    }

    // Far zoomed out, every bar folds; each pixel column of a row must have the colour of the item that owns
    // it, mixed with the panel by the item's coverage.
    void pixelsAreTheFoldedList() {
        QFETCH(bool, dark);
        QFETCH(double, minPixels);
        const Theme& theme = dark ? themeRow(ThemeMode::Dark).theme() : Theme::light();
        const Timeline timeline = test::randomTimeline(4, 40'000, 7);
        GanttViewport view;
        view.window = {0, timeline.end};
        view.size = QSize(700, 200);
        view.rowHeight = 50;
        view.minPixels = minPixels;
        view.text = false;
        const QImage image = paint(timeline, view, theme);
        for (int row = 0; row < 4; ++row) {
            std::vector<FoldedItem> items;
            fold(timeline.tracks[static_cast<std::size_t>(row)].lane(LaneRole::Compute), 0, timeline.end, 700,
                 minPixels, items);
            std::map<int, QRgb> owner; // pixel column -> colour, the later item wins
            for (const FoldedItem& item : items) {
                const int x0 = static_cast<int>(view.x(item.start));
                const int x1 = std::max(static_cast<int>(view.x(item.end)), x0 + 1);
                QVERIFY2(item.count > 1 || x1 - x0 < 4, "the data should fold");
                const double tone = item.count > 1 ? std::round(item.coverage() * 16) / 16 : 1.0;
                for (int x = x0; x < x1; ++x)
                    owner[x] = mixed(narrowColour(theme, item.kind), theme.panel, tone).rgb();
            }
            const int y = view.band(row, LaneRole::Compute).center().y();
            for (const auto& [x, colour] : owner)
                if (x < 700)
                    QCOMPARE(image.pixel(x, y), colour);
        }
    }

    // Pictures without pixels get a rectangle for each item; on the screen the same stands there.
    void runsAreTheirRectangles() {
        Random random(11);
        for (int n = 0; n < 60; ++n) {
            const Timeline timeline =
                test::randomTimeline(3, 50 << random.below(8), static_cast<unsigned>(n));
            GanttViewport view;
            const auto span = static_cast<std::uint64_t>(timeline.end);
            view.window.begin = static_cast<std::int64_t>(random.below(span));
            view.window.end = view.window.begin + 1 + static_cast<std::int64_t>(random.below(span));
            view.size = QSize(300, 150);
            view.rowHeight = n % 2 == 0 ? 48 : 24;
            view.minPixels = n % 3 == 0 ? 3.0 : 1.0;
            view.text = false;
            QPicture rectangles;
            {
                QPainter painter(&rectangles);
                GanttPainter::paint(painter, timeline, view, Theme::light());
            }
            QImage drawn(view.size, QImage::Format_ARGB32_Premultiplied);
            drawn.fill(Qt::magenta);
            QPainter(&drawn).drawPicture(0, 0, rectangles);
            QCOMPARE(paint(timeline, view, Theme::light()), drawn);
        }
    }

    // Twice as many device pixels: a fold of twice as many columns, two rows of pixels for one.
    void denseScreensShowMore() {
        const Timeline timeline = test::randomTimeline(2, 40'000, 7);
        GanttViewport view;
        view.window = {0, timeline.end};
        view.size = QSize(400, 48);
        view.rowHeight = 24;
        view.text = view.grid = false;
        view.minPixels = 0.5; // one of the device
        QImage dense(view.size * 2, QImage::Format_ARGB32_Premultiplied);
        dense.setDevicePixelRatio(2.0);
        {
            QPainter painter(&dense);
            GanttPainter::paint(painter, timeline, view, Theme::light());
        }
        view.size = QSize(800, 48);
        view.minPixels = 1.0;
        const QImage wide = paint(timeline, view, Theme::light());
        const int y = view.band(1, LaneRole::Compute).center().y();
        for (int x = 0; x < 800; ++x) {
            QCOMPARE(dense.pixel(x, 2 * y), wide.pixel(x, y));
            QCOMPARE(dense.pixel(x, 2 * y + 1), wide.pixel(x, y));
        }
    }

    void wideBarsHaveEdgeAndFill() {
        for (const Theme* theme : {&Theme::light(), &themeRow(ThemeMode::Dark).theme()}) {
            Timeline timeline;
            Track track;
            track.lane(LaneRole::Compute).add(100, 300, BarKind::Backward, 3, false);
            for (Lane& lane : track.lanes)
                lane.seal();
            timeline.tracks.push_back(track);
            timeline.end = 1000;
            GanttViewport view;
            view.window = {0, 1000};
            view.size = QSize(1000, 48);
            view.text = false;
            const QImage image = paint(timeline, view, *theme);
            const QRect band = view.band(0, LaneRole::Compute);
            const Theme::Kind& kind = theme->kind(BarKind::Backward);
            int edge = 0, fill = 0;
            for (int y = band.top(); y <= band.bottom(); ++y)
                for (int x = 0; x < 1000; ++x) {
                    edge += image.pixel(x, y) == kind.edge.rgb() ? 1 : 0;
                    fill += image.pixel(x, y) == kind.fill.rgb() ? 1 : 0;
                }
            QCOMPARE(fill, 198 * (band.height() - 2));
            QCOMPARE(edge, 200 * band.height() - fill);
        }
    }

    void idleIsHatchedAndEstimatesAreDotted() {
        const auto plan = test::syntheticPlan();
        const Theme& theme = Theme::light();
        GanttViewport view;
        view.window = {0, plan->timeline->end};
        view.size = QSize(1400, 200);
        view.text = false;
        const QImage image = paint(*plan->timeline, view, theme);
        // Before stage 3's first bar there is the ground and lines of the hatch, nothing else.
        const QRect band = view.band(3, LaneRole::Compute);
        const int first =
            static_cast<int>(view.x(plan->timeline->tracks[3].lane(LaneRole::Compute).start(0)));
        int lines = 0;
        for (int x = 2; x < first - 1; ++x)
            for (int y = band.top(); y <= band.bottom(); ++y) {
                const QColor pixel = image.pixelColor(x, y);
                QVERIFY(pixel.lightness() >= theme.hatch.lightness() - 12);
                lines += pixel != theme.panel ? 1 : 0;
            }
        QVERIFY(lines > 0);
        // Stage 0's forwards are estimates: white dots on them; stage 1's are not.
        const auto dots = [&](int row) {
            const QRect bars = view.band(row, LaneRole::Compute);
            const Lane& lane = plan->timeline->tracks[static_cast<std::size_t>(row)].lane(LaneRole::Compute);
            int count = 0;
            for (int x = static_cast<int>(view.x(lane.start(0))) + 1; x < view.x(lane.end(0)) - 1; ++x)
                for (int y = bars.top() + 1; y < bars.bottom(); ++y)
                    count += image.pixelColor(x, y) == QColor(Qt::white) ? 1 : 0;
            return count;
        };
        QVERIFY(dots(0) > 0);
        QCOMPARE(dots(1), 0);
    }

    void everyPixelIsPainted() {
        const auto plan = test::syntheticPlan();
        GanttViewport view;
        view.window = {0, plan->timeline->end};
        view.size = QSize(500, 300);
        const QImage image = paint(*plan->timeline, view, Theme::light());
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x)
                QVERIFY(image.pixelColor(x, y) != QColor(Qt::magenta));
    }

    void paleKindsAreReadableWhenNarrow() {
        QCOMPARE(narrowColour(Theme::light(), BarKind::Transfer),
                 Theme::light().kind(BarKind::Transfer).edge);
        QCOMPARE(narrowColour(Theme::light(), BarKind::Forward), Theme::light().kind(BarKind::Forward).fill);
        QCOMPARE(narrowColour(themeRow(ThemeMode::Dark).theme(), BarKind::Transfer),
                 themeRow(ThemeMode::Dark).theme().kind(BarKind::Transfer).fill);
    }

    void ticksAreRoundAndApart_data() {
        QTest::addColumn<qint64>("span");
        for (const qint64 span : {qint64(900), qint64(123'456), qint64(77'000'000), qint64(1'900'000'000),
                                  qint64(15'820'000'000), qint64(4'000'000'000'000)})
            QTest::addRow("%lld", static_cast<long long>(span)) << span;
    }

    void ticksAreRoundAndApart() {
        QFETCH(qint64, span);
        const TimeWindow window{span / 3, span / 3 + span};
        const TimeTicks ticks = timeTicks(window, 740);
        QVERIFY(!ticks.labelled.empty());
        QVERIFY(ticks.labelled.size() <= 10);
        QStringList labels;
        for (const std::int64_t t : ticks.labelled) {
            QVERIFY(t % ticks.step == 0 && t >= window.begin && t <= window.end);
            QVERIFY(!labels.contains(ticks.label(t)));
            labels << ticks.label(t);
        }
        QVERIFY(static_cast<double>(ticks.step) / static_cast<double>(span) * 740 >= 80 || ticks.step == 10);
    }

    void windowsInWords() {
        QCOMPARE(windowText({0, 15'820'000'000}), QStringLiteral("0 to 15.82 s"));
        QCOMPARE(spanText(114'900'000), QStringLiteral("114.9 ms"));
    }
};

QTEST_MAIN(GanttPainterTest)
#include "gantt_painter_test.moc"
