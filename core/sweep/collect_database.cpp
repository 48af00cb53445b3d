// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/hash.h"
#include "core/base/json.h"
#include "core/store/journal.h"
#include "core/sweep/collect.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pw {

namespace {

constexpr int kApplicationId = 0x50575357; // "PWSW"
constexpr int kPatienceMs = 60'000;        // two may collect at once

std::string quoted(const std::string& name) {
    std::string text = "\"";
    for (const char c : name)
        text += c == '"' ? std::string("\"\"") : std::string(1, c);
    return text + '"';
}

const char* sqlType(ResultColumn::Type type) {
    return type == ResultColumn::Type::Integer ? "INTEGER"
           : type == ResultColumn::Type::Real  ? "REAL"
                                               : "TEXT";
}

void bindJson(SQLite::Statement& statement, int index, const Json& value) {
    if (value.is_null())
        statement.bind(index);
    else if (value.is_number_integer())
        statement.bind(index, value.get<std::int64_t>());
    else if (value.is_number())
        statement.bind(index, value.get<double>());
    else
        statement.bind(index, value.is_string() ? value.get<std::string>() : value.dump());
}

// Columns of both tables; the columns of the view are these in the order of the CSV.
class SweepDatabase {
public:
    SweepDatabase(const std::filesystem::path& path, const SweepFolder& folder)
        : m_folder(folder),
          m_database(path.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kPatienceMs),
          m_columns(recordColumns().begin(), recordColumns().end()) {
        if (folder.sweep.training)
            m_columns.insert(m_columns.end(), trainingColumns().begin(), trainingColumns().end());
    }
    Result<std::size_t> take(const std::string& path, const Collection& collection);

private:
    bool isEmpty() { return m_database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0; }
    void create();
    bool isOurs();
    void putTasks(const Collection& collection);
    void bind(SQLite::Statement& statement, const Collection& collection, std::size_t row,
              std::size_t columns) const;
    Result<std::size_t> putResults(const std::string& path, const Collection& collection);
    // What tells one sweep from another: its document and the content of its inputs.
    std::string identity() const { return hashText(m_folder.sweep.source + packed(m_folder.inputs).index); }

    const SweepFolder& m_folder;
    SQLite::Database m_database;
    std::vector<ResultColumn> m_columns;
};

void SweepDatabase::create() {
    m_database.exec(fmt::format("PRAGMA application_id = {}", kApplicationId));
    m_database.exec("CREATE TABLE sweep (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID");
    std::string axes, figures, view = "task, t.id";
    for (const SweepAxis& axis : m_folder.sweep.axes) {
        axes += ", " + quoted(axis.name);
        view += ", t." + quoted(axis.name);
    }
    for (const ResultColumn& column : m_columns) {
        const std::string name = columnName(m_folder.sweep, column);
        figures += fmt::format(", {} {}", name, sqlType(column.type));
        view += fmt::format(", r.{}", name);
    }
    m_database.exec(fmt::format("CREATE TABLE task (task INTEGER PRIMARY KEY, id TEXT NOT NULL{}, "
                                "state TEXT NOT NULL)",
                                axes));
    m_database.exec("CREATE INDEX task_id ON task (id)");
    m_database.exec(fmt::format("CREATE TABLE result (id TEXT PRIMARY KEY, status TEXT{})", figures));
    m_database.exec(
        fmt::format("CREATE VIEW sweep_row AS SELECT {}, coalesce(r.status, t.state) AS status FROM "
                    "task t LEFT JOIN result r ON r.id = t.id ORDER BY task",
                    view));
    SQLite::Statement put(m_database, "INSERT INTO sweep VALUES (?, ?)");
    for (const auto& [key, value] :
         {std::pair("identity", identity()), std::pair("document", m_folder.sweep.source),
          std::pair("name", m_folder.sweep.name)}) {
        put.bind(1, key);
        put.bind(2, value);
        put.exec();
        put.reset();
    }
}

bool SweepDatabase::isOurs() {
    if (m_database.execAndGet("PRAGMA application_id").getInt() != kApplicationId)
        return false;
    SQLite::Statement get(m_database, "SELECT value FROM sweep WHERE key = 'identity'");
    return get.executeStep() && get.getColumn(0).getString() == identity();
}

void SweepDatabase::putTasks(const Collection& collection) {
    std::string marks;
    for (std::size_t a = 0; a < m_folder.sweep.axes.size() + 3; ++a)
        marks += a == 0 ? "?" : ", ?";
    SQLite::Statement put(m_database, "INSERT OR REPLACE INTO task VALUES (" + marks + ")");
    for (std::size_t i = 0; i < collection.tasks.size(); ++i) {
        const TaskLine& task = collection.tasks[i];
        int index = 1;
        put.bind(index++, static_cast<std::int64_t>(task.number));
        put.bind(index++, task.id);
        for (std::size_t a = 0; a < m_folder.sweep.axes.size(); ++a)
            bindJson(put, index++, Json::parse(m_folder.sweep.axes[a].values[task.at[a]]));
        const CollectedTask& row = collection.rows[i];
        put.bind(index, row.failed ? kFailedStatus : row.record.empty() ? kOpenStatus : "done");
        put.exec();
        put.reset();
    }
}

// To ?1, the id, ?2, the status, and one for each of so many columns.
void SweepDatabase::bind(SQLite::Statement& statement, const Collection& collection, std::size_t row,
                         std::size_t columns) const {
    const Json record = Json::parse(collection.rows[row].record);
    statement.bind(1, collection.tasks[row].id);
    bindJson(statement, 2, record.value("status", Json(nullptr)));
    for (std::size_t c = 0; c < columns; ++c)
        bindJson(statement, static_cast<int>(c) + 3, columnValue(collection.rows[row], record, m_columns[c]));
}

// What another version of the program worked out takes the place of what is there; the same one must agree,
// but for the time and the host, and for what a training run comes to: that is this program's, whoever worked
// the task out.
Result<std::size_t> SweepDatabase::putResults(const std::string& path, const Collection& collection) {
    std::string marks = "?1, ?2", set = "status = ?2", differs = "status IS NOT ?2", sameVersion = "1";
    for (std::size_t c = 0; c < m_columns.size(); ++c) {
        const std::string name = columnName(m_folder.sweep, m_columns[c]), key = m_columns[c].key;
        const std::string mark = fmt::format("?{}", c + 3);
        marks += ", " + mark;
        set += fmt::format(", {} = {}", name, mark);
        if (key == "tool_version")
            sameVersion = fmt::format("{} IS {}", name, mark);
        else if (c < recordColumns().size() && key != "wall_s" && key != "host")
            differs += fmt::format(" OR {} IS NOT {}", name, mark);
    }
    SQLite::Statement known(m_database,
                            fmt::format("SELECT {}, {} FROM result WHERE id = ?1", sameVersion, differs));
    SQLite::Statement put(
        m_database,
        fmt::format("INSERT INTO result VALUES ({}) ON CONFLICT (id) DO UPDATE SET {}", marks, set));
    std::size_t changed = 0;
    for (std::size_t i = 0; i < collection.tasks.size(); ++i) {
        if (collection.rows[i].record.empty())
            continue;
        bind(known, collection, i, recordColumns().size());
        const bool isOfThisVersion = known.executeStep() && known.getColumn(0).getInt() != 0;
        if (isOfThisVersion && known.getColumn(1).getInt() != 0)
            return failure(
                "sweep.disagreement", path,
                {"has another result of task {id} than {other}: the searches did not repeat exactly",
                 {{"id", collection.tasks[i].id}, {"other", m_folder.resultsFolder().string()}}});
        known.reset();
        bind(put, collection, i, m_columns.size());
        put.exec();
        put.reset();
        changed += isOfThisVersion ? 0 : 1;
    }
    return changed;
}

Result<std::size_t> SweepDatabase::take(const std::string& path, const Collection& collection) {
    SQLite::Transaction transaction(m_database, SQLite::TransactionBehavior::IMMEDIATE);
    if (isEmpty())
        create();
    else if (!isOurs())
        return badInput("sweep.database", path, "holds something else than the results of this sweep");
    putTasks(collection);
    Result<std::size_t> changed = putResults(path, collection);
    if (changed)
        transaction.commit();
    return changed;
}

} // namespace

Result<std::size_t> writeSweepDatabase(const std::filesystem::path& path, const SweepFolder& folder,
                                       const Collection& collection) {
    if (Status database = checkLength(path); !database)
        return database.error();
    try {
        return SweepDatabase(path, folder).take(path.string(), collection);
    } catch (const SQLite::Exception& error) {
        return failure("sweep.database", path.string(),
                       {"cannot be written ({reason}); it is as it was before", {{"reason", error.what()}}});
    }
}

} // namespace pw
