// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/fit.h"

#include "tests/calibrate/run_rows.h"

#include <nlohmann/json.hpp>

#include <QTest>

#include <cmath>

using namespace pw;
using test::plainGpt;
using test::with;

namespace {

// Runs of many shapes, with the times that a machine with these factors would take.
std::vector<RunRow> runsOn(const Calibration& machine) {
    std::vector<RunRow> rows;
    for (const char* hidden : {"1024", "2048", "4096"})
        for (const char* layers : {"12", "24"})
            for (const auto& [tp, dp, microbatches] :
                 {std::tuple("1", "4", "4"), std::tuple("2", "2", "8"), std::tuple("4", "1", "16")})
                rows.push_back(test::row(with(plainGpt(), {{"hidden", hidden},
                                                           {"ffn_hidden", ""},
                                                           {"n_layers", layers},
                                                           {"tp", tp},
                                                           {"dp", dp},
                                                           {"n_microbatches", microbatches},
                                                           {"model", std::string("GPT-h") + hidden}})));
    const auto times = predictRuns(rows, 0, {}, machine);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (times[i].status != PredictionStatus::Ok)
            qFatal("%s", times[i].remarks.c_str());
        rows[i].iterTimeS = times[i].iterTimeS;
    }
    return rows;
}

} // namespace

// A machine that is slower than its datasheet, and the fit that finds out.
class FitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void slowerMachineIsFound() {
        Calibration machine;
        machine.kinds["A100-SXM4-80GB"] = {0.8, 0.9, 1.0};
        const auto rows = runsOn(machine);
        const auto report = fitCalibration(rows, {}, {});
        QVERIFY2(report, report ? "" : report.error().text().c_str());
        QCOMPARE(report->runs, int(rows.size()));
        QVERIFY(report->before.bias < -0.05);
        QVERIFY2(report->after.median < 0.02, qPrintable(QString::number(report->after.median)));
        QCOMPARE(report->crossValidated.count, report->runs);
        QVERIFY(report->crossValidated.median < 0.03);
        const KindFactors& found = report->calibration.kinds.at("A100-SXM4-80GB");
        QVERIFY2(found.compute > 0.7 && found.compute < 0.9, qPrintable(QString::number(found.compute)));
    }

    void nothingToFindChangesNothing() {
        const auto report = fitCalibration(runsOn({}), {}, {});
        QVERIFY(report);
        const KindFactors& found = report->calibration.kinds.at("A100-SXM4-80GB");
        for (const double factor : {found.compute, found.memory, found.fabric})
            QVERIFY(std::abs(factor - 1.0) < 1e-3);
        QVERIFY(report->after.median < 1e-3);
    }

    // What the software costs is a factor of its own, where runs tell: here small layers wait for the host.
    void slowHostIsFound() {
        Calibration machine;
        machine.software["host"] = 1.5;
        const auto rows = runsOn(machine);
        const auto report = fitCalibration(rows, {}, {});
        QVERIFY2(report, report ? "" : report.error().text().c_str());
        QVERIFY2(report->after.median < 0.5 * report->before.median + 0.005,
                 qPrintable(QString::number(report->after.median)));
        const auto host = report->calibration.software.find("host");
        QVERIFY(host != report->calibration.software.end());
        QVERIFY2(host->second > 1.15 && host->second < 1.7, qPrintable(QString::number(host->second)));
    }

    // Runs of one node say nothing of links, nor plain data parallelism of what hides tensor parallelism.
    void whatIsNotToldStays() {
        std::vector<RunRow> few = runsOn({});
        std::erase_if(few, [](const RunRow& row) { return row.tp != 1; });
        for (RunRow& row : few)
            row.iterTimeS = 1.2 * *row.iterTimeS;
        const auto report = fitCalibration(few, {}, {});
        QVERIFY(report);
        QCOMPARE(report->folds, report->runs); // each left out
        const FactorName compute{"compute", "A100-SXM4-80GB"};
        QCOMPARE(compute.text(), std::string("compute of A100-SXM4-80GB"));
        bool closed = false, computed = false;
        for (const ToldFactor& f : report->factors) {
            QVERIFY(f.name.part != kUpdateGroup); // whole steps do not tell it
            QVERIFY(f.told >= 0.0 && f.told <= 1.0);
            QVERIFY2(f.kept || f.factor == 1.0, f.name.text().c_str());
            closed = closed || (f.name.text() == "hidden" && !f.kept);
            computed = computed || f.name == compute;
        }
        QVERIFY(closed && computed);
        QVERIFY(!report->calibration.software.contains("hidden"));
        QVERIFY(report->crossValidated.median < report->before.median);
    }

    void peaksGetOneOffset() {
        std::vector<RunRow> rows = runsOn({});
        rows.resize(6);
        const auto predictions = predictRuns(rows, 0, {});
        for (std::size_t i = 0; i < rows.size(); ++i)
            rows[i].peakMemGib = predictions[i].peakMemGib + 4.0;
        const auto report = fitCalibration(rows, {}, {});
        QVERIFY(report);
        QCOMPARE(report->peaks, 6);
        QVERIFY(std::abs(report->calibration.memoryOffset - 3.0) < 1e-9); // 4 x 6 / (6 + 2)
        QVERIFY(report->peakAfter < report->peakBefore);
        const auto then = predictRuns(rows, 0, {}, report->calibration);
        QVERIFY(std::abs(then[0].peakMemGib - predictions[0].peakMemGib - 3.0) < 1e-9);
    }

    void drawsAreOfTheRest() {
        Calibration machine;
        machine.kinds["A100-SXM4-80GB"] = {0.8, 0.9, 1.0};
        const auto rows = runsOn(machine);
        const auto drawn = drawnCalibrations(rows, {}, 4, 2, {}, {});
        QVERIFY2(drawn, drawn ? "" : drawn.error().text().c_str());
        QCOMPARE(drawn->draws, 2);
        QCOMPARE(drawn->rows, int(rows.size()));
        QVERIFY(drawn->after < drawn->before && drawn->after <= drawn->worst);
        QVERIFY(!drawnCalibrations(rows, {}, int(rows.size()), 2, {}, {}));
    }

    void fewOrNoRuns() {
        std::vector<RunRow> one = {runsOn({})[0]};
        const auto report = fitCalibration(one, {}, {});
        QVERIFY(report);
        QCOMPARE(report->folds, 0);
        one[0].iterTimeS.reset();
        const auto none = fitCalibration(one, {}, {});
        QVERIFY(!none);
        QCOMPARE(none.error().kind, ErrorKind::BadInput);
    }

    void filesReadBack() {
        Calibration machine;
        machine.kinds["T4"] = {0.9, 1.1, 0.95};
        machine.links["Ethernet"] = 0.8;
        machine.software["host"] = 1.25;
        machine.software[kUpdateGroup] = 0.8;
        machine.fusedUpdate = Choice::Off;
        machine.memoryOffset = -2.5;
        const auto back = readCalibration(printJson(toJson(machine)), "c.json");
        QVERIFY2(back, back ? "" : back.error().text().c_str());
        QVERIFY(*back == machine);
        QVERIFY(readCalibration(R"({"schema":"pipewright-calibration-1"})", "c.json")->empty());
        QVERIFY(!readCalibration(R"({"schema":"pipewright-calibration-2"})", "c.json"));
        const auto wrong =
            readCalibration(R"({"schema":"pipewright-calibration-1","links":{"RoCE":0}})", "c.json");
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().where, std::string("c.json#/links/RoCE"));
        const auto unknown =
            readCalibration(R"({"schema":"pipewright-calibration-1","software":{"luck":2}})", "c.json");
        QVERIFY(!unknown);
        QCOMPARE(unknown.error().where, std::string("c.json#/software/luck"));
        const auto word =
            readCalibration(R"({"schema":"pipewright-calibration-1","fused_update":"some"})", "c.json");
        QVERIFY(!word);
        QCOMPARE(word.error().where, std::string("c.json#/fused_update"));
    }

    void constantsTakeTheFactors() {
        Calibration machine;
        machine.software["host"] = 2.0;
        machine.software["hidden"] = 10.0;
        const ConstantSet& before = ConstantSet::builtin();
        const ConstantSet after = calibrated(before, machine);
        QCOMPARE(after.compute().hostCall, 2.0 * before.compute().hostCall);
        QCOMPARE(after.compute().kernelLaunch, 2.0 * before.compute().kernelLaunch);
        QCOMPARE(after.compute().hiddenShare, 1.0); // a share
        QCOMPARE(after.compute().attentionForward, before.compute().attentionForward);
        QCOMPARE(after.compute().updateShare, 1.0);
        machine.software[kUpdateGroup] = 0.8;
        QCOMPARE(calibrated(before, machine).compute().updateShare, 0.8);
        QVERIFY(calibrated(before, {}) == before);
    }

    void clustersTakeTheFactors() {
        Cluster cluster;
        for (const char* id : {"n1", "n2"}) {
            Node node;
            node.id = id;
            node.kind = "T4";
            node.gpus = 4;
            cluster.nodes.push_back(node);
            Link link;
            link.id = std::string(id) + "-s1";
            link.a = id;
            link.b = "s1";
            link.bandwidth = BytesPerSecond(6.25e9);
            link.efficiency = 0.8;
            cluster.links.push_back(link);
        }
        cluster.switches.push_back({"s1", "Ethernet", {}});
        Calibration machine;
        machine.kinds["T4"] = {0.5, 2.0, 0.25};
        machine.kinds["H20-96GB"] = {0.5, 0.5, 0.5}; // not in use
        machine.links["Ethernet"] = 0.5;
        machine.links["RoCE"] = 0.1;
        const Cluster changed = calibrated(cluster, machine);
        QCOMPARE(changed.kinds.size(), std::size_t{1});
        const DeviceKind& own = *Catalogue::builtin().find("T4");
        QCOMPARE(changed.kinds[0].fp16.value, 0.5 * own.fp16.value);
        QCOMPARE(changed.kinds[0].watts, 0.5 * own.watts);
        QCOMPARE(changed.kinds[0].memoryBandwidth.value, 2.0 * own.memoryBandwidth.value);
        QCOMPARE(changed.kinds[0].pcie.value, 0.25 * own.pcie.value);
        QCOMPARE(changed.links[1].efficiency, 0.4);
        machine.links["Ethernet"] = 2.0;
        QCOMPARE(calibrated(cluster, machine).links[0].efficiency, 1.0); // a line has no more than its rate
    }
};

QTEST_APPLESS_MAIN(FitTest)
#include "fit_test.moc"
