// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"
#include "core/inventory/inventory.h"

#include <map>
#include <optional>
#include <string>

namespace pw {

// What no file says and a person must: on the command line the flags of `import`, in the window a form.
struct ClusterAnswers {
    // Device kind by what the files call the GPUs, or by host; "" is for all that are not answered so.
    std::map<std::string, std::string> devices;
    std::optional<Bytes> memory;             // of a GPU: tells kinds of one name apart
    std::optional<int> gpus;                 // of every host whose GPUs no file counts
    std::optional<BytesPerSecond> bandwidth; // of one lane from a host into the network
    int lanes = 1;
    std::optional<BytesPerSecond> trunk; // between switches; unknown: as much as lies below
    std::optional<Seconds> latency;      // of a cable; unknown: a Link's default
    std::string medium;                  // of all switches, of networkKinds(); "" = Ethernet is assumed
};

// The drawing that an inventory is. What it lacks is bad input that names the flag, all of it at once;
// what is assumed instead of asked is a warning in `notes`.
Result<Cluster> clusterOf(const Inventory& inventory, const ClusterAnswers& answers, const std::string& name,
                          Diagnostics& notes);

// What the files leave open and clusterOf() refuses to guess.
struct ClusterQuestions {
    struct Device {
        std::string model; // as the files call the GPUs; "" = they do not
        std::vector<std::string> hosts, candidates;
    };
    std::vector<Device> devices;
    bool gpus = false;             // hosts whose GPUs no file counts
    bool bandwidth = false;        // of the network
    bool medium = false;           // likewise; assumed where nobody answers
    std::optional<Error> obstacle; // what no answer removes
};
ClusterQuestions questionsOf(const Inventory& inventory);

} // namespace pw
