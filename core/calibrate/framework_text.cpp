// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/framework_text.h"

#include "core/base/text.h"
#include "core/calibrate/words.h"
#include "core/problem/software_stack.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {

namespace {

bool anyStartsWith(const std::vector<std::string>& words, std::string_view beginning) {
    return std::any_of(words.begin(), words.end(),
                       [&](const std::string& word) { return word.starts_with(beginning); });
}

template <class T>
void take(T& field, const std::optional<T>& value) {
    if (value)
        field = *value;
}

// The first year among the words, as its first month; 0 where there is none.
int yearIn(const std::vector<std::string>& words) {
    for (const std::string& word : words)
        if (const auto year = wholeNumber(word); word.size() == 4 && year && *year >= 2017 && *year < 2100)
            return *year * 100 + 1;
    return 0;
}

bool standsFor(const SoftwareStack& stack, const std::vector<std::string>& words, int month) {
    return std::ranges::any_of(stack.words, [&](const SoftwareStack::Word& w) {
        return (w.before == 0 || (month > 0 && month < w.before)) && (w.from == 0 || month >= w.from) &&
               anyStartsWith(words, w.word);
    });
}

} // namespace

int monthOfPublication(std::string_view reference) {
    const std::string text = lowered(reference);
    const std::size_t at = text.find("arxiv");
    if (at == std::string::npos)
        return 0;
    // Four digits, a point, and four or five digits: year and month of the first version.
    for (std::size_t i = at; i + 5 < text.size(); ++i) {
        const auto number = wholeNumber(std::string_view(text).substr(i, 4));
        if (number && text[i + 4] == '.' && wholeNumber(std::string_view(text).substr(i + 5, 1)))
            return *number % 100 >= 1 && *number % 100 <= 12 ? 200'000 + *number : 0;
    }
    return 0;
}

FrameworkText parseFramework(std::string_view name, std::string_view notes, int month) {
    FrameworkText found;
    const std::vector<std::string> words = wordsOf(name);
    if (month == 0)
        month = yearIn(words);
    for (const SoftwareStack& stack : softwareStacks()) {
        if (!standsFor(stack, words, month))
            continue;
        stack.apply(found.software);
        take(found.zero, stack.zero);
        take(found.sequenceParallel, stack.sequenceParallel);
        take(found.padsVocabulary, stack.padsVocabulary);
        take(found.stagesByCost, stack.stagesByCost);
        found.stack += (found.stack.empty() ? "" : "+") + stack.name;
    }
    if (found.stack.empty())
        found.assumptions.push_back(
            words.empty() ? "framework not stated, usual capabilities taken"
                          : fmt::format("framework \"{}\" unknown, usual capabilities taken", name));
    const std::string remarks = lowered(notes);
    const bool compiled = anyStartsWith(wordsOf(notes), "compile");
    if (compiled && !contains(remarks, "no compile") && !contains(remarks, "without compile"))
        found.software.kernels = Launch::Compiled;
    if (contains(remarks, "async tp") || contains(remarks, "asynctp"))
        found.software.overlapTensor = Choice::On;
    if (contains(remarks, "no overlap of gradient") || contains(remarks, "no gradient overlap"))
        found.software.overlapGradients = Choice::Off;
    return found;
}

void takeStated(const StatedSoftware& stated, Software& software) {
    const auto set = [](Choice& choice, const std::optional<std::int64_t>& value) {
        if (value)
            choice = *value > 0 ? Choice::On : Choice::Off;
    };
    set(software.overlapGradients, stated.overlapGradients);
    set(software.overlapParameters, stated.overlapParameters);
    set(software.overlapTensor, stated.overlapTensor);
    const std::vector<std::string> graphs = wordsOf(stated.graphs);
    if (hasAnyWord(graphs, {"none", "no", "off", "0"}))
        software.graphs = Graphs::None;
    else if (hasAnyWord(graphs, {"full", "iteration"}))
        software.graphs = Graphs::Iteration;
    else if (hasAnyWord(graphs, {"layer", "layers", "scopes", "scope"}))
        software.graphs = Graphs::Layer;
    struct Row {
        std::string_view word;
        Scaling scaling;
    };
    // More special ones later.
    constexpr Row kScalings[] = {{"delayed", Scaling::Delayed}, {"tensor", Scaling::Tensor},
                                 {"current", Scaling::Tensor},  {"row", Scaling::Row},
                                 {"block", Scaling::Block},     {"mxfp8", Scaling::Mxfp8},
                                 {"nvfp4", Scaling::Nvfp4}};
    const std::vector<std::string> words = wordsOf(stated.precision);
    for (const Row& row : kScalings)
        if (anyStartsWith(words, row.word))
            software.scaling = row.scaling;
}

} // namespace pw
