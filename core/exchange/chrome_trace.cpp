// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exporters.h"

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

const char* operation(BarKind kind, LaneRole lane) {
    switch (kind) {
    case BarKind::Forward:
        return "F";
    case BarKind::Backward:
        return "B";
    case BarKind::WeightGrad:
        return "W";
    case BarKind::Recompute:
        return "R";
    case BarKind::Transfer:
        return lane == LaneRole::BackwardSend ? "SB" : "SF";
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
            collectFlows(t, LaneRole::ForwardSend, +1);
            collectFlows(t, LaneRole::BackwardSend, -1);
        }
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

    // An arrow from every transfer to the operation that it feeds on the neighbouring stage.
    void collectFlows(std::size_t t, LaneRole role, int direction) {
        const Lane& sends = track(t).lane(role);
        const auto neighbour =
            std::find_if(m_timeline.tracks.begin(), m_timeline.tracks.end(), [&](const Track& other) {
                return other.pipeline == track(t).pipeline && other.stage == track(t).stage + direction;
            });
        if (neighbour == m_timeline.tracks.end())
            return;
        const Lane& compute = neighbour->lane(LaneRole::Compute);
        const auto target = static_cast<std::int32_t>(std::distance(m_timeline.tracks.begin(), neighbour));
        const bool forward = direction > 0;
        std::vector<std::size_t> fed; // by micro-batch: first bar of its operation
        for (std::size_t i = compute.size(); i-- > 0;) {
            const BarKind kind = compute.kind(i);
            const bool wanted =
                forward ? kind == BarKind::Forward : kind == BarKind::Backward || kind == BarKind::Recompute;
            if (!wanted || compute.microbatch(i) < 0)
                continue;
            const auto m = static_cast<std::size_t>(compute.microbatch(i));
            if (fed.size() <= m)
                fed.resize(m + 1, compute.size());
            fed[m] = i;
        }
        for (std::size_t i = 0; i < sends.size(); ++i) {
            const auto m = static_cast<std::size_t>(sends.microbatch(i));
            if (sends.start(i) >= sends.end(i) || m >= fed.size() || fed[m] >= compute.size() ||
                compute.start(fed[m]) >= compute.end(fed[m]))
                continue;
            m_events.push_back({sends.start(i), static_cast<std::int32_t>(t), EventKind::FlowStart,
                                static_cast<std::uint8_t>(role), m_flows.size()});
            m_events.push_back({compute.start(fed[m]), target, EventKind::FlowEnd, 0, m_flows.size()});
            m_flows.push_back({sends.microbatch(i), forward});
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
        const char* op = operation(bars.kind(event.index), static_cast<LaneRole>(event.lane));
        append("{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":{},\"dur\":{},\"cat\":\"{}\",\"name\":\"{}",
               event.track, event.lane, micro(bars.start(event.index)),
               micro(bars.end(event.index) - bars.start(event.index)), kLaneNames[event.lane], op);
        if (m >= 0)
            append("{}", m);
        append("\",\"args\":{{\"pipeline\":{},\"stage\":{},\"replica\":0,\"chunk\":0,\"microbatch\":{},"
               "\"op\":\"{}\"}}}},\n",
               row.pipeline, row.stage, m, op);
    }

    void printCounter(const Event& event) {
        const InFlightStep& step = m_inFlight[static_cast<std::size_t>(event.track)][event.index];
        append("{{\"ph\":\"C\",\"pid\":{},\"ts\":{},\"name\":\"activations in "
               "flight\",\"args\":{{\"micro-batches\":{}}}}},\n",
               event.track, micro(event.at), step.count);
        if (const DeviceMemory* memory = fullestDevice(track(static_cast<std::size_t>(event.track)))) {
            const int peak = m_input.evaluation.pipelines[static_cast<std::size_t>(memory->pipeline)]
                                 .stages[static_cast<std::size_t>(memory->stage)]
                                 .inFlight;
            const Bytes now = memory->peak.total() - memory->perMicrobatch * (peak - step.count);
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

ExportResult exportChromeTrace(const ExportInput& input) {
    const Timeline timeline = buildTimeline(input.problem, input.plan, input.evaluation);
    return {{{"trace.json", Writer(input, timeline).write()}}, {}};
}

} // namespace pw
