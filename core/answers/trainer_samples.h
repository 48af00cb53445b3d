// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/problem.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace pw {

// The questions that the manual's page "Trainers of the samples" asks of every trainer, and whose refusals
// are held against the trainers' own code: a project, or a cluster and a model with the batch that they are
// planned with.
struct TrainerSample {
    const char* name;
    const char *cluster = nullptr, *model = nullptr; // null: the project of that name
    std::int64_t gbs = 0, seq = 0;
    std::vector<std::string> forbidden = {};
};
const std::vector<TrainerSample>& trainerSamples();

// Its files read from a folder that is as the repository's `samples`. Bad input as they are read.
Result<std::shared_ptr<const Problem>> problemOf(const TrainerSample& sample,
                                                 const std::filesystem::path& folder);

} // namespace pw
