// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/candidates.h"

#include <QStringList>

#include <memory>

namespace pw {

class Disk;
class Problem;

// The plan that training logs were printed by, as far as their arguments tell: of those that answer the
// problem the fastest with as many stages, their sizes and blocks, and the batch. Null: of none, or the logs
// list no arguments. Arguments stand first: no more than the beginning of a file is read.
const Candidate* planOfLog(const Disk& disk, const Candidates& candidates,
                           const std::shared_ptr<const Problem>& problem, const QStringList& logs);

} // namespace pw
