// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/result_file.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <random>

namespace pw {

namespace {

namespace fs = std::filesystem;

constexpr double kSyncEvery = 1.0; // s
constexpr std::size_t kChunkDigits = 5;
constexpr std::int64_t kMostGpus = 100'000'000;
constexpr std::size_t kLongestLine = 1'048'576; // bytes; records have 4096 at most

std::string environment(const char* name, const std::string& otherwise) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0' ? value : otherwise;
}

// What may stand between the dots of a file's name.
std::string fileWord(std::string text) {
    std::ranges::replace_if(
        text, [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
    return text;
}

} // namespace

std::string hostName() {
    std::array<char, 256> name{};
    return gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

AttemptName attemptName(std::size_t chunk) {
    AttemptName name;
    name.chunk = chunk;
    const std::string array = environment("SLURM_ARRAY_JOB_ID", "");
    name.job = array.empty() ? environment("SLURM_JOB_ID", name.job)
                             : fmt::format("{}_{}", array, environment("SLURM_ARRAY_TASK_ID", "0"));
    name.restart = environment("SLURM_RESTART_COUNT", name.restart);
    return name;
}

ResultWriter::ResultWriter(fs::path path, std::unique_ptr<WritableFile> file, const Clock& clock)
    : m_path(std::move(path)), m_file(std::move(file)), m_clock(&clock), m_synced(clock.steady()) {}

Result<ResultWriter> ResultWriter::create(const fs::path& folder, const AttemptName& name, const Disk& disk,
                                          const Clock& clock) {
    std::random_device random;
    const fs::path path =
        folder / fmt::format("{:0{}}-{}.{}.{}.{}-{:08x}.jsonl", name.chunk, kChunkDigits, fileWord(name.job),
                             fileWord(name.restart), fileWord(hostName()), getpid(), random());
    std::error_code problem;
    std::unique_ptr<WritableFile> file = disk.create(path, problem);
    if (problem)
        return failure("file.create", path.string(),
                       {"cannot be made ({reason})", {{"reason", problem.message()}}});
    return ResultWriter(path, std::move(file), clock);
}

// Nothing more is written for `ahead` seconds.
Status ResultWriter::write(const std::string& line, bool lasts, double ahead) {
    std::error_code problem = m_file->write(line + '\n');
    const double now = m_clock->steady();
    m_lasting = m_lasting && !lasts;
    if (!problem && !m_lasting && now + ahead - m_synced >= kSyncEvery) {
        problem = m_file->sync();
        m_synced = now;
        m_lasting = true;
    }
    if (problem)
        return failure("file.io", m_path.string(),
                       {"cannot be written ({reason})", {{"reason", problem.message()}}});
    return Ok{};
}

Status ResultWriter::begin(const std::string& id, double expected) {
    return write(Json{{"begin", id}}.dump(), false, expected);
}

Status ResultWriter::stopped(const std::string& id) {
    return write(Json{{"stopped", id}}.dump(), true);
}

Status ResultWriter::result(const std::string& record) {
    return write(record, true);
}

Status ResultWriter::finish() {
    std::error_code problem = m_lasting ? std::error_code() : m_file->sync();
    m_lasting = true;
    if (const std::error_code closed = m_file->close(); !problem)
        problem = closed;
    if (problem)
        return failure("file.io", m_path.string(),
                       {"cannot be written ({reason})", {{"reason", problem.message()}}});
    return Ok{};
}

namespace {

// Of every key that is read of a result, here and where results are collected.
void checkRecord(const JsonReader& reader) {
    constexpr double kMost = 1e300;
    for (const char* key : {"iteration_s", "tokens_per_s", "price_per_hour", "energy_j_per_token", "wall_s",
                            "exit", "gpus_used", "tool_version", "status", "stages", "reasons"})
        if (const auto at = reader.value().find(key); at != reader.value().end() && at->is_null())
            reader.fail("sweep.result", reader.where(key), "is null; expected a value, or no such key");
    for (const char* key : {"iteration_s", "tokens_per_s", "price_per_hour", "energy_j_per_token", "wall_s"})
        static_cast<void>(reader.number(key, 0.0, kMost, 0.0));
    static_cast<void>(reader.count("exit", 0, 255, 0));
    static_cast<void>(reader.count("gpus_used", 0, kMostGpus, 0));
    for (const char* key : {"tool_version", "status", "stages"})
        static_cast<void>(reader.text(key, ""));
    if (reader.has("reasons"))
        for (const JsonReader& reason : reader.array("reasons"))
            if (!reason.value().is_string())
                reader.fail("sweep.result", reason.where(), "is no text; expected a reason");
}

Error tooLong(const std::string& where) {
    return badInput("sweep.result", where, "is too long for a result");
}

Result<ResultLine> lineOf(std::string text, const std::string& where) {
    if (text.size() > kLongestLine)
        return tooLong(where);
    const Result<Json> json = parseJson(text, where);
    if (!json)
        return json.error();
    const JsonReader reader(*json, where);
    ResultLine found;
    if (reader.has("begin") || reader.has("stopped")) {
        found.kind = reader.has("begin") ? ResultLine::Kind::Begin : ResultLine::Kind::Stopped;
        found.id = reader.text(reader.has("begin") ? "begin" : "stopped");
    } else {
        found.kind = ResultLine::Kind::Result;
        found.id = reader.text("id");
        checkRecord(reader);
        found.text = std::move(text);
    }
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    return found;
}

} // namespace

Result<ResultLines> readSoundLines(const fs::path& file, std::uint64_t offset, std::size_t line,
                                   std::size_t most, const Disk& disk) {
    const auto unread = [&file](const char* code, const std::error_code& problem) {
        return failure(code, file.string(), {"cannot be read ({reason})", {{"reason", problem.message()}}});
    };
    std::error_code problem;
    FileFacts facts; // a pipe would have to be waited for
    if (!disk.facts(file, facts) && !facts.regular)
        return badInput("sweep.result", file.string(), "is not a regular file");
    std::optional<LineReader> lines = LineReader::open(file, offset, problem, disk);
    if (!lines)
        return unread("file.open", problem);
    ResultLines read;
    read.offset = offset;
    read.line = line;
    std::string text;
    while (read.lines.size() < most && lines->next(text, kLongestLine)) {
        if (lines->torn()) {
            read.torn = true;
            break;
        }
        const std::size_t bytes = text.size() + 1;
        Result<ResultLine> found =
            lineOf(std::move(text), fmt::format("{}:{}", file.string(), read.line + 1));
        if (!found) {
            read.damage = found.error();
            break;
        }
        found->line = ++read.line;
        read.offset += bytes;
        read.lines.push_back(*std::move(found));
    }
    if (lines->code() == std::errc::message_size)
        read.damage = tooLong(fmt::format("{}:{}", file.string(), read.line + 1));
    else if (lines->code())
        return unread("file.io", lines->code());
    return read;
}

Result<ResultLines> readResultLines(const fs::path& file, const Disk& disk) {
    Result<ResultLines> read = readSoundLines(file, 0, 0, std::numeric_limits<std::size_t>::max(), disk);
    if (read && read->damage)
        return *read->damage;
    return read;
}

std::vector<fs::path> resultFiles(const fs::path& folder, const Disk& disk) {
    std::vector<fs::path> files;
    static_cast<void>(disk.list(folder, files)); // what cannot be listed has none
    std::erase_if(files, [](const fs::path& file) { return file.extension() != ".jsonl"; });
    return files;
}

std::vector<fs::path> resultFiles(const fs::path& folder, std::size_t chunk, const Disk& disk) {
    const std::string beginning = fmt::format("{:0{}}-", chunk, kChunkDigits);
    std::vector<fs::path> files = resultFiles(folder, disk);
    std::erase_if(files, [&beginning](const fs::path& file) {
        return !file.filename().string().starts_with(beginning);
    });
    return files;
}

Result<std::size_t> chunkOf(const fs::path& file) {
    const std::string name = file.filename().string();
    const std::size_t dash = name.find('-');
    if (dash >= kChunkDigits && dash != std::string::npos)
        if (const auto chunk = integerNumber(name.substr(0, dash)); chunk && *chunk >= 0)
            return static_cast<std::size_t>(*chunk);
    return badInput("sweep.result", file.string(), "is named as no result file is");
}

namespace {

struct Outline {
    std::string digest, toolVersion;
    int exit = 0;
    double wall = 0.0;
};

Outline outlineOf(const ResultLine& line) {
    Json record = Json::parse(line.text);
    Outline outline;
    outline.wall = record.value("wall_s", 0.0);
    outline.exit = record.value("exit", 0);
    outline.toolVersion = record.value("tool_version", "");
    record.erase("wall_s");
    record.erase("host");
    outline.digest = hashText(record.dump());
    return outline;
}

Status addResult(const fs::path& file, const ResultLine& line, TaskState& state, const TakeRecord& take) {
    Outline outline = outlineOf(line);
    if (state.done) {
        if (outline.toolVersion == state.toolVersion && outline.digest != state.digest)
            return failure(
                "sweep.disagreement", file.string(),
                {"has another result of task {id} than {other}: the searches did not repeat exactly",
                 {{"id", line.id}, {"other", state.file}}});
        return Ok{};
    }
    state.done = true;
    state.exit = outline.exit;
    state.wall = outline.wall;
    state.digest = std::move(outline.digest);
    state.toolVersion = std::move(outline.toolVersion);
    state.file = file.string();
    return take ? take(line.id, line.text) : Status(Ok{});
}

} // namespace

Status addLines(const fs::path& file, const std::vector<ResultLine>& lines, TaskStates& states,
                const TakeRecord& take) {
    for (const ResultLine& line : lines) {
        TaskState& state = states[line.id];
        if (line.kind == ResultLine::Kind::Result) {
            if (Status added = addResult(file, line, state, take); !added)
                return added;
            continue;
        }
        state.begins += line.kind == ResultLine::Kind::Begin ? 1 : -1;
        state.lastAttempt = file.string();
    }
    return Ok{};
}

Status addStates(const std::vector<fs::path>& files, TaskStates& states, const TakeRecord& take,
                 const Disk& disk) {
    for (const fs::path& file : files) {
        const Result<ResultLines> read = readResultLines(file, disk);
        if (!read)
            return read.error();
        if (const Status added = addLines(file, read->lines, states, take); !added)
            return added;
    }
    return Ok{};
}

} // namespace pw
