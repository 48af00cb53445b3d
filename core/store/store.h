// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/diagnostics.h"
#include "core/base/json.h"
#include "core/links/link_measurement.h"
#include "core/profile/profile.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw {

// The user's measurements, and the plans found for his problems, in one SQLite file: WAL (readers never wait
// for a writer, a second writer waits for its turn) where the file system allows it (journal.h), foreign
// keys, `user_version` migrations. Opening runs a quick check; a corrupt file, a newer version, a read-only
// or full disk are reported with the path, and nothing is overwritten. An older version is migrated when it
// is opened for writing; reading leaves its file as it is.
class ProfileStore {
public:
    enum class Mode { ReadOnly, ReadWrite }; // ReadWrite creates the file
    // `patience`: how long a writer waits for others before it says "in use". Who has worked for an hour for
    // what he stores waits longer than who can try again. The clock, which outlives the store, says when it
    // is over.
    static Result<ProfileStore> open(const std::filesystem::path& path, Mode mode,
                                     std::chrono::seconds patience = kShortPatience,
                                     const Clock& clock = systemClock());
    static constexpr std::chrono::seconds kShortPatience{5}, kLongPatience{300};
    ~ProfileStore();
    ProfileStore(ProfileStore&&) noexcept;
    ProfileStore& operator=(ProfileStore&&) noexcept;

    // Why a database that was opened for writing has no write-ahead log; nothing where it has.
    const std::optional<Diagnostic>& journalNote() const;

    struct SourceRow {
        std::string source, model, licence, date, software;
        std::vector<std::string> kinds;
        std::int64_t rows = 0;
        int links = 0; // timed collectives
    };
    Result<std::vector<SourceRow>> sources() const;
    // Empty names match all. Every source's own rows: merging is the ProfileTable's.
    Result<std::vector<ProfileRow>> rows(std::string_view model = {}, std::string_view source = {}) const;
    // The same one by one, for what is too much to hold; an error of `take` ends it.
    Status eachRow(std::string_view model, std::string_view source,
                   const std::function<Status(const ProfileRow&)>& take) const;
    // All or nothing: one transaction. A point that the same source has measured before is replaced, whatever
    // date, licence and software it was stored with.
    Result<std::int64_t> add(const std::vector<ProfileRow>& rows);
    // The same for rows that come one by one: `give` hands them to `take`. A failing one, like a failing
    // `take`, leaves the database as it was.
    using Take = std::function<Status(const ProfileRow& row)>;
    Result<std::int64_t> addFrom(const std::function<Status(const Take& take)>& give);
    // Measured rows and timed collectives in one transaction.
    Status addAll(const std::vector<ProfileRow>& rows, const std::vector<LinkMeasurement>& links);
    // Timed collectives, all or none. What the same source has timed before, the same collective between as
    // many ranks on as many hosts of one device, is replaced. Returns how many there were.
    Result<int> addLinks(const std::vector<LinkMeasurement>& links);
    // Every source's own, by source and date, then as they were added: which of them counts is
    // preferredLinks()'.
    Result<std::vector<LinkMeasurement>> links(std::string_view source = {}) const;
    // By its name as sources() has it. The number of rows and timed collectives removed.
    Result<int> remove(std::string_view source);
    Status check() const; // full integrity check

    struct ProblemRow {
        std::string hash, cluster, model;
        int plans = 0;
        Seconds best;
        std::string planner, date; // of the best
    };
    // Keeps the plans of a plan document under its problem's hash, all or none; a plan that is there already
    // is replaced. Returns how many there are now. `date` is ISO 8601.
    Result<int> keepPlans(const Json& document, const std::string& date);
    Result<std::vector<ProblemRow>> problems() const; // by cluster, model, hash
    // A plan document of all plans kept for the problem, the fastest first. `hash` may be its beginning.
    Result<Json> foundPlans(std::string_view hash) const;
    Result<int> forgetPlans(std::string_view hash); // number of plans removed

    struct Private;

private:
    explicit ProfileStore(std::unique_ptr<Private> p);
    Result<std::string> problemHash(std::string_view beginning) const;
    Result<std::int64_t> addFrom(const std::function<Status(const Take& take)>& give,
                                 const std::vector<LinkMeasurement>& links);
    Status checkLinks(const std::vector<LinkMeasurement>& links) const;
    void writeLinks(const std::vector<LinkMeasurement>& links); // inside a transaction; throws
    std::unique_ptr<Private> m_p;
};

} // namespace pw
