// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reproduce/published_paper.h"

#include "core/accuracy/published_runs.h"
#include "core/base/units.h"
#include "core/search/options.h"
#include "core/search/planners.h"

#include "published_files.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace pw {

namespace {

constexpr double kLargest = 1e12;

// Names of one file's clusters and models, and what is known beside them.
class Reading {
public:
    explicit Reading(const JsonReader& file) : m_file(file) {}

    PublishedPaper paper() {
        PublishedPaper paper;
        if (m_file.text("schema") != "pipewright-published-1")
            m_file.fail("published.schema", m_file.where("schema"),
                        "is not \"pipewright-published-1\", the form of published figures");
        paper.name = m_file.text("name");
        paper.title = m_file.text("title");
        paper.source = m_file.text("source");
        paper.open = m_file.text("open", "");
        if (m_file.has("clusters"))
            for (const auto& [name, reader] : m_file.object("clusters").members())
                m_clusters.emplace(name, reader);
        if (m_file.has("models"))
            for (const auto& [name, reader] : m_file.object("models").members())
                m_models.emplace(name, reader);
        for (const JsonReader& reader : m_file.array("cases")) {
            PublishedCase one = readCase(reader);
            if (std::any_of(paper.cases.begin(), paper.cases.end(),
                            [&](const PublishedCase& earlier) { return earlier.name == one.name; }))
                reader.fail("published.case", reader.where("name"),
                            {"\"{name}\" is the name of an earlier case too", {{"name", one.name}}});
            paper.cases.push_back(std::move(one));
        }
        if (!m_file.status()) // what follows from a mistake is none
            return paper;
        for (const auto& [run, reader] : m_asked) {
            const auto of = std::find_if(paper.cases.begin(), paper.cases.end(),
                                         [&](const PublishedCase& c) { return c.name == run; });
            if (of == paper.cases.end() || !of->cluster)
                reader.fail("published.case", reader.where("case"),
                            {"\"{name}\" is no case with a cluster of this file", {{"name", run}}});
        }
        return paper;
    }

private:
    template <class Value, class Read>
    std::optional<Value> named(const JsonReader& from, const char* key,
                               const std::map<std::string, JsonReader>& list, Read read) const {
        if (!from.has(key))
            return std::nullopt;
        const auto at = list.find(from.text(key));
        if (at == list.end()) {
            from.fail("published.name", from.where(key),
                      {"\"{name}\" is not among the file's {list}",
                       {{"name", from.text(key)}, {"list", fmt::format("{}s", key)}}});
            return std::nullopt;
        }
        Result<Value> value = read(at->second); // mistakes are the file's, at their places
        return value ? std::optional<Value>(*std::move(value)) : std::nullopt;
    }

    PublishedCase readCase(const JsonReader& reader) {
        PublishedCase one;
        one.name = reader.text("name");
        one.cluster = named<Cluster>(reader, "cluster", m_clusters, clusterFromJson);
        one.model = named<Model>(reader, "model", m_models, modelFromJson);
        one.assumed = reader.text("assumed", "");
        if (reader.has("recipe")) {
            const JsonReader own = reader.object("recipe");
            const Result<Recipe> recipe = recipeFromJson(own);
            if (recipe)
                one.recipe = *recipe;
        }
        if (reader.has("links")) // those of the cluster with another bandwidth in this case
            for (const auto& [id, text] : reader.object("links").members())
                setBandwidth(one, id, reader.object("links"));
        m_case = &one;
        if (reader.has("runs"))
            addRuns(reader.object("runs"), one);
        for (const JsonReader& row : reader.has("rows") ? reader.array("rows") : std::vector<JsonReader>{})
            one.rows.push_back(readRow(row));
        if (one.rows.empty())
            reader.fail("published.rows", reader.where(), "has no rows and no runs");
        return one;
    }

    static void setBandwidth(PublishedCase& one, const std::string& id, const JsonReader& links) {
        const double bandwidth = links.withUnit(id, parseBandwidth);
        if (!one.cluster)
            return;
        const auto at = std::find_if(one.cluster->links.begin(), one.cluster->links.end(),
                                     [&](const Link& link) { return link.id == id; });
        if (at == one.cluster->links.end())
            links.fail("published.name", links.where(id),
                       {"\"{name}\" is not among the cluster's links", {{"name", id}}});
        else
            at->bandwidth = BytesPerSecond(bandwidth);
    }

    // Every run of a table that ships, or those named: what was measured is the table's own.
    static void addRuns(const JsonReader& reader, PublishedCase& one) {
        const std::string name = reader.text("table");
        const PublishedTable* table = tableOf(name);
        if (table == nullptr) {
            reader.fail("published.name", reader.where("table"),
                        {"\"{name}\" is none of the tables of measured runs", {{"name", name}}});
            return;
        }
        const Result<PublishedRuns> runs = readPublished(*table);
        if (!runs)
            return reader.fail("published.part", reader.where("table"),
                               {"{table}: {why}", {{"table", runs.error().where}, {"why", runs.error()}}});
        std::vector<std::string> wanted;
        if (reader.has("rows"))
            for (const JsonReader& row : reader.array("rows"))
                wanted.push_back(row.value().is_string() ? row.value().get<std::string>() : std::string());
        for (const std::string& id : wanted)
            if (std::none_of(runs->rows.begin(), runs->rows.end(),
                             [&](const RunRow& row) { return row.rowId == id; }))
                reader.fail("published.name", reader.where("rows"),
                            {"\"{name}\" is no row of {table}", {{"name", id}, {"table", name}}});
        for (const RunRow& row : runs->rows)
            if (wanted.empty() || std::find(wanted.begin(), wanted.end(), row.rowId) != wanted.end())
                addRun(*table, row, reader.text("why", ""), one);
    }
    static void addRun(const PublishedTable& table, const RunRow& run, const std::string& why,
                       PublishedCase& one) {
        const std::string what = fmt::format("{}: {}, {}", run.rowId, run.model,
                                             run.schedule.empty() ? run.gpu : run.gpu + ", " + run.schedule);
        const auto add = [&](const char* figure, const char* unit, double published) {
            PublishedRow row;
            row.quantity = fmt::format("{}, {}", what, figure);
            row.unit = unit;
            row.figure = figure;
            row.prediction = MeasuredRun{table.name, run.rowId};
            row.published = PublishedFigure{published, published};
            row.measured = true;
            row.where = fmt::format("row {} of the measurements", run.rowId);
            row.why = why;
            one.rows.push_back(std::move(row));
        };
        if (run.iterTimeS)
            add("iteration", "s", *run.iterTimeS);
        if (run.peakMemGib)
            add("memory", "GiB", *run.peakMemGib);
    }
    static const PublishedTable* tableOf(const std::string& name) {
        for (const PublishedTable& table : publishedTables())
            if (table.name == name)
                return &table;
        return nullptr;
    }

    PublishedRow readRow(const JsonReader& reader) {
        PublishedRow row;
        row.quantity = reader.text("quantity");
        row.unit = reader.text("unit");
        row.where = reader.text("where", "");
        row.why = reader.text("why", "");
        row.measured = reader.flag("measured", false);
        row.figure = reader.text("figure", "iteration");
        if (reader.has("published")) {
            const Json& value = reader.value()["published"];
            if (value.is_array()) {
                std::vector<double> ends = numbers(reader, "published");
                if (ends.size() == 2 && ends[0] <= ends[1])
                    row.published = PublishedFigure{ends[0], ends[1]};
                else
                    reader.fail("published.figure", reader.where("published"),
                                "is neither a number nor the lower and the upper end of a range");
            } else {
                const double one = reader.number("published", 0.0, kLargest);
                row.published = PublishedFigure{one, one};
            }
            if (row.where.empty())
                reader.fail("published.where", reader.where("published"),
                            "has no place: \"where\" says in which table or figure it stands");
        }
        readPrediction(reader, row);
        return row;
    }

    void readPrediction(const JsonReader& reader, PublishedRow& row) {
        static constexpr std::string_view kKinds[] = {"not_predicted", "planner",  "over",
                                                      "plan",          "schedule", "partition"};
        std::vector<std::string_view> has;
        for (const std::string_view kind : kKinds)
            if (reader.has(kind))
                has.push_back(kind);
        if (has.size() != 1 && !(has == std::vector<std::string_view>{"planner", "over"})) {
            reader.fail("published.prediction", reader.where(),
                        {"says not what is predicted: expected one of {kinds}",
                         {{"kinds", fmt::format("{}", fmt::join(kKinds, ", "))}}});
            return;
        }
        if (has.front() == "not_predicted") {
            row.prediction = NotPredicted{reader.text("not_predicted")};
            return;
        }
        if (has.front() == "schedule") {
            row.prediction = readSchedule(reader.object("schedule"));
            return allow(reader, row, {"makespan", "bubble"});
        }
        if (m_file.status() && (!m_case->cluster || !m_case->model || !m_case->recipe))
            reader.fail("published.problem", reader.where(),
                        "needs cluster, model and recipe, which the case has not all");
        if (has.front() == "plan") {
            row.prediction = PublishedPlan{reader.object("plan").value(), reader.text("device", "")};
            return allow(reader, row, {"iteration", "memory"});
        }
        if (has.front() == "partition") {
            row.prediction = readPartition(reader.object("partition"), row.figure);
            return allow(reader, row, {"gain", "memory", "collectives", "operator"});
        }
        const PlannerRun run = readRun(reader.object("planner"));
        if (has.size() == 1) {
            row.prediction = PlannerFigure{run};
            return allow(reader, row, {"iteration", "throughput", "memory"});
        }
        row.prediction = PlannerRatio{readRun(reader.object("over")), run};
        allow(reader, row, {"iteration", "operators"});
    }
    static void allow(const JsonReader& reader, const PublishedRow& row,
                      const std::vector<std::string>& figures) {
        if (std::find(figures.begin(), figures.end(), row.figure) == figures.end())
            reader.fail("published.figure", reader.where("figure"),
                        {"\"{figure}\" is not a figure of this prediction: {list}",
                         {{"figure", row.figure}, {"list", fmt::format("{}", fmt::join(figures, ", "))}}});
    }

    PlannerRun readRun(const JsonReader& reader) {
        PlannerRun run;
        run.planner = reader.text("name");
        if (std::none_of(plannerTable().begin(), plannerTable().end(),
                         [&](const PlannerRow& row) { return run.planner == row.name; }))
            reader.fail("published.name", reader.where("name"),
                        {"\"{name}\" is not a planner", {{"name", run.planner}}});
        if (reader.has("without")) {
            SearchOptions options;
            const std::string parts = reader.text("without");
            if (const Status set = setSearchOption(options, "without", parts); !set)
                reader.fail("published.name", reader.where("without"), set.error());
            run.without = options.without;
        }
        if (reader.has("case")) {
            run.ofCase = reader.text("case");
            m_asked.emplace_back(run.ofCase, reader);
        }
        return run;
    }

    static std::vector<double> numbers(const JsonReader& reader, const char* key) {
        std::vector<double> list;
        for (const Json& item : reader.value()[key])
            if (item.is_number() && item >= 0.0 && item <= kLargest)
                list.push_back(item.get<double>());
            else
                reader.fail("json.range", reader.where(key),
                            {"has {found}; expected numbers from 0 to {limit}",
                             {{"found", item.dump()}, {"limit", kLargest}}});
        return list;
    }
    static std::vector<double> list(const JsonReader& reader, const char* key, std::size_t count) {
        std::vector<double> values;
        if (!reader.array(key).empty())
            values = numbers(reader, key);
        if (values.size() != count)
            reader.fail(
                "published.schedule", reader.where(key),
                {"has {found} entries; expected {count}", {{"found", values.size()}, {"count", count}}});
        return values;
    }
    static BareSchedule readSchedule(const JsonReader& reader) {
        BareSchedule schedule;
        const std::string kind = reader.text("kind");
        if (const auto known = scheduleKindFromName(kind))
            schedule.kind = *known;
        else
            reader.fail("published.name", reader.where("kind"),
                        {"\"{name}\" is not a schedule", {{"name", kind}}});
        schedule.microbatches = static_cast<int>(reader.count("microbatches", 1, 4096));
        const std::size_t stages = std::max<std::size_t>(1, reader.array("forward").size());
        schedule.forward = list(reader, "forward", stages);
        schedule.backward = list(reader, "backward", stages);
        if (reader.has("weight"))
            schedule.weight = list(reader, "weight", stages);
        schedule.send = stages > 1 ? list(reader, "send", stages - 1) : std::vector<double>{};
        return schedule;
    }
    static BlockPartition readPartition(const JsonReader& reader, const std::string& figure) {
        BlockPartition partition;
        partition.gpus = static_cast<int>(reader.count("gpus", 2, 32));
        partition.blocks = static_cast<int>(reader.count("blocks", 1, 256));
        partition.tp = static_cast<int>(reader.count("tp", 1, 32, 0));
        if (figure != "operator")
            return partition;
        partition.operatorName = reader.text("operator");
        partition.pass = reader.text("pass");
        if (partition.tp == 0)
            reader.fail("published.partition", reader.where(), "names no size of tensor parallelism (tp)");
        for (const char* pass : {"forward", "backward", "weights", "sum"})
            if (partition.pass == pass)
                return partition;
        reader.fail("published.partition", reader.where("pass"),
                    "is none of forward, backward, weights, sum");
        return partition;
    }

    const JsonReader& m_file;
    std::map<std::string, JsonReader> m_clusters, m_models;
    std::vector<std::pair<std::string, JsonReader>> m_asked; // cases that runs name, and where
    const PublishedCase* m_case = nullptr;
};

} // namespace

Result<PublishedPaper> readPublishedPaper(std::string_view text, const std::string& file) {
    const Result<Json> document = parseJson(text, file);
    if (!document)
        return document.error();
    const JsonReader reader(*document, file);
    PublishedPaper paper = Reading(reader).paper();
    if (reader.status())
        for (const Diagnostic& unknown : reader.unread())
            reader.fail("published.key", unknown.where, unknown);
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    return paper;
}

std::span<const PublishedFile> publishedFiles() {
    return embedded::kPublished;
}

Result<std::vector<PublishedPaper>> publishedPapers() {
    std::vector<PublishedPaper> papers;
    for (const PublishedFile& file : publishedFiles()) {
        Result<PublishedPaper> paper = readPublishedPaper(file.text, std::string(file.name) + ".json");
        if (!paper)
            return paper.error();
        papers.push_back(*std::move(paper));
    }
    return papers;
}

} // namespace pw
