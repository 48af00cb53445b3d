// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/device_time.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

const ComputeConstants& constants = ConstantSet::builtin().compute();

Operator product(double m, double n, double k) {
    Operator op;
    op.kind = OperatorKind::Product;
    op.m = m;
    op.n = n;
    op.k = k;
    op.weights = op.quantised = true;
    return op;
}

const DeviceKind& kind(const char* name) {
    const DeviceKind* found = Catalogue::builtin().find(name);
    if (!found)
        qFatal("no %s", name);
    return *found;
}

double forward(const DeviceKind& k, const Operator& op, Precision precision = Precision::Fp16,
               bool rowwise = false) {
    Software software;
    software.scaling = rowwise ? Scaling::Row : Scaling::Tensor;
    return DeviceTime(constants, k, precision, 1.0, software)(op).forward;
}

// FLOP/s of a large square product.
double rate(const DeviceKind& k, Precision precision = Precision::Fp16) {
    constexpr double n = 16384;
    return 2.0 * n * n * n / forward(k, product(n, n, n), precision);
}

} // namespace

class DeviceTimeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // No device is faster than its datasheet, and large shapes come near to what is known of trained models.
    void ratesStayBelowThePeak() {
        for (const DeviceKind& k : Catalogue::builtin().kinds())
            for (const Precision p : {Precision::Fp32, Precision::Fp16, Precision::Bf16, Precision::Fp8})
                if (k.peak(p).value > 0.0 && (p != Precision::Fp8 || k.bf16.value > 0.0))
                    QVERIFY2(rate(k, p) < k.peak(p).value, k.name.c_str());
        const double a100 = rate(kind("A100-SXM4-80GB")) / 312e12;
        QVERIFY2(a100 > 0.6 && a100 < 0.85, qPrintable(QString::number(a100)));
    }

    // The same silicon at 70 and at 700 W cannot sustain the same share of its peak.
    void powerLimitsTheRate() {
        DeviceKind hot = kind("H100-SXM-80GB"), cold = hot;
        cold.watts = 0.5 * hot.watts;
        QVERIFY(rate(cold) < 0.75 * rate(hot));
        cold.watts = 0.0; // not known: no limit
        QVERIFY(rate(cold) > rate(hot));
        QVERIFY(rate(kind("T4")) / 65e12 < 0.75 * rate(kind("V100-SXM2-16GB")) / 125e12);
    }

    // One tile more than the units can hold at once costs another wave.
    void tilesComeInWaves() {
        const DeviceKind& a100 = kind("A100-SXM4-80GB");
        const double full = forward(a100, product(256.0 * 12, 128.0 * 9, 8192));
        const double over = forward(a100, product(256.0 * 12 + 1, 128.0 * 9, 8192));
        QVERIFY(over > 1.05 * full);
        const double same = forward(a100, product(256.0 * 12 - 1, 128.0 * 9, 8192));
        QCOMPARE(same, full);
    }

    void slicingMakesProductsSlower() {
        const DeviceKind& a100 = kind("A100-SXM4-80GB");
        const double whole = forward(a100, product(2048, 8192, 8192));
        double last = 1.0;
        for (const double tp : {2.0, 4.0, 8.0, 16.0}) {
            const double gain = whole / forward(a100, product(2048, 8192 / tp, 8192));
            QVERIFY2(gain < tp && gain > last, qPrintable(QString::number(gain)));
            last = gain;
        }
    }

    void smallProductsWaitForMemory() {
        const DeviceKind& a100 = kind("A100-SXM4-80GB");
        const double bytes = 2.0 * (1.0 * 8192 + 8192.0 * 8192 + 8192);
        const DeviceTime device(constants, a100, Precision::Fp16, 1.0, {});
        QVERIFY(forward(a100, product(1, 8192, 8192)) >= bytes / device.bandwidth());
    }

    // fp8 pays for finding scales, so that it gains on large products and little or nothing on small ones.
    void fp8GainsWithSize() {
        const DeviceKind& h100 = kind("H100-SXM-80GB");
        const auto gain = [&](double n, bool rowwise) {
            return forward(h100, product(n, n, n), Precision::Bf16) /
                   forward(h100, product(n, n, n), Precision::Fp8, rowwise);
        };
        QVERIFY(gain(16384, false) > gain(2048, false));
        QVERIFY(gain(16384, false) > 1.2 && gain(16384, false) < 2.0);
        QVERIFY(gain(16384, true) < gain(16384, false));
        Operator head = product(8192, 8192, 8192);
        head.quantised = false;
        QCOMPARE(forward(h100, head, Precision::Fp8), forward(h100, head, Precision::Bf16));
    }

    // Sequence-parallel ranks narrow their own rows before they gather them; what is gathered is turned for
    // the weight gradient by units that multiply fp8 along rows only. With a scale a row it is gathered as it
    // is.
    void gatheredOperandsAreNarrowedOnce() {
        const auto device = [](const char* on, Scaling scaling) {
            Software software;
            software.scaling = scaling;
            software.products = "cublaslt-12";
            return DeviceTime(constants, kind(on), Precision::Fp8, 1.0, software);
        };
        const auto near = [](double got, double expected) {
            return std::abs(got - expected) <= 1e-6 * expected;
        };
        const Operator whole = product(4096, 4096, 8192);
        Operator spread = whole;
        spread.inputSpread = 4.0;
        const double elements = 4096.0 * 8192;
        const DeviceTime h100 = device("H100-SXM-80GB", Scaling::Tensor);
        QVERIFY(near(h100(whole).forward - h100(spread).forward,
                     0.75 * constants.quantiseBytes * elements / h100.bandwidth()));
        QVERIFY(near(h100(spread).weightGrad - h100(whole).weightGrad, h100.memory(2.0 * elements)));
        QCOMPARE(h100(spread).inputGrad, h100(whole).inputGrad);
        Operator gradient = whole;
        gradient.gradientSpread = 2.0;
        QVERIFY(near(h100(whole).inputGrad - h100(gradient).inputGrad,
                     0.5 * constants.quantiseBytes * 4096.0 * 4096 / h100.bandwidth()));
        const DeviceTime b200 = device("B200-SXM", Scaling::Tensor);
        QCOMPARE(b200(spread).weightGrad, b200(whole).weightGrad);
        QVERIFY(b200(spread).forward < b200(whole).forward);
        const DeviceTime rows = device("H100-SXM-80GB", Scaling::Row);
        QCOMPARE(rows(spread).forward, rows(whole).forward);
        QCOMPARE(rows(spread).weightGrad, rows(whole).weightGrad);
        QCOMPARE(h100.gatheredBytes(), 1.0);
        QCOMPARE(rows.gatheredBytes(), 2.0);
        QCOMPARE(device("B200-SXM", Scaling::Nvfp4).gatheredBytes(), 0.5625); // a byte for 16 of four bits
        QCOMPARE(DeviceTime(constants, kind("H100-SXM-80GB"), Precision::Bf16, 1.0, {}).gatheredBytes(), 2.0);
    }

    // The scales of both operands of a product are found before it, each over its own elements. A product of
    // one row waits for memory in either precision, so that this is all that they differ by.
    void scalesAreFoundOverBothOperands() {
        DeviceKind h100 = kind("H100-SXM-80GB");
        h100.computeUnits = 0; // not known: no waves
        const DeviceTime fp8(constants, h100, Precision::Fp8, 1.0, {});
        const double launch = fp8.memory(1.0) - 1.0 / fp8.bandwidth();
        const auto found = [&](double n, double k, double DeviceTime::Times::*pass) {
            Operator op = product(1, n, k);
            const double with = fp8(op).*pass;
            op.quantised = false;
            return with - fp8(op).*pass - launch;
        };
        constexpr double n = 8192, k = 4096;
        const double each = found(n, k, &DeviceTime::Times::forward) / (k + n * k); // s an element
        QVERIFY(each > 1.0 / fp8.bandwidth());
        const auto near = [&](double got, double elements) {
            return std::abs(got - each * elements) < 1e-6 * each * elements;
        };
        QVERIFY(near(found(n, 2 * k, &DeviceTime::Times::forward), 2 * k + n * 2 * k));
        QVERIFY(near(found(0, k, &DeviceTime::Times::forward), k));
        QVERIFY(near(found(64 * n, k, &DeviceTime::Times::inputGrad), 64 * n));
    }

    // Software that names its libraries has their published rates, whatever the kind's own shares say, and
    // the others keep theirs.
    void namedLibrariesHaveTheirRates() {
        const DeviceKind& h100 = kind("H100-SXM-80GB");
        Software named;
        named.products = "cublaslt-12";
        named.attention = "cudnn-9";
        const ComputeConstants& c = constants;
        const auto time = [&](const Software& software, const Operator& op, Precision precision) {
            return DeviceTime(c, h100, precision, 1.0, software)(op);
        };
        constexpr double n = 32768;
        const Operator large = product(n, n, n);
        const double achieved = 2.0 * n * n * n / time(named, large, Precision::Bf16).forward;
        const double published = *KernelRates::builtin().products("cublaslt-12", "H100-SXM-80GB", "bf16");
        QVERIFY2(achieved < published * c.libraryShare && achieved > 0.97 * published * c.libraryShare,
                 qPrintable(QString::number(achieved)));
        DeviceKind idle = h100; // whose own shares say nothing any more
        idle.matmulEfficiency = 0.1;
        QCOMPARE(DeviceTime(c, idle, Precision::Bf16, 1.0, named)(large).forward,
                 time(named, large, Precision::Bf16).forward);
        QVERIFY(DeviceTime(c, idle, Precision::Bf16, 1.0, {})(large).forward >
                2.0 * time({}, large, Precision::Bf16).forward);

        Operator attention;
        attention.kind = OperatorKind::Attention;
        attention.flops = 1e13;
        attention.headDim = 128;
        attention.reach = 8192;
        const DeviceTime::Times fused = time(named, attention, Precision::Bf16);
        QVERIFY(std::abs(fused.forward * 529e12 * c.attentionLibraryShare / 1e13 - 1.0) < 0.01);
        QVERIFY(fused.inputGrad > 2.5 * fused.forward);
        named.attention = "flash-2";
        QVERIFY(time(named, attention, Precision::Bf16).forward > 1.4 * fused.forward);
        attention.reach = 512; // short sequences are slower by the FLOP
        QVERIFY(time(named, attention, Precision::Bf16).forward >
                1.4 * 1e13 / (333e12 * c.attentionLibraryShare));

        // No row for a V100: as without names.
        const DeviceKind& v100 = kind("V100-SXM2-16GB");
        const Operator small = product(2048, 2048, 2048);
        Software nothing = named;
        nothing.graphs = Graphs::None;
        QVERIFY(DeviceTime(c, v100, Precision::Fp16, 1.0, nothing)(small).forward <=
                DeviceTime(c, v100, Precision::Fp16, 1.0, {})(small).forward);
    }

    // Weights that are narrowed once a step cost nothing in a pass; fewer bits go faster; a graph has no
    // gaps.
    void capabilitiesOfProductsCount() {
        const DeviceKind& b200 = kind("B200-SXM");
        const Operator op = product(8192, 8192, 8192);
        const auto forwardOf = [&](auto change) {
            Software software;
            software.products = "cublaslt-12";
            change(software);
            return DeviceTime(constants, b200, Precision::Fp8, 1.0, software)(op).forward;
        };
        const double plain = forwardOf([](Software&) {});
        QVERIFY(forwardOf([](Software& s) { s.weightsFp8 = Choice::On; }) < plain);
        QVERIFY(forwardOf([](Software& s) { s.scaling = Scaling::Nvfp4; }) < 0.85 * plain);
        QVERIFY(forwardOf([](Software& s) { s.scaling = Scaling::Row; }) > plain);
        const double gap = forwardOf([](Software& s) { s.graphs = Graphs::Layer; }) - plain;
        QVERIFY(std::abs(gap - 2.0 * (constants.graphLaunch - constants.queuedLaunch)) < 1e-12);
        QVERIFY(forwardOf([](Software& s) { s.kernels = Launch::Eager; }) > plain);
    }

    // Fused attention without a named library: its share of the peak at the node's speed, and two and a half
    // times the FLOP backward.
    void attentionHasItsShareOfThePeak() {
        DeviceKind a100 = kind("A100-SXM4-80GB");
        a100.attentionShare = 0.25;
        for (const double speed : {1.0, 0.5}) {
            const DeviceTime device(constants, a100, Precision::Bf16, speed, {});
            const auto seconds = [&](double DeviceTime::Times::*pass) { // without the launch
                Operator op;
                op.kind = OperatorKind::Attention;
                op.flops = 2e13;
                const double two = device(op).*pass;
                op.flops = 1e13;
                return two - device(op).*pass;
            };
            const double rate = 312e12 * 0.25 * speed;
            QCOMPARE(seconds(&DeviceTime::Times::forward), 1e13 / (rate * constants.attentionForward));
            QCOMPARE(seconds(&DeviceTime::Times::inputGrad), 2.5e13 / (rate * constants.attentionBackward));
        }
    }

    void speedScales() {
        const DeviceKind& a100 = kind("A100-SXM4-80GB");
        const Operator op = product(8192, 8192, 8192);
        const double full = DeviceTime(constants, a100, Precision::Bf16, 1.0, {})(op).forward;
        const double throttled = DeviceTime(constants, a100, Precision::Bf16, 0.5, {})(op).forward;
        QVERIFY(throttled > 1.9 * full && throttled < 2.0 * full);
    }
};

QTEST_APPLESS_MAIN(DeviceTimeTest)
#include "device_time_test.moc"
