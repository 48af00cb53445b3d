// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/sweep_local.h"

#include "app/cli/child_process.h"
#include "app/cli/terminal.h"

#include "core/base/disk.h"
#include "core/base/parallel.h"
#include "core/base/text.h"
#include "core/sweep/sweep_status.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <sys/wait.h>
#include <unistd.h>

namespace pw::cli {

namespace {

// A search that dies is begun three times in all; whatever else ends a child is tried as often.
constexpr int kMostStarts = kMostBegins + 2;

class LocalWork {
public:
    LocalWork(const Session& session, const SweepFolder& folder, const LocalRun& run)
        : m_session(session), m_folder(folder), m_run(run) {}
    LocalWork(const LocalWork&) = delete;
    LocalWork& operator=(const LocalWork&) = delete;

    Status run();

private:
    Status startNext();
    Status ended(std::size_t chunk, int status);
    void endAll();
    Result<std::pair<std::size_t, std::size_t>> progressOf(std::size_t chunk) const;
    void showProgress() const;

    const Session& m_session;
    const SweepFolder& m_folder;
    const LocalRun& m_run;
    std::deque<std::size_t> m_open; // chunks
    std::size_t m_all = 0, m_done = 0;
    std::map<std::size_t, int> m_fruitless; // starts in a row without a result, by chunk
    std::map<std::size_t, std::size_t> m_results;
    std::mutex m_mutex; // of what follows
    std::map<pid_t, std::size_t> m_children;
    bool m_ending = false;
};

// Results and beginnings that a chunk's files have.
Result<std::pair<std::size_t, std::size_t>> LocalWork::progressOf(std::size_t chunk) const {
    TaskStates states;
    if (const Status read = addStates(resultFiles(m_folder.resultsFolder(), chunk), states); !read)
        return read.error();
    const auto done = std::ranges::count_if(states, [](const auto& state) { return state.second.done; });
    const auto failed =
        std::ranges::count_if(states, [](const auto& state) { return state.second.failed(); });
    return std::pair(static_cast<std::size_t>(done), static_cast<std::size_t>(failed));
}

// Adds a line to a chunk's log. On a disk without room a child can say nothing of why it ends: what this
// meets is what it met.
std::error_code noted(const std::filesystem::path& log, const std::string& how, const Disk& disk) {
    std::error_code problem;
    const std::unique_ptr<WritableFile> out = disk.append(log, problem);
    if (!problem)
        problem = out->write(fmt::format("ended with {} again and again\n", how));
    if (!problem)
        problem = out->sync();
    return problem ? problem : out->close();
}

Status LocalWork::startNext() {
    const std::size_t chunk = m_open.front();
    m_open.pop_front();
    std::vector<std::string> words = {ownProgram().string(),  "sweep",   "work",
                                      m_folder.path.string(), "--chunk", std::to_string(chunk)};
    if (m_run.retryFailed)
        words.emplace_back("--retry-failed");
    const std::lock_guard lock(m_mutex);
    const Result<pid_t> child = startProgram(words, localLog(m_folder, chunk));
    if (!child)
        return child.error();
    m_children[*child] = chunk;
    if (m_ending)
        ::kill(*child, SIGTERM);
    return Ok{};
}

void LocalWork::endAll() {
    const std::lock_guard lock(m_mutex);
    m_ending = true;
    for (const auto& [child, chunk] : m_children)
        ::kill(child, SIGTERM);
}

void LocalWork::showProgress() const {
    if (isatty(STDERR_FILENO) == 1 && !m_session.logsToTerminal)
        say(fmt::format("{} of {} chunks done\n", m_done, m_all));
}

// What a child left: done, stopped, or to be started again.
Status LocalWork::ended(std::size_t chunk, int status) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
        ++m_done;
        showProgress();
        return Ok{};
    }
    {
        const std::lock_guard lock(m_mutex);
        if (m_ending)
            return Ok{};
    }
    const auto progress = progressOf(chunk);
    if (!progress)
        return progress.error();
    const std::size_t now = progress->first + progress->second;
    int& fruitless = m_fruitless[chunk];
    const bool on = now > m_results[chunk];
    m_results[chunk] = now;
    fruitless = on ? 0 : fruitless + 1;
    const std::string how = WIFEXITED(status) ? fmt::format("exit code {}", WEXITSTATUS(status))
                                              : fmt::format("signal {}", WTERMSIG(status));
    m_session.note(LogLevel::Warning, m_folder.path.string(),
                   fmt::format("chunk {} ended with {}; it is started again", chunk, how));
    if (fruitless >= kMostStarts) {
        Error error =
            failure("sweep.child", localLog(m_folder, chunk).string(),
                    {"chunk {chunk} ends with {how} without getting on", {{"chunk", chunk}, {"how", how}}});
        const std::string last = lastLines(localLog(m_folder, chunk), 1, *m_folder.disk);
        if (const std::error_code full = noted(localLog(m_folder, chunk), how, *m_folder.disk))
            error.because({"its log cannot be written ({reason})", {{"reason", full.message()}}});
        if (!last.empty())
            error.because(Wording::asIs(last));
        return error;
    }
    m_open.push_back(chunk);
    return Ok{};
}

Status LocalWork::run() {
    const Result<SweepStatus> before = sweepStatus(m_folder);
    if (!before)
        return before.error();
    const std::vector<std::size_t> open = before->openChunks(m_run.retryFailed);
    m_open.assign(open.begin(), open.end());
    m_all = open.size();
    for (const std::size_t chunk : open) {
        const auto progress = progressOf(chunk);
        if (!progress)
            return progress.error();
        m_results[chunk] = progress->first + (m_run.retryFailed ? 0 : progress->second);
    }
    const std::size_t jobs = threadsFor(std::max<std::size_t>(1, open.size()), m_run.jobs);
    const std::stop_callback onStop(m_session.stop, [this] { endAll(); });
    Status wrong = Ok{};
    while (true) {
        while (wrong && !m_session.stop.stop_requested() && !m_open.empty() && m_children.size() < jobs)
            wrong = startNext();
        if (!wrong)
            endAll();
        if (m_children.empty())
            return wrong;
        int status = 0;
        const pid_t child = ::waitpid(-1, &status, 0);
        if (child < 0 && errno == EINTR)
            continue;
        std::size_t chunk = 0;
        {
            const std::lock_guard lock(m_mutex);
            const auto at = m_children.find(child);
            if (at == m_children.end())
                continue;
            chunk = at->second;
            m_children.erase(at);
        }
        if (const Status after = ended(chunk, status); !after && wrong)
            wrong = after;
    }
}

} // namespace

Status runLocally(const Session& session, const SweepFolder& folder, const LocalRun& run) {
    return LocalWork(session, folder, run).run();
}

} // namespace pw::cli
