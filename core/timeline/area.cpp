// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/timeline/area.h"

#include <algorithm>
#include <charconv>

namespace pw {

namespace {

constexpr std::array kRoles = {LaneRole::Compute, LaneRole::ForwardSend, LaneRole::BackwardSend,
                               LaneRole::Sync};

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return result;
}

std::vector<std::string> wordsOf(std::string_view text) {
    std::vector<std::string> words;
    std::string word;
    for (const char c : lower(text) + ' ') {
        if (c != ' ' && c != ',' && c != '\t') {
            word += c;
        } else if (!word.empty()) {
            words.push_back(word);
            word.clear();
        }
    }
    return words;
}

std::optional<std::int32_t> numberIn(std::string_view text) {
    std::int32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 0)
        return std::nullopt;
    return value;
}

std::optional<BarKind> kindOf(std::string_view word) {
    constexpr std::array<std::pair<std::string_view, BarKind>, 15> names = {{
        {"f", BarKind::Forward},
        {"forward", BarKind::Forward},
        {"b", BarKind::Backward},
        {"backward", BarKind::Backward},
        {"w", BarKind::WeightGrad},
        {"weight", BarKind::WeightGrad},
        {"gradient", BarKind::WeightGrad},
        {"r", BarKind::Recompute},
        {"recompute", BarKind::Recompute},
        {"transfer", BarKind::Transfer},
        {"send", BarKind::Transfer},
        {"all-reduce", BarKind::AllReduce},
        {"sync", BarKind::AllReduce},
        {"optimizer", BarKind::Optimizer},
        {"step", BarKind::Optimizer},
    }};
    for (const auto& [name, kind] : names)
        if (name == word)
            return kind;
    return std::nullopt;
}

bool matches(const Lane& lane, std::size_t i, const BarQuery& query) {
    return (!query.kind || lane.kind(i) == *query.kind) &&
           (!query.microbatch || lane.microbatch(i) == *query.microbatch);
}

} // namespace

AreaStatistics areaStatistics(const Timeline& timeline, int firstTrack, int lastTrack,
                              const TimeWindow& window) {
    AreaStatistics area;
    const int last = std::min(lastTrack, static_cast<int>(timeline.tracks.size()) - 1);
    for (int t = std::max(firstTrack, 0); t <= last; ++t) {
        std::int64_t busy = 0;
        for (const LaneRole role : kRoles) {
            const RangeStatistics lane = rangeStatistics(
                timeline.tracks[static_cast<std::size_t>(t)].lane(role), window.begin, window.end);
            for (std::size_t k = 0; k < lane.byKind.size(); ++k) {
                const KindStatistics& from = lane.byKind[k];
                KindStatistics& to = area.byKind[k];
                if (from.count == 0)
                    continue;
                to.min = to.count == 0 ? from.min : std::min(to.min, from.min);
                to.max = std::max(to.max, from.max);
                to.sum += from.sum;
                to.whole += from.whole;
                to.count += from.count;
                area.bars += from.count;
            }
            if (role == LaneRole::Compute || role == LaneRole::Sync)
                busy += lane.busy;
        }
        busy = std::min(busy, window.span()); // a sync may run beside the last computation
        area.busy += busy;
        area.idle += window.span() - busy;
    }
    return area;
}

std::optional<BarQuery> barQueryFromText(std::string_view text) {
    const std::vector<std::string> words = wordsOf(text);
    if (words.empty())
        return std::nullopt;
    BarQuery query;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        if (word == "stage" && i + 1 < words.size() && numberIn(words[i + 1])) {
            query.stage = *numberIn(words[++i]);
        } else if (const auto kind = kindOf(word)) {
            query.kind = kind;
        } else if (const auto number = numberIn(word)) {
            query.microbatch = number;
        } else if (const auto joined = kindOf(word.substr(0, 1)); joined && numberIn(word.substr(1))) {
            query.kind = joined; // "b12"
            query.microbatch = numberIn(word.substr(1));
        } else {
            query.device = word;
        }
    }
    return query;
}

std::vector<BarRef> findBars(const Timeline& timeline, const BarQuery& query) {
    std::vector<BarRef> found;
    for (std::size_t t = 0; t < timeline.tracks.size(); ++t) {
        const Track& track = timeline.tracks[t];
        if ((query.stage && track.stage != *query.stage) ||
            (lower(track.label).find(query.device) == std::string::npos &&
             lower(track.deviceNames).find(query.device) == std::string::npos))
            continue;
        for (const LaneRole role : kRoles) {
            const Lane& lane = track.lane(role);
            for (std::size_t i = 0; i < lane.size(); ++i)
                if (matches(lane, i, query))
                    found.push_back({static_cast<int>(t), role, static_cast<std::ptrdiff_t>(i)});
        }
    }
    const auto start = [&timeline](const BarRef& ref) {
        return timeline.tracks[static_cast<std::size_t>(ref.track)].lane(ref.lane).start(
            static_cast<std::size_t>(ref.bar));
    };
    std::stable_sort(found.begin(), found.end(),
                     [&start](const BarRef& a, const BarRef& b) { return start(a) < start(b); });
    return found;
}

} // namespace pw
