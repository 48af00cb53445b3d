// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/store.h"

#include "tests/base/false_clock.h"

#include <SQLiteCpp/Database.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

using namespace pw;

namespace {

ProfileRow sampleRow(int layer, int mbs = 1) {
    ProfileRow row;
    row.model = "tiny";
    row.kind = "A100-SXM4-40GB";
    row.layer = layer;
    row.tp = 2;
    row.mbs = mbs;
    row.seq = 2048;
    row.precision = "fp16";
    row.forward = Seconds(0.001 * layer + 1e-9);
    row.backward = Seconds(1.0 / 3.0);
    row.update = Seconds(0.0);
    row.memory = gibibytes(1.5);
    row.source = "run-1";
    row.licence = "own";
    row.date = "2026-11-20";
    return row;
}

// What the first release made, to the letter.
constexpr const char* kVersionOne = R"sql(
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
    PRAGMA application_id = 1349997428;
    PRAGMA user_version = 1;
    )sql";

QByteArray bytesOf(const std::filesystem::path& path) {
    QFile file(QString::fromStdString(path.string()));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class StoreTest : public QObject {
    Q_OBJECT

private slots:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void rowsComeBackToTheLastBit() {
        const std::vector<ProfileRow> rows = {sampleRow(0), sampleRow(1), sampleRow(1, 4)};
        {
            auto store = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
            QVERIFY2(store, store ? "" : store.error().text().c_str());
            QCOMPARE(*store->add(rows), std::int64_t{3});
        }
        const auto store = ProfileStore::open(path(), ProfileStore::Mode::ReadOnly);
        QVERIFY2(store, store ? "" : store.error().text().c_str());
        QVERIFY(*store->rows() == rows);
        QVERIFY(*store->rows("tiny", "run-1") == rows);
        QVERIFY(store->rows("other")->empty());
        QVERIFY(store->check());
    }

    void aPointOfTheSameSourceIsReplaced() {
        auto store = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
        QVERIFY(store);
        QVERIFY(store->add({sampleRow(1), sampleRow(2)}));
        ProfileRow newer = sampleRow(1);
        newer.forward = Seconds(7.0);
        newer.date = "2026-12-01";
        QVERIFY(store->add({newer}));
        QVERIFY((*store->rows() == std::vector<ProfileRow>{sampleRow(2), newer}));

        ProfileRow other = sampleRow(1);
        other.source = "run-2";
        QVERIFY(store->add({other}));
        QCOMPARE(store->rows()->size(), std::size_t{3});
        QCOMPARE(store->sources()->size(), std::size_t{3});
        QCOMPARE(*store->remove("run-1"), 2);
        QCOMPARE(*store->remove("run-1"), 0);
        const auto sources = store->sources();
        QCOMPARE(sources->size(), std::size_t{1});
        QCOMPARE(sources->front().source, std::string("run-2"));
        QCOMPARE(sources->front().rows, std::int64_t{1});
    }

    void oneBadRowKeepsAllOut() {
        auto store = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
        QVERIFY(store->add({sampleRow(1)}));
        ProfileRow bad = sampleRow(2);
        bad.forward = Seconds(std::numeric_limits<double>::quiet_NaN());
        const Result<std::int64_t> added = store->add({sampleRow(3), bad});
        QVERIFY(!added);
        QCOMPARE(added.error().kind, ErrorKind::BadInput);
        QVERIFY((*store->rows() == std::vector<ProfileRow>{sampleRow(1)}));
    }

    void aNewerVersionIsRefusedAndLeftAlone() {
        QVERIFY(ProfileStore::open(path(), ProfileStore::Mode::ReadWrite));
        SQLite::Database(path().string(), SQLite::OPEN_READWRITE).exec("PRAGMA user_version = 99");
        const QByteArray before = bytesOf(path());
        for (auto mode : {ProfileStore::Mode::ReadOnly, ProfileStore::Mode::ReadWrite}) {
            const auto store = ProfileStore::open(path(), mode);
            QVERIFY(!store);
            QCOMPARE(store.error().code, std::string("store.newer"));
            QVERIFY(store.error().message.find("99") != std::string::npos);
        }
        QCOMPARE(bytesOf(path()), before);
    }

    void aDamagedPageIsRefusedAndLeftAlone() {
        {
            auto store = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
            std::vector<ProfileRow> rows;
            for (int layer = 0; layer < 2000; ++layer)
                rows.push_back(sampleRow(layer));
            QVERIFY(store->add(rows));
        }
        QFile file(QString::fromStdString(path().string()));
        QVERIFY(file.open(QIODevice::ReadWrite));
        QVERIFY(file.size() > 10 * 4096);
        file.seek(6 * 4096);
        file.write(QByteArray(4096, '\xA5'));
        file.close();
        const QByteArray before = bytesOf(path());
        for (auto mode : {ProfileStore::Mode::ReadOnly, ProfileStore::Mode::ReadWrite}) {
            const auto store = ProfileStore::open(path(), mode);
            QVERIFY(!store);
            QCOMPARE(store.error().code, std::string("store.corrupt"));
            QCOMPARE(store.error().where, path().string());
        }
        QCOMPARE(bytesOf(path()), before);
    }

    void whatIsNoStoreIsRefused() {
        QFile text(QString::fromStdString(path().string()));
        QVERIFY(text.open(QIODevice::WriteOnly));
        text.write(QByteArray("this is a letter, not a database\n").repeated(100));
        text.close();
        QCOMPARE(ProfileStore::open(path(), ProfileStore::Mode::ReadWrite).error().code,
                 std::string("store.corrupt"));

        // Of a file shorter than a database's header SQLite would make a database.
        for (const QByteArray& content : {QByteArray("\n"), QByteArray(99, 'x')}) {
            QFile note(QString::fromStdString(path().string()));
            QVERIFY(note.open(QIODevice::WriteOnly | QIODevice::Truncate));
            note.write(content);
            note.close();
            for (const auto mode : {ProfileStore::Mode::ReadWrite, ProfileStore::Mode::ReadOnly})
                QCOMPARE(ProfileStore::open(path(), mode).error().code, std::string("store.corrupt"));
            QCOMPARE(bytesOf(path()), content);
        }

        const std::filesystem::path foreign = path().string() + ".other";
        SQLite::Database(foreign.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
            .exec("CREATE TABLE t(x)");
        QCOMPARE(ProfileStore::open(foreign, ProfileStore::Mode::ReadWrite).error().code,
                 std::string("store.foreign"));

        const auto missing = ProfileStore::open(path().string() + ".none", ProfileStore::Mode::ReadOnly);
        QCOMPARE(missing.error().kind, ErrorKind::BadInput);
    }

    void whatVersionOneWroteIsMigratedWhenWrittenAndLeftWhenRead() {
        {
            SQLite::Database old(path().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
            old.exec(kVersionOne);
            old.exec("INSERT INTO source VALUES (7, 'run-1', 'tiny', 'own', '2026-11-20')");
            old.exec(
                "INSERT INTO measurement VALUES (7, 'A100-SXM4-40GB', 3, 2, 1, 2048, 'fp16', 0.5, 1, 0, 9)");
        }
        const QByteArray before = bytesOf(path());
        const auto read = [&](ProfileStore::Mode mode) {
            const auto store = ProfileStore::open(path(), mode);
            return store ? *store->rows() : std::vector<ProfileRow>();
        };
        const std::vector<ProfileRow> rows = read(ProfileStore::Mode::ReadOnly);
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows.front().forward.value, 0.5);
        QCOMPARE(rows.front().source, std::string("run-1"));
        QVERIFY(rows.front().software.empty() && rows.front().op.empty());
        QCOMPARE(bytesOf(path()), before);

        QVERIFY(read(ProfileStore::Mode::ReadWrite) == rows);
        QVERIFY(bytesOf(path()) != before);
        QVERIFY(read(ProfileStore::Mode::ReadOnly) == rows);
        auto store = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
        QVERIFY(store->check());
        QCOMPARE(*store->remove("run-1"), 1);
    }

    void operatorsShapesAndSoftwareTellPointsApart() {
        auto store = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
        ProfileRow gemm = sampleRow(1);
        gemm.op = "mlp.fc1";
        gemm.shape = "2048x1024x4096";
        ProfileRow wide = gemm;
        wide.shape = "2048x1024x8192";
        QVERIFY(store->add({sampleRow(1), gemm, wide}));
        QCOMPARE(store->rows()->size(), std::size_t{3});

        // Another driver's figures of the same point take the place of the first ones.
        ProfileRow newer = gemm;
        newer.software = "torch 2.9.1";
        newer.confidence = 0.9;
        QVERIFY(store->add({newer}));
        const auto rows = *store->rows();
        QCOMPARE(rows.size(), std::size_t{3});
        QVERIFY(std::find(rows.begin(), rows.end(), newer) != rows.end());
        QVERIFY(std::find(rows.begin(), rows.end(), gemm) == rows.end());
        QCOMPARE(store->sources()->size(), std::size_t{2});
        QCOMPARE(store->sources()->back().software, std::string("torch 2.9.1"));
    }

    void anImportThatEndsEarlyLeavesNothing() {
        auto store = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
        QVERIFY(store->add({sampleRow(1)}));
        const auto added = store->addFrom([](const ProfileStore::Take& take) -> Status {
            for (int layer = 0; layer < 5000; ++layer)
                if (Status taken = take(sampleRow(layer, 2)); !taken)
                    return taken;
            return badInput("test.ended", "", "the file ended");
        });
        QVERIFY(!added);
        QCOMPARE(added.error().code, std::string("test.ended"));
        QVERIFY((*store->rows() == std::vector<ProfileRow>{sampleRow(1)}));
        QVERIFY(store->add({sampleRow(2)})); // and the connection is as good as before
    }

    void plansAreKeptByProblem() {
        const auto document = [](const char* problem,
                                 const std::vector<std::pair<const char*, double>>& plans) {
            Json list = Json::array();
            for (const auto& [hash, iteration] : plans)
                list.push_back({{"plan_hash", hash}, {"iteration_s", iteration}});
            return Json{{"schema", "pipewright-plan-1"},
                        {"problem_hash", problem},
                        {"tool_version", "0.1"},
                        {"planner", "harp"},
                        {"problem", {{"cluster", {{"name", "c"}}}, {"model", {{"name", "m"}}}}},
                        {"plans", std::move(list)}};
        };
        auto store = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
        QCOMPARE(*store->keepPlans(document("abc1", {{"p1", 2.0}, {"p2", 1.0}}), "2026-11-20"), 2);
        QCOMPARE(*store->keepPlans(document("abc1", {{"p1", 2.0}, {"p3", 3.0}}), "2026-11-21"), 3);
        QCOMPARE(*store->keepPlans(document("abc2", {{"p1", 5.0}}), "2026-11-21"), 1);
        const auto problems = *store->problems();
        QCOMPARE(problems.size(), std::size_t{2});
        QCOMPARE(problems.front().plans, 3);
        QCOMPARE(problems.front().best.value, 1.0);
        QCOMPARE(problems.front().date, std::string("2026-11-20")); // of the fastest
        QCOMPARE(store->foundPlans("abc").error().code, std::string("store.ambiguous"));
        QCOMPARE(store->foundPlans("x").error().code, std::string("store.no_problem"));
        const Json found = *store->foundPlans("abc1");
        QCOMPARE(found["plans"].size(), std::size_t{3});
        QCOMPARE(found["plans"][0]["plan_hash"].get<std::string>(), std::string("p2"));
        QCOMPARE(found["plans"][0]["planner"].get<std::string>(), std::string("harp"));
        QCOMPARE(found["schema"].get<std::string>(), std::string("pipewright-plan-1"));

        Json broken = document("abc1", {{"p9", 9.0}, {"p10", 1.0}});
        broken["plans"][1].erase("plan_hash");
        QVERIFY(!store->keepPlans(broken, "2026-11-22"));
        QCOMPARE((*store->foundPlans("abc1"))["plans"].size(), std::size_t{3});
        QCOMPARE(*store->forgetPlans("abc1"), 3);
        QCOMPARE(store->problems()->size(), std::size_t{1});
        QVERIFY(store->check());
    }

    void twoProgramsShareOneDatabase() {
        auto first = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
        auto second = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
        QVERIFY(first && second);
        // Each adds its own source in many small transactions while the other does the same.
        const auto addMany = [](ProfileStore& store, const std::string& source) {
            for (int layer = 0; layer < 40; ++layer) {
                ProfileRow row = sampleRow(layer);
                row.source = source;
                if (!store.add({row}))
                    return false;
            }
            return true;
        };
        bool firstDone = false, secondDone = false;
        std::thread other([&] { secondDone = addMany(*second, "second"); });
        firstDone = addMany(*first, "first");
        other.join();
        QVERIFY(firstDone && secondDone);
        QCOMPARE(first->rows()->size(), std::size_t{80});
        QCOMPARE(second->rows()->size(), std::size_t{80});
    }

    // Each of the openers sees the file before its creation, or all of it.
    void manyCreateOneDatabase() {
        for (int round = 0; round < 40; ++round) {
            const std::filesystem::path fresh =
                m_dir->filePath(QStringLiteral("%1.db").arg(round)).toStdString();
            std::vector<std::string> failed(8);
            {
                std::vector<std::jthread> openers;
                for (std::string& why : failed)
                    openers.emplace_back([&why, &fresh] {
                        auto store = ProfileStore::open(fresh, ProfileStore::Mode::ReadWrite,
                                                        ProfileStore::kLongPatience);
                        if (!store)
                            why = store.error().text();
                        else if (const auto added = store->add({sampleRow(1)}); !added)
                            why = added.error().text();
                    });
            }
            for (const std::string& why : failed)
                QVERIFY2(why.empty(), why.c_str());
        }
    }

    // Texts that are none stay out; where an older version let them in, all else is there and they can go.
    void textsThatAreNoneStayOut() {
        auto store = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
        ProfileRow row = sampleRow(1);
        row.source = "M\xFCnchen.json";
        const auto refused = store->add({row});
        QVERIFY(!refused);
        QCOMPARE(refused.error().code, std::string("store.row"));
        QVERIFY(store->add({sampleRow(1)}));
        SQLite::Database(path().string(), SQLite::OPEN_READWRITE)
            .exec("UPDATE source SET name = CAST(x'4DFC6E' AS TEXT)");
        const auto rows = store->rows();
        QVERIFY(rows && rows->size() == 1);
        QCOMPARE(rows->front().source, std::string("M\\xfcn"));
        QCOMPARE(store->sources()->front().source, rows->front().source);
        QVERIFY(!toJson(rows->front()).dump().empty()); // which throws at other bytes
        QCOMPARE(*store->remove(rows->front().source), 1);
        QVERIFY(store->rows()->empty());
    }

    // As an older version has taken it in: read, it may go to a terminal.
    void controlCharactersComeOutAsEscapes() {
        auto store = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
        QVERIFY(store->add({sampleRow(1)}));
        SQLite::Database(path().string(), SQLite::OPEN_READWRITE)
            .exec("UPDATE source SET software = 'torch' || char(27) || '[2J' || char(155)");
        const auto rows = store->rows();
        QVERIFY2(rows, rows ? "" : rows.error().text().c_str());
        QCOMPARE(rows->front().software, std::string("torch\\x1b[2J\\u009b"));
    }

    void aLockIsWaitedForAndThenNamed() {
        const test::FalseClock clock; // a writer waits by it alone, and the machine for nothing
        auto store =
            ProfileStore::open(path(), ProfileStore::Mode::ReadWrite, std::chrono::seconds(1), clock);
        QCOMPARE(clock.steady(), 0.0);
        SQLite::Database holder(path().string(), SQLite::OPEN_READWRITE);
        holder.exec("BEGIN IMMEDIATE");
        const Result<std::int64_t> added = store->add({sampleRow(1)});
        QVERIFY(!added);
        QCOMPARE(added.error().code, std::string("store.locked"));
        QVERIFY2(added.error().message.find("(1 s waited)") != std::string::npos,
                 added.error().message.c_str());
        QVERIFY2(std::abs(clock.steady() - 1.0) < 0.01, qPrintable(QString::number(clock.steady())));
        holder.exec("ROLLBACK");
        QVERIFY(store->add({sampleRow(1)}));
    }

    // Who opens waits as long as who writes.
    void aDatabaseThatIsMadeIsWaitedFor() {
        SQLite::Database holder(path().string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
        holder.exec("BEGIN EXCLUSIVE");
        const test::FalseClock clock;
        const auto store =
            ProfileStore::open(path(), ProfileStore::Mode::ReadWrite, std::chrono::seconds(30), clock);
        QVERIFY(!store);
        QCOMPARE(store.error().code, std::string("store.locked"));
        QVERIFY2(clock.steady() >= 29.99 && clock.steady() < 61.0,
                 qPrintable(QString::number(clock.steady())));
        holder.exec("ROLLBACK");
        QVERIFY(ProfileStore::open(path(), ProfileStore::Mode::ReadWrite));
    }

private:
    std::filesystem::path path() const {
        return m_dir->filePath(QStringLiteral("profiles.db")).toStdString();
    }
    std::unique_ptr<QTemporaryDir> m_dir;
};

QTEST_APPLESS_MAIN(StoreTest)
#include "store_test.moc"
