// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/options.h"

#include "core/search/planners.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>

namespace pw {

const std::vector<SearchPart>& searchPartTable() {
    static const std::vector<SearchPart> table = {
        {"init", "starting points that memory is known to suffice for"},
        {"cache", "costs that are kept from one candidate to the next"},
        {"fast-networks", "stages of several nodes only where these share a fast network"},
        {"fine-layers", "cuts between layers finer than blocks"},
        {"h1f1b", "launch counts that hide slow links"},
        {"partition", "splits of the operators in space and time"},
        {"bound", "the proven lower bound, and what it saves a search"},
    };
    return table;
}

namespace {

std::string partNames() { // "init, cache, ..."
    std::vector<std::string> names;
    for (const SearchPart& part : searchPartTable())
        names.emplace_back(part.name);
    return fmt::format("{}", fmt::join(names, ", "));
}

} // namespace

const std::vector<SearchOptionRow>& searchOptionTable() {
    using O = SearchOptions;
    using V = SearchOptionRow::Value;
    static const std::string withoutHelp =
        fmt::format("Parts to leave out of the planner, with commas between: {}. A planner that has no such "
                    "part ignores it",
                    partNames());
    static const std::vector<SearchOptionRow> table = {
        {"planner", "Planner", "Which planner searches", [](O& o) -> V { return &o.planner; }, 0, 0},
        {"work", "Work limit", "Stage candidates to evaluate; 0 = the planner's default. Repeats exactly",
         [](O& o) -> V { return &o.work; }, 0, 1e12, true},
        {"time-limit", "Time limit", "Seconds of wall clock; 0 = none. Gives up repeatability",
         [](O& o) -> V { return &o.timeLimit; }, 0, 1e6},
        {"seed", "Seed", "Of planners that draw lots; written into the plan",
         [](O& o) -> V { return &o.seed; }, 0, 1e15, true},
        {"threads", "Threads", "Cores allowed; 0 = all. Lower bounds use them; results never depend on it",
         [](O& o) -> V { return &o.threads; }, 0, 1024, true},
        {"top", "Plans", "How many plans to return, beside those that are set apart from the first",
         [](O& o) -> V { return &o.top; }, 1, 1000},
        {"partitions", "Partitions",
         "Tensor partitions of four or eight GPUs beside tensor parallelism, on or off. No trainer runs them "
         "today",
         [](O& o) -> V { return &o.partitions; }, 0, 0, true},
        {"fine-cuts", "Fine cuts",
         "Stages may begin or end between the attention and the MLP of a block, on or off; harp and "
         "pipewright search it. The runner and Aceso take such plans, and the bound is a looser one",
         [](O& o) -> V { return &o.fineCuts; }, 0, 0, true},
        {"all-schedules", "All schedules",
         "Interleaved and zero-bubble schedules too, on or off; pipewright and exhaustive search them, and "
         "the bound is a looser one",
         [](O& o) -> V { return &o.wider.schedules; }, 0, 0, true},
        {"mixed-stages", "Mixed stages",
         "Stages on two kinds of device, which share each micro-batch by speed, on or off; pipewright and "
         "exhaustive search them, and the bound is a looser one",
         [](O& o) -> V { return &o.wider.mixedStages; }, 0, 0, true},
        {"pipelines", "Pipelines",
         "Pipelines of different shape that share the batch, at most so many; pipewright and exhaustive "
         "search "
         "them, and the bound is a looser one. 1 = a single one",
         [](O& o) -> V { return &o.wider.pipelines; }, 1, 8, true},
        {"without", "Without", withoutHelp.c_str(), [](O& o) -> V { return &o.without; }, 0, 0, true},
    };
    return table;
}

namespace {

// The parts of a comma list, in the order of the table; the unknown word if there is one.
Result<std::vector<std::string>> partsOf(std::string_view text) {
    std::vector<bool> named(searchPartTable().size(), false);
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t comma = std::min(text.find(',', begin), text.size());
        std::string_view word = text.substr(begin, comma - begin);
        begin = comma + 1;
        while (!word.empty() && word.front() == ' ')
            word.remove_prefix(1);
        while (!word.empty() && word.back() == ' ')
            word.remove_suffix(1);
        if (word.empty() && text.find(',') == std::string_view::npos)
            continue; // nothing at all
        const auto at = std::find_if(searchPartTable().begin(), searchPartTable().end(),
                                     [&](const SearchPart& part) { return word == part.name; });
        if (at == searchPartTable().end())
            return badInput("search.option", "without",
                            {"\"{word}\"; expected parts out of {known}, with commas between",
                             {{"word", word}, {"known", partNames()}}});
        named[static_cast<std::size_t>(at - searchPartTable().begin())] = true;
    }
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < named.size(); ++i)
        if (named[i])
            parts.emplace_back(searchPartTable()[i].name);
    return parts;
}

} // namespace

SearchOptionRow::Type SearchOptionRow::type() const {
    SearchOptions any;
    struct TypeOf {
        Type operator()(std::string*) const { return Type::Planner; }
        Type operator()(std::int64_t*) const { return Type::Integer; }
        Type operator()(std::uint64_t*) const { return Type::Integer; }
        Type operator()(int*) const { return Type::Integer; }
        Type operator()(double*) const { return Type::Duration; }
        Type operator()(bool*) const { return Type::Switch; }
        Type operator()(std::vector<std::string>*) const { return Type::Parts; }
    };
    return std::visit(TypeOf{}, value(any));
}

namespace {

// Reads a text into where an option's value lies.
struct Setter {
    const SearchOptionRow& row;
    std::string_view text;

    Error refuse(const std::string& expected) const {
        return badInput("search.option", row.name,
                        {"\"{text}\"; expected {expected}", {{"text", text}, {"expected", expected}}});
    }

    Status operator()(std::string* planner) const {
        std::vector<std::string> names;
        for (const PlannerRow& known : plannerTable())
            names.emplace_back(known.name);
        if (std::find(names.begin(), names.end(), text) == names.end())
            return refuse(fmt::format("one of {}", fmt::join(names, ", ")));
        *planner = text;
        return Ok{};
    }
    Status operator()(std::vector<std::string>* parts) const {
        auto named = partsOf(text);
        if (!named)
            return named.error();
        *parts = *std::move(named);
        return Ok{};
    }
    Status operator()(bool* on) const {
        if (text != "on" && text != "off")
            return refuse("on or off");
        *on = text == "on";
        return Ok{};
    }
    template <class Number>
    Status operator()(Number* number) const {
        constexpr bool whole = std::is_integral_v<Number>;
        double value = 0.0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value) ||
            value < row.low || value > row.high || (whole && value != std::floor(value)))
            return refuse(fmt::format("{} from {:.0f} to {:.0f}", whole ? "a whole number" : "a number",
                                      row.low, row.high));
        *number = static_cast<Number>(value);
        return Ok{};
    }
};

struct TextOf {
    std::string operator()(const std::string* planner) const { return *planner; }
    std::string operator()(const std::vector<std::string>* parts) const {
        return fmt::format("{}", fmt::join(*parts, ","));
    }
    std::string operator()(const bool* on) const { return *on ? "on" : "off"; }
    template <class Number>
    std::string operator()(const Number* number) const {
        return fmt::format("{}", *number);
    }
};

const SearchOptionRow* rowOf(std::string_view name) {
    const auto& table = searchOptionTable();
    const auto at = std::find_if(table.begin(), table.end(),
                                 [&](const SearchOptionRow& row) { return name == row.name; });
    return at != table.end() ? &*at : nullptr;
}

} // namespace

Status setSearchOption(SearchOptions& options, std::string_view name, std::string_view text) {
    const SearchOptionRow* row = rowOf(name);
    if (row == nullptr)
        return badInput("search.option", std::string(name), "no such option");
    return std::visit(Setter{*row, text}, row->value(options));
}

std::string searchOptionText(const SearchOptions& options, std::string_view name) {
    const SearchOptionRow* row = rowOf(name);
    assert(row != nullptr);
    SearchOptions copy = options;
    return std::visit(TextOf{}, row->value(copy));
}

} // namespace pw
