// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/path.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <set>
#include <string_view>
#include <unordered_map>

namespace pw {

namespace {
constexpr double kRounding = 1e-9; // of products
} // namespace

bool asWide(double width, double least) {
    return width >= least * (1.0 - kRounding);
}

Path Path::reversed() const {
    Path back = *this;
    std::reverse(back.links.begin(), back.links.end());
    for (PathLink& l : back.links)
        l.forward = !l.forward;
    std::swap(back.leave, back.enter);
    return back;
}

std::vector<int> Path::oneWay(const Cluster& cluster, std::string_view firstNode) const {
    std::vector<int> way;
    std::string_view at = firstNode;
    for (const PathLink& l : links) {
        const Link& drawn = cluster.links[static_cast<std::size_t>(l.link)];
        const std::string& from = l.forward ? drawn.a : drawn.b;
        if (from != at)
            continue;
        way.push_back(l.link);
        at = l.forward ? drawn.b : drawn.a;
    }
    return way;
}

PathFinder::PathFinder(const Cluster& cluster, const std::vector<bool>& closed) : m_cluster(cluster) {
    std::unordered_map<std::string_view, int> place;
    for (const Node& n : cluster.nodes)
        place.emplace(n.id, static_cast<int>(place.size()));
    for (const Switch& s : cluster.switches)
        place.emplace(s.id, static_cast<int>(place.size()));
    m_edges.resize(place.size());
    m_into.resize(place.size());
    m_counted.resize(place.size());
    for (std::size_t i = 0; i < cluster.links.size(); ++i) {
        if (!closed.empty() && closed[i])
            continue;
        const Link& l = cluster.links[i];
        const int a = place.at(l.a), b = place.at(l.b), link = static_cast<int>(i);
        m_edges[static_cast<std::size_t>(a)].push_back({b, {link, true, 1.0}, l.usable().value});
        m_edges[static_cast<std::size_t>(b)].push_back({a, {link, false, 1.0}, l.usable().value});
    }
}

// Breadth first; within a level an item keeps the widest way in. The widest way over k hops has a widest way
// over k - 1 in front of it, so one pass settles each level.
void PathFinder::start(int node) {
    const auto nodes = static_cast<int>(m_cluster.nodes.size());
    m_start = node;
    m_reached.assign(m_edges.size(), {});
    for (std::vector<Step>& into : m_into)
        into.clear();
    m_reached[static_cast<std::size_t>(node)] = {0, std::numeric_limits<double>::infinity()};
    std::vector<int> level = {node}, next;
    for (int hops = 1; !level.empty(); ++hops) {
        next.clear();
        for (const int item : level) {
            if (item < nodes && item != node)
                continue; // nodes do not forward
            const double width = m_reached[static_cast<std::size_t>(item)].width;
            for (const Edge& e : m_edges[static_cast<std::size_t>(item)]) {
                Reached& to = m_reached[static_cast<std::size_t>(e.to)];
                if (to.hops < 0)
                    next.push_back(e.to);
                else if (to.hops < hops)
                    continue;
                to = {hops, std::max(to.width, std::min(width, e.width))};
                m_into[static_cast<std::size_t>(e.to)].push_back({item, e.to, e.link, e.width});
            }
        }
        level.swap(next);
    }
}

std::vector<double> PathFinder::widths(int node) const {
    constexpr double kNoUse = 16.0; // times narrower: more ways than that seldom make up for an even share
    constexpr std::size_t kMost = 8;
    const double widest = m_reached[static_cast<std::size_t>(node)].width;
    std::set<double, std::greater<>> found = {widest};
    std::set<int> level = {node}, next;
    for (; !level.empty(); level.swap(next), next.clear())
        for (const int item : level)
            for (const Step& step : m_into[static_cast<std::size_t>(item)]) {
                if (step.width < widest && step.width * kNoUse >= widest)
                    found.insert(step.width);
                next.insert(step.from);
            }
    std::vector<double> list(found.begin(), found.end());
    list.resize(std::min(list.size(), kMost));
    return list;
}

Path PathFinder::to(int node) {
    const Reached& end = m_reached[static_cast<std::size_t>(node)];
    if (end.hops <= 0)
        return {};
    Path best;
    for (const double least : widths(node))
        if (Path path = over(least, node); path.bandwidth.value > best.bandwidth.value * (1.0 + kRounding))
            best = std::move(path);
    return best;
}

Path PathFinder::over(double least, int node) {
    Path path;
    const Reached& end = m_reached[static_cast<std::size_t>(node)];
    path.reachable = true;
    path.hops = end.hops;
    std::vector<std::vector<Step>> levels(static_cast<std::size_t>(end.hops)); // by hop
    std::set<int> items = {node};
    const auto counted = [&](int item) -> Counted& { return m_counted[static_cast<std::size_t>(item)]; };
    counted(node) = {0.0, 1.0, 0.0};
    for (int hops = end.hops; hops > 0; --hops) {
        std::vector<Step>& level = levels[static_cast<std::size_t>(hops - 1)];
        for (const int item : items)
            for (const Step& step : m_into[static_cast<std::size_t>(item)])
                if (asWide(step.width, least) &&
                    asWide(m_reached[static_cast<std::size_t>(step.from)].width, least))
                    level.push_back(step);
        std::sort(level.begin(), level.end(),
                  [](const Step& a, const Step& b) { return a.link.link < b.link.link; });
        items.clear();
        for (const Step& step : level)
            if (items.insert(step.from).second)
                counted(step.from) = {};
        for (const Step& step : level)
            counted(step.from).to += counted(step.to).to;
    }
    counted(m_start).from = 1.0;
    for (const std::vector<Step>& level : levels)
        for (const Step& step : level) {
            const double latency = counted(step.from).latency +
                                   m_cluster.links[static_cast<std::size_t>(step.link.link)].latency.value;
            counted(step.to).from += counted(step.from).from;
            counted(step.to).latency = std::max(counted(step.to).latency, latency);
        }
    path.ways = counted(node).from;
    path.latency = Seconds(counted(node).latency);
    path.leave = static_cast<int>(levels.front().size());
    path.enter = static_cast<int>(levels.back().size());
    double width = std::numeric_limits<double>::infinity();
    for (std::vector<Step>& level : levels)
        for (Step& step : level) {
            step.link.share = counted(step.from).from * counted(step.to).to / path.ways;
            const Link& drawn = m_cluster.links[static_cast<std::size_t>(step.link.link)];
            width = std::min(width, drawn.usable().value / step.link.share);
            path.links.push_back(step.link);
        }
    path.bandwidth = BytesPerSecond(width);
    return path;
}

} // namespace pw
