// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/session.h"
#include "app/cli/table.h"

#include "core/base/file.h"
#include "core/base/version.h"
#include "core/reproduce/reproduced_text.h"

#include <fmt/format.h>

#include <filesystem>

namespace pw::cli {

namespace {

// Those that ship under a name, or a file of the user's own.
Result<std::vector<PublishedPaper>> papersOf(const std::string& name) {
    if (std::filesystem::path(name).extension() == ".json") {
        const Result<std::string> text = readFile(name);
        if (!text)
            return text.error();
        Result<PublishedPaper> paper = readPublishedPaper(*text, name);
        if (!paper)
            return paper.error();
        return std::vector{*std::move(paper)};
    }
    Result<std::vector<PublishedPaper>> papers = publishedPapers();
    if (!papers || name == "all" || name == "list")
        return papers;
    std::string names;
    for (const PublishedPaper& paper : *papers) {
        if (paper.name == name)
            return std::vector{paper};
        names += ", " + paper.name;
    }
    return badInput("usage", "NAME",
                    {"\"{text}\" is none of {known}, and no FILE.json",
                     {{"text", name}, {"known", "list, all" + names}}});
}

Answer listed(const std::vector<PublishedPaper>& papers) {
    Table table({"name", "what", ">cases", ">rows", "published in"});
    Json list = Json::array();
    for (const PublishedPaper& paper : papers) {
        std::size_t rows = 0;
        Json cases = Json::array();
        for (const PublishedCase& one : paper.cases) {
            rows += one.rows.size();
            cases.push_back(one.name);
        }
        table.add({paper.name, paper.title, fmt::format("{}", paper.cases.size()), fmt::format("{}", rows),
                   paper.source});
        list.push_back({{"name", paper.name},
                        {"title", paper.title},
                        {"source", paper.source},
                        {"open", paper.open},
                        {"cases", std::move(cases)},
                        {"rows", rows}});
    }
    return {Json{{"papers", std::move(list)}}, table.text(), {}};
}

Json rowJson(const PublishedPaper& paper, const ReproducedRow& own) {
    const PublishedRow& row = *own.row;
    Json json{{"paper", paper.name},
              {"case", own.ofCase->name},
              {"quantity", row.quantity},
              {"unit", row.unit},
              {"predicted", own.predicted ? Json(*own.predicted) : Json()},
              {"published", Json()},
              {"assumed", own.ofCase->assumed},
              {"where", row.where},
              {"standing", standingText(row)},
              {"differs", own.differs()},
              {"why", own.failed.empty() ? row.why : own.failed}};
    if (row.published && row.published->low == row.published->high)
        json["published"] = row.published->low;
    else if (row.published)
        json["published"] = {row.published->low, row.published->high};
    return json;
}

// The table of a paper, and under it what was assumed and why rows differ, each said once.
std::string paperText(const PublishedPaper& paper, const std::vector<ReproducedRow>& rows) {
    std::string text = fmt::format("{}\npublished in {}\n", paper.title, paper.source);
    if (!paper.open.empty())
        text += fmt::format("not public: {}\n", paper.open);
    Table table({"case", "quantity", ">predicted", ">published", "same", "where"});
    const PublishedCase* last = nullptr;
    for (const ReproducedRow& own : rows) {
        const bool fresh = own.ofCase != last;
        last = own.ofCase;
        table.add({fresh ? own.ofCase->name : "", own.row->quantity, predictedText(own),
                   publishedText(*own.row), agreementText(own), own.row->where});
    }
    text += "\n" + table.text();
    const ReproducedRemarks remarks = remarksOf(rows);
    if (!remarks.assumed.empty())
        text += "assumed:\n";
    for (const ReproducedRemarks::Remark& remark : remarks.assumed)
        text += fmt::format("  {}: {}\n", remark.row->ofCase->name, remark.text);
    if (!remarks.reasons.empty())
        text += "why they differ, or why nothing is predicted:\n";
    for (const ReproducedRemarks::Remark& remark : remarks.reasons)
        text +=
            fmt::format("  {}, {}: {}\n", remark.row->ofCase->name, remark.row->row->quantity, remark.text);
    return text;
}

Result<Answer> reproduceCommand(const Session& session, const std::string& name) {
    const Result<std::vector<PublishedPaper>> papers = papersOf(name);
    if (!papers)
        return papers.error();
    if (name == "list")
        return listed(*papers);
    Json rows = Json::array();
    std::string text =
        fmt::format("predicted ∴: this program's, from estimates; published: the authors', never "
                    "this program's. \"same\": within {:.0f} %, and of a gain at least half\n",
                    100.0 * kSameFigure);
    for (const PublishedPaper& paper : *papers) {
        ReproduceOptions options;
        options.stop = session.stop;
        options.begins = [&](const PublishedCase& one) {
            session.event(LogLevel::Info, paper.name, one.name);
        };
        const Result<std::vector<ReproducedRow>> own = reproduce(paper, options);
        if (!own)
            return own.error();
        for (const ReproducedRow& row : *own)
            rows.push_back(rowJson(paper, row));
        text += "\n" + paperText(paper, *own);
    }
    return Answer{Json{{"tool_version", fullVersion()},
                       {"provenance", "predicted, from estimates; published, by the authors named"},
                       {"same_within", kSameFigure},
                       {"rows", std::move(rows)}},
                  std::move(text),
                  {}};
}

} // namespace

Command addReproduce(CLI::App& app) {
    auto name = std::make_shared<std::string>();
    CLI::App* sub = app.add_subcommand(
        "reproduce", "predict what papers have published of their systems and print it beside their figures");
    sub->add_option("NAME", *name, "list, all, one that list names, or a FILE.json of figures in that form")
        ->type_name("NAME")
        ->required();
    return {sub, [name](const Session& session) { return reproduceCommand(session, *name); }, true};
}

} // namespace pw::cli
