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
constexpr double kEvent = 200.0;     // ms
constexpr std::size_t kFewest = 8;   // rounds that say anything of growth
constexpr std::size_t kCounted = 10; // every how many rounds objects are counted

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
    if (QThread::currentThread() != thread())
        return QApplication::notify(receiver, event);
    const int loop = QThread::currentThread()->loopLevel();
    if (!m_handling.empty() && m_handling.back().loop >= loop) // sent on by one that is timed
        return QApplication::notify(receiver, event);
    const auto tell = [&] {
        const double processor = milliseconds(CLOCK_THREAD_CPUTIME_ID), wall = milliseconds(CLOCK_MONOTONIC);
        const Handling& handling = m_handling.back();
        m_record.took(processor - m_processor, wall - m_wall, 1e-3 * m_wall, handling.receiver,
                      handling.event);
    };
    const auto begin = [&] {
        m_processor = milliseconds(CLOCK_THREAD_CPUTIME_ID);
        m_wall = milliseconds(CLOCK_MONOTONIC);
    };
    if (!m_handling.empty() && !m_handling.back().waits) {
        tell(); // up to here
        m_handling.back().waits = true;
    }
    // The receiver may be gone afterwards.
    m_handling.push_back({loop, receiver->metaObject()->className(), event->type(), false});
    begin();
    const bool taken = QApplication::notify(receiver, event);
    if (!m_handling.back().waits) // else the loop that it waited in has just ended
        tell();
    m_handling.pop_back();
    return taken;
}

void SoakRecord::endRound(int actions, double minutes) {
    QPixmapCache::clear();
    malloc_trim(0);
    const struct mallinfo2 heap = mallinfo2();
    const Round round{residentMegabytes(), 1e-6 * static_cast<double>(heap.uordblks + heap.hblkhd),
                      entries("/proc/self/fd"), entries("/proc/self/task"),
                      static_cast<int>(QApplication::allWidgets().size())};
    if (m_rounds.size() % kCounted == 0) {
        std::vector<int> objects(m_classes.size());
        count(qApp, objects);
        for (const QWidget* window : QApplication::allWidgets())
            if (window->parent() == nullptr)
                count(window, objects);
        m_objects.push_back(std::move(objects));
    }
    m_rounds.push_back(round);
    std::printf("%3zu  %6.1f min  %6d actions  %6.1f MB (%6.1f in use)  %3d files  %3d threads  %5d widgets  "
                "longest event %5.0f ms "
                "(%5.0f by the clock) %s\n",
                m_rounds.size(), minutes, actions, round.megabytes, round.inUse, round.files, round.threads,
                round.widgets, m_worst, m_worstWall, m_worstAction.c_str());
    m_worst = m_worstWall = 0.0;
}

// All that hangs on it.
void SoakRecord::count(const QObject* top, std::vector<int>& objects) {
    for (const QObject* object : top->findChildren<QObject*>()) {
        const auto [place, isNew] =
            m_classes.try_emplace({object->metaObject(), object->parent()->metaObject()}, m_classes.size());
        if (isNew)
            objects.push_back(0);
        ++objects[place->second];
    }
}

// What there is more of in the last quarter than in the second, the largest growth first.
void SoakRecord::printGrowth() const {
    const std::size_t quarter = m_objects.size() / 4;
    if (quarter == 0)
        return;
    const auto mean = [&](std::size_t from, std::size_t place) {
        double sum = 0.0;
        for (std::size_t n = from; n < from + quarter; ++n)
            if (place < m_objects[n].size()) // else it was not seen yet
                sum += m_objects[n][place];
        return sum / static_cast<double>(quarter);
    };
    std::vector<std::tuple<double, double, std::string>> grown;
    for (const auto& [classes, place] : m_classes) {
        const double before = mean(quarter, place), after = mean(m_objects.size() - quarter, place);
        if (after > before + 2.0)
            grown.emplace_back(after - before, before,
                               std::string(classes.first->className()) + " in " +
                                   classes.second->className());
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
    printGrowth();
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
