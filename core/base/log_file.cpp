// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/log_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace pw {
namespace {

namespace fs = std::filesystem;

int opened(const fs::path& path) {
    // Without O_NONBLOCK, opening a named pipe would wait for a reader for ever; once there is one, lines
    // wait.
    const int fd = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0600);
    if (fd >= 0)
        ::fcntl(fd, F_SETFL, O_WRONLY | O_APPEND);
    return fd;
}

fs::path older(const fs::path& path, int age) {
    return age == 0 ? path : fs::path(fmt::format("{}.{}", path.string(), age));
}

Error unwritable(const fs::path& path, int code) {
    return failure(
        "log.write", path.string(),
        {"the log cannot be written: {reason}", {{"reason", std::generic_category().message(code)}}});
}

} // namespace

Result<std::unique_ptr<LogFile>> LogFile::open(const fs::path& path, Limits limits) {
    const int fd = opened(path);
    if (fd < 0)
        return unwritable(path, errno);
    return std::unique_ptr<LogFile>(new LogFile(path, limits, fd));
}

LogFile::~LogFile() {
    ::close(m_fd);
}

void LogFile::fail(int code) {
    if (m_status)
        m_status = unwritable(m_path, code);
}

// The file of our name, where another program has renamed ours or somebody has removed it.
void LogFile::follow() {
    struct stat ours {
    }, named{};
    if (::fstat(m_fd, &ours) == 0 && ::stat(m_path.c_str(), &named) == 0 && ours.st_dev == named.st_dev &&
        ours.st_ino == named.st_ino)
        return;
    const int fd = opened(m_path);
    if (fd < 0)
        return fail(errno); // what is written goes where it went
    ::close(m_fd);
    m_fd = fd;
}

void LogFile::makeRoom(std::size_t bytes) {
    const auto full = [&] {
        struct stat now {};
        return ::fstat(m_fd, &now) == 0 && now.st_size > 0 &&
               static_cast<std::size_t>(now.st_size) + bytes > m_limits.bytes;
    };
    if (!full())
        return;
    // Two programs that find the same file full must not both rename: the second finds another file.
    ::flock(m_fd, LOCK_EX);
    follow();
    if (full()) {
        std::error_code code;
        for (int age = m_limits.kept; age > 1; --age) // those that are there
            fs::rename(older(m_path, age - 1), older(m_path, age), code);
        if (m_limits.kept > 0)
            fs::rename(m_path, older(m_path, 1), code);
        else
            fs::remove(m_path, code);
        if (code)
            fail(code.value());
        follow();
    }
    ::flock(m_fd, LOCK_UN);
}

void LogFile::write(std::string_view line) {
    follow();
    if (m_limits.bytes > 0)
        makeRoom(line.size());
    ssize_t written = -1;
    do
        written = ::write(m_fd, line.data(), line.size());
    while (written < 0 && errno == EINTR);
    if (written != static_cast<ssize_t>(line.size()))
        fail(written < 0 ? errno : ENOSPC);
}

std::vector<fs::path> logFiles(const fs::path& path, int kept) {
    std::vector<fs::path> files;
    std::error_code ignored; // one that cannot be examined is none
    for (int age = kept; age >= 0; --age)
        if (fs::is_regular_file(older(path, age), ignored))
            files.push_back(older(path, age));
    return files;
}

} // namespace pw
