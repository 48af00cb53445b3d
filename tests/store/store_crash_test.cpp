// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/store/store.h"
#include "tests/cli/cli_run.h"
#include "tests/skip.h"

#include <QElapsedTimer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <map>
#include <random>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

using namespace pw;

// The database and the files beside a program that is killed, that has no room, that may not write, or that
// is not alone. Everything runs in programs of its own.
namespace {

constexpr int kKills = 50;
constexpr int kRows = 40'000;
constexpr unsigned kSeed = 20261121;

void writeRows(const QString& file, const char* source, int rows) {
    QFile out(file);
    QVERIFY(out.open(QIODevice::WriteOnly));
    out.write("model,kind,layer,tp,mbs,forward_s,backward_s,source\n");
    for (int i = 0; i < rows; ++i)
        out.write(QByteArray("tiny,A100-SXM4-40GB,") + QByteArray::number(i % 100) + ",1," +
                  QByteArray::number(1 + i / 100) + ",0.25,0.5," + source + "\n");
}

QByteArray bytesIn(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

// Moments to kill a program at that was seen to take so long. A machine that is busy now and idle then makes
// it end sooner: what came too late brings the next ones forward.
class Moments {
public:
    explicit Moments(std::int64_t whole, double from = 0.0)
        : m_from(from), m_whole(static_cast<double>(whole)) {}
    std::int64_t next() {
        std::uniform_real_distribution<double> share(m_from, 1.0);
        return static_cast<std::int64_t>(share(m_random) * m_whole);
    }
    void met(bool running) { m_whole *= running ? 1.01 : 0.9; }

private:
    std::mt19937 m_random{kSeed};
    double m_from, m_whole; // us
};

// How long something takes, in us.
template <class Work>
std::int64_t timeOf(const Work& work) {
    QElapsedTimer timer;
    timer.start();
    work();
    return timer.nsecsElapsed() / 1000;
}

// Starts the program and kills it after so long. Whether it was still running.
bool killedAfter(const QStringList& arguments, std::int64_t microseconds) {
    QProcess process;
    process.start(QStringLiteral(PW_CLI), arguments);
    process.waitForStarted();
    QElapsedTimer timer;
    timer.start();
    while (timer.nsecsElapsed() < microseconds * 1000)
        usleep(50);
    ::kill(static_cast<pid_t>(process.processId()), SIGKILL);
    process.waitForFinished(60000);
    return process.exitStatus() == QProcess::CrashExit;
}

// A shell line with the program as "$0" and these arguments as "$1", ...
CliRun runShell(const char* line, const QStringList& arguments) {
    QProcess process;
    process.start(QStringLiteral("sh"),
                  QStringList{QStringLiteral("-c"), QString::fromUtf8(line), QStringLiteral(PW_CLI)} +
                      arguments);
    CliRun run;
    if (process.waitForFinished(60000) && process.exitStatus() == QProcess::NormalExit)
        run.code = process.exitCode();
    run.out = process.readAllStandardOutput();
    run.err = process.readAllStandardError();
    return run;
}

} // namespace

class StoreCrashTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_dir = std::make_unique<QTemporaryDir>();
        writeRows(at("few.csv"), "few", 500);
        writeRows(at("many.csv"), "many", kRows);
        QCOMPARE(import("few.csv").code, 0);
    }

    void killedImportsLeaveAllOrNone() {
        const std::int64_t whole = timeOf([&] { QCOMPARE(import("many.csv").code, 0); });
        QCOMPARE(runCli({"profiles", "remove", "many", "--profiles", at("p.db")}).code, 0);

        Moments moments(whole);
        int killed = 0, none = 0, all = 0;
        for (int i = 0; i < kKills; ++i) {
            const std::int64_t after = moments.next();
            const bool running =
                killedAfter({"profiles", "import", "--profiles", at("p.db"), at("many.csv")}, after);
            moments.met(running);
            killed += running;
            const QByteArray where = "seed " + QByteArray::number(kSeed) + ", kill " + QByteArray::number(i) +
                                     " after " + QByteArray::number(after) + " us";
            const auto store = ProfileStore::open(at("p.db").toStdString(), ProfileStore::Mode::ReadOnly);
            QVERIFY2(store, where);
            QVERIFY2(store->check(), where);
            QCOMPARE(store->rows({}, "few")->size(), std::size_t{500});
            const auto count = static_cast<int>(store->rows({}, "many")->size());
            QVERIFY2(count == 0 || count == kRows, where + ": " + QByteArray::number(count) + " rows");
            (count == 0 ? none : all) += 1;
            if (count > 0)
                QCOMPARE(runCli({"profiles", "remove", "many", "--profiles", at("p.db")}).code, 0);
        }
        qInfo("%d of %d killed while they ran; %d left none, %d all", killed, kKills, none, all);
        QVERIFY(killed > kKills / 2 && none > 0);
        QCOMPARE(import("many.csv").code, 0); // and the next one is fine
    }

    void killedSavesLeaveTheOldFileOrTheNew() {
        QCOMPARE(import("many.csv").code, 0);
        const QStringList save = {"profiles", "export", "--profiles", at("p.db"), "--out", at("saved.csv")};
        const std::int64_t whole = timeOf([&] { QCOMPARE(runCli(save).code, 0); });
        const QByteArray after = bytesIn(at("saved.csv")), before = "the old text\n";
        Moments moments(whole);
        int killed = 0;
        for (int i = 0; i < kKills; ++i) {
            QFile old(at("saved.csv"));
            QVERIFY(old.open(QIODevice::WriteOnly | QIODevice::Truncate));
            old.write(before);
            old.close();
            const bool running = killedAfter(save, moments.next());
            moments.met(running);
            killed += running;
            const QByteArray found = bytesIn(at("saved.csv"));
            QVERIFY2(found == before || found == after, "seed " + QByteArray::number(kSeed) + ", kill " +
                                                            QByteArray::number(i) + ": " +
                                                            QByteArray::number(found.size()) + " bytes");
        }
        QVERIFY(killed > kKills / 2);
        const auto store = ProfileStore::open(at("p.db").toStdString(), ProfileStore::Mode::ReadOnly);
        QVERIFY(store && store->check());
    }

    // Plans found are kept all or none, and what was kept of another problem stays.
    void killedKeepsLeaveAllOrNone() {
        const auto plan = [&](const char* gbs) {
            return QStringList{"plan",
                               "--cluster",
                               QStringLiteral(PW_SOURCE_DIR "/samples/clusters/mixed-16.json"),
                               "--model",
                               QStringLiteral(PW_SOURCE_DIR "/samples/models/gpt3-1.3b.json"),
                               "--seq",
                               "2048",
                               "--work",
                               "2000",
                               "--gbs",
                               QString::fromUtf8(gbs),
                               "--keep",
                               at("p.db")};
        };
        QCOMPARE(runCli(plan("128")).code, 0);
        const std::int64_t whole = timeOf([&] { QCOMPARE(runCli(plan("256")).code, 0); });
        const auto kept = [&] {
            const auto store = ProfileStore::open(at("p.db").toStdString(), ProfileStore::Mode::ReadOnly);
            std::map<std::string, int> plans;
            if (!store || !store->check())
                return plans;
            const auto problems = store->problems();
            for (const ProfileStore::ProblemRow& problem : *problems)
                plans[problem.hash] = problem.plans;
            return plans;
        };
        const std::map<std::string, int> both = kept();
        QCOMPARE(both.size(), std::size_t{2});
        const QString second =
            runCli(plan("256") + QStringList{"--json"}).json()[QStringLiteral("problem_hash")].toString();
        std::map<std::string, int> first = both;
        QCOMPARE(first.erase(second.toStdString()), std::size_t{1});
        Moments moments(whole, 0.5);
        int killed = 0;
        for (int i = 0; i < kKills; ++i) {
            QCOMPARE(runCli({"profiles", "plans", second, "--forget", "--profiles", at("p.db")}).code, 0);
            const bool running = killedAfter(plan("256"), moments.next());
            moments.met(running);
            killed += running;
            const std::map<std::string, int> found = kept();
            QVERIFY2(found == first || found == both,
                     "seed " + QByteArray::number(kSeed) + ", kill " + QByteArray::number(i));
            if (found == first)
                QCOMPARE(runCli(plan("256")).code, 0);
        }
        QVERIFY(killed > kKills / 2);
    }

    // full_disk_test does it with every write; here the program says so, and ends.
    void whatMayNotGrowIsNamedAndNothingIsLost() {
        // dash counts in blocks of 512 bytes; the signal would end the program before it could say anything.
        const CliRun run = runShell("trap '' XFSZ; ulimit -f 2000; exec \"$0\" \"$@\"",
                                    {"profiles", "import", "--profiles", at("p.db"), at("many.csv")});
        QCOMPARE(run.code, 1);
        QVERIFY2(run.err.contains("cannot be written"), run.err);
        const auto store = ProfileStore::open(at("p.db").toStdString(), ProfileStore::Mode::ReadOnly);
        QVERIFY2(store, store ? "" : store.error().text().c_str());
        QVERIFY(store->check());
        QCOMPARE(store->rows()->size(), std::size_t{500});
        QCOMPARE(import("many.csv").code, 0);
    }

    void whatIsWriteProtectedIsReadAndNeverWritten() {
        // For root nothing is write-protected: the programs run as nobody then.
        QFile::setPermissions(at("p.db"),
                              QFileDevice::ReadOwner | QFileDevice::ReadGroup | QFileDevice::ReadOther);
        QVERIFY(::chmod(m_dir->path().toLocal8Bit().constData(), 0555) == 0);
        const QByteArray before = bytesIn(at("p.db"));
        const auto run = [](const QStringList& arguments) {
            QProcess process;
            process.setChildProcessModifier([] {
                if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0))
                    ::_exit(99);
            });
            process.start(QStringLiteral(PW_CLI), arguments);
            process.waitForFinished(60000);
            return CliRun{process.error() == QProcess::UnknownError ? process.exitCode() : -1,
                          process.readAllStandardOutput(), process.readAllStandardError()};
        };
        const CliRun listed = run({"profiles", "list", "--profiles", at("p.db")});
        const CliRun added = run({"profiles", "import", "--profiles", at("p.db"), at("many.csv")});
        QVERIFY(::chmod(m_dir->path().toLocal8Bit().constData(), 0700) == 0);
        if (listed.code == -1 || listed.code == 99)
            PW_SKIP("other-user", "the program cannot be started as another user here");
        QVERIFY2(listed.code == 0, listed.err);
        QVERIFY(listed.out.contains("500"));
        QCOMPARE(added.code, 1);
        QVERIFY2(added.err.contains("write-protected"), added.err);
        QCOMPARE(bytesIn(at("p.db")), before);
    }

    void twoProgramsImportAtOnce() {
        writeRows(at("other.csv"), "other", kRows);
        QProcess first, second;
        first.start(QStringLiteral(PW_CLI), {"profiles", "import", "--profiles", at("p.db"), at("many.csv")});
        second.start(QStringLiteral(PW_CLI),
                     {"profiles", "import", "--profiles", at("p.db"), at("other.csv")});
        QVERIFY(first.waitForFinished(60000) && second.waitForFinished(60000));
        QCOMPARE(first.exitCode(), 0);
        QCOMPARE(second.exitCode(), 0);
        const auto store = ProfileStore::open(at("p.db").toStdString(), ProfileStore::Mode::ReadOnly);
        QVERIFY(store->check());
        QCOMPARE(store->rows()->size(), std::size_t{500 + 2 * kRows});
    }

private:
    QString at(const char* name) const { return m_dir->filePath(QString::fromUtf8(name)); }
    CliRun import(const char* file) const {
        return runCli({"profiles", "import", "--profiles", at("p.db"), at(file)});
    }
    std::unique_ptr<QTemporaryDir> m_dir;
};

QTEST_APPLESS_MAIN(StoreCrashTest)
#include "store_crash_test.moc"
