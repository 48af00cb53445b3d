// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/recipe.h"

#include "core/base/units.h"
#include "core/problem/software_stack.h"
#include "core/problem/word_field.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr const char* kAuto = "auto";

bool isAuto(const JsonReader& reader, std::string_view key) {
    return !reader.has(key) || reader.value()[std::string(key)] == kAuto;
}

// A single value or a list of them, each with the reader that knows its place.
Json asList(const JsonReader& reader, std::string_view key) {
    const Json& value = reader.value()[std::string(key)];
    return value.is_array() ? value : Json::array({value});
}

std::vector<Recompute> readRecompute(const JsonReader& reader) {
    std::vector<Recompute> modes;
    if (isAuto(reader, "recompute"))
        return modes;
    for (const Json& item : asList(reader, "recompute")) {
        const auto mode = item.is_string() ? recomputeFromName(item.get<std::string>()) : std::nullopt;
        if (!mode)
            reader.fail("recipe.choice", reader.where("recompute"),
                        {"has {found}; expected auto, or one or more of none, selective, full",
                         {{"found", item.dump()}}});
        else if (std::find(modes.begin(), modes.end(), *mode) == modes.end())
            modes.push_back(*mode);
    }
    return modes;
}

std::vector<std::int64_t> readMicrobatches(const JsonReader& reader) {
    std::vector<std::int64_t> sizes;
    if (isAuto(reader, "mbs"))
        return sizes;
    for (const Json& item : asList(reader, "mbs")) {
        const bool fits = item.is_number_integer() && item >= 1 && item <= RecipeLimits::batch;
        if (!fits)
            reader.fail("json.range", reader.where("mbs"),
                        {"has {found}; expected auto, or whole numbers from 1 to {limit}",
                         {{"found", item.dump()}, {"limit", RecipeLimits::batch}}});
        else
            sizes.push_back(item.get<std::int64_t>());
    }
    return sizes;
}

int readZero(const JsonReader& reader) {
    return isAuto(reader, "zero") ? -1 : static_cast<int>(reader.count("zero", 0, 3, -1));
}

} // namespace

const char* name(Optimizer o) {
    return o == Optimizer::Sgd ? "sgd" : "adam";
}

const char* name(Recompute r) {
    return r == Recompute::None ? "none" : r == Recompute::Selective ? "selective" : "full";
}

std::optional<Recompute> recomputeFromName(std::string_view text) {
    for (const Recompute r : {Recompute::None, Recompute::Selective, Recompute::Full})
        if (text == name(r))
            return r;
    return std::nullopt;
}

Diagnostics recipeProblems(const Recipe& recipe) {
    Diagnostics found;
    const auto range = [&found](const char* field, const char* pattern, std::int64_t value, std::int64_t low,
                                std::int64_t high) {
        if (value < low || value > high)
            found.push_back({Severity::Error,
                             "recipe.range",
                             field,
                             {pattern, {{"value", value}, {"limit", fmt::format("{} to {}", low, high)}}}});
    };
    range("gbs", "the global batch is {value}; expected a whole number from {limit}", recipe.gbs, 1,
          RecipeLimits::batch);
    range("seq", "the sequence length is {value}; expected a whole number from {limit}", recipe.seq, 1,
          RecipeLimits::sequence);
    range("zero", "the level of sharding is {value}; expected a whole number from {limit}", recipe.zero, -1,
          3);
    for (const std::int64_t size : recipe.mbs)
        range("mbs", "a micro-batch size is {value}; expected a whole number from {limit}", size, 1,
              std::clamp<std::int64_t>(recipe.gbs, 1, RecipeLimits::batch));
    for (std::size_t i = 0; i < recipe.mbs.size(); ++i)
        if (std::find(recipe.mbs.begin(), recipe.mbs.begin() + static_cast<std::ptrdiff_t>(i),
                      recipe.mbs[i]) != recipe.mbs.begin() + static_cast<std::ptrdiff_t>(i))
            found.push_back({Severity::Error,
                             "recipe.twice",
                             "mbs",
                             {"the micro-batch size {value} is listed twice",
                              {{"value", recipe.mbs[i]}, {"limit", "once"}}}});
    constexpr double kMaxReserve = 1024.0; // GiB
    const double reserve = toGibibytes(recipe.reserve);
    if (!std::isfinite(reserve) || reserve < 0.0 || reserve > kMaxReserve)
        found.push_back({Severity::Error,
                         "recipe.range",
                         "reserve",
                         {"the memory reserve is {value}; expected 0 to {limit}",
                          {{"value", formatGibibytes(recipe.reserve)},
                           {"limit", fmt::format("{:.0f} GiB", kMaxReserve)}}}});
    if (!std::isfinite(recipe.expertLoad) || recipe.expertLoad < 1.0 ||
        recipe.expertLoad > RecipeLimits::expertLoad)
        found.push_back({Severity::Error,
                         "recipe.range",
                         "expert_load",
                         {"the load of the busiest expert rank is {value}; expected a number from {limit}",
                          {{"value", fmt::format("{}", recipe.expertLoad)},
                           {"limit", fmt::format("1 to {}", RecipeLimits::expertLoad)}}}});
    if (!(recipe.fitChance >= RecipeLimits::leastFitChance &&
          recipe.fitChance <= RecipeLimits::mostFitChance))
        found.push_back({Severity::Error,
                         "recipe.range",
                         "fit_chance",
                         {"the chance to fit is {value}; expected a number from {limit}",
                          {{"value", fmt::format("{}", recipe.fitChance)},
                           {"limit", fmt::format("{} to {}", RecipeLimits::leastFitChance,
                                                 RecipeLimits::mostFitChance)}}}});
    for (Diagnostic& problem : softwareProblems(recipe.software))
        found.push_back(std::move(problem));
    return found;
}

Status checkRecipe(const Recipe& recipe, const std::string& where) {
    return statusOf(recipeProblems(recipe), where + '/');
}

Result<Recipe> recipeFromJson(const JsonReader& reader) {
    Recipe recipe;
    recipe.gbs = reader.count("gbs", 1, RecipeLimits::batch);
    recipe.seq = reader.count("seq", 1, RecipeLimits::sequence);
    recipe.precision = readWord(reader, "precision", Precision::Auto,
                                {Precision::Auto, Precision::Fp32, Precision::Tf32, Precision::Fp16,
                                 Precision::Bf16, Precision::Fp8});
    recipe.optimizer = readWord(reader, "optimizer", Optimizer::Adam, {Optimizer::Adam, Optimizer::Sgd});
    recipe.zero = readZero(reader);
    recipe.recompute = readRecompute(reader);
    recipe.sequenceParallel =
        readWord(reader, "sequence_parallel", Choice::Auto, {Choice::Auto, Choice::On, Choice::Off});
    recipe.mbs = readMicrobatches(reader);
    recipe.reserve = Bytes(reader.withUnit("reserve", parseBytes, recipe.reserve.value));
    recipe.expertLoad = reader.number("expert_load", 1.0, RecipeLimits::expertLoad, 1.0);
    recipe.fitChance = reader.number("fit_chance", RecipeLimits::leastFitChance, RecipeLimits::mostFitChance,
                                     recipe.fitChance);
    recipe.stack = reader.text("stack", "");
    if (!recipe.stack.empty()) {
        if (Result<Software> known = softwareOfStack(recipe.stack, reader.where("stack")))
            recipe.software = *std::move(known);
        else if (!reader.has("software")) // which else says all of it
            reader.fail(known.error().code, known.error().where, known.error());
    }
    if (reader.has("software"))
        recipe.software = softwareFromJson(reader.object("software"), recipe.software);
    if (!reader.status())
        return reader.status().error();
    for (const Diagnostic& problem : recipeProblems(recipe))
        reader.fail(problem.code, reader.where() + "/" + problem.where, problem);
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    return recipe;
}

Json toJson(const Recipe& recipe) {
    Json modes = kAuto, sizes = kAuto, zero = kAuto;
    if (!recipe.recompute.empty()) {
        modes = Json::array();
        for (const Recompute r : recipe.recompute)
            modes.push_back(name(r));
    }
    if (!recipe.mbs.empty())
        sizes = recipe.mbs;
    if (recipe.zero >= 0)
        zero = recipe.zero;
    Json json{{"gbs", recipe.gbs},
              {"seq", recipe.seq},
              {"precision", name(recipe.precision)},
              {"optimizer", name(recipe.optimizer)},
              {"zero", zero},
              {"recompute", modes},
              {"sequence_parallel", name(recipe.sequenceParallel)},
              {"mbs", sizes},
              {"reserve", recipe.reserve.value}};
    if (recipe.expertLoad != 1.0)
        json["expert_load"] = recipe.expertLoad;
    if (recipe.fitChance != Recipe{}.fitChance)
        json["fit_chance"] = recipe.fitChance;
    if (!recipe.stack.empty())
        json["stack"] = recipe.stack;
    if (!recipe.stack.empty() || recipe.software != Software{})
        json["software"] = toJson(recipe.software);
    return json;
}

} // namespace pw
