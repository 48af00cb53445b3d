// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/crash_handler.h"

#include "core/base/file.h"
#include "core/base/log.h"
#include "core/base/text.h"
#include "ui/diagnostics/crash_reports.h"

#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <functional>
#include <stdexcept>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace pw;
namespace fs = std::filesystem;

namespace {

constexpr const char* kHead = "Pipewright test";

// What is tested; a sanitizer that stops it in front of the signal would be tested in its place.
__attribute__((no_sanitize("address", "undefined"))) void writeNowhere() {
    volatile int* nowhere = nullptr;
    *nowhere = 1; // NOLINT
}

// How a child ended that made a handler and then did this.
int childsEnd(const fs::path& folder, const std::function<void()>& doing) {
    const pid_t child = ::fork();
    if (child == 0) {
        const rlimit none{0, 0}; // no core files of deaths that are wanted
        ::setrlimit(RLIMIT_CORE, &none);
        {
            const CrashHandler handler(folder, kHead);
            doing();
        }
        ::_exit(0);
    }
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

} // namespace

class CrashHandlerTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_dir;
    fs::path folder() const { return m_dir.path().toStdString(); }
    std::ptrdiff_t files() const {
        return std::distance(fs::directory_iterator(folder()), fs::directory_iterator());
    }

private Q_SLOTS:
    void init() {
        for (const auto& entry : fs::directory_iterator(folder()))
            fs::remove_all(entry);
    }

    void aFaultLeavesAReport_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QByteArray>("name");
        QTest::newRow("segmentation fault") << SIGSEGV << QByteArray("SIGSEGV");
        QTest::newRow("bus error") << SIGBUS << QByteArray("SIGBUS");
        QTest::newRow("division") << SIGFPE << QByteArray("SIGFPE");
        QTest::newRow("instruction") << SIGILL << QByteArray("SIGILL");
        QTest::newRow("abort") << SIGABRT << QByteArray("SIGABRT");
    }
    void aFaultLeavesAReport() {
        QFETCH(int, signal);
        QFETCH(QByteArray, name);
        const std::int64_t before = systemClock().wall();
        const int status = childsEnd(folder(), [signal] { ::raise(signal); });
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(WTERMSIG(status), signal); // as without a handler
        const std::vector<CrashReport> fresh = collectCrashReports(folder());
        QCOMPARE(fresh.size(), std::size_t{1});
        QVERIFY2(fresh[0].text.starts_with(kHead + std::string("\n")), fresh[0].text.c_str());
        // By hand and by the library the date is the same.
        const std::string first = timeText(before).substr(0, 19),
                          last = timeText(systemClock().wall()).substr(0, 19);
        const std::string when = fresh[0].end.substr(0, 19);
        QVERIFY2(first <= when && when <= last, fresh[0].end.c_str());
        QCOMPARE(fresh[0].end.substr(19), "Z " + name.toStdString());
        QVERIFY(fresh[0].file.filename().string().starts_with("crash-"));
        QVERIFY2(linesOf(fresh[0].text).size() > 4, fresh[0].text.c_str()); // the calls
        QCOMPARE(crashReports(folder()).size(), std::size_t{1});
        QVERIFY(collectCrashReports(folder()).empty()); // told once
    }

    void aWildPointerIsNamed() {
        const int status = childsEnd(folder(), writeNowhere);
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
        const std::vector<CrashReport> fresh = collectCrashReports(folder());
        QCOMPARE(fresh.size(), std::size_t{1});
        QVERIFY2(fresh[0].end.ends_with("SIGSEGV at address 0x0"), fresh[0].end.c_str());
    }

    void aStackThatOverflowsIsReported() {
        const int status = childsEnd(folder(), [] {
            const rlimit small{1U << 20, 1U << 20};
            ::setrlimit(RLIMIT_STACK, &small);
            const std::function<int(int)> deeper = [&](int depth) {
                volatile char frame[4096] = {};
                frame[0] = static_cast<char>(depth);
                return deeper(depth + 1) + frame[0];
            };
            deeper(0);
        });
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV);
        QCOMPARE(collectCrashReports(folder()).size(), std::size_t{1});
    }

    void anExceptionThatNobodyCatchesIsNamed() {
        const int status = childsEnd(
            folder(), [] { std::thread([] { throw std::runtime_error("out of\nideas"); }).join(); });
        QVERIFY(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        const std::vector<CrashReport> fresh = collectCrashReports(folder());
        QCOMPARE(fresh.size(), std::size_t{1});
        QVERIFY2(fresh[0].end.ends_with("Z std::terminate: out of?ideas"), fresh[0].end.c_str());
        const std::string& text = fresh[0].text;
        QVERIFY(text.find("SIGABRT") == std::string::npos); // its own abort is no second report
    }

    void severalThreadsThatFailLeaveOneReport() {
        const int status = childsEnd(folder(), [] {
            std::vector<std::jthread> threads;
            for (int i = 0; i < 8; ++i)
                threads.emplace_back([] { ::raise(SIGSEGV); });
        });
        QVERIFY(WIFSIGNALED(status));
        const std::vector<CrashReport> fresh = collectCrashReports(folder());
        QCOMPARE(fresh.size(), std::size_t{1});
        const std::string& text = fresh[0].text;
        QCOMPARE(text.find(kHead), text.rfind(kHead));
    }

    void aGoodEndLeavesNothing() {
        const int status = childsEnd(folder(), [] {});
        QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        QCOMPARE(files(), std::ptrdiff_t{0});
    }

    void aKilledProgramLeavesNothingForLong() {
        const int status = childsEnd(folder(), [] { ::raise(SIGKILL); });
        QVERIFY(WIFSIGNALED(status));
        QCOMPARE(files(), std::ptrdiff_t{1});
        QVERIFY(collectCrashReports(folder()).empty());
        QCOMPARE(files(), std::ptrdiff_t{0});
    }

    void whatRunsIsLeftAlone() {
        const CrashHandler handler(folder(), kHead);
        QVERIFY(fs::exists(handler.file()));
        QVERIFY(collectCrashReports(folder()).empty());
        QVERIFY(fs::exists(handler.file()));
    }

    void theOldestGo() {
        for (std::size_t i = 0; i < kCrashReports + 4; ++i)
            QVERIFY(writeFileAtomically(folder() / ("crash-2026-01-" + std::to_string(10 + i) + ".txt"),
                                        "Pipewright\nday " + std::to_string(10 + i) + "\n"));
        QVERIFY(collectCrashReports(folder()).empty());
        const std::vector<CrashReport> left = crashReports(folder());
        QCOMPARE(left.size(), kCrashReports);
        QCOMPARE(left.front().end, std::string("day 23"));
        QCOMPARE(left.back().end, std::string("day 14"));
    }

    void withoutAFolderTheProgramRuns() {
        const CrashHandler handler("/proc/no/such/folder", kHead);
        QVERIFY(handler.file().empty());
        QVERIFY(crashReports("/proc/no/such/folder").empty());
    }
};

QTEST_APPLESS_MAIN(CrashHandlerTest)
#include "crash_handler_test.moc"
