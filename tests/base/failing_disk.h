// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/disk.h"

#include <QTest>

#include <set>
#include <string>
#include <vector>

namespace pw::test {

// The machine's disk, but that one step fails with the given code, and that it remembers the steps, but for
// looks at folders and facts by name.
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
    std::unique_ptr<WritableFile> append(const std::filesystem::path& path,
                                         std::error_code& code) const override {
        if ((code = taken("append")))
            return nullptr;
        auto file = systemDisk().append(path, code);
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
    std::error_code list(const std::filesystem::path& folder,
                         std::vector<std::filesystem::path>& found) const override {
        return systemDisk().list(folder, found);
    }
    std::error_code permit(const std::filesystem::path& path, unsigned permissions) const override {
        const std::error_code code = taken("permit");
        return code ? code : systemDisk().permit(path, permissions);
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
    std::error_code removeAll(const std::filesystem::path& path) const override {
        const std::error_code code = taken("removeAll");
        return code ? code : systemDisk().removeAll(path);
    }
    std::error_code makeFolder(const std::filesystem::path& path) const override {
        const std::error_code code = taken("makeFolder");
        return code ? code : systemDisk().makeFolder(path);
    }
    std::filesystem::path makeOwnFolder(const std::filesystem::path& stem,
                                        std::error_code& code) const override {
        code = taken("makeFolder");
        return code ? std::filesystem::path() : systemDisk().makeOwnFolder(stem, code);
    }
    std::unique_ptr<HeldFolder> hold(const std::filesystem::path& folder,
                                     std::error_code& code) const override {
        return systemDisk().hold(folder, code);
    }
    std::error_code syncFolder(const std::filesystem::path& folder) const override {
        const std::error_code code = taken("syncFolder");
        return code ? code : systemDisk().syncFolder(folder);
    }

protected:
    virtual bool fails(const std::string& step) const { return step == m_step; }

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
        std::error_code seek(std::uint64_t offset) override { return m_file->seek(offset); }

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
        return fails(m_steps.back()) ? std::make_error_code(m_why) : std::error_code();
    }

    std::string m_step;
    std::errc m_why;
    mutable std::vector<std::string> m_steps;
};

// Of the steps that change something, the n-th from 0 on fails, and with `on` all later ones that take room:
// a disk that is full stays full, and what is removed makes room for nothing.
class FailsAt : public FailingDisk {
public:
    explicit FailsAt(int step, bool on = false)
        : FailingDisk({}, on ? std::errc::no_space_on_device : std::errc::io_error), m_at(step), m_on(on) {}
    const std::string& failed() const { return m_failed; } // the first that did; empty: none has

protected:
    bool fails(const std::string& step) const override {
        static const std::set<std::string> looks = {"open", "facts", "read"};
        static const std::set<std::string> room = {"create", "append", "write", "sync", "makeFolder"};
        if (looks.contains(step) || (m_on && !room.contains(step)))
            return false;
        const int now = m_count++;
        const bool fails = m_on ? now >= m_at : now == m_at;
        if (fails && m_failed.empty())
            m_failed = step;
        return fails;
    }

private:
    int m_at;
    bool m_on;
    mutable int m_count = 0;
    mutable std::string m_failed;
};

// Rows of a test that is run for a disk of which one step fails, and for one that is full from it on
// ("full").
inline void addWaysToFail() {
    QTest::addColumn<bool>("full");
    QTest::newRow("a step fails") << false;
    QTest::newRow("the disk is full from there on") << true;
}

} // namespace pw::test
