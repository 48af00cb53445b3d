// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/baselines/device_groups.h"

#include <algorithm>
#include <utility>

namespace pw {
namespace {

using Sizes = std::vector<int>;

// Ascending sizes of at least `least` that add up to `gpus`.
void addSizes(int gpus, int stages, int least, Sizes& so, std::vector<Sizes>& all) {
    if (stages == 0) {
        if (gpus == 0)
            all.push_back(so);
        return;
    }
    for (int size = least; size * stages <= gpus; size *= 2) {
        so.push_back(size);
        addSizes(gpus - size, stages - 1, size, so, all);
        so.pop_back();
    }
}

using Item = std::pair<int, int>; // size, how often side by side

// Merges the two shortest runs of one size until few are left, or no two of a size are.
std::vector<Item> mergedItems(const Sizes& sizes, std::size_t most) {
    std::vector<Item> items;
    for (const int size : sizes)
        items.emplace_back(size, 1);
    while (items.size() > most) {
        std::sort(items.begin(), items.end());
        std::size_t best = items.size();
        for (std::size_t i = 0; i + 1 < items.size(); ++i)
            if (items[i].first == items[i + 1].first &&
                (best == items.size() ||
                 items[i].second + items[i + 1].second < items[best].second + items[best + 1].second))
                best = i;
        if (best == items.size())
            break;
        items[best].second += items[best + 1].second;
        items.erase(items.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
    std::sort(items.begin(), items.end());
    return items;
}

} // namespace

std::vector<std::vector<int>> deviceGroups(int gpus, int stages, double variance, int merged) {
    int least = 1;
    while (least < variance * gpus / stages)
        least *= 2;
    std::vector<Sizes> sets;
    Sizes so;
    addSizes(gpus, stages, least, so, sets);
    std::vector<std::vector<int>> groups;
    for (const Sizes& sizes : sets) {
        std::vector<Item> items = mergedItems(sizes, static_cast<std::size_t>(merged));
        do {
            Sizes order;
            for (const auto& [size, times] : items)
                order.insert(order.end(), static_cast<std::size_t>(times), size);
            groups.push_back(std::move(order));
        } while (std::next_permutation(items.begin(), items.end()));
    }
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    return groups;
}

} // namespace pw
