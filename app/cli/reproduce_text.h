// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/reproduce/reproduce.h"

#include <string>

namespace pw::cli {

// Figures as `reproduce` and the manual print them.
std::string predictedText(const ReproducedRow& row); // "1.42 x", or "none"
std::string publishedText(const PublishedRow& row);  // "1.3 to 1.6 x", or ""
std::string agreementText(const ReproducedRow& row); // "yes", "no", or "" where one of the two is missing
std::string standingText(const PublishedRow& row);   // "measured by the authors", "stated by the authors"

} // namespace pw::cli
