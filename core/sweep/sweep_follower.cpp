// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/sweep_follower.h"

#include <algorithm>
#include <set>

namespace pw {

namespace fs = std::filesystem;

SweepFollower::SweepFollower(SweepFolder folder, std::vector<TaskLine> tasks)
    : m_folder(std::move(folder)), m_tasks(std::move(tasks)) {
    for (const TaskLine& task : m_tasks)
        m_byId[task.id].push_back(task.number);
    m_status = sweepStatus(m_folder, m_tasks, m_states);
}

Result<SweepFollower> SweepFollower::make(SweepFolder folder) {
    Result<std::vector<TaskLine>> tasks = readTasks(folder, std::nullopt);
    if (!tasks)
        return tasks.error();
    return SweepFollower(std::move(folder), *std::move(tasks));
}

void SweepFollower::addRows(const std::string& id, const SweepRow& row, SweepNews& news) const {
    if (const auto at = m_byId.find(id); at != m_byId.end())
        for (const std::size_t task : at->second)
            news.rows.emplace_back(task, row);
}

std::size_t SweepFollower::readFile(const fs::path& file, std::size_t most, SweepNews& news) {
    Place& place = m_places[file];
    Result<ResultLines> read = readSoundLines(file, place.offset, place.line, most, *m_folder.disk);
    if (!read) {
        place.damage = read.error();
        return 0;
    }
    place = {read->offset, read->line, read->damage};
    std::set<std::string> begun;
    const Status added = addLines(file, read->lines, m_states,
                                  [&](const std::string& id, const std::string& record) -> Status {
                                      const Result<SweepRow> row = sweepRow(m_folder, record, file.string());
                                      if (!row)
                                          return row.error();
                                      addRows(id, *row, news);
                                      return Ok{};
                                  });
    if (!added) {
        place.damage = added.error();
        place.ended = true;
    }
    for (const ResultLine& line : read->lines)
        if (line.kind != ResultLine::Kind::Result)
            begun.insert(line.id);
    for (const std::string& id : begun) {
        const TaskState& state = m_states[id];
        if (state.done)
            continue;
        SweepRow row;
        row.standing = state.failed()     ? TaskStanding::Failed
                       : state.begins > 0 ? TaskStanding::Begun
                                          : TaskStanding::Open;
        addRows(id, row, news);
    }
    return read->lines.size();
}

SweepNews SweepFollower::readOn(std::size_t most) {
    SweepNews news;
    std::size_t lines = 0;
    FileFacts document;
    news.gone =
        m_folder.disk->facts(m_folder.path / "sweep.json", document) == std::errc::no_such_file_or_directory;
    const std::vector<fs::path> files = resultFiles(m_folder.resultsFolder(), *m_folder.disk);
    for (const fs::path& file : files) {
        if (lines >= most) {
            news.more = true;
            break;
        }
        FileFacts facts;
        const std::error_code problem = m_folder.disk->facts(file, facts);
        const auto known = m_places.find(file);
        const bool isLonger = known == m_places.end() || facts.bytes > known->second.offset;
        if (!isLonger && !problem && !known->second.ended)
            known->second.damage.reset(); // it was behind what is left
        if (known == m_places.end() || (!known->second.ended && (problem || isLonger))) {
            lines += readFile(file, most - lines, news);
            news.more = news.more || lines >= most;
        }
    }
    for (const auto& [file, place] : m_places)
        if (place.damage && std::ranges::find(files, file) != files.end()) // else it was taken away
            news.damage.push_back(*place.damage);
    if (lines > 0) {
        m_status = sweepStatus(m_folder, m_tasks, m_states);
        readLogs(m_folder, m_status);
    }
    news.status = m_status;
    return news;
}

} // namespace pw
