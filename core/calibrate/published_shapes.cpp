// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/published_shapes.h"

#include "core/base/text.h"
#include "core/calibrate/words.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace pw {

namespace {

// From the models' configuration files and papers: Llama (arXiv:2302.13971, 2307.09288, 2407.21783), Mistral
// (2310.06825), Qwen (2309.16609, 2407.10671), InternLM (its config.json), OPT (2205.01068), GPT-3
// (2005.14165), GPT-2 and Megatron-LM's GPT-2 (1909.08053, table 1), BLOOM (2211.05100), Baichuan 2
// (2309.10305). Special families stand before those whose name theirs begins with.
constexpr PublishedShape kShapes[] = {
    {"llama3", 8, 32, 4096, 14336, 32, 8, 128256},      {"llama3", 70, 80, 8192, 28672, 64, 8, 128256},
    {"llama3", 405, 126, 16384, 53248, 128, 8, 128256}, {"llama2", 70, 80, 8192, 28672, 64, 8, 32000},
    {"llama2", 34, 48, 8192, 22016, 64, 8, 32000},      {"llama", 7, 32, 4096, 11008, 32, 32, 32000},
    {"llama", 13, 40, 5120, 13824, 40, 40, 32000},      {"llama", 30, 60, 6656, 17920, 52, 52, 32000},
    {"llama", 33, 60, 6656, 17920, 52, 52, 32000},      {"llama", 65, 80, 8192, 22016, 64, 64, 32000},
    {"tinyllama", 1.1, 22, 2048, 5632, 32, 4, 32000},   {"mistral", 7, 32, 4096, 14336, 32, 8, 32000},
    {"mixtral", 7, 32, 4096, 14336, 32, 8, 32000},      {"qwen2", 7, 28, 3584, 18944, 28, 4, 152064},
    {"qwen2", 72, 80, 8192, 29568, 64, 8, 152064},      {"qwen", 7, 32, 4096, 11008, 32, 32, 151936},
    {"qwen", 14, 40, 5120, 13696, 40, 40, 152064},      {"qwen", 72, 80, 8192, 24576, 64, 64, 152064},
    {"internlm", 7, 32, 4096, 11008, 32, 32, 103168},   {"internlm", 20, 60, 5120, 13824, 40, 40, 103168},
    {"baichuan", 7, 32, 4096, 11008, 32, 32, 125696},   {"baichuan", 13, 40, 5120, 13696, 40, 40, 125696},
    {"bloom", 176, 70, 14336, 57344, 112, 112, 250880}, {"opt", 1.3, 24, 2048, 8192, 32, 32, 50272},
    {"opt", 2.7, 32, 2560, 10240, 32, 32, 50272},       {"opt", 6.7, 32, 4096, 16384, 32, 32, 50272},
    {"opt", 13, 40, 5120, 20480, 40, 40, 50272},        {"opt", 30, 48, 7168, 28672, 56, 56, 50272},
    {"opt", 66, 64, 9216, 36864, 72, 72, 50272},        {"opt", 175, 96, 12288, 49152, 96, 96, 50272},
    {"gpt2", 0.355, 24, 1024, 4096, 16, 16, 50257},     {"gpt2", 0.774, 36, 1280, 5120, 20, 20, 50257},
    {"gpt2", 1.2, 40, 1536, 6144, 16, 16, 50257},       {"gpt2", 1.5, 48, 1600, 6400, 25, 25, 50257},
    {"gpt2", 2.5, 54, 1920, 7680, 20, 20, 50257},       {"gpt2", 4.2, 64, 2304, 9216, 24, 24, 50257},
    {"gpt2", 8.3, 72, 3072, 12288, 32, 32, 50257},      {"gpt2", 8.7, 72, 3072, 12288, 32, 32, 50257},
    {"gpt", 1.3, 24, 2048, 8192, 16, 16, 50257},        {"gpt", 2.7, 32, 2560, 10240, 32, 32, 50257},
    {"gpt", 6.7, 32, 4096, 16384, 32, 32, 50257},       {"gpt", 13, 40, 5120, 20480, 40, 40, 50257},
    {"gpt", 175, 96, 12288, 49152, 96, 96, 50257},
};

} // namespace

std::optional<double> billionsOf(std::string_view name) {
    const auto digit = [&](std::size_t i) { return i < name.size() && name[i] >= '0' && name[i] <= '9'; };
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (!digit(at) || (at > 0 && (digit(at - 1) || name[at - 1] == '.')))
            continue;
        double size = 0.0;
        const auto [end, error] =
            std::from_chars(name.data() + at, name.data() + name.size(), size, std::chars_format::fixed);
        const auto behind = static_cast<std::size_t>(end - name.data());
        if (error != std::errc() || behind >= name.size())
            continue;
        const char unit = lowered(name.substr(behind, 1)).front();
        if (unit == 'b' || unit == 'm')
            return unit == 'b' ? size : size * 1e-3;
    }
    return std::nullopt;
}

std::optional<PublishedShape> publishedShape(std::string_view name, std::optional<double> paramsB) {
    constexpr double kSameSize = 0.05;
    const std::vector<std::string> words = wordsOf(name);
    const std::optional<double> named = billionsOf(name);
    for (const PublishedShape& shape : kShapes) {
        const char generation = shape.family.back();
        const bool numbered = generation == '2' || generation == '3';
        const std::string_view stem =
            numbered ? shape.family.substr(0, shape.family.size() - 1) : shape.family;
        bool same = false;
        for (const std::string& word : words)
            same = same || word.starts_with(stem);
        if (!same || (numbered && numberBehind(words, stem) != generation - '0'))
            continue;
        for (const std::optional<double>& size : {named, paramsB})
            if (size && std::abs(*size / shape.billions - 1.0) < kSameSize)
                return shape;
    }
    return std::nullopt;
}

std::optional<PublishedShape> likelyShape(double billions) {
    constexpr double kLeast = 1e-3, kMost = 1e3;
    if (!(billions >= kLeast && billions <= kMost))
        return std::nullopt;
    const PublishedShape* nearest = nullptr;
    for (const PublishedShape& shape : kShapes)
        if (shape.family.starts_with("gpt") &&
            (!nearest || std::abs(std::log(shape.billions / billions)) <
                             std::abs(std::log(nearest->billions / billions))))
            nearest = &shape;
    PublishedShape likely = *nearest;
    likely.billions = billions;
    // Twelve times the square of the width in a block, and the embedding.
    const double width = static_cast<double>(likely.hidden);
    const double inBlocks = billions * 1e9 - width * static_cast<double>(likely.vocab);
    likely.layers = std::max<std::int64_t>(2, std::llround(inBlocks / (12.0 * width * width)));
    return likely;
}

} // namespace pw
