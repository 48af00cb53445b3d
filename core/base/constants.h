// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pw {

// Every number that was fitted to measurements instead of read in a datasheet or derived, in one place:
// resources/calibration/constants.json, compiled in. A constant belongs to a class of hardware or of
// algorithm, never to a source of measurements or to one of its rows. The cost model reads them by section
// and name; views and documents list them with their meaning.
struct FittedConstant {
    std::string section; // "communication"
    std::string name;    // unique in its section
    double value = 0.0;
    std::string unit; // "s"; "1" for shares
    std::string meaning;
    std::string source; // what it was fitted to, and over which range
};

// In the order of the file.
std::span<const FittedConstant> fittedConstants();

// A constant that the program itself asks for: a missing one is a mistake of ours and ends the program.
double fittedConstant(std::string_view section, std::string_view name);

} // namespace pw
