// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"

#include <map>
#include <string>
#include <string_view>

namespace pw {

// Factors by which one's own machines differ from what the catalogue and the drawing say, fitted to one's own
// runs. They change the figures of device kinds and links and nothing else, so that a calibrated problem is a
// problem like any other, with its own hash.
struct KindFactors {
    double compute = 1.0; // rate of arithmetic, peaks and power limit alike
    double memory = 1.0;  // memory bandwidth
    double fabric = 1.0;  // bandwidth between GPUs of a node
    bool operator==(const KindFactors&) const = default;
};

struct Calibration {
    std::map<std::string, KindFactors> kinds; // by the kind's name
    std::map<std::string, double> links;      // usable share of links, by the medium of their switch
    // Fitted to a run that was acted out, not measured: it says nothing of the real machine.
    bool emulated = false;
    bool empty() const { return kinds.empty() && links.empty(); }
    bool operator==(const Calibration&) const = default;
};

// The cluster with its kinds and links changed; kinds of the catalogue become the cluster's own.
Cluster calibrated(Cluster cluster, const Calibration& calibration);

// File form: {"schema": "pipewright-calibration-1", "kinds": {NAME: {compute, memory, fabric}}, "links":
// {MEDIUM: factor}, "emulated": true where it is}. Factors lie between 0.1 and 10; missing ones are 1.
Result<Calibration> readCalibration(std::string_view text, const std::string& file);
Json toJson(const Calibration& calibration);

} // namespace pw
