// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/capability.h"

namespace pw::capabilities {

// What each target of exporterTable() can express; read off its own code.
Capability megatron();
Capability nemo();
Capability flagscale();
Capability hexiscale();
Capability hetu();
Capability torchtitan();
Capability runner();
Capability torchSchedule();
Capability aceso();
Capability galvatron();
Capability deepspeed();
Capability alpa();
Capability launchable();

} // namespace pw::capabilities
