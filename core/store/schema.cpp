// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/schema.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Transaction.h>

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace pw {

namespace {

// Step i brings version i to i + 1. Steps are kept forever: a database of any age opens.
constexpr std::array kMigrations = {
    // 1: a source is what one import brought; a point is measured once a source, whatever the date of the
    // import.
    R"sql(
    CREATE TABLE source (
        id      INTEGER PRIMARY KEY,
        name    TEXT NOT NULL,
        model   TEXT NOT NULL,
        licence TEXT NOT NULL,
        date    TEXT NOT NULL,
        UNIQUE (name, model, licence, date)
    ) STRICT;
    CREATE TABLE measurement (
        source_id    INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
        kind         TEXT NOT NULL,
        layer        INTEGER NOT NULL CHECK (layer >= 0),
        tp           INTEGER NOT NULL CHECK (tp >= 1),
        mbs          INTEGER NOT NULL CHECK (mbs >= 1),
        seq          INTEGER NOT NULL CHECK (seq >= 0),
        precision    TEXT NOT NULL,
        forward_s    REAL NOT NULL CHECK (forward_s >= 0),
        backward_s   REAL NOT NULL CHECK (backward_s >= 0),
        update_s     REAL NOT NULL CHECK (update_s >= 0),
        memory_bytes REAL NOT NULL CHECK (memory_bytes >= 0),
        PRIMARY KEY (source_id, kind, layer, tp, mbs, seq, precision)
    ) STRICT, WITHOUT ROWID;
    )sql",
    // 2: single operators beside whole layers, what a source measured with and how sure it is of a point; the
    // plans found for a problem.
    R"sql(
    CREATE TABLE source_2 (
        id       INTEGER PRIMARY KEY,
        name     TEXT NOT NULL,
        model    TEXT NOT NULL,
        licence  TEXT NOT NULL,
        date     TEXT NOT NULL,
        software TEXT NOT NULL,
        UNIQUE (name, model, licence, date, software)
    ) STRICT;
    INSERT INTO source_2 SELECT id, name, model, licence, date, '' FROM source;
    CREATE TABLE measurement_2 (
        source_id    INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
        kind         TEXT NOT NULL,
        layer        INTEGER NOT NULL CHECK (layer >= 0),
        op           TEXT NOT NULL,
        shape        TEXT NOT NULL,
        tp           INTEGER NOT NULL CHECK (tp >= 1),
        mbs          INTEGER NOT NULL CHECK (mbs >= 1),
        seq          INTEGER NOT NULL CHECK (seq >= 0),
        precision    TEXT NOT NULL,
        forward_s    REAL NOT NULL CHECK (forward_s >= 0),
        backward_s   REAL NOT NULL CHECK (backward_s >= 0),
        update_s     REAL NOT NULL CHECK (update_s >= 0),
        memory_bytes REAL NOT NULL CHECK (memory_bytes >= 0),
        confidence   REAL NOT NULL CHECK (confidence BETWEEN 0 AND 1),
        PRIMARY KEY (source_id, kind, layer, op, shape, tp, mbs, seq, precision)
    ) STRICT, WITHOUT ROWID;
    INSERT INTO measurement_2 SELECT source_id, kind, layer, '', '', tp, mbs, seq, precision, forward_s,
        backward_s, update_s, memory_bytes, 0 FROM measurement;
    DROP TABLE measurement;
    DROP TABLE source;
    ALTER TABLE source_2 RENAME TO source;
    ALTER TABLE measurement_2 RENAME TO measurement;
    CREATE TABLE problem (
        hash          TEXT PRIMARY KEY,
        cluster       TEXT NOT NULL,
        model         TEXT NOT NULL,
        document      TEXT NOT NULL
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE found_plan (
        problem_hash TEXT NOT NULL REFERENCES problem (hash) ON DELETE CASCADE,
        plan_hash    TEXT NOT NULL,
        iteration_s  REAL NOT NULL CHECK (iteration_s > 0),
        planner      TEXT NOT NULL,
        tool_version TEXT NOT NULL,
        date         TEXT NOT NULL,
        document     TEXT NOT NULL,
        PRIMARY KEY (problem_hash, plan_hash)
    ) STRICT, WITHOUT ROWID;
    )sql",
    // 3: timed collectives beside the layers. One run of a source has its ranks, its samples and the line
    // through them, out of place and in place.
    R"sql(
    CREATE TABLE link_run (
        id          INTEGER PRIMARY KEY,
        source_id   INTEGER NOT NULL REFERENCES source (id) ON DELETE CASCADE,
        collective  TEXT NOT NULL,
        ranks       INTEGER NOT NULL CHECK (ranks >= 1),
        hosts       INTEGER NOT NULL CHECK (hosts >= 1),
        device      TEXT NOT NULL,
        stated_mean REAL
    ) STRICT;
    CREATE INDEX link_run_source ON link_run (source_id);
    CREATE TABLE link_device (
        run_id   INTEGER NOT NULL REFERENCES link_run (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        rank     INTEGER NOT NULL,
        host     TEXT NOT NULL,
        number   INTEGER NOT NULL,
        name     TEXT NOT NULL,
        bus_id   TEXT NOT NULL,
        PRIMARY KEY (run_id, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE link_sample (
        run_id   INTEGER NOT NULL REFERENCES link_run (id) ON DELETE CASCADE,
        in_place INTEGER NOT NULL CHECK (in_place IN (0, 1)),
        position INTEGER NOT NULL,
        bytes    REAL NOT NULL CHECK (bytes >= 0),
        time_s   REAL NOT NULL CHECK (time_s > 0),
        PRIMARY KEY (run_id, in_place, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE link_fit (
        run_id                      INTEGER NOT NULL REFERENCES link_run (id) ON DELETE CASCADE,
        in_place                    INTEGER NOT NULL CHECK (in_place IN (0, 1)),
        latency_s                   REAL NOT NULL CHECK (latency_s >= 0),
        algorithm_bytes_per_s       REAL NOT NULL CHECK (algorithm_bytes_per_s > 0),
        bus_bytes_per_s             REAL NOT NULL CHECK (bus_bytes_per_s >= 0),
        worst_error                 REAL NOT NULL CHECK (worst_error >= 0),
        PRIMARY KEY (run_id, in_place)
    ) STRICT, WITHOUT ROWID;
    )sql",
};

} // namespace

int storeVersion() {
    return static_cast<int>(kMigrations.size());
}

void migrateStore(SQLite::Database& database) {
    SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
    // Another program may have done it while this one waited for its turn.
    const int from = database.execAndGet("PRAGMA user_version").getInt();
    for (std::size_t step = static_cast<std::size_t>(from); step < kMigrations.size(); ++step)
        database.exec(kMigrations[step]);
    if (from < storeVersion()) {
        database.exec(fmt::format("PRAGMA application_id = {}", kStoreApplicationId));
        database.exec(fmt::format("PRAGMA user_version = {}", storeVersion()));
    }
    transaction.commit();
}

} // namespace pw
