// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

class QLabel;

namespace pw {

// Shows the labels of a bar from the left on, each with `spacing` px, as far as `room` px go: what does not
// fit whole is hidden with all behind it, and so is what has no text.
void showWhatFits(std::span<QLabel* const> labels, int room, int spacing);

} // namespace pw
