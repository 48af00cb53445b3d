// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/problem/software_stack.h"

#include "stack_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <tuple>

namespace pw {

namespace {

constexpr const char* kStackSchema = "pipewright-stack-1";
constexpr std::int64_t kMostOrder = 1'000'000;

// "2021-11" as 202111; 0 where the key is missing.
int monthAt(const JsonReader& reader, const char* key) {
    if (!reader.has(key))
        return 0;
    const std::string text = reader.text(key);
    int year = 0, month = 0;
    const char* end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, year);
    if (first.ec == std::errc() && first.ptr != end && *first.ptr == '-') {
        const auto second = std::from_chars(first.ptr + 1, end, month);
        if (second.ec == std::errc() && second.ptr == end && year >= 1990 && year < 2100 && month >= 1 &&
            month <= 12)
            return year * 100 + month;
    }
    reader.fail("stack.file", reader.where(key),
                {"is \"{text}\"; expected a month as in 2021-11", {{"text", text}}});
    return 0;
}

std::vector<SoftwareStack::Word> readWords(const JsonReader& reader) {
    std::vector<SoftwareStack::Word> words;
    for (const JsonReader& item : reader.array("words"))
        words.push_back({item.text("word"), monthAt(item, "before"), monthAt(item, "from")});
    return words;
}

void readAssumptions(const JsonReader& reader, SoftwareStack& stack) {
    if (reader.has("zero"))
        stack.zero = static_cast<int>(reader.count("zero", 0, 3));
    if (reader.has("sequence_parallel"))
        stack.sequenceParallel = reader.flag("sequence_parallel", false);
    if (reader.has("pads_vocabulary"))
        stack.padsVocabulary = reader.flag("pads_vocabulary", false);
    if (reader.has("stages_by_cost"))
        stack.stagesByCost = reader.flag("stages_by_cost", false);
}

void readCapabilities(const JsonReader& reader, SoftwareStack& stack, const std::string& file) {
    Json given = Json::object();
    for (const auto& [key, item] : reader.members()) {
        stack.sources[key] = item.text("source");
        if (item.has("value"))
            given[key] = item.value()["value"];
        else
            item.fail("stack.file", item.where(), "has no value");
    }
    stack.capabilities = std::make_shared<const Json>(std::move(given));
    const JsonReader values(*stack.capabilities, file, "/capabilities");
    const Software software = softwareFromJson(values);
    if (const Status sound = values.status(); !sound)
        reader.fail(sound.error().code, sound.error().where, sound.error());
    for (const std::string& unknown : values.unreadKeys())
        reader.fail("stack.file", reader.where(unknown), "is no capability");
    for (const Diagnostic& problem : softwareProblems(software))
        reader.fail(problem.code, reader.where() + "/" + problem.where, problem);
}

// What the stack does not say itself is as in the one that it extends.
void takeIn(const SoftwareStack& base, SoftwareStack& stack) {
    Json all = *base.capabilities;
    all.update(*stack.capabilities);
    stack.capabilities = std::make_shared<const Json>(std::move(all));
    stack.sources.insert(base.sources.begin(), base.sources.end());
    const auto fill = [](auto& own, const auto& other) {
        if (!own)
            own = other;
    };
    fill(stack.zero, base.zero);
    fill(stack.sequenceParallel, base.sequenceParallel);
    fill(stack.padsVocabulary, base.padsVocabulary);
    fill(stack.stagesByCost, base.stagesByCost);
}

[[noreturn]] void fatal(const std::string& text) {
    std::fprintf(stderr, "software stacks: %s\n", text.c_str());
    std::abort();
}

std::vector<std::string_view> partsOf(std::string_view names) {
    std::vector<std::string_view> parts;
    for (std::size_t from = 0; from <= names.size();) {
        const std::size_t to = std::min(names.find('+', from), names.size());
        parts.push_back(names.substr(from, to - from));
        from = to + 1;
    }
    return parts;
}

} // namespace

void SoftwareStack::apply(Software& software) const {
    software = softwareFromJson(JsonReader(*capabilities, name), software);
}

Result<SoftwareStack> readStack(std::string_view text, const std::string& file,
                                const std::vector<SoftwareStack>& known) {
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader reader(*document, file);
    if (reader.text("schema") != kStackSchema)
        reader.fail("stack.file", reader.where("schema"), {"expected {schema}", {{"schema", kStackSchema}}});
    SoftwareStack stack;
    stack.name = reader.text("name");
    if (stack.name.find('+') != std::string::npos)
        reader.fail("stack.file", reader.where("name"), "has a \"+\", which joins names");
    stack.label = reader.text("label");
    stack.what = reader.text("what");
    stack.order = static_cast<int>(reader.count("order", 0, kMostOrder));
    stack.words = readWords(reader);
    if (reader.has("assumes"))
        readAssumptions(reader.object("assumes"), stack);
    readCapabilities(reader.object("capabilities"), stack, file);
    stack.extends = reader.text("extends", "");
    if (!stack.extends.empty()) {
        const auto base = std::ranges::find(known, stack.extends, &SoftwareStack::name);
        if (base == known.end())
            reader.fail("stack.file", reader.where("extends"),
                        {"\"{text}\" is no software stack", {{"text", stack.extends}}});
        else
            takeIn(*base, stack);
    }
    for (const Diagnostic& unknown : reader.unread())
        reader.fail("stack.file", unknown.where, "is no key of a software stack");
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    return stack;
}

const std::vector<SoftwareStack>& softwareStacks() {
    static const std::vector<SoftwareStack> stacks = [] {
        std::vector<SoftwareStack> list; // files stand behind those that they extend
        for (const embedded::StackFile& file : embedded::kStacks) {
            Result<SoftwareStack> stack = readStack(file.text, fmt::format("{}.json", file.name), list);
            if (!stack)
                fatal(stack.error().text());
            if (stack->name != file.name)
                fatal(fmt::format("{}.json is named {}", file.name, stack->name));
            list.push_back(*std::move(stack));
        }
        std::ranges::sort(list, [](const SoftwareStack& a, const SoftwareStack& b) {
            return std::tie(a.order, a.name) < std::tie(b.order, b.name);
        });
        return list;
    }();
    return stacks;
}

Result<Software> softwareOfStack(std::string_view names, const std::string& where) {
    std::vector<std::string_view> asked = partsOf(names);
    Software software;
    for (const SoftwareStack& stack : softwareStacks()) {
        const auto at = std::ranges::find(asked, stack.name);
        if (at == asked.end())
            continue;
        stack.apply(software);
        asked.erase(at);
    }
    if (asked.empty())
        return software;
    std::vector<std::string> known;
    for (const SoftwareStack& stack : softwareStacks())
        known.push_back(stack.name);
    return badInput(
        "recipe.stack", where,
        {"the software stack \"{text}\" is unknown, or named twice; there are {names}",
         {{"text", std::string(asked.front())}, {"names", fmt::format("{}", fmt::join(known, ", "))}}});
}

} // namespace pw
