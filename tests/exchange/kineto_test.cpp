// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/imports/import_table.h"
#include "core/overlay/kineto_overlay.h"
#include "tests/test_data.h"

#include <QTemporaryDir>
#include <QtTest>

#include <fmt/format.h>
#include <zlib.h>

using namespace pw;

namespace {

std::string kernel(double start, double duration, const char* args = "{}", const char* name = "gemm") {
    return fmt::format(R"({{"ph":"X","cat":"kernel","name":"{}","ts":{},"dur":{},"args":{}}})", name, start,
                       duration, args);
}

std::string trace(const std::string& events, int rank = 0, int world = 4) {
    return fmt::format(R"({{"schemaVersion":1,"deviceProperties":[{{"id":0,"name":"NVIDIA A100-SXM4-40GB"}}],
"distributedInfo":{{"rank":{},"world_size":{}}},
"traceEvents":[{}]}})",
                       rank, world, events);
}

std::string collective(const char* description, int size) {
    return fmt::format(
        R"({{"Collective name":"allreduce","In msg nelems":1024,"Out msg nelems":1024,"Group size":{},
"dtype":"BFloat16","Process Group Description":"{}","Process Group Ranks":"[0, 1]"}})",
        size, description);
}

const char* kNccl = "ncclDevKernel_AllReduce";

} // namespace

class KinetoTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void thePublishedFigures() {
        const auto path = test::testData("profiles/kineto_trace_min.json");
        const auto t = readKineto(path);
        QVERIFY2(t, t ? "" : t.error().text().c_str());
        QCOMPARE(t->device, std::string("NVIDIA A100-SXM4-80GB"));
        QCOMPARE(t->deviceMemory, 85031714816.0);
        QCOMPARE(t->rank, 0);
        QCOMPARE(t->worldSize, 4);
        QCOMPARE(t->ncclVersion, std::string("2.27.3"));
        QCOMPARE(t->events, 5);
        QCOMPARE(t->kernels.size(), std::size_t{2});
        QCOMPARE(t->kernels[0].duration, 250.5);
        QCOMPARE(t->kernels[1].kind, KernelKind::TensorParallel);
        QCOMPARE(t->steps.size(), std::size_t{1});
        QCOMPARE(t->steps[0].end - t->steps[0].start, 1000.0);
        QCOMPARE(t->peakMemory, 1e9);
        QCOMPARE(t->links.size(), std::size_t{1});
        QCOMPARE(t->links[0].collective, std::string("all_reduce"));
        QCOMPARE(t->links[0].ranks, 2);
        QCOMPARE(t->links[0].outOfPlace.at(0).size.value, 16.0 * 1024 * 1024);
        QCOMPARE(t->links[0].outOfPlace.at(0).time.value, 90e-6);

        const auto rows = importFile(path, {}, {});
        QVERIFY(rows);
        QCOMPARE(rows->kind, std::string("kineto"));
        const auto& list = std::get<std::vector<ProfileRow>>(rows->what);
        const auto mm =
            std::find_if(list.begin(), list.end(), [](const ProfileRow& r) { return r.op == "aten::mm"; });
        QVERIFY(mm != list.end()); // the operator that launched the kernel
        QCOMPARE(mm->shape, std::string("[[4096,4096],[4096,11008]]"));
        QCOMPARE(mm->forward.value, 250.5e-6);
        QCOMPARE(mm->kind, std::string("A100-SXM4-80GB"));
        QCOMPARE(mm->tp, 2);
        const auto links = importFile(path, "kineto-links", {});
        QCOMPARE(std::get<std::vector<LinkMeasurement>>(links->what).size(), std::size_t{1});
    }

    // Up to PyTorch 2.3 times count from 1970: 1666149715033200 us is October 2022.
    void timesSinceTheEpochAreRead() {
        const auto t = readKineto(written(
            "old.json", trace(kernel(1666149715033200.0, 12.5) + "," + kernel(1666149715033300.0, 7.25))));
        QVERIFY2(t, t ? "" : t.error().text().c_str());
        QCOMPARE(t->kernels.size(), std::size_t{2});
        QCOMPARE(t->kernels[1].start - t->kernels[0].start, 100.0);
        QCOMPARE((t->operators.at({"gemm", ""}).time), 19.75);
    }

    // A user's first try: no GPU. Of operators within operators the outermost count, thread by thread.
    void aTraceOfTheCpuAloneIsOneOfTheCpu() {
        const auto op = [](const char* name, double start, double duration, int thread) {
            return fmt::format(
                R"({{"ph":"X","cat":"cpu_op","name":"{}","tid":{},"ts":{},"dur":{},"args":{{"External id":{}}}}})",
                name, thread, start, duration, static_cast<int>(start));
        };
        const std::string events = op("aten::linear", 10, 50, 1) + "," + op("aten::addmm", 15, 40, 1) + "," +
                                   op("aten::linear", 70, 30, 1) + "," + op("AddmmBackward0", 20, 25, 2);
        const auto path = written("cpu.json", trace(events));
        const auto t = readKineto(path);
        QVERIFY2(t, t ? "" : t.error().text().c_str());
        QVERIFY(t->onCpu);
        QCOMPARE(t->kernels.size(), std::size_t{3});
        QCOMPARE((t->operators.at({"aten::linear", ""}).time), 80.0);
        QCOMPARE((t->operators.at({"AddmmBackward0", ""}).time), 25.0);
        QVERIFY(!t->operators.contains({"aten::addmm", ""}));
        const auto rows = importFile(path, {}, {});
        QVERIFY2(rows, rows ? "" : rows.error().text().c_str());
        for (const ProfileRow& row : std::get<std::vector<ProfileRow>>(rows->what))
            QCOMPARE(row.kind, std::string("CPU")); // never the GPU that the file lists
        QVERIFY(std::any_of(rows->notes.begin(), rows->notes.end(),
                            [](const Diagnostic& d) { return d.code == "kineto.cpu"; }));
        // With one kernel it is a GPU's.
        const auto both = readKineto(written("both.json", trace(events + "," + kernel(12, 3))));
        QVERIFY(both && !both->onCpu);
        QCOMPARE(both->kernels.size(), std::size_t{1});
    }

    void aCutStreamIsRefusedWithItsOffset() {
        const auto got = importFile(test::testData("bad/kineto_trace_truncated.json.gz"), {}, {});
        QVERIFY(!got);
        QCOMPARE(got.error().kind, ErrorKind::BadInput);
        const std::string text = got.error().text();
        QVERIFY2(text.find("unexpected end of compressed data") != std::string::npos, text.c_str());
        QVERIFY2(text.find("1229") != std::string::npos && text.find("74") != std::string::npos,
                 text.c_str());
    }

    void plainAndPackedAreTheSame() {
        std::string events;
        for (int i = 0; i < 20000; ++i)
            events += (i ? ",\n" : "") + kernel(i * 10, 5.5);
        const std::string text = trace(events);
        const auto plain = readKineto(written("t.json", text));
        const auto path = at("t.json.gz");
        gzFile packed = gzopen(path.c_str(), "wb");
        gzwrite(packed, text.data(), static_cast<unsigned>(text.size()));
        gzclose(packed);
        const auto inflated = readKineto(path);
        QVERIFY(plain && inflated);
        QCOMPARE(plain->kernels.size(), std::size_t{20000});
        QCOMPARE(inflated->kernels.size(), std::size_t{20000});
        QCOMPARE((inflated->operators.at({"gemm", ""}).time), 20000 * 5.5);
    }

    void refuses_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("place");
        const auto row = [](const char* name, const std::string& text, const char* place) {
            QTest::newRow(name) << QByteArray::fromStdString(text) << QByteArray(place);
        };
        row("negative duration", trace(kernel(0, 1) + "," + kernel(5, -1)), "#/traceEvents/1/dur");
        row("no duration", trace(R"({"ph":"X","cat":"kernel","name":"k","ts":1})"), "#/traceEvents/0/dur");
        row("neither kernels nor operators",
            trace(R"({"ph":"X","cat":"user_annotation","name":"k","ts":1,"dur":1})"), "#/traceEvents");
        row("later than any clock", trace(kernel(2e16, 1)), "#/traceEvents/0/ts");
        row("rank beyond the world", trace(kernel(0, 1), 4), "#/distributedInfo/rank");
        row("cut", trace(kernel(0, 1)).substr(0, 200), ":3:");
        row("NaN", trace(R"({"ph":"X","cat":"kernel","name":"k","ts":NaN,"dur":1})"), ":3:");
        row("no events", R"({"schemaVersion": 1})", "#");
        row("duplicate key", trace(R"({"ph":"X","ph":"X"})"), ":3:");
    }
    void refuses() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, place);
        const auto path = written("bad.json", text.toStdString());
        const auto got = readKineto(path);
        QVERIFY(!got);
        QCOMPARE(got.error().kind, ErrorKind::BadInput);
        QVERIFY2(got.error().where.starts_with(path.string() + place.toStdString()),
                 got.error().text().c_str());
    }

    void reportsProgressAndStops() {
        std::string events;
        for (int i = 0; i < 50000; ++i)
            events += (i ? ",\n" : "") + kernel(i, 1);
        const auto path = written("long.json", trace(events));
        double last = -1.0;
        std::stop_source stop;
        const auto whole = readKineto(path, {}, [&](double share) {
            QVERIFY(share >= last && share <= 1.0);
            last = share;
        });
        QVERIFY(whole);
        QCOMPARE(last, 1.0);
        const auto ended = readKineto(path, stop.get_token(), [&](double share) {
            if (share > 0.3)
                stop.request_stop();
        });
        QVERIFY(!ended);
        QCOMPARE(ended.error().kind, ErrorKind::Stopped);
    }

    void layersComeFromAnnotations() {
        const auto annotation = [](const char* name, double duration) {
            return fmt::format(R"(,{{"ph":"X","cat":"gpu_user_annotation","name":"{}","ts":0,"dur":{}}})",
                               name, duration);
        };
        const auto got =
            importFile(written("layers.json",
                               trace(kernel(0, 1) + annotation("layers.0.forward", 10) +
                                     annotation("layers.0.forward", 30) +
                                     annotation("layers.0.backward", 50) + annotation("layer_1 forward", 7))),
                       {}, {});
        QVERIFY2(got, got ? "" : got.error().text().c_str());
        std::vector<ProfileRow> layers;
        for (const ProfileRow& row : std::get<1>(got->what))
            if (row.layer > 0)
                layers.push_back(row);
        QCOMPARE(layers.size(), std::size_t{2});
        QCOMPARE(layers[0].layer, 1);
        QVERIFY(layers[0].op.empty());
        QVERIFY(std::abs(layers[0].forward.value - 20e-6) < 1e-15);
        QVERIFY(std::abs(layers[0].backward.value - 50e-6) < 1e-15);
        QCOMPARE(layers[1].op, std::string("forward")); // half of a layer prices no plan
    }

    void stepsCountEveryInstantOnce() {
        // Two steps of 100 us: kernels that overlap, a collective half hidden behind one, a tensor-parallel
        // one.
        const std::string tp = collective("TENSOR_MODEL_PARALLEL_GROUP", 2),
                          dp = collective("DATA_PARALLEL_GROUP", 2);
        std::string events;
        for (const double t : {0.0, 100.0})
            events +=
                fmt::format(
                    R"({}{{"ph":"X","cat":"user_annotation","name":"ProfilerStep#{}","ts":{},"dur":100}},)",
                    t > 0 ? "," : "", t / 100, t) +
                kernel(t + 10, 20) + "," + kernel(t + 20, 20) + "," + // 10..40
                kernel(t + 30, 20, dp.c_str(), kNccl) + "," +         // alone 40..50
                kernel(t + 60, 5, tp.c_str(), kNccl);                 // counts as computing
        const auto t = readKineto(written("steps.json", trace(events)));
        QVERIFY2(t, t ? "" : t.error().text().c_str());
        const StepTimes times = stepTimes(*t);
        QCOMPARE(times.steps, 2);
        const auto us = [](Seconds s) { return std::round(s.value * 1e9) / 1e3; };
        QCOMPARE(us(times.iteration), 100.0);
        QCOMPARE(us(times.computing), 35.0);
        QCOMPARE(us(times.communication), 10.0);
    }

private:
    std::filesystem::path at(const char* name) const {
        return m_dir->filePath(QString::fromUtf8(name)).toStdString();
    }
    std::filesystem::path written(const char* name, const std::string& text) const {
        const auto path = at(name);
        if (!writeFileAtomically(path, text))
            qFatal("cannot write %s", path.c_str());
        return path;
    }
    std::unique_ptr<QTemporaryDir> m_dir;
};

QTEST_APPLESS_MAIN(KinetoTest)
#include "kineto_test.moc"
