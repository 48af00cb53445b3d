// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/proof/bound.h"
#include "core/search/space/chain.h"

#include <functional>

namespace pw {

// The lower bound for plans of any shape: any number of pipelines, mixed kinds in a stage with uneven shares,
// cuts inside blocks, any schedule. Whatever the order, the passes of all sequences through all fine layers
// have to be computed by somebody, and no device computes for longer than the iteration. With rho_ci the
// least device seconds that a sequence's pass, forward and backward, through fine layer i takes on class c in
// any way of running it, x_ci the sequences that pass there and N_c the devices,
//
//     sum_i rho_ci x_ci <= N_c T  for every c,      sum_c x_ci = batch  for every i.
//
// By the duality of linear programmes, any prices p_i >= 0 of a sequence's pass prove
//
//     T >= batch * sum_i p_i / sum_c N_c max_i (p_i / rho_ci).
//
// Ways that cannot hold a single layer are none. Left out, so that it holds for everything: pipelines that
// fill and drain, transfers, gradient sync, and what else has to be held.
// So it is looser than the launch-count bound (launch_count_bound.h) wherever that one holds. A fluid bound
// of this kind is common; prices by fine layer are this project's own
// (resources/manual/proofs.md#the-capacity-bound).
class CapacityBound {
public:
    // Once `stop` says so the bound proves nothing.
    explicit CapacityBound(
        const Problem& problem, const std::function<bool()>& stop = [] { return false; });

    // Whether it speaks of the plan: its replicas run the way some replica of the Space does, or with up to
    // WiderSpace::kMostUneven sequences of a micro-batch, and without tensor partitions.
    bool covers(const Plan& plan) const;
    // With the best prices found. The certificate is a list of distinct fine layers, {first, count, price}.
    Bound compute() const;
    // s; infinite where a layer can run nowhere.
    double value(const std::vector<double>& prices) const;
    bool proves(const Json& certificate, Seconds value) const;

    static constexpr const char* kKind = "capacity";

private:
    // Fine layers that cost the same everywhere.
    struct Item {
        int first = 0, count = 0;
        std::vector<double> rate; // by class: rho
    };
    const Problem& m_problem;
    std::vector<ChainClass> m_classes;
    std::vector<std::vector<CostConfig>> m_configs; // by class: priced, sorted
    std::vector<Item> m_items;
    bool m_whole = true; // not stopped
};

} // namespace pw
