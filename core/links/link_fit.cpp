// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/links/link_fit.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

enum class Share { TwoWays, AllButOwn, Whole };
struct BusShare {
    const char* name;
    Share share;
};
constexpr BusShare kBusShares[] = {
    {"all_reduce", Share::TwoWays}, {"all_gather", Share::AllButOwn}, {"reduce_scatter", Share::AllButOwn},
    {"alltoall", Share::AllButOwn}, {"alltoallv", Share::AllButOwn},  {"gather", Share::AllButOwn},
    {"scatter", Share::AllButOwn},  {"broadcast", Share::Whole},      {"reduce", Share::Whole},
    {"sendrecv", Share::Whole},     {"hypercube", Share::Whole},
};

} // namespace

std::optional<double> busFactor(std::string_view collective, int ranks) {
    const double n = ranks;
    for (const BusShare& known : kBusShares)
        if (collective == known.name)
            return known.share == Share::TwoWays     ? 2 * (n - 1) / n
                   : known.share == Share::AllButOwn ? (n - 1) / n
                                                     : 1.0;
    return std::nullopt;
}

const std::vector<std::string>& knownCollectives() {
    static const std::vector<std::string> names = [] {
        std::vector<std::string> list;
        for (const BusShare& known : kBusShares)
            list.emplace_back(known.name);
        return list;
    }();
    return names;
}

// Weighted least squares of alpha + bytes * slope with weights 1 / time^2.
std::optional<LinkFit> fitLink(std::span<const LinkSample> samples, double factor) {
    double w = 0, wx = 0, wxx = 0, wy = 0, wxy = 0;
    for (const LinkSample& s : samples) {
        const double weight = 1.0 / (s.time.value * s.time.value), x = s.size.value, y = s.time.value;
        w += weight;
        wx += weight * x;
        wxx += weight * x * x;
        wy += weight * y;
        wxy += weight * x * y;
    }
    const double spread = w * wxx - wx * wx;
    if (samples.size() < 2 || !(spread > 1e-9 * w * wxx))
        return std::nullopt;
    double slope = (w * wxy - wx * wy) / spread;
    double alpha = (wy - slope * wx) / w;
    if (alpha < 0) { // noise: no message takes less than no time
        alpha = 0;
        slope = wxy / wxx;
    }
    if (!(slope > 0) || !std::isfinite(1 / slope) || !std::isfinite(alpha))
        return std::nullopt;
    LinkFit fit{Seconds(alpha), BytesPerSecond(1 / slope), BytesPerSecond(factor / slope), 0.0};
    for (const LinkSample& s : samples)
        fit.worst = std::max(fit.worst, std::abs((alpha + slope * s.size.value) / s.time.value - 1));
    return fit;
}

namespace {

Json toJson(const LinkFit& fit) {
    return {{"latency", fit.latency.value},
            {"algorithm_bandwidth", fit.algorithm.value},
            {"bus_bandwidth", fit.bus.value},
            {"worst_error", fit.worst}};
}

Json toJson(const std::vector<LinkSample>& samples) {
    Json list = Json::array();
    for (const LinkSample& s : samples)
        list.push_back({{"bytes", s.size.value}, {"seconds", s.time.value}});
    return list;
}

} // namespace

Json toJson(const LinkMeasurement& m) {
    Json devices = Json::array();
    for (const LinkDevice& d : m.devices)
        devices.push_back(
            {{"rank", d.rank}, {"host", d.host}, {"device", d.index}, {"name", d.name}, {"bus_id", d.busId}});
    Json json = {{"collective", m.collective},    {"ranks", m.ranks},
                 {"devices", std::move(devices)}, {"out_of_place", toJson(m.outOfPlace)},
                 {"in_place", toJson(m.inPlace)}, {"source", m.source}};
    if (m.outOfPlaceFit)
        json["out_of_place_fit"] = toJson(*m.outOfPlaceFit);
    if (m.inPlaceFit)
        json["in_place_fit"] = toJson(*m.inPlaceFit);
    if (m.statedMean)
        json["stated_mean"] = *m.statedMean;
    for (const auto& [key, text] : {std::pair{"date", &m.date}, {"software", &m.software}})
        if (!text->empty())
            json[key] = *text;
    return json;
}

std::string printLinks(const std::vector<LinkMeasurement>& measurements) {
    Json list = Json::array();
    for (const LinkMeasurement& m : measurements)
        list.push_back(toJson(m));
    return printJson(Json{{"schema", kLinksSchema}, {"measurements", std::move(list)}});
}

} // namespace pw
