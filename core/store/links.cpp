// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/links/link_apply.h"
#include "core/links/link_check.h"
#include "core/store/connection.h"

#include <SQLiteCpp/Statement.h>
#include <SQLiteCpp/Transaction.h>
#include <SQLiteCpp/VariadicBind.h>

#include <array>
#include <map>

namespace pw {

namespace {

// A step of a prepared statement, which may be taken again.
template <class... Values>
void run(SQLite::Statement& statement, const Values&... values) {
    SQLite::bind(statement, values...);
    statement.exec();
    statement.reset();
}

// The two halves of a measurement, by the column in_place.
struct Half {
    const std::vector<LinkSample>* samples;
    const std::optional<LinkFit>* fit;
};
std::array<Half, 2> halvesOf(const LinkMeasurement& m) {
    return {Half{&m.outOfPlace, &m.outOfPlaceFit}, Half{&m.inPlace, &m.inPlaceFit}};
}

// Puts timed collectives into an open transaction.
class LinkWriter {
public:
    explicit LinkWriter(SQLite::Database& database)
        : m_database(database),
          m_addSource(database, "INSERT OR IGNORE INTO source (name, model, licence, date, software) "
                                "VALUES (?, '', '', ?, ?)"),
          m_findSource(database, "SELECT id FROM source WHERE name = ? AND model = '' AND licence = '' AND "
                                 "date = ? AND software = ?"),
          m_drop(database, "DELETE FROM link_run WHERE id <= ? AND collective = ? AND ranks = ? AND "
                           "hosts = ? AND device = ? AND source_id IN "
                           "(SELECT id FROM source WHERE name = ?)"),
          m_addRun(database, "INSERT INTO link_run (source_id, collective, ranks, hosts, device, "
                             "stated_mean) VALUES (?, ?, ?, ?, ?, ?)"),
          m_addDevice(database, "INSERT INTO link_device VALUES (?, ?, ?, ?, ?, ?, ?)"),
          m_addSample(database, "INSERT INTO link_sample VALUES (?, ?, ?, ?, ?)"),
          m_addFit(database, "INSERT INTO link_fit VALUES (?, ?, ?, ?, ?, ?)"),
          // What one import brings stands side by side, even if it timed the same twice.
          m_before(database.execAndGet("SELECT coalesce(max(id), 0) FROM link_run").getInt64()) {}

    void add(const LinkMeasurement& m) {
        const std::string device = deviceName(m);
        run(m_drop, m_before, m.collective, m.ranks, hostCount(m), device, m.source);
        m_addRun.bind(1, sourceOf(m));
        m_addRun.bind(2, m.collective);
        m_addRun.bind(3, m.ranks);
        m_addRun.bind(4, hostCount(m));
        m_addRun.bind(5, device);
        if (m.statedMean)
            m_addRun.bind(6, *m.statedMean);
        else
            m_addRun.bind(6);
        m_addRun.exec();
        m_addRun.reset();
        const std::int64_t id = m_database.getLastInsertRowid();
        int position = 0;
        for (const LinkDevice& d : m.devices)
            run(m_addDevice, id, position++, d.rank, d.host, d.index, d.name, d.busId);
        int inPlace = 0;
        for (const Half& half : halvesOf(m)) {
            position = 0;
            for (const LinkSample& s : *half.samples)
                run(m_addSample, id, inPlace, position++, s.size.value, s.time.value);
            if (const std::optional<LinkFit>& fit = *half.fit)
                run(m_addFit, id, inPlace, fit->latency.value, fit->algorithm.value, fit->bus.value,
                    fit->worst);
            ++inPlace;
        }
    }

private:
    std::int64_t sourceOf(const LinkMeasurement& m) {
        run(m_addSource, m.source, m.date, m.software);
        SQLite::bind(m_findSource, m.source, m.date, m.software);
        m_findSource.executeStep();
        const std::int64_t id = m_findSource.getColumn(0).getInt64();
        m_findSource.reset();
        return id;
    }

    SQLite::Database& m_database;
    SQLite::Statement m_addSource, m_findSource, m_drop, m_addRun, m_addDevice, m_addSample, m_addFit;
    std::int64_t m_before;
};

} // namespace

Status ProfileStore::checkLinks(const std::vector<LinkMeasurement>& links) const {
    for (const LinkMeasurement& m : links)
        if (const auto problem = linkProblem(m))
            return badInput("store.link", m_p->path,
                            {"{collective} over {ranks} ranks {problem}",
                             {{"collective", m.collective}, {"ranks", m.ranks}, {"problem", *problem}}});
    return Ok{};
}

void ProfileStore::writeLinks(const std::vector<LinkMeasurement>& links) {
    LinkWriter writer(m_p->database);
    for (const LinkMeasurement& m : links)
        writer.add(m);
}

Result<int> ProfileStore::addLinks(const std::vector<LinkMeasurement>& links) {
    if (Status added = addAll({}, links); !added)
        return added.error();
    return static_cast<int>(links.size());
}

Result<std::vector<LinkMeasurement>> ProfileStore::links(std::string_view source) const {
    try {
        SQLite::Database& database = m_p->database;
        std::vector<LinkMeasurement> list;
        std::map<std::int64_t, std::size_t> places; // by id
        SQLite::Statement runs(database,
                               "SELECT link_run.id, collective, ranks, stated_mean, name, date, software "
                               "FROM link_run JOIN source ON source_id = source.id "
                               "WHERE ?1 = '' OR name = ?1 ORDER BY name, date, link_run.id");
        runs.bind(1, std::string(source));
        while (runs.executeStep()) {
            places[runs.getColumn(0).getInt64()] = list.size();
            LinkMeasurement& m = list.emplace_back();
            m.collective = textAt(runs, 1);
            m.ranks = runs.getColumn(2).getInt();
            if (!runs.getColumn(3).isNull())
                m.statedMean = runs.getColumn(3).getDouble();
            m.source = textAt(runs, 4);
            m.date = textAt(runs, 5);
            m.software = textAt(runs, 6);
        }
        // Of all runs at once: a statement a run would take longer than the rest.
        const auto eachOf = [&](const char* query, const auto& take) {
            SQLite::Statement rows(database, query);
            while (rows.executeStep())
                if (const auto at = places.find(rows.getColumn(0).getInt64()); at != places.end())
                    take(list[at->second], rows);
        };
        eachOf("SELECT run_id, rank, host, name, bus_id, number FROM link_device ORDER BY run_id, position",
               [](LinkMeasurement& m, SQLite::Statement& row) {
                   m.devices.push_back({row.getColumn(1).getInt(), textAt(row, 2), textAt(row, 3),
                                        textAt(row, 4), row.getColumn(5).getInt()});
               });
        eachOf("SELECT run_id, in_place, bytes, time_s FROM link_sample ORDER BY run_id, in_place, position",
               [](LinkMeasurement& m, SQLite::Statement& row) {
                   (row.getColumn(1).getInt() == 0 ? m.outOfPlace : m.inPlace)
                       .push_back(
                           {Bytes(row.getColumn(2).getDouble()), Seconds(row.getColumn(3).getDouble())});
               });
        eachOf("SELECT run_id, in_place, latency_s, algorithm_bytes_per_s, bus_bytes_per_s, worst_error "
               "FROM link_fit",
               [](LinkMeasurement& m, SQLite::Statement& row) {
                   (row.getColumn(1).getInt() == 0 ? m.outOfPlaceFit : m.inPlaceFit) = LinkFit{
                       Seconds(row.getColumn(2).getDouble()), BytesPerSecond(row.getColumn(3).getDouble()),
                       BytesPerSecond(row.getColumn(4).getDouble()), row.getColumn(5).getDouble()};
               });
        return list;
    } catch (const SQLite::Exception& error) {
        return storeError(*m_p, error);
    }
}

} // namespace pw
