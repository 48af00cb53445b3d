// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/run.h"

#include <memory>

namespace pw {

// The question on a drawing in which nodes of one kind, size and memory that differ only by their way into the
// network have the way that most of them have: a cable or a few lanes that one of them lacks are there, and
// what one of them has more is not. Its devices are those of the question, in the same order, so that its
// plans are plans of the question. Null where nodes differ in no such way, or by more than half of the way.
std::shared_ptr<const Problem> levelled(const Problem& problem);

// No stage of a chain spans two classes of nodes (chain.h), and a node that lost one of eight cables is a class
// of its own: what a search finds on the levelled drawing is judged on the one that there is, and taken where
// it is faster by half a per cent. True if that is the best plan now, of which bounds of chains do not speak.
// `work`: of that search, some at least.
bool considerLevelled(SearchRun& run, const Problem& level, const SearchOptions& options, std::int64_t work,
                      const std::stop_token& stop);

} // namespace pw
