// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/random.h"
#include "core/partition/slices.h"
#include "core/partition/transfers.h"
#include "tests/partition/reduced_bits.h"

#include <QTest>

using namespace pw;
using namespace pw::partition;

// Devices that really multiply: every one holds its blocks of small integer matrices, works step by step, and
// gets other blocks only by the transfers of the table, into a second buffer, and by the all-reduces of the
// indicators. In the end all of O, dI and dW must be exact.

namespace {

using Number = std::int64_t;

struct DenseMatrix {
    int rows = 0, columns = 0;
    std::vector<Number> data;
    DenseMatrix() = default;
    DenseMatrix(int r, int c) : rows(r), columns(c), data(static_cast<std::size_t>(r * c), 0) {}
    Number& at(int r, int c) { return data[static_cast<std::size_t>(r * columns + c)]; }
    Number at(int r, int c) const { return data[static_cast<std::size_t>(r * columns + c)]; }
    bool operator==(const DenseMatrix&) const = default;
    DenseMatrix& operator+=(const DenseMatrix& other) {
        for (std::size_t i = 0; i < data.size(); ++i)
            data[i] += other.data[i];
        return *this;
    }
};

DenseMatrix transposed(const DenseMatrix& a) {
    DenseMatrix t(a.columns, a.rows);
    for (int r = 0; r < a.rows; ++r)
        for (int c = 0; c < a.columns; ++c)
            t.at(c, r) = a.at(r, c);
    return t;
}

DenseMatrix operator*(const DenseMatrix& a, const DenseMatrix& b) {
    DenseMatrix p(a.rows, b.columns);
    for (int r = 0; r < a.rows; ++r)
        for (int c = 0; c < b.columns; ++c)
            for (int i = 0; i < a.columns; ++i)
                p.at(r, c) += a.at(r, i) * b.at(i, c);
    return p;
}

DenseMatrix part(const DenseMatrix& whole, int row, int rows, int column, int columns) {
    DenseMatrix p(rows, columns);
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
            p.at(r, c) = whole.at(row * rows + r, column * columns + c);
    return p;
}

// Every axis has this many elements in a slice: small, and not all equal.
constexpr int kBatch = 1, kRows = 2, kInner = 3, kColumns = 2;

class Simulation {
public:
    Simulation(const Sequence& sequence, std::uint64_t seed)
        : m_sequence(sequence), m_slices(sequence), m_grid(gridOf(sequence)),
          m_devices(static_cast<std::size_t>(m_slices.devices())) {
        Random random(seed);
        const auto fill = [&](int rows, int columns) {
            DenseMatrix m(rows, columns);
            for (Number& x : m.data)
                x = static_cast<Number>(random.below(19)) - 9;
            return m;
        };
        // Batch and rows are one axis of a matrix, batch outermost.
        const int rows = count(Axis::Batch) * kBatch * count(Axis::Rows) * kRows;
        m_input = fill(rows, count(Axis::Inner) * kInner);
        m_weight = fill(count(Axis::Inner) * kInner, count(Axis::Columns) * kColumns);
        m_outputGrad = fill(rows, count(Axis::Columns) * kColumns);
    }

    bool forward() {
        hold(Operand::Input, Phase::Forward, m_input);
        hold(Operand::Weight, Phase::Forward, m_weight);
        run(Phase::Forward,
            [](const DenseMatrix& i, const DenseMatrix& w, const DenseMatrix&) { return i * w; });
        return equal(m_input * m_weight, Operand::Output, Phase::Forward);
    }
    // Weights are where the forward pass left them; the next operator's gradient lies like the output.
    bool backward() {
        hold(Operand::Output, Phase::Backward, m_outputGrad);
        run(Phase::Backward,
            [](const DenseMatrix&, const DenseMatrix& w, const DenseMatrix& o) { return o * transposed(w); });
        return equal(m_outputGrad * transposed(m_weight), Operand::Input, Phase::Backward) &&
               held(Operand::Weight, Phase::Forward, m_weight);
    }
    // Inputs are where the forward pass left them, output gradients where the backward pass did.
    bool gradient() {
        run(Phase::Gradient,
            [](const DenseMatrix& i, const DenseMatrix&, const DenseMatrix& o) { return transposed(i) * o; });
        return equal(transposed(m_input) * m_outputGrad, Operand::Weight, Phase::Gradient);
    }
    std::size_t sums() const { return m_sums; } // all-reduces that were needed

private:
    struct Device {
        std::array<DenseMatrix, 3> block; // by operand: what the steps read
        DenseMatrix sum;
    };
    int count(Axis axis) const { return m_slices.count(axis); }
    static Operand result(Phase phase) {
        return phase == Phase::Forward    ? Operand::Output
               : phase == Phase::Backward ? Operand::Input
                                          : Operand::Weight;
    }
    DenseMatrix& block(std::size_t device, Operand what) {
        return m_devices[device].block[static_cast<std::size_t>(what)];
    }
    // The block of a whole matrix that a device works on.
    DenseMatrix blockOf(const DenseMatrix& whole, Operand what, Phase phase, std::size_t device,
                        int step) const {
        const int d = static_cast<int>(device);
        const auto index = [&](Axis axis) { return m_slices.index(phase, axis, d, step); };
        const int inner = index(Axis::Inner), columns = index(Axis::Columns);
        if (what == Operand::Weight)
            return part(whole, inner, kInner, columns, kColumns);
        const int row = index(Axis::Batch) * count(Axis::Rows) + index(Axis::Rows);
        return what == Operand::Input ? part(whole, row, kBatch * kRows, inner, kInner)
                                      : part(whole, row, kBatch * kRows, columns, kColumns);
    }
    void hold(Operand what, Phase phase, const DenseMatrix& whole) {
        for (std::size_t d = 0; d < m_devices.size(); ++d)
            block(d, what) = blockOf(whole, what, phase, d, 0);
    }
    bool held(Operand what, Phase phase, const DenseMatrix& whole) {
        for (std::size_t d = 0; d < m_devices.size(); ++d)
            if (block(d, what) != blockOf(whole, what, phase, d, 0))
                return false;
        return true;
    }
    bool equal(const DenseMatrix& whole, Operand what, Phase phase) {
        for (std::size_t d = 0; d < m_devices.size(); ++d)
            if (m_devices[d].sum != blockOf(whole, what, phase, d, m_slices.steps() - 1))
                return false;
        return true;
    }

    template <class Product>
    void run(Phase phase, const Product& product) {
        const int steps = m_slices.steps();
        for (Device& device : m_devices)
            device.sum = DenseMatrix();
        for (int t = 0; t < steps; ++t) {
            const std::vector<Transfer> table =
                m_grid ? transfersOf(m_grid->k, phase, t) : std::vector<Transfer>{};
            // What is in a second buffer arrives while the step works on the first.
            std::vector<Device> next = m_devices;
            for (std::size_t d = 0; d < m_devices.size(); ++d) {
                const Device& device = m_devices[d];
                DenseMatrix own = product(device.block[0], device.block[1], device.block[2]);
                DenseMatrix before = device.sum;
                for (const Transfer& transfer : table) {
                    const auto from =
                        static_cast<std::size_t>(sender(*m_grid, static_cast<int>(d), transfer));
                    if (transfer.what == result(phase)) // sums travel, and meet the receiver's last product
                        before = m_devices[from].sum;
                    else
                        next[d].block[static_cast<std::size_t>(transfer.what)] =
                            m_devices[from].block[static_cast<std::size_t>(transfer.what)];
                }
                if (!before.data.empty())
                    own += before;
                next[d].sum = std::move(own);
            }
            m_devices = std::move(next);
        }
        if (const Indicator bits = test::reducedBits(m_sequence, phase); bits != 0) {
            ++m_sums;
            for (const auto& group : groupsOf(bits, m_slices.bits())) {
                DenseMatrix sum = m_devices[static_cast<std::size_t>(group.front())].sum;
                for (std::size_t i = 1; i < group.size(); ++i)
                    sum += m_devices[static_cast<std::size_t>(group[i])].sum;
                for (const int d : group)
                    m_devices[static_cast<std::size_t>(d)].sum = sum;
            }
        }
    }

    const Sequence m_sequence;
    const Slices m_slices;
    const std::optional<GridPlace> m_grid;
    std::vector<Device> m_devices;
    DenseMatrix m_input, m_weight, m_outputGrad;
    std::size_t m_sums = 0;
};

constexpr std::uint64_t kProductSeed = 20240427;

} // namespace

class ProductTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void gridsAlone() {
        for (int k = 1; k <= 3; ++k) {
            Simulation s({grid(k)}, kProductSeed + static_cast<std::uint64_t>(k));
            QVERIFY2(s.forward(), qPrintable(QString::number(k)));
            QVERIFY2(s.backward(), qPrintable(QString::number(k)));
            QVERIFY2(s.gradient(), qPrintable(QString::number(k)));
            QCOMPARE(s.sums(), 0U); // no collective in any phase
        }
    }

    // Every mix of splits and one grid on up to 32 devices.
    void everySequence() {
        constexpr std::array axes = {Axis::Batch, Axis::Rows, Axis::Inner, Axis::Columns};
        for (int bits = 0; bits <= 5; ++bits)
            for (const Sequence& sequence : sequences(bits, axes, 1)) {
                Simulation s(sequence, kProductSeed);
                QVERIFY2(s.forward(), text(sequence).c_str());
                QVERIFY2(s.backward(), text(sequence).c_str());
                QVERIFY2(s.gradient(), text(sequence).c_str());
            }
    }

    void largeGridsBetweenSplits() {
        for (const char* words : {"N.P4x4.K", "P8x8.B", "M.P8x8", "K.P4x4.N.B"}) {
            const Sequence sequence = *sequenceFromText(words);
            Simulation s(sequence, kProductSeed);
            QVERIFY2(s.forward() && s.backward() && s.gradient(), words);
        }
    }
};

QTEST_APPLESS_MAIN(ProductTest)
#include "product_test.moc"
