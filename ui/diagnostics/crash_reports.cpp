// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/crash_reports.h"

#include "core/base/file.h"
#include "core/base/log.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pw {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRunning = "running-";
constexpr const char* kLeft = "crash-";
constexpr const char* kOffered = "offered.txt"; // names of reports, one a line
constexpr std::size_t kMost = 1U << 20;         // bytes of a file that are read

// A folder that is not there or cannot be read has none.
std::vector<fs::path> filesNamed(const fs::path& folder, const char* beginning) {
    std::vector<fs::path> files;
    std::error_code code;
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
        if (entry->path().filename().string().starts_with(beginning))
            files.push_back(entry->path());
    std::sort(files.begin(), files.end());
    return files;
}

// Its program has ended: nobody holds the lock. Size and time of its end then.
bool isLeft(const fs::path& file, struct stat& info) {
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return false;
    const bool left = ::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::fstat(fd, &info) == 0;
    ::close(fd);
    return left;
}

CrashReport readReport(const fs::path& file) {
    CrashReport report{file, {}, {}};
    const Result<std::string> text = readFile(file, kMost);
    if (!text) {
        report.end = report.text = text.error().message;
        return report;
    }
    const std::vector<TextLine> lines = linesOf(*text);
    for (const TextLine& line : lines)
        report.text += oneLine(line.text) + "\n";
    if (lines.size() > 1)
        report.end = oneLine(lines[1].text);
    return report;
}

} // namespace

std::vector<CrashReport> collectCrashReports(const fs::path& folder) {
    std::vector<CrashReport> fresh;
    for (const fs::path& file : filesNamed(folder, kRunning)) {
        struct stat info {};
        if (!isLeft(file, info))
            continue;
        std::error_code code; // what cannot be moved or removed now is tried by the next program
        if (info.st_size == 0) {
            fs::remove(file, code);
            continue;
        }
        std::string when = timeText(static_cast<std::int64_t>(info.st_mtime) * 1000).substr(0, 19);
        std::replace(when.begin(), when.end(), ':', '-');
        fs::path left;
        for (int same = 0; left.empty() || fs::exists(left, code); ++same)
            left = folder / fmt::format("{}{}{}.txt", kLeft, when, same > 0 ? fmt::format("-{}", same) : "");
        fs::rename(file, left, code);
        if (!code)
            fresh.push_back(readReport(left));
    }
    const std::vector<fs::path> all = filesNamed(folder, kLeft);
    for (std::size_t i = 0; i + kCrashReports < all.size(); ++i) {
        std::error_code code;
        fs::remove(all[i], code);
    }
    return fresh;
}

std::vector<CrashReport> crashReports(const fs::path& folder) {
    std::vector<CrashReport> reports;
    for (const fs::path& file : filesNamed(folder, kLeft))
        reports.push_back(readReport(file));
    std::reverse(reports.begin(), reports.end());
    return reports;
}

std::vector<CrashReport> unofferedCrashReports(const fs::path& folder) {
    const std::vector<CrashReport> all = crashReports(folder);
    const Result<std::string> offered = readFile(folder / kOffered, kMost);
    const std::vector<std::string_view> before =
        offered ? fieldsOf(*offered) : std::vector<std::string_view>();
    std::vector<CrashReport> fresh;
    std::string names;
    for (const CrashReport& report : all) {
        const std::string name = report.file.filename().string();
        if (std::find(before.begin(), before.end(), name) == before.end())
            fresh.push_back(report);
        names += name + "\n"; // of those that are gone nothing has to be known
    }
    if (!fresh.empty())
        static_cast<void>(writeFileAtomically(folder / kOffered, names));
    return fresh;
}

} // namespace pw
