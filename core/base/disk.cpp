// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/disk.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace pw {

namespace {

namespace fs = std::filesystem;

std::error_code codeOf(int result) {
    return result == 0 ? std::error_code() : std::error_code(errno, std::generic_category());
}

FileFacts factsOf(const struct stat& info) {
    return {S_ISREG(info.st_mode), static_cast<std::size_t>(info.st_size), info.st_mode & 07777U};
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
    std::error_code sync() override { return codeOf(::fsync(m_file.get())); }
    std::error_code close() override { return codeOf(m_file.close()); }

private:
    Descriptor m_file;
};

class SystemDisk : public Disk {
public:
    std::unique_ptr<ReadableFile> open(const fs::path& path, std::error_code& code) const override {
        // Without O_NONBLOCK, opening a named pipe would wait for a writer for ever.
        const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        code = codeOf(fd < 0 ? -1 : 0);
        return fd < 0 ? nullptr : std::make_unique<SystemReadable>(fd);
    }
    std::unique_ptr<WritableFile> create(const fs::path& path, std::error_code& code) const override {
        const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        code = codeOf(fd < 0 ? -1 : 0);
        return fd < 0 ? nullptr : std::make_unique<SystemWritable>(fd);
    }
    std::error_code facts(const fs::path& path, FileFacts& found) const override {
        struct stat info {};
        const std::error_code code = codeOf(::stat(path.c_str(), &info));
        found = factsOf(info);
        return code;
    }
    std::error_code rename(const fs::path& from, const fs::path& to) const override {
        return codeOf(::rename(from.c_str(), to.c_str()));
    }
    std::error_code remove(const fs::path& path) const override { return codeOf(::unlink(path.c_str())); }
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
