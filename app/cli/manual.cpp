// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/manual_pages.h"
#include "app/cli/markdown.h"
#include "app/cli/problem_flags.h"

#include "core/answers/question.h"
#include "core/base/file.h"
#include "core/base/text.h"
#include "core/exchange/exports/export.h"
#include "core/exchange/imports/import_table.h"
#include "core/findings/findings.h"
#include "core/search/options.h"
#include "core/search/planners.h"
#include "core/sweep/collect.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace pw::cli {

namespace {

std::string yesNo(bool value) {
    return value ? "yes" : "no";
}

using Options = std::vector<const CLI::Option*>;

std::string optionsTable(const Options& options) {
    MarkdownTable table({"flag", "takes", "what"});
    for (const CLI::Option* option : options) {
        const std::string takes = option->get_expected_max() == 0 ? "" : option->get_type_name();
        table.add({inCode(option->get_name()),
                   inCode(takes.substr(0, takes.find(":{"))), // allowed words, again
                   option->get_description()});
    }
    return table.text();
}

bool isOfProblem(const CLI::Option* option) {
    return option->get_group() == kProblemGroup;
}

Options problemOptions(const CLI::App& command) {
    return command.get_options(isOfProblem);
}

// Of one command: what it takes, and what else its help says. `problem` is how many flags a whole problem
// has.
void addCommand(std::string& page, const CLI::App& command, const std::string& path, std::size_t problem) {
    std::string description = command.get_description();
    if (!description.empty())
        description.front() =
            static_cast<char>(std::toupper(static_cast<unsigned char>(description.front())));
    const bool whole = problemOptions(command).size() == problem;
    page += fmt::format("\n## {}\n\n{}.{}\n", path, description,
                        whole ? " Takes the flags of a [problem](#problem)." : "");
    const Options own = command.get_options([whole](const CLI::Option* option) {
        return option->get_name() != "--help" && !(whole && isOfProblem(option));
    });
    if (!own.empty())
        page += "\n" + optionsTable(own);
    if (const std::string footer = command.get_footer(); !footer.empty())
        page += "\n```\n" + footer.substr(0, footer.find_last_not_of('\n') + 1) + "\n```\n";
    for (const CLI::App* inner : command.get_subcommands({}))
        addCommand(page, *inner, path + " " + inner->get_name(), problem);
}

Result<std::string> commandsPage(const Session&, const CLI::App& app) {
    const Options problem = problemOptions(*app.get_subcommand("plan"));
    std::string page = pageHead("Commands", "commands",
                                "Every command of `pipewright-cli` and its flags, as `--help` prints them.");
    page += "\n## Everywhere\n\n" + optionsTable(app.get_options({})) + "\n## Problem\n\n" +
            optionsTable(problem);
    for (const CLI::App* command : app.get_subcommands({}))
        addCommand(page, *command, command->get_name(), problem.size());
    return page;
}

Result<std::string> formatsPage(const Session&, const CLI::App&) {
    std::string page =
        pageHead("Importers and exporters", "formats", "Every format that is read or written.");
    MarkdownTable imports({"kind", "what", "files"});
    for (const ImporterRow& row : importerTable())
        imports.add({inCode(row.kind), row.label, inCode(row.fileFilter)});
    page +=
        "\n## Imports\n\nFiles are known by what is in them; `import KIND FILE` names the kind where that "
        "is not enough.\n\n" +
        imports.text();

    MarkdownTable exports({"format", "what", "releases, newest first"});
    for (const ExporterRow& row : exporterTable()) {
        std::vector<std::string> releases;
        for (const ExportRelease& release : row.releases)
            releases.push_back(fmt::format("`{}` {}", release.name, release.label));
        exports.add({inCode(row.format), row.label, fmt::format("{}", fmt::join(releases, "; "))});
    }
    page += "\n## Exports\n\n" + exports.text();

    std::vector<std::string> headings = {"feature", "refused as"};
    for (const ExporterRow& row : exporterTable())
        if (row.trainer)
            headings.emplace_back(row.format);
    MarkdownTable matrix(headings);
    for (const CapabilityRow& feature : capabilityTable()) {
        std::vector<std::string> cells = {feature.label, inCode(feature.code)};
        for (const ExporterRow& row : exporterTable())
            if (row.trainer)
                cells.push_back(feature.allowed(row.capability));
        matrix.add(cells);
    }
    return page +
           "\n## What trainers can express\n\nA plan that asks for more is refused, never approximated.\n\n" +
           matrix.text();
}

Result<std::string> searchPage(const Session&, const CLI::App&) {
    std::string page = pageHead("Planners and options", "search", "Who searches, and what can be set.");
    MarkdownTable planners({"planner", "name", "standing", "what it does", "work by default", "parts"});
    for (const PlannerRow& row : plannerTable())
        planners.add({inCode(row.name), row.label, row.standing, row.help, row.workText,
                      fmt::format("{}", fmt::join(row.parts, ", "))});
    page += "\n## Planners\n\nWork is counted in stage candidates.\n\n" + planners.text();
    MarkdownTable parts({"part", "what it brings"});
    for (const SearchPart& part : searchPartTable())
        parts.add({inCode(part.name), part.help});
    page += "\n## Parts\n\nA planner can be run without some of its parts, to see what they are worth.\n\n" +
            parts.text();
    MarkdownTable options({"flag", "in the window", "by default", "what"});
    for (const SearchOptionRow& row : searchOptionTable())
        options.add({inCode(std::string("--") + row.name), row.label,
                     inCode(searchOptionText(SearchOptions(), row.name)), row.help});
    return page + "\n## Options\n\n" + options.text();
}

Result<std::string> schedulesPage(const Session&, const CLI::App&) {
    MarkdownTable kinds({"kind", "name", "launch counts", "splits the backward pass", "chunks a stage"});
    const std::string names = scheduleKindNames();
    for (const std::string_view word : partsOf(names, ',')) {
        const ScheduleKind kind = *scheduleKindFromName(trimmed(word));
        const int least = leastChunks(kind), most = mostChunks(kind);
        kinds.add({inCode(name(kind)), label(kind), yesNo(usesLaunchCounts(kind)),
                   yesNo(splitsBackward(kind)),
                   least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most)});
    }
    return pageHead("Schedules", "schedules", "The pipeline schedules that a plan may name.") + "\n" +
           kinds.text() +
           fmt::format("\nLaunch counts of H-1F1B follow one of the rules {}.\n", launchRuleNames());
}

// Which parts of a question go together, as the command line and the window refuse them.
Result<std::string> questionsPage(const Session&, const CLI::App&) {
    const auto named = [](QuestionPart part) {
        return fmt::format("{}, {}", inCode(rowOf(part).flag), rowOf(part).words);
    };
    MarkdownTable clashes({"asked", "not with", "since"});
    for (const Clash& clash : clashTable())
        clashes.add({named(clash.part), named(clash.with), clash.why});
    return pageHead("Questions that go together", "questions",
                    "What may be asked at once, on the command line and in Answers of the window: everything "
                    "but these pairs.") +
           "\n" + clashes.text() +
           fmt::format("\nRows with {} hold for the window: on the command line it is a flag of `evaluate`, "
                       "which has no other of these but one trainer's {}.\n",
                       inCode(rowOf(QuestionPart::Judged).flag), inCode(rowOf(QuestionPart::Target).flag));
}

Result<std::string> findingsPage(const Session&, const CLI::App&) {
    MarkdownTable rules({"rule", "looks for"});
    for (const FindingRule& rule : findingRules())
        rules.add({inCode(rule.name), rule.help});
    return pageHead("Rules of the findings", "findings", "What is looked for in a plan.") + "\n" +
           rules.text();
}

Result<std::string> sweepPage(const Session&, const CLI::App&) {
    MarkdownTable axes({"of", "values"});
    for (const AxisKindRow& row : axisKindTable())
        axes.add(
            {inCode(std::string(row.of) + (std::string_view(row.of).ends_with('.') ? "KEY" : "")), row.help});
    std::string page = pageHead("Axes and columns", "sweep",
                                "What tasks of a [sweep](../sweeps.md) may differ in, and what its table "
                                "has of each.") +
                       "\n## Axes\n\n" + axes.text();
    for (const auto& [title, columns] :
         {std::pair("Columns", recordColumns()), std::pair("Columns of a training run", trainingColumns())}) {
        MarkdownTable table({"column", "what"});
        for (const ResultColumn& column : columns)
            table.add({inCode(column.key), column.help});
        page += fmt::format("\n## {}\n\n{}", title, table.text());
    }
    return page;
}

Result<Answer> manualCommand(const Session& session, const CLI::App& app, const std::string& name,
                             const std::string& out) {
    if (const std::error_code problem = out.empty() ? std::error_code() : makeFolders(out))
        return failure("file.create", out, {"cannot be made ({reason})", {{"reason", problem.message()}}});
    Answer answer;
    answer.document = Json{{"pages", Json::array()}};
    for (const ManualTable& table : manualTables()) {
        if (name.empty() ? table.slow : name != table.name)
            continue;
        const Result<std::string> page = table.page(session, app);
        if (!page)
            return page.error();
        const std::string file = std::string(table.name) + ".md";
        answer.document["pages"].push_back({{"file", file}, {"text", *page}});
        if (out.empty())
            answer.text += *page;
        else if (Status written = writeFileAtomically(std::filesystem::path(out) / file, *page); !written)
            return written.error();
    }
    return answer;
}

std::string tablesHelp() {
    std::string text = "Pages:\n";
    for (const ManualTable& table : manualTables())
        text += fmt::format("  {:<12} {}{}\n", table.name, table.what,
                            table.slow ? "; minutes, so only when it is named" : "");
    return text;
}

} // namespace

std::string pageHead(const std::string& title, const std::string& name, const std::string& text) {
    return fmt::format("# {}\n\n{} Written by `pipewright-cli manual {}`.\n", title, text, name);
}

const std::vector<ManualTable>& manualTables() {
    static const std::vector<ManualTable> tables = {
        {"commands", "commands of this program and their flags", commandsPage},
        {"formats", "formats that are read and written", formatsPage},
        {"search", "planners, their parts and the options of a search", searchPage},
        {"schedules", "pipeline schedules", schedulesPage},
        {"questions", "which questions go together", questionsPage},
        {"findings", "rules by which a plan's losses are found", findingsPage},
        {"sweep", "axes of a sweep and columns of its table", sweepPage},
        {"accuracy", "predictions against the published runs", accuracyPage},
        {"generality", "the same, with constants that have not seen the runs, fitted anew", generalityPage,
         true},
        {"terms", "the model's fitted constants, and what runs lose without each", termsPage, true},
        {"published", "what papers have published, and predictions of it", publishedPage, true},
        {"trainers", "the samples' best plans for each trainer, and why others refuse them", trainersPage,
         true},
    };
    return tables;
}

Command addManual(CLI::App& app) {
    struct Flags {
        std::string table, out;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App* sub =
        app.add_subcommand("manual", "write the pages of the manual that follow from the program's tables");
    sub->add_option("PAGE", flags->table, "which one; none: all but slow ones")
        ->check([](const std::string& text) {
            std::vector<std::string> names;
            for (const ManualTable& table : manualTables())
                names.emplace_back(table.name);
            return std::find(names.begin(), names.end(), text) != names.end()
                       ? std::string()
                       : fmt::format("\"{}\" is none of {}", text, fmt::join(names, ", "));
        });
    sub->add_option("--out", flags->out, "folder to write PAGE.md to, instead of printing it")
        ->type_name("DIR");
    sub->footer(tablesHelp());
    return {sub,
            [flags, &app](const Session& session) {
                return manualCommand(session, app, flags->table, flags->out);
            },
            true};
}

} // namespace pw::cli
