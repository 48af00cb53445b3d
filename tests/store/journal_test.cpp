// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/journal.h"
#include "core/store/store.h"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>

#include <QTemporaryDir>
#include <QTest>

#include <string>

using namespace pw;

namespace {

std::string modeOf(SQLite::Database& database) {
    return database.execAndGet("PRAGMA journal_mode").getString();
}

const int kOpenNew = SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE;
constexpr unsigned long kExt4 = 0xEF53, kNfs = 0x6969;

} // namespace

class JournalTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { m_dir = std::make_unique<QTemporaryDir>(); }

    void fileSystemsBetweenMachinesAreKnown() {
        for (const unsigned long type : {0x6969UL, 0x517BUL, 0xFF534D42UL, 0xFE534D42UL, 0x0BD00BD0UL,
                                         0x47504653UL, 0x01021997UL, 0x00C36400UL, 0x19830326UL})
            QVERIFY2(sharedFileSystem(type), qPrintable(QString::number(type, 16)));
        // ext4, xfs, btrfs, tmpfs, overlay, zfs
        for (const unsigned long type :
             {0xEF53UL, 0x58465342UL, 0x9123683EUL, 0x01021994UL, 0x794C7630UL, 0x2FC12FC1UL})
            QVERIFY2(!sharedFileSystem(type), qPrintable(QString::number(type, 16)));
        QCOMPARE(QByteArray(sharedFileSystem(kNfs)), QByteArray("NFS"));
    }

    void theFolderTellsForAFileThatIsYetToBe() {
        QVERIFY(fileSystemOf(path("nothing.db")));
        QCOMPARE(fileSystemOf(path("nothing.db")), fileSystemOf(path("other.db")));
        QVERIFY(!fileSystemOf(path("no/folder/at.db")));
    }

    void theLogWhereItCanBe() {
        SQLite::Database database(path("a.db"), kOpenNew);
        QCOMPARE(setJournal(database, kExt4), std::string());
        QCOMPARE(modeOf(database), std::string("wal"));
    }

    void noLogBetweenMachines() {
        SQLite::Database database(path("a.db"), kOpenNew);
        const std::string why = setJournal(database, kNfs);
        QVERIFY2(why.find("NFS") != std::string::npos, why.c_str());
        QCOMPARE(modeOf(database), std::string("truncate"));
    }

    // A database that was made here and copied there, and back.
    void theLogGoesAndComesBack() {
        {
            SQLite::Database database(path("a.db"), kOpenNew);
            setJournal(database, kExt4);
            database.exec("CREATE TABLE t (x)");
            QVERIFY(!setJournal(database, kNfs).empty());
            QCOMPARE(modeOf(database), std::string("truncate"));
            database.exec("INSERT INTO t VALUES (7)");
        }
        SQLite::Database database(path("a.db"), kOpenNew);
        QCOMPARE(setJournal(database, kExt4), std::string());
        QCOMPARE(modeOf(database), std::string("wal"));
        QCOMPARE(database.execAndGet("SELECT x FROM t").getInt(), 7);
    }

    // With locks by lock files SQLite has no memory to share: the pragma says that it failed by the mode that
    // stays, whatever the file system is called.
    void noLogWhereTheProgramCannotHaveIt() {
        SQLite::Database database(path("a.db"), kOpenNew, 0, "unix-dotfile");
        const std::string why = setJournal(database, kExt4);
        QVERIFY2(why.find("memory") != std::string::npos, why.c_str());
        QCOMPARE(modeOf(database), std::string("truncate"));
    }

    void neitherWhileAnotherUsesTheLog() {
        SQLite::Database one(path("a.db"), kOpenNew), other(path("a.db"), kOpenNew);
        setJournal(one, kExt4);
        one.exec("CREATE TABLE t (x)");
        other.execAndGet("SELECT count(*) FROM t");
        QVERIFY_EXCEPTION_THROWN(setJournal(one, kNfs), SQLite::Exception);
        QCOMPARE(modeOf(other), std::string("wal"));
    }

    void aStoreOnThisMachineHasTheLogAndSaysNothing() {
        const auto store = ProfileStore::open(path("a.db"), ProfileStore::Mode::ReadWrite);
        QVERIFY(store);
        if (const auto type = fileSystemOf(path("a.db")); type && sharedFileSystem(*type))
            QVERIFY(store->journalNote()); // the tests' own folder is shared
        else
            QVERIFY(!store->journalNote());
    }

private:
    std::string path(const char* name) const {
        return m_dir->filePath(QString::fromUtf8(name)).toStdString();
    }
    std::unique_ptr<QTemporaryDir> m_dir;
};

QTEST_APPLESS_MAIN(JournalTest)
#include "journal_test.moc"
