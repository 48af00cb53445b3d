// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/soak/soak_record.h"

#include <QDir>
#include <QPixmapCache>
#include <QThread>
#include <QWidget>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <numeric>
#include <tuple>
#include <utility>

#include <malloc.h>
#include <unistd.h>

namespace pw {
namespace {

constexpr double kGrowth = 0.05;
constexpr double kEvent = 200.0;   // ms
constexpr std::size_t kFewest = 8; // rounds that say anything of growth

double milliseconds(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return 1e3 * static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_nsec);
}

int entries(const char* folder) {
    return static_cast<int>(QDir(QString::fromLatin1(folder))
                                .entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot)
                                .size());
}

double residentMegabytes() {
    std::ifstream file("/proc/self/statm");
    double size = 0.0, resident = 0.0;
    file >> size >> resident;
    return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

// All that hangs on the application and on its windows, by class and the class of the parent.
std::map<std::string, int> objectsByClass() {
    std::map<std::string, int> counts;
    const auto count = [&](const QObject* top) {
        for (const QObject* object : top->findChildren<QObject*>())
            ++counts[std::string(object->metaObject()->className()) + " in " +
                     object->parent()->metaObject()->className()];
    };
    count(qApp);
    for (const QWidget* window : QApplication::allWidgets())
        if (window->parent() == nullptr)
            count(window);
    return counts;
}

} // namespace

void SoakRecord::begin(const std::string& action) {
    m_action = action;
}

void SoakRecord::took(double processor, double wall, double began, const char* receiver, int event) {
    if (processor > kEvent)
        std::printf("an event of %.0f ms at %.3f s: type %d to %s, %s\n", processor, began, event, receiver,
                    m_action.c_str());
    m_worstWall = std::max(m_worstWall, wall);
    double& longest = m_longest[m_action];
    longest = std::max(longest, processor);
    if (processor > m_worst) {
        m_worst = processor;
        m_worstAction = m_action;
    }
}

bool SoakApplication::notify(QObject* receiver, QEvent* event) {
    const int loop = QThread::currentThread()->loopLevel();
    const bool sentOn = !m_handling.empty() && m_handling.back().loop >= loop; // by one that is timed
    if (sentOn || QThread::currentThread() != thread())
        return QApplication::notify(receiver, event);
    const double wall = milliseconds(CLOCK_MONOTONIC);
    const auto toldOf = [&](const Handling& handling, double clock) {
        const double now = milliseconds(CLOCK_THREAD_CPUTIME_ID), spent = now - std::exchange(m_since, now);
        m_record.took(spent, std::max(spent, clock), 1e-3 * wall, handling.receiver, handling.event);
    };
    if (m_handling.empty())
        m_since = milliseconds(CLOCK_THREAD_CPUTIME_ID);
    else
        toldOf(m_handling.back(), 0.0); // by the clock it may have waited
    // The receiver may be gone afterwards.
    m_handling.push_back({loop, receiver->metaObject()->className(), event->type()});
    const bool taken = QApplication::notify(receiver, event);
    toldOf(m_handling.back(), milliseconds(CLOCK_MONOTONIC) - wall);
    m_handling.pop_back();
    return taken;
}

void SoakRecord::endRound(int actions, double minutes) {
    QPixmapCache::clear();
    malloc_trim(0);
    const struct mallinfo2 heap = mallinfo2();
    const Round round{residentMegabytes(),
                      1e-6 * static_cast<double>(heap.uordblks + heap.hblkhd),
                      entries("/proc/self/fd"),
                      entries("/proc/self/task"),
                      static_cast<int>(QApplication::allWidgets().size()),
                      objectsByClass()};
    m_rounds.push_back(round);
    std::printf("%3zu  %6.1f min  %6d actions  %6.1f MB (%6.1f in use)  %3d files  %3d threads  %5d widgets  "
                "longest event %5.0f ms "
                "(%5.0f by the clock) %s\n",
                m_rounds.size(), minutes, actions, round.megabytes, round.inUse, round.files, round.threads,
                round.widgets, m_worst, m_worstWall, m_worstAction.c_str());
    m_worst = m_worstWall = 0.0;
}

// What there is more of in the last quarter than in the second, the largest growth first.
void SoakRecord::printGrowth(std::size_t quarter) const {
    const auto mean = [&](std::size_t from, const std::string& name) {
        double sum = 0.0;
        for (std::size_t n = from; n < from + quarter; ++n)
            if (const auto found = m_rounds[n].objects.find(name); found != m_rounds[n].objects.end())
                sum += found->second;
        return sum / static_cast<double>(quarter);
    };
    std::map<std::string, int> all;
    for (const Round& round : m_rounds)
        all.insert(round.objects.begin(), round.objects.end());
    std::vector<std::tuple<double, double, std::string>> grown;
    for (const auto& [name, count] : all) {
        const double before = mean(quarter, name), after = mean(m_rounds.size() - quarter, name);
        if (after > before + 2.0)
            grown.emplace_back(after - before, before, name);
    }
    std::ranges::sort(grown, std::greater<>());
    constexpr std::size_t kShown = 20;
    for (std::size_t n = 0; n < std::min(kShown, grown.size()); ++n) {
        const auto& [more, before, name] = grown[n];
        std::printf("more objects: %.1f, then %.1f %s\n", before, before + more, name.c_str());
    }
}

bool SoakRecord::judge() const {
    bool good = true;
    std::map<std::string, int> windows;
    for (const QWidget* widget : QApplication::topLevelWidgets())
        ++windows[widget->metaObject()->className()];
    for (const auto& [name, count] : windows)
        std::printf("windows left: %d %s\n", count, name.c_str());
    std::vector<std::pair<double, std::string>> events;
    for (const auto& [action, longest] : m_longest)
        events.emplace_back(longest, action);
    std::ranges::sort(events, std::greater<>());
    for (const auto& [longest, action] : events) {
        if (longest <= kEvent)
            break;
        good = false;
        std::printf("FAILED: an event of %.0f ms: %s\n", longest, action.c_str());
    }
    if (!events.empty())
        std::printf("longest event: %.0f ms, %s\n", events.front().first, events.front().second.c_str());
    // The first quarter fills caches; the quarter behind it is what the last one is held against.
    const std::size_t quarter = m_rounds.size() / 4;
    if (m_rounds.size() < kFewest) {
        std::printf("%zu rounds say nothing of growth\n", m_rounds.size());
        return good;
    }
    const auto mean = [&](std::size_t from, auto value) {
        return std::accumulate(m_rounds.begin() + static_cast<std::ptrdiff_t>(from),
                               m_rounds.begin() + static_cast<std::ptrdiff_t>(from + quarter), 0.0,
                               [&](double sum, const Round& round) { return sum + value(round); }) /
               static_cast<double>(quarter);
    };
    const auto megabytes = [](const Round& round) { return round.megabytes; };
    const auto files = [](const Round& round) { return static_cast<double>(round.files); };
    const double before = mean(quarter, megabytes), after = mean(m_rounds.size() - quarter, megabytes);
    std::printf("memory: %.1f MB, then %.1f MB (%+.1f %%)\n", before, after, 100.0 * (after / before - 1.0));
    printGrowth(quarter);
    if (after > (1.0 + kGrowth) * before) {
        good = false;
        std::printf("FAILED: memory grows\n");
    }
    if (mean(m_rounds.size() - quarter, files) > mean(quarter, files) + 0.5) {
        good = false;
        std::printf("FAILED: files stay open\n");
    }
    return good;
}

} // namespace pw
