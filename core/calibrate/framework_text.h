// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/problem/software.h"

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
// not overlapped. `month` of publication (202104 = April 2021; 0 = unknown, taken for recent) tells a
// framework's generations apart.
FrameworkText parseFramework(std::string_view name, std::string_view notes, int month = 0);

// By the arXiv number in a reference ("arXiv 2104.04473"); 0 where there is none.
int monthOfPublication(std::string_view reference);

} // namespace pw
