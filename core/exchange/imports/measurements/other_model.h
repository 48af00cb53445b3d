// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/profile/profile.h"

#include <string>
#include <vector>

namespace pw {

struct Model;

// Rows that name another model, as rows of `model`, which somebody says they measure. All name the same one.
// A whole model of another number of blocks, embedding first and head last, is taken where its blocks were
// timed alike: one of them then stands for all. Errors: profiles.models, profiles.blocks.
Result<std::vector<ProfileRow>> rowsOfModel(std::vector<ProfileRow> rows, const Model& model,
                                            const std::string& file);

} // namespace pw
