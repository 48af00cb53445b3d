// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <system_error>

namespace pw {

namespace {

namespace fs = std::filesystem;

std::string reason(int code) {
    return std::generic_category().message(code);
}

Error diskError(const fs::path& path, const char* pattern, int code) {
    return failure("file.io", path.string(), {pattern, {{"reason", reason(code)}}});
}

// A file descriptor that closes itself. close() is also called by hand where its result matters.
class Descriptor {
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    explicit operator bool() const { return m_fd >= 0; }
    int get() const { return m_fd; }
    int close() {
        const int fd = m_fd;
        m_fd = -1;
        return fd >= 0 ? ::close(fd) : 0;
    }

private:
    int m_fd;
};

bool writeAll(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t n = ::write(fd, text.data(), text.size());
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0)
            text.remove_prefix(static_cast<std::size_t>(n));
    }
    return true;
}

} // namespace

Result<std::string> readFile(const fs::path& path, std::size_t limit) {
    // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file)
        return badInput("file.open", path.string(),
                        {"cannot be opened: {reason}", {{"reason", reason(errno)}}});
    struct stat info {};
    if (::fstat(file.get(), &info) != 0)
        return diskError(path, "cannot be examined: {reason}", errno);
    if (!S_ISREG(info.st_mode))
        return badInput("file.kind", path.string(), "is not a regular file");
    const Error tooLarge = badInput("file.size", path.string(),
                                    {"is larger than the limit of {limit} bytes", {{"limit", limit}}});
    if (static_cast<std::size_t>(info.st_size) > limit)
        return tooLarge;

    std::string text(static_cast<std::size_t>(info.st_size), '\0');
    std::size_t filled = 0;
    while (true) {
        if (filled == text.size()) // the file may have grown meanwhile; one more read sees its end
            text.resize(filled + 4096);
        const ssize_t n = ::read(file.get(), text.data() + filled, text.size() - filled);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return diskError(path, "cannot be read: {reason}", errno);
        if (n == 0)
            break;
        filled += static_cast<std::size_t>(n);
        if (filled > limit)
            return tooLarge;
    }
    text.resize(filled);
    return text;
}

Status writeFileAtomically(const fs::path& path, std::string_view text) {
    return streamFileAtomically(path, [text](const TextSink& sink) { sink(text); });
}

Status streamFileAtomically(const fs::path& path, const std::function<void(const TextSink&)>& make) {
    std::error_code ec;
    fs::path target = fs::weakly_canonical(path, ec); // write through a symbolic link, do not replace it
    if (ec)
        target = path;
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");

    static std::atomic<unsigned> counter = 0;
    const fs::path temporary =
        folder / fmt::format(".{}.{}.{}.tmp", target.filename().string(), ::getpid(), counter++);
    Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
    if (!file)
        return failure("file.create", path.string(),
                       {"cannot be written: {reason}", {{"reason", reason(errno)}}});

    struct stat old {};
    const bool replaces = ::stat(target.c_str(), &old) == 0;
    const char* step = nullptr;
    const auto writeMade = [&] {
        int code = 0; // of the first piece that failed
        make([&](std::string_view piece) {
            if (code == 0 && !writeAll(file.get(), piece))
                code = errno;
        });
        errno = code;
        return code == 0;
    };
    if (replaces && !S_ISREG(old.st_mode)) {
        step = "is not a regular file: {reason}";
        errno = EINVAL;
    } else if (replaces && ::fchmod(file.get(), old.st_mode & 07777) != 0)
        step = "cannot keep its permissions: {reason}";
    else if (!writeMade() || ::fsync(file.get()) != 0 || file.close() != 0)
        step = "cannot be written: {reason}";
    else if (::rename(temporary.c_str(), target.c_str()) != 0)
        step = "cannot be replaced: {reason}";
    if (step != nullptr) {
        const int code = errno;
        ::unlink(temporary.c_str());
        return diskError(path, step, code);
    }

    const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    // Some file systems do not sync folders and say so with EINVAL; the file itself is safe there.
    if (directory && ::fsync(directory.get()) != 0 && errno != EINVAL)
        return diskError(path, "its folder cannot be synchronised: {reason}", errno);
    return Ok{};
}

} // namespace pw
