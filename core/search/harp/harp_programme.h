// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/schedule_kind.h"

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

namespace pw {

// HARP's dynamic programme over sub-clusters (published: doi 10.1145/3767295.3803603, repository
// Lssyes/harp). It is built from the last stage towards the first. Putting layers [l, i) on a submesh of g
// GPUs of cluster c in front of a plan that begins with layer i on cluster p:
//
//     f[s, l, used + g, c] = min  t(l..i, g) + 2 x + f[s-1, i, used, p]     p = c or the one behind c
//     t <= t_max,  x <= t_max,  L = L_p + delta(x) <= launches that the stage's memory holds
//     T = min over plans of f[S, 0, all, first cluster] + y_0 + e + (B - 1) t_max
//
// x is the time of the boundary behind the stage. y is what gradient sums and the optimiser's step take
// beyond the last backward pass: those of a stage last s, and the stage in front of it has its last transfer
// and its last backward pass b still before it,
//
//     y_i = max(s_i, y_{i+1} - x_i - b_i)
//
// and e what the two ends of a tied model take to sum its embedding, where there is more than one stage.
// Clusters stand in a chain and none is entered again, so that those behind c are full and those in front of
// it empty: of the devices in use, those of c say it all.
//
// This project's own, after the published artifact was found not to be exact: 2x where the artifact has x, as
// in the paper; y and e, without which data parallelism over a slow network costs nothing; the Pareto set of
// (f, f + y, launches) in each state in place of one value, since launches and sums depend on the path;
// boundary times as candidates of t_max beside stage times; the cut that is always safe, (B - 1) t_max + min
// (f + y + e) >= best; clusters that are left out or not used up, where asked for.
struct HarpCluster {
    int devices = 0;
    int perHost = 1;        // a submesh is a part of one host, or whole hosts
    std::vector<int> sizes; // of submeshes, devices, ascending
};

// One way to run a stage on a submesh.
struct HarpWay {
    double time = 0.0; // s of a micro-batch, forward and backward
    int held = 0;      // micro-batches in flight that fit
    int id = 0;        // the caller's
    // s, of `time` the backward pass; and what gradient sums and step of the stage take, once an iteration
    double backward = 0.0, sync = 0.0;
};

// Keeps the ways that are not beaten in everything by another, ascending in time.
void addHarpWay(std::vector<HarpWay>& ways, const HarpWay& way);

struct HarpInput {
    int layers = 0, stages = 0; // stages: most
    std::int64_t microbatches = 1;
    std::vector<HarpCluster> clusters;
    std::vector<int> run; // which distinct run [first, end) is, by runAt; as many as `runs`
    int runs = 0;
    // By waysAt: what a run may be on a submesh, by addHarpWay().
    std::vector<std::vector<HarpWay>> ways;
    // Seconds one way across a cut, infinite where there is no link: inside a host, and by sendAt between
    // hosts of one cluster or of two.
    std::vector<double> hostSend; // by hostSendAt
    std::vector<double> send;
    // By endsAt: seconds that the ends of a pipeline that begins on one cluster and ends on the other take to
    // sum the embedding of a tied model; infinite where they find no way to each other.
    std::vector<double> ends;

    std::size_t endsAt(int first, int last) const {
        return index(first, static_cast<int>(clusters.size()), last);
    }
    std::size_t mostSizes() const;
    std::size_t runAt(int first, int end) const { return index(first, layers + 1, end); }
    std::size_t waysAt(int cluster, std::size_t size, int runIndex) const {
        return index(static_cast<int>(static_cast<std::size_t>(cluster) * mostSizes() + size), runs,
                     runIndex);
    }
    // `size` is the submesh of the stage in front, `cut` the first layer of the one behind.
    std::size_t hostSendAt(int cluster, std::size_t size, int cut) const {
        return index(static_cast<int>(static_cast<std::size_t>(cluster) * mostSizes() + size), layers + 1,
                     cut);
    }
    std::size_t sendAt(int from, std::size_t size, int to, int cut) const {
        const auto row = static_cast<int>(static_cast<std::size_t>(from) * mostSizes() + size);
        return index(row * static_cast<int>(clusters.size()) + to, layers + 1, cut);
    }
    // Sizes all tables for the clusters, layers and runs that are set; no way fits, no link is there, and the
    // ends have nothing to sum.
    void resize();

private:
    static std::size_t index(int row, int width, int column) {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
               static_cast<std::size_t>(column);
    }
};

// How launch counts grow over a boundary that leaves a host: by one of the rules of H-1F1B, or as in classic
// 1F1B. Inside a host they grow by one.
enum class HarpLaunch { Artifact, Ceil, Classic };

struct HarpQuestion {
    std::vector<int> order; // of clusters, that of the first stage first
    HarpLaunch launch = HarpLaunch::Artifact;
    bool allDevices = true; // of all clusters of `order`, as published; false: any may be left over
    bool boundaries = true; // false: transfers take no time
    double below = std::numeric_limits<double>::infinity(); // only plans with T below
    double merge = 1e-6;  // candidates of t_max so close, relatively, count as one
    std::size_t most = 0; // candidates tried above the least feasible one; 0 = all
    bool pruned = true;   // false: every candidate, without bisection and cut
    std::size_t keep = 1; // plans to return
    double slack = 0.0;   // looks on at t_max whose plans are this share above the best, to keep them
};

struct HarpPlan {
    struct Stage {
        int first = 0, end = 0; // layers
        int cluster = 0;
        std::size_t size = 0; // index into the cluster's sizes
        std::size_t way = 0;  // index into the ways of its run there
        int position = 0;     // devices of the cluster taken by the stages behind it
        int launch = 0;       // capped by the number of micro-batches
        bool operator==(const Stage&) const = default;
    };
    std::vector<Stage> stages; // first stage first
    double limit = 0.0;        // t_max, s
    double total = 0.0;        // T, s
};

// The best distinct plans, best first; several come from different t_max. `spend` is told the steps taken and
// ends the search with what it has by saying true.
std::vector<HarpPlan> harpProgramme(const HarpInput& input, const HarpQuestion& question,
                                    const std::function<bool(std::int64_t steps)>& spend);

// The least T of given stages over all candidates of t_max: what the programme minimises, for plans that were
// found otherwise. Nothing if they break one of its rules under every t_max. Launch counts are its own.
std::optional<HarpPlan> harpObjective(const HarpInput& input, const HarpQuestion& question,
                                      std::vector<HarpPlan::Stage> stages);

} // namespace pw
