// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include "core/base/pipes.h"

#include <fmt/format.h>
#include <unistd.h>

#include <atomic>

namespace pw {

namespace {

namespace fs = std::filesystem;

Error diskError(const fs::path& path, const char* doing, const std::error_code& code) {
    return failure("file.io", path.string(), {doing, {{"reason", code.message()}}});
}

// What could not be done, with the system's reason.
struct FailedStep {
    const char* doing = nullptr;
    std::error_code code;
    explicit operator bool() const { return doing != nullptr; }
};

FailedStep fill(WritableFile& file, const FileFacts* old, const std::function<void(const TextSink&)>& make) {
    if (old && !old->regular)
        return {"is not a regular file: {reason}", std::make_error_code(std::errc::invalid_argument)};
    if (old)
        if (const std::error_code code = file.permit(old->permissions))
            return {"cannot keep its permissions: {reason}", code};
    std::error_code code; // of the first piece that failed
    make([&](std::string_view piece) {
        if (!code)
            code = file.write(piece);
    });
    if (!code)
        code = file.sync();
    if (!code)
        code = file.close();
    if (code)
        return {"cannot be written: {reason}", code};
    return {};
}

} // namespace

Result<std::string> readFile(const fs::path& path, std::size_t limit, const Disk& disk) {
    std::error_code code;
    const std::unique_ptr<ReadableFile> file = disk.open(path, code);
    if (!file)
        return badInput("file.open", path.string(),
                        {"cannot be opened: {reason}", {{"reason", code.message()}}});
    FileFacts facts;
    if ((code = file->facts(facts)))
        return diskError(path, "cannot be examined: {reason}", code);
    if (!facts.regular)
        return badInput("file.kind", path.string(), "is not a regular file");
    const Error tooLarge = badInput("file.size", path.string(),
                                    {"is larger than the limit of {limit} bytes", {{"limit", limit}}});
    if (facts.bytes > limit)
        return tooLarge;

    std::string text(facts.bytes, '\0');
    std::size_t filled = 0;
    while (true) {
        if (filled == text.size()) // the file may have grown meanwhile; one more read sees its end
            text.resize(filled + 4096);
        std::size_t got = 0;
        if ((code = file->read(std::span(text).subspan(filled), got)))
            return diskError(path, "cannot be read: {reason}", code);
        if (got == 0)
            break;
        filled += got;
        if (filled > limit)
            return tooLarge;
    }
    text.resize(filled);
    return text;
}

namespace {

Status writeThrough(const fs::path& path, const std::function<void(const TextSink&)>& make,
                    const Disk& disk) {
    std::error_code code;
    const std::unique_ptr<WritableFile> file = disk.openThrough(path, code);
    if (!file)
        return failure("file.create", path.string(),
                       {"cannot be written: {reason}", {{"reason", code.message()}}});
    if (const FailedStep failed = fill(*file, nullptr, make))
        return diskError(path, failed.doing, failed.code);
    return Ok{};
}

} // namespace

Status writeFileAtomically(const fs::path& path, std::string_view text, const Disk& disk) {
    return streamFileAtomically(
        path, [text](const TextSink& sink) { sink(text); }, disk);
}

Status streamFileAtomically(const fs::path& path, const std::function<void(const TextSink&)>& make,
                            const Disk& disk) {
    if (isWrittenThrough(path))
        return writeThrough(path, make, disk);
    std::error_code code;
    fs::path target = fs::weakly_canonical(path, code); // write through a symbolic link, do not replace it
    if (code)
        target = path;
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");

    static std::atomic<unsigned> counter = 0;
    const std::string prefix = "." + target.filename().string() + ".";
    for (const fs::path& old : disk.abandoned(folder, prefix))
        disk.remove(old);
    FileFacts old;
    const bool replaces = !disk.facts(target, old);
    constexpr unsigned kWritten = 0222; // by anybody: what nobody may write stays, for root too
    if (replaces && (old.permissions & kWritten) == 0)
        return failure("file.create", path.string(), "is write-protected, and was left as it is");
    const fs::path temporary = folder / fmt::format("{}{}.{}.tmp", prefix, ::getpid(), counter++);
    std::unique_ptr<WritableFile> file = disk.create(temporary, code);
    if (!file)
        return failure("file.create", path.string(),
                       {"cannot be written: {reason}", {{"reason", code.message()}}});

    FailedStep failed = fill(*file, replaces ? &old : nullptr, make);
    file.reset();
    if (!failed)
        if ((code = disk.rename(temporary, target)))
            failed = {"cannot be replaced: {reason}", code};
    if (failed) {
        disk.remove(temporary);
        return diskError(path, failed.doing, failed.code);
    }
    if ((code = disk.syncFolder(folder)))
        return diskError(path, "its folder cannot be synchronised: {reason}", code);
    return Ok{};
}

std::error_code makeFolders(const fs::path& folder, const Disk& disk) {
    FileFacts facts;
    if (folder.empty() || (!disk.facts(folder, facts) && facts.folder))
        return {};
    const fs::path whole = folder.has_filename() ? folder : folder.parent_path(); // "a/b/" is "a/b"
    if (const std::error_code above = makeFolders(whole.parent_path(), disk))
        return above;
    return disk.makeFolder(whole);
}

bool isThere(const fs::path& path, const Disk& disk) {
    FileFacts facts;
    return !disk.facts(path, facts);
}

std::error_code readEnd(const fs::path& path, std::size_t most, std::string& text, const Disk& disk) {
    text.clear();
    std::error_code code;
    const std::unique_ptr<ReadableFile> file = disk.open(path, code);
    FileFacts facts;
    if (!code)
        code = file->facts(facts);
    if (!code && facts.bytes > most)
        code = file->seek(facts.bytes - most);
    std::string end(most, '\0');
    std::size_t filled = 0, got = 1;
    while (!code && got > 0 && filled < most) {
        code = file->read(std::span(end).subspan(filled), got);
        filled += got;
    }
    end.resize(code ? 0 : filled);
    text = std::move(end);
    return code;
}

std::optional<LineReader> LineReader::open(const fs::path& path, std::uint64_t offset, std::error_code& code,
                                           const Disk& disk) {
    std::unique_ptr<ReadableFile> file = disk.open(path, code);
    if (!code)
        code = file->seek(offset);
    return code ? std::nullopt : std::optional(LineReader(std::move(file)));
}

bool LineReader::next(std::string& line, std::size_t most) {
    constexpr std::size_t kPiece = 65'536;
    std::size_t looked = m_at;
    while (!m_code) {
        const std::size_t end = m_read.find('\n', looked);
        if (end != std::string::npos) {
            line.assign(m_read, m_at, end - m_at);
            m_at = end + 1;
            return true;
        }
        m_read.erase(0, std::exchange(m_at, 0));
        looked = m_read.size();
        if (looked > most) {
            m_code = std::make_error_code(std::errc::message_size);
            return false;
        }
        m_read.resize(looked + kPiece);
        std::size_t got = 0;
        m_code = m_file->read(std::span(m_read).subspan(looked), got);
        m_read.resize(looked + got);
        if (got == 0)
            break;
    }
    m_torn = !m_code && !m_read.empty();
    line = std::exchange(m_read, {});
    return m_torn;
}

} // namespace pw
