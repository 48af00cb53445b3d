// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/manual_pages.h"
#include "app/cli/markdown.h"
#include "app/cli/reproduce_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw::cli {

namespace {

void addPaper(std::string& page, const PublishedPaper& paper, const std::vector<ReproducedRow>& rows) {
    page += fmt::format("\n## {}\n\n{}. Published in {}.\n", paper.name, paper.title, paper.source);
    if (!paper.open.empty())
        page += fmt::format("\nNot public: {}.\n", paper.open);
    MarkdownTable table({"case", "quantity", ">predicted", ">published", "same", "where"});
    std::vector<std::string> assumed, reasons;
    const auto say = [](std::vector<std::string>& list, std::string text) {
        if (std::find(list.begin(), list.end(), text) == list.end())
            list.push_back(std::move(text));
    };
    for (const ReproducedRow& own : rows) {
        table.add({own.ofCase->name, own.row->quantity, predictedText(own), publishedText(*own.row),
                   agreementText(own), own.row->where});
        if (!own.ofCase->assumed.empty())
            say(assumed, own.ofCase->assumed);
        if (!own.failed.empty())
            say(reasons, own.failed);
        else if (own.differs() && !own.row->why.empty())
            say(reasons, own.row->why);
    }
    page += "\n" + table.text();
    const auto addList = [&page](const char* head, const std::vector<std::string>& list) {
        if (!list.empty())
            page += fmt::format("\n{}\n\n", head);
        for (const std::string& text : list)
            page += fmt::format("- {}\n", text);
    };
    addList("Assumed:", assumed);
    addList("Why they differ, or why nothing is predicted:", reasons);
}

} // namespace

Result<std::string> publishedPage(const Session& session, const CLI::App&) {
    const Result<std::vector<PublishedPaper>> papers = publishedPapers();
    if (!papers)
        return papers.error();
    std::string page = pageHead(
        "Published figures", "published",
        fmt::format(
            "What papers have published of their systems beside what this version predicts for it, as "
            "`pipewright-cli reproduce all` prints it. Published figures are the authors'; predictions rest "
            "on estimates. \"Same\" is within {:.0f} %.",
            100.0 * kSameFigure));
    ReproduceOptions options;
    options.stop = session.stop;
    for (const PublishedPaper& paper : *papers) {
        const Result<std::vector<ReproducedRow>> rows = reproduce(paper, options);
        if (!rows)
            return rows.error();
        addPaper(page, paper, *rows);
    }
    return page;
}

} // namespace pw::cli
