// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/chosen_plan.h"
#include "app/cli/session.h"

namespace pw::cli {

// --sensitivity: the curves of the window's Sensitivity view, added to the answer under `sensitivity`: every
// parameter that the view offers, but no more than 16 single links. Those that are the narrowest between two
// stages come first, the longest transfer before all; then they follow as the cluster has them.
inline constexpr std::size_t kMostSlicedLinks = 16;
Status addSensitivity(const Session& session, const JudgedPlan& judged, Answer& answer);

} // namespace pw::cli
