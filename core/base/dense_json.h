// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

namespace pw {

// The value that printJson() prints, in less room: lists and objects that are short, or hold single values
// alone, take one line each, and lines have no blanks but the indent. For documents of thousands of alike
// entries, a third of the size and still one entry a line.
std::string printDense(const Json& value);

// Printed JSON without the control characters that the library leaves in strings: what both forms end with.
std::string withControlsEscaped(std::string text);

} // namespace pw
