// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/software.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// The capabilities that a framework's name stands for, and how it lays a run out where the run does not say.
struct FrameworkText {
    Software software;
    int zero = 0;                  // sharding where none is stated
    bool sequenceParallel = false; // beside tensor parallelism where it is not stated
    bool padsVocabulary = false;   // to a multiple of 128 x tp
    std::vector<std::string> assumptions;
};

// Reads the words of a framework's name, and of a row's notes whether a compiler is at work or gradients are
// not overlapped.
FrameworkText parseFramework(std::string_view name, std::string_view notes);

} // namespace pw
