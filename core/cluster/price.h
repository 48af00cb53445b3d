// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/cluster/cluster.h"

#include <string_view>

namespace pw {

// Sets what an hour of a device costs, in the user's currency: 0 (unknown) to 1e6. A kind of the catalogue
// becomes one of the cluster's own. No plan changes by it, so it is no part of the question that is hashed.
// Bad input: an unknown kind, a price out of range.
Status setPrice(Cluster& cluster, std::string_view kind, double perHour);

} // namespace pw
