// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/measured.h"

#include "core/cost/cost.h"
#include "core/cost/roofline.h"
#include "tests/cost/cost_problems.h"

#include <QTest>

#include <algorithm>
#include <cmath>

using namespace pw;

namespace {

int kindIndex(const Problem& problem, const std::string& shortName) {
    for (std::size_t k = 0; k < problem.topology().kinds().size(); ++k)
        if (problem.topology().kinds()[k].shortName == shortName)
            return static_cast<int>(k);
    return -1;
}

// The row as it stands in the profile, found without the code under test.
const ProfileRow& row(const Problem& problem, const std::string& kind, int layer, int tp, int mbs) {
    for (const ProfileRow& r : problem.profiles().rows())
        if (r.kind == kind && r.layer == layer && r.tp == tp && r.mbs == mbs)
            return r;
    qFatal("no such row");
}

} // namespace

// Costs that rest on measured rows: which are believed, and how far they reach.
class MeasuredTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void measuredRowsAreUsedAsTheyStand() {
        const auto problem = measured16();
        for (const auto& [kind, shortName] :
             {std::pair("A100-SXM4-40GB", "A100-40"), {"V100-SXM2-16GB", "V100-16"}})
            for (const int tp : {1, 2, 4}) {
                CostConfig c = config(tp, 1, Recompute::None, tp > 1);
                c.kind = kindIndex(*problem, shortName);
                double forward = 0.0, backward = 0.0, update = 0.0;
                for (int layer = 0; layer <= 32; ++layer) {
                    forward += row(*problem, kind, layer, tp, 1).forward.value;
                    backward += row(*problem, kind, layer, tp, 1).backward.value;
                    update += row(*problem, kind, layer, tp, 1).update.value;
                }
                const StageCost cost = ConfigCosts(*problem, c).stage(0, 64, 1, 0); // all but the head
                NEAR(cost.forward, forward);
                NEAR(cost.backward, backward);
                NEAR(cost.optimizer, update);
                NEAR(cost.measured, forward + backward);
                QCOMPARE(cost.provenance, Provenance::Measured);
                // Recompute repeats the measured forward of the blocks.
                c.recompute = Recompute::Full;
                const StageCost twice = ConfigCosts(*problem, c).stage(1, 64, 1, 0);
                NEAR(twice.recompute, forward - row(*problem, kind, 0, tp, 1).forward.value);
                NEAR(twice.backward,
                     backward - row(*problem, kind, 0, tp, 1).backward.value + twice.recompute);
                QCOMPARE(twice.provenance, Provenance::Measured);
                // What a part of it takes only the roofline knows.
                c.recompute = Recompute::Selective;
                QCOMPARE(ConfigCosts(*problem, c).stage(1, 64, 1, 0).provenance, Provenance::Fitted);
                // The ends of divided blocks have no step that could be an estimate.
                c.recompute = Recompute::None;
                c.divided.forward = c.divided.backward = 1e-3;
                QCOMPARE(ConfigCosts(*problem, c).stage(0, 0, 1, 0).updateProvenance, Provenance::Measured);
            }
    }

    void interpolatesBetweenAndNeverBeyond() {
        const auto problem = measured16();
        CostConfig c = config(1, 3);
        c.kind = kindIndex(*problem, "A100-40");
        const auto blockAt = [&](int mbs) {
            const ProfileRow& r = row(*problem, "A100-SXM4-40GB", 7, 1, mbs);
            return std::pair{r.forward.value, r.backward.value};
        };
        const StageCost three =
            ConfigCosts(*problem, c).stage(13, 14, 1, 0); // block 6: the profile's layer 7
        NEAR(three.forward, (blockAt(2).first + blockAt(4).first) / 2);
        NEAR(three.backward, (blockAt(2).second + blockAt(4).second) / 2);
        QCOMPARE(three.provenance, Provenance::Interpolated);
        NEAR(three.measured, three.total());
        // Beyond the largest micro-batch, and at a tensor-parallel size never measured: fitted, not measured.
        for (const CostConfig& beyond : {config(1, 16), config(8, 2)}) {
            CostConfig at = beyond;
            at.kind = c.kind;
            const StageCost cost = ConfigCosts(*problem, at).stage(13, 14, 1, 0);
            QCOMPARE(cost.provenance, Provenance::Fitted);
            QCOMPARE(cost.measured, 0.0);
            QVERIFY(cost.forward > 0.0 && std::isfinite(cost.forward));
        }
        // V100 has no row for micro-batch 8 on one GPU; 16 GB would not hold it.
        CostConfig v = config(1, 8);
        v.kind = kindIndex(*problem, "V100-16");
        QCOMPARE(ConfigCosts(*problem, v).stage(13, 14, 1, 0).provenance, Provenance::Fitted);
    }

    // Their head is a fortieth of the time that its matrix product takes at the device's peak.
    void theHeadIsNotBelieved() {
        const auto problem = measured16();
        CostConfig c = config(1, 1);
        c.kind = kindIndex(*problem, "A100-40");
        const StageCost head = ConfigCosts(*problem, c).stage(65, 65, 1, 0);
        QVERIFY(head.provenance == Provenance::Fitted || head.provenance == Provenance::Estimated);
        QCOMPARE(head.measured, 0.0);
        const double flops = 2.0 * 2048 * 2560 * 50257;
        const double peak = problem->topology().kinds()[static_cast<std::size_t>(c.kind)].bf16.value;
        QVERIFY(row(*problem, "A100-SXM4-40GB", 33, 1, 1).forward.value * peak < flops);
        QVERIFY(head.forward * peak >= flops);
        int told = 0;
        for (const Diagnostic& d : problemNotes(*problem)) {
            if (d.code == "profile.implausible" && d.where == "A100-SXM4-40GB") {
                QCOMPARE(d.param("value").substr(0, 8), std::string("forward "));
                QCOMPARE(d.param("limit"), std::string("at least 1.69 ms")); // 527 GFLOP at 312 TFLOP/s
            }
            QVERIFY2(d.code != "profile.implausible" || d.message.find("head") != std::string::npos,
                     d.message.c_str());
            told += d.code == "profile.implausible" ? 1 : 0;
        }
        QCOMPARE(told, 2); // once a kind
    }

    // With two and four GPUs the forward pass of the head's rows, which holds something else, is long enough
    // for the product; the backward one is not, and one row that cannot be discredits them all.
    void aLayerIsBelievedAsAWhole() {
        const auto problem = measured16();
        for (const char* kind : {"A100-40", "V100-16"})
            for (const int tp : {1, 2, 4})
                for (const int mbs : {1, 2, 3, 4}) {
                    CostConfig c = config(tp, mbs);
                    c.kind = kindIndex(*problem, kind);
                    QCOMPARE(ConfigCosts(*problem, c).stage(65, 65, 1, 0).measured, 0.0);
                }

        // One short backward pass: its layer on its kind is no longer measured, whatever the row; others are.
        Project project = measured16Project();
        for (ProfileRow& r : project.profiles)
            if (r.kind == "A100-SXM4-40GB" && r.layer == 7 && r.tp == 4 && r.mbs == 8)
                r.backward = Seconds(1e-5);
        const auto doubtful = measured16(project);
        CostConfig c = config(1, 1);
        c.kind = kindIndex(*doubtful, "A100-40");
        QCOMPARE(ConfigCosts(*doubtful, c).stage(13, 14, 1, 0).measured, 0.0); // block 6 is layer 7
        QVERIFY(ConfigCosts(*doubtful, c).stage(15, 16, 1, 0).measured > 0.0);
        c.kind = kindIndex(*doubtful, "V100-16");
        QVERIFY(ConfigCosts(*doubtful, c).stage(13, 14, 1, 0).measured > 0.0);
        // Twice the products of the forward pass, of eight sequences on four GPUs.
        const double flops =
            2.0 * (doubtful->layers()[13].forwardFlops.value + doubtful->layers()[14].forwardFlops.value);
        int told = 0;
        for (const Diagnostic& d : problemNotes(*doubtful))
            if (d.param("layer") == "7") {
                ++told;
                QCOMPARE(d.param("value"), std::string("backward 0.01 ms"));
                QCOMPARE(
                    d.param("limit"),
                    QString("at least %1 ms").arg(flops * 8 / (4 * 312e12) * 1e3, 0, 'f', 2).toStdString());
            }
        QCOMPARE(told, 1);

        // The same point from another source stands.
        std::vector<ProfileRow> sound;
        for (const ProfileRow& r : project.profiles)
            if (r.kind == "A100-SXM4-40GB" && r.layer == 7 && r.tp == 1 && r.mbs == 1) {
                sound.push_back(r);
                sound.back().source = "another run";
                sound.back().precision = "fp32";
            }
        project.profiles.insert(project.profiles.end(), sound.begin(), sound.end());
        const auto both = measured16(project);
        c.kind = kindIndex(*both, "A100-40");
        QVERIFY(ConfigCosts(*both, c).stage(13, 14, 1, 0).measured > 0.0);
    }

    // Rows of 2048 tokens say how a kind runs these layers, also for a plan at another length.
    void anotherSequenceLengthIsFitted() {
        const auto at = [](std::int64_t seq) {
            Project project = measured16Project();
            project.recipe.seq = seq;
            return measured16(project);
        };
        const auto same = at(2048), shorter = at(1024);
        for (const char* kind : {"A100-40", "V100-16"}) {
            CostConfig c = config(2, 2);
            c.kind = kindIndex(*same, kind);
            const auto roofline = [&](const Problem& problem) {
                return sumOfUnits(rooflineLayer(problem, c, {LayerKind::Attention, 0}),
                                  rooflineLayer(problem, c, {LayerKind::Mlp, 0}));
            };
            const StageCost measured = ConfigCosts(*same, c).stage(1, 2, 1, 0);
            const StageCost fitted = ConfigCosts(*shorter, c).stage(1, 2, 1, 0);
            QCOMPARE(measured.provenance, Provenance::Measured);
            QCOMPARE(fitted.provenance, Provenance::Fitted);
            QCOMPARE(fitted.measured, 0.0);
            NEAR(fitted.forward / roofline(*shorter).forward, measured.forward / roofline(*same).forward);
            NEAR(fitted.backward / roofline(*shorter).backward, measured.backward / roofline(*same).backward);
            QVERIFY(fitted.total() < 0.6 * measured.total());
        }
        const auto told = [](const Problem& problem) {
            const Diagnostics notes = problemNotes(problem);
            return std::any_of(notes.begin(), notes.end(),
                               [](const Diagnostic& d) { return d.code == "profile.sequence"; });
        };
        QVERIFY(told(*shorter));
        QVERIFY(!told(*same));
    }

    // A cut inside a measured block: what the rows hold is not known apart, also not in half a block.
    void halfAMeasuredBlockHasNoCommunicationApart() {
        const auto problem = measured16();
        CostConfig c = config(2, 1, Recompute::None, true);
        c.kind = kindIndex(*problem, "A100-40");
        const ConfigCosts costs(*problem, c);
        QCOMPARE(costs.stage(1, 2, 1, 0).comm, 0.0);
        QCOMPARE(costs.stage(1, 1, 1, 0).comm, 0.0);
        QCOMPARE(costs.stage(2, 2, 1, 0).comm, 0.0);
    }

    // The rows are of whole blocks: what half of one takes is their time in the roofline's shares, and says
    // so.
    void halfAMeasuredBlockIsInterpolated() {
        const auto problem = measured16();
        CostConfig c = config(2, 1);
        c.kind = kindIndex(*problem, "A100-40");
        const ConfigCosts costs(*problem, c);
        QCOMPARE(costs.stage(1, 2, 1, 0).provenance, Provenance::Measured);
        for (const int half : {1, 2}) {
            QCOMPARE(costs.stage(half, half, 1, 0).provenance, Provenance::Interpolated);
            QCOMPARE(costs.stage(half, half, 1, 0).updateProvenance, Provenance::Interpolated);
        }
    }
};

QTEST_APPLESS_MAIN(MeasuredTest)
#include "measured_test.moc"
