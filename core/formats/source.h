// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/disk.h"
#include "core/base/result.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace pw {

// How much of somebody else's file is taken at most. Sizes of models are in ModelLimits; core/base/text.h and
// json.h have the rules for encoding, numbers and nesting.
struct ImportLimits {
    static constexpr std::size_t hostNames = 65'536; // of one expanded host list
    static constexpr std::size_t xmlElements = 1'000'000;
    static constexpr std::int64_t gpus = 131'072;
    static constexpr std::size_t yamlDepth = 128;
    // Of inflated to packed bytes, from the first MiB on. Deflate cannot exceed 1032.
    static constexpr std::uint64_t gzipRatio = 1000;
};

// The bytes of a regular file one after the other, inflated if they are gzip (several members too): what
// importers read that never hold a whole file. A stream that ends early or inflates beyond the ratio is bad
// input with the offset in the uncompressed text.
class ByteStream {
public:
    static Result<ByteStream> open(const std::filesystem::path& path, const Disk& disk = systemDisk());
    ByteStream(ByteStream&&) noexcept;
    ByteStream& operator=(ByteStream&&) noexcept;
    ~ByteStream();

    Result<std::size_t> read(std::span<char> buffer); // 0 = the end
    std::uint64_t offset() const;                     // of the next byte, uncompressed
    std::uint64_t line() const;                       // of the next byte, from 1
    // How far the file itself is read, for progress.
    std::uint64_t fileRead() const;
    std::uint64_t fileSize() const;

private:
    struct State;
    explicit ByteStream(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

// A whole file as text (core/base/text.h: decoded), inflated if it is gzip, 64 MiB at most.
Result<std::string> readText(const std::filesystem::path& path, const Disk& disk = systemDisk());
// The first 64 KiB of the same bytes, or what there is of them: enough to recognise a file that is streamed.
Result<std::string> readHead(const std::filesystem::path& path, const Disk& disk = systemDisk());

} // namespace pw
