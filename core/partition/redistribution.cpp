// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/partition/redistribution.h"

namespace pw::partition {

Wanted wantedBy(const Slices& slices, const BlockEdge& edge) {
    Wanted wanted;
    for (const EdgeTensor& tensor : edge.tensors) {
        wanted.forward.push_back(layoutOf(slices, Phase::Forward, 0, tensor.to));
        wanted.backward.push_back(layoutOf(slices, Phase::Backward, slices.steps() - 1, tensor.to));
    }
    return wanted;
}

Layout outputOf(const Slices& slices, const BlockEdge& edge) {
    return layoutOf(slices, Phase::Forward, slices.steps() - 1, edge.tensors.front().from);
}

Redistribution redistribution(const GroupPrices& prices, const BlockEdge& edge, const Sequence& from,
                              const Sequence& to) {
    const int nodeBits = prices.group().nodeBits;
    const Layout held = outputOf(Slices(from), edge);
    const Wanted wanted = wantedBy(Slices(to), edge);
    Missing there, back;
    for (std::size_t t = 0; t < edge.tensors.size(); ++t) {
        there.add(missing(held, wanted.forward[t], nodeBits), edge.tensors[t].bytes);
        back.add(missing(wanted.backward[t], held, nodeBits), edge.tensors[t].bytes);
    }
    return {prices.redistribution(there), prices.redistribution(back)};
}

} // namespace pw::partition
