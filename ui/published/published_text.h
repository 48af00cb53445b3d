// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/published/published_predictions.h"

#include <QString>

#include <vector>

namespace pw {

// What is said of a published case, and of what was made of it.

QString publishedCaseText(const PublishedCase& one);
// What was assumed and why figures differ: each text once, below it all rows that it is said of. `predicted`:
// the rows of the choice that are.
QString publishedNotes(const PublishedChoice& chosen, const std::vector<ReproducedRow>& predicted);

} // namespace pw
