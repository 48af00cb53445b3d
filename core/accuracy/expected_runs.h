// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/calibrate/validate.h"

namespace pw {

// For predictRuns(): gives every prediction the spans that its run is expected in (band.h, memory_span.h) and
// the chance that it fits.
RunVisitor expectations();

} // namespace pw
