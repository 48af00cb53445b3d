// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/accuracy/cases.h"
#include "core/accuracy/coverage.h"
#include "core/base/file.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

bool near(double got, double expected, double relative, double absolute) {
    return std::abs(got - expected) <= absolute + relative * std::abs(expected);
}

} // namespace

class ResidualsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // resources/calibration/residuals.csv is what the program predicts today. PW_UPDATE_EXPECTED=1, or
    // `pipewright-cli validate --residuals resources/calibration/residuals.csv`, writes it anew.
    void theShippedTableIsOfToday() {
        auto now = predictedCases(0, {});
        QVERIFY2(now, now ? "" : now.error().text().c_str());
        now->widths = calibratedWidths(*now);
        if (qEnvironmentVariableIsSet("PW_UPDATE_EXPECTED")) {
            QVERIFY(writeFileAtomically(PW_SOURCE_DIR "/resources/calibration/residuals.csv",
                                        residualsCsv(*now)));
            return;
        }
        const auto text = readFile(PW_SOURCE_DIR "/resources/calibration/residuals.csv");
        QVERIFY(text);
        const auto before = readResiduals(*text, "residuals.csv");
        QVERIFY2(before, before ? "" : before.error().text().c_str());
        const char* stale = "write it anew: pipewright-cli validate --residuals "
                            "resources/calibration/residuals.csv, then build again";
        QVERIFY2(now->sources == before->sources, stale);
        QVERIFY2(now->cases.size() == before->cases.size(), stale);
        for (std::size_t i = 0; i < now->cases.size(); ++i) {
            const MeasuredCase &got = now->cases[i], &had = before->cases[i];
            QCOMPARE(got.rowId, had.rowId);
            QCOMPARE(got.source, had.source);
            QCOMPARE(got.group, had.group);
            QCOMPARE(got.stack, had.stack);
            QCOMPARE(got.generation, had.generation);
            QVERIFY2(near(got.residual, had.residual, 0.0, 1e-3), stale);
            QVERIFY2(near(got.logPredicted, had.logPredicted, 0.0, 1e-3), stale);
            for (std::size_t f = 0; f < kFeatures; ++f)
                QVERIFY2(near(got.features.values[f], had.features.values[f], 1e-3, 1e-3), stale);
        }
        QVERIFY2(near(now->widths.near, before->widths.near, 0.02, 0.0), stale);
        QVERIFY2(near(now->widths.far, before->widths.far, 0.02, 0.0), stale);
        QVERIFY2(near(now->widths.pair, before->widths.pair, 0.02, 0.0), stale);
    }

    void whatIsWrittenReadsBack() {
        const CaseTable& table = measuredCases();
        const std::string text = residualsCsv(table);
        const auto back = readResiduals(text, "back.csv");
        QVERIFY2(back, back ? "" : back.error().text().c_str());
        QCOMPARE(residualsCsv(*back), text);
    }

    void mistakesArePlaced() {
        std::string text = residualsCsv(measuredCases());
        const auto place = [](const std::string& broken) {
            const auto read = readResiduals(broken, "r.csv");
            return read ? std::string("read") : read.error().where;
        };
        QCOMPARE(place("source" + text), std::string("r.csv:1:1"));
        std::string columns = text;
        columns.replace(columns.find("residual,"), 8, "resedual");
        QCOMPARE(place(columns), std::string("r.csv:2:1"));
        const std::size_t third = text.find('\n', text.find('\n') + 1) + 1;
        QCOMPARE(place(text.substr(0, text.find('\n', third) - 3) + "x\n"), std::string("r.csv:3:1"));
    }
};

QTEST_APPLESS_MAIN(ResidualsTest)
#include "residuals_test.moc"
