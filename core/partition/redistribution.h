// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/partition/prices.h"

namespace pw::partition {

// What lies between two operators that are divided differently: published as the part of every device's input
// that it does not hold yet, from where the last step of one leaves it to where the first step of the next
// wants it.

// How the tensors of an edge are wanted, and where their gradients end up, one layout a tensor.
struct Wanted {
    std::vector<Layout> forward, backward;
    auto operator<=>(const Wanted&) const = default;
};
Wanted wantedBy(const Slices& slices, const BlockEdge& edge);
// The output after the last forward step, which is where its gradient is wanted at the first backward step.
Layout outputOf(const Slices& slices, const BlockEdge& edge);

struct Redistribution {
    double forward = 0.0, backward = 0.0; // s, either direction
    double both() const { return forward + backward; }
};
Redistribution redistribution(const GroupPrices& prices, const BlockEdge& edge, const Sequence& from,
                              const Sequence& to);

} // namespace pw::partition
