// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/slurm_job.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <system_error>

namespace pw {

namespace {

constexpr const char* kScript = "job.sbatch";

std::filesystem::path jobsFile(const SweepFolder& folder) {
    return folder.path / "jobs.jsonl";
}

// Its text; empty if it is not there.
Result<std::string> readJobsFile(const SweepFolder& folder) {
    const std::filesystem::path file = jobsFile(folder);
    return isThere(file, *folder.disk) ? readFile(file, kWholeFileLimit, *folder.disk) : std::string();
}

// Without what has no end.
std::string_view wholeLines(std::string_view text) {
    return text.substr(0, text.rfind('\n') + 1); // npos + 1 is 0
}

std::error_code appendLine(const std::filesystem::path& file, const std::string& line, const Disk& disk) {
    std::error_code problem;
    const std::unique_ptr<WritableFile> out = disk.append(file, problem);
    if (!problem)
        problem = out->write(line);
    if (!problem)
        problem = out->sync();
    return problem ? problem : out->close();
}

// What is no UTF-8, as a folder's name may be, is replaced: nobody runs the command from here.
Status addLine(const SweepFolder& folder, const Json& json) {
    const std::string file = jobsFile(folder).string();
    const Result<std::string> before = readJobsFile(folder);
    if (!before)
        return before.error();
    const std::string_view whole = wholeLines(*before);
    const std::string line = json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
    if (whole.size() < before->size())
        return writeFileAtomically(jobsFile(folder), std::string(whole) + line, *folder.disk);
    if (const std::error_code problem = appendLine(jobsFile(folder), line, *folder.disk))
        return failure("file.io", file, {"cannot be written ({reason})", {{"reason", problem.message()}}});
    return Ok{};
}

Result<SubmittedJob> jobOf(const JsonReader& reader) {
    SubmittedJob job;
    job.submission = reader.text("submission", "");
    job.engine = reader.text("engine");
    job.id = job.submission.empty() ? reader.text("id") : reader.text("id", "");
    job.time = reader.text("time", "");
    job.command = reader.text("command", "");
    job.name = reader.text("name", kSharedJobName);
    constexpr auto kMost = static_cast<std::int64_t>(kMostTasks);
    job.offset = static_cast<std::size_t>(reader.count("offset", 0, kMost, 0));
    for (const JsonReader& chunk : reader.array("chunks"))
        if (chunk.value().is_number_unsigned())
            job.chunks.push_back(chunk.value().get<std::size_t>());
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    return job;
}

} // namespace

std::string shellQuoted(std::string_view word) {
    std::string text = "'";
    for (const char c : word)
        text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + '\'';
}

std::string slurmScript(const SlurmOptions& options, const std::string& folder) {
    return fmt::format("#!/bin/bash\n"
                       "# An element a chunk; the argument is added to the element's number.\n"
                       "#SBATCH --requeue\n"
                       "#SBATCH --open-mode=append\n"
                       "#SBATCH --signal=B:TERM@30\n"
                       "#SBATCH --ntasks=1\n"
                       "#SBATCH --cpus-per-task={}\n"
                       "exec {} sweep work {} --chunk \"$(($1 + SLURM_ARRAY_TASK_ID))\" --threads {}{}\n",
                       options.threads, shellQuoted(options.program), shellQuoted(folder), options.threads,
                       options.retryFailed ? " --retry-failed" : "");
}

std::vector<SlurmArray> slurmArrays(const std::vector<std::size_t>& chunks, std::size_t maxArraySize) {
    std::vector<SlurmArray> arrays;
    for (const std::size_t chunk : chunks) {
        if (arrays.empty() || chunk - arrays.back().offset >= maxArraySize)
            arrays.push_back({chunk, {}});
        arrays.back().chunks.push_back(chunk);
    }
    return arrays;
}

std::string arrayText(const SlurmArray& array, int maxRunning) {
    std::vector<std::string> ranges;
    for (std::size_t i = 0; i < array.chunks.size();) {
        std::size_t last = i;
        while (last + 1 < array.chunks.size() && array.chunks[last + 1] == array.chunks[last] + 1)
            ++last;
        const std::size_t from = array.chunks[i] - array.offset, to = array.chunks[last] - array.offset;
        ranges.push_back(from == to ? fmt::format("{}", from) : fmt::format("{}-{}", from, to));
        i = last + 1;
    }
    return fmt::format("{}{}", fmt::join(ranges, ","), maxRunning > 0 ? fmt::format("%{}", maxRunning) : "");
}

std::vector<std::string> sbatchWords(const SlurmOptions& options, const std::string& folder,
                                     const SlurmArray& array) {
    std::vector<std::string> words = {"sbatch", "--parsable", "--chdir=" + folder, "--output=log/%A_%a.log",
                                      "--array=" + arrayText(array, options.maxRunning)};
    for (const auto& [flag, value] :
         {std::pair("--partition=", &options.partition), std::pair("--account=", &options.account),
          std::pair("--time=", &options.time)})
        if (!value->empty())
            words.push_back(flag + *value);
    words.insert(words.end(), options.more.begin(), options.more.end());
    words.push_back("--job-name=" + jobNameOf(folder)); // the last one counts, and squeueWords() asks for it
    words.push_back(folder + '/' + kScript);
    words.push_back(std::to_string(array.offset));
    return words;
}

std::string jobNameOf(const std::string& folder) {
    return "pipewright-" + hashText(folder).substr(0, 8);
}

bool isQuiet(std::string_view word) {
    constexpr std::string_view quiet = "--quiet";
    if (word.starts_with("--qu"))
        return quiet.starts_with(word);
    if (!word.starts_with('-') || word.starts_with("--"))
        return false;
    constexpr std::string_view withoutValue = "hHIkOsuvVW"; // others take the rest of the word
    const std::size_t at = word.find_first_not_of(withoutValue, 1);
    return at != std::string_view::npos && word[at] == 'Q';
}

std::optional<std::size_t> maxArraySizeOf(std::string_view config) {
    for (const TextLine& line : linesOf(config)) {
        const std::vector<std::string_view> fields = fieldsOf(line.text);
        if (fields.size() == 3 && fields[0] == "MaxArraySize" && fields[1] == "=")
            if (const auto size = integerNumber(fields[2]); size && *size > 0)
                return static_cast<std::size_t>(*size);
    }
    return std::nullopt;
}

std::string jobIdOf(std::string_view answer) {
    const std::string_view id = trimmed(answer.substr(0, answer.find(';')));
    return integerNumber(id) ? std::string(id) : std::string();
}

std::vector<std::string> squeueWords(const std::string& name, const std::vector<SubmittedJob>& jobs) {
    std::vector<std::string> names = {name};
    for (const SubmittedJob& job : jobs)
        if (std::ranges::find(names, job.name) == names.end())
            names.push_back(job.name);
    return {"squeue", "--noheader", "--array", fmt::format("--name={}", fmt::join(names, ",")),
            "--format=%F %K %j %r"};
}

QueuedElements queuedElements(std::string_view answer) {
    QueuedElements elements;
    for (const TextLine& line : linesOf(answer)) {
        const std::vector<std::string_view> fields = fieldsOf(line.text);
        if (fields.size() < 3)
            continue;
        const auto element = integerNumber(fields[1]);
        if (!element || *element < 0)
            continue;
        // "JobHeldUser", "launch failed requeued held", "job requeued in held state"
        std::string reason = fmt::format("{}", fmt::join(fields.begin() + 3, fields.end(), " "));
        if (lowered(reason).find("held") == std::string::npos)
            reason.clear();
        elements.emplace(std::pair(std::string(fields[0]), static_cast<std::size_t>(*element)),
                         QueuedElement{std::string(fields[2]), printable(reason, kInLine)});
    }
    return elements;
}

Status addJob(const SweepFolder& folder, const SubmittedJob& job) {
    Json line = {{"engine", job.engine},   {"name", job.name},     {"time", job.time},
                 {"command", job.command}, {"offset", job.offset}, {"chunks", job.chunks}};
    if (!job.id.empty())
        line["id"] = job.id;
    if (!job.submission.empty())
        line["submission"] = job.submission;
    return addLine(folder, line);
}

Status addJobId(const SweepFolder& folder, const std::string& submission, const std::string& id) {
    return addLine(folder, {{"submission", submission}, {"id", id}});
}

Result<std::vector<SubmittedJob>> readJobs(const SweepFolder& folder) {
    std::vector<SubmittedJob> jobs;
    const std::string file = jobsFile(folder).string();
    const Result<std::string> text = readJobsFile(folder);
    if (!text)
        return text.error();
    for (const TextLine& line : linesOf(wholeLines(*text))) {
        if (line.text.empty())
            continue;
        const std::string where = fmt::format("{}:{}", file, line.number);
        const Result<Json> json = parseJson(line.text, where);
        if (!json)
            return json.error();
        const JsonReader reader(*json, where);
        if (!reader.has("engine") && reader.has("submission") && reader.has("id")) {
            const std::string submission = reader.text("submission"), id = reader.text("id");
            if (const Status sound = reader.status(); !sound)
                return sound.error();
            const auto at = std::ranges::find(jobs, submission, &SubmittedJob::submission);
            if (at == jobs.end())
                return badInput("sweep.submission", where, "is the number of a submission that is not there");
            at->id = id;
            continue;
        }
        Result<SubmittedJob> job = jobOf(reader);
        if (!job)
            return job.error();
        jobs.push_back(*std::move(job));
    }
    return jobs;
}

std::string folderOf(const SubmittedJob& job) {
    constexpr std::string_view kWord = "--chdir=";
    const std::size_t at = job.command.find(kWord);
    if (at == std::string::npos)
        return {};
    const std::string_view rest = std::string_view(job.command).substr(at + kWord.size());
    if (at == 0 || job.command[at - 1] != '\'') // else the whole word is quoted, and its quotes in turn
        return std::string(rest.substr(0, rest.find(' ')));
    constexpr std::string_view kQuote = "'\\''";
    std::string folder;
    for (std::size_t i = 0; i < rest.size(); ++i)
        if (rest.substr(i).starts_with(kQuote)) {
            folder += '\'';
            i += kQuote.size() - 1;
        } else if (rest[i] == '\'') {
            break;
        } else {
            folder += rest[i];
        }
    return folder;
}

std::set<std::string> unrecordedJobs(const std::vector<SubmittedJob>& jobs, const QueuedElements& queued,
                                     const std::string& name) {
    std::set<std::string> ids;
    for (const auto& [at, element] : queued)
        if (element.name == name && std::ranges::find(jobs, at.first, &SubmittedJob::id) == jobs.end())
            ids.insert(at.first);
    return ids;
}

QueuedChunks queuedChunks(const std::vector<SubmittedJob>& jobs, const QueuedElements& queued) {
    QueuedChunks chunks;
    const auto add = [&](const SubmittedJob& job, const std::string& id) {
        for (const std::size_t chunk : job.chunks) {
            const std::size_t element = chunk - job.offset;
            if (const auto at = queued.find({id, element}); at != queued.end())
                chunks.insert_or_assign(chunk,
                                        QueuedChunk{fmt::format("{}_{}", id, element), at->second.held});
        }
    };
    for (const SubmittedJob& job : jobs)
        if (job.engine == "slurm" && job.id.empty())
            for (const std::string& id : unrecordedJobs(jobs, queued, job.name))
                add(job, id);
    for (const SubmittedJob& job : jobs)
        if (job.engine == "slurm" && !job.id.empty())
            add(job, job.id);
    return chunks;
}

} // namespace pw
