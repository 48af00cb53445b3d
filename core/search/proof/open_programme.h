// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/proof/chain_ways.h"

#include <optional>

namespace pw {

// The least launch-count bound of all chains of one micro-batch size, whatever order they take devices in: a
// class may be left and entered again, and stages may stand on nodes in any way. By the labels of
// chain_programme.h over fewer states: the class of the last stage, the devices from the beginning of its
// node to its end, and how many devices are taken of each class, of as many classes as that gives few enough
// numbers for, the smallest first; of the others any number of stages may stand, but for what their devices
// are worth in all. A stage passes on inside a node where the node has room for it. So it is below the exact
// programme, and has an answer where that has too many states.
class OpenProgramme {
public:
    OpenProgramme(const ChainSpace& space, const ChainLines& lines) : m_space(space), m_lines(lines) {}

    // s, of chains of so many stages at most; `upper` if nothing is below it. Nothing if that takes too many
    // steps, or once `stop` says so. How far it looks depends on what is asked alone.
    std::optional<double> least(double upper, int stages, const std::function<bool()>& stop) const;

private:
    const ChainSpace& m_space;
    const ChainLines& m_lines;
};

} // namespace pw
