// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"

#include <optional>
#include <string>
#include <vector>

namespace pw {

// time = latency + bytes / algorithm, fitted with every sample weighted by its own size, so that short
// messages decide the latency and long ones the bandwidth.
struct LinkFit {
    Seconds latency;
    BytesPerSecond algorithm; // bytes of the buffer over the time
    BytesPerSecond bus;       // algorithm times what the collective really sends: comparable between them
    double worst = 0.0;       // largest |fit / measured - 1|
    bool operator==(const LinkFit&) const = default;
};

struct LinkSample {
    Bytes size;
    Seconds time;
    bool operator==(const LinkSample&) const = default;
};

struct LinkDevice {
    int rank = 0;
    std::string host, name, busId;
    int index = 0;
    bool operator==(const LinkDevice&) const = default;
};

// One collective that was timed over sizes between the same ranks.
struct LinkMeasurement {
    std::string collective; // "all_reduce", "all_gather", "sendrecv", ...
    int ranks = 0;
    std::vector<LinkDevice> devices;
    std::vector<LinkSample> outOfPlace, inPlace;
    std::optional<LinkFit> outOfPlaceFit, inPlaceFit; // with two sizes or more
    std::optional<double> statedMean;                 // the file's own mean bus bandwidth, GB/s
    std::string source;
    std::string date;     // ISO 8601; "" = unstated
    std::string software; // versions it was measured with; "" = unstated
    bool operator==(const LinkMeasurement&) const = default;
};

} // namespace pw
