// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cost/device_time.h"

#include <algorithm>
#include <cmath>

namespace pw {
namespace {

// Tile shapes that vendors' libraries have, with the share of the rate that they reach: smaller ones load
// more operands for a FLOP.
struct Tile {
    double m, n, share;
};
constexpr Tile kTiles[] = {{256, 128, 1.0}, {128, 256, 1.0}, {128, 128, 0.93},
                           {64, 128, 0.8},  {128, 64, 0.8},  {64, 64, 0.6}};

constexpr double kUnknownBestShape = 0.8; // of the peak, where no shape was measured on the kind
constexpr double kFp8PerJoule = 2.0;      // fp8 FLOP on the energy of a 16-bit one
constexpr double kUnknownAttention = 0.5; // likewise for fused attention

// FLOP/s that the power limit allows to 16-bit matrix units; infinite where it is not known.
double powerLimit(const ComputeConstants& c, const DeviceKind& kind) {
    if (kind.watts <= 0.0 || kind.processNm <= 0.0)
        return 1e300;
    return kind.watts / (kind.processNm > 10.0 ? c.energy12nm : c.energy8nm);
}

// The smaller of two rates, rounded where they are near: clocks fall before the limit is reached.
double softMin(double a, double b) {
    const double x = a / b;
    return a / std::sqrt(std::sqrt(1.0 + x * x * x * x));
}

// Of operands on their way between ranks: one byte, or four bits, and a scale of four bytes for 128, of one
// byte for 32 or 16; a scale for the tensor is nothing. With a scale a row they travel as they are.
double bytesOf(Scaling scaling, double whole) {
    switch (scaling) {
    case Scaling::Tensor:
    case Scaling::Delayed:
        return 1.0;
    case Scaling::Block:
        return 1.0 + 4.0 / 128.0;
    case Scaling::Mxfp8:
        return 1.0 + 1.0 / 32.0;
    case Scaling::Nvfp4:
        return 0.5 + 1.0 / 16.0;
    case Scaling::Row:
        break;
    }
    return whole;
}

constexpr double kTurnBytes = 2.0; // of an fp8 element that is turned: read and written

// Of operands, as the tables of rates name it.
const char* formatOf(Scaling scaling) {
    switch (scaling) {
    case Scaling::Block:
        return "fp8-block";
    case Scaling::Mxfp8:
        return "mxfp8";
    case Scaling::Nvfp4:
        return "nvfp4";
    case Scaling::Tensor:
    case Scaling::Delayed:
    case Scaling::Row:
        break;
    }
    return "fp8";
}

} // namespace

DeviceTime::DeviceTime(const ComputeConstants& c, const DeviceKind& kind, Precision precision, double speed,
                       const Software& software)
    : m_units(kind.computeUnits) {
    const double best =
        (kind.matmulEfficiency > 0.0 ? kind.matmulEfficiency : kUnknownBestShape) * c.sustainedShare;
    const double power = powerLimit(c, kind);
    const bool fp8 = precision == Precision::Fp8;
    const Precision base = !fp8 ? precision : kind.bf16.value > 0.0 ? Precision::Bf16 : Precision::Fp16;
    const bool matrixUnits = base == Precision::Bf16 || base == Precision::Fp16;
    const double peak = kind.peak(base).value;
    m_rate = (matrixUnits ? softMin(peak * best, power) : peak * best) * speed;
    m_rate8 = m_rate;
    if (fp8) {
        m_rate8 = softMin(kind.fp8.value * best, power * kFp8PerJoule) * speed;
        m_quantiseBytes = c.quantiseBytes;
        m_quantiseWeights = !isOn(software.weightsFp8, false);
    }
    const double share = kind.attentionShare > 0.0 ? kind.attentionShare : kUnknownAttention;
    const double attention = std::min(m_rate, peak * share * speed);
    m_attention = attention * c.attentionForward;
    m_attentionBackward = attention * c.attentionBackward;
    m_bandwidth = kind.memoryBandwidth.value *
                  (kind.memoryEfficiency > 0.0 ? kind.memoryEfficiency : c.memoryShare) * speed;
    m_launch = kind.launchOverhead.value > 0.0 ? kind.launchOverhead.value : c.kernelLaunch;
    m_hostCall = c.hostCall;
    m_startup = c.productStartup;
    m_elementBytes = precision == Precision::Fp32 || precision == Precision::Tf32 ? 4.0 : 2.0;
    m_gatheredBytes = fp8 ? bytesOf(software.scaling, m_elementBytes) : m_elementBytes;
    // Units up to Hopper's multiply fp8 along rows only, so that weight gradients want both operands turned:
    // what is narrowed where it is used is written both ways at once, what was gathered is turned behind
    // that. Later ones, which have MXFP8, take either way (Transformer Engine's non_tn_fp8_gemm_supported).
    if (fp8 && !KernelRates::builtin().products(software.products, kind.name, formatOf(Scaling::Mxfp8)))
        m_turnBytes = kTurnBytes;
    if (matrixUnits)
        takeLibraries(c, kind, software, speed);
    if (fp8 && software.scaling == Scaling::Row) {
        m_rate8 *= c.rowwiseShare;
        m_quantiseBytes *= 2.0;
    }
}

// `speed` of the node stays in all rates.
void DeviceTime::takeLibraries(const ComputeConstants& c, const DeviceKind& kind, const Software& software,
                               double speed) {
    const KernelRates& rates = KernelRates::builtin();
    if (const auto rate = rates.products(software.products, kind.name, "bf16"))
        m_rate = *rate * c.libraryShare * speed;
    if (m_quantiseBytes > 0.0) {
        auto rate = rates.products(software.products, kind.name, formatOf(software.scaling));
        if (!rate)
            rate = rates.products(software.products, kind.name, formatOf(Scaling::Tensor));
        if (rate)
            m_rate8 = *rate * c.libraryShare * speed;
    }
    m_attentionLibrary = software.attention;
    m_kind = kind.name;
    m_attentionShare = c.attentionLibraryShare * speed;
    if (software.graphs != Graphs::None)
        m_launch = std::min(m_launch, c.graphLaunch);
    else if (!software.products.empty() && software.kernels != Launch::Eager)
        m_launch = std::min(m_launch, c.queuedLaunch);
}

double DeviceTime::attentionRate(const Operator& op, KernelRates::Pass pass) const {
    if (!m_attentionLibrary.empty() && op.headDim > 0.0)
        if (const auto rate =
                KernelRates::builtin().attention(m_attentionLibrary, m_kind, op.headDim, pass, op.reach))
            return *rate * m_attentionShare;
    return pass == KernelRates::Pass::Forward ? m_attention : m_attentionBackward;
}

double DeviceTime::memory(double bytes) const {
    return bytes > 0.0 ? bytes / m_bandwidth + m_launch : 0.0;
}

double DeviceTime::product(double groups, double m, double n, double k, bool quantised) const {
    const double rate = quantised ? m_rate8 : m_rate;
    double fastest = 2.0 * groups * m * n * (k + m_startup) / rate;
    if (m_units > 0) {
        fastest = 1e300;
        for (const Tile& tile : kTiles) {
            const double tiles = std::ceil(m / tile.m) * std::ceil(n / tile.n) * groups;
            const double waves = std::ceil(tiles / m_units);
            fastest = std::min(fastest, waves * m_units * 2.0 * tile.m * tile.n * (k + m_startup) /
                                            (rate * tile.share));
        }
    }
    const double bytes = groups * (m * k + k * n + m * n) * m_elementBytes;
    return std::max(fastest, bytes / m_bandwidth) + m_launch;
}

DeviceTime::Times DeviceTime::operator()(const Operator& op) const {
    Times t;
    switch (op.kind) {
    case OperatorKind::Product: {
        const bool quantised = op.quantised && m_quantiseBytes > 0.0;
        t.forward = product(op.groups, op.m, op.n, op.k, quantised);
        t.inputGrad = product(op.groups, op.m, op.k, op.n, quantised);
        const double second = product(op.groups, op.k, op.n, op.m, quantised);
        (op.weights ? t.weightGrad : t.inputGrad) += second;
        if (quantised) {
            const double weights = m_quantiseWeights ? op.k * op.n : 0.0;
            const double input = op.m * op.k, gradient = op.m * op.n;
            const bool apart = m_gatheredBytes < m_elementBytes; // each rank narrows its own rows
            const double inputs = apart ? op.inputSpread : 1.0, gradients = apart ? op.gradientSpread : 1.0;
            t.forward += memory(m_quantiseBytes * op.groups * (input / inputs + weights));
            t.inputGrad += memory(m_quantiseBytes * op.groups * gradient / gradients);
            t.weightGrad += memory(m_turnBytes * op.groups *
                                   ((inputs > 1.0 ? input : 0.0) + (gradients > 1.0 ? gradient : 0.0)));
        }
        break;
    }
    case OperatorKind::Attention:
        // The backward kernel computes the scores again: five products for the forward pass' two.
        t.forward = op.flops / attentionRate(op, KernelRates::Pass::Forward) + m_launch;
        t.inputGrad = 2.5 * op.flops / attentionRate(op, KernelRates::Pass::Backward) + m_launch;
        break;
    case OperatorKind::Memory:
        t.forward = memory(op.forwardBytes);
        t.inputGrad = memory(op.backwardBytes);
        break;
    }
    return t;
}

} // namespace pw
