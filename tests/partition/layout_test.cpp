// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/partition/layout.h"
#include "core/partition/transfers.h"

#include <QTest>

#include <cmath>

using namespace pw;
using namespace pw::partition;

namespace {

constexpr std::array kLinearAxes = {Axis::Batch, Axis::Rows, Axis::Inner, Axis::Columns};
constexpr std::array kOut = {Axis::Batch, Axis::Rows, Axis::Columns};
constexpr std::array kIn = {Axis::Batch, Axis::Rows, Axis::Inner};

Layout outputOf(const Sequence& s) {
    const Slices slices(s);
    return layoutOf(slices, Phase::Forward, slices.steps() - 1, kOut);
}
Layout inputOf(const Sequence& s) {
    return layoutOf(Slices(s), Phase::Forward, 0, kIn);
}
Layout inputGradientOf(const Sequence& s) {
    const Slices slices(s);
    return layoutOf(slices, Phase::Backward, slices.steps() - 1, kIn);
}

// The same by counting cells of the tensor one by one: who has it, who wants it, who of the own node has it.
Missing counted(const Layout& held, const Layout& needed, int bits, int nodeBits) {
    const int cells = 1 << bits, neighbours = (1 << bits) >> nodeBits;
    const auto has = [&](const Layout& layout, int device, const std::array<int, 3>& cell) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (cell[axis] * layout[axis].count / cells !=
                layout[axis].index[static_cast<std::size_t>(device)])
                return false;
        return true;
    };
    Missing missing;
    for (int device = 0; device < 1 << bits; ++device)
        for (int b = 0; b < cells; ++b)
            for (int m = 0; m < cells; ++m)
                for (int k = 0; k < cells; ++k) {
                    const std::array cell = {b, m, k};
                    if (!has(needed, device, cell) || has(held, device, cell))
                        continue;
                    bool near = false;
                    for (int s = 0; s < neighbours && !near; ++s)
                        near = has(held, device / neighbours * neighbours + s, cell);
                    (near ? missing.inside : missing.crossing) += std::pow(cells, -3.0);
                }
    return missing;
}

bool near(const Missing& a, const Missing& b) {
    return std::abs(a.inside - b.inside) < 1e-12 && std::abs(a.crossing - b.crossing) < 1e-12;
}

} // namespace

class LayoutTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void overlapIsWhatCountingCellsGives() {
        for (int bits = 1; bits <= 2; ++bits)
            for (int nodeBits = 0; nodeBits <= bits; ++nodeBits)
                for (const Sequence& from : sequences(bits, kLinearAxes, 1))
                    for (const Sequence& to : sequences(bits, kLinearAxes, 1)) {
                        const Layout held = outputOf(from);
                        for (const Layout& needed : {inputOf(to), inputGradientOf(to)}) {
                            QVERIFY2(
                                near(missing(held, needed, nodeBits), counted(held, needed, bits, nodeBits)),
                                (text(from) + " " + text(to)).c_str());
                            QVERIFY(
                                near(missing(needed, held, nodeBits), counted(needed, held, bits, nodeBits)));
                        }
                    }
    }

    void overlapOfLargerGroups() {
        constexpr std::uint64_t kSeed = 7;
        Random random(kSeed);
        for (const int bits : {3, 4}) {
            const std::vector<Sequence> all = sequences(bits, kLinearAxes, 1);
            for (int i = 0; i < (bits == 3 ? 400 : 60); ++i) {
                const Sequence &from = all[random.below(all.size())], &to = all[random.below(all.size())];
                const int nodeBits = static_cast<int>(random.below(static_cast<std::uint64_t>(bits) + 1));
                QVERIFY2(near(missing(outputOf(from), inputOf(to), nodeBits),
                              counted(outputOf(from), inputOf(to), bits, nodeBits)),
                         (text(from) + " " + text(to)).c_str());
                QVERIFY(near(missing(inputGradientOf(to), outputOf(from), nodeBits),
                             counted(inputGradientOf(to), outputOf(from), bits, nodeBits)));
            }
        }
    }

    // Masks against intervals, on all pairs, for every place of the border between nodes.
    void pairsAgreeWithIntervals() {
        for (int bits = 1; bits <= 4; ++bits) {
            std::vector<Layout> held, needed;
            for (const Sequence& s : sequences(bits, kLinearAxes, 1)) {
                held.push_back(outputOf(s));
                needed.push_back(s.size() % 2 == 0 ? inputOf(s) : inputGradientOf(s));
            }
            for (int nodeBits = 0; nodeBits <= bits; ++nodeBits) {
                const LayoutPairs pairs(held, needed, nodeBits);
                std::vector<Common> common(needed.size());
                for (std::size_t i = 0; i < held.size(); ++i) {
                    pairs.common(i, common);
                    for (std::size_t j = 0; j < needed.size(); j += bits == 4 ? 7 : 1) {
                        QVERIFY(near(pairs.toRight(common[j], i, j), missing(held[i], needed[j], nodeBits)));
                        QVERIFY(near(pairs.toLeft(common[j], i, j), missing(needed[j], held[i], nodeBits)));
                    }
                }
            }
        }
    }

    // Splits that agree move nothing; a grid's input comes from a plain split inside its rows only, and its
    // gradient never ends where the input was.
    void whatMovesAndWhatDoesNot() {
        const auto sequence = [](const char* words) { return *sequenceFromText(words); };
        QVERIFY(near(missing(outputOf(sequence("B.K.M")), inputOf(sequence("B.N.M")), 1), {}));
        // Partial sums added up are copies: whatever part is wanted next is there.
        QVERIFY(near(missing(outputOf(sequence("B.N.N")), inputOf(sequence("B.M.N")), 1), {}));
        // All of the other half: inside the node on d2, from the other node on d1.
        QVERIFY(near(missing(outputOf(sequence("B.K")), inputOf(sequence("B.K")), 1), {1.0, 0.0}));
        QVERIFY(near(missing(outputOf(sequence("K.B")), inputOf(sequence("K.B")), 1), {0.0, 1.0}));
        const Sequence p = sequence("P2x2");
        QVERIFY(near(missing(outputOf(p), inputOf(p), 0), {0.5, 0.0})); // the lower row is turned by one
        QVERIFY(near(missing(inputGradientOf(p), inputOf(p), 0), {1.0, 0.0}));
    }
};

QTEST_APPLESS_MAIN(LayoutTest)
#include "layout_test.moc"
