// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/exchange/imports/measurements/profile_file.h"
#include "core/links/link_fit.h"
#include "core/share/profile_folder.h"
#include "core/share/share.h"
#include "core/store/store.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

namespace pw {

namespace {

namespace fs = std::filesystem;

// A source's file as it is to be, and the points that it has, with what they say.
struct Leaf {
    SharedFile::Sort sort;
    std::string sourceName, sourceKey, text;
    std::set<std::string> points, figures;

    template <class Point>
    void add(const Point& point) {
        points.insert(pointKey(point));
        figures.insert(figuresOf(point));
    }
    template <class Point>
    bool has(const Point& point) const {
        return points.contains(pointKey(point));
    }
    template <class Point>
    bool says(const Point& point) const {
        return figures.contains(figuresOf(point));
    }

private:
    static std::string figuresOf(const ProfileRow& row) { return printProfile(row, ProfileFormat::Document); }
    static std::string figuresOf(const LinkMeasurement& link) { return toJson(link).dump(); }
};

class Publisher {
public:
    Publisher(const fs::path& folder, std::vector<SharedFile> there, const Disk& disk)
        : m_folder(folder), m_there(std::move(there)), m_disk(disk) {}

    Status publish(const Leaf& leaf) {
        const std::string name = sharedFileName(leaf.sort, leaf.sourceName, leaf.sourceKey, leaf.text);
        const auto same = std::ranges::find(m_there, m_folder / name, &SharedFile::path);
        if (same != m_there.end() && isWhole(*same)) {
            m_done.unchanged.push_back(name);
            return Ok{};
        }
        if (Status written = writeFileAtomically(m_folder / name, leaf.text, m_disk); !written)
            return written;
        m_done.written.push_back(name);
        const std::string source = sourceDigits(leaf.sourceKey);
        for (const SharedFile& old : m_there)
            if (old.sort == leaf.sort && old.path != m_folder / name && old.source == source)
                if (Status taken = takeAway(old, leaf); !taken)
                    return taken;
        return Ok{};
    }

    Published done() && { return std::move(m_done); }

private:
    bool isWhole(const SharedFile& file) const {
        const Result<SharedContent> content = readShared(file, {}, m_disk);
        return content && !content->gone;
    }

    // A damaged one is not looked into: who reads is told.
    Status takeAway(const SharedFile& old, const Leaf& leaf) {
        const Result<SharedContent> content = readShared(old, {}, m_disk);
        if (!content || content->gone)
            return Ok{};
        const auto has = [&](const auto& point) { return leaf.has(point); };
        const auto contradicts = [&](const auto& point) { return !leaf.says(point); };
        if (!std::ranges::all_of(content->rows, has) || !std::ranges::all_of(content->links, has))
            return Ok{};
        const std::error_code code = m_disk.remove(old.path);
        if (code == std::errc::no_such_file_or_directory) // somebody else has
            return Ok{};
        if (code)
            return failure("share.remove", old.path.string(),
                           {"cannot be removed ({reason})", {{"reason", code.message()}}});
        m_done.replaced.push_back(old.path.filename().string());
        m_done.changed += std::ranges::count_if(content->rows, contradicts) +
                          std::ranges::count_if(content->links, contradicts);
        return Ok{};
    }

    fs::path m_folder;
    std::vector<SharedFile> m_there; // before anything was written
    const Disk& m_disk;
    Published m_done;
};

std::string keyOf(const ProfileRow& r) {
    return fmt::format("{}\n{}\n{}\n{}\n{}", r.source, r.model, r.licence, r.date, r.software);
}

// The database gives the rows of one source one after the other, and always in the same order.
Status publishLayers(const ProfileStore& store, Publisher& publisher) {
    Leaf leaf{SharedFile::Sort::Layers, {}, {}, {}, {}, {}};
    constexpr ProfileFormat kForm = ProfileFormat::Document;
    const auto finish = [&]() -> Status {
        if (leaf.points.empty())
            return Ok{};
        leaf.text += profileFileEnd(kForm);
        return publisher.publish(leaf);
    };
    const Status read = store.eachRow({}, {}, [&](const ProfileRow& row) -> Status {
        if (leaf.points.empty() || keyOf(row) != leaf.sourceKey) {
            if (Status done = finish(); !done)
                return done;
            leaf = {SharedFile::Sort::Layers, row.source, keyOf(row), profileFileHead(kForm), {}, {}};
        } else {
            leaf.text += profileFileSeparator(kForm);
        }
        leaf.text += printProfile(row, kForm);
        leaf.add(row);
        return Ok{};
    });
    return read ? finish() : read;
}

// In an order of their own: the database keeps them as they came.
Status publishLinks(const ProfileStore& store, Publisher& publisher) {
    const Result<std::vector<LinkMeasurement>> links = store.links();
    if (!links)
        return links.error();
    std::map<std::string, std::map<std::string, std::vector<LinkMeasurement>>> sources; // by key, by text
    for (const LinkMeasurement& link : *links)
        sources[fmt::format("{}\n{}\n{}", link.source, link.date, link.software)][toJson(link).dump()]
            .push_back(link);
    for (const auto& [key, byText] : sources) {
        Leaf leaf{SharedFile::Sort::Links, {}, key, {}, {}, {}};
        std::vector<LinkMeasurement> own;
        for (const auto& [text, alike] : byText)
            own.insert(own.end(), alike.begin(), alike.end());
        for (const LinkMeasurement& link : own)
            leaf.add(link);
        leaf.sourceName = own.front().source;
        leaf.text = printLinks(own);
        if (Status done = publisher.publish(leaf); !done)
            return done;
    }
    return Ok{};
}

} // namespace

Result<Published> publishProfiles(const ProfileStore& store, const fs::path& folder, const Disk& disk) {
    if (const std::error_code code = disk.makeFolder(folder))
        return badInput("share.folder", folder.string(),
                        {"cannot be made ({reason})", {{"reason", code.message()}}});
    Result<std::vector<SharedFile>> there = sharedFiles(folder, disk);
    if (!there)
        return there.error();
    for (const fs::path& old : disk.abandoned(folder, {})) // of publishers that were killed
        if (isPartOfShared(old))
            disk.remove(old); // if it stays, nobody reads it
    Publisher publisher(folder, *std::move(there), disk);
    if (Status layers = publishLayers(store, publisher); !layers)
        return layers.error();
    if (Status links = publishLinks(store, publisher); !links)
        return links.error();
    return std::move(publisher).done();
}

} // namespace pw
