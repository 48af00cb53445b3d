// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/share/profile_folder.h"

#include "core/base/file.h"
#include "core/base/hash.h"
#include "core/base/text.h"
#include "core/exchange/imports/measurements/link_file.h"
#include "core/exchange/imports/measurements/profile_file.h"
#include "core/links/link_apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <system_error>

namespace pw {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSourceDigits = 8, kContentDigits = 32, kReadableName = 40;
constexpr std::size_t kLargest = std::size_t{1} << 30; // bytes: three million points
struct Ending {
    SharedFile::Sort sort;
    std::string_view text;
};
constexpr std::array kEndings = {Ending{SharedFile::Sort::Layers, ".profiles.json"},
                                 Ending{SharedFile::Sort::Links, ".links.json"}};

bool isHex(std::string_view text) {
    return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Names that every file system takes: small letters, digits and single hyphens.
std::string readable(std::string_view name) {
    std::string text;
    for (const char c : lowered(name)) {
        const bool kept = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
        if (kept)
            text += c;
        else if (!text.empty() && text.back() != '-')
            text += '-';
        if (text.size() == kReadableName)
            break;
    }
    if (!text.empty() && text.back() == '-')
        text.pop_back();
    return text.empty() ? "source" : text;
}

std::optional<SharedFile> sharedFile(const fs::path& path) {
    const std::string name = path.filename().string();
    for (const Ending& ending : kEndings) {
        if (!name.ends_with(ending.text))
            continue;
        const std::string_view stem = std::string_view(name).substr(0, name.size() - ending.text.size());
        constexpr std::size_t kHashes = 1 + kSourceDigits + 1 + kContentDigits;
        if (stem.size() <= kHashes)
            return std::nullopt;
        const std::string_view hashes = stem.substr(stem.size() - kHashes);
        const std::string_view source = hashes.substr(1, kSourceDigits);
        const std::string_view content = hashes.substr(2 + kSourceDigits);
        if (hashes[0] == '-' && hashes[1 + kSourceDigits] == '-' && isHex(source) && isHex(content))
            return SharedFile{path, ending.sort, std::string(source), std::string(content)};
    }
    return std::nullopt;
}

} // namespace

bool isPartOfShared(const fs::path& path) {
    const std::string name = path.filename().string();
    return std::ranges::any_of(kEndings, [&name](const Ending& ending) {
        return name.starts_with('.') && name.find(std::string(ending.text) + '.') != std::string::npos;
    });
}

std::string sourceDigits(std::string_view sourceKey) {
    return hashText(sourceKey).substr(0, kSourceDigits);
}

std::string sharedFileName(SharedFile::Sort sort, std::string_view sourceName, std::string_view sourceKey,
                           std::string_view text) {
    const auto ending = std::ranges::find(kEndings, sort, &Ending::sort);
    return fmt::format("{}-{}-{}{}", readable(sourceName), sourceDigits(sourceKey), hashText(text),
                       ending->text);
}

Result<std::vector<SharedFile>> sharedFiles(const fs::path& folder, const Disk& disk) {
    std::vector<fs::path> there;
    const std::error_code code = disk.list(folder, there);
    std::vector<SharedFile> files;
    for (const fs::path& path : there)
        if (std::optional<SharedFile> file = sharedFile(path))
            files.push_back(*std::move(file));
    if (code)
        return badInput("share.folder", folder.string(),
                        {"cannot be read as a folder ({reason})", {{"reason", code.message()}}});
    return files;
}

Result<SharedContent> readShared(const SharedFile& file, const std::stop_token& stop, const Disk& disk) {
    SharedContent content;
    // It may go at any moment: a file is opened twice, for its hash and for its points.
    const auto unread = [&](const Error& error) -> Result<SharedContent> {
        FileFacts facts;
        if (disk.facts(file.path, facts) != std::errc::no_such_file_or_directory)
            return error;
        SharedContent gone;
        gone.gone = true;
        return gone;
    };
    FileFacts facts; // a pipe would have to be waited for
    if (!disk.facts(file.path, facts) && !facts.regular)
        return badInput("share.damaged", file.path.string(), "is not a regular file");
    const Result<std::string> text = readFile(file.path, kLargest, disk);
    if (!text)
        return unread(text.error());
    if (hashText(*text) != file.content)
        return badInput("share.damaged", file.path.string(),
                        "is not what its name says: cut off, or changed since it was published (a line end "
                        "is enough); fetch it again");
    if (file.sort == SharedFile::Sort::Layers) {
        const Status read = eachProfile(
            file.path,
            [&](const ProfileRow& row) -> Status {
                content.rows.push_back(row);
                return Ok{};
            },
            stop);
        return read ? Result<SharedContent>(std::move(content)) : unread(read.error());
    }
    Result<Imported> imported = importLinkFile(*text, file.path, {});
    if (!imported)
        return imported.error();
    content.links = std::get<std::vector<LinkMeasurement>>(std::move(imported->what));
    return content;
}

std::string pointKey(const ProfileRow& row) {
    return fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", row.source, row.model, row.kind, row.layer,
                       row.op, row.shape, row.tp, row.mbs, row.seq, row.precision);
}

std::string pointKey(const LinkMeasurement& link) {
    return fmt::format("{}\n{}\n{}\n{}\n{}", link.source, link.collective, link.ranks, hostCount(link),
                       deviceName(link));
}

} // namespace pw
