// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/pipewright/pattern.h"

#include <functional>

namespace pw {

// Patterns to start from, made of segments: so many alike stages of one class, few or many of its nodes. One
// segment alone, then two, three, ... of different classes one behind the other, as many as there are
// classes; by an estimate of what their devices, their memory and the slowest crossing between them take,
// which knows neither ends nor the order of classes: the most promising so many of each number of segments,
// best first. Where links are slow the best plan begins with few nodes, and where kinds differ, with other
// tensor-parallel sizes of each. `over`: asked now and then; true ends it. This project's own.
std::vector<std::vector<Pattern>> segmentStarts(const PatternOptions& options, std::size_t most,
                                                const std::function<bool()>& over);

} // namespace pw
