// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/pipewright/pattern.h"

namespace pw {

// Patterns to start from whose stages fill every class: the number of devices of a class is seldom a multiple
// of what its best stage takes, so that stages of several sizes stand beside each other. A programme over
// each class's devices finds the stages that hold most blocks at a pace, less what a further stage takes to
// fill and drain; the pace is the quickest at which all blocks find room, and some slower ones, for the
// model's ends and for links, which the programme does not know. Of all classes and of all but one, those
// with least memory behind or in front. This project's own.
std::vector<Pattern> filledStarts(const PatternOptions& options);

} // namespace pw
