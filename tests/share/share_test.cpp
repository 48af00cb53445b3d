// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/share/share.h"

#include "core/base/file.h"
#include "core/share/profile_folder.h"
#include "core/store/store.h"
#include "tests/base/failing_disk.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <atomic>
#include <set>
#include <thread>

#include <sys/stat.h>

using namespace pw;
namespace fs = std::filesystem;

namespace {

ProfileRow row(const std::string& source, int layer, double forward, const std::string& date = "2026-11-20") {
    ProfileRow r;
    r.model = "tiny";
    r.kind = "A100-SXM4-40GB";
    r.layer = layer;
    r.tp = 2;
    r.mbs = 1;
    r.seq = 2048;
    r.precision = "bf16";
    r.forward = Seconds(forward);
    r.backward = Seconds(1.0 / 3.0);
    r.memory = gibibytes(1.5);
    r.source = source;
    r.licence = "own";
    r.date = date;
    return r;
}

LinkMeasurement link(const std::string& source, double time, const std::string& date = "2026-11-20") {
    LinkMeasurement m;
    m.collective = "all_reduce";
    m.ranks = 2;
    m.devices = {{0, "h1", "NVIDIA A100", "0000:01:00.0", 0}, {1, "h1", "NVIDIA A100", "0000:02:00.0", 1}};
    m.outOfPlace = {{Bytes(1024), Seconds(time)}, {Bytes(1 << 20), Seconds(2 * time)}};
    m.source = source;
    m.date = date;
    return m;
}

} // namespace

class ShareTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void whatIsPublishedIsPulled() {
        fill("a.db", {row("bench 1/x", 1, 0.1), row("bench 1/x", 2, 1.0 / 7.0), row("other", 1, 0.3)},
             {link("nccl", 1e-5)});
        const Published done = published("a.db");
        QCOMPARE(done.written.size(), std::size_t(3)); // one a source, and one of collectives
        const Pulled pulled = this->pulled("b.db");
        QCOMPARE(pulled.files, 3);
        QCOMPARE(pulled.added, 4);
        QCOMPARE(pulled.replaced + pulled.newerHere + pulled.unchanged, 0);
        QVERIFY(rowsOf("b.db") == rowsOf("a.db"));
        QVERIFY(linksOf("b.db") == linksOf("a.db"));
    }

    void twiceChangesNothing() {
        fill("a.db", {row("s", 1, 0.1), row("s", 2, 0.2)}, {link("s", 1e-5), link("s", 2e-5)});
        published("a.db");
        const std::set<std::string> names = files();
        const Published again = published("a.db");
        QVERIFY(again.written.empty() && again.replaced.empty());
        QCOMPARE(again.unchanged.size(), std::size_t(2));
        QCOMPARE(files(), names);
        pulled("b.db");
        const auto rows = rowsOf("b.db");
        const auto links = linksOf("b.db");
        QCOMPARE(links.size(), std::size_t(2)); // timed twice, both kept
        const Pulled second = pulled("b.db");
        QCOMPARE(second.unchanged, 4);
        QCOMPARE(second.added + second.replaced + second.newerHere, 0);
        QVERIFY(rowsOf("b.db") == rows && linksOf("b.db") == links);
        // Who has pulled has nothing to add, in whatever order the points came.
        const Published back = published("b.db");
        QVERIFY(back.written.empty());
        QCOMPARE(files(), names);
    }

    void theOrderOfPointsMakesNoOtherFile() {
        fill("a.db", {row("s", 1, 0.1), row("s", 2, 0.2)}, {link("s", 1e-5), link("s", 2e-5)});
        fill("b.db", {row("s", 2, 0.2)}, {});
        fill("b.db", {row("s", 1, 0.1)}, {link("s", 2e-5), link("s", 1e-5)});
        published("a.db");
        QVERIFY(published("b.db").written.empty());
    }

    void aLaterDateCountsWhereverItIs() {
        fill("old.db", {row("s", 1, 0.1, "2026-01-01"), row("s", 2, 0.2, "2026-01-01")},
             {link("s", 1e-5, "2026-01-01")});
        fill("new.db", {row("s", 1, 0.5, "2026-02-01")}, {link("s", 5e-5, "2026-02-01")});
        published("old.db");
        published("new.db"); // another date is another source's file: both stay
        QCOMPARE(files().size(), std::size_t(4));
        pulled("b.db");
        const auto rows = rowsOf("b.db");
        QCOMPARE(rows.size(), std::size_t(2));
        for (const ProfileRow& r : rows)
            QCOMPARE(r.forward.value, r.layer == 1 ? 0.5 : 0.2);
        QCOMPARE(linksOf("b.db").front().date, std::string("2026-02-01"));
        const Pulled again = pulled("b.db");
        QCOMPARE(again.added + again.replaced, 0);
        // What is at hand is later than what is published.
        fill("c.db", {row("s", 1, 0.9, "2026-03-01")}, {link("s", 9e-5, "2026-03-01")});
        const Pulled kept = pulled("c.db");
        QCOMPARE(kept.newerHere, 2);
        QCOMPARE(kept.added, 1);
        QVERIFY(
            std::ranges::any_of(rowsOf("c.db"), [](const ProfileRow& r) { return r.forward.value == 0.9; }));
        QCOMPARE(linksOf("c.db").front().date, std::string("2026-03-01"));
    }

    void measuredAnewTakesThePlaceOfTheOldFile() {
        fill("a.db", {row("s", 1, 0.1)}, {});
        published("a.db");
        const std::string before = *files().begin();
        pulled("b.db");
        fill("a.db", {row("s", 1, 0.15), row("s", 2, 0.2)}, {});
        const Published done = published("a.db");
        QCOMPARE(done.replaced, std::vector<std::string>{before});
        QCOMPARE(done.changed, 1);
        QCOMPARE(files().size(), std::size_t(1));
        const Pulled taken = pulled("b.db");
        QCOMPARE(taken.replaced, 1);
        QCOMPARE(taken.added, 1);
        QVERIFY(rowsOf("b.db") == rowsOf("a.db"));
        // A file with a point that the new one has not is somebody else's share of the source.
        fill("c.db", {row("s", 7, 0.7)}, {});
        QVERIFY(published("c.db").replaced.empty());
        QCOMPARE(files().size(), std::size_t(2));
        QCOMPARE(pulled("b.db").added, 1);
    }

    // Of the same point that the database has of 2026-03-01.
    void whatIsNoDateComesBeforeAll_data() {
        QTest::addColumn<QByteArray>("date");
        QTest::addColumn<bool>("counts");
        for (const auto& [date, counts] :
             {std::pair("undated", false), {"2026-9-1", false}, {"2026-04", true}})
            QTest::newRow(date) << QByteArray(date) << counts;
    }
    void whatIsNoDateComesBeforeAll() {
        QFETCH(const QByteArray, date);
        QFETCH(const bool, counts);
        fill("a.db", {row("s", 1, 0.9, date.toStdString())}, {link("t", 2e-5, date.toStdString())});
        published("a.db");
        fill("b.db", {row("s", 1, 0.1, "2026-03-01")}, {link("t", 1e-5, "2026-03-01")});
        const Pulled taken = pulled("b.db");
        QCOMPARE(taken.newerHere, counts ? 0 : 2);
        QCOMPARE(taken.replaced, counts ? 2 : 0);
    }

    // Neither is waited for, and neither is a file that goes while it is read.
    void pipesAndBrokenLinksAreTold() {
        fill("a.db", {row("s", 1, 0.1)}, {});
        published("a.db");
        const fs::path file = folder() / *files().begin();
        fs::remove(file);
        fs::create_symlink("nowhere", file);
        auto refused = pullProfiles(folder(), path("c.db"), {});
        QVERIFY(!refused);
        QVERIFY2(refused.error().text().find("leads nowhere") != std::string::npos,
                 refused.error().text().c_str());
        fs::remove(file);
        QCOMPARE(mkfifo(file.c_str(), 0600), 0);
        refused = pullProfiles(folder(), path("c.db"), {});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("share.damaged"));
    }

    void contradictionsAreRefusedAndNothingIsTaken() {
        fill("a.db", {row("s", 1, 0.1), row("s", 2, 0.2)}, {});
        fill("b.db", {row("s", 1, 0.9), row("s", 3, 0.3)}, {});
        published("a.db");
        published("b.db");
        fill("c.db", {row("own", 1, 0.4)}, {});
        const auto before = rowsOf("c.db");
        const auto refused = pullProfiles(folder(), path("c.db"), {});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("share.conflict"));
        for (const std::string& name : files())
            QVERIFY2(refused.error().text().find(name) != std::string::npos, refused.error().text().c_str());
        QVERIFY(rowsOf("c.db") == before);
        QVERIFY(!pullProfiles(folder(), path("none.db"), {}));
        QVERIFY(!fs::exists(path("none.db")));
        fs::remove(folder() / *files().begin());
        QVERIFY(pullProfiles(folder(), path("c.db"), {}));
    }

    // One byte more, one less or one changed in one of many files: told, and nothing taken of any.
    void damagedFilesAreToldAndNothingIsTaken() {
        fill("a.db", {row("s", 1, 0.1), row("t", 2, 0.2)}, {link("u", 1e-5)});
        published("a.db");
        for (const std::string& name : files()) {
            const fs::path file = folder() / name;
            const std::string whole = *readFile(file);
            std::string other = whole;
            other[other.size() / 2] ^= 1;
            for (const std::string& text :
                 {whole + "\n", whole.substr(0, whole.size() - 1), other, std::string()}) {
                QVERIFY(writeFileAtomically(file, text));
                const auto refused = pullProfiles(folder(), path("b.db"), {});
                QVERIFY2(!refused, name.c_str());
                QCOMPARE(refused.error().code, std::string("share.damaged"));
                QVERIFY(refused.error().where.find(name) != std::string::npos);
                QVERIFY(!fs::exists(path("b.db")));
            }
            QVERIFY(published("a.db").written == std::vector<std::string>{name}); // mended by who has it
            QCOMPARE(*readFile(file), whole);
        }
        QCOMPARE(pulled("b.db").added, 3);
    }

    void othersFilesAreLetBe() {
        fill("a.db", {row("s", 1, 0.1)}, {});
        published("a.db");
        for (const char* name : {"README.md", "notes.json", "x.profiles.json", "a-1234.links.json"})
            QVERIFY(writeFileAtomically(folder() / name, "not for us"));
        QCOMPARE(pulled("b.db").files, 1);
        published("a.db");
        QCOMPARE(files().size(), std::size_t(5));
    }

    void whatKilledPublishersLeaveIsTakenAway() {
        fill("a.db", {row("s", 1, 0.1)}, {});
        const std::string name = published("a.db").written.front();
        const std::string left[] = {"." + name + ".999999999.0.tmp", ".x.links.json.999999999.7.tmp"};
        const std::string others[] = {".notes.txt.999999999.0.tmp", "s.profiles.json.999999999.0.tmp"};
        const auto old = std::filesystem::file_time_type::clock::now() - 2 * kAbandonedAfter;
        for (const auto& names : {std::span(left), std::span(others)})
            for (const std::string& part : names) {
                QVERIFY(writeFileAtomically(folder() / part, "half of it"));
                std::filesystem::last_write_time(folder() / part, old);
            }
        QVERIFY(published("a.db").written.empty()); // nothing is new
        for (const std::string& part : left)
            QVERIFY2(!std::filesystem::exists(folder() / part), part.c_str());
        for (const std::string& part : others)
            QVERIFY2(std::filesystem::exists(folder() / part), part.c_str());
    }

    void foldersThatAreNot() {
        fill("a.db", {row("s", 1, 0.1)}, {});
        const auto store = ProfileStore::open(path("a.db"), ProfileStore::Mode::ReadOnly);
        QVERIFY(store);
        const auto deep = publishProfiles(*store, path("no/such"));
        QVERIFY(!deep && deep.error().code == "share.folder");
        const auto pulled = pullProfiles(path("nowhere"), path("b.db"), {});
        QVERIFY(!pulled && pulled.error().code == "share.folder");
        QVERIFY(!fs::exists(path("b.db")));
        fs::create_directory(folder());
        const auto nothing = pullProfiles(folder(), path("b.db"), {});
        QVERIFY(nothing && nothing->files == 0);
        QVERIFY(!fs::exists(path("b.db")));
    }

    // Wherever a step fails or the disk gets full: what is shared is whole, and holds the old points or the
    // new.
    void aFailingDiskLeavesAWholeFolder_data() { test::addWaysToFail(); }
    void aFailingDiskLeavesAWholeFolder() {
        QFETCH(bool, full);
        fill("a.db", {row("s", 1, 0.1), row("t", 1, 0.3)}, {});
        fill("new.db", {row("s", 1, 0.1), row("s", 2, 0.2), row("t", 1, 0.3)}, {link("l", 1e-5)});
        const auto store = ProfileStore::open(path("new.db"), ProfileStore::Mode::ReadOnly);
        QVERIFY(store);
        int failures = 0;
        for (int at = 0;; ++at) {
            fs::remove_all(folder());
            published("a.db");
            fs::remove(path("b.db"));
            const test::FailsAt disk(at, full);
            const auto done = publishProfiles(*store, folder(), disk);
            QCOMPARE(!done, !disk.failed().empty());
            pulled("b.db");
            const std::vector<ProfileRow> there = rowsOf("b.db");
            QVERIFY(there == rowsOf("a.db") || there == rowsOf("new.db"));
            if (done)
                break;
            ++failures;
            published("new.db");
            // A new one that was in place before the failure is not written again and takes nothing away; the
            // old one says nothing that it does not say.
            const bool placed = disk.failed() == "remove" || disk.failed() == "syncFolder";
            QVERIFY(files().size() == 3 || (placed && files().size() == 4));
            fs::remove(path("b.db"));
            pulled("b.db");
            QVERIFY(rowsOf("b.db") == rowsOf("new.db"));
        }
        // A folder that is there; of two files each create, write, sync, close, rename, sync; a removal.
        QVERIFY2(failures >= (full ? 7 : 14), qPrintable(QString::number(failures)));
    }

    // Eight at once, four of them with the same points, while others pull: every pull is of whole files, and
    // in the end everything is there once.
    void manyAtOnce() {
        for (int n = 0; n < 8; ++n) {
            std::vector<ProfileRow> rows;
            rows.reserve(50);
            for (int layer = 0; layer < 50; ++layer)
                rows.push_back(row("s" + std::to_string(n % 4), layer, 0.01 * (1 + n % 4) * (1 + layer)));
            fill(("p" + std::to_string(n) + ".db").c_str(), rows, {link("l" + std::to_string(n % 4), 1e-5)});
        }
        fs::create_directory(folder());
        std::atomic<int> wrong = 0;
        {
            std::vector<std::jthread> all;
            all.reserve(10);
            for (int n = 0; n < 8; ++n)
                all.emplace_back([&, n] {
                    const auto store = ProfileStore::open(path(("p" + std::to_string(n) + ".db").c_str()),
                                                          ProfileStore::Mode::ReadOnly);
                    for (int round = 0; round < 3; ++round)
                        wrong += !store || !publishProfiles(*store, folder());
                });
            for (int n = 0; n < 2; ++n)
                all.emplace_back([&, n] {
                    for (int round = 0; round < 6; ++round) {
                        const auto taken =
                            pullProfiles(folder(), path(("q" + std::to_string(n) + ".db").c_str()), {});
                        wrong += !taken || taken->added % 50 > 4;
                    }
                });
        }
        QCOMPARE(wrong.load(), 0);
        QCOMPARE(files().size(), std::size_t(8));
        pulled("end.db");
        QCOMPARE(rowsOf("end.db").size(), std::size_t(200));
        QCOMPARE(linksOf("end.db").size(), std::size_t(4));
    }

    // Versions of one source that follow each other while somebody pulls: what goes is never missed.
    void pullingWhileFilesAreReplaced() {
        fill("a.db", {row("s", 1, 0.1)}, {});
        published("a.db");
        std::atomic<bool> ended = false;
        std::atomic<int> wrong = 0;
        std::jthread puller([&] {
            do {
                const auto taken = pullProfiles(folder(), path("b.db"), {});
                wrong += !taken && taken.error().code != "share.conflict"; // between writing and taking away
            } while (!ended);
        });
        for (int n = 2; n < 30; ++n) {
            fill("a.db", {row("s", n, 0.1 * n)}, {});
            published("a.db");
        }
        ended = true;
        puller.join();
        QCOMPARE(wrong.load(), 0);
        pulled("b.db");
        QVERIFY(rowsOf("b.db") == rowsOf("a.db"));
        QCOMPARE(files().size(), std::size_t(1));
    }

private:
    std::string path(const char* name) const {
        return m_dir->filePath(QString::fromUtf8(name)).toStdString();
    }
    fs::path folder() const { return path("shared"); }
    void fill(const char* database, const std::vector<ProfileRow>& rows,
              const std::vector<LinkMeasurement>& links) {
        auto store = ProfileStore::open(path(database), ProfileStore::Mode::ReadWrite);
        if (!store || !store->addAll(rows, links))
            qFatal("%s cannot be filled", database);
    }
    Published published(const char* database) {
        const auto store = ProfileStore::open(path(database), ProfileStore::Mode::ReadOnly);
        const auto done = store ? publishProfiles(*store, folder()) : Result<Published>(store.error());
        if (!done)
            qFatal("%s", done.error().text().c_str());
        return *done;
    }
    Pulled pulled(const char* database) {
        const auto done = pullProfiles(folder(), path(database), {});
        if (!done)
            qFatal("%s", done.error().text().c_str());
        return *done;
    }
    std::vector<ProfileRow> rowsOf(const char* database) {
        return *ProfileStore::open(path(database), ProfileStore::Mode::ReadOnly)->rows();
    }
    std::vector<LinkMeasurement> linksOf(const char* database) {
        auto links = *ProfileStore::open(path(database), ProfileStore::Mode::ReadOnly)->links();
        std::ranges::sort(links, {}, [](const LinkMeasurement& m) {
            return std::pair(m.source, m.outOfPlace.front().time.value);
        });
        return links;
    }
    std::set<std::string> files() const {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder()))
            names.insert(entry.path().filename().string());
        return names;
    }
    std::unique_ptr<QTemporaryDir> m_dir;
};

QTEST_APPLESS_MAIN(ShareTest)
#include "share_test.moc"
