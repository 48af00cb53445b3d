// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_slurm.h"

#include "app/cli/child_process.h"

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"
#include "core/sweep/sweep_status.h"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

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
    error.because(commandText(words));
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

// Without an answer nothing is submitted: an answer that was taken for "nothing there" is how work is done
// twice.
Result<QueuedChunks> queuedNow(const SweepFolder& folder, const std::string& through) {
    const Result<std::vector<SubmittedJob>> jobs = readJobs(folder);
    if (!jobs)
        return jobs.error();
    if (jobs->empty())
        return QueuedChunks();
    const Result<std::string> answer = asked(through, squeueWords());
    if (!answer)
        return answer.error();
    return queuedChunks(*jobs, queuedElements(*answer));
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
    const Result<QueuedChunks> queued = queuedNow(folder, through);
    if (!queued)
        return queued.error();
    answer.document["queued_chunks"] = Json::array();
    answer.document["held_chunks"] = Json::array();
    std::vector<std::string> held;
    for (const auto& [chunk, of] : *queued) {
        answer.document["queued_chunks"].push_back(chunk);
        if (of.held.empty())
            continue;
        answer.document["held_chunks"].push_back(
            {{"chunk", chunk}, {"element", of.element}, {"reason", of.held}});
        held.push_back(of.element);
        answer.text += fmt::format("chunk {} is held by Slurm as {}: {}\n", chunk, of.element, of.held);
    }
    answer.text += fmt::format("{} chunks wait or run on Slurm\n", queued->size() - held.size());
    if (!held.empty())
        answer.text += fmt::format("what is held starts after: scontrol release {}\n", fmt::join(held, " "));
    return Ok{};
}

Result<Answer> submitToSlurm(const SweepFolder& folder, const SlurmRun& run) {
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
    const Result<QueuedChunks> waiting = queuedNow(folder, run.through);
    if (!waiting)
        return waiting.error();
    std::erase_if(open, [&](std::size_t chunk) { return waiting->contains(chunk); });
    document["waiting"] = waiting->size();
    if (open.empty())
        return Answer{std::move(document),
                      fmt::format("nothing to submit; {} chunks wait or run already\n", waiting->size()),
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
        const std::vector<std::string> words = sbatchWords(run.options, path, array);
        const Result<std::string> answer = asked(run.through, words);
        const std::string id = answer ? jobIdOf(*answer) : std::string();
        if (id.empty()) {
            Error error = answer ? failure("sweep.engine", "sbatch",
                                           {"printed no job's id but \"{answer}\"",
                                            {{"answer", printable(*answer, kInLine)}}})
                                 : answer.error();
            for (const Json& job : document["jobs"])
                error.because({"job {id} was submitted before", {{"id", job.get<std::string>()}}});
            return error;
        }
        document["jobs"].push_back(id);
        const std::string time = fmt::format(
            "{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(static_cast<std::time_t>(systemClock().wall() / 1000)));
        if (const Status kept =
                addJob(folder, {kEngine, id, time, commandText(words), array.offset, array.chunks});
            !kept)
            return kept.error();
        text += fmt::format("job {}: {} chunks\n", id, array.chunks.size());
    }
    return Answer{std::move(document), std::move(text), {}};
}

Result<Answer> cancelOnSlurm(const SweepFolder& folder, const std::string& through) {
    const Result<std::vector<SubmittedJob>> jobs = readJobs(folder);
    if (!jobs)
        return jobs.error();
    std::set<std::string> ids;
    if (!jobs->empty()) {
        const Result<std::string> answer = asked(through, squeueWords());
        if (!answer)
            return answer.error();
        const QueuedElements queued = queuedElements(*answer);
        for (const SubmittedJob& job : *jobs)
            if (std::ranges::any_of(queued,
                                    [&job](const auto& element) { return element.first.first == job.id; }))
                ids.insert(job.id);
    }
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
