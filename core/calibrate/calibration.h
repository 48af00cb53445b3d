// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/constants.h"
#include "core/cluster/cluster.h"
#include "core/problem/recipe.h"

#include <map>
#include <span>
#include <string>
#include <string_view>

namespace pw {

// Factors by which one's own machines and software differ from what the catalogue, the drawing and the
// model's constants say, fitted to one's own runs. They change the figures of device kinds, links and
// constants and, where the recipe is silent, how the optimiser steps, and nothing else, so that a calibrated
// problem is a problem like any other, with its own hash.
struct KindFactors {
    double compute = 1.0; // rate of arithmetic, peaks and power limit alike
    double memory = 1.0;  // memory bandwidth
    double fabric = 1.0;  // bandwidth between GPUs of a node
    bool operator==(const KindFactors&) const = default;
};

struct Calibration {
    std::map<std::string, KindFactors> kinds; // by the kind's name
    std::map<std::string, double> links;      // usable share of links, by the medium of their switch
    std::map<std::string, double> software;   // by the name of a group of constants, softwareGroups()
    double memoryOffset = 0.0; // GiB by which measured peaks exceed predicted ones, by their own definition
    // Off: the run's optimiser did not step in one fused kernel. A factor of its rate is of the bytes that it
    // moved so, and goes with this. Auto: it did, which is what recipes take for usual, or nobody knows.
    Choice fusedUpdate = Choice::Auto;
    // Fitted to a run that was acted out, not measured: it says nothing of the real machine.
    bool emulated = false;
    bool empty() const {
        return kinds.empty() && links.empty() && software.empty() && memoryOffset == 0.0 &&
               fusedUpdate == Choice::Auto;
    }
    bool operator==(const Calibration&) const = default;
};

// Constants that one factor moves together: what the software costs that the device's figures do not tell.
struct SoftwareGroup {
    const char* name; // "host"
    const char* what; // for people
    std::span<const char* const> constants;
    double
        most; // of each constant: shares stay below 1; the optimizer's is of a memory that has a factor too
    // Whether times of whole steps tell of it. Of the optimiser's step they do not: a run of the runner does,
    // which times it by itself (core/overlay/run_fit.h).
    bool ofWholeSteps;
};
std::span<const SoftwareGroup> softwareGroups();
inline constexpr const char* kUpdateGroup = "update"; // the one that is not
ConstantSet calibrated(const ConstantSet& constants, const Calibration& calibration);

// The cluster with its kinds and links changed; kinds of the catalogue become the cluster's own.
Cluster calibrated(Cluster cluster, const Calibration& calibration);

// The recipe whose optimiser steps as the runs' did, where it names no stack and says nothing of it.
Recipe calibrated(Recipe recipe, const Calibration& calibration);

// File form: {"schema": "pipewright-calibration-1", "kinds": {NAME: {compute, memory, fabric}}, "links":
// {MEDIUM: factor}, "software": {GROUP: factor}, "memory_offset_gib": N, "fused_update": "off" where it is,
// "emulated": true where it is}. Factors lie between 0.1 and 10; missing ones are 1.
Result<Calibration> readCalibration(std::string_view text, const std::string& file);
Json toJson(const Calibration& calibration);

} // namespace pw
