// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/conformal.h"
#include "core/accuracy/expected_runs.h"
#include "core/accuracy/memory_cases.h"
#include "core/accuracy/published_runs.h"
#include "core/base/file.h"
#include "core/calibrate/score.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

const char* const kFile = PW_SOURCE_DIR "/resources/calibration/memory_spans.json";

} // namespace

class MemorySpanTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void groupsCountAsGroups() {
        // Of a thousand rows of one and ten of another the second's width is asked for all the same.
        const std::vector<double> small(1000, 0.1), large(10, 0.5), single(1, 9.0);
        QCOMPARE(groupWidth({small, large}), 0.5);
        QCOMPARE(groupWidth({small, large, single}), 0.5); // one row weighs a tenth
        QCOMPARE(groupWidth({small, {}}), 0.1);
        QCOMPARE(groupWidth({}), 0.0);
    }

    void chances() {
        const MemorySpan span{0.1, 0.3, 0, 0};
        const Bytes usable = gibibytes(79.0);
        QVERIFY(std::abs(chanceToFit(span, usable, usable) - 0.5) < 1e-12);
        double before = 1.0;
        for (const double peak : {1.0, 40.0, 70.0, 79.0, 90.0, 200.0}) {
            const double chance = chanceToFit(span, gibibytes(peak), usable);
            QVERIFY(chance <= before && chance >= 0.0 && chance <= 1.0);
            QCOMPARE(chance >= 0.5, peak <= 79.0);
            before = chance;
        }
        QVERIFY(chanceToFit(span, gibibytes(1.0), usable) > 0.999);
        // Of two devices as full the smaller one is less likely to have room.
        const Bytes small = gibibytes(15.0), large = gibibytes(79.0);
        QVERIFY(roomRatio(gibibytes(13.5), small) < roomRatio(gibibytes(71.1), large));
        QVERIFY(chanceToFit(span, gibibytes(13.5), small) < chanceToFit(span, gibibytes(71.1), large));
        QCOMPARE(chanceToFit(span, roomRatio(gibibytes(70.0), usable)),
                 chanceToFit(span, gibibytes(70.0), usable));
        QVERIFY(before < 0.001);
        // 80 % lie within the half width: a tenth above it.
        const double edge = 80.0 * std::exp(-0.3) - 1.0;
        QVERIFY(std::abs(chanceToFit(span, gibibytes(edge), usable) - 0.9) < 1e-6);
        for (const double chance : {0.5, 0.9, 0.99}) {
            const Bytes room = roomFor(span, usable, chance);
            QVERIFY(room.value <= usable.value * (1.0 + 1e-12));
            QVERIFY(std::abs(chanceToFit(span, room, usable) - chance) < 1e-6);
        }
    }

    void spansWiden() {
        const MemorySpan span{0.1, 0.3, 0, 0};
        QVERIFY(lowOf(span, 40.0) < 40.0 && highOf(span, 40.0) > 40.0);
        QVERIFY(std::abs((highOf(span, 40.0) + 1.0) / (lowOf(span, 40.0) + 1.0) - std::exp(0.6)) < 1e-12);
        QCOMPARE(lowOf(span, 0.0), 0.0);
    }

    void stacksHaveTheirOwnWhereThereAreRows() {
        std::vector<MemoryCase> cases;
        for (int i = 0; i < 40; ++i) {
            cases.push_back({"a", "known", "a", 10.0, 11.0 * std::exp(0.2) - 1.0});
            cases.push_back({"b", "", "b", 10.0, 11.0 * std::exp(i % 2 == 0 ? 0.3 : -0.3) - 1.0});
        }
        cases.push_back({"c", "rare", "c", 10.0, 10.0});
        const MemorySpans spans = fittedSpans(cases);
        QCOMPARE(spans.stacks.size(), std::size_t{1});
        QVERIFY(std::abs(spans.strangers.half - 0.3) < 1e-9);
        const MemorySpan& known = spans.of("known");
        QVERIFY(std::abs(known.centre - 0.2 * 40.0 / 60.0) < 1e-9); // drawn to 0
        QVERIFY(known.half > 0.2 && known.half < 0.3);              // of one source: not its own width alone
        QCOMPARE(spans.of("rare").half, spans.strangers.half);
        QCOMPARE(spans.of("").half, spans.strangers.half);
    }

    // resources/calibration/memory_spans.json is what the program predicts today; PW_UPDATE_EXPECTED=1, or
    // `pipewright-cli validate --memory-spans FILE`, writes it anew.
    void theShippedSpansAreOfToday() {
        const auto cases = predictedPeaks(0, {});
        QVERIFY2(cases, cases ? "" : cases.error().text().c_str());
        const MemorySpans now = fittedSpans(*cases);
        if (qEnvironmentVariableIsSet("PW_UPDATE_EXPECTED"))
            QVERIFY(writeFileAtomically(kFile, memorySpansJson(now)));
        const auto text = readFile(kFile);
        QVERIFY(text);
        const auto before = readMemorySpans(*text, "memory_spans.json");
        QVERIFY2(before, before ? "" : before.error().text().c_str());
        const auto same = [](const MemorySpan& a, const MemorySpan& b) {
            return a.rows == b.rows && a.sources == b.sources && std::abs(a.centre - b.centre) < 2e-3 &&
                   std::abs(a.half - b.half) < 2e-3;
        };
        QVERIFY2(same(now.strangers, before->strangers), "write memory_spans.json anew");
        QCOMPARE(now.stacks.size(), before->stacks.size());
        for (const auto& [stack, span] : now.stacks)
            QVERIFY2(same(span, before->of(stack)), stack.c_str());
    }

    // Each source left out, the others' span holds most of its peaks and is no wider than high / low 2.5.
    void leftOutSourcesAreCovered() {
        const auto cases = predictedPeaks(0, {});
        QVERIFY(cases);
        int large = 0, held = 0;
        for (const MemoryCoverage& m : memoryCoverage(*cases)) {
            QVERIFY2(m.half < 0.46, m.source.c_str());
            if (m.rows < 20)
                continue;
            ++large;
            held += m.inside >= 0.7 ? 1 : 0;
        }
        QVERIFY(large >= 4);
        QVERIFY2(held >= large - 1, qPrintable(QString::number(held)));
    }

    // Of runs that ran at least 97 % have a chance of a half, of those that ended for want of memory at most
    // 3 %; and every run that is predicted has spans around its prediction.
    void runsThatRanFit() {
        int ran = 0, ranFits = 0, ended = 0, endedFits = 0;
        for (const PublishedTable& table : publishedTables()) {
            const auto runs = readPublished(table);
            QVERIFY(runs);
            const auto predictions =
                predictRuns(runs->rows, 0, {}, {}, runs->layers, ConstantSet::builtin(), expectations());
            for (std::size_t i = 0; i < runs->rows.size(); ++i) {
                const RunRow& row = runs->rows[i];
                const RunPrediction& p = predictions[i];
                QCOMPARE(p.expected.has_value(), p.status == PredictionStatus::Ok);
                if (!p.expected)
                    continue;
                QVERIFY2(p.fits == (p.expected->fitChance >= 0.5), row.rowId.c_str());
                QVERIFY2(p.expected->lowS < p.expected->highS && p.expected->lowGib < p.expected->highGib,
                         row.rowId.c_str());
                if (row.iterTimeS) {
                    ++ran;
                    ranFits += p.fits ? 1 : 0;
                } else if (row.iterTimeBasis.starts_with("OOM")) {
                    ++ended;
                    endedFits += p.fits ? 1 : 0;
                }
            }
        }
        QVERIFY(ran > 2600 && ended > 130);
        QVERIFY2(ranFits >= 0.97 * ran, qPrintable(QString::number(ranFits)));
        QVERIFY2(endedFits <= 0.03 * ended, qPrintable(QString::number(endedFits)));
    }

    void mistakesArePlaced() {
        const auto place = [](const char* text) {
            const auto read = readMemorySpans(text, "m.json");
            return read ? std::string("read") : read.error().where;
        };
        QCOMPARE(place("{"), std::string("m.json:1:2"));
        QCOMPARE(place(R"({"schema": "pipewright-memory-spans-1", "stacks": {},
                           "strangers": {"centre": 0, "half": 0, "rows": 1, "sources": 1}})"),
                 std::string("m.json#/strangers/half"));
    }
};

QTEST_APPLESS_MAIN(MemorySpanTest)
#include "memory_span_test.moc"
