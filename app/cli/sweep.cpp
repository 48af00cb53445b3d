// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/child_process.h"
#include "app/cli/session.h"
#include "app/cli/sweep_local.h"
#include "app/cli/sweep_slurm.h"
#include "app/cli/sweep_text.h"
#include "app/cli/table.h"
#include "app/cli/terminal.h"

#include "core/base/file.h"
#include "core/base/pipes.h"
#include "core/base/text.h"
#include "core/base/units.h"
#include "core/base/version.h"
#include "core/sweep/chunk_work.h"
#include "core/sweep/expansion.h"
#include "core/sweep/prepared_sweep.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <condition_variable>
#include <mutex>
#include <unistd.h>
#include <vector>

namespace pw::cli {

namespace {

namespace fs = std::filesystem;

struct MakeFlags {
    std::string sweep, out;
    std::size_t chunkTasks = 0;
    int threads = 0;
};

std::string madeText(const Expansion& made, const std::string& out) {
    std::string text = fmt::format("{} in {}, some {} of a core by the number of GPUs, in {}\n",
                                   counted(static_cast<std::int64_t>(made.tasks.size()), "task"),
                                   counted(static_cast<std::int64_t>(made.chunks.size()), "chunk"),
                                   roughTime(made.expected), out);
    if (made.skipped + made.beyondCaps > 0)
        text +=
            fmt::format("{} combinations are skipped, {} beyond the limits\n", made.skipped, made.beyondCaps);
    if (made.infeasible > 0)
        text += fmt::format("{} without any plan {} as rows that say so:\n",
                            counted(static_cast<std::int64_t>(made.infeasible), "task"),
                            made.infeasible == 1 ? "stays" : "stay");
    for (const Error& why : made.why)
        text += fmt::format("  {}\n", why.text());
    return text;
}

Result<Answer> make(const Session& session, const MakeFlags& flags) {
    for (const auto& [flag, given] :
         {std::pair("--project", &session.project), std::pair("--profiles", &session.profiles),
          std::pair("--calibration", &session.calibration)})
        if (!given->empty())
            return badInput("usage", flag, "stands in the sweep's base, not on the command line");
    const Result<std::string> text = readFile(flags.sweep);
    if (!text)
        return text.error();
    session.event(LogLevel::Info, flags.sweep, "read as a sweep");
    Diagnostics notes;
    const Result<PreparedSweep> made = prepareSweep(*text, flags.sweep, fs::path(flags.sweep).parent_path(),
                                                    {flags.chunkTasks, flags.threads, session.stop}, notes);
    if (!made)
        return made.error();
    session.note(notes);
    const Expansion& expansion = made->expansion;
    if (const Status written = writeSweepFolder(flags.out, made->sweep, made->inputs, expansion); !written)
        return written.error();
    Json why = Json::array();
    for (const Error& reason : expansion.why)
        why.push_back(reason.text());
    return Answer{Json{{"sweep", flags.out},
                       {"name", made->sweep.name},
                       {"tasks", expansion.tasks.size()},
                       {"chunks", expansion.chunks.size()},
                       {"combinations", expansion.combinations},
                       {"skipped", expansion.skipped},
                       {"beyond_limits", expansion.beyondCaps},
                       {"compositions", expansion.compositions},
                       {"infeasible", expansion.infeasible},
                       {"reasons", std::move(why)},
                       {"expected_s", expansion.expected}},
                  madeText(expansion, flags.out),
                  {}};
}

struct WorkFlags {
    std::string folder;
    std::size_t chunk = 0;
    int threads = 1;
    bool retryFailed = false;
};

Result<Answer> work(const Session& session, const WorkFlags& flags) {
    const Result<SweepFolder> folder = openSweepFolder(flags.folder);
    if (!folder)
        return folder.error();
    if (folder->toolVersion != fullVersion())
        session.note(LogLevel::Warning, flags.folder,
                     fmt::format("{} was made by {}, this is {}: results of both are not collected together",
                                 flags.folder, folder->toolVersion, fullVersion()));
    WorkOptions options{flags.threads, flags.retryFailed, session.stop, {}};
    if (isatty(STDERR_FILENO) == 1 && !session.logsToTerminal)
        options.progress = [](std::size_t done, std::size_t of) {
            std::fputs(fmt::format("\r{} of {} tasks{}", done, of, done == of ? "\n" : "").c_str(), stderr);
        };
    const Result<WorkReport> report = workOff(*folder, flags.chunk, options);
    if (!report)
        return report.error();
    Answer answer{Json{{"sweep", flags.folder},
                       {"chunk", flags.chunk},
                       {"tasks", report->tasks},
                       {"known", report->known},
                       {"done", report->done},
                       {"failed", report->failed},
                       {"searching_s", report->searching}},
                  fmt::format("chunk {}: {} of {} tasks worked out in {}, {} were known\n", flags.chunk,
                              report->done, report->tasks, formatDuration(Seconds(report->searching)),
                              report->known),
                  {}};
    if (report->stopped)
        answer.refused = stopped("sweep.stopped", "stopped with tasks open; what was done is kept");
    return answer;
}

struct RunFlags {
    std::string folder, on = "local", more;
    std::vector<const CLI::Option*> ofLocal, ofSlurm; // that the other engine has no use for
    LocalRun local;
    SlurmRun slurm;
    bool retryFailed = false;
};

Result<Answer> run(const Session& session, RunFlags flags) {
    const bool onSlurm = flags.on == "slurm";
    for (const CLI::Option* option : onSlurm ? flags.ofLocal : flags.ofSlurm)
        if (option->count() > 0)
            return badInput("usage", option->get_name(),
                            {"is of --on {engine}; the sweep is run on {on}",
                             {{"engine", onSlurm ? "local" : "slurm"}, {"on", flags.on}}});
    const Result<SweepFolder> folder = openSweepFolder(flags.folder);
    if (!folder)
        return folder.error();
    if (onSlurm) {
        if (flags.slurm.options.program.empty())
            flags.slurm.options.program = ownProgram().string();
        for (const std::string_view word : fieldsOf(std::string_view(flags.more)))
            flags.slurm.options.more.emplace_back(word);
        flags.slurm.options.retryFailed = flags.retryFailed;
        return submitToSlurm(*folder, flags.slurm);
    }
    flags.local.retryFailed = flags.retryFailed;
    if (const Status done = runLocally(session, *folder, flags.local); !done)
        return done.error();
    const Result<SweepStatus> status = sweepStatus(*folder);
    if (!status)
        return status.error();
    return Answer{statusDocument(*folder, *status), statusText(*status), openTasks(*folder, *status)};
}

struct StatusFlags {
    std::string folder, through;
    bool watch = false, queue = false;
};

// Each two seconds, until all is done or a stop is asked for.
Result<SweepStatus> watched(const Session& session, const SweepFolder& folder) {
    std::mutex mutex;
    std::condition_variable_any changed;
    std::string said;
    while (true) {
        Result<SweepStatus> status = sweepStatus(folder);
        if (!status || status->done + status->failed.size() == status->tasks)
            return status;
        if (std::string line = statusText(*status); line != said) {
            say(line);
            said = std::move(line);
        }
        std::unique_lock lock(mutex);
        changed.wait_for(lock, session.stop, std::chrono::seconds(2), [] { return false; });
        if (session.stop.stop_requested())
            return sweepStatus(folder);
    }
}

Result<Answer> status(const Session& session, const StatusFlags& flags) {
    const Result<SweepFolder> folder = openSweepFolder(flags.folder);
    if (!folder)
        return folder.error();
    const Result<SweepStatus> found = flags.watch ? watched(session, *folder) : sweepStatus(*folder);
    if (!found)
        return found.error();
    Answer answer{statusDocument(*folder, *found), statusText(*found), openTasks(*folder, *found)};
    if (flags.queue)
        if (const Status added = addQueue(*folder, flags.through, answer); !added)
            return added.error();
    return answer;
}

struct CollectFlags {
    std::string folder, out;
    bool anyVersion = false;
};

Result<Answer> collectResults(const CollectFlags& flags) {
    const Result<SweepFolder> folder = openSweepFolder(flags.folder);
    if (!folder)
        return folder.error();
    const bool csv = fs::path(flags.out).extension() == ".csv" || flags.out == kStandardOutput;
    const bool database =
        fs::path(flags.out).extension() == ".db" || fs::path(flags.out).extension() == ".sqlite";
    if (!csv && !database)
        return badInput("usage", "--out", "takes a file in .csv, .db or .sqlite, which says what is written");
    const Result<Collection> collection = collect(*folder, flags.anyVersion);
    if (!collection)
        return collection.error();
    Answer answer{collectionDocument(*folder, *collection), collectionText(*folder, *collection), {}};
    if (csv) {
        const Result<std::string> table = sweepCsv(*folder, *collection);
        if (!table)
            return table.error();
        if (const Status written = writeFileAtomically(flags.out, *table); !written)
            return written.error();
    } else {
        const Result<std::size_t> added = writeSweepDatabase(flags.out, *folder, *collection);
        if (!added)
            return added.error();
        answer.document["added"] = *added;
    }
    answer.document["out"] = flags.out;
    answer.text += fmt::format("\n{} rows, {} with a result, written to {}\n", collection->status.tasks,
                               collection->status.done, flags.out);
    if (!collection->status.complete())
        answer.refused =
            stopped("sweep.partial", {"{count} of {all} tasks have no result; their rows say so",
                                      {{"count", collection->status.tasks - collection->status.done},
                                       {"all", collection->status.tasks}}});
    return answer;
}

void addFolder(CLI::App& sub, std::string& folder) {
    sub.add_option("DIR", folder, "folder of `sweep make`")->type_name("DIR")->required();
}

CLI::Option* addThrough(CLI::App& sub, std::string& through) {
    return sub.add_option("--through", through, "words before every command of Slurm, as in \"ssh login\"")
        ->type_name("WORDS");
}

Command addRun(CLI::App& parent) {
    auto flags = std::make_shared<RunFlags>();
    CLI::App* sub = parent.add_subcommand("run", "work off what is open, on this machine or on Slurm");
    addFolder(*sub, flags->folder);
    sub->add_option("--on", flags->on, "local: child processes; slurm: job arrays (default local)")
        ->type_name("local|slurm")
        ->check(CLI::IsMember({"local", "slurm"}));
    sub->add_flag("--retry-failed", flags->retryFailed,
                  "also tasks that were begun three times without a result");
    flags->ofLocal = {
        sub->add_option("--jobs", flags->local.jobs, "local: processes at a time (default: one a core)")
            ->type_name("N")
            ->check(CLI::Range(1, 4096))};
    SlurmOptions& slurm = flags->slurm.options;
    for (const auto& [flag, value, type, help] :
         {std::tuple("--partition", &slurm.partition, "NAME", "slurm: as sbatch has it"),
          std::tuple("--account", &slurm.account, "NAME", "slurm: as sbatch has it"),
          std::tuple("--time", &slurm.time, "T", "slurm: limit of an element, as sbatch has it"),
          std::tuple("--sbatch", &flags->more, "WORDS",
                     "slurm: further words for sbatch, with blanks between"),
          std::tuple("--program", &slurm.program, "FILE",
                     "slurm: pipewright-cli as the nodes see it (default: this)")})
        flags->ofSlurm.push_back(sub->add_option(flag, *value, help)->type_name(type));
    for (CLI::Option* option :
         {sub->add_option("--max-running", slurm.maxRunning,
                          "slurm: elements of each array that run at a time (default: no limit)")
              ->type_name("N")
              ->check(CLI::Range(1, 1'000'000)),
          sub->add_option("--threads", slurm.threads, "slurm: cores of an element (default 1)")
              ->type_name("N")
              ->check(CLI::Range(1, 1024)),
          addThrough(*sub, flags->slurm.through),
          sub->add_flag("--dry-run", flags->slurm.dryRun,
                        "slurm: print script and commands and submit nothing")})
        flags->ofSlurm.push_back(option);
    return {sub, [flags](const Session& session) { return run(session, *flags); }, true};
}

Command addMake(CLI::App& parent) {
    auto flags = std::make_shared<MakeFlags>();
    CLI::App* sub = parent.add_subcommand("make", "check every problem of a sweep and write its folder");
    sub->add_option("SWEEP", flags->sweep, "sweep document")->type_name("FILE")->required();
    sub->add_option("--out", flags->out, "folder to write, new or empty")->type_name("DIR")->required();
    sub->add_option("--chunk-tasks", flags->chunkTasks,
                    "tasks of a chunk (default: by expected time, 30 s to 20 min)")
        ->type_name("N")
        ->check(CLI::Range(std::size_t{1}, kMostTasks));
    sub->add_option("--threads", flags->threads, "cores that check (default: all)")
        ->type_name("N")
        ->check(CLI::Range(0, 1024));
    return {sub, [flags](const Session& session) { return make(session, *flags); }, true};
}

Command addWork(CLI::App& parent) {
    auto flags = std::make_shared<WorkFlags>();
    CLI::App* sub =
        parent.add_subcommand("work", "work off one chunk in this process, as engines have it done");
    addFolder(*sub, flags->folder);
    sub->add_option("--chunk", flags->chunk, "which, from 0")
        ->type_name("K")
        ->check(CLI::Range(std::size_t{0}, kMostTasks).description(""))
        ->required();
    sub->add_option("--threads", flags->threads, "cores of each search (default 1)")
        ->type_name("N")
        ->check(CLI::Range(1, 1024));
    sub->add_flag("--retry-failed", flags->retryFailed,
                  "also tasks that were begun three times without a result");
    return {sub, [flags](const Session& session) { return work(session, *flags); }, true};
}

} // namespace

std::vector<Command> addSweep(CLI::App& app) {
    CLI::App* parent = app.add_subcommand("sweep", "many problems at once, on this machine or on Slurm");
    parent->require_subcommand(1);
    parent->fallthrough();
    std::vector<Command> commands = {addMake(*parent), addRun(*parent), addWork(*parent)};

    auto asked = std::make_shared<StatusFlags>();
    CLI::App* sub = parent->add_subcommand("status", "how far a sweep is, counted from its files");
    addFolder(*sub, asked->folder);
    sub->add_flag("--watch", asked->watch, "again every two seconds until all is done");
    sub->add_flag("--queue", asked->queue, "ask Slurm, too, which chunks wait or run");
    addThrough(*sub, asked->through);
    commands.push_back({sub, [asked](const Session& session) { return status(session, *asked); }, true});

    auto cancelled = std::make_shared<StatusFlags>();
    sub = parent->add_subcommand("cancel", "cancel what is queued on Slurm; results stay");
    addFolder(*sub, cancelled->folder);
    addThrough(*sub, cancelled->through);
    commands.push_back({sub, [cancelled](const Session&) -> Result<Answer> {
                            const Result<SweepFolder> folder = openSweepFolder(cancelled->folder);
                            return folder ? cancelOnSlurm(*folder, cancelled->through)
                                          : Result<Answer>(folder.error());
                        }});

    auto collected = std::make_shared<CollectFlags>();
    sub = parent->add_subcommand("collect", "all results as one table, CSV or SQLite by the name of --out");
    addFolder(*sub, collected->folder);
    sub->add_option("--out", collected->out, "file to write: X.csv, X.db or X.sqlite")
        ->type_name("FILE")
        ->required();
    sub->add_flag("--any-version", collected->anyVersion, "also results of several versions of the program");
    commands.push_back({sub, [collected](const Session&) { return collectResults(*collected); }});

    for (const Command& command : commands)
        command.app->fallthrough();
    return commands;
}

} // namespace pw::cli
