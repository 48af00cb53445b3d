// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_slurm.h"

#include "app/cli/child_process.h"

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/sweep/result_file.h"
#include "core/sweep/sweep_status.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <unistd.h>

namespace pw::cli {

namespace {

constexpr const char* kEngine = "slurm";

std::string commandText(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) {
        const bool plain =
            !word.empty() && word.find_first_of(" \t\n'\"\\$`*?[]#~<>|&;(){}!") == std::string::npos;
        text += (text.empty() ? "" : " ") + (plain ? word : shellQuoted(word));
    }
    return text;
}

// Here, or as one text for the shell at the other end.
std::vector<std::string> throughWords(const std::string& through, const std::vector<std::string>& words) {
    if (through.empty())
        return words;
    std::vector<std::string> all;
    for (const std::string_view word : fieldsOf(std::string_view(through)))
        all.emplace_back(word);
    all.push_back(commandText(words));
    return all;
}

Error refusedBy(const std::vector<std::string>& words, const ProgramRun& run) {
    Error error = failure("sweep.engine", words.front(),
                          {"ended with exit code {code}: {message}",
                           {{"code", run.code}, {"message", printable(trimmed(run.err), kInLine)}}});
    error.because(Wording::asIs(commandText(words)));
    return error;
}

Result<std::string> asked(const std::string& through, const std::vector<std::string>& words) {
    const Result<ProgramRun> run = runProgram(throughWords(through, words));
    if (!run)
        return run.error();
    if (run->code != 0)
        return refusedBy(words, *run);
    return run->out;
}

Result<std::size_t> askedMaxArraySize(const std::string& through) {
    const Result<std::string> config = asked(through, {"scontrol", "show", "config"});
    if (!config)
        return config.error();
    const std::optional<std::size_t> size = maxArraySizeOf(*config);
    if (!size)
        return failure("sweep.engine", "scontrol", "does not say what MaxArraySize is");
    return *size;
}

// What was submitted of a sweep, and what Slurm has of it now.
struct Queue {
    std::vector<SubmittedJob> jobs;
    QueuedElements elements;
    std::size_t elsewhere = 0; // submissions for a folder that this one is a copy of

    QueuedChunks chunks() const { return queuedChunks(jobs, elements); }
};

// What was submitted for a folder that this one is a copy of goes on there. One that is not there any more
// was moved here, and another name of this one is this one.
bool isOfAnother(const SubmittedJob& job, const std::string& path) {
    std::error_code unknown;
    const std::string folder = folderOf(job);
    return std::filesystem::is_directory(folder, unknown) &&
           !std::filesystem::equivalent(folder, path, unknown) && !unknown;
}

// Without an answer nothing is submitted: an answer that was taken for "nothing there" is how work is done
// twice.
Result<Queue> queueOf(const SweepFolder& folder, const std::string& path, const std::string& through) {
    Result<std::vector<SubmittedJob>> jobs = readJobs(folder);
    if (!jobs)
        return jobs.error();
    const std::size_t all = jobs->size();
    std::vector<SubmittedJob> own = *std::move(jobs);
    std::erase_if(own, [&](const SubmittedJob& job) { return isOfAnother(job, path); });
    const Result<std::string> answer = asked(through, squeueWords(jobNameOf(path), own));
    if (!answer && own.empty() && answer.error().code == "child.missing")
        return Queue{{}, {}, all}; // nothing was submitted for this folder, and here is no Slurm
    if (!answer)
        return answer.error();
    const std::size_t elsewhere = all - own.size();
    return Queue{std::move(own), queuedElements(*answer), elsewhere};
}

// Jobs of the sweep's name that no submission can have been.
std::set<std::string> strangers(const Queue& queue, const std::string& name) {
    const bool open = std::ranges::any_of(
        queue.jobs, [&](const SubmittedJob& job) { return job.id.empty() && job.name == name; });
    return open ? std::set<std::string>() : unrecordedJobs(queue.jobs, queue.elements, name);
}

// A job that goes on without anybody knowing of it is work done twice: it is cancelled, if that can be.
Error unrecorded(const std::string& through, const std::string& id, const Error& why) {
    const std::vector<std::string> words = {"scancel", id};
    const Result<std::string> cancelled = asked(through, words);
    const std::string command = commandText(throughWords(through, words));
    Error error = cancelled
                      ? failure("sweep.unrecorded", why.where,
                                {"job {id} was submitted, its number cannot be written down, and it was "
                                 "cancelled again ({command})",
                                 {{"id", id}, {"command", command}}})
                      : failure("sweep.unrecorded", why.where,
                                {"job {id} was submitted, its number cannot be written down, and it "
                                 "could not be cancelled; cancel it with: {command}",
                                 {{"id", id}, {"command", command}}});
    error.because(why);
    if (!cancelled)
        error.because(cancelled.error());
    return error;
}

// The number of a job that sbatch took without telling it: of the sweep's name, and not in the queue before.
Result<std::string> foundByName(const SweepFolder& folder, const std::string& path,
                                const std::string& through, const Queue& before, const std::string& said) {
    const std::string name = jobNameOf(path);
    const Result<Queue> queue = queueOf(folder, path, through);
    if (!queue)
        return queue.error();
    std::set<std::string> ids = unrecordedJobs(queue->jobs, queue->elements, name);
    for (const std::string& id : unrecordedJobs(before.jobs, before.elements, name))
        ids.erase(id);
    if (ids.size() == 1)
        return *ids.begin();
    Error error = failure("sweep.engine", "sbatch",
                          {"printed no job's id but \"{answer}\"", {{"answer", printable(said, kInLine)}}});
    error.because(
        {"{count} new jobs of the name {name} are queued", {{"count", ids.size()}, {"name", name}}});
    return error;
}

// Written down before it is asked for, and with its number afterwards. The job's number.
Result<std::string> submitted(const SweepFolder& folder, const SlurmRun& run, const std::string& path,
                              const SlurmArray& array, const Queue& before) {
    const std::vector<std::string> words = sbatchWords(run.options, path, array);
    const std::int64_t now = systemClock().wall();
    SubmittedJob job{kEngine,
                     {},
                     fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(now / 1000))),
                     commandText(words),
                     array.offset,
                     array.chunks,
                     jobNameOf(path),
                     fmt::format("{}.{}.{}.{}", now, hostName(), ::getpid(), array.offset)};
    if (const Status kept = addJob(folder, job); !kept)
        return kept.error();
    const Result<std::string> answer = asked(run.through, words);
    if (!answer)
        return answer.error();
    job.id = jobIdOf(*answer);
    if (job.id.empty()) {
        const Result<std::string> found = foundByName(folder, path, run.through, before, *answer);
        if (!found)
            return found.error();
        job.id = *found;
    }
    if (const Status kept = addJobId(folder, job.submission, job.id); !kept)
        return unrecorded(run.through, job.id, kept.error());
    return job.id;
}

Json commandsJson(const std::vector<SlurmArray>& arrays, const SlurmRun& run, const std::string& folder) {
    Json commands = Json::array();
    for (const SlurmArray& array : arrays)
        commands.push_back(commandText(throughWords(run.through, sbatchWords(run.options, folder, array))));
    return commands;
}

std::string absolute(const SweepFolder& folder) {
    std::error_code ignored;
    const std::filesystem::path path = std::filesystem::canonical(folder.path, ignored);
    return (ignored ? folder.path : path).string();
}

} // namespace

Status addQueue(const SweepFolder& folder, const std::string& through, Answer& answer) {
    const std::string path = absolute(folder);
    const Result<Queue> queue = queueOf(folder, path, through);
    if (!queue)
        return queue.error();
    const QueuedChunks queued = queue->chunks();
    answer.document["queued_chunks"] = Json::array();
    answer.document["held_chunks"] = Json::array();
    answer.document["submitted_elsewhere"] = queue->elsewhere;
    std::vector<std::string> held;
    for (const auto& [chunk, of] : queued) {
        answer.document["queued_chunks"].push_back(chunk);
        if (of.held.empty())
            continue;
        answer.document["held_chunks"].push_back(
            {{"chunk", chunk}, {"element", of.element}, {"reason", of.held}});
        held.push_back(of.element);
        answer.text += fmt::format("chunk {} is held by Slurm as {}: {}\n", chunk, of.element, of.held);
    }
    answer.text += fmt::format("{} chunks wait or run on Slurm\n", queued.size() - held.size());
    if (queue->elsewhere > 0)
        answer.text +=
            fmt::format("{} made where this folder was copied from: their jobs are let be\n",
                        queue->elsewhere == 1 ? "1 submission was"
                                              : fmt::format("{} submissions were", queue->elsewhere));
    for (const std::string& id : strangers(*queue, jobNameOf(path)))
        answer.text += fmt::format("job {} has this sweep's name, and jobs.jsonl does not know it\n", id);
    if (!held.empty())
        answer.text += fmt::format("what is held starts after: scontrol release {}\n", fmt::join(held, " "));
    return Ok{};
}

Result<Answer> submitToSlurm(const SweepFolder& folder, const SlurmRun& run) {
    for (const std::string& word : run.options.more)
        if (isQuiet(word))
            return badInput(
                "usage", "--sbatch",
                {"has {word}: without the job's number its work would be submitted again", {{"word", word}}});
    const Result<SweepStatus> status = sweepStatus(folder);
    if (!status)
        return status.error();
    std::vector<std::size_t> open = status->openChunks(run.options.retryFailed);
    const std::string path = absolute(folder), script = slurmScript(run.options, path);
    Json document = {{"engine", kEngine},     {"open", open.size()},   {"waiting", 0},
                     {"dry_run", run.dryRun}, {"jobs", Json::array()}, {"script", script}};
    if (run.dryRun) {
        const std::vector<SlurmArray> arrays = slurmArrays(open, kDefaultMaxArraySize);
        document["commands"] = commandsJson(arrays, run, path);
        std::string text = fmt::format("{}/job.sbatch:\n\n{}\n", path, script);
        for (const Json& command : document["commands"])
            text += command.get<std::string>() + '\n';
        text += fmt::format(
            "\nnothing was submitted; arrays are cut at {} elements, Slurm's default, where a run asks "
            "Slurm\n",
            kDefaultMaxArraySize);
        return Answer{std::move(document), std::move(text), {}};
    }
    const Result<Queue> queue = queueOf(folder, path, run.through);
    if (!queue)
        return queue.error();
    if (const std::set<std::string> unknown = strangers(*queue, jobNameOf(path)); !unknown.empty())
        return failure(
            "sweep.engine", path,
            {"job {ids} has this sweep's name and may do its work, but jobs.jsonl does not know it; "
             "wait for it, or cancel it with `sweep cancel`",
             {{"ids", fmt::format("{}", fmt::join(unknown, ", "))}}});
    const QueuedChunks waiting = queue->chunks();
    std::erase_if(open, [&](std::size_t chunk) { return waiting.contains(chunk); });
    document["waiting"] = waiting.size();
    if (open.empty())
        return Answer{std::move(document),
                      fmt::format("nothing to submit; {} chunks wait or run already\n", waiting.size()),
                      {}};
    const Result<std::size_t> size = askedMaxArraySize(run.through);
    if (!size)
        return size.error();
    if (const Status written = writeFileAtomically(folder.path / "job.sbatch", script); !written)
        return written.error();
    const std::vector<SlurmArray> arrays = slurmArrays(open, *size);
    document["commands"] = commandsJson(arrays, run, path);
    std::string text;
    for (const SlurmArray& array : arrays) {
        const Result<std::string> id = submitted(folder, run, path, array, *queue);
        if (!id) {
            Error error = id.error();
            for (const Json& job : document["jobs"])
                error.because({"job {id} was submitted before", {{"id", job.get<std::string>()}}});
            return error;
        }
        document["jobs"].push_back(*id);
        text += fmt::format("job {}: {} chunks\n", *id, array.chunks.size());
    }
    return Answer{std::move(document), std::move(text), {}};
}

Result<Answer> cancelOnSlurm(const SweepFolder& folder, const std::string& through) {
    const std::string path = absolute(folder);
    const Result<Queue> queue = queueOf(folder, path, through);
    if (!queue)
        return queue.error();
    std::set<std::string> ids = unrecordedJobs(queue->jobs, queue->elements, jobNameOf(path));
    for (const auto& [at, element] : queue->elements)
        if (std::ranges::find(queue->jobs, at.first, &SubmittedJob::id) != queue->jobs.end())
            ids.insert(at.first);
    if (!ids.empty()) {
        std::vector<std::string> words = {"scancel"};
        words.insert(words.end(), ids.begin(), ids.end());
        if (const Result<std::string> done = asked(through, words); !done)
            return done.error();
    }
    return Answer{Json{{"engine", kEngine}, {"cancelled", ids}},
                  ids.empty() ? "nothing was queued\n" : fmt::format("cancelled {}\n", fmt::join(ids, ", ")),
                  {}};
}

} // namespace pw::cli
