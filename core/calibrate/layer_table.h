// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/cluster/cluster.h"
#include "core/model/model.h"
#include "core/profile/profile.h"

#include <string>
#include <string_view>
#include <vector>

namespace pw {

// Measured times of a layer on one kind of GPU: one row of a table of profiles.
struct LayerTime {
    std::string model, gpu; // as the source names them
    int mbs = 1, tp = 1;
    enum class Part { Embedding, Block, Head } part = Part::Block;
    Seconds forward, backward, update; // tensor-parallel communication included
    std::int64_t seq = 0;              // 0 = unstated
    std::string source;
};

// Reads model,gpu,mbs,tp,layer,forward_s,backward_s,update_s and, where there are such columns, seq_len and
// source; other columns are passed over. Layers are named by words: "first(embedding)", "block",
// "last(head)". Bad input at file:line:column.
Result<std::vector<LayerTime>> readLayerTimes(std::string_view text, const std::string& file);

// What precision rows of blocks were measured in, where they do not say: fp32 if on every kind the best of
// them stays within its fp32 peak and below 30 % of its 16-bit one, which products of training exceed. Auto
// where that does not tell.
Precision precisionOf(const std::vector<ProfileRow>& rows, const Model& model, const Cluster& cluster,
                      std::int64_t seq);

// Those of the model on kinds of the cluster, as profile rows.
std::vector<ProfileRow> profileRows(const std::vector<LayerTime>& times, const Model& model,
                                    const Cluster& cluster);

} // namespace pw
