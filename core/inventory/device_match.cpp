// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/inventory/device_match.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

namespace pw {

namespace {

constexpr double kMemoryError = 0.06;

// Words that tell nothing about which product it is.
constexpr std::array<std::string_view, 8> kBrands = {"nvidia", "tesla",    "geforce",  "quadro",
                                                     "amd",    "instinct", "graphics", "accelerator"};

// Drivers name the SXM boards of these by their memory, the PCIe ones by the bus.
struct Alias {
    std::string_view words, means;
};
constexpr std::array kAliases = {
    Alias{"h100 80gb hbm3", "h100 sxm 80gb"},
    Alias{"h800", "h800 sxm 80gb"},
    Alias{"h20", "h20 96gb"},
};

std::set<std::string> tokensOf(std::string_view name) {
    std::string text = lowered(name);
    for (char& c : text)
        if (c == '-' || c == '_')
            c = ' ';
    std::set<std::string> tokens;
    for (const std::string_view word : fieldsOf(text))
        if (std::find(kBrands.begin(), kBrands.end(), word) == kBrands.end())
            tokens.emplace(word);
    for (const Alias& alias : kAliases) {
        std::set<std::string> words;
        for (const std::string_view word : fieldsOf(alias.words))
            words.emplace(word);
        if (tokens == words) {
            tokens.clear();
            for (const std::string_view word : fieldsOf(alias.means))
                tokens.emplace(word);
        }
    }
    return tokens;
}

bool holds(const std::set<std::string>& all, const std::set<std::string>& some) {
    return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

// "a100" of A100-SXM4-80GB, "3090" of RTX 3090: what no other chip is called.
std::string chipOf(const DeviceKind& kind) {
    std::string text = lowered(kind.name);
    for (char& c : text)
        if (c == '-')
            c = ' ';
    for (const std::string_view word : fieldsOf(text))
        if (word.find_first_of("0123456789") != std::string_view::npos)
            return std::string(word);
    return text;
}

// "80gb" against what the driver reports of a kind: 79.2 GiB of 80 GiB.
bool fits(const DeviceKind& kind, std::optional<Bytes> memory) {
    return !memory || std::abs(memory->value / kind.memory.value - 1) < kMemoryError;
}

} // namespace

DeviceMatch matchDevice(const Catalogue& catalogue, std::string_view reported, std::optional<Bytes> memory) {
    const std::set<std::string> tokens = tokensOf(reported);
    DeviceMatch match;
    const auto gather = [&](auto&& accepted) {
        for (const DeviceKind& kind : catalogue.kinds())
            if (accepted(kind) && fits(kind, memory))
                match.candidates.push_back(&kind);
    };
    if (tokens.empty()) {
        if (memory)
            gather([](const DeviceKind&) { return true; });
        return match;
    }
    for (const DeviceKind& kind : catalogue.kinds())
        if (tokensOf(kind.name) == tokens) {
            match.kind = &kind;
            return match;
        }
    gather([&](const DeviceKind& kind) {
        const std::set<std::string> own = tokensOf(kind.name);
        return holds(own, tokens) || holds(tokens, own) || tokensOf(kind.shortName) == tokens;
    });
    if (match.candidates.size() == 1)
        match.kind = match.candidates.front();
    if (match.candidates.empty())
        gather([&](const DeviceKind& kind) { return tokens.contains(chipOf(kind)); });
    if (match.candidates.empty() && memory) { // what is reported of memory fits none
        memory.reset();
        gather([&](const DeviceKind& kind) { return tokens.contains(chipOf(kind)); });
    }
    return match;
}

} // namespace pw
