// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/contained.h"
#include "core/base/parallel.h"

#include <QTest>

#include <new>
#include <stdexcept>

using namespace pw;

// An exception ends the work that met it and nothing else.
class ContainedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsThrownIsAnError() {
        const auto codeOf = [](const auto& work) {
            const auto made = contained(work);
            return made ? std::string() : made.error().code + ": " + made.error().message;
        };
        QCOMPARE(codeOf([]() -> int { throw std::runtime_error("of a library"); }),
                 std::string("internal: of a library"));
        QVERIFY(codeOf([]() -> int { throw std::bad_alloc(); }).starts_with("memory: "));
        QVERIFY(codeOf([]() -> Status { throw 7; }).starts_with("internal: "));
        QCOMPARE(*contained([] { return 7; }), 7);
        const Result<int> refused =
            contained([]() -> Result<int> { return badInput("x", "f:1", "is wrong"); });
        QCOMPARE(refused.error().where, std::string("f:1")); // as it was
    }

    // Of the thrown ones the caller gets that of the lowest number, in its own thread, after the last worker.
    void noExceptionLeavesAWorker() {
        for (const int threads : {1, 2, 8}) {
            std::atomic<int> working = 0;
            std::string said;
            try {
                inParallel(1000, threads, [&](std::size_t i) {
                    ++working;
                    struct Leaves {
                        std::atomic<int>& count;
                        ~Leaves() { --count; }
                    } const leaves{working};
                    if (i >= 3)
                        throw std::runtime_error(std::to_string(i));
                });
            } catch (const std::exception& error) {
                said = error.what();
            }
            QCOMPARE(said, std::string("3"));
            QCOMPARE(working.load(), 0);
        }
    }

    void withoutOneEveryPieceIsDone() {
        std::vector<int> done(1000, 0);
        inParallel(done.size(), 8, [&](std::size_t i) { ++done[i]; });
        QCOMPARE(std::count(done.begin(), done.end(), 1), std::ptrdiff_t{1000});
    }
};

QTEST_APPLESS_MAIN(ContainedTest)
#include "contained_test.moc"
