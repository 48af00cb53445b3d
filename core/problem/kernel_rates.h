// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// Rates of kernels that others have measured and published, by library and kind of accelerator:
// resources/kernels/rates.json, compiled in; every row says where it is from. They stand beside the kind's
// own shares of its peak because one share a kind cannot serve two generations of software: fused attention
// on an H100 runs at 335 TFLOP/s in FlashAttention 2, at 539 in cuDNN 9 and at 616 in FlashAttention 3
// (forward, causal, head size 128, 16,384 tokens).
class KernelRates {
public:
    static const KernelRates& builtin();
    // Bad input, with file#/pointer: another form, a rate that is none, lengths that do not grow, a row that
    // is there twice.
    static Result<KernelRates> read(std::string_view text, const std::string& file);

    std::vector<std::string> productLibraries() const;
    std::vector<std::string> attentionLibraries() const;

    // FLOP/s of large matrix products; `format`: "bf16", "fp8", "fp8-block", "mxfp8", "nvfp4". Nothing where
    // no row has the kind.
    std::optional<double> products(std::string_view library, std::string_view kind,
                                   std::string_view format) const;

    enum class Pass { Forward, Backward };
    // FLOP/s of a fused kernel under a causal mask, on the half of the square that is needed; the backward
    // pass counts 2.5 times the forward's. Between lengths by their logarithm, beyond them the nearest; of
    // the head size that is nearest by its logarithm.
    std::optional<double> attention(std::string_view library, std::string_view kind, double headDim,
                                    Pass pass, double sequence) const;

private:
    struct Product {
        std::string library, format;
        std::vector<std::string> kinds;
        double rate = 0.0;
    };
    struct Attention {
        std::string library;
        std::vector<std::string> kinds;
        Pass pass = Pass::Forward;
        double head = 0.0;
        std::vector<double> sequence, rate;
    };
    static Product productRow(const JsonReader& row, const std::string& library);
    static Attention attentionRow(const JsonReader& row, const std::string& library);

    std::vector<Product> m_products;
    std::vector<Attention> m_attention;
};

// The names that a recipe may have, of the built-in rates.
std::vector<std::string> productLibraries();
std::vector<std::string> attentionLibraries();

} // namespace pw
