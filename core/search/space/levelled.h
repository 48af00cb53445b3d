// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"

#include <memory>
#include <optional>

namespace pw {

// The question on a drawing in which nodes of one kind, size and memory that differ only by their way into
// the network have the way that most of them have: a cable or a few lanes that one of them lacks are there,
// and what one of them has more is not. Its devices are those of the question, in the same order, so that its
// plans are plans of the question.
struct Levelled {
    std::shared_ptr<const Problem> problem;
    // Cables have lanes more and nothing else is changed, and between any two nodes the same ways share what
    // passes, each no narrower: no plan is slower here than on the drawing that there is, and what bounds a
    // plan from below here does so there. Not looked into where there are more than 96 classes of nodes.
    bool wider = false;
};

// Nothing where nodes differ in no such way, or by more than half of the way.
std::optional<Levelled> levelled(const Problem& problem);

} // namespace pw
