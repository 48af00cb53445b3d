// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/date.h"
#include "core/share/profile_folder.h"
#include "core/share/share.h"
#include "core/store/store.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>

namespace pw {

namespace {

namespace fs = std::filesystem;

// Collectives of one source that stand for each other, all of one date.
struct Alike {
    std::string date;
    std::vector<LinkMeasurement> links;
};

// Of texts that are no dates the greater one: any order will do that is always the same.
bool isLater(const std::string& a, const std::string& b) {
    return std::pair(sortableDate(a), std::string_view(a)) > std::pair(sortableDate(b), std::string_view(b));
}

std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>
order(const ProfileRow& row) {
    return {sortableDate(row.date), row.date, row.software, row.licence};
}

bool sameLinks(std::vector<LinkMeasurement> a, std::vector<LinkMeasurement> b) {
    return a.size() == b.size() && std::ranges::is_permutation(a, b);
}

// What the files of a folder say together, each point once.
class Gathered {
public:
    Status add(const SharedFile& file, const SharedContent& content) {
        for (const ProfileRow& row : content.rows) {
            const auto [at, fresh] = m_rows.try_emplace(pointKey(row), Row{row, &file});
            if (fresh || at->second.row == row)
                continue;
            if (order(at->second.row) == order(row))
                return contradiction(*at->second.file, file, row.kind);
            if (order(at->second.row) < order(row))
                at->second = Row{row, &file};
        }
        std::map<std::string, Alike> own; // a file is of one date
        for (const LinkMeasurement& link : content.links) {
            Alike& alike = own[pointKey(link)];
            alike.date = link.date;
            alike.links.push_back(link);
        }
        for (auto& [key, alike] : own) {
            const auto [at, fresh] = m_links.try_emplace(key, Links{alike, &file});
            if (fresh || sameLinks(at->second.alike.links, alike.links))
                continue;
            if (at->second.alike.date == alike.date)
                return contradiction(*at->second.file, file, alike.links.front().collective);
            if (isLater(alike.date, at->second.alike.date))
                at->second = Links{std::move(alike), &file};
        }
        return Ok{};
    }

    bool empty() const { return m_rows.empty() && m_links.empty(); }

    // Puts what the database has not into it.
    Result<Pulled> into(ProfileStore& store) const {
        Pulled pulled;
        std::map<std::string, ProfileRow> rows; // that the database has
        const Status read = store.eachRow({}, {}, [&](const ProfileRow& row) -> Status {
            if (std::string key = pointKey(row); m_rows.contains(key))
                rows.emplace(std::move(key), row);
            return Ok{};
        });
        if (!read)
            return read.error();
        const Result<std::vector<LinkMeasurement>> links = store.links();
        if (!links)
            return links.error();
        std::map<std::string, Alike> alike;
        for (const LinkMeasurement& link : *links) {
            Alike& own = alike[pointKey(link)];
            if (own.links.empty() || isLater(link.date, own.date))
                own.date = link.date;
            own.links.push_back(link);
        }
        // True if what is there is to give way, or is not there.
        const auto counts = [&](bool there, bool equal, bool newer, std::size_t points) {
            (equal   ? pulled.unchanged
             : newer ? pulled.newerHere
             : there ? pulled.replaced
                     : pulled.added) += static_cast<std::int64_t>(points);
            return !equal && !newer;
        };
        std::vector<ProfileRow> takenRows;
        std::vector<LinkMeasurement> takenLinks;
        for (const auto& [key, own] : m_rows) {
            const auto at = rows.find(key);
            const bool there = at != rows.end();
            if (counts(there, there && at->second == own.row, there && isLater(at->second.date, own.row.date),
                       1))
                takenRows.push_back(own.row);
        }
        for (const auto& [key, own] : m_links) {
            const auto at = alike.find(key);
            const bool there = at != alike.end();
            if (counts(there, there && sameLinks(at->second.links, own.alike.links),
                       there && isLater(at->second.date, own.alike.date), own.alike.links.size()))
                takenLinks.insert(takenLinks.end(), own.alike.links.begin(), own.alike.links.end());
        }
        if (takenRows.empty() && takenLinks.empty())
            return pulled;
        if (Status added = store.addAll(takenRows, takenLinks); !added)
            return added.error();
        return pulled;
    }

private:
    struct Row {
        ProfileRow row;
        const SharedFile* file;
    };
    struct Links {
        Alike alike;
        const SharedFile* file;
    };

    static Status contradiction(const SharedFile& a, const SharedFile& b, const std::string& of) {
        return badInput(
            "share.conflict", b.path.string(),
            {"and {other} differ in a point of {kind} of one source and date; remove the wrong one",
             {{"other", a.path.filename().string()}, {"kind", of}}});
    }

    std::map<std::string, Row> m_rows;    // by pointKey()
    std::map<std::string, Links> m_links; // likewise
};

// Nothing where a file, `gone`, went while it was read: somebody has published a newer one, which a look at
// the folder finds.
Result<std::optional<Pulled>> pullOnce(const fs::path& folder, const fs::path& database, fs::path& gone,
                                       const std::stop_token& stop) {
    const Result<std::vector<SharedFile>> files = sharedFiles(folder);
    if (!files)
        return files.error();
    Gathered gathered;
    for (const SharedFile& file : *files) {
        const Result<SharedContent> content = readShared(file, stop);
        if (!content)
            return content.error();
        if (content->gone) {
            gone = file.path;
            return std::optional<Pulled>();
        }
        if (Status added = gathered.add(file, *content); !added)
            return added.error();
    }
    Pulled pulled;
    if (!gathered.empty()) {
        Result<ProfileStore> store =
            ProfileStore::open(database, ProfileStore::Mode::ReadWrite, ProfileStore::kLongPatience);
        if (!store)
            return store.error();
        const Result<Pulled> taken = gathered.into(*store);
        if (!taken)
            return taken.error();
        pulled = *taken;
        pulled.journal = store->journalNote();
    }
    pulled.files = static_cast<int>(files->size());
    return std::optional<Pulled>(pulled);
}

} // namespace

Result<Pulled> pullProfiles(const fs::path& folder, const fs::path& database, const std::stop_token& stop) {
    constexpr int kLooks = 20;
    fs::path gone;
    for (int look = 0; look < kLooks; ++look) {
        Result<std::optional<Pulled>> looked = pullOnce(folder, database, gone, stop);
        if (!looked)
            return looked.error();
        if (const std::optional<Pulled> pulled = *std::move(looked))
            return *pulled;
    }
    return failure(
        "share.busy", gone.string(),
        "is listed and not to be found: the folder changes faster than it can be read, or this is a link "
        "that leads nowhere");
}

} // namespace pw
