// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"

#include <QString>

namespace pw {

struct Candidate;

// A plan in words, all of it predicted: which kinds of GPU hold how many blocks and why, which stages decide
// the time, whether its memory may turn out too little, and how little time any plan could take by the lower
// bound. `bound` 0: not known, and nothing is said of it.
QString planSentence(const Candidate& plan, Seconds bound);

} // namespace pw
