// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/manual_pages.h"
#include "app/cli/markdown.h"

#include "core/answers/by_trainer.h"
#include "core/answers/trainer_samples.h"
#include "core/base/one_line.h"
#include "core/base/units.h"
#include "core/search/planners.h"

#include <fmt/format.h>

#include <map>

namespace pw::cli {

Result<std::string> trainersPage(const Session& session, const CLI::App&) {
    std::string page = pageHead("Trainers of the samples", "trainers",
                                "The best plan of samples for each trainer that files are written for, "
                                "as `pipewright-cli plan --target all` "
                                "finds it: its predicted iteration over that of the best plan for any "
                                "trainer. Where there is none, the reasons "
                                "stand below; the lines of the trainers' own code behind them are in "
                                "[where trainers refuse](../formats.md#where-trainers-refuse).");
    std::vector<std::string> heads = {"trainer"};
    std::map<std::string, std::vector<std::string>> cells; // by trainer
    std::string reasons;
    for (const TrainerSample& asked : trainerSamples()) {
        const auto problem = problemOf(asked, "samples");
        if (!problem)
            return problem.error();
        SearchObserver nobody;
        const Result<BestByTrainer> best = bestByTrainer(*problem, {}, nobody, session.stop);
        if (!best)
            return best.error();
        if (const std::optional<Error> none = refusalOf(best->open))
            return *none;
        const Seconds any = best->open.plans.front().evaluation.iteration;
        heads.push_back(fmt::format(">{}", asked.name));
        reasons += fmt::format("\n## {}\n\nFor any trainer {}.\n\n", asked.name, formatDuration(any));
        for (const BestByTrainer::Row& row : best->rows) {
            std::vector<std::string>& line = cells[row.trainer->label];
            if (row.best)
                line.push_back(fmt::format("{:.2f}", row.best->evaluation.iteration / any));
            else
                line.emplace_back("none");
            if (row.refused)
                reasons += fmt::format("- {}: {}\n", row.trainer->label, inOneLine(*row.refused));
        }
    }
    MarkdownTable table(heads);
    for (const ExporterRow& row : exporterTable())
        if (const auto found = cells.find(row.label); found != cells.end()) {
            std::vector<std::string> line = {row.label};
            line.insert(line.end(), found->second.begin(), found->second.end());
            table.add(line);
        }
    return page + "\n" + table.text() + reasons;
}

} // namespace pw::cli
