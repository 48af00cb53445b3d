// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/chunk_work.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/formats/gzip.h"
#include "core/sweep/collect.h"
#include "core/sweep/result_file.h"
#include "core/sweep/task_result.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <utility>

namespace pw {

namespace {

// Which results get a document: all, or the one to be chosen so far of each group of this chunk. Over the
// chunks of a sweep the best of all is among them. Of several worlds the first one is looked at: the best of
// all would be that of the luckiest.
class KeptDocuments {
public:
    explicit KeptDocuments(const SweepFolder& folder) : m_folder(folder) {
        for (const std::string& name : folder.sweep.keep.bestOf)
            for (std::size_t a = 0; a < folder.sweep.axes.size(); ++a)
                if (folder.sweep.axes[a].name == name)
                    m_axes.push_back(a);
    }
    bool wanted() const { return m_folder.sweep.keep.documents != KeepDocuments::None; }
    // A result of an earlier attempt.
    void know(const TaskLine& task, const std::string& record) {
        if (m_folder.sweep.keep.documents == KeepDocuments::BestOf)
            better(task, record);
    }
    Status take(const TaskLine& task, const TaskResult& result) {
        if (!wanted() || result.document.empty())
            return Ok{};
        if (m_folder.sweep.keep.documents == KeepDocuments::All)
            return write(task.id, result.document);
        if (!better(task, result.record))
            return Ok{};
        const std::string before = std::exchange(m_written[group(task)], task.id);
        if (Status written = write(task.id, result.document); !written)
            return written;
        if (!before.empty() && before != task.id)
            static_cast<void>(m_folder.disk->remove(m_folder.planFile(before))); // one too many does no harm
        return Ok{};
    }

private:
    std::vector<std::uint32_t> group(const TaskLine& task) const {
        std::vector<std::uint32_t> values;
        values.reserve(m_axes.size());
        for (const std::size_t a : m_axes)
            values.push_back(task.at[a]);
        return values;
    }
    // Of the axes that make worlds and are no group: the first one is the least.
    std::vector<std::uint32_t> worldOf(const TaskLine& task) const {
        std::vector<std::uint32_t> values;
        for (std::size_t a = 0; a < m_folder.sweep.axes.size(); ++a)
            if (m_folder.sweep.axes[a].isWorld() && std::ranges::find(m_axes, a) == m_axes.end())
                values.push_back(task.at[a]);
        return values;
    }
    bool better(const TaskLine& task, const std::string& record) {
        Best best{worldOf(task), collectedTask(m_folder, record, Json::parse(record))};
        if (best.row.iteration <= 0.0)
            return false;
        const auto [at, fresh] = m_best.try_emplace(group(task), best);
        const Best& there = at->second;
        if (!fresh &&
            (best.world > there.world || (best.world == there.world && !isBefore(best.row, there.row))))
            return false;
        at->second = std::move(best);
        return true;
    }
    Status write(const std::string& id, const std::string& document) const {
        return writeFileAtomically(m_folder.planFile(id), gzipped(document + '\n'), *m_folder.disk);
    }

    const SweepFolder& m_folder;
    std::vector<std::size_t> m_axes;
    struct Best {
        std::vector<std::uint32_t> world;
        CollectedTask row;
    };
    std::map<std::vector<std::uint32_t>, Best> m_best;
    std::map<std::vector<std::uint32_t>, std::string> m_written; // by this attempt
};

// How long the next task will take, s: as the last one, times what it is expected to cost more. No task
// before it: 0, and no result either.
class Pace {
public:
    double of(const TaskLine& task) const {
        return m_expected > 0.0 && task.expected > 0.0 ? m_took * (task.expected / m_expected) : m_took;
    }
    void took(const TaskLine& task, double seconds) {
        m_took = seconds;
        m_expected = task.expected;
    }

private:
    double m_took = 0.0, m_expected = 0.0;
};

Status workOn(const SweepFolder& folder, const std::vector<TaskLine>& tasks, const TaskStates& states,
              const WorkOptions& options, KeptDocuments& documents, ResultWriter& writer,
              WorkReport& report) {
    const Result<Composer> composer =
        Composer::make(folder.sweep, folder.inputs, (folder.path / "sweep.json").string());
    if (!composer)
        return composer.error();
    Pace pace;
    std::map<std::string, bool> worked; // in this attempt: tasks may ask the same
    for (const TaskLine& task : tasks) {
        const auto known = states.find(task.id);
        const bool done = (known != states.end() && known->second.done) || worked.contains(task.id);
        const bool failed = known != states.end() && known->second.failed() && !options.retryFailed;
        report.known += done ? 1 : 0;
        report.failed += failed ? 1 : 0;
        if (done || failed)
            continue;
        if (options.stop.stop_requested()) {
            report.stopped = true;
            return Ok{};
        }
        if (Status begun = writer.begin(task.id, pace.of(task)); !begun)
            return begun;
        const double before = options.clock->steady();
        const Result<TaskResult> result = workOut(*composer, task.at, task.id, options.threads,
                                                  documents.wanted(), options.stop, *options.clock);
        const double took = options.clock->steady() - before;
        pace.took(task, took);
        report.searching += took;
        if (!result && result.error().kind == ErrorKind::Stopped) {
            report.stopped = true;
            return writer.stopped(task.id);
        }
        if (!result)
            return result.error();
        // The document first: a result says that its task is done.
        if (Status kept = documents.take(task, *result); !kept)
            return kept;
        if (Status written = writer.result(result->record); !written)
            return written;
        worked[task.id] = true;
        ++report.done;
        if (options.progress)
            options.progress(report.known + report.done + report.failed, tasks.size());
    }
    return Ok{};
}

} // namespace

Result<WorkReport> workOff(const SweepFolder& folder, std::size_t chunk, const WorkOptions& options) {
    if (chunk >= folder.chunks.size())
        return badInput("sweep.chunk", folder.path.string(),
                        {"has no chunk {chunk}; they are 0 to {last}",
                         {{"chunk", chunk}, {"last", folder.chunks.size() - 1}}});
    const Result<std::vector<TaskLine>> tasks = readTasks(folder, chunk);
    if (!tasks)
        return tasks.error();
    std::map<std::string, const TaskLine*> byId;
    for (const TaskLine& task : *tasks)
        byId.emplace(task.id, &task);
    // A document that is whole is not written again: nobody else would take away what a killed worker left.
    for (const std::filesystem::path& old : folder.disk->abandoned(folder.path / "plans", {}))
        static_cast<void>(folder.disk->remove(old));
    KeptDocuments documents(folder);
    TaskStates states;
    const Status read = addStates(
        resultFiles(folder.resultsFolder(), chunk, *folder.disk), states,
        [&](const std::string& id, const std::string& record) -> Status {
            if (const auto at = byId.find(id); at != byId.end())
                documents.know(*at->second, record);
            return Ok{};
        },
        *folder.disk);
    if (!read)
        return read.error();
    WorkReport report;
    report.tasks = tasks->size();
    const bool open = std::ranges::any_of(*tasks, [&](const TaskLine& task) {
        const auto at = states.find(task.id);
        return at == states.end() || (!at->second.done && (at->second.open() || options.retryFailed));
    });
    if (!open) { // no attempt, no file
        for (const TaskLine& task : *tasks)
            ++(states.at(task.id).done ? report.known : report.failed);
        return report;
    }
    Result<ResultWriter> writer =
        ResultWriter::create(folder.resultsFolder(), attemptName(chunk), *folder.disk, *options.clock);
    if (!writer)
        return writer.error();
    const Status worked = workOn(folder, *tasks, states, options, documents, *writer, report);
    const Status finished = writer->finish();
    if (!worked)
        return worked.error();
    if (!finished)
        return finished.error();
    return report;
}

} // namespace pw
