// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

namespace pw::cli {

// `profiles publish DB DIR` and `profiles pull DIR DB`: measurements between people, over a folder.
Command addPublish(CLI::App& parent);
Command addPull(CLI::App& parent);

} // namespace pw::cli
