// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/software.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// The software stacks that a framework's name stands for (core/problem/software_stack.h), their capabilities,
// and how they lay a run out where the run does not say.
struct FrameworkText {
    std::string stack; // "megatron+deepspeed"; "" = none known, usual capabilities taken
    Software software;
    int zero = 0;                  // sharding where none is stated
    bool sequenceParallel = false; // beside tensor parallelism where it is not stated
    bool padsVocabulary = false;   // to a multiple of 128 x tp
    bool stagesByCost = false;     // see splitByCost()
    std::vector<std::string> assumptions;
};

// Reads the words of a framework's name, and of a row's notes whether a compiler is at work or gradients are
// not overlapped. `month` of publication (202104 = April 2021; 0 = unknown: a year in the name counts, else
// it is taken for recent) tells a framework's generations apart.
FrameworkText parseFramework(std::string_view name, std::string_view notes, int month = 0);

// What a row itself says of its software, which counts for more than its framework's name: columns of the
// extended form (0 or 1), its text on CUDA graphs ("none", "per layer", "full iteration"), and of its
// precision how fp8 is scaled ("fp8 (TE hybrid, delayed scaling)", "fp8-rowwise", "nvfp4").
struct StatedSoftware {
    std::optional<std::int64_t> overlapGradients, overlapParameters, overlapTensor;
    std::string_view graphs, precision;
};
void takeStated(const StatedSoftware& stated, Software& software);

// By the arXiv number in a reference ("arXiv 2104.04473"); 0 where there is none.
int monthOfPublication(std::string_view reference);

} // namespace pw
