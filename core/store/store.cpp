// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/store.h"

#include "core/store/connection.h"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <fmt/format.h>

#include <future>
#include <map>
#include <system_error>
#include <tuple>
#include <vector>

namespace pw {

namespace {

Status checkRow(const std::string& path, const ProfileRow& row, std::int64_t index) {
    const std::string problem = row.source.empty() ? "names no source" : rowProblem(row);
    if (problem.empty())
        return Ok{};
    return badInput("store.row", path,
                    {"measurement {index} ({model} layer {layer} on {kind}) {problem}",
                     {{"index", index + 1},
                      {"model", row.model},
                      {"layer", row.layer},
                      {"kind", row.kind},
                      {"problem", problem}}});
}

template <class... Values>
void runWithTexts(SQLite::Statement& statement, const Values&... values) {
    int index = 0;
    const auto bind = [&](const auto& value) {
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, std::string>)
            statement.bindNoCopy(++index, value); // outlives the step
        else
            statement.bind(++index, value);
    };
    (bind(values), ...);
    statement.exec();
    statement.reset();
}

// Puts rows into an open transaction. Rows of one source follow each other, so its id is looked up once.
class Writer {
public:
    explicit Writer(SQLite::Database& database)
        : m_addSource(database, "INSERT OR IGNORE INTO source (name, model, licence, date, software) "
                                "VALUES (?, ?, ?, ?, ?)"),
          m_findSource(database, "SELECT id FROM source WHERE name = ? AND model = ? AND licence = ? AND "
                                 "date = ? AND software = ?"),
          m_findOthers(database, "SELECT id FROM source WHERE name = ? AND model = ? AND id <> ?"),
          m_drop(database, "DELETE FROM measurement WHERE source_id = ? AND kind = ? AND layer = ? AND "
                           "op = ? AND shape = ? AND tp = ? AND mbs = ? AND seq = ? AND precision = ?"),
          m_add(database,
                "INSERT OR REPLACE INTO measurement VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)") {}

    void add(const ProfileRow& row) {
        const Source& source = sourceOf(row);
        for (const std::int64_t other : source.others)
            runWithTexts(m_drop, other, row.kind, row.layer, row.op, row.shape, row.tp, row.mbs, row.seq,
                         row.precision);
        runWithTexts(m_add, source.id, row.kind, row.layer, row.op, row.shape, row.tp, row.mbs, row.seq,
                     row.precision, row.forward.value, row.backward.value, row.update.value, row.memory.value,
                     row.confidence);
    }

private:
    // With the other sources of that name and model, whose points it replaces.
    struct Source {
        std::int64_t id = 0;
        std::vector<std::int64_t> others;
    };
    using Key = std::tuple<std::string, std::string, std::string, std::string, std::string>;

    const Source& sourceOf(const ProfileRow& row) {
        const auto same = [](const ProfileRow& r) {
            return std::tie(r.source, r.model, r.licence, r.date, r.software);
        };
        if (m_last && m_lastKey == same(row))
            return *m_last;
        m_lastKey = same(row);
        const auto [at, fresh] = m_sources.try_emplace(m_lastKey);
        if (fresh) {
            runWithTexts(m_addSource, row.source, row.model, row.licence, row.date, row.software);
            at->second.id =
                ids(m_findSource, row.source, row.model, row.licence, row.date, row.software).front();
            // One import may bring several of a name; each has to know the others.
            for (auto& [key, source] : m_sources)
                if (std::get<0>(key) == row.source && std::get<1>(key) == row.model)
                    source.others = ids(m_findOthers, row.source, row.model, source.id);
        }
        m_last = &at->second;
        return *m_last;
    }

    template <class... Values>
    std::vector<std::int64_t> ids(SQLite::Statement& query, const Values&... values) {
        int index = 0;
        (query.bind(++index, values), ...);
        std::vector<std::int64_t> found;
        while (query.executeStep())
            found.push_back(query.getColumn(0).getInt64());
        query.reset();
        return found;
    }

    SQLite::Statement m_addSource, m_findSource, m_findOthers, m_drop, m_add;
    std::map<Key, Source> m_sources;
    Key m_lastKey;
    const Source* m_last = nullptr;
};

// Rows for a writer, a batch of which is written while the next one comes in.
class InBatches {
public:
    explicit InBatches(Writer& writer) : m_writer(writer) {}
    // Throws what writing a batch before this one has thrown.
    void add(const ProfileRow& row) {
        if (m_count == m_coming.size())
            m_coming.emplace_back();
        m_coming[m_count++] = row; // into strings that are there
        if (m_count < kBatch)
            return;
        wait();
        std::swap(m_coming, m_going);
        m_count = 0;
        try {
            m_written = std::async(std::launch::async, [this] { write(m_going, kBatch); });
        } catch (const std::system_error&) { // no thread is to be had
            write(m_going, kBatch);
        }
    }
    void finish() {
        wait();
        write(m_coming, m_count);
    }

private:
    static constexpr std::size_t kBatch = 4096;
    void wait() {
        if (m_written.valid())
            m_written.get();
    }
    void write(const std::vector<ProfileRow>& rows, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i)
            m_writer.add(rows[i]);
    }

    Writer& m_writer;
    std::vector<ProfileRow> m_coming, m_going;
    std::size_t m_count = 0;
    std::future<void> m_written; // ends first: its end waits for who writes
};

} // namespace

ProfileStore::ProfileStore(std::unique_ptr<Private> p) : m_p(std::move(p)) {}
ProfileStore::~ProfileStore() = default;
ProfileStore::ProfileStore(ProfileStore&&) noexcept = default;
ProfileStore& ProfileStore::operator=(ProfileStore&&) noexcept = default;

Result<std::vector<ProfileStore::SourceRow>> ProfileStore::sources() const {
    try {
        SQLite::Statement query(
            m_p->database,
            "SELECT name, model, licence, date, software, kind, count(kind), "
            "(SELECT count(*) FROM link_run WHERE link_run.source_id = source.id) "
            "FROM source LEFT JOIN measurement ON measurement.source_id = id GROUP BY id, kind "
            "ORDER BY name, model, date, licence, software, kind");
        std::vector<SourceRow> list;
        while (query.executeStep()) {
            SourceRow row;
            row.source = textAt(query, 0);
            row.model = textAt(query, 1);
            row.licence = textAt(query, 2);
            row.date = textAt(query, 3);
            row.software = textAt(query, 4);
            const auto key = [](const SourceRow& r) {
                return std::tie(r.source, r.model, r.licence, r.date, r.software);
            };
            if (list.empty() || key(list.back()) != key(row))
                list.push_back(std::move(row));
            list.back().links = query.getColumn(7).getInt();
            if (query.getColumn(5).isNull())
                continue; // timed collectives alone
            list.back().kinds.push_back(textAt(query, 5));
            list.back().rows += query.getColumn(6).getInt64();
        }
        return list;
    } catch (const SQLite::Exception& error) {
        return storeError(*m_p, error);
    }
}

Status ProfileStore::eachRow(std::string_view model, std::string_view source,
                             const std::function<Status(const ProfileRow&)>& take) const {
    try {
        SQLite::Statement query(
            m_p->database, "SELECT model, kind, layer, tp, mbs, seq, precision, forward_s, backward_s, "
                           "update_s, memory_bytes, name, licence, date, op, shape, software, confidence "
                           "FROM source JOIN measurement ON source_id = id "
                           "WHERE (?1 = '' OR model = ?1) AND (?2 = '' OR name = ?2) ORDER BY model, "
                           "date, name, licence, software, kind, layer, op, shape, tp, mbs, seq, precision");
        query.bind(1, std::string(model));
        query.bind(2, std::string(source));
        ProfileRow row;
        while (query.executeStep()) {
            row.model = textAt(query, 0);
            row.kind = textAt(query, 1);
            row.layer = query.getColumn(2).getInt();
            row.tp = query.getColumn(3).getInt();
            row.mbs = query.getColumn(4).getInt();
            row.seq = query.getColumn(5).getInt64();
            row.precision = textAt(query, 6);
            row.forward = Seconds(query.getColumn(7).getDouble());
            row.backward = Seconds(query.getColumn(8).getDouble());
            row.update = Seconds(query.getColumn(9).getDouble());
            row.memory = Bytes(query.getColumn(10).getDouble());
            row.source = textAt(query, 11);
            row.licence = textAt(query, 12);
            row.date = textAt(query, 13);
            row.op = textAt(query, 14);
            row.shape = textAt(query, 15);
            row.software = textAt(query, 16);
            row.confidence = query.getColumn(17).getDouble();
            if (Status taken = take(row); !taken)
                return taken;
        }
        return Ok{};
    } catch (const SQLite::Exception& error) {
        return storeError(*m_p, error);
    }
}

Result<std::vector<ProfileRow>> ProfileStore::rows(std::string_view model, std::string_view source) const {
    std::vector<ProfileRow> list;
    const Status read = eachRow(model, source, [&](const ProfileRow& row) -> Status {
        list.push_back(row);
        return Ok{};
    });
    if (!read)
        return read.error();
    return list;
}

const std::optional<Diagnostic>& ProfileStore::journalNote() const {
    return m_p->journal;
}

Result<std::int64_t> ProfileStore::addFrom(const std::function<Status(const Take&)>& give) {
    return addFrom(give, {});
}

Status ProfileStore::addAll(const std::vector<ProfileRow>& rows, const std::vector<LinkMeasurement>& links) {
    const Result<std::int64_t> added = addFrom(
        [&](const Take& take) -> Status {
            for (const ProfileRow& row : rows)
                if (Status taken = take(row); !taken)
                    return taken;
            return Ok{};
        },
        links);
    return added ? Status(Ok{}) : Status(added.error());
}

Result<std::int64_t> ProfileStore::addFrom(const std::function<Status(const Take&)>& give,
                                           const std::vector<LinkMeasurement>& links) {
    if (Status sound = checkLinks(links); !sound)
        return sound.error();
    try {
        SQLite::Transaction transaction(m_p->database, SQLite::TransactionBehavior::IMMEDIATE);
        Writer writer(m_p->database);
        InBatches batches(writer);
        std::int64_t count = 0;
        const Status given = give([&](const ProfileRow& row) -> Status {
            if (Status good = checkRow(m_p->path, row, count); !good)
                return good;
            try {
                batches.add(row);
            } catch (const SQLite::Exception& error) {
                return storeError(*m_p, error);
            }
            ++count;
            return Ok{};
        });
        if (!given)
            return given.error();
        batches.finish();
        writeLinks(links);
        m_p->database.exec(kDropEmptySources);
        transaction.commit();
        return count;
    } catch (const SQLite::Exception& error) {
        return storeError(*m_p, error);
    }
}

Result<std::int64_t> ProfileStore::add(const std::vector<ProfileRow>& rows) {
    return addFrom([&](const Take& take) -> Status {
        for (const ProfileRow& row : rows)
            if (Status taken = take(row); !taken)
                return taken;
        return Ok{};
    });
}

Result<int> ProfileStore::remove(std::string_view source) {
    try {
        SQLite::Database& database = m_p->database;
        SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
        std::vector<std::int64_t> ids; // by the name that is shown, which need not be the stored one
        SQLite::Statement query(database, "SELECT id, name FROM source");
        while (query.executeStep())
            if (textAt(query, 1) == source)
                ids.push_back(query.getColumn(0).getInt64());
        query.reset();
        int removed = 0;
        for (const char* table : {"measurement", "link_run"}) {
            SQLite::Statement drop(database, fmt::format("DELETE FROM {} WHERE source_id = ?", table));
            for (const std::int64_t id : ids) {
                drop.bind(1, id);
                removed += drop.exec();
                drop.reset();
            }
        }
        database.exec(kDropEmptySources);
        transaction.commit();
        return removed;
    } catch (const SQLite::Exception& error) {
        return storeError(*m_p, error);
    }
}

Status ProfileStore::check() const {
    try {
        SQLite::Database& database = m_p->database;
        Error error = failure("store.corrupt", m_p->path, "is damaged");
        addIntegrityProblems(database, "integrity_check", error);
        SQLite::Statement orphans(database, "PRAGMA foreign_key_check");
        while (orphans.executeStep())
            error.because({"table {table} refers to a missing row of {other}",
                           {{"table", textAt(orphans, 0)}, {"other", textAt(orphans, 2)}}});
        if (error.reasons.empty())
            return Ok{};
        return error;
    } catch (const SQLite::Exception& error) {
        return storeError(*m_p, error);
    }
}

} // namespace pw
