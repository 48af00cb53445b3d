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
std::vector<RunRow> runsOf(const Calibration& machine) {
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
            qFatal("%s", times[i].message.c_str());
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
        const auto rows = runsOf(machine);
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
        const auto report = fitCalibration(runsOf({}), {}, {});
        QVERIFY(report);
        const KindFactors& found = report->calibration.kinds.at("A100-SXM4-80GB");
        for (const double factor : {found.compute, found.memory, found.fabric})
            QVERIFY(std::abs(factor - 1.0) < 1e-3);
        QVERIFY(report->after.median < 1e-3);
    }

    void fewOrNoRuns() {
        std::vector<RunRow> one = {runsOf({})[0]};
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
        const auto back = readCalibration(printJson(toJson(machine)), "c.json");
        QVERIFY2(back, back ? "" : back.error().text().c_str());
        QVERIFY(*back == machine);
        QVERIFY(readCalibration(R"({"schema":"pipewright-calibration-1"})", "c.json")->empty());
        QVERIFY(!readCalibration(R"({"schema":"pipewright-calibration-2"})", "c.json"));
        const auto wrong =
            readCalibration(R"({"schema":"pipewright-calibration-1","links":{"RoCE":0}})", "c.json");
        QVERIFY(!wrong);
        QCOMPARE(wrong.error().where, std::string("c.json#/links/RoCE"));
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
