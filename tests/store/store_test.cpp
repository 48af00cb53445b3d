// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/store.h"

#include <SQLiteCpp/Database.h>

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

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
            QCOMPARE(*store->add(rows), 3);
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
        QCOMPARE(sources->front().rows, 1);
    }

    void oneBadRowKeepsAllOut() {
        auto store = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
        QVERIFY(store->add({sampleRow(1)}));
        ProfileRow bad = sampleRow(2);
        bad.forward = Seconds(std::numeric_limits<double>::quiet_NaN());
        const Result<int> added = store->add({sampleRow(3), bad});
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

        const std::filesystem::path foreign = path().string() + ".other";
        SQLite::Database(foreign.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE)
            .exec("CREATE TABLE t(x)");
        QCOMPARE(ProfileStore::open(foreign, ProfileStore::Mode::ReadWrite).error().code,
                 std::string("store.foreign"));

        const auto missing = ProfileStore::open(path().string() + ".none", ProfileStore::Mode::ReadOnly);
        QCOMPARE(missing.error().kind, ErrorKind::BadInput);
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

    void aLockIsWaitedForAndThenNamed() {
        auto store = ProfileStore::open(path(), ProfileStore::Mode::ReadWrite);
        SQLite::Database holder(path().string(), SQLite::OPEN_READWRITE);
        holder.exec("BEGIN IMMEDIATE");
        const Result<int> added = store->add({sampleRow(1)});
        QVERIFY(!added);
        QCOMPARE(added.error().code, std::string("store.locked"));
        holder.exec("ROLLBACK");
        QVERIFY(store->add({sampleRow(1)}));
    }

private:
    std::filesystem::path path() const {
        return m_dir->filePath(QStringLiteral("profiles.db")).toStdString();
    }
    std::unique_ptr<QTemporaryDir> m_dir;
};

QTEST_APPLESS_MAIN(StoreTest)
#include "store_test.moc"
