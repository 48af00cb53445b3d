// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"
#include "core/links/link_measurement.h"

#include <string>
#include <vector>

namespace pw {

// Puts a timed collective onto a cluster: the chosen links, or the inside of the chosen nodes, get the
// bandwidth and the latency with which the cost model predicts the fitted line at the largest and at the
// smallest size that was measured, for as many ranks on as many nodes. A line rate follows from it, not the
// bus bandwidth itself: the model takes its own shares of it.

// The fit that counts: out of place, else in place; null with neither.
const LinkFit* fitOf(const LinkMeasurement& measurement);

// On how many hosts the ranks were; 1 where the file does not say.
int hostCount(const LinkMeasurement& measurement);
// What the file calls the first of them; empty where it does not say.
std::string deviceName(const LinkMeasurement& measurement);

// Items that the measurement may be about: nodes with enough GPUs, of the kind that the file names, where it
// was timed inside one host; else the links that hang on nodes.
std::vector<std::string> linkTargets(const Cluster& cluster, const LinkMeasurement& measurement);

// `items` are ids of nodes or of links, not both. Bad input where the collective is none that the model
// knows, the items have no room for its ranks, or no bandwidth gives the measured time.
Result<Cluster> applyMeasurement(const Cluster& cluster, const LinkMeasurement& measurement,
                                 const std::vector<std::string>& items, Diagnostics& notes);

// One after the other, each onto `items`, or without any onto its own linkTargets(), of which there must be
// some.
Result<Cluster> applyMeasurements(const Cluster& cluster, const std::vector<LinkMeasurement>& measurements,
                                  const std::vector<std::string>& items, Diagnostics& notes);

// Several sources may have timed the same: a collective between as many ranks on as many hosts of one device.
// One of them counts, nothing is averaged: the latest date, then the last source in alphabetical order, then
// the last in the list. In order of collective, ranks, hosts and device.
std::vector<LinkMeasurement> preferredLinks(const std::vector<LinkMeasurement>& measurements);

} // namespace pw
