// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/quantity.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// What a search does and how long each part takes, for whoever hands in a sink: nothing here is global, and
// where the sink is null InPhase touches neither the clock nor the heap. (The names of open phases a search
// keeps in any case, since every plan says within which it was found.)
//
//   search   |-- space --|-- bound --|-- other planners -----------|-- finish --|
//                                    |-- haap ----|-- hyperpipe ---|
//                                    |- starts -|
//
// A phase lies within the one that was entered last and not left yet. Its figures have all that lies within
// it, so that those of one level add up and no second counts twice, but for searches that run beside each
// other on several threads: their phases are told when all have ended.
struct Phase {
    std::string name;      // "patterns"; what comes twice stands twice
    std::int64_t work = 0; // evaluated stage candidates
    double seconds = 0.0;
    Seconds before, after; // the best iteration known when it began and when it ended; 0 = none
    std::vector<Phase> within;
};

// Called from the search's own thread, and from no other while the search runs.
class TraceSink {
public:
    virtual ~TraceSink() = default;
    virtual void entered(std::string_view /*phase*/) {}
    virtual void left(const Phase&) {} // the innermost one
    // One that ran on another thread and is over, with all that lies within it; as entered() and left() of
    // each unless somebody has to tell the two apart.
    virtual void told(const Phase& phase);
    virtual void happened(LogLevel, const std::string& /*what*/) {}
};

// Enters a phase and leaves it at the end of its life. Who has figures besides the time sets them.
class InPhase {
public:
    InPhase(TraceSink* sink, std::string_view name, const Clock& clock = systemClock());
    ~InPhase();
    InPhase(const InPhase&) = delete;
    InPhase& operator=(const InPhase&) = delete;

    Phase* figures() { return m_sink ? &m_phase : nullptr; } // null where nobody asks for them
    // What took so long on another thread and had such phases belongs to this one.
    void add(double seconds, const std::vector<Phase>& within);

private:
    TraceSink* m_sink;
    Phase m_phase;
    const Clock& m_clock;
    double m_begin = 0.0; // s
};

// Keeps the phases, each with those within it, and passes on to `next`, which may be null, what it is told.
class PhaseRecorder : public TraceSink {
public:
    explicit PhaseRecorder(TraceSink* next = nullptr) : m_next(next) {}
    void entered(std::string_view phase) override;
    void left(const Phase& phase) override;
    void told(const Phase& phase) override;
    void happened(LogLevel level, const std::string& what) override;
    std::vector<Phase> take(); // once all are left

private:
    TraceSink* m_next;
    std::vector<std::vector<Phase>> m_open{1}; // by depth: those that have ended within the phase above
};

// Writes a log of what happens: at Info the phases of the search itself as they end, at Debug those within
// them, every beginning and every better plan. Of phases that ran on other threads the ends alone, when all
// are over, since their beginnings are past by then. The place is the path of phases, behind `place`.
class TraceLog : public TraceSink {
public:
    TraceLog(Log& log, std::string place) : m_log(log), m_path{std::move(place)} {}
    void entered(std::string_view phase) override;
    void left(const Phase& phase) override;
    void told(const Phase& phase) override;
    void happened(LogLevel level, const std::string& what) override;

private:
    void leave(const Phase& phase, const char* when);
    std::string place() const;

    Log& m_log;
    std::vector<std::string> m_path;
};

double secondsOf(const std::vector<Phase>& phases);               // of these together
void append(std::vector<Phase>& phases, std::vector<Phase> more); // of a search that followed

} // namespace pw
