// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// What is read from several files or by a path of its own: folders of sweeps, the manifest of an export,
// databases. An input of the folders is its files behind each other, each behind a line "== NAME".
#include "tests/fuzz/targets.h"

#include "core/base/hash.h"
#include "core/exchange/exports/export_set.h"
#include "core/store/store.h"
#include "core/sweep/collect.h"
#include "core/sweep/sweep_document.h"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string_view>

namespace pw::fuzz {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kMark = "== ";
constexpr std::size_t kMostFiles = 16;

// Of this process, in memory where the system has such a place; empty at first, and gone at its end.
class WorkFolder {
public:
    WorkFolder() : m_path(workFolder(::getpid())) {
        std::error_code none;
        fs::remove_all(m_path, none);
        if (!fs::create_directory(m_path, none))
            std::abort();
    }
    ~WorkFolder() {
        std::error_code none;
        fs::remove_all(m_path, none);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    const fs::path& path() const { return m_path; }

    void write(const std::string& name, std::string_view bytes) const {
        std::error_code none;
        const fs::path file = m_path / name;
        fs::create_directories(file.parent_path(), none);
        std::ofstream(file, std::ios::binary) << bytes;
    }

private:
    fs::path m_path;
};

// Names that stay inside the folder, whatever the input makes of them.
bool staysInside(std::string_view name) {
    return !name.empty() && name.size() < 100 && name.front() != '/' && name.find("..") == name.npos &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                      std::string_view("./-_").find(c) != std::string_view::npos;
           });
}

// By name. An input of a sweep is called by the hash of its content, and by that name in others: as the
// content is now, or a changed one would never be looked at.
std::map<std::string, std::string> filesOf(std::string_view bytes) {
    std::map<std::string, std::string> files;
    std::size_t at = bytes.starts_with(kMark) ? 0 : bytes.npos;
    while (at != bytes.npos && files.size() < kMostFiles) {
        const std::size_t begin = at + kMark.size(), end = std::min(bytes.find('\n', begin), bytes.size());
        const std::size_t next = bytes.find("\n== ", end);
        const std::string_view name = bytes.substr(begin, end - begin);
        const std::size_t last = next == bytes.npos ? bytes.size() : next + 1,
                          first = std::min(end + 1, last);
        if (staysInside(name))
            files[std::string(name)] = bytes.substr(first, last - first);
        at = next == bytes.npos ? next : next + 1;
    }
    constexpr std::string_view kInputs = "inputs/", kEnd = ".json";
    for (const auto& [name, content] : std::map(files)) {
        if (!name.starts_with(kInputs) || !name.ends_with(kEnd) ||
            name.size() <= kInputs.size() + kEnd.size())
            continue;
        const std::string stem = name.substr(kInputs.size(), name.size() - kInputs.size() - kEnd.size());
        if (stem.size() < 8)
            continue; // it would be found all over
        const std::string now = hashText(content);
        files.erase(name);
        files[std::string(kInputs) + now + std::string(kEnd)] = content;
        for (auto& [other, text] : files)
            for (std::size_t i = text.find(stem); i != text.npos; i = text.find(stem, i + now.size()))
                text.replace(i, stem.size(), now);
    }
    return files;
}

// As status, collect and the window's dock read it.
bool readSweepFolder(const std::string& bytes) {
    const WorkFolder work;
    for (const auto& [name, content] : filesOf(bytes))
        work.write(name, content);
    const Result<SweepFolder> folder = openSweepFolder(work.path());
    if (!folder)
        return false;
    if (Result<SweepStatus> status = sweepStatus(*folder); status)
        readLogs(*folder, *status);
    for (const bool anyVersion : {false, true})
        if (const Result<Collection> collection = collect(*folder, anyVersion); collection) {
            static_cast<void>(sweepCsv(*folder, *collection));
            static_cast<void>(writeSweepDatabase(work.path() / "out.db", *folder, *collection));
        }
    return true;
}

bool readSweepDocument(const std::string& text) {
    Diagnostics notes;
    return static_cast<bool>(readSweep(text, "input", &notes));
}

// An export into a folder that has this manifest and one of the files already.
bool readManifest(const std::string& bytes) {
    const WorkFolder work;
    work.write(kExportManifest, bytes);
    work.write("a.json", "{}\n");
    const std::vector<ExportFile> files = {{"a.json", "{}\n"}, {"b.sh", "#!/bin/bash\n"}};
    const Status written = writeSet(files, "plan", work.path(), Replace::Unchanged);
    if (written && !writeSet(files, "plan", work.path(), Replace::Unchanged))
        std::abort(); // its own files, unchanged
    return static_cast<bool>(written);
}

bool readDatabase(const std::string& bytes) {
    const WorkFolder work;
    work.write("input.db", bytes);
    bool read = false;
    for (const auto mode : {ProfileStore::Mode::ReadOnly, ProfileStore::Mode::ReadWrite}) {
        const Result<ProfileStore> store =
            ProfileStore::open(work.path() / "input.db", mode, std::chrono::seconds(0));
        if (!store)
            continue;
        read = true;
        static_cast<void>(store->sources());
        static_cast<void>(store->links());
        static_cast<void>(store->check());
        if (const auto rows = store->rows(); rows)
            for (const ProfileRow& row : *rows)
                static_cast<void>(toJson(row).dump()); // throws where a text is none
        if (const auto problems = store->problems(); problems)
            for (const ProfileStore::ProblemRow& problem : *problems)
                static_cast<void>(store->foundPlans(problem.hash));
    }
    return read;
}

} // namespace

fs::path workFolder(pid_t process) {
    std::error_code none;
    const fs::path base = fs::is_directory("/dev/shm", none) ? "/dev/shm" : fs::temp_directory_path();
    return base / ("pipewright-fuzz-" + std::to_string(process));
}

const std::vector<Kind>& folderKinds() {
    static const std::vector<Kind> all = {{"own-sweep", readSweepDocument},
                                          {"sweep-folder", readSweepFolder},
                                          {"export-manifest", readManifest},
                                          {"database", readDatabase}};
    return all;
}

} // namespace pw::fuzz
