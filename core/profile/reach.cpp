// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/reach.h"

#include "core/profile/operators.h"

#include <map>
#include <set>
#include <tuple>

namespace pw {

std::vector<ProfileReach> reachOf(const std::vector<ProfileRow>& rows) {
    using Key = std::tuple<std::string, std::string, int, std::int64_t, std::string>;
    struct Curve {
        std::set<int> layers;
        std::map<int, std::set<int>> byMicrobatch; // the layers measured at each
        std::set<std::string> sources;
    };
    std::map<Key, Curve> curves;
    for (const ProfileRow& row : rows) {
        if (!row.op.empty())
            continue;
        Curve& curve = curves[Key(row.model, row.kind, row.tp, row.seq, row.precision)];
        curve.layers.insert(row.layer);
        curve.byMicrobatch[row.mbs].insert(row.layer);
        curve.sources.insert(row.source);
    }
    std::vector<ProfileReach> list;
    for (const auto& [key, curve] : curves) {
        ProfileReach reach;
        std::tie(reach.model, reach.kind, reach.tp, reach.seq, reach.precision) = key;
        reach.firstLayer = *curve.layers.begin();
        reach.lastLayer = *curve.layers.rbegin();
        reach.layers = static_cast<int>(curve.layers.size());
        for (const auto& [mbs, layers] : curve.byMicrobatch)
            if (layers == curve.layers)
                reach.microbatches.push_back(mbs);
        reach.sources.assign(curve.sources.begin(), curve.sources.end());
        list.push_back(std::move(reach));
    }
    return list;
}

std::vector<OperatorReach> operatorReachOf(const std::vector<ProfileRow>& rows) {
    using Key = std::tuple<std::string, std::string, int, std::int64_t, std::string>;
    struct Timed {
        std::set<std::string> operators, sources;
        std::set<int> microbatches;
    };
    std::map<Key, Timed> timed;
    for (const ProfileRow& row : rows) {
        if (!isTimedOperator(row))
            continue;
        Timed& at = timed[Key(row.model, row.kind, row.tp, row.seq, row.precision)];
        at.operators.insert(row.op);
        at.microbatches.insert(row.mbs);
        at.sources.insert(row.source);
    }
    std::vector<OperatorReach> list;
    for (const auto& [key, at] : timed) {
        OperatorReach reach;
        std::tie(reach.model, reach.kind, reach.tp, reach.seq, reach.precision) = key;
        reach.operators.assign(at.operators.begin(), at.operators.end());
        reach.microbatches.assign(at.microbatches.begin(), at.microbatches.end());
        reach.sources.assign(at.sources.begin(), at.sources.end());
        list.push_back(std::move(reach));
    }
    return list;
}

} // namespace pw
