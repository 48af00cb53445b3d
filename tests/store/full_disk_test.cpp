// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/store.h"

#include <QTemporaryDir>
#include <QTest>

#include <sqlite3.h>

#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <vector>

using namespace pw;
namespace fs = std::filesystem;

namespace {

// SQLite's way to the disk while this lives, but that the disk is full from the n-th write of all files on. A
// disk that is really full needs a small file system, which not everybody may mount. One at a time.
class FullDisk {
public:
    explicit FullDisk(int write) : m_real(sqlite3_vfs_find(nullptr)), m_vfs(*m_real) {
        s_left = write;
        s_full = false;
        s_open = m_real->xOpen;
        m_vfs.zName = "full";
        m_vfs.xOpen = open;
        if (sqlite3_vfs_register(&m_vfs, 1) != SQLITE_OK)
            throw std::runtime_error("SQLite takes no other way to the disk");
    }
    ~FullDisk() {
        sqlite3_vfs_unregister(&m_vfs);
        sqlite3_vfs_register(m_real, 1);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    bool refused() const { return s_full; }

private:
    static int open(sqlite3_vfs* vfs, sqlite3_filename name, sqlite3_file* file, int flags, int* got) {
        const int code = s_open(vfs, name, file, flags, got);
        if (file->pMethods != nullptr && file->pMethods->xWrite != write) {
            // Sorts of files differ in their locks, and are written to by one function.
            static std::map<const sqlite3_io_methods*, sqlite3_io_methods> sorts;
            const auto sort = sorts.try_emplace(file->pMethods, *file->pMethods).first;
            s_write = file->pMethods->xWrite;
            sort->second.xWrite = write;
            file->pMethods = &sort->second;
        }
        return code;
    }
    static int write(sqlite3_file* file, const void* bytes, int count, sqlite3_int64 offset) {
        s_full = s_full || s_left-- <= 0;
        return s_full ? SQLITE_FULL : s_write(file, bytes, count, offset);
    }

    sqlite3_vfs* m_real;
    sqlite3_vfs m_vfs;
    inline static int s_left = 0;
    inline static bool s_full = false;
    inline static decltype(sqlite3_vfs::xOpen) s_open = nullptr;
    inline static decltype(sqlite3_io_methods::xWrite) s_write = nullptr;
};

std::vector<ProfileRow> rowsOf(const char* source, int count) {
    std::vector<ProfileRow> rows;
    for (int i = 0; i < count; ++i) {
        ProfileRow row;
        row.model = "tiny";
        row.kind = "A100-SXM4-40GB";
        row.layer = i;
        row.tp = row.mbs = 1;
        row.seq = 2048;
        row.precision = "bf16";
        row.forward = Seconds(0.25);
        row.backward = Seconds(0.5);
        row.source = source;
        rows.push_back(row);
    }
    return rows;
}

constexpr int kOld = 500, kNew = 200;

} // namespace

class FullDiskTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // Whichever write finds no room: it is named, the database is what it was, and takes the rows later.
    void nothingIsLostAtAnyWrite() {
        const QTemporaryDir dir;
        const fs::path folder = dir.path().toStdString();
        {
            auto old = ProfileStore::open(folder / "old.db", ProfileStore::Mode::ReadWrite);
            QVERIFY(old && old->add(rowsOf("old", kOld)));
        }
        int failures = 0;
        for (int write = 0;; ++write) {
            const fs::path path = folder / "p.db";
            for (const char* beside : {"", "-wal", "-shm"})
                fs::remove(path.string() + beside);
            fs::copy_file(folder / "old.db", path);
            std::optional<Error> refused;
            bool full = false;
            {
                const FullDisk disk(write);
                {
                    auto store = ProfileStore::open(path, ProfileStore::Mode::ReadWrite);
                    const auto added =
                        store ? store->add(rowsOf("new", kNew)) : Result<std::int64_t>(store.error());
                    if (!added)
                        refused = added.error();
                }
                full = disk.refused();
            }
            QVERIFY(full || !refused);
            if (!full)
                break;
            failures += refused ? 1 : 0; // else it is the end that tidies up, when all is stored
            if (refused) {
                QCOMPARE(refused->code, std::string("store.full"));
                QVERIFY(refused->message.find("it is as it was before") != std::string::npos);
            }
            auto store = ProfileStore::open(path, ProfileStore::Mode::ReadWrite);
            QVERIFY2(store, store ? "" : store.error().text().c_str());
            QVERIFY(store->check());
            QCOMPARE(store->rows({}, "old")->size(), std::size_t{kOld});
            QCOMPARE(store->rows({}, "new")->size(), refused ? std::size_t{0} : std::size_t{kNew});
            QVERIFY(store->add(rowsOf("new", kNew)));
        }
        QVERIFY2(failures > 10, qPrintable(QString::number(failures))); // pages of rows and of their index
    }
};

QTEST_APPLESS_MAIN(FullDiskTest)
#include "full_disk_test.moc"
