// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/constants_fit.h"

#include "tests/calibrate/run_rows.h"

#include <QTest>

#include <cmath>
#include <thread>

using namespace pw;
using test::Cells;
using test::plainGpt;
using test::with;

namespace {

// Runs that between them depend on every constant that is fitted to runs: two generations of GPUs, small and
// large models, one node and many, Ethernet, fused attention, sharded weights, 8-bit products.
std::vector<RunRow> manyRuns() {
    std::vector<Cells> cells;
    for (const char* hidden : {"1024", "2048", "5120"})
        for (const char* tp : {"1", "2", "4"})
            for (const char* mbs : {"1", "4"})
                cells.push_back(with(plainGpt(), {{"hidden", hidden},
                                                  {"ffn_hidden", ""},
                                                  {"tp", tp},
                                                  {"pp", "1"},
                                                  {"dp", ""},
                                                  {"mbs", mbs},
                                                  {"n_microbatches", ""}}));
    const Cells cluster = with(plainGpt(), {{"n_gpus", "32"},
                                            {"network", "8x200Gb/s HDR InfiniBand per node"},
                                            {"gbs", "128"},
                                            {"dp", ""},
                                            {"n_microbatches", ""}});
    for (const char* hidden : {"2048", "4096", "8192"})
        for (const char* network : {"8x200Gb/s HDR InfiniBand per node", "1x100Gb/s Ethernet per node"})
            cells.push_back(with(cluster, {{"hidden", hidden}, {"ffn_hidden", ""}, {"network", network}}));
    for (const char* hidden : {"1536", "3072"})
        for (const char* recompute : {"none", "full"})
            for (const char* mbs : {"2", "8"})
                cells.push_back(with(plainGpt(), {{"gpu", "V100-SXM2-16GB"},
                                                  {"gpu_mem_gb", "16"},
                                                  {"hidden", hidden},
                                                  {"ffn_hidden", ""},
                                                  {"recompute", recompute},
                                                  {"mbs", mbs},
                                                  {"n_microbatches", ""}}));
    const Cells sharded = with(cluster, {{"gpu", "H100-SXM-80GB"},
                                         {"network", "8x400Gb/s InfiniBand per node"},
                                         {"framework", "torchtitan"},
                                         {"model", "Llama3.1-8B"},
                                         {"n_layers", "32"},
                                         {"hidden", "4096"},
                                         {"ffn_hidden", "14336"},
                                         {"n_heads", "32"},
                                         {"n_kv_heads", "8"},
                                         {"vocab", "128256"},
                                         {"precision", "bf16"},
                                         {"tp", "1"},
                                         {"pp", "1"},
                                         {"dp", "32"},
                                         {"gbs", "64"},
                                         {"mbs", "2"},
                                         {"sharding", "fsdp2(zero3)"},
                                         {"flash_attn", "1"}});
    for (const char* recompute : {"none", "full"})
        for (const char* seq : {"2048", "8192", "32768"})
            for (const char* precision : {"bf16", "fp8", "fp8-rowwise"})
                cells.push_back(
                    with(sharded, {{"recompute", recompute}, {"seq_len", seq}, {"precision", precision}}));
    std::vector<RunRow> rows;
    for (Cells& row : cells) {
        row["row_id"] = "r" + std::to_string(rows.size());
        rows.push_back(test::row(row));
    }
    return rows;
}

std::vector<double> timesOf(const std::vector<RunRow>& rows,
                            const ConstantSet& constants = ConstantSet::builtin(), int threads = 1) {
    std::vector<double> times;
    for (const RunPrediction& prediction : predictRuns(rows, threads, {}, {}, {}, constants)) {
        if (prediction.status != PredictionStatus::Ok)
            qFatal("%s: %s", prediction.rowId.c_str(), prediction.remarks.c_str());
        times.push_back(prediction.iterTimeS);
    }
    return times;
}

ConstantSet changed(std::size_t index, double factor) {
    std::vector<double> values;
    for (const FittedConstant& constant : ConstantSet::builtin().list())
        values.push_back(constant.value);
    values[index] *= factor;
    return ConstantSet::builtin().with(values);
}

// A world whose constants are others than ours, all within their ranges.
ConstantSet otherWorld() {
    std::vector<double> values;
    double factor = 0.8;
    for (const FittedConstant& constant : ConstantSet::builtin().list()) {
        values.push_back(constant.value);
        if (constant.fit == FittedTo::Runs) {
            values.back() = std::clamp(constant.value * factor, constant.least, 0.95 * constant.most);
            factor = factor > 1.0 ? factor - 0.35 : factor + 0.3;
        }
    }
    return ConstantSet::builtin().with(values);
}

// Its runs, as if measured.
std::vector<RunRow> measuredRuns(const ConstantSet& world) {
    std::vector<RunRow> rows = manyRuns();
    const std::vector<double> times = timesOf(rows, world);
    for (std::size_t i = 0; i < rows.size(); ++i)
        rows[i].iterTimeS = times[i];
    return rows;
}

std::vector<double> valuesOf(const ConstantSet& set) {
    std::vector<double> values;
    for (const FittedConstant& constant : set.list())
        values.push_back(constant.value);
    return values;
}

// One in three of these. Megatron-LM's are in the first two sources, torchtitan's in the last two.
std::vector<RunSource> threeSources(const ConstantSet& world) {
    std::vector<RunSource> sources{{"one", {}, {}}, {"two", {}, {}}, {"three", {}, {}}};
    const std::vector<RunRow> rows = measuredRuns(world);
    for (std::size_t i = 0; i < rows.size(); i += 3) {
        const RunRow& row = rows[i];
        const bool sharded = row.framework == "torchtitan";
        std::vector<RunRow>& first = sources[sharded ? 1 : 0].rows;
        std::vector<RunRow>& second = sources[sharded ? 2 : 1].rows;
        (first.size() <= second.size() ? first : second).push_back(row);
    }
    return sources;
}

ConstantsReport fitted(const std::vector<RunSource>& sources, const ConstantsFitOptions& options = {}) {
    const auto report = fitConstants(sources, options, {});
    if (!report)
        qFatal("%s", report.error().text().c_str());
    return *report;
}

const ConstantsFit& fitWithout(const ConstantsReport& report, const std::string& name) {
    for (const auto* list : {&report.sources, &report.frameworks})
        for (const LeftOutErrors& entry : *list)
            if (entry.leftOut == name)
                return fitOf(report, entry.fit);
    qFatal("nothing was left out by this name");
}

void slowDown(std::vector<RunRow>& rows, double factor) {
    for (RunRow& row : rows)
        row.iterTimeS = factor * *row.iterTimeS;
}

} // namespace

class ConstantsFitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Whatever a formula reads of the constants has to be the set's, on every thread.
    void predictionsFollowTheConstants() {
        const std::vector<RunRow> rows = manyRuns();
        const std::vector<double> plain = timesOf(rows);
        const auto list = ConstantSet::builtin().list();
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (list[i].fit != FittedTo::Runs)
                continue;
            const ConstantSet other = changed(i, 0.9);
            const std::vector<double> times = timesOf(rows, other);
            QVERIFY2(times != plain, list[i].name.c_str());
            QVERIFY2(timesOf(rows, other, 3) == times, list[i].name.c_str());
            QVERIFY2(timesOf(rows) == plain, list[i].name.c_str());
        }
    }

    void threadsKeepTheirOwn() {
        const std::vector<RunRow> rows = manyRuns();
        const std::vector<double> plain = timesOf(rows);
        const ConstantSet slow = changed(0, 2.0), slower = changed(0, 4.0);
        const auto under = [&](const ConstantSet& set) { return timesOf(rows, set, 2); };
        const std::vector<double> first = under(slow), second = under(slower);
        QVERIFY(first != plain && first != second);
        bool same = true;
        {
            std::jthread other([&] {
                for (int round = 0; round < 5; ++round)
                    same = same && under(slow) == first;
            });
            for (int round = 0; round < 5; ++round) {
                QVERIFY(under(slower) == second);
                QVERIFY(timesOf(rows) == plain);
            }
        }
        QVERIFY(same);
    }

    // From the neutral start back to the constants that the runs were made with.
    void constantsAreFound() {
        const ConstantSet world = otherWorld();
        const ConstantsReport report = fitted({{"runs", measuredRuns(world), {}}},
                                              {.leaveOutSources = false, .leaveOutFrameworks = false});
        QVERIFY(report.fits.empty() && report.sources.empty() && report.frameworks.empty());
        QCOMPARE(report.all.runs, int(manyRuns().size()));
        QVERIFY(report.all.startLoss > 0.05 && report.builtin[0].median > 0.05);
        QVERIFY2(report.all.loss < 1e-3, qPrintable(QString::number(report.all.loss)));
        QVERIFY2(report.allIn[0].p90 < 0.01, qPrintable(QString::number(report.allIn[0].p90)));
        const auto list = world.list();
        for (std::size_t i = 0; i < list.size(); ++i) {
            const double found = report.all.constants.list()[i].value / list[i].value;
            QVERIFY2(std::abs(found - 1.0) < (list[i].fit == FittedTo::Runs ? 0.1 : 1e-12),
                     qPrintable(QStringLiteral("%1: %2 of what it is")
                                    .arg(QString::fromStdString(list[i].name))
                                    .arg(found)));
        }
        QVERIFY(report.all.untold.empty());
    }

    // A few runs of a long table are enough, and errors are still of all of them.
    void fewRunsOfASourceAreFittedTo() {
        const ConstantsReport report =
            fitted({{"runs", measuredRuns(otherWorld()), {}}},
                   {.leaveOutSources = false, .leaveOutFrameworks = false, .mostRuns = 12});
        QCOMPARE(report.all.runs, 12);
        QCOMPARE(report.allIn[0].count, int(manyRuns().size()));
        QVERIFY2(report.allIn[0].p90 < 0.05, qPrintable(QString::number(report.allIn[0].p90)));
    }

    // However wrong the runs are that are left out: the fit without them is the same to the last digit.
    void whatIsLeftOutIsNotSeen() {
        const std::vector<RunSource> plain = threeSources(otherWorld());
        const ConstantsReport before = fitted(plain);
        const auto same = [&](const ConstantsReport& after, const std::string& name) {
            return valuesOf(fitWithout(before, name).constants) ==
                   valuesOf(fitWithout(after, name).constants);
        };
        QCOMPARE(before.sources.size(), std::size_t{3});
        QCOMPARE(before.frameworks.size(), std::size_t{4}); // two frameworks in two sources each

        std::vector<RunSource> wrong = plain;
        slowDown(wrong[1].rows, 3.0);
        const ConstantsReport source = fitted(wrong);
        QVERIFY(same(source, "two"));
        QVERIFY(!same(source, "one") && !same(source, "three"));
        QVERIFY(valuesOf(source.all.constants) != valuesOf(before.all.constants));
        QCOMPARE(source.sources[1].source, std::string("two"));
        QVERIFY(source.sources[1].unseen.bias < -0.6); // a third of what was measured
        QVERIFY(before.sources[1].unseen.bias > -0.3);

        wrong = plain;
        for (RunSource& s : wrong)
            for (RunRow& row : s.rows)
                if (row.framework == "torchtitan")
                    row.iterTimeS = 3.0 * *row.iterTimeS;
        const ConstantsReport framework = fitted(wrong);
        QVERIFY(same(framework, "torchtitan"));
        QVERIFY(!same(framework, "megatron"));
        // Without it no run tells about 8-bit products: those constants stay where no run put them.
        const ConstantsFit& fit = fitWithout(framework, "torchtitan");
        QVERIFY(std::count(fit.untold.begin(), fit.untold.end(), "compute.rowwise_share") == 1);
        QCOMPARE(fit.constants.compute().rowwiseShare, 1.0);
    }

    void threadsDoNotMatter() {
        const std::vector<RunSource> sources = threeSources(otherWorld());
        const ConstantsReport one = fitted(sources, {.threads = 1});
        const ConstantsReport four = fitted(sources, {.threads = 4});
        QVERIFY(valuesOf(one.all.constants) == valuesOf(four.all.constants));
        QCOMPARE(one.fits.size(), four.fits.size());
        for (std::size_t i = 0; i < one.fits.size(); ++i)
            QVERIFY(valuesOf(one.fits[i].constants) == valuesOf(four.fits[i].constants));
    }

    void whichRunsCount() {
        std::vector<RunRow> rows = measuredRuns(ConstantSet::builtin());
        const int all = int(rows.size());
        rows[0].quality = "C";
        rows[1].iterTimeS.reset();
        rows[2].gpu = "a GPU that is in no catalogue";
        const RunRow zeroBubble = test::row(with(plainGpt(), {{"row_id", "zb"},
                                                              {"pp", "4"},
                                                              {"dp", ""},
                                                              {"schedule", "ZB-1p"},
                                                              {"iter_time_s", "1"},
                                                              {"recompute", "none"}}));
        const ConstantsReport report = fitted({{"runs", rows, {}}, {"zero bubble", {zeroBubble}, {}}});
        QCOMPARE(report.all.runs, all - 3);
        QCOMPARE(report.allIn[0].count, all - 3);
        QCOMPARE(report.allIn[1].count, 1); // predicted all the same
        // Without the first source nothing is left to fit to; of the second no fit sees anything.
        QCOMPARE(report.sources.size(), std::size_t{1});
        QCOMPARE(report.sources[0].leftOut, std::string("zero bubble"));
        QCOMPARE(report.sources[0].fit, LeftOutErrors::kAll);
        QCOMPARE(report.sources[0].unseen.median, report.sources[0].allIn.median);
        QVERIFY(!report.frameworks.empty());

        for (RunRow& row : rows)
            row.quality = "C";
        const auto none = fitConstants({{"runs", rows, {}}}, {}, {});
        QVERIFY(!none);
        QCOMPARE(none.error().kind, ErrorKind::BadInput);
        std::stop_source stop;
        stop.request_stop();
        const auto stopped = fitConstants(threeSources(otherWorld()), {}, stop.get_token());
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().kind, ErrorKind::Stopped);
    }

    void frameworksByTheirFirstWord() {
        const auto of = [](const char* text) {
            RunRow row;
            row.framework = text;
            return frameworkOf(row);
        };
        QCOMPARE(of("Megatron-LM+DeepSpeed ZeRO-3"), std::string("megatron"));
        QCOMPARE(of("DeepSpeed/Megatron-LM v1.1.5 3D"), std::string("deepspeed"));
        QCOMPARE(of("torchtitan"), std::string("torchtitan"));
        QCOMPARE(of(""), std::string("unstated"));
    }
};

QTEST_APPLESS_MAIN(ConstantsFitTest)
#include "constants_fit_test.moc"
