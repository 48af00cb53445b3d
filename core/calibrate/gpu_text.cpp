// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/gpu_text.h"

#include "core/calibrate/unsupported.h"
#include "core/calibrate/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace pw {

namespace {

constexpr double kReported = 0.985; // of the nominal size: what a driver reports as total (catalogue)
constexpr double kSameMemory = 0.06;
constexpr int kLeastGb = 80; // of memory on a superchip

enum class Form { Unstated, Mezzanine, Pcie, PciePair }; // a pair: two cards sold with their bridge ("NVL")

// What a description says beside the chip itself.
struct Details {
    std::string chip; // the chip's words in one: "a100", "titan", "2080ti"
    Form form = Form::Unstated;
    double memoryGb = 0.0; // 0 = not stated
    double watts = 0.0;    // 0 = not stated
};

std::optional<double> withUnit(std::string_view word, std::initializer_list<std::string_view> units) {
    const std::size_t digits = word.find_first_not_of("0123456789");
    if (digits == 0 || digits == std::string_view::npos)
        return std::nullopt;
    for (const std::string_view unit : units)
        if (word.substr(digits) == unit)
            if (const auto value = wholeNumber(word.substr(0, digits)))
                return *value;
    return std::nullopt;
}

// Words that a chip's name may carry or leave out.
bool isOrnament(std::string_view word) {
    constexpr std::array ornaments = {"nvidia", "amd",   "intel", "huawei",   "tesla",  "geforce",
                                      "quadro", "rtx",   "gtx",   "instinct", "ascend", "habana",
                                      "hbm2",   "hbm2e", "hbm3",  "hbm3e",    "sxm",    "oam"};
    return std::find(ornaments.begin(), ornaments.end(), word) != ornaments.end();
}

Form formOf(std::string_view word) {
    if (word.starts_with("sxm") || word == "oam" || word == "hgx" || word == "dgx" || word == "nvlink" ||
        word == "nvswitch")
        return Form::Mezzanine;
    if (word == "nvl")
        return Form::PciePair;
    return word.starts_with("pci") ? Form::Pcie : Form::Unstated;
}

// "GH-96": a GH200 of 96 GB.
std::string chipWord(std::string word) {
    return word == "gh" ? "gh200" : word;
}

Details detailsOf(std::string_view text) {
    Details details;
    const std::vector<std::string> words = wordsOf(text);
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (const Form form = formOf(word); form != Form::Unstated)
            details.form = form;
        else if (const auto memory = withUnit(word, {"g", "gb", "gib"}))
            details.memoryGb = *memory;
        else if (const auto size = wholeNumber(word);
                 size && i + 1 < words.size() && (words[i + 1] == "gb" || words[i + 1] == "gib"))
            details.memoryGb = *size;
        else if (const auto watts = withUnit(word, {"w"}))
            details.watts = *watts;
        else if (i > 0 && words[i - 1] == "gh" && wholeNumber(word).value_or(0) >= kLeastGb)
            details.memoryGb = *wholeNumber(word);
        else if (!isOrnament(word) && word != "gb" && word != "gib")
            details.chip += chipWord(word);
    }
    return details;
}

// The words of a description that may be its chip's.
std::vector<std::string> chipWords(std::string_view text) {
    std::vector<std::string> words;
    for (std::string word : wordsOf(text)) {
        if (const std::size_t x = word.rfind('x'); // "a100x8"
            x != std::string::npos && word.find_first_of("0123456789") < x &&
            wholeNumber(std::string_view(word).substr(x + 1)))
            word.erase(x);
        for (const std::string_view prefix : {"rtx", "gtx"})
            if (word.size() > prefix.size() && word.starts_with(prefix))
                word.erase(0, prefix.size());
        if (!isOrnament(word))
            words.push_back(chipWord(std::move(word)));
    }
    return words;
}

// The catalogue's kinds with the chip of each, which its name is read for once.
struct Chips {
    explicit Chips(const Catalogue& catalogue) : kinds(catalogue.kinds()) {
        for (const DeviceKind& kind : kinds)
            names.push_back(detailsOf(kind.name).chip);
    }
    // The kinds whose chip is called so, or begins so if it is not to be the whole name; a beginning must
    // belong to one chip alone.
    std::vector<const DeviceKind*> called(std::string_view chip, bool whole) const {
        std::vector<const DeviceKind*> found;
        std::string_view first;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (whole ? names[i] != chip : !names[i].starts_with(chip))
                continue;
            if (!first.empty() && names[i] != first)
                return {};
            first = names[i];
            found.push_back(&kinds[i]);
        }
        return found;
    }

    const std::vector<DeviceKind>& kinds;
    std::vector<std::string> names; // as many
};

// The catalogue's kinds of the chip that words name, and which words do.
struct ChipFind {
    std::vector<const DeviceKind*> kinds; // empty: none is named
    std::size_t at = 0, count = 0;        // words
};

// A word may be split or joined otherwise than in the catalogue ("RTX3090", "2080 Ti", "Gaudi 2"), so runs of
// up to three words are tried, longest first.
ChipFind findChip(const std::vector<std::string>& words, bool whole, const Chips& chips) {
    constexpr std::size_t kLongest = 3, kShortestGuess = 4; // "2080" is a beginning of "2080ti"
    for (std::size_t i = 0; i < words.size(); ++i)
        for (std::size_t n = std::min(kLongest, words.size() - i); n > 0; --n) {
            std::string joined;
            for (std::size_t k = 0; k < n; ++k)
                joined += words[i + k];
            if (!whole && joined.size() < kShortestGuess)
                continue;
            if (auto kinds = chips.called(joined, whole); !kinds.empty())
                return {std::move(kinds), i, n};
        }
    return {};
}

std::vector<const DeviceKind*> kindsOfChip(std::string_view text, const Chips& chips, bool& guessed) {
    const std::vector<std::string> words = chipWords(text);
    for (const bool whole : {true, false})
        if (ChipFind found = findChip(words, whole, chips); !found.kinds.empty()) {
            guessed = !whole;
            return std::move(found.kinds);
        }
    return {};
}

// A second chip behind the one that a description is read as ("H100, A100"): what it names beside would be
// lost. Null where there is none.
const DeviceKind* secondChip(std::string_view text, const Chips& chips) {
    std::vector<std::string> words = chipWords(text);
    const ChipFind first = findChip(words, true, chips);
    if (first.kinds.empty())
        return nullptr;
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(first.at + first.count));
    const ChipFind second = findChip(words, true, chips);
    const bool other = !second.kinds.empty() && detailsOf(second.kinds.front()->name).chip !=
                                                    detailsOf(first.kinds.front()->name).chip;
    return other ? second.kinds.front() : nullptr;
}

double nominalGb(const DeviceKind& kind) {
    const double stated = detailsOf(kind.name).memoryGb;
    return stated > 0.0 ? stated : std::round(toGibibytes(kind.memory) / kReported);
}

DeviceKind chooseKind(const std::vector<const DeviceKind*>& kinds, const Details& stated,
                      const GpuHints& hints, std::vector<std::string>& assumptions) {
    const Form form = stated.form != Form::Unstated ? stated.form : hints.pcie ? Form::Pcie : Form::Mezzanine;
    const double memory = stated.memoryGb > 0.0 ? stated.memoryGb : hints.memoryGb.value_or(0.0);
    const auto distance = [&](const DeviceKind& kind) {
        const Form own = detailsOf(kind.name).form;
        const double otherForm = own != Form::Unstated && own != form ? 1.0 : 0.0;
        // Unstated memory: the variant of full power, which is the usual one; of those the larger, so that a
        // run which worked is not said to be impossible.
        if (memory <= 0.0 && stated.watts <= 0.0)
            return std::array{otherForm, 1.0 / std::max(1.0, kind.watts), 1.0 / nominalGb(kind)};
        const double otherMemory =
            memory > 0.0 ? std::abs(nominalGb(kind) / memory - 1.0) : 1.0 / nominalGb(kind);
        const double otherPower =
            stated.watts > 0.0 && kind.watts > 0.0 ? std::abs(kind.watts / stated.watts - 1.0) : 0.0;
        return std::array{otherForm, otherMemory, otherPower};
    };
    const DeviceKind& best =
        **std::min_element(kinds.begin(), kinds.end(), [&](const DeviceKind* a, const DeviceKind* b) {
            return distance(*a) < distance(*b);
        });
    const auto differ = [&](auto figure) {
        return std::any_of(kinds.begin(), kinds.end(),
                           [&](const DeviceKind* k) { return figure(*k) != figure(best); });
    };
    if (memory <= 0.0 && differ(nominalGb))
        assumptions.push_back(fmt::format("memory size not stated, {} taken", best.name));
    else if (stated.form == Form::Unstated && !hints.pcie &&
             differ([](const DeviceKind& k) { return detailsOf(k.name).form; }))
        assumptions.push_back(fmt::format("form not stated, {} taken", best.name));

    DeviceKind kind = best;
    if (memory > 0.0 && std::abs(nominalGb(kind) / memory - 1.0) > kSameMemory) {
        kind.memory = gibibytes(kReported * memory);
        kind.name = kind.shortName = fmt::format("{}-{:.0f}GB", best.name, memory);
        assumptions.push_back(fmt::format("{} with {:.0f} GB", best.name, memory));
    }
    constexpr double kSamePower = 0.05;
    if (stated.watts > 0.0 && kind.watts > 0.0 && std::abs(kind.watts / stated.watts - 1.0) > kSamePower) {
        kind.watts = stated.watts;
        kind.name = kind.shortName = fmt::format("{}-{:.0f}W", kind.name, stated.watts);
        assumptions.push_back(
            fmt::format("{} limited to {:.0f} W, with the rates of its datasheet", best.name, stated.watts));
    }
    return kind;
}

// "8x" in front of the text; taken off it. 0 = there is none.
int takeFactor(std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t");
    const std::size_t digits =
        first == std::string::npos ? first : text.find_first_not_of("0123456789", first);
    if (digits == std::string::npos || digits == first)
        return 0;
    const auto count = wholeNumber(std::string_view(text).substr(first, digits - first));
    const std::size_t x = text.find_first_not_of(" \t", digits);
    if (!count || x == std::string::npos || (text[x] != 'x' && text[x] != 'X' && text[x] != '*'))
        return 0;
    text.erase(0, x + 1);
    return *count;
}

// "32 H100": a number that stands alone in front of a chip; taken off. 0 = there is none ("2080 Ti").
int takeBareCount(std::string& text, const Chips& chips) {
    const std::size_t first = std::min(text.find_first_not_of(" \t"), text.size());
    const std::size_t digits = text.find_first_not_of("0123456789", first);
    if (digits == std::string::npos || digits == first || (text[digits] != ' ' && text[digits] != '\t'))
        return 0;
    const auto count = wholeNumber(std::string_view(text).substr(first, digits - first));
    const std::vector<std::string> words = chipWords(text), behind = chipWords(text.substr(digits));
    const auto begins = [&](const std::vector<std::string>& list) {
        const ChipFind found = findChip(list, true, chips);
        return !found.kinds.empty() && found.at == 0;
    };
    if (!count || begins(words) || !begins(behind))
        return 0;
    text.erase(0, digits);
    return *count;
}

// "8x", "8 A100", or "4x8x": four nodes of eight.
void takeCount(std::string& text, GpuPart& part, const Chips& chips) {
    part.count = takeFactor(text);
    if (part.count == 0)
        part.count = takeBareCount(text, chips);
    else if (const int each = takeFactor(text); each > 0) {
        part.count *= each;
        part.perNode = each;
    }
}

// "(2x8)" of a text in parentheses: two nodes of eight.
int perNodeOf(std::string_view remark) {
    for (const std::string& word : wordsOf(remark)) {
        const std::size_t x = word.find('x');
        if (x == std::string::npos)
            continue;
        const auto nodes = wholeNumber(std::string_view(word).substr(0, x));
        const auto each = wholeNumber(std::string_view(word).substr(x + 1));
        if (nodes && each && *each > 0)
            return *each;
    }
    return 0;
}

// The text outside of parentheses, and what they hold.
void split(std::string_view text, std::string& outside, std::string& inside) {
    int depth = 0;
    for (const char c : text) {
        if (c == '(' || c == ')') {
            depth += c == '(' ? 1 : -1;
            (c == '(' ? inside : outside) += ' ';
        } else {
            (depth > 0 ? inside : outside) += c;
        }
    }
}

// A plus, or a comma or ampersand in front of another count ("8xA100, 8xV100", "8 A100, 8 V100").
bool separates(std::string_view text, std::size_t at, const Chips& chips) {
    if (text[at] == '+')
        return true;
    std::string rest(text.substr(at + 1));
    return (text[at] == ',' || text[at] == '&') && (takeFactor(rest) > 0 || takeBareCount(rest, chips) > 0);
}

// Kinds without the number of each.
Error uncounted(const DeviceKind& first, const DeviceKind& second) {
    return unsupported("gpu", {"names {first} and {second} at once: state how many of each, as in "
                               "32x{first} + 16x{second}",
                               {{"first", first.name}, {"second", second.name}}});
}

Result<GpuPart> parsePart(std::string_view text, const GpuHints& hints, const Chips& chips,
                          std::vector<std::string>& assumptions) {
    GpuPart part;
    std::string outside, inside;
    split(text, outside, inside);
    takeCount(outside, part, chips);
    if (const int each = perNodeOf(inside); each > 0)
        part.perNode = each;
    bool guessed = false;
    std::vector<const DeviceKind*> kinds = kindsOfChip(outside, chips, guessed);
    Details stated = detailsOf(outside);
    const Details remark = detailsOf(inside);
    if (kinds.empty()) {
        kinds = kindsOfChip(inside, chips, guessed);
        if (!kinds.empty())
            assumptions.push_back(fmt::format("GPU taken from the remark \"{}\"", inside));
    } else if (const DeviceKind* second = secondChip(outside, chips))
        return uncounted(*kinds.front(), *second);
    if (kinds.empty())
        return unsupported("gpu", {"\"{text}\" is no device kind of the catalogue", {{"text", text}}});
    stated.watts = stated.watts > 0.0 ? stated.watts : remark.watts;
    stated.memoryGb = stated.memoryGb > 0.0 ? stated.memoryGb : remark.memoryGb;
    stated.form = stated.form != Form::Unstated ? stated.form : remark.form;
    part.kind = chooseKind(kinds, stated, hints, assumptions);
    if (guessed)
        assumptions.push_back(fmt::format("\"{}\" read as {}", outside, part.kind.name));
    return part;
}

} // namespace

Result<GpuText> parseGpus(std::string_view text, const GpuHints& hints, const Catalogue& catalogue) {
    const Chips chips(catalogue);
    if (wordsOf(text).empty())
        return unsupported("gpu", "is not stated");
    GpuText gpus;
    std::size_t from = 0;
    int depth = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        if (i < text.size() && (text[i] == '(' || text[i] == ')'))
            depth += text[i] == '(' ? 1 : -1;
        if (i < text.size() && (depth > 0 || !separates(text, i, chips)))
            continue;
        Result<GpuPart> part = parsePart(text.substr(from, i - from), hints, chips, gpus.assumptions);
        if (!part)
            return part.error();
        gpus.parts.push_back(*std::move(part));
        from = i + 1;
    }
    const std::vector<GpuPart>& parts = gpus.parts;
    for (std::size_t i = 0; parts.size() > 1 && i < parts.size(); ++i)
        if (parts[i].count == 0) {
            const std::size_t first = i > 0 ? i - 1 : 0;
            return uncounted(parts[first].kind, parts[first + 1].kind);
        }
    return gpus;
}

} // namespace pw
