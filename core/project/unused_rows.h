// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/project/project.h"

namespace pw {

// Why none of the measured rows prices a layer of the project's plans as it was measured. Of the rows that
// differ from what plans ask in the fewest ways each difference is one wording: of sequence (tokens),
// precision, tensor-parallel size, layer, device kind and model, in this order. What a row leaves unstated
// differs from nothing; rows of single operators price no plan and are passed over.
//
// Empty where a row applies, where there is none of a whole layer, and where the project has no model or no
// GPU yet.
std::vector<Wording> whyNoRowApplies(const Project& project, const std::vector<ProfileRow>& rows);

} // namespace pw
