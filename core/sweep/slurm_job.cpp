// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/slurm_job.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <system_error>

namespace pw {

namespace {

constexpr const char* kJobName = "pipewright-sweep"; // whoever submits: a folder may be several people's
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
    words.push_back(
        fmt::format("--job-name={}", kJobName)); // the last one counts, and squeueWords() asks for it
    words.push_back(folder + '/' + kScript);
    words.push_back(std::to_string(array.offset));
    return words;
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

const std::vector<std::string>& squeueWords() {
    static const std::vector<std::string> words = {"squeue", "--noheader", "--array",
                                                   fmt::format("--name={}", kJobName), "--format=%F %K %r"};
    return words;
}

QueuedElements queuedElements(std::string_view answer) {
    QueuedElements elements;
    for (const TextLine& line : linesOf(answer)) {
        const std::vector<std::string_view> fields = fieldsOf(line.text);
        if (fields.size() < 2)
            continue;
        const auto element = integerNumber(fields[1]);
        if (!element || *element < 0)
            continue;
        // "JobHeldUser", "launch failed requeued held", "job requeued in held state"
        std::string reason = fmt::format("{}", fmt::join(fields.begin() + 2, fields.end(), " "));
        if (lowered(reason).find("held") == std::string::npos)
            reason.clear();
        elements.emplace(std::pair(std::string(fields[0]), static_cast<std::size_t>(*element)),
                         printable(reason, kInLine));
    }
    return elements;
}

Status addJob(const SweepFolder& folder, const SubmittedJob& job) {
    const std::string file = jobsFile(folder).string();
    const Result<std::string> before = readJobsFile(folder);
    if (!before)
        return before.error();
    const std::string_view whole = wholeLines(*before);
    const std::string line = Json{{"engine", job.engine},   {"id", job.id},         {"time", job.time},
                                  {"command", job.command}, {"offset", job.offset}, {"chunks", job.chunks}}
                                 .dump() +
                             '\n';
    if (whole.size() < before->size())
        return writeFileAtomically(file, std::string(whole) + line, *folder.disk);
    if (const std::error_code problem = appendLine(file, line, *folder.disk))
        return failure("file.io", file, {"cannot be written ({reason})", {{"reason", problem.message()}}});
    return Ok{};
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
        SubmittedJob job{reader.text("engine"),
                         reader.text("id"),
                         reader.text("time", ""),
                         reader.text("command", ""),
                         0,
                         {}};
        constexpr auto kMost = static_cast<std::int64_t>(kMostTasks);
        job.offset = static_cast<std::size_t>(reader.count("offset", 0, kMost, 0));
        for (const JsonReader& chunk : reader.array("chunks"))
            if (chunk.value().is_number_unsigned())
                job.chunks.push_back(chunk.value().get<std::size_t>());
        if (const Status sound = reader.status(); !sound)
            return sound.error();
        jobs.push_back(std::move(job));
    }
    return jobs;
}

QueuedChunks queuedChunks(const std::vector<SubmittedJob>& jobs, const QueuedElements& queued) {
    QueuedChunks chunks;
    for (const SubmittedJob& job : jobs)
        for (const std::size_t chunk : job.chunks) {
            if (job.engine != "slurm")
                continue;
            const std::size_t element = chunk - job.offset;
            if (const auto at = queued.find({job.id, element}); at != queued.end())
                chunks.insert_or_assign(chunk,
                                        QueuedChunk{fmt::format("{}_{}", job.id, element), at->second});
        }
    return chunks;
}

} // namespace pw
