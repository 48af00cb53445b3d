// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/paced_work.h"

#include "tests/base/false_clock.h"

#include <QTest>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

using namespace pw;

namespace {

// A false clock that counts who looks at it.
class WatchedClock : public test::FalseClock {
public:
    double steady() const override {
        ++m_looks;
        return FalseClock::steady();
    }
    int looks() const { return m_looks; }

private:
    mutable std::atomic<int> m_looks = 0;
};

// What was done.
class Done {
public:
    void add(const std::string& what) {
        const std::lock_guard lock(m_mutex);
        m_all.push_back(what);
    }
    std::vector<std::string> all() const {
        const std::lock_guard lock(m_mutex);
        return m_all;
    }

private:
    mutable std::mutex m_mutex;
    std::vector<std::string> m_all;
};

using Words = std::vector<std::string>;

} // namespace

class PacedWorkTest : public QObject {
    Q_OBJECT

    WatchedClock m_clock;
    std::atomic<int> m_looks = 0; // at the clock, when the last work was done
    Done m_done;

    // Gives it at so many seconds, and returns once the thread has looked at the time since.
    void give(PacedWork& work, const char* what, double after) {
        m_clock.advance(after);
        const int before = m_clock.looks();
        work.give([this, what] {
            m_looks = m_clock.looks();
            m_done.add(what);
        });
        QTRY_VERIFY(m_clock.looks() > before);
    }
    // Waits for that to be all, and until the next time is counted from there.
    void done(const Words& words) const {
        QTRY_COMPARE(m_done.all(), words);
        QTRY_VERIFY(m_clock.looks() > m_looks);
    }

private Q_SLOTS:
    void theLatestIsDoneWhenItsTimeHasCome() {
        {
            PacedWork work({5.0, 30.0}, m_clock);
            give(work, "a", 1.0);
            give(work, "b", 3.9);
            QCOMPARE(m_done.all(), Words());
            give(work, "c", 0.2); // at 5.1 s; the next at 35.1
            done({"c"});
            give(work, "d", 5.0);
            give(work, "e", 24.9);
            QCOMPARE(m_done.all(), Words{"c"});
            give(work, "f", 0.2);
            done({"c", "f"});
            give(work, "g", 29.0);
        }
        QCOMPARE(m_done.all(), (Words{"c", "f"})); // the end does nothing more
    }

    void whatThrowsDoesNotEndIt() {
        Done done;
        PacedWork work({0.0, 0.0}, m_clock);
        work.give([&] {
            done.add("broken");
            throw std::runtime_error("no");
        });
        QTRY_COMPARE(done.all(), Words{"broken"});
        work.give([&] { done.add("whole"); });
        QTRY_COMPARE(done.all(), (Words{"broken", "whole"}));
    }
};

QTEST_APPLESS_MAIN(PacedWorkTest)
#include "paced_work_test.moc"
