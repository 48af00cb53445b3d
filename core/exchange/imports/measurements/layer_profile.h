// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <string>
#include <string_view>

namespace pw {

// What the importers of layer profiles share.

inline constexpr double kMebibyte = 1024.0 * 1024.0; // what PyTorch's profilers call MB
inline constexpr const char* kUnstatedKind = "unstated";

// The hint for a device of that name; empty if there is none.
std::string_view hintedKind(const ImportHints& hints, std::string_view stated);

// The device kind that was measured: the hint's, else the catalogue's of that name, else the name itself with
// a warning, since no cluster may have a kind of that name.
std::string measuredKind(const ImportHints& hints, std::string_view stated, const std::string& file,
                         Diagnostics& notes);

// The model's name: of the model at hand, else the hint, else what the file says.
std::string measuredModel(const ImportHints& hints, std::string_view stated);

// The digits behind `tag` in a file name ("tp" in "x_tp2_bs4.json"), or 0.
int numberBehind(std::string_view name, std::string_view tag);

// A figure beside the layer times, kept under its name: of an operator, or of memory alone. It prices no
// plan.
ProfileRow figureRow(const ProfileRow& like, std::string op, int layer);

// Whether the two agree to 1e-6 of the larger, or to `slack`.
bool agree(double a, double b, double slack = 0.0);

// Two or more blocks beside embedding and head, as a model at hand says; a message if the model says
// otherwise.
std::optional<Wording> blockProblem(const ImportHints& hints, std::size_t layers);

} // namespace pw
