// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/source.h"

#include "core/base/file.h"
#include "core/base/text.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace pw {

namespace {

constexpr std::size_t kPiece = 256 * 1024;
constexpr std::size_t kHead = 64 * 1024;
constexpr std::uint64_t kRatioFrom = 1 << 20; // inflated bytes
constexpr int kGzipOnly = 15 + 16;            // zlib's window bits with its mark for gzip

} // namespace

struct ByteStream::State {
    std::string file;
    std::unique_ptr<ReadableFile> source;
    bool packed = false, inMember = false, ended = false;
    z_stream inflater{};
    std::array<char, kPiece> piece{};
    std::size_t begin = 0, end = 0; // unread part of the piece
    std::uint64_t offset = 0, line = 1, fileRead = 0, fileSize = 0;

    ~State() {
        if (inMember)
            inflateEnd(&inflater);
    }
    State() = default;
    State(const State&) = delete;
    State& operator=(const State&) = delete;

    Status fill();
    Result<std::size_t> inflated(std::span<char> buffer);
    Error broken(const char* pattern) const {
        return badInput("gzip.syntax", file, {pattern, {{"offset", offset}, {"line", line}}});
    }
};

Status ByteStream::State::fill() {
    begin = end = 0;
    if (const std::error_code code = source->read(piece, end))
        return failure("file.io", file, {"cannot be read: {reason}", {{"reason", code.message()}}});
    fileRead += end;
    return Ok{};
}

Result<std::size_t> ByteStream::State::inflated(std::span<char> buffer) {
    inflater.next_out = reinterpret_cast<Bytef*>(buffer.data());
    inflater.avail_out = static_cast<uInt>(buffer.size());
    while (inflater.avail_out == buffer.size()) { // until something came out
        if (begin == end) {
            if (Status filled = fill(); !filled)
                return filled.error();
            if (begin == end) {
                if (inMember)
                    return broken(
                        "unexpected end of compressed data at uncompressed offset {offset} (line {line})");
                return std::size_t{0};
            }
        }
        if (!inMember) {
            if (inflateInit2(&inflater, kGzipOnly) != Z_OK)
                return failure("gzip.memory", file, "cannot be inflated: out of memory");
            inMember = true;
        }
        inflater.next_in = reinterpret_cast<Bytef*>(piece.data() + begin);
        inflater.avail_in = static_cast<uInt>(end - begin);
        const int code = ::inflate(&inflater, Z_NO_FLUSH);
        begin = end - inflater.avail_in;
        if (code == Z_STREAM_END) {
            inflateEnd(&inflater);
            inMember = false;
        } else if (code != Z_OK && code != Z_BUF_ERROR) {
            return broken("damaged compressed data at uncompressed offset {offset} (line {line})");
        }
    }
    const std::size_t made = buffer.size() - inflater.avail_out;
    const std::uint64_t packedRead = fileRead - (end - begin);
    if (offset + made > kRatioFrom && (offset + made) / ImportLimits::gzipRatio > packedRead)
        return badInput(
            "gzip.ratio", file,
            {"inflates to more than {limit} times its size", {{"limit", ImportLimits::gzipRatio}}});
    return made;
}

ByteStream::ByteStream(std::unique_ptr<State> state) : m_state(std::move(state)) {}
ByteStream::ByteStream(ByteStream&&) noexcept = default;
ByteStream& ByteStream::operator=(ByteStream&&) noexcept = default;
ByteStream::~ByteStream() = default;

Result<ByteStream> ByteStream::open(const std::filesystem::path& path, const Disk& disk) {
    auto state = std::make_unique<State>();
    state->file = path.string();
    std::error_code problem;
    state->source = disk.open(path, problem);
    if (!state->source)
        return badInput("file.open", path.string(),
                        {"cannot be opened: {reason}", {{"reason", problem.message()}}});
    FileFacts facts;
    if (const std::error_code code = state->source->facts(facts))
        return failure("file.io", path.string(),
                       {"cannot be examined: {reason}", {{"reason", code.message()}}});
    if (!facts.regular)
        return badInput("file.kind", path.string(), "is not a regular file");
    state->fileSize = facts.bytes;
    if (Status filled = state->fill(); !filled)
        return filled.error();
    state->packed = std::string_view(state->piece.data(), state->end).starts_with("\x1F\x8B");
    return ByteStream(std::move(state));
}

Result<std::size_t> ByteStream::read(std::span<char> buffer) {
    State& s = *m_state;
    if (buffer.empty() || s.ended)
        return std::size_t{0};
    std::size_t count = 0;
    if (s.packed) {
        const Result<std::size_t> made = s.inflated(buffer.first(std::min(buffer.size(), kPiece)));
        if (!made)
            return made.error();
        count = *made;
    } else {
        if (s.begin == s.end)
            if (Status filled = s.fill(); !filled)
                return filled.error();
        count = std::min(buffer.size(), s.end - s.begin);
        std::copy_n(s.piece.data() + s.begin, count, buffer.data());
        s.begin += count;
    }
    s.ended = count == 0;
    s.offset += count;
    s.line += static_cast<std::uint64_t>(
        std::count(buffer.begin(), buffer.begin() + static_cast<std::ptrdiff_t>(count), '\n'));
    return count;
}

std::uint64_t ByteStream::offset() const {
    return m_state->offset;
}
std::uint64_t ByteStream::line() const {
    return m_state->line;
}
std::uint64_t ByteStream::fileRead() const {
    return m_state->fileRead - (m_state->end - m_state->begin);
}
std::uint64_t ByteStream::fileSize() const {
    return m_state->fileSize;
}

Result<std::string> readText(const std::filesystem::path& path, const Disk& disk) {
    Result<ByteStream> stream = ByteStream::open(path, disk);
    if (!stream)
        return stream.error();
    const Error tooLarge =
        badInput("file.size", path.string(),
                 {"is larger than the limit of {limit} bytes", {{"limit", kWholeFileLimit}}});
    if (stream->fileSize() > kWholeFileLimit)
        return tooLarge;
    std::string text;
    for (std::size_t filled = 0;;) {
        text.resize(std::max<std::size_t>(filled + kHead, static_cast<std::size_t>(stream->fileSize()) + 1));
        const Result<std::size_t> got = stream->read(std::span(text).subspan(filled));
        if (!got)
            return got.error();
        filled += *got;
        if (filled > kWholeFileLimit)
            return tooLarge;
        if (*got == 0) {
            text.resize(filled);
            return decoded(std::move(text), path.string());
        }
    }
}

Result<std::string> readHead(const std::filesystem::path& path, const Disk& disk) {
    Result<ByteStream> stream = ByteStream::open(path, disk);
    if (!stream)
        return stream.error();
    std::string head(kHead, '\0');
    std::size_t filled = 0;
    while (filled < head.size()) {
        const Result<std::size_t> got = stream->read(std::span(head).subspan(filled));
        if (!got || *got == 0) // what is wrong further on is for the importer to say
            break;
        filled += *got;
    }
    head.resize(filled);
    if (head.starts_with("\xEF\xBB\xBF"))
        head.erase(0, 3);
    return head;
}

} // namespace pw
