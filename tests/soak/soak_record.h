// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>

#include <map>
#include <string>
#include <vector>

namespace pw {

// What a soak has seen: a row for every round at rest, and how long the window took for single events, by
// what was being done.
class SoakRecord {
public:
    void begin(const std::string& action); // events from here on are its
    // Of one event: ms, when it began (s of the monotonic clock, as profilers count), and who got it.
    void took(double processor, double wall, double began, const char* receiver, int event);
    // Reads memory and files and prints the round.
    void endRound(int actions, double minutes);
    // Prints what came out; whether all of it is as it should be.
    bool judge() const;

private:
    struct Round {
        double megabytes = 0.0, inUse = 0.0; // of the process, and of what it has allocated and not freed
        int files = 0, threads = 0, widgets = 0;
    };
    void count(const QObject* top, std::vector<int>& objects);
    void printGrowth() const;
    std::vector<Round> m_rounds;
    // Objects by class and the class of what holds them, of some rounds only: what is kept here grows as
    // well.
    std::map<std::pair<const QMetaObject*, const QMetaObject*>, std::size_t> m_classes; // to places in these
    std::vector<std::vector<int>> m_objects;
    std::map<std::string, double> m_longest; // ms of processor time, by action
    std::string m_action, m_worstAction;
    double m_worst = 0.0, m_worstWall = 0.0; // ms, of the present round
};

// Times how long the window answers nothing: each event that an event loop takes, with all that it sends on.
// One that opens a dialog and waits for it is timed up to the first event there.
class SoakApplication : public QApplication {
public:
    SoakApplication(int& argc, char** argv, SoakRecord& record)
        : QApplication(argc, argv), m_record(record) {}
    bool notify(QObject* receiver, QEvent* event) override;

private:
    struct Handling {
        int loop = 0; // level
        const char* receiver = nullptr;
        int event = 0;
        bool waits = false; // in a loop of its own, or has
    };
    SoakRecord& m_record;
    std::vector<Handling> m_handling;       // one a level, outermost first
    double m_processor = 0.0, m_wall = 0.0; // ms, when the innermost began
};

} // namespace pw
