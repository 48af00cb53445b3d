// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/disk.h"

#include "core/base/pipes.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>

namespace pw {

namespace {

namespace fs = std::filesystem;

std::error_code codeOf(int result) {
    return result == 0 ? std::error_code() : std::error_code(errno, std::generic_category());
}

FileFacts factsOf(const struct stat& info) {
    return {S_ISREG(info.st_mode), S_ISDIR(info.st_mode), static_cast<std::size_t>(info.st_size),
            info.st_mode & 07777U};
}

// A file descriptor that closes itself. close() is also called by hand where its result matters.
class Descriptor {
public:
    explicit Descriptor(int fd) : m_fd(fd) {}
    ~Descriptor() { close(); }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;

    int get() const { return m_fd; }
    int close() {
        const int fd = m_fd;
        m_fd = -1;
        return fd >= 0 ? ::close(fd) : 0;
    }

private:
    int m_fd;
};

class SystemReadable : public ReadableFile {
public:
    explicit SystemReadable(int fd) : m_file(fd) {}

    std::error_code facts(FileFacts& found) override {
        struct stat info {};
        const std::error_code code = codeOf(::fstat(m_file.get(), &info));
        found = factsOf(info);
        return code;
    }
    std::error_code read(std::span<char> into, std::size_t& got) override {
        ssize_t n = -1;
        do
            n = ::read(m_file.get(), into.data(), into.size());
        while (n < 0 && errno == EINTR);
        got = n > 0 ? static_cast<std::size_t>(n) : 0;
        return codeOf(n < 0 ? -1 : 0);
    }
    std::error_code seek(std::uint64_t offset) override {
        return codeOf(::lseek(m_file.get(), static_cast<off_t>(offset), SEEK_SET) < 0 ? -1 : 0);
    }

private:
    Descriptor m_file;
};

class SystemWritable : public WritableFile {
public:
    explicit SystemWritable(int fd) : m_file(fd) {}

    std::error_code permit(unsigned permissions) override {
        return codeOf(::fchmod(m_file.get(), permissions));
    }
    std::error_code write(std::string_view text) override {
        while (!text.empty()) {
            const ssize_t n = ::write(m_file.get(), text.data(), text.size());
            if (n < 0 && errno != EINTR)
                return codeOf(-1);
            if (n > 0)
                text.remove_prefix(static_cast<std::size_t>(n));
        }
        return {};
    }
    std::error_code sync() override {
        // Pipes and terminals have nothing to sync and say so with EINVAL.
        return ::fsync(m_file.get()) == 0 || errno == EINVAL ? std::error_code() : codeOf(-1);
    }
    std::error_code close() override { return codeOf(m_file.close()); }

private:
    Descriptor m_file;
};

// "PREFIX.PID.NUMBER.tmp"; the prefix has its dots, and no prefix is any.
pid_t writerOf(std::string_view name, std::string_view prefix) {
    constexpr std::string_view kEnd = ".tmp";
    if (!name.ends_with(kEnd))
        return 0;
    name.remove_suffix(kEnd.size());
    const auto takeNumber = [&name](auto& into) { // behind the last dot, which goes with it
        const std::size_t dot = name.rfind('.');
        if (dot == std::string_view::npos)
            return false;
        const char* const end = name.data() + name.size();
        const auto [rest, wrong] = std::from_chars(name.data() + dot + 1, end, into);
        name.remove_suffix(name.size() - dot);
        return wrong == std::errc() && rest == end;
    };
    unsigned number = 0;
    pid_t pid = 0;
    if (!takeNumber(number) || !takeNumber(pid))
        return 0;
    return prefix.empty() || std::string(name) + '.' == prefix ? pid : 0;
}

// The process may be one of another machine that shares the folder: what it writes has a recent time.
std::vector<fs::path> abandonedFiles(const fs::path& folder, const std::string& prefix) {
    std::vector<fs::path> found;
    std::error_code problem;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end;
         entry.increment(problem)) {
        const pid_t writer = writerOf(entry->path().filename().string(), prefix);
        std::error_code unknown;
        const auto written = writer > 0 ? entry->last_write_time(unknown) : fs::file_time_type();
        if (writer > 0 && !unknown && ::kill(writer, 0) != 0 && errno == ESRCH &&
            fs::file_time_type::clock::now() - written > kAbandonedAfter)
            found.push_back(entry->path());
    }
    return found;
}

class SystemHeld : public HeldFolder {
public:
    explicit SystemHeld(int fd) : m_folder(fd) {}
    int lock() const { return ::flock(m_folder.get(), LOCK_EX | LOCK_NB); }

private:
    Descriptor m_folder; // whose end lets others in
};

std::unique_ptr<WritableFile> writable(int fd, std::error_code& code) {
    code = codeOf(fd < 0 ? -1 : 0);
    return fd < 0 ? nullptr : std::make_unique<SystemWritable>(fd);
}

class SystemDisk : public Disk {
public:
    std::unique_ptr<ReadableFile> open(const fs::path& path, std::error_code& code) const override {
        const int fd = openForReading(path, code);
        return fd < 0 ? nullptr : std::make_unique<SystemReadable>(fd);
    }
    std::unique_ptr<WritableFile> create(const fs::path& path, std::error_code& code) const override {
        return writable(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), code);
    }
    std::unique_ptr<WritableFile> append(const fs::path& path, std::error_code& code) const override {
        return writable(::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666), code);
    }
    std::unique_ptr<WritableFile> openThrough(const fs::path& path, std::error_code& code) const override {
        return writable(path == kStandardOutput ? ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
                                                : ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY),
                        code);
    }
    std::vector<fs::path> abandoned(const fs::path& folder, const std::string& prefix) const override {
        return abandonedFiles(folder, prefix);
    }
    std::error_code facts(const fs::path& path, FileFacts& found) const override {
        struct stat info {};
        const std::error_code code = codeOf(::stat(path.c_str(), &info));
        found = factsOf(info);
        return code;
    }
    std::error_code list(const fs::path& folder, std::vector<fs::path>& found) const override {
        std::error_code code;
        found.clear();
        for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
            found.push_back(entry->path());
        std::ranges::sort(found);
        return code;
    }
    std::error_code permit(const fs::path& path, unsigned permissions) const override {
        return codeOf(::chmod(path.c_str(), permissions));
    }
    std::error_code rename(const fs::path& from, const fs::path& to) const override {
        return codeOf(::rename(from.c_str(), to.c_str()));
    }
    std::error_code remove(const fs::path& path) const override { return codeOf(::unlink(path.c_str())); }
    std::error_code removeAll(const fs::path& path) const override {
        std::error_code code;
        fs::remove_all(path, code);
        return code;
    }
    std::error_code makeFolder(const fs::path& path) const override {
        std::error_code code;
        fs::create_directory(path, code);
        return code;
    }
    fs::path makeOwnFolder(const fs::path& stem, std::error_code& code) const override {
        std::string pattern = stem.string() + "XXXXXX";
        code = codeOf(::mkdtemp(pattern.data()) == nullptr ? -1 : 0);
        return code ? fs::path() : fs::path(pattern);
    }
    std::unique_ptr<HeldFolder> hold(const fs::path& folder, std::error_code& code) const override {
        const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        code = codeOf(fd < 0 ? -1 : 0);
        auto held = fd < 0 ? nullptr : std::make_unique<SystemHeld>(fd);
        if (held)
            code = codeOf(held->lock());
        if (code)
            held.reset();
        return held;
    }
    std::error_code syncFolder(const fs::path& folder) const override {
        const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        // Some file systems do not sync folders and say so with EINVAL; the file itself is safe there.
        if (directory.get() < 0 || ::fsync(directory.get()) == 0 || errno == EINVAL)
            return {};
        return codeOf(-1);
    }
};

} // namespace

const Disk& systemDisk() {
    static const SystemDisk disk;
    return disk;
}

} // namespace pw
