// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/haap/groupings.h"

#include <algorithm>
#include <bit>

namespace pw {
namespace {

constexpr std::size_t kAllOrders = 5; // classes

void addOrders(std::size_t classes, std::vector<int>& order, std::vector<std::vector<int>>& all) {
    if (!order.empty())
        all.push_back(order);
    for (int c = 0; c < static_cast<int>(classes); ++c)
        if (std::find(order.begin(), order.end(), c) == order.end()) {
            order.push_back(c);
            addOrders(classes, order, all);
            order.pop_back();
        }
}

} // namespace

std::vector<int> evenSizes(const ChainClass& cls, int stages) {
    const auto nodes = static_cast<int>(cls.nodes.size());
    const int n = cls.gpusPerNode;
    std::vector<int> sizes;
    if (stages <= nodes) {
        for (int i = 0; i < stages; ++i)
            sizes.push_back((nodes / stages + (i < nodes % stages ? 1 : 0)) * n);
        return sizes;
    }
    // Some nodes in so many parts, the others in twice as many.
    const auto largestPower = [](int x) {
        return static_cast<int>(std::bit_floor(static_cast<unsigned>(x)));
    };
    const int parts = largestPower(stages / nodes);
    const int more = (stages - parts * nodes) / parts;
    if ((stages - parts * nodes) % parts != 0 || parts > n || (more > 0 && 2 * parts > n))
        return {};
    const auto part = [&](int pieces) { return pieces == 1 ? n : largestPower(n / pieces); };
    sizes.assign(static_cast<std::size_t>(parts * (nodes - more)), part(parts));
    sizes.insert(sizes.end(), static_cast<std::size_t>(2 * parts * more), part(2 * parts));
    return sizes;
}

std::vector<std::vector<int>> classOrders(const std::vector<ChainClass>& classes) {
    std::vector<std::vector<int>> orders;
    std::vector<int> order;
    if (classes.size() <= kAllOrders) {
        addOrders(classes.size(), order, orders);
    } else {
        for (int c = 0; c < static_cast<int>(classes.size()); ++c)
            order.push_back(c);
        const auto by = [&](auto figure) {
            std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
                return figure(classes[static_cast<std::size_t>(a)]) >
                       figure(classes[static_cast<std::size_t>(b)]);
            });
            for (std::size_t count = 1; count <= order.size(); ++count) {
                std::vector<int> first(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
                orders.push_back(first);
                orders.emplace_back(first.rbegin(), first.rend());
            }
        };
        by([](const ChainClass& c) { return c.capacity.value; });
        by([](const ChainClass& c) { return c.gpus() * c.speed; });
        std::sort(orders.begin(), orders.end());
        orders.erase(std::unique(orders.begin(), orders.end()), orders.end());
    }
    std::stable_sort(orders.begin(), orders.end(),
                     [](const auto& a, const auto& b) { return a.size() > b.size(); });
    return orders;
}

void forEachGrouping(const std::vector<ChainClass>& classes, const std::vector<int>& order, int most,
                     const std::function<bool(const Grouping&)>& take) {
    Grouping grouping;
    bool going = true;
    const std::function<void(std::size_t, int)> next = [&](std::size_t at, int left) {
        if (at == order.size()) {
            going = take(grouping);
            return;
        }
        const ChainClass& cls = classes[static_cast<std::size_t>(order[at])];
        const int behind = static_cast<int>(order.size() - at) - 1; // classes that need a stage each
        for (int stages = 1; going && stages <= std::min(left - behind, cls.gpus()); ++stages) {
            std::vector<int> sizes = evenSizes(cls, stages);
            if (sizes.empty())
                continue;
            grouping.push_back({order[at], std::move(sizes)});
            next(at + 1, left - stages);
            grouping.pop_back();
        }
    };
    next(0, most);
}

} // namespace pw
