// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/haap/option_index.h"

#include <algorithm>

namespace pw {

OptionIndex::OptionIndex(const ChainSpace& space) : m_space(space), m_sizes(space.classes().size()) {
    std::vector<std::map<int, std::map<int, std::vector<int>>>> groups(space.classes().size());
    for (std::size_t o = 0; o < space.options().size(); ++o) {
        const StageOption& option = space.options()[o];
        groups[static_cast<std::size_t>(option.cls)][option.devices][option.tp].push_back(
            static_cast<int>(o));
    }
    const auto time = [&](int o) {
        const StageOption& option = space.options()[static_cast<std::size_t>(o)];
        return option.costs->leastStage(1, false, false, option.copies(), option.zero).total();
    };
    for (std::size_t c = 0; c < groups.size(); ++c)
        for (auto& [devices, splits] : groups[c]) {
            Size size;
            size.devices = devices;
            for (auto& [tp, options] : splits) {
                std::stable_sort(options.begin(), options.end(),
                                 [&](int a, int b) { return time(a) < time(b); });
                size.splits.push_back({tp, std::move(options)});
            }
            m_sizes[c].push_back(std::move(size));
        }
}

const OptionIndex::Size* OptionIndex::size(int cls, int devices) const {
    for (const Size& size : sizes(cls))
        if (size.devices == devices)
            return &size;
    return nullptr;
}

const OptionIndex::Split* OptionIndex::split(int cls, int devices, int tp) const {
    if (const Size* of = size(cls, devices))
        for (const Split& split : of->splits)
            if (split.tp == tp)
                return &split;
    return nullptr;
}

int OptionIndex::option(int cls, int devices, int tp, Recompute mode) const {
    if (const Split* of = split(cls, devices, tp))
        for (const int o : of->options)
            if (m_space.options()[static_cast<std::size_t>(o)].recompute == mode)
                return o;
    return -1;
}

bool settle(const ChainSpace& space, Chain& chain) {
    std::vector<int> used(space.classes().size(), 0);
    int before = -1;
    for (ChainStage& stage : chain) {
        const StageOption& option = space.options()[static_cast<std::size_t>(stage.option)];
        int& taken = used[static_cast<std::size_t>(option.cls)];
        if ((taken > 0 && before != option.cls) || space.placeOf(option, taken) != taken)
            return false;
        stage.position = taken;
        taken += option.devices;
        before = option.cls;
    }
    return true;
}

} // namespace pw
