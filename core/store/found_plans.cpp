// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/connection.h"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>

#include <nlohmann/json.hpp>

namespace pw {

// Text in, text out: what a plan means is told by its document, which whoever takes it out reads under that
// document's own rules.

Result<int> ProfileStore::keepPlans(const Json& document, const std::string& date) {
    const JsonReader file(document, m_p->path);
    const std::string schema = file.text("schema"), hash = file.text("problem_hash");
    const std::string version = file.text("tool_version");
    const JsonReader problem = file.object("problem");
    const std::string cluster = problem.object("cluster").text("name", "");
    const std::string model = problem.object("model").text("name", "");
    struct Found {
        std::string hash, planner, text;
        double iteration;
    };
    std::vector<Found> plans;
    for (const JsonReader& entry : file.array("plans")) {
        Found found{entry.text("plan_hash"),
                    entry.text("planner", file.text("planner", "")),
                    {},
                    entry.number("iteration_s", 0.0, 1e12)};
        Json kept = entry.value();
        kept["planner"] = found.planner; // of the document, which is not kept
        found.text = kept.dump();
        plans.push_back(std::move(found));
    }
    if (Status read = file.status(); !read)
        return read.error();
    try {
        SQLite::Database& database = m_p->database;
        SQLite::Transaction transaction(database, SQLite::TransactionBehavior::IMMEDIATE);
        SQLite::Statement addProblem(database, "INSERT OR IGNORE INTO problem VALUES (?, ?, ?, ?)");
        addProblem.bind(1, hash);
        addProblem.bind(2, cluster);
        addProblem.bind(3, model);
        addProblem.bind(4, Json{{"schema", schema}, {"problem", problem.value()}}.dump());
        addProblem.exec();
        SQLite::Statement add(database, "INSERT OR REPLACE INTO found_plan VALUES (?, ?, ?, ?, ?, ?, ?)");
        for (const Found& found : plans) {
            add.bind(1, hash);
            add.bind(2, found.hash);
            add.bind(3, found.iteration);
            add.bind(4, found.planner);
            add.bind(5, version);
            add.bind(6, date);
            add.bind(7, found.text);
            add.exec();
            add.reset();
        }
        SQLite::Statement count(database, "SELECT count(*) FROM found_plan WHERE problem_hash = ?");
        count.bind(1, hash);
        count.executeStep();
        const int now = count.getColumn(0).getInt();
        count.reset();
        transaction.commit();
        return now;
    } catch (const SQLite::Exception& error) {
        return storeError(*m_p, error);
    }
}

Result<std::vector<ProfileStore::ProblemRow>> ProfileStore::problems() const {
    try {
        // Beside min() SQLite takes the other columns from the row that has it.
        SQLite::Statement query(m_p->database,
                                "SELECT hash, cluster, model, count(*), min(iteration_s), planner, date FROM "
                                "problem JOIN found_plan ON problem_hash = hash GROUP BY hash "
                                "ORDER BY cluster, model, hash");
        std::vector<ProblemRow> list;
        while (query.executeStep())
            list.push_back({textAt(query, 0), textAt(query, 1), textAt(query, 2), query.getColumn(3).getInt(),
                            Seconds(query.getColumn(4).getDouble()), textAt(query, 5), textAt(query, 6)});
        return list;
    } catch (const SQLite::Exception& error) {
        return storeError(*m_p, error);
    }
}

Result<std::string> ProfileStore::problemHash(std::string_view beginning) const {
    std::vector<std::string> matches;
    SQLite::Statement query(m_p->database,
                            "SELECT hash FROM problem WHERE substr(hash, 1, length(?1)) = ?1 LIMIT 2");
    query.bind(1, std::string(beginning));
    while (query.executeStep())
        matches.push_back(textAt(query, 0));
    if (matches.empty())
        return badInput("store.no_problem", m_p->path,
                        {"keeps no plans of a problem \"{beginning}\"", {{"beginning", beginning}}});
    if (matches.size() > 1)
        return badInput(
            "store.ambiguous", m_p->path,
            {"keeps plans of several problems that begin with \"{beginning}\"", {{"beginning", beginning}}});
    return matches.front();
}

Result<Json> ProfileStore::foundPlans(std::string_view hash) const {
    try {
        const Result<std::string> whole = problemHash(hash);
        if (!whole)
            return whole.error();
        Json plans = Json::array();
        std::string version;
        SQLite::Statement query(
            m_p->database, "SELECT found_plan.document, tool_version FROM found_plan WHERE problem_hash = ? "
                           "ORDER BY iteration_s, plan_hash");
        query.bind(1, *whole);
        while (query.executeStep()) {
            Result<Json> entry = parseJson(textAt(query, 0), m_p->path);
            if (!entry)
                return entry.error();
            if (version.empty())
                version = textAt(query, 1);
            plans.push_back(*std::move(entry));
        }
        SQLite::Statement question(m_p->database, "SELECT document FROM problem WHERE hash = ?");
        question.bind(1, *whole);
        question.executeStep();
        Result<Json> document = parseJson(textAt(question, 0), m_p->path);
        if (document)
            document->update(
                {{"problem_hash", *whole}, {"tool_version", version}, {"plans", std::move(plans)}});
        return document;
    } catch (const SQLite::Exception& error) {
        return storeError(*m_p, error);
    }
}

Result<int> ProfileStore::forgetPlans(std::string_view hash) {
    try {
        SQLite::Transaction transaction(m_p->database, SQLite::TransactionBehavior::IMMEDIATE);
        const Result<std::string> whole = problemHash(hash);
        if (!whole)
            return whole.error();
        SQLite::Statement drop(m_p->database, "DELETE FROM found_plan WHERE problem_hash = ?");
        drop.bind(1, *whole);
        const int removed = drop.exec();
        SQLite::Statement dropProblem(m_p->database, "DELETE FROM problem WHERE hash = ?");
        dropProblem.bind(1, *whole);
        dropProblem.exec();
        transaction.commit();
        return removed;
    } catch (const SQLite::Exception& error) {
        return storeError(*m_p, error);
    }
}

} // namespace pw
