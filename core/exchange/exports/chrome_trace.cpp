// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/exporters.h"

#include "core/timeline/build.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <iterator>

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
};

struct Flow {
    std::int32_t microbatch = 0;
    bool forward = true;
};

std::int64_t nanoseconds(double seconds) {
    return std::llround(seconds * 1e9);
}

// Nanoseconds as the format's microseconds, exactly.
std::string micro(std::int64_t ns) {
    return ns % 1000 == 0 ? fmt::format("{}", ns / 1000) : fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

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

class Writer {
public:
    Writer(const ExportInput& input, const Timeline& timeline) : m_input(input), m_timeline(timeline) {}

    std::string write() {
        m_text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
        for (std::size_t t = 0; t < m_timeline.tracks.size(); ++t)
            names(t);
        collect();
        std::stable_sort(m_events.begin(), m_events.end(), [](const Event& a, const Event& b) {
            return std::tie(a.at, a.track, a.lane, a.kind) < std::tie(b.at, b.track, b.lane, b.kind);
        });
        for (const Event& event : m_events)
            print(event);
        m_text.resize(m_text.size() - 2); // the last comma and line end
        m_text += "\n]}\n";
        return std::move(m_text);
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

    void names(std::size_t t) {
        const std::string name =
            Json(processName(track(t))).dump(-1, ' ', false, Json::error_handler_t::replace);
        append("{{\"ph\":\"M\",\"pid\":{},\"name\":\"process_name\",\"args\":{{\"name\":{}}}}},\n", t, name);
        append(
            "{{\"ph\":\"M\",\"pid\":{0},\"name\":\"process_sort_index\",\"args\":{{\"sort_index\":{0}}}}},\n",
            t);
        for (std::size_t i = 0; i < kLaneNames.size(); ++i) {
            append("{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"thread_name\",\"args\":{{\"name\":\"{}\"}"
                   "}}},\n",
                   t, i, kLaneNames[i]);
            append("{{\"ph\":\"M\",\"pid\":{},\"tid\":{},\"name\":\"thread_sort_index\",\"args\":{{\"sort_"
                   "index\":{}}}}},\n",
                   t, i, i);
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

    void printBar(const Event& event) {
        const Lane& bars = lane(event);
        const Track& row = track(static_cast<std::size_t>(event.track));
        const std::int32_t m = bars.microbatch(event.index);
        const char* op = operation(row, static_cast<LaneRole>(event.lane), event.index);
        append("{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"cat\":\"{}\",\"name\":\"{}",
               event.track, event.lane, micro(bars.start(event.index)),
               micro(bars.end(event.index) - bars.start(event.index)), kLaneNames[event.lane], op);
        if (m >= 0)
            append("{}", m);
        append("\",\"args\":{{\"pipeline\":{},\"stage\":{},\"replica\":0,\"chunk\":{},\"microbatch\":{},"
               "\"op\":\"{}\"}}}},\n",
               row.pipeline, row.stage, bars.chunk(event.index), m, op);
    }

    void printCounter(const Event& event) {
        const InFlightStep& step = m_inFlight[static_cast<std::size_t>(event.track)][event.index];
        append("{{\"ph\":\"C\",\"pid\":{},\"ts\":{},\"name\":\"activations in "
               "flight\",\"args\":{{\"micro-batches\":{:.6g}}}}},\n",
               event.track, micro(event.at), step.count);
        if (const DeviceMemory* memory = fullestDevice(track(static_cast<std::size_t>(event.track)))) {
            const Bytes now =
                memory->peak.total() - memory->peak.activations + memory->perMicrobatch * step.count;
            append("{{\"ph\":\"C\",\"pid\":{},\"ts\":{},\"name\":\"memory a "
                   "device\",\"args\":{{\"GiB\":{:.6g}}}}},\n",
                   event.track, micro(event.at), toGibibytes(now));
        }
    }

    void printFlow(const Event& event) {
        const Flow& flow = m_flows[event.index];
        append(
            "{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{},\"id\":{},\"cat\":\"transfer\",\"name\":\"{}\"",
            event.kind == EventKind::FlowStart ? 's' : 'f', event.track, event.lane, micro(event.at),
            event.index, flow.forward ? "activation" : "gradient");
        append("{}}},\n", event.kind == EventKind::FlowStart ? "" : ",\"bp\":\"e\"");
    }

    const DeviceMemory* fullestDevice(const Track& row) const {
        const DeviceMemory* fullest = nullptr;
        for (const DeviceMemory& m : m_input.evaluation.memory)
            if (m.pipeline == row.pipeline && m.stage == row.stage &&
                (fullest == nullptr || m.peak.total() > fullest->peak.total()))
                fullest = &m;
        return fullest;
    }

    template <class... Args>
    void append(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(m_text), format, std::forward<Args>(args)...);
    }

    const ExportInput& m_input;
    const Timeline& m_timeline;
    std::vector<Event> m_events;
    std::vector<Flow> m_flows;
    std::vector<std::vector<InFlightStep>> m_inFlight; // per track
    std::string m_text;
};

} // namespace

std::vector<ExportFile> exportChromeTrace(const ExportInput& input) {
    const Timeline timeline = buildTimeline(input.problem, input.plan, input.evaluation);
    return {{"trace.json", Writer(input, timeline).write()}};
}

} // namespace pw
