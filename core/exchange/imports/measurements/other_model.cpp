// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/other_model.h"

#include "core/model/model.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace pw {

namespace {

// All that is asked for beside the layer, and who measured it.
auto pointOf(const ProfileRow& row) {
    return std::tuple(row.kind, row.tp, row.mbs, row.seq, row.precision, row.op, row.shape, row.source);
}

} // namespace

Result<std::vector<ProfileRow>> rowsOfModel(std::vector<ProfileRow> rows, const Model& model,
                                            const std::string& file) {
    int first = 1, last = 0;
    for (const ProfileRow& row : rows) {
        if (!sameModelName(row.model, rows.front().model))
            return badInput(
                "profiles.models", file,
                {"holds rows of {first} and of {other}; which of them measure {model} is not known",
                 {{"first", rows.front().model}, {"other", row.model}, {"model", model.name}}});
        first = std::min(first, row.layer);
        last = std::max(last, row.layer);
    }
    const int blocks = static_cast<int>(model.blocks);
    if (last != blocks + 1 && first > 0)
        return badInput("profiles.blocks", file,
                        {"has layers up to {last} and no embedding: which of them is the head is not known",
                         {{"last", last}}});
    std::vector<ProfileRow> taken;
    std::map<decltype(pointOf(ProfileRow())), ProfileRow> alike; // blocks
    for (const ProfileRow& row : rows) {
        const bool block = row.layer > 0 && row.layer < last;
        if (last == blocks + 1 || !block) {
            taken.push_back(row);
            if (!block && row.layer > 0)
                taken.back().layer = blocks + 1;
            continue;
        }
        ProfileRow one = row;
        one.layer = 1;
        const auto [known, isNew] = alike.emplace(pointOf(one), one);
        if (!isNew && !(known->second == one))
            return badInput("profiles.blocks", file,
                            {"times {layers} blocks that differ; {model} has {blocks}",
                             {{"layers", last - 1}, {"model", model.name}, {"blocks", blocks}}});
        for (int layer = 1; isNew && layer <= blocks; ++layer) {
            taken.push_back(one);
            taken.back().layer = layer;
        }
    }
    for (ProfileRow& row : taken)
        row.model = model.name;
    return taken;
}

} // namespace pw
