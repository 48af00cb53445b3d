// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/pipes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <map>
#include <mutex>
#include <utility>

namespace pw {

namespace {

bool taken = false;

std::error_code lastError() {
    return {errno, std::generic_category()};
}

// What has come through pipes, by their device and number.
struct Kept {
    std::mutex mutex;
    std::map<std::pair<dev_t, ino_t>, int> copies;
};
Kept& kept() {
    static Kept all;
    return all;
}

std::error_code writeAll(int to, const char* from, std::size_t count) {
    while (count > 0) {
        const ssize_t n = ::write(to, from, count);
        if (n < 0 && errno != EINTR)
            return lastError();
        if (n > 0) {
            from += n;
            count -= static_cast<std::size_t>(n);
        }
    }
    return {};
}

// Until the writers have closed it.
std::error_code copyPipe(int pipe, int to) {
    std::array<char, 65'536> piece{};
    std::uint64_t all = 0;
    while (true) {
        pollfd waits{pipe, POLLIN,
                     0}; // a named pipe that nobody has opened for writing yet would seem at its end
        if (::poll(&waits, 1, -1) < 0) {
            if (errno == EINTR)
                continue;
            return lastError();
        }
        const ssize_t n = ::read(pipe, piece.data(), piece.size());
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0)
            return lastError();
        if (n == 0)
            return {};
        all += static_cast<std::uint64_t>(n);
        if (all > kPipeLimit)
            return std::make_error_code(std::errc::file_too_large);
        if (const std::error_code code = writeAll(to, piece.data(), static_cast<std::size_t>(n)))
            return code;
    }
}

// A descriptor of its own, at the beginning.
int reopened(int copy, std::error_code& code) {
    const int fd = ::open(fmt::format("/proc/self/fd/{}", copy).c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        code = lastError();
    return fd;
}

int openPipe(int pipe, const struct stat& info, std::error_code& code) {
    Kept& all = kept();
    const std::lock_guard lock(all.mutex);
    const std::pair key(info.st_dev, info.st_ino);
    if (const auto known = all.copies.find(key); known != all.copies.end())
        return reopened(known->second, code);
    const int copy = ::memfd_create("pipe", MFD_CLOEXEC);
    if (copy < 0) {
        code = lastError();
        return -1;
    }
    if ((code = copyPipe(pipe, copy))) {
        ::close(copy);
        return -1;
    }
    all.copies.emplace(key, copy);
    return reopened(copy, code);
}

} // namespace

void takePipes() {
    taken = true;
}

int openForReading(const std::filesystem::path& path, std::error_code& code) {
    code.clear();
    // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0) {
        code = lastError();
        return -1;
    }
    struct stat info {};
    if (!taken || ::fstat(fd, &info) != 0 || !S_ISFIFO(info.st_mode))
        return fd;
    const int copy = openPipe(fd, info, code);
    ::close(fd);
    return copy;
}

bool isWrittenThrough(const std::filesystem::path& path) {
    struct stat info {};
    if (taken && path == kStandardOutput) // a file, perhaps, that the caller has opened at its end
        return true;
    return taken && ::stat(path.c_str(), &info) == 0 && (S_ISFIFO(info.st_mode) || S_ISCHR(info.st_mode));
}

} // namespace pw
