// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/slices.h"
#include "core/partition/transfers.h"
#include "tests/partition/reduced_bits.h"

#include <QTest>

#include <algorithm>
#include <map>
#include <set>

using namespace pw;
using namespace pw::partition;

namespace {

constexpr std::array kLinear = {Axis::Batch, Axis::Rows, Axis::Inner, Axis::Columns};

// The axes that a matrix of a phase has.
std::vector<Axis> axesOf(Operand what) {
    switch (what) {
    case Operand::Input:
        return {Axis::Batch, Axis::Rows, Axis::Inner};
    case Operand::Weight:
        return {Axis::Inner, Axis::Columns};
    case Operand::Output:
        return {Axis::Batch, Axis::Rows, Axis::Columns};
    }
    return {};
}

bool has(Operand what, Axis axis) {
    const std::vector<Axis> axes = axesOf(what);
    return std::ranges::find(axes, axis) != axes.end();
}

std::vector<int> block(const Slices& slices, Phase phase, Operand what, int device, int step) {
    std::vector<int> indices;
    for (const Axis axis : axesOf(what))
        indices.push_back(slices.index(phase, axis, device, step));
    return indices;
}

constexpr std::array kOperands = {Operand::Input, Operand::Weight, Operand::Output};

// What a phase reads and what it adds up.
std::array<Operand, 2> inputsOf(Phase phase) {
    switch (phase) {
    case Phase::Forward:
        return {Operand::Input, Operand::Weight};
    case Phase::Backward:
        return {Operand::Output, Operand::Weight};
    case Phase::Gradient:
        return {Operand::Input, Operand::Output};
    }
    return {};
}

} // namespace

class SequenceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsArePublishedOnes() {
        const std::array any = {4, 17, 72, 306, 1300}, one = {4, 17, 72, 305, 1288},
                         none = {4, 16, 64, 256, 1024};
        for (std::size_t n = 1; n <= 5; ++n) {
            const int bits = static_cast<int>(n);
            QCOMPARE(static_cast<int>(sequences(bits, kLinear, 9).size()), any[n - 1]);
            QCOMPARE(static_cast<int>(sequences(bits, kLinear, 1).size()), one[n - 1]);
            QCOMPARE(static_cast<int>(sequences(bits, kLinear, 0).size()), none[n - 1]);
        }
        std::set<std::string> texts;
        for (const Sequence& s : sequences(5, kLinear, 9)) {
            QCOMPARE(bitsOf(s), 5);
            texts.insert(text(s));
        }
        QCOMPARE(texts.size(), 1300U);
    }

    void textsReadBack() {
        for (int bits = 0; bits <= 5; ++bits)
            for (const Sequence& s : sequences(bits, kLinear, 9))
                QCOMPARE(*sequenceFromText(text(s)), s);
        const Sequence published = {split(Axis::Columns), grid(1)};
        QCOMPARE(text(published), std::string("K.P2x2"));
        QCOMPARE(*sequenceFromText("B.R.H.C"),
                 (Sequence{split(Axis::Batch), copy(), split(Axis::Heads), split(Axis::Keys)}));
        for (const char* wrong : {"", "B.", ".B", "X", "P2x4", "P1x1", "P3x3", "BK", "B..K"})
            QVERIFY2(!sequenceFromText(wrong), wrong);
        QCOMPARE(sequenceFromText("B.Q").error().code, std::string("partition.sequence"));
    }

    // Every part of the operator is worked on exactly once in every phase, for every sequence.
    void everyPartIsDoneOnce() {
        for (int bits = 0; bits <= 5; ++bits)
            for (const Sequence& s : sequences(bits, kLinear, 9)) {
                const Slices slices(s);
                std::size_t parts = 1;
                for (const Axis axis : kLinear)
                    parts *= static_cast<std::size_t>(slices.count(axis));
                QCOMPARE(parts, static_cast<std::size_t>(slices.devices() * slices.steps()));
                for (const Phase phase : kAllPhases) {
                    std::set<std::vector<int>> done;
                    for (int t = 0; t < slices.steps(); ++t)
                        for (int d = 0; d < slices.devices(); ++d) {
                            std::vector<int> part;
                            for (const Axis axis : kLinear) {
                                part.push_back(slices.index(phase, axis, d, t));
                                QVERIFY(part.back() >= 0 && part.back() < slices.count(axis));
                            }
                            QVERIFY2(done.insert(part).second, text(s).c_str());
                        }
                    QCOMPARE(done.size(), parts);
                }
            }
    }

    // A split tensor lies on as many devices as axes that it lacks are cut for; under a grid on one each.
    void gridsCopyNothing() {
        for (int bits = 1; bits <= 5; ++bits)
            for (const Sequence& s : sequences(bits, kLinear, 9)) {
                const Slices slices(s);
                for (const Phase phase : kAllPhases)
                    for (const Operand what : kOperands) {
                        int copies = 1;
                        for (const Step& step : s)
                            if (step.kind == Step::Kind::Split && !has(what, step.axis))
                                copies *= 2;
                        for (int t = 0; t < slices.steps(); ++t) {
                            std::map<std::vector<int>, int> holders;
                            for (int d = 0; d < slices.devices(); ++d)
                                ++holders[block(slices, phase, what, d, t)];
                            for (const auto& [which, count] : holders)
                                QVERIFY2(count == copies, text(s).c_str());
                        }
                    }
            }
    }

    // What a phase adds up stays where it is, but for the weight gradient's last step.
    void accumulatorsStay() {
        for (const Sequence& s : sequences(5, kLinear, 1)) {
            const Slices slices(s);
            for (int t = 1; t < slices.steps(); ++t)
                for (int d = 0; d < slices.devices(); ++d) {
                    QVERIFY(block(slices, Phase::Forward, Operand::Output, d, t) ==
                            block(slices, Phase::Forward, Operand::Output, d, 0));
                    QVERIFY(block(slices, Phase::Backward, Operand::Input, d, t) ==
                            block(slices, Phase::Backward, Operand::Input, d, 0));
                    if (t < slices.steps() - 1)
                        QVERIFY(block(slices, Phase::Gradient, Operand::Weight, d, t) ==
                                block(slices, Phase::Gradient, Operand::Weight, d, 0));
                }
        }
    }

    // No moves between phases, and the optimiser and the next forward pass find what they need in place.
    void phasesMeet() {
        for (int bits = 1; bits <= 6; ++bits)
            for (const Sequence& s : sequences(bits, kLinear, 1)) {
                const Slices slices(s);
                const int last = slices.steps() - 1;
                for (int d = 0; d < slices.devices(); ++d) {
                    const auto at = [&](Phase phase, Operand what, int t) {
                        return block(slices, phase, what, d, t);
                    };
                    using enum Phase;
                    using enum Operand;
                    QVERIFY(at(Forward, Weight, last) == at(Backward, Weight, 0));
                    QVERIFY(at(Forward, Input, last) == at(Gradient, Input, 0));
                    QVERIFY(at(Backward, Output, last) == at(Gradient, Output, 0));
                    QVERIFY(at(Gradient, Weight, last) == at(Forward, Weight, 0));
                    QVERIFY(at(Forward, Output, last) == at(Backward, Output, 0));
                    // The gradient of the input ends elsewhere: the edge to the operator before pays for it.
                    if (gridsOf(s) > 0)
                        QVERIFY(at(Backward, Input, last) != at(Forward, Input, 0));
                    else
                        QVERIFY(at(Backward, Input, last) == at(Forward, Input, 0));
                }
            }
    }

    // The published senders are those that really hold what the next step needs, and nobody else moves.
    void sendersHoldWhatIsNeeded() {
        for (int bits = 2; bits <= 6; ++bits)
            for (const Sequence& s : sequences(bits, kLinear, 1)) {
                const std::optional<GridPlace> place = gridOf(s);
                if (!place)
                    continue;
                const Slices slices(s);
                const int steps = slices.steps();
                for (const Phase phase : kAllPhases)
                    for (int t = 0; t < steps; ++t) {
                        const std::vector<Transfer> table = transfersOf(place->k, phase, t);
                        for (int d = 0; d < slices.devices(); ++d) {
                            std::vector<Transfer> seen;
                            for (const Operand what : inputsOf(phase)) {
                                // After the last step of the backward pass weights go where forward wants
                                // them.
                                const bool restored =
                                    t == steps - 1 && phase == Phase::Backward && what == Operand::Weight;
                                if (t == steps - 1 && !restored)
                                    continue;
                                const auto needed = restored ? block(slices, Phase::Forward, what, d, 0)
                                                             : block(slices, phase, what, d, t + 1);
                                if (block(slices, phase, what, d, t) == needed)
                                    continue;
                                seen.push_back({what, 0, 0});
                                const auto row = std::ranges::find(table, what, &Transfer::what);
                                QVERIFY2(row != table.end(), text(s).c_str());
                                const int from = partition::sender(*place, d, *row);
                                QVERIFY2(block(slices, phase, what, from, t) == needed, text(s).c_str());
                                // Within the same grid: all other bits are the receiver's.
                                QCOMPARE(place->at(from, place->row(d), place->column(d)), d);
                            }
                            if (phase == Phase::Gradient && t == steps - 1) {
                                // The sum so far, from the device that has added it up.
                                QCOMPARE(table.size(), 1U);
                                const int from = partition::sender(*place, d, table.front());
                                QVERIFY(block(slices, phase, Operand::Weight, from, std::max(0, t - 1)) ==
                                        block(slices, phase, Operand::Weight, d, t));
                                continue;
                            }
                            QCOMPARE(seen.size(), table.size());
                        }
                    }
            }
    }

    void indicatorsNameTheBitsThatAreAddedUp() {
        // Megatron's {B, N, N} on two nodes of four: sums of the output inside the nodes.
        const Sequence megatron = *sequenceFromText("B.N.N");
        QCOMPARE(text(test::reducedBits(megatron, Phase::Forward), 3), std::string("d2 d3"));
        QCOMPARE(text(test::reducedBits(megatron, Phase::Backward), 3), std::string("-"));
        QCOMPARE(text(test::reducedBits(megatron, Phase::Gradient), 3), std::string("d1"));
        // N on d1 and d3 as published.
        QCOMPARE(text(test::reducedBits(*sequenceFromText("N.B.N"), Phase::Forward), 3),
                 std::string("d1 d3"));
        const Sequence primePar = *sequenceFromText("N.P2x2");
        QCOMPARE(text(test::reducedBits(primePar, Phase::Forward), 3), std::string("d1"));
        QCOMPARE(test::reducedBits(primePar, Phase::Gradient), 0U);
        const auto groups = groupsOf(test::reducedBits(megatron, Phase::Forward), 3);
        QCOMPARE(groups, (std::vector<std::vector<int>>{{0, 1, 2, 3}, {4, 5, 6, 7}}));
        QCOMPARE(groupsOf(test::reducedBits(primePar, Phase::Forward), 3),
                 (std::vector<std::vector<int>>{{0, 4}, {1, 5}, {2, 6}, {3, 7}}));
    }
};

QTEST_APPLESS_MAIN(SequenceTest)
#include "sequence_test.moc"
