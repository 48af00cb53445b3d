// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"

namespace pw {

class AccuracyStudy;

// What the views of the Accuracy page are given besides: the study that they share.
struct AccuracyContext : AppContext {
    AccuracyStudy& accuracy;
};

} // namespace pw
