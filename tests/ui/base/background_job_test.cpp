// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/background_job.h"

#include <QDirIterator>
#include <QRegularExpression>
#include <QtTest>

#include <atomic>
#include <new>
#include <semaphore>
#include <stdexcept>
#include <vector>

using namespace pw;

namespace {

// A work that begins when it is let, and ends when it is let or asked to stop.
struct Gate {
    std::binary_semaphore begun{0};
    std::atomic<bool> open = false;

    bool pass(const std::stop_token& stop) { // whether it was asked to stop
        begun.release();
        while (!open && !stop.stop_requested())
            std::this_thread::yield();
        return stop.stop_requested();
    }
};
using GatePointer = std::shared_ptr<Gate>;

} // namespace

// What the window's background work rests on: which result comes, in which thread, and which never does.
class BackgroundJobTest : public QObject {
    Q_OBJECT

private:
    std::vector<int> m_heard;

    auto hear() {
        return [this](const Result<int>& value) { m_heard.push_back(*value); };
    }
    // Runs until `gate` opens, and gives `value`, or its negative if it was asked to stop.
    static auto work(const GatePointer& gate, int value) {
        return [gate, value](const std::stop_token& stop) { return gate->pass(stop) ? -value : value; };
    }
    static std::vector<int> list(std::initializer_list<int> values) { return values; }

private Q_SLOTS:
    void init() { m_heard.clear(); }

    void theResultComesInTheOwnersThread() {
        BackgroundJob job;
        QThread *worked = nullptr, *heard = nullptr;
        bool running = true;
        job.start([](const std::stop_token&) { return QThread::currentThread(); },
                  [&](const Result<QThread*>& thread) {
                      worked = *thread;
                      heard = QThread::currentThread();
                      running = job.isRunning();
                  });
        QVERIFY(job.isRunning());
        QTRY_VERIFY(heard != nullptr);
        QCOMPARE(heard, QThread::currentThread());
        QVERIFY(worked != heard);
        QVERIFY(!running);
    }

    void theLatestWins() {
        BackgroundJob job;
        const auto first = std::make_shared<Gate>(), second = std::make_shared<Gate>(),
                   third = std::make_shared<Gate>();
        job.start(work(first, 1), hear());
        first->begun.acquire();
        job.start(work(second, 2), hear());
        third->open = true;
        job.start(work(third, 3), hear()); // the others' gates stay shut: they end because they are asked to
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(m_heard, list({3}));
        QCoreApplication::processEvents();
        QCOMPARE(m_heard, list({3}));
    }

    void aResultOnItsWayIsStale() {
        BackgroundJob job;
        std::atomic<int> ended = 0;
        const auto counted = [&ended](int value) {
            return [&ended, value](const std::stop_token&) {
                ++ended;
                return value;
            };
        };
        job.start(counted(1), hear());
        QTRY_COMPARE_WITH_TIMEOUT(ended.load(), 1, 5'000); // ended; perhaps delivered by that
        m_heard.clear();
        job.start(counted(2), hear());
        while (ended < 2) // without events: the result waits to be heard
            std::this_thread::yield();
        job.drop();
        QVERIFY(!job.isRunning());
        job.start(counted(3), hear());
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(m_heard, list({3}));
    }

    void whatRunsCanBeFinishedFirst() {
        BackgroundJob job;
        const auto first = std::make_shared<Gate>(), second = std::make_shared<Gate>(),
                   third = std::make_shared<Gate>();
        job.start(work(first, 1), hear(), BackgroundJob::Before::Finished);
        first->begun.acquire();
        job.start(work(second, 2), hear(), BackgroundJob::Before::Finished);
        job.start(work(third, 3), hear(), BackgroundJob::Before::Finished);
        first->open = true;
        QTRY_COMPARE(m_heard, list({1})); // was not asked to stop, and is heard
        QVERIFY(job.isRunning());
        third->open = true;
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(m_heard, list({1, 3})); // the second one had not begun
        QVERIFY(!second->begun.try_acquire());
    }

    void stopAsksAndTheResultFollows() {
        BackgroundJob job;
        const auto gate = std::make_shared<Gate>();
        job.start(work(gate, 1), hear());
        gate->begun.acquire();
        job.stop();
        QVERIFY(job.isRunning());
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(m_heard, list({-1}));
        job.stop(); // nothing runs
        // Also of one that has not begun.
        const auto first = std::make_shared<Gate>(), second = std::make_shared<Gate>();
        job.start(work(first, 2), hear());
        first->begun.acquire();
        job.start(work(second, 3), hear());
        job.stop();
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(m_heard, list({-1, -3}));
    }

    void dropAsksAndNothingFollows() {
        int ticks = 0;
        BackgroundJob job([&ticks] { ++ticks; });
        const auto gate = std::make_shared<Gate>();
        job.start(work(gate, 1), hear());
        gate->begun.acquire();
        job.drop();
        QVERIFY(!job.isRunning());
        job.wait(); // for nothing
        const auto next = std::make_shared<Gate>();
        next->open = true;
        ticks = 0;
        job.start(work(next, 2), hear()); // begins when the dropped one has ended
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(m_heard, list({2}));
        QVERIFY(ticks > 0);
    }

    // Whatever leaves the work, the owner hears of it and goes on.
    void anExceptionIsAnErrorOfTheResult() {
        BackgroundJob job;
        std::vector<Error> errors;
        const auto heard = [&](const Result<int>& result) {
            if (result)
                m_heard.push_back(*result);
            else
                errors.push_back(result.error());
        };
        job.start([](const std::stop_token&) -> int { throw std::runtime_error("a library's words"); },
                  heard);
        QTRY_VERIFY(!job.isRunning());
        job.start([](const std::stop_token&) -> Result<int> { throw std::bad_alloc(); }, heard); // flat
        QTRY_VERIFY(!job.isRunning());
        job.start([](const std::stop_token&) -> int { throw 7; }, heard);
        QTRY_VERIFY(!job.isRunning());
        job.start([](const std::stop_token&) { return 1; }, heard);
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(m_heard, list({1}));
        QCOMPARE(errors.size(), std::size_t{3});
        QCOMPARE(errors[0].code, std::string("internal"));
        QCOMPARE(errors[0].message, std::string("a library's words"));
        QCOMPARE(errors[1].code, std::string("memory"));
        QCOMPARE(errors[2].code, std::string("internal"));
    }

    void waitDeliversAtOnce() {
        BackgroundJob job;
        const auto first = std::make_shared<Gate>(), second = std::make_shared<Gate>();
        first->open = second->open = true;
        job.start(work(first, 1), hear());
        job.start(work(second, 2), hear());
        job.wait();
        QVERIFY(!job.isRunning());
        QCOMPARE(m_heard, list({2}));
        QCoreApplication::processEvents(); // what was on its way is not heard again
        QCOMPARE(m_heard, list({2}));
    }

    void ticksEmptyTheMailboxBeforeTheResult() {
        const auto mailbox = std::make_shared<Mailbox<std::vector<int>>>();
        const auto gate = std::make_shared<Gate>();
        int atTheEnd = 0;
        BackgroundJob job([&] {
            for (const int value : mailbox->take())
                m_heard.push_back(value);
        });
        job.start(
            [mailbox, gate](const std::stop_token& stop) {
                mailbox->write([](std::vector<int>& values) { values = {1, 2}; });
                gate->pass(stop);
                mailbox->write([](std::vector<int>& values) { values.push_back(3); });
                return 0;
            },
            [&](const Result<int>&) { atTheEnd = static_cast<int>(m_heard.size()); });
        QTRY_COMPARE(m_heard, list({1, 2})); // while it works
        gate->open = true;
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(m_heard, list({1, 2, 3}));
        QCOMPARE(atTheEnd, 3);
    }

    void theLastTickMayDropIt() {
        BackgroundJob* job = nullptr;
        BackgroundJob own([&job] { job->drop(); });
        job = &own;
        own.start([](const std::stop_token&) { return 1; }, hear());
        QTRY_VERIFY(!own.isRunning());
        QCoreApplication::processEvents();
        QVERIFY(m_heard.empty());
    }

    void aResultMayStartTheNextOrEndTheOwner() {
        auto job = std::make_unique<BackgroundJob>();
        const auto one = [](const std::stop_token&) { return 1; };
        bool gone = false;
        job->start(one, [&](const Result<int>&) {
            job->start(one, [&](const Result<int>&) {
                job.reset();
                gone = true;
            });
        });
        QTRY_VERIFY(gone);
        QVERIFY(!job);
    }

    void destroyedWhileItWorks() {
        const auto gate = std::make_shared<Gate>();
        std::atomic<bool> asked = false;
        {
            BackgroundJob job([] { QFAIL("a tick of a job that is gone"); });
            job.start(
                [gate, &asked](const std::stop_token& stop) {
                    asked = gate->pass(stop);
                    return 1;
                },
                hear());
            gate->begun.acquire();
            job.start(work(gate, 2), hear(), BackgroundJob::Before::Finished); // never begins
        }
        QVERIFY(asked); // and it has ended: it uses what dies next
        QCoreApplication::processEvents();
        QVERIFY(m_heard.empty());
    }

    void aPauseHoldsTheWorkUntilItsEndOrAStop() {
        const auto pause = std::make_shared<Pause>();
        const auto held = [pause](const std::stop_token& stop) {
            pause->pass(stop);
            return stop.stop_requested() ? -1 : 1;
        };
        BackgroundJob job;
        pause->set(true);
        job.start(held, hear());
        pause->set(false);
        QTRY_VERIFY(!job.isRunning());
        pause->set(true);
        job.start(held, hear());
        job.stop();
        QTRY_VERIFY(!job.isRunning());
        QCOMPARE(m_heard, list({1, -1}));
    }

    // Whoever in the window wants something done in the background has it done by this class.
    void theWindowHasNoOtherThreads() {
        static const QRegularExpression own(QStringLiteral(
            "\\b(?:jthread|std::thread|std::async|condition_variable|QThread\\w*|QtConcurrent)\\b"));
        QStringList users;
        QDirIterator files(QStringLiteral(PW_SOURCE_DIR "/ui"),
                           {QStringLiteral("*.h"), QStringLiteral("*.cpp")}, QDir::Files,
                           QDirIterator::Subdirectories);
        while (files.hasNext()) {
            QFile file(files.next());
            QVERIFY(file.open(QIODevice::ReadOnly));
            if (QString::fromUtf8(file.readAll()).contains(own))
                users << QFileInfo(file).fileName();
        }
        users.sort();
        QCOMPARE(users,
                 QStringList({QStringLiteral("background_job.cpp"), QStringLiteral("background_job.h")}));
    }

    // What it waits for is let go by an event of the owner's: an owner that handles none would wait for ever.
    void whatIsAwaitedLeavesTheOwnerItsEvents() {
        std::binary_semaphore let{0};
        QTimer::singleShot(0, this, [&] { let.release(); });
        const Result<QThread*> worked = awaited([&] {
            let.acquire();
            return QThread::currentThread();
        });
        QVERIFY(*worked != QThread::currentThread());
        QVERIFY(!BackgroundJob::anyRunning());
    }

    void whatIsAwaitedMayFail() {
        const Result<int> thrown = awaited([]() -> int { throw std::bad_alloc(); });
        QCOMPARE(thrown.error().code, std::string("memory"));
        const Result<int> refused = awaited([]() -> Result<int> { return failure("test", "here", "no"); });
        QCOMPARE(refused.error().code, std::string("test"));
    }

    void neverTwoAtATime() {
        BackgroundJob job;
        std::atomic<int> working = 0, most = 0;
        for (int i = 0; i < 200; ++i) {
            job.start(
                [&, i](const std::stop_token&) {
                    most = std::max(most.load(), ++working);
                    std::this_thread::yield();
                    --working;
                    return i;
                },
                hear(), i % 3 == 0 ? BackgroundJob::Before::Finished : BackgroundJob::Before::Dropped);
            if (i % 7 == 0)
                job.drop();
            if (i % 5 == 0)
                QCoreApplication::processEvents();
        }
        job.wait();
        QCOMPARE(most.load(), 1);
        QCOMPARE(m_heard.back(), 199);
        QVERIFY(std::is_sorted(m_heard.begin(), m_heard.end()));
    }
};

QTEST_GUILESS_MAIN(BackgroundJobTest)
#include "background_job_test.moc"
