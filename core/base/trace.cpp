// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/trace.h"

#include "core/base/units.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cassert>
#include <iterator>
#include <numeric>
#include <utility>

namespace pw {

void TraceSink::told(const Phase& phase) {
    entered(phase.name);
    for (const Phase& inner : phase.within)
        told(inner);
    left(phase);
}

InPhase::InPhase(TraceSink* sink, std::string_view name, const Clock& clock) : m_sink(sink), m_clock(clock) {
    if (!m_sink)
        return;
    m_phase.name = name;
    m_sink->entered(name);
    m_begin = m_clock.steady();
}

InPhase::~InPhase() {
    if (!m_sink)
        return;
    m_phase.seconds = m_clock.steady() - m_begin;
    m_sink->left(m_phase);
}

void InPhase::add(double seconds, const std::vector<Phase>& within) {
    if (!m_sink)
        return;
    m_begin -= seconds;
    for (const Phase& phase : within)
        m_sink->told(phase);
}

void PhaseRecorder::entered(std::string_view phase) {
    m_open.emplace_back();
    if (m_next)
        m_next->entered(phase);
}

void PhaseRecorder::left(const Phase& phase) {
    assert(m_open.size() > 1);
    Phase whole = phase;
    whole.within = std::move(m_open.back());
    m_open.pop_back();
    if (m_next)
        m_next->left(whole);
    m_open.back().push_back(std::move(whole));
}

void PhaseRecorder::told(const Phase& phase) {
    m_open.back().push_back(phase);
    if (m_next)
        m_next->told(phase);
}

void PhaseRecorder::happened(LogLevel level, const std::string& what) {
    if (m_next)
        m_next->happened(level, what);
}

std::vector<Phase> PhaseRecorder::take() {
    assert(m_open.size() == 1);
    return std::exchange(m_open.front(), {});
}

std::string TraceLog::place() const {
    return fmt::format("{}", fmt::join(m_path, "/"));
}

void TraceLog::entered(std::string_view phase) {
    m_path.emplace_back(phase);
    if (m_log.takes(LogLevel::Debug))
        m_log.write(LogLevel::Debug, place(), "begins");
}

void TraceLog::left(const Phase& phase) {
    leave(phase, "");
}

void TraceLog::told(const Phase& phase) {
    m_path.emplace_back(phase.name);
    for (const Phase& inner : phase.within)
        told(inner);
    leave(phase, ", on a thread beside others");
}

void TraceLog::leave(const Phase& phase, const char* when) {
    const LogLevel level = m_path.size() > 2 ? LogLevel::Debug : LogLevel::Info;
    const auto best = [](Seconds time) { return time.value > 0.0 ? formatDuration(time) : "none"; };
    if (m_log.takes(level))
        m_log.write(level, place(),
                    fmt::format("{:.3f} s, {} candidates, best {} before and {} after{}", phase.seconds,
                                phase.work, best(phase.before), best(phase.after), when));
    m_path.pop_back();
}

void TraceLog::happened(LogLevel level, const std::string& what) {
    if (m_log.takes(level))
        m_log.write(level, place(), what);
}

void append(std::vector<Phase>& phases, std::vector<Phase> more) {
    phases.insert(phases.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

double secondsOf(const std::vector<Phase>& phases) {
    return std::accumulate(phases.begin(), phases.end(), 0.0,
                           [](double sum, const Phase& phase) { return sum + phase.seconds; });
}

} // namespace pw
