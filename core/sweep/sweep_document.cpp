// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/sweep_document.h"

#include "core/base/json.h"
#include "core/search/options.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace pw {

namespace {

constexpr std::size_t kMostValues = 100'000, kMostAxes = 32;
constexpr std::int64_t kMostNodes = 131'072;

bool isKnownOption(std::string_view name) {
    return std::ranges::any_of(searchOptionTable(),
                               [name](const SearchOptionRow& row) { return name == row.name; });
}

void refuseOption(const JsonReader& reader, const std::string& where, const std::string& option) {
    reader.fail("sweep.option", where,
                {"\"{option}\" is no option that a sweep can have; expected planner, work, seed, without, "
                 "target or another one of `plan` but for threads and time-limit, which give up that a task "
                 "repeats exactly",
                 {{"option", option}}});
}

struct KindOfAxis {
    const AxisKindRow* row = nullptr;
    std::string key;
};

KindOfAxis kindOfAxis(const std::string& of) {
    for (const AxisKindRow& row : axisKindTable()) {
        const std::string_view known = row.of;
        const bool goesOn = known.ends_with('.');
        if (goesOn && of.size() > known.size() && of.starts_with(known))
            return {&row, of.substr(known.size())};
        if (!goesOn && of == known)
            return {&row, {}};
    }
    return {};
}

// What every value of an axis has to be before anybody looks into a file.
void checkValue(const JsonReader& axis, const std::string& where, AxisKind kind, const Json& value) {
    const auto expected = [&](const char* what) {
        axis.fail("sweep.value", where,
                  {"is {found}; expected {what}", {{"found", value.dump()}, {"what", what}}});
    };
    const bool isText = value.is_string() && !value.get_ref<const std::string&>().empty();
    switch (kind) {
    case AxisKind::Cluster:
    case AxisKind::Model:
        if (!isText)
            expected("the name of a file");
        return;
    case AxisKind::Plan:
        if (!isText)
            expected("a plan document, FILE or FILE:k, or search");
        return;
    case AxisKind::Scenario:
        if (!isText)
            expected("none, lost:NODE or slow:NODE:SPEED");
        return;
    case AxisKind::NodeCount:
        if (!value.is_number_integer() || value < 0 || value > kMostNodes)
            expected("a number of nodes, from 0 to 131072");
        return;
    case AxisKind::Search:
        if (value.is_structured() || value.is_null())
            expected("a text, a number, true or false");
        return;
    case AxisKind::Recipe:
    case AxisKind::Uncertainty:
        return;
    }
}

void readValues(const JsonReader& reader, SweepAxis& axis) {
    if (axis.kind == AxisKind::Uncertainty) {
        const std::int64_t count = reader.count("count", 1, static_cast<std::int64_t>(kMostValues));
        for (std::int64_t draw = 0; draw < count; ++draw)
            axis.values.push_back(std::to_string(draw));
        axis.seed = static_cast<std::uint64_t>(reader.count("seed", 0, 1'000'000'000'000'000, 1));
        return;
    }
    std::set<std::string> seen;
    for (const JsonReader& item : reader.array("values")) {
        checkValue(reader, item.where(), axis.kind, item.value());
        std::string value = item.value().dump();
        if (!seen.insert(value).second)
            reader.fail("sweep.twice", item.where(), {"{value} is listed twice", {{"value", value}}});
        axis.values.push_back(std::move(value));
        if (axis.values.size() > kMostValues)
            break;
    }
    if (reader.has("values") && (axis.values.empty() || axis.values.size() > kMostValues))
        reader.fail("sweep.values", reader.where("values"),
                    {"expected 1 to {limit} values", {{"limit", kMostValues}}});
}

SweepAxis readAxis(const JsonReader& reader) {
    SweepAxis axis;
    axis.where = reader.where();
    axis.name = reader.text("name");
    const std::string of = reader.text("of");
    const KindOfAxis found = kindOfAxis(of);
    if (found.row == nullptr) {
        if (!of.empty()) {
            std::string known;
            for (const AxisKindRow& row : axisKindTable())
                known += fmt::format("{}{}{}", known.empty() ? "" : ", ", row.of,
                                     std::string_view(row.of).ends_with('.') ? "KEY" : "");
            reader.fail("sweep.axis", reader.where("of"),
                        {"\"{of}\" is nothing that an axis can change; expected one of {known}",
                         {{"of", of}, {"known", known}}});
        }
        reader.passOver({"values", "class", "count", "seed"});
        return axis;
    }
    axis.kind = found.row->kind;
    axis.key = found.key;
    if (axis.kind == AxisKind::NodeCount)
        axis.deviceKind = reader.text("class");
    if (axis.kind == AxisKind::Search && !isPartOfQuestion(axis.key))
        refuseOption(reader, reader.where("of"), axis.key);
    readValues(reader, axis);
    return axis;
}

void readAxes(const JsonReader& reader, SweepDocument& sweep) {
    std::set<std::string> names, changed;
    for (const JsonReader& item : reader.array("axes")) {
        SweepAxis axis = readAxis(item);
        if (!axis.name.empty() && !names.insert(axis.name).second)
            item.fail("sweep.twice", item.where("name"),
                      {"{value} is the name of another axis, too", {{"value", axis.name}}});
        const std::string what = fmt::format(
            "{}{} {}", axisKindTable()[static_cast<std::size_t>(axis.kind)].of, axis.key, axis.deviceKind);
        if (!changed.insert(what).second)
            item.fail("sweep.twice", item.where("of"),
                      {"another axis changes the same, {value}", {{"value", what}}});
        sweep.axes.push_back(std::move(axis));
        if (sweep.axes.size() > kMostAxes) {
            item.fail("sweep.axis", item.where(), {"expected at most {limit} axes", {{"limit", kMostAxes}}});
            return;
        }
    }
    if (reader.has("axes") && sweep.axes.empty())
        reader.fail("sweep.axis", reader.where("axes"), "expected at least one axis");
    std::uint64_t product = 1;
    for (const SweepAxis& axis : sweep.axes) {
        const std::uint64_t values = std::max<std::size_t>(1, axis.values.size());
        if (product > kMostCombinations / values)
            return reader.fail("sweep.size", reader.where("axes"), "come to more than 2^53 combinations");
        product *= values;
    }
}

SweepBase readBase(const JsonReader& reader) {
    SweepBase base;
    base.project = reader.text("project", "");
    base.cluster = reader.text("cluster", "");
    base.model = reader.text("model", "");
    base.profiles = reader.text("profiles", "");
    base.calibration = reader.text("calibration", "");
    if (reader.has("recipe")) {
        const JsonReader recipe = reader.object("recipe");
        for (const auto& [key, value] : recipe.members()) // the recipe's own reader looks into them
            recipe.passOver({key});
        base.recipe = recipe.value().is_object() ? recipe.value().dump() : base.recipe;
    }
    if (reader.has("search")) {
        const JsonReader search = reader.object("search");
        for (const auto& [key, value] : search.members()) {
            if (!isPartOfQuestion(key))
                refuseOption(search, value.where(), key);
            checkValue(search, value.where(), AxisKind::Search, value.value());
        }
        base.search = search.value().is_object() ? search.value().dump() : base.search;
    }
    if (reader.has("prices")) {
        const JsonReader prices = reader.object("prices");
        for (const auto& [kind, price] : prices.members())
            base.prices[kind] = prices.number(kind, 0.0, 1e6);
    }
    if (reader.has("forbid"))
        for (const JsonReader& item : reader.array("forbid")) {
            if (item.value().is_string())
                base.forbidden.push_back(item.value().get<std::string>());
            else
                item.fail("json.type", item.where(), "expected the id of a node or device, or a device kind");
        }
    return base;
}

void readSkip(const JsonReader& reader, SweepDocument& sweep) {
    for (const JsonReader& item : reader.array("skip")) {
        std::map<std::string, std::string> partial;
        for (const auto& [name, value] : item.members()) {
            const SweepAxis* axis = sweep.axis(name);
            const std::string text = value.value().dump();
            if (axis == nullptr)
                item.fail("sweep.skip", value.where(), {"{name} is no axis", {{"name", name}}});
            else if (std::ranges::find(axis->values, text) == axis->values.end())
                item.fail("sweep.skip", value.where(),
                          {"{value} is no value of the axis {name}", {{"value", text}, {"name", name}}});
            partial[name] = text;
        }
        if (partial.empty())
            item.fail("sweep.skip", item.where(), "names no axis, so that nothing would be left");
        sweep.skip.push_back(std::move(partial));
    }
}

void readSample(const JsonReader& reader, SweepSample& sample) {
    const std::string kind = reader.text("kind");
    if (kind == "random") {
        sample.count =
            static_cast<std::uint64_t>(reader.count("count", 1, static_cast<std::int64_t>(kMostTasks)));
        sample.seed = static_cast<std::uint64_t>(reader.count("seed", 0, 1'000'000'000'000'000, 1));
    } else if (kind != "all" && !kind.empty()) {
        reader.fail("sweep.sample", reader.where("kind"),
                    {"is \"{kind}\"; expected all or random", {{"kind", kind}}});
    }
}

void readKeep(const JsonReader& reader, SweepDocument& sweep) {
    constexpr std::string_view kBestOf = "best-of:";
    sweep.keep.plans = static_cast<int>(reader.count("plans", 1, 1000, 1));
    const std::string documents = reader.text("documents", "none");
    const auto wrong = [&](const Wording& why) { reader.fail("sweep.keep", reader.where("documents"), why); };
    if (documents == "all") {
        sweep.keep.documents = KeepDocuments::All;
    } else if (documents == "best" || documents.starts_with(kBestOf)) {
        sweep.keep.documents = KeepDocuments::BestOf;
        if (documents == kBestOf)
            wrong({"names no axis behind \"{found}\"", {{"found", documents}}});
        for (std::size_t at = kBestOf.size(); at < documents.size();) {
            const std::size_t comma = std::min(documents.find(',', at), documents.size());
            sweep.keep.bestOf.push_back(documents.substr(at, comma - at));
            at = comma + 1;
            if (sweep.axis(sweep.keep.bestOf.back()) == nullptr)
                wrong({"names {axis}, which is no axis", {{"axis", sweep.keep.bestOf.back()}}});
        }
    } else if (documents != "none") {
        wrong({"is \"{found}\"; expected none, all, best or best-of:AXIS,...", {{"found", documents}}});
    }
}

void readLimit(const JsonReader& reader, SweepDocument& sweep) {
    sweep.work = reader.count("work", 0, 1'000'000'000'000, 0);
    sweep.caps.pricePerHour = reader.number("price_per_hour", 0.0, 1e12, 0.0);
    sweep.caps.watts = reader.number("power_w", 0.0, 1e12, 0.0);
    sweep.caps.leastGpus = reader.count("least_gpus", 0, 10'000'000, 0);
    sweep.caps.mostGpus = reader.count("most_gpus", 0, 10'000'000, 0);
}

TrainingGoal readTraining(const JsonReader& reader) {
    TrainingGoal goal;
    goal.tokens = reader.number("tokens", 1.0, 1e18);
    goal.deadlineDays = reader.number("deadline_days", 0.0, 1e6, 0.0);
    goal.budget = reader.number("budget", 0.0, 1e15, 0.0);
    goal.powerOverhead = reader.number("power_overhead", 1.0, 10.0, 1.0);
    if (reader.has("failures")) {
        const JsonReader failures = reader.object("failures");
        goal.failures.gpuHours = failures.number("gpu_hours", 1.0, 1e12);
        goal.failures.checkpoint = failures.number("checkpoint_s", 0.0, 1e6, goal.failures.checkpoint);
        goal.failures.restart = failures.number("restart_s", 0.0, 1e6, goal.failures.restart);
    }
    return goal;
}

// What the parts ask of each other.
void checkTogether(const JsonReader& reader, const SweepDocument& sweep) {
    const JsonReader base = reader.object("base");
    const bool project = !sweep.base.project.empty();
    if (!project && sweep.base.cluster.empty() && sweep.axis(AxisKind::Cluster) == nullptr)
        base.fail("sweep.base", base.where(),
                  "has no cluster: give a project, a cluster, or an axis of clusters");
    if (!project && sweep.base.model.empty() && sweep.axis(AxisKind::Model) == nullptr)
        base.fail("sweep.base", base.where(), "has no model: give a project, a model, or an axis of models");
    const SweepAxis* plans = sweep.axis(AxisKind::Plan);
    if (plans == nullptr || std::ranges::any_of(plans->values, [](const std::string& value) {
            return plainValue(value) == kSearchAnew;
        }))
        return;
    for (const SweepAxis& axis : sweep.axes)
        if (axis.kind == AxisKind::Search)
            reader.fail("sweep.axis", axis.where,
                        "changes a search, but the plans of another axis are judged and nothing is searched");
}

} // namespace

bool isPartOfQuestion(std::string_view option) {
    return option == kTargetOption ||
           (isKnownOption(option) && option != "threads" && option != "time-limit");
}

const std::vector<AxisKindRow>& axisKindTable() {
    static const std::vector<AxisKindRow> table = {
        {AxisKind::Cluster, "cluster", "cluster files"},
        {AxisKind::NodeCount, "cluster.nodes", "how many nodes there are of the device kind `class`"},
        {AxisKind::Model, "model", "model files"},
        {AxisKind::Plan, "plan",
         "plan documents to judge, FILE or FILE:k, in place of a search; `search` for one"},
        {AxisKind::Recipe, "recipe.", "any key of the recipe"},
        {AxisKind::Search, "search.", "any option of the search but threads and time-limit, and target"},
        {AxisKind::Scenario, "scenario", "none, lost:NODE, slow:NODE:SPEED; NODE may be a device kind"},
        {AxisKind::Uncertainty, "uncertainty", "`count` draws of what predictions may have wrong"},
    };
    return table;
}

std::string plainValue(const std::string& value) {
    return value.starts_with('"') ? Json::parse(value).get<std::string>() : value;
}

const SweepAxis* SweepDocument::axis(AxisKind kind) const {
    const auto at = std::ranges::find(axes, kind, &SweepAxis::kind);
    return at == axes.end() ? nullptr : &*at;
}

const SweepAxis* SweepDocument::axis(std::string_view axisName) const {
    const auto at = std::ranges::find(axes, axisName, &SweepAxis::name);
    return at == axes.end() ? nullptr : &*at;
}

Result<SweepDocument> readSweep(std::string_view text, const std::string& file, Diagnostics* notes) {
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader reader(*document, file);
    SweepDocument sweep;
    if (const std::string schema = reader.text("schema"); schema != kSweepSchema && !schema.empty())
        return badInput("sweep.schema", reader.where("schema"),
                        {"is \"{schema}\"; expected {known}", {{"schema", schema}, {"known", kSweepSchema}}});
    sweep.name = reader.text("name");
    sweep.base = readBase(reader.object("base"));
    readAxes(reader, sweep);
    if (reader.has("skip"))
        readSkip(reader, sweep);
    if (reader.has("sample"))
        readSample(reader.object("sample"), sweep.sample);
    if (reader.has("keep"))
        readKeep(reader.object("keep"), sweep);
    if (reader.has("limit"))
        readLimit(reader.object("limit"), sweep);
    if (reader.has("training"))
        sweep.training = readTraining(reader.object("training"));
    reader.passOver({"description"});
    if (reader.status())
        checkTogether(reader, sweep);
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    if (notes != nullptr)
        append(*notes, reader.unread());
    sweep.source = document->dump();
    return sweep;
}

} // namespace pw
