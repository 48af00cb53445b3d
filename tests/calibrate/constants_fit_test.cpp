// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/constants.h"
#include "core/calibrate/validate.h"

#include "tests/calibrate/run_rows.h"

#include <QTest>

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

std::vector<double> timesOf(const std::vector<RunRow>& rows, int threads = 1) {
    std::vector<double> times;
    for (const RunPrediction& prediction : predictRuns(rows, threads, {})) {
        if (prediction.status != PredictionStatus::Ok)
            qFatal("%s: %s", prediction.rowId.c_str(), prediction.message.c_str());
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

} // namespace

class ConstantsFitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Whatever a formula keeps of the constants has to follow them, on every thread, and to come back.
    void predictionsFollowTheConstants() {
        const std::vector<RunRow> rows = manyRuns();
        const std::vector<double> plain = timesOf(rows);
        const auto list = ConstantSet::builtin().list();
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (list[i].fit != FittedTo::Runs)
                continue;
            const ConstantSet other = changed(i, 0.9);
            std::vector<double> times;
            {
                const ConstantScope scope(other);
                times = timesOf(rows);
                QVERIFY2(times != plain, list[i].name.c_str());
                QVERIFY2(timesOf(rows, 3) == times, list[i].name.c_str());
            }
            QVERIFY2(timesOf(rows) == plain, list[i].name.c_str());
        }
    }

    void threadsKeepTheirOwn() {
        const std::vector<RunRow> rows = manyRuns();
        const std::vector<double> plain = timesOf(rows);
        const ConstantSet slow = changed(0, 2.0), slower = changed(0, 4.0);
        const auto under = [&](const ConstantSet& set) {
            const ConstantScope scope(set);
            return timesOf(rows, 2);
        };
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
};

QTEST_APPLESS_MAIN(ConstantsFitTest)
#include "constants_fit_test.moc"
