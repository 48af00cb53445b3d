// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Timed collectives in the database, beside the layers of their source or without any.
#include "core/store/store.h"

#include <SQLiteCpp/Database.h>

#include <QTemporaryDir>
#include <QTest>

#include <limits>

using namespace pw;

namespace {

LinkMeasurement timed(const char* collective, int ranks, const char* date = "2026-01-01") {
    LinkMeasurement m;
    m.collective = collective;
    m.ranks = ranks;
    for (int r = 0; r < ranks; ++r)
        m.devices.push_back({r, r % 2 == 0 ? "x" : "y", "A100", "0000:1" + std::to_string(r), r});
    m.outOfPlace = {{Bytes(8), Seconds(1.0 / 3)}, {Bytes(1e9), Seconds(0.7)}};
    m.inPlace = {{Bytes(8), Seconds(0.1)}};
    m.outOfPlaceFit = LinkFit{Seconds(0.1), BytesPerSecond(1e9 / 3), BytesPerSecond(2e9), 0.01};
    m.source = "lab.txt";
    m.date = date;
    m.software = "NCCL 2.27.3";
    return m;
}

ProfileRow layer(const char* source) {
    ProfileRow row;
    row.model = "tiny";
    row.kind = "A100-SXM4-40GB";
    row.forward = row.backward = Seconds(0.1);
    row.source = source;
    return row;
}

} // namespace

class LinkStoreTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void comeBackToTheLastBit() {
        LinkMeasurement bare = timed("sendrecv", 2);
        bare.devices.clear();
        bare.outOfPlace.clear();
        bare.outOfPlaceFit.reset();
        bare.statedMean = 1.0 / 7;
        bare.source = "z";
        const std::vector<LinkMeasurement> all = {timed("all_reduce", 4), timed("all_gather", 4), bare};
        QCOMPARE(*open().addLinks(all), 3);
        const auto store = ProfileStore::open(path(), ProfileStore::Mode::ReadOnly);
        QVERIFY(*store->links() == all);
        QVERIFY(*store->links("z") == std::vector<LinkMeasurement>{bare});
        QVERIFY(store->links("nobody")->empty());
        QVERIFY(store->rows()->empty());
        QVERIFY(store->check());
    }

    void theSameOfTheSameSourceIsReplaced() {
        ProfileStore store = open();
        // One import may bring two runs of the same; both stay.
        QVERIFY(store.addLinks({timed("all_reduce", 4), timed("all_reduce", 4), timed("all_reduce", 2)}));
        QCOMPARE(store.links()->size(), std::size_t{3});
        const LinkMeasurement newer = timed("all_reduce", 4, "2026-03-01");
        QVERIFY(store.addLinks({newer}));
        QVERIFY((*store.links() == std::vector<LinkMeasurement>{timed("all_reduce", 2), newer}));
        LinkMeasurement other = newer;
        other.source = "other.txt";
        QVERIFY(store.addLinks({other}));
        QCOMPARE(store.links()->size(), std::size_t{3}); // sources are kept apart
    }

    void oneBadMeasurementKeepsAllOut() {
        ProfileStore store = open();
        LinkMeasurement bad = timed("all_reduce", 4);
        bad.inPlace.front().time = Seconds(std::numeric_limits<double>::quiet_NaN());
        const auto added = store.addLinks({timed("all_gather", 4), bad});
        QVERIFY(!added);
        QCOMPARE(added.error().kind, ErrorKind::BadInput);
        QVERIFY(store.links()->empty() && store.sources()->empty());
    }

    void sourcesNameWhatTheyHold() {
        ProfileStore store = open();
        QVERIFY(store.addLinks({timed("all_reduce", 4), timed("all_gather", 4)}));
        QVERIFY(store.add({layer("layers.json")}));
        const auto sources = *store.sources();
        QCOMPARE(sources.size(), std::size_t{2});
        QCOMPARE(sources[0].source, std::string("lab.txt"));
        QCOMPARE(sources[0].date, std::string("2026-01-01"));
        QCOMPARE(sources[0].links, 2);
        QCOMPARE(sources[0].rows, std::int64_t{0});
        QVERIFY(sources[0].kinds.empty());
        QCOMPARE(sources[1].links, 0);
        QCOMPARE(sources[1].rows, std::int64_t{1});
        QCOMPARE(*store.remove("lab.txt"), 2);
        QVERIFY(store.links()->empty());
        QCOMPARE(store.sources()->size(), std::size_t{1});
        QVERIFY(store.check());
    }

    // What the second version wrote holds no collectives; it gets the tables when it is written to.
    void anOlderDatabaseIsMigrated() {
        QVERIFY(open().add({layer("layers.json")}));
        {
            SQLite::Database old(path().string(), SQLite::OPEN_READWRITE);
            for (const char* table : {"link_fit", "link_sample", "link_device", "link_run"})
                old.exec(std::string("DROP TABLE ") + table);
            old.exec("PRAGMA user_version = 2");
        }
        const auto before = ProfileStore::open(path(), ProfileStore::Mode::ReadOnly);
        QVERIFY(before && before->links()->empty());
        QCOMPARE(before->rows()->size(), std::size_t{1});
        ProfileStore store = open();
        QCOMPARE(*store.addLinks({timed("all_reduce", 4)}), 1);
        QCOMPARE(store.rows()->size(), std::size_t{1});
        QVERIFY(store.check());
    }

private:
    ProfileStore open() {
        Result<ProfileStore> store = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
        if (!store)
            qFatal("%s", store.error().text().c_str());
        return *std::move(store);
    }
    std::filesystem::path path() const {
        return m_dir->filePath(QStringLiteral("profiles.db")).toStdString();
    }
    std::unique_ptr<QTemporaryDir> m_dir;
};

QTEST_GUILESS_MAIN(LinkStoreTest)
#include "link_store_test.moc"
