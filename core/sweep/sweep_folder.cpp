// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/sweep_folder.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/base/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <map>

namespace pw {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kSchemaStem = "pipewright-sweep-folder-";
constexpr std::size_t kLongestTask = 1'048'576; // bytes

Json taskJson(const SweepDocument& sweep, std::size_t number, const SweepTask& task) {
    Json axes = Json::object();
    for (std::size_t a = 0; a < sweep.axes.size(); ++a)
        axes[sweep.axes[a].name] = Json::parse(sweep.axes[a].values[task.at[a]]);
    return {{"task", number}, {"id", task.id}, {"axes", std::move(axes)}, {"expected_s", task.expected}};
}

// tasks.jsonl, and where in it each chunk begins.
Status writeTasks(const fs::path& path, const SweepDocument& sweep, const Expansion& expansion, Json& chunks,
                  const Disk& disk) {
    std::uint64_t offset = 0;
    const auto make = [&](const TextSink& sink) {
        std::size_t next = 0;
        for (std::size_t i = 0; i < expansion.tasks.size(); ++i) {
            if (next < expansion.chunks.size() && expansion.chunks[next].first == i) {
                const SweepChunk& chunk = expansion.chunks[next++];
                chunks.push_back({chunk.first, chunk.count, chunk.expected, offset});
            }
            const std::string line = taskJson(sweep, i, expansion.tasks[i]).dump() + '\n';
            offset += line.size();
            sink(line);
        }
    };
    return streamFileAtomically(path, make, disk);
}

Status makeAllFolders(const fs::path& path, const Disk& disk) {
    for (const fs::path& folder : {path, path / "inputs", path / "results", path / "plans", path / "log"})
        if (const std::error_code problem = makeFolders(folder, disk))
            return failure("file.create", folder.string(),
                           {"cannot be made ({reason})", {{"reason", problem.message()}}});
    return Ok{};
}

Status writeAll(const fs::path& path, const SweepDocument& sweep, const SweepInputs& inputs,
                const Expansion& expansion, const Disk& disk) {
    if (Status made = makeAllFolders(path, disk); !made)
        return made;
    const PackedInputs files = packed(inputs);
    for (const auto& [hash, text] : files.files)
        if (Status written = writeFileAtomically(path / "inputs" / (hash + ".json"), text, disk); !written)
            return written;
    Json chunks = Json::array();
    if (Status written = writeTasks(path / "tasks.jsonl", sweep, expansion, chunks, disk); !written)
        return written;
    std::string lines = "[\n";
    for (std::size_t c = 0; c < chunks.size(); ++c)
        lines += chunks[c].dump() + (c + 1 < chunks.size() ? ",\n" : "\n");
    if (Status written = writeFileAtomically(path / "chunks.json", lines + "]\n", disk); !written)
        return written;
    const std::string text = printJson({{"schema", kSweepFolderSchema},
                                        {"tool_version", fullVersion()},
                                        {"sweep", Json::parse(sweep.source)},
                                        {"inputs", Json::parse(files.index)},
                                        {"tasks", expansion.tasks.size()},
                                        {"infeasible", expansion.infeasible},
                                        {"chunks", expansion.chunks.size()},
                                        {"expected_s", expansion.expected}});
    return writeFileAtomically(path / "sweep.json", text, disk);
}

Status checkSchema(const JsonReader& reader) {
    const std::string schema = reader.text("schema", "");
    if (schema == kSweepFolderSchema)
        return Ok{};
    if (schema.starts_with(kSchemaStem))
        return badInput("sweep.newer", reader.where("schema"),
                        {"is \"{schema}\", this program reads {known}: use a newer Pipewright",
                         {{"schema", schema}, {"known", kSweepFolderSchema}}});
    return badInput("sweep.folder", reader.where("schema"),
                    {"is \"{schema}\"; expected {known}, as `sweep make` writes it",
                     {{"schema", schema}, {"known", kSweepFolderSchema}}});
}

Status readChunks(SweepFolder& folder, std::size_t count) {
    const std::string file = (folder.path / "chunks.json").string();
    const Result<std::string> text = readFile(file, kWholeFileLimit, *folder.disk);
    const Result<Json> document = text ? parseJson(*text, file) : Result<Json>(text.error());
    if (!document)
        return document.error();
    const Error damaged = badInput("sweep.chunks", file, "does not divide the tasks of the sweep");
    std::size_t next = 0;
    for (const JsonReader& item : JsonReader(*document, file).items()) {
        const Json& row = item.value();
        if (!row.is_array() || row.size() != 4 ||
            std::ranges::any_of(row, [](const Json& n) { return !n.is_number() || n < 0; }))
            return damaged;
        SweepFolder::Chunk chunk;
        chunk.first = row[0].get<std::size_t>();
        chunk.count = row[1].get<std::size_t>();
        chunk.expected = row[2].get<double>();
        chunk.offset = row[3].get<std::uint64_t>();
        if (chunk.first != next || chunk.count == 0)
            return damaged;
        next += chunk.count;
        folder.chunks.push_back(chunk);
    }
    return next == folder.tasks && folder.chunks.size() == count ? Status(Ok{}) : Status(damaged);
}

// Where the values of the axes stand in them.
class AxisValues {
public:
    explicit AxisValues(const SweepDocument& sweep) : m_sweep(sweep), m_index(sweep.axes.size()) {
        for (std::size_t a = 0; a < sweep.axes.size(); ++a)
            for (std::size_t v = 0; v < sweep.axes[a].values.size(); ++v)
                m_index[a][sweep.axes[a].values[v]] = static_cast<std::uint32_t>(v);
    }
    std::optional<Assignment> find(const JsonReader& axes) const {
        Assignment at;
        for (std::size_t a = 0; a < m_sweep.axes.size(); ++a) {
            if (!axes.has(m_sweep.axes[a].name))
                return std::nullopt;
            const auto found = m_index[a].find(axes.value()[m_sweep.axes[a].name].dump());
            if (found == m_index[a].end())
                return std::nullopt;
            at.push_back(found->second);
        }
        return at;
    }

private:
    const SweepDocument& m_sweep;
    std::vector<std::map<std::string, std::uint32_t>> m_index;
};

Result<TaskLine> taskOf(const std::string& line, const AxisValues& values, const std::string& where) {
    const Result<Json> json = parseJson(line, where);
    if (!json)
        return json.error();
    const JsonReader reader(*json, where);
    TaskLine task;
    task.number = static_cast<std::size_t>(reader.count("task", 0, static_cast<std::int64_t>(kMostTasks)));
    task.id = reader.text("id");
    task.expected = reader.number("expected_s", 0.0, 1e12);
    const std::optional<Assignment> at = values.find(reader.object("axes"));
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    if (!at)
        return badInput("sweep.task", where, "has values that the sweep's axes have not");
    task.at = *at;
    return task;
}

// "0123…ef.json" of writeAll(), or what was to become it.
bool isInput(const std::string& name) {
    const std::size_t first = name.starts_with('.') ? 1 : 0;
    const std::size_t digits = name.find_first_not_of("0123456789abcdef", first);
    return digits != std::string::npos && digits >= first + 16 && name.compare(digits, 5, ".json") == 0 &&
           (first == 0 || name.ends_with(".tmp"));
}

// Nothing, or what a writer that was killed has left, and only that: sweep.json is written last, and nobody
// has put a result into a folder without it.
Result<bool> isUnfinished(const fs::path& path, const std::vector<fs::path>& inside, const Disk& disk) {
    constexpr std::array files = {"tasks.jsonl", "chunks.json"};
    constexpr std::array folders = {"results", "plans", "log"};
    constexpr std::array stems = {".tasks.jsonl.", ".chunks.json.", ".sweep.json."};
    const auto isAny = [](const auto& names, const std::string& name) {
        return std::ranges::find(names, name) != names.end();
    };
    const auto listed = [&disk](const fs::path& folder) -> Result<std::vector<fs::path>> {
        std::vector<fs::path> names;
        if (const std::error_code problem = disk.list(folder, names))
            return failure("file.io", folder.string(),
                           {"cannot be listed ({reason})", {{"reason", problem.message()}}});
        return names;
    };
    if (!inside.empty() && std::ranges::find(inside, path / "inputs") == inside.end())
        return false;
    for (const fs::path& entry : inside) {
        const std::string name = entry.filename().string();
        if (isAny(files, name))
            continue;
        if (name.ends_with(".tmp") &&
            std::ranges::any_of(stems, [&name](const char* stem) { return name.starts_with(stem); }))
            continue;
        if (name != "inputs" && !isAny(folders, name))
            return false;
        const Result<std::vector<fs::path>> within = listed(entry);
        if (!within)
            return within.error();
        if (!std::ranges::all_of(*within, [&name](const fs::path& file) {
                return name == "inputs" && isInput(file.filename().string());
            }))
            return false;
    }
    return true;
}

Status removed(const std::vector<fs::path>& paths, const Disk& disk) {
    for (const fs::path& path : paths)
        if (const std::error_code problem = disk.removeAll(path))
            return failure("file.io", path.string(),
                           {"cannot be removed ({reason})", {{"reason", problem.message()}}});
    return Ok{};
}

} // namespace

Status writeSweepFolder(const fs::path& path, const SweepDocument& sweep, const SweepInputs& inputs,
                        const Expansion& expansion, const Disk& disk) {
    const bool existed = isThere(path, disk);
    if (const std::error_code problem = makeFolders(path, disk))
        return failure("file.create", path.string(),
                       {"cannot be made ({reason})", {{"reason", problem.message()}}});
    // File systems that know no locks let everybody in.
    std::error_code problem;
    const std::unique_ptr<HeldFolder> held = disk.hold(path, problem);
    if (problem == std::errc::operation_would_block)
        return failure("sweep.busy", path.string(), "another sweep is made here just now");
    std::vector<fs::path> inside;
    if (disk.list(path, inside))
        return badInput("sweep.out", path.string(), "is there already and no empty folder");
    const Result<bool> unfinished = isUnfinished(path, inside, disk);
    if (!unfinished)
        return unfinished.error();
    if (!*unfinished)
        return badInput("sweep.out", path.string(), "is there already and no empty folder");
    if (Status emptied = removed(inside, disk); !emptied)
        return emptied;
    Status written = writeAll(path, sweep, inputs, expansion, disk);
    if (written)
        return written;
    if (!existed)
        inside = {path};
    else if (disk.list(path, inside))
        return written;
    static_cast<void>(removed(inside, disk));
    return written;
}

Result<SweepFolder> openSweepFolder(const fs::path& path, const Disk& disk) {
    const std::string file = (path / "sweep.json").string();
    if (!isThere(file, disk))
        return badInput("sweep.folder", path.string(), "is no folder of a sweep: it has no sweep.json");
    const Result<std::string> text = readFile(file, kWholeFileLimit, disk);
    const Result<Json> document = text ? parseJson(*text, file) : Result<Json>(text.error());
    if (!document)
        return document.error();
    const JsonReader reader(*document, file);
    if (const Status known = checkSchema(reader); !known)
        return known.error();
    SweepFolder folder;
    folder.path = path;
    folder.disk = &disk;
    folder.toolVersion = reader.text("tool_version");
    folder.tasks = static_cast<std::size_t>(reader.count("tasks", 1, static_cast<std::int64_t>(kMostTasks)));
    folder.infeasible =
        static_cast<std::size_t>(reader.count("infeasible", 0, static_cast<std::int64_t>(kMostTasks)));
    folder.expected = reader.number("expected_s", 0.0, 1e15);
    const auto chunks =
        static_cast<std::size_t>(reader.count("chunks", 1, static_cast<std::int64_t>(kMostTasks)));
    const JsonReader index = reader.object("inputs"), stated = reader.object("sweep");
    if (const Status sound = reader.status(); !sound)
        return sound.error();
    Result<SweepDocument> sweep = readSweep(stated.value().dump(), file + "#/sweep");
    if (!sweep)
        return sweep.error();
    folder.sweep = *std::move(sweep);
    Result<SweepInputs> inputs = unpacked(index, [&](const std::string& hash) {
        return readFile(path / "inputs" / (hash + ".json"), kWholeFileLimit, disk);
    });
    if (!inputs)
        return inputs.error();
    folder.inputs = *std::move(inputs);
    if (const Status read = readChunks(folder, chunks); !read)
        return read.error();
    return folder;
}

Result<std::vector<TaskLine>> readTasks(const SweepFolder& folder, std::optional<std::size_t> chunk) {
    const std::string file = (folder.path / "tasks.jsonl").string();
    const std::size_t first = chunk ? folder.chunks[*chunk].first : 0;
    const std::size_t count = chunk ? folder.chunks[*chunk].count : folder.tasks;
    std::error_code problem;
    FileFacts facts; // a pipe would have to be waited for
    if (!folder.disk->facts(file, facts) && !facts.regular)
        return badInput("file.kind", file, "is not a regular file");
    std::optional<LineReader> lines =
        LineReader::open(file, chunk ? folder.chunks[*chunk].offset : 0, problem, *folder.disk);
    if (!lines)
        return badInput("file.open", file, {"cannot be read ({reason})", {{"reason", problem.message()}}});
    const AxisValues values(folder.sweep);
    std::vector<TaskLine> tasks;
    tasks.reserve(count);
    std::string line;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string where = fmt::format("{}:{}", file, first + i + 1);
        const bool there = lines->next(line, kLongestTask);
        if (lines->code() && lines->code() != std::errc::message_size)
            return failure("file.io", file,
                           {"cannot be read ({reason})", {{"reason", lines->code().message()}}});
        if (!there || line.size() > kLongestTask)
            return badInput("sweep.task", where, "is missing or too long");
        Result<TaskLine> task = taskOf(line, values, where);
        if (!task)
            return task.error();
        if (task->number != first + i)
            return badInput(
                "sweep.task", where,
                {"is task {found}; expected {number}", {{"found", task->number}, {"number", first + i}}});
        tasks.push_back(*std::move(task));
    }
    return tasks;
}

} // namespace pw
