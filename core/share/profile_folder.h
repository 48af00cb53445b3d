// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/disk.h"
#include "core/links/link_measurement.h"
#include "core/profile/profile.h"

#include <filesystem>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// Measurements that people share lie in a folder, which git, NFS or rsync carries: no server, no lock, no
// index. It holds a file for all measured layers of one source and one for its timed collectives, in the
// forms that `profiles export` and `profiles links` write. A file's name ends with the hash of its bytes:
//
//   llama3-70b-h100-1f0a93c2-5b0e...32 digits...77.profiles.json
//   the source      |        the bytes
//                   the source exactly: name, model, licence, date, software
//
// so a file is written once and never changed, two people who publish the same write the same file, and who
// reads can tell a torn or edited one. Anything else in the folder is let be.
struct SharedFile {
    enum class Sort { Layers, Links };
    std::filesystem::path path;
    Sort sort = Sort::Layers;
    std::string source;  // 8 digits
    std::string content; // 32 digits
};

// The digits of a source in a file's name.
std::string sourceDigits(std::string_view sourceKey);

// The name of a file of that sort with that text.
std::string sharedFileName(SharedFile::Sort sort, std::string_view sourceName, std::string_view sourceKey,
                           std::string_view text);

// A part of such a file that was being written, whose writer went before it had its name.
bool isPartOfShared(const std::filesystem::path& path);

// The shared files of a folder, by name. Bad input if there is no such folder.
Result<std::vector<SharedFile>> sharedFiles(const std::filesystem::path& folder,
                                            const Disk& disk = systemDisk());

// What a shared file holds, checked against its name. `gone`: it was there and is no more, which is what
// happens when a newer one takes its place; nothing is read then and that is no error.
struct SharedContent {
    std::vector<ProfileRow> rows;
    std::vector<LinkMeasurement> links;
    bool gone = false;
};
Result<SharedContent> readShared(const SharedFile& file, const std::stop_token& stop,
                                 const Disk& disk = systemDisk());

// What makes two rows of a source the same point.
std::string pointKey(const ProfileRow& row);
// Timed collectives of a source that stand for each other; one import may bring several alike.
std::string pointKey(const LinkMeasurement& link);

} // namespace pw
