// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/run_table.h"
#include "core/model/model.h"

#include <string>
#include <vector>

namespace pw {

// The experts of a row's model: by its columns where they are there, where n_experts of 0 is a dense model
// whatever its name says; else by the published sizes of a family that the name is of ("Mixtral-8x7B",
// "DBRX"). A family that nobody knows, but whose name says "MoE", gets the usual two experts a token, as many
// of them as the count of parameters makes likely. Where parameters are counted and no column speaks, they
// outvote the name. `model` has all other sizes. Adds what it had to assume.
void readExperts(const RunRow& row, Model& model, std::vector<std::string>& assumptions);

// How far a model is from so many billions of parameters: the size of the logarithm of the ratio.
double misfit(const Model& model, double billions);

} // namespace pw
