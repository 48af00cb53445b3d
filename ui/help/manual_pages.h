// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/manual/manual.h"

namespace pw {

// The manual that the program carries (resources/manual), read when first asked for: 20 ms that no start
// pays.
const Manual& shippedManual();
// The file of a page's picture inside the program: ":/manual/pictures/window.png".
inline constexpr const char* kManualFolder = ":/manual";

} // namespace pw
