// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/disk.h"

#include <string>
#include <vector>

namespace pw::test {

// The machine's disk, but that one step of a write fails with the given code, and that it remembers the
// steps.
class FailingDisk : public Disk {
public:
    FailingDisk(std::string step, std::errc why) : m_step(std::move(step)), m_why(why) {}
    const std::vector<std::string>& steps() const { return m_steps; }
    void repair() { m_step.clear(); }

    std::unique_ptr<ReadableFile> open(const std::filesystem::path& path,
                                       std::error_code& code) const override {
        if ((code = taken("open")))
            return nullptr;
        auto file = systemDisk().open(path, code);
        return file ? std::make_unique<Reading>(*this, std::move(file)) : nullptr;
    }
    std::unique_ptr<WritableFile> create(const std::filesystem::path& path,
                                         std::error_code& code) const override {
        if ((code = taken("create")))
            return nullptr;
        auto file = systemDisk().create(path, code);
        return file ? std::make_unique<Writing>(*this, std::move(file)) : nullptr;
    }
    std::unique_ptr<WritableFile> openThrough(const std::filesystem::path& path,
                                              std::error_code& code) const override {
        return systemDisk().openThrough(path, code);
    }
    std::vector<std::filesystem::path> abandoned(const std::filesystem::path& folder,
                                                 const std::string& prefix) const override {
        return systemDisk().abandoned(folder, prefix);
    }
    std::error_code facts(const std::filesystem::path& path, FileFacts& found) const override {
        return systemDisk().facts(path, found);
    }
    std::error_code rename(const std::filesystem::path& from,
                           const std::filesystem::path& to) const override {
        const std::error_code code = taken("rename");
        return code ? code : systemDisk().rename(from, to);
    }
    std::error_code remove(const std::filesystem::path& path) const override {
        const std::error_code code = taken("remove");
        return code ? code : systemDisk().remove(path);
    }
    std::error_code syncFolder(const std::filesystem::path& folder) const override {
        const std::error_code code = taken("syncFolder");
        return code ? code : systemDisk().syncFolder(folder);
    }

private:
    class Reading : public ReadableFile {
    public:
        Reading(const FailingDisk& disk, std::unique_ptr<ReadableFile> file)
            : m_disk(disk), m_file(std::move(file)) {}
        std::error_code facts(FileFacts& found) override {
            const std::error_code code = m_disk.taken("facts");
            return code ? code : m_file->facts(found);
        }
        std::error_code read(std::span<char> into, std::size_t& got) override {
            const std::error_code code = m_disk.taken("read");
            return code ? code : m_file->read(into, got);
        }

    private:
        const FailingDisk& m_disk;
        std::unique_ptr<ReadableFile> m_file;
    };

    class Writing : public WritableFile {
    public:
        Writing(const FailingDisk& disk, std::unique_ptr<WritableFile> file)
            : m_disk(disk), m_file(std::move(file)) {}
        std::error_code permit(unsigned permissions) override {
            const std::error_code code = m_disk.taken("permit");
            return code ? code : m_file->permit(permissions);
        }
        // A full disk takes a part of it.
        std::error_code write(std::string_view text) override {
            const std::error_code code = m_disk.taken("write");
            const std::error_code real = m_file->write(code ? text.substr(0, text.size() / 2) : text);
            return code ? code : real;
        }
        std::error_code sync() override {
            const std::error_code code = m_disk.taken("sync");
            return code ? code : m_file->sync();
        }
        std::error_code close() override {
            const std::error_code code = m_disk.taken("close");
            return code ? code : m_file->close();
        }

    private:
        const FailingDisk& m_disk;
        std::unique_ptr<WritableFile> m_file;
    };

    std::error_code taken(const char* step) const {
        m_steps.emplace_back(step);
        return step == m_step ? std::make_error_code(m_why) : std::error_code();
    }

    std::string m_step;
    std::errc m_why;
    mutable std::vector<std::string> m_steps;
};

} // namespace pw::test
