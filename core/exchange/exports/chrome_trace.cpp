// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/exporters.h"

#include "core/timeline/build.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <type_traits>

namespace pw {

namespace {

constexpr std::array<const char*, kLaneRoles> kLaneNames = {"compute", "forward send", "backward send",
                                                            "gradient sync"};

// What a viewer attaches to a point in time. Bars first, then the flows that bind to them.
enum class EventKind : std::uint8_t { Counter, Bar, FlowStart, FlowEnd };

struct Event {
    std::int64_t at = 0; // ns
    std::int32_t track = 0;
    EventKind kind = EventKind::Bar;
    std::uint8_t lane = 0;
    std::size_t index = 0; // of the bar, the flow or the counter step

    std::uint64_t place() const { // by track, lane, kind
        return static_cast<std::uint64_t>(track) << 16 | static_cast<std::uint64_t>(lane) << 8 |
               static_cast<std::uint64_t>(kind);
    }
};

struct Flow {
    std::int32_t microbatch = 0;
    bool forward = true;
};

std::int64_t nanoseconds(double seconds) {
    return std::llround(seconds * 1e9);
}

// The text in pieces of a megabyte, so that a trace of any length needs no more memory than its events do.
class Pieces {
public:
    explicit Pieces(const TextSink& sink) : m_sink(sink) { m_text.reserve(kPiece + kMargin); }

    void put(std::string_view text) { m_text += text; }
    template <class Text>
    requires std::is_same_v<Text, const char*>
    void put(Text text) { m_text += text; }
    template <std::size_t Size>
    void put(const char (&literal)[Size]) {
        m_text.append(literal, Size - 1);
    }
    template <class Integer>
    requires std::is_integral_v<Integer>
    void put(Integer value) {
        char digits[24];
        m_text.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
    }
    void put(double value) { fmt::format_to(std::back_inserter(m_text), "{:.6g}", value); }
    template <class... Parts>
    void line(const Parts&... parts) {
        (put(parts), ...);
        if (m_text.size() >= kPiece)
            flush();
    }
    // Nanoseconds as the format's microseconds, exactly.
    void micro(std::int64_t ns) {
        put(ns / 1000);
        if (const std::int64_t rest = ns % 1000; rest != 0) {
            const char digits[] = {'.', digit(rest / 100), digit(rest / 10 % 10), digit(rest % 10)};
            m_text.append(digits, sizeof digits);
        }
    }
    void flush() {
        m_sink(m_text);
        m_text.clear();
    }

private:
    static constexpr std::size_t kPiece = std::size_t{1} << 20, kMargin = 4096;
    static char digit(std::int64_t value) { return static_cast<char>('0' + value); }

    const TextSink& m_sink;
    std::string m_text;
};

const char* operation(const Track& track, LaneRole role, std::size_t bar) {
    const Lane& lane = track.lane(role);
    switch (lane.kind(bar)) {
    case BarKind::Forward:
        return "F";
    case BarKind::Backward:
        return "B";
    case BarKind::WeightGrad:
        return "W";
    case BarKind::Recompute:
        return "R";
    case BarKind::Transfer:
        return carriesActivation(track, role, lane.chunk(bar)) ? "SF" : "SB";
    case BarKind::AllReduce:
        return "all-reduce";
    case BarKind::Optimizer:
        return "optimizer";
    }
    return "";
}

class ChromeTraceWriter {
public:
    ChromeTraceWriter(const ExportInput& input, const Timeline& timeline, const TextSink& sink)
        : m_input(input), m_timeline(timeline), m_out(sink) {}

    void write() {
        m_out.put("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n");
        for (std::size_t t = 0; t < m_timeline.tracks.size(); ++t)
            names(t);
        collect();
        // What is at one time keeps the order of collection within a track, lane and kind.
        std::stable_sort(m_events.begin(), m_events.end(), [](const Event& a, const Event& b) {
            return a.at != b.at ? a.at < b.at : a.place() < b.place();
        });
        for (const Event& event : m_events)
            print(event);
        m_out.line("\n]}\n");
        m_out.flush();
    }

private:
    const Track& track(std::size_t t) const { return m_timeline.tracks[t]; }
    const Lane& lane(const Event& e) const { return track(static_cast<std::size_t>(e.track)).lanes[e.lane]; }
    const Stage& stage(const Track& track) const {
        return m_input.plan.pipelines[static_cast<std::size_t>(track.pipeline)]
            .stages[static_cast<std::size_t>(track.stage)];
    }

    // "stage 2: A100-40 x8"; with several pipelines or replicas drawn as one, it says so.
    std::string processName(const Track& track) const {
        const DeviceKind& kind =
            m_input.problem.topology().kindOf(stage(track).replicas.front().devices.front());
        std::string name = fmt::format("stage {}: {} x{}", track.stage, kind.shortName,
                                       stage(track).deviceCount() / std::max(1, track.multiplicity));
        if (m_input.plan.pipelines.size() > 1)
            name = fmt::format("pipeline {} {}", track.pipeline, name);
        if (track.multiplicity > 1)
            name += fmt::format(" (one of {} identical pipelines)", track.multiplicity);
        return name;
    }

    // Events are divided by commas, none behind the last one.
    void begin(const char* phase, std::size_t pid) {
        m_out.put(m_first ? "{\"ph\":\"" : ",\n{\"ph\":\"");
        m_first = false;
        m_out.put(phase);
        m_out.put("\",\"pid\":");
        m_out.put(pid);
    }

    void names(std::size_t t) {
        begin("M", t);
        m_out.line(",\"name\":\"process_name\",\"args\":{\"name\":",
                   Json(processName(track(t))).dump(-1, ' ', false, Json::error_handler_t::replace), "}}");
        begin("M", t);
        m_out.line(",\"name\":\"process_sort_index\",\"args\":{\"sort_index\":", t, "}}");
        for (std::size_t i = 0; i < kLaneNames.size(); ++i) {
            begin("M", t);
            m_out.line(",\"tid\":", i, ",\"name\":\"thread_name\",\"args\":{\"name\":\"", kLaneNames[i],
                       "\"}}");
            begin("M", t);
            m_out.line(",\"tid\":", i, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":", i, "}}");
        }
    }

    void collect() {
        for (std::size_t t = 0; t < m_timeline.tracks.size(); ++t) {
            for (std::size_t role = 0; role < kLaneRoles; ++role)
                for (std::size_t i = 0; i < track(t).lanes[role].size(); ++i)
                    m_events.push_back({track(t).lanes[role].start(i), static_cast<std::int32_t>(t),
                                        EventKind::Bar, static_cast<std::uint8_t>(role), i});
            collectCounters(t);
        }
        collectFlows();
    }

    void collectCounters(std::size_t t) {
        const Track& row = track(t);
        m_fullest.push_back(fullestDevice(row));
        const Simulation& run =
            m_input.evaluation.pipelines[static_cast<std::size_t>(row.pipeline)].simulation;
        m_inFlight.push_back(inFlightOverTime(run, row.stage));
        std::vector<InFlightStep>& steps = m_inFlight.back();
        const double end = static_cast<double>(m_timeline.end) * 1e-9;
        if (!steps.empty() && steps.back().time < end)
            steps.push_back({end, steps.back().count});
        for (std::size_t i = 0; i < steps.size(); ++i)
            m_events.push_back(
                {nanoseconds(steps[i].time), static_cast<std::int32_t>(t), EventKind::Counter, 0, i});
    }

    // First bars of the forward or backward passes of a track, by chunk and micro-batch; -1 for none.
    std::vector<std::vector<std::ptrdiff_t>> passes(const Track& row, bool forward) const {
        const Lane& compute = row.lane(LaneRole::Compute);
        std::vector<std::vector<std::ptrdiff_t>> first(static_cast<std::size_t>(row.layout.chunks));
        for (std::size_t i = compute.size(); i-- > 0;) {
            const BarKind kind = compute.kind(i);
            const bool wanted =
                forward ? kind == BarKind::Forward : kind == BarKind::Backward || kind == BarKind::Recompute;
            if (!wanted || compute.microbatch(i) < 0)
                continue;
            const auto m = static_cast<std::size_t>(compute.microbatch(i));
            auto& bars = first[static_cast<std::size_t>(compute.chunk(i))];
            if (bars.size() <= m)
                bars.resize(m + 1, -1);
            bars[m] = static_cast<std::ptrdiff_t>(i);
        }
        return first;
    }

    // An arrow from every transfer to the operation that it feeds.
    void collectFlows() {
        std::vector<std::array<std::vector<std::vector<std::ptrdiff_t>>, 2>> fed; // by track and direction
        for (const Track& row : m_timeline.tracks)
            fed.push_back({passes(row, false), passes(row, true)});
        for (std::size_t t = 0; t < m_timeline.tracks.size(); ++t)
            for (const LaneRole role : {LaneRole::ForwardSend, LaneRole::BackwardSend}) {
                const Lane& sends = track(t).lane(role);
                for (std::size_t i = 0; i < sends.size(); ++i) {
                    const bool forward = carriesActivation(track(t), role, sends.chunk(i));
                    const int sender = track(t).layout.virtualStage(track(t).stage, sends.chunk(i));
                    const ChunkPlace to =
                        placeOf(m_timeline, static_cast<int>(t), sender + (forward ? 1 : -1));
                    if (to.track < 0)
                        continue;
                    const auto& bars = fed[static_cast<std::size_t>(to.track)][forward ? 1 : 0]
                                          [static_cast<std::size_t>(to.chunk)];
                    const auto m = static_cast<std::size_t>(sends.microbatch(i));
                    if (m >= bars.size() || bars[m] < 0)
                        continue;
                    const Lane& compute = track(static_cast<std::size_t>(to.track)).lane(LaneRole::Compute);
                    m_events.push_back({sends.start(i), static_cast<std::int32_t>(t), EventKind::FlowStart,
                                        static_cast<std::uint8_t>(role), m_flows.size()});
                    m_events.push_back({compute.start(static_cast<std::size_t>(bars[m])), to.track,
                                        EventKind::FlowEnd, 0, m_flows.size()});
                    m_flows.push_back({sends.microbatch(i), forward});
                }
            }
    }

    void print(const Event& event) {
        switch (event.kind) {
        case EventKind::Bar:
            return printBar(event);
        case EventKind::Counter:
            return printCounter(event);
        case EventKind::FlowStart:
        case EventKind::FlowEnd:
            return printFlow(event);
        }
    }

    void at(std::int64_t ns) {
        m_out.put(",\"ts\":");
        m_out.micro(ns);
    }

    void printBar(const Event& event) {
        const Lane& bars = lane(event);
        const Track& row = track(static_cast<std::size_t>(event.track));
        const std::int32_t m = bars.microbatch(event.index);
        const char* op = operation(row, static_cast<LaneRole>(event.lane), event.index);
        begin("X", static_cast<std::size_t>(event.track));
        m_out.put(",\"tid\":");
        m_out.put(static_cast<int>(event.lane));
        at(bars.start(event.index));
        m_out.put(",\"dur\":");
        m_out.micro(bars.end(event.index) - bars.start(event.index));
        m_out.line(",\"cat\":\"", kLaneNames[event.lane], "\",\"name\":\"", op);
        if (m >= 0)
            m_out.put(m);
        m_out.line("\",\"args\":{\"pipeline\":", row.pipeline, ",\"stage\":", row.stage,
                   ",\"replica\":0,\"chunk\":", bars.chunk(event.index), ",\"microbatch\":", m, ",\"op\":\"",
                   op, "\"}}");
    }

    void printCounter(const Event& event) {
        const auto pid = static_cast<std::size_t>(event.track);
        const InFlightStep& step = m_inFlight[pid][event.index];
        begin("C", pid);
        at(event.at);
        m_out.line(",\"name\":\"activations in flight\",\"args\":{\"micro-batches\":", step.count, "}}");
        if (const DeviceMemory* memory = m_fullest[pid]) {
            const Bytes now =
                memory->peak.total() - memory->peak.activations + memory->perMicrobatch * step.count;
            begin("C", pid);
            at(event.at);
            m_out.line(",\"name\":\"memory a device\",\"args\":{\"GiB\":", toGibibytes(now), "}}");
        }
    }

    void printFlow(const Event& event) {
        const Flow& flow = m_flows[event.index];
        const bool start = event.kind == EventKind::FlowStart;
        begin(start ? "s" : "f", static_cast<std::size_t>(event.track));
        m_out.put(",\"tid\":");
        m_out.put(static_cast<int>(event.lane));
        at(event.at);
        m_out.line(",\"id\":", event.index, ",\"cat\":\"transfer\",\"name\":\"",
                   flow.forward ? "activation" : "gradient", start ? "\"}" : "\",\"bp\":\"e\"}");
    }

    const DeviceMemory* fullestDevice(const Track& row) const {
        const DeviceMemory* fullest = nullptr;
        for (const DeviceMemory& m : m_input.evaluation.memory)
            if (m.pipeline == row.pipeline && m.stage == row.stage &&
                (fullest == nullptr || m.peak.total() > fullest->peak.total()))
                fullest = &m;
        return fullest;
    }

    const ExportInput& m_input;
    const Timeline& m_timeline;
    std::vector<Event> m_events;
    std::vector<Flow> m_flows;
    std::vector<std::vector<InFlightStep>> m_inFlight; // per track
    std::vector<const DeviceMemory*> m_fullest;        // likewise; null for none
    Pieces m_out;
    bool m_first = true;
};

} // namespace

void writeChromeTrace(const ExportInput& input, const TextSink& sink) {
    const Timeline timeline = buildTimeline(input.problem, input.plan, input.evaluation);
    ChromeTraceWriter(input, timeline, sink).write();
}

std::vector<ExportFile> exportChromeTrace(const ExportInput& input) {
    constexpr std::size_t kBar = 190, kArrow = 110; // bytes, about
    std::size_t about = 0;
    for (const PipelineFigures& figures : input.evaluation.pipelines)
        about +=
            kBar * figures.simulation.ops.size() + (kBar + 2 * kArrow) * figures.simulation.transfers.size();
    std::string text;
    text.reserve(about);
    writeChromeTrace(input, [&](std::string_view piece) { text += piece; });
    return {{"trace.json", std::move(text)}};
}

} // namespace pw
