// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/manual_pages.h"
#include "app/cli/markdown.h"

#include "core/reproduce/reproduced_text.h"

#include <fmt/format.h>

namespace pw::cli {

namespace {

void addPaper(std::string& page, const PublishedPaper& paper, const std::vector<ReproducedRow>& rows) {
    page += fmt::format("\n## {}\n\n{}. Published in {}.\n", paper.name, paper.title, paper.source);
    if (!paper.open.empty())
        page += fmt::format("\nNot public: {}.\n", paper.open);
    MarkdownTable table({"case", "quantity", ">predicted", ">published", "same", "where"});
    for (const ReproducedRow& own : rows)
        table.add({own.ofCase->name, own.row->quantity, predictedText(own), publishedText(*own.row),
                   agreementText(own), own.row->where});
    page += "\n" + table.text();
    const auto addList = [&page](const char* head, const std::vector<ReproducedRemarks::Remark>& list) {
        if (!list.empty())
            page += fmt::format("\n{}\n\n", head);
        for (const ReproducedRemarks::Remark& remark : list)
            page += fmt::format("- {}\n", remark.text);
    };
    const ReproducedRemarks remarks = remarksOf(rows);
    addList("Assumed:", remarks.assumed);
    addList("Why they differ, or why nothing is predicted:", remarks.reasons);
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
            "on estimates. \"Same\" is within {:.0f} %, and of a gain at least half.",
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
