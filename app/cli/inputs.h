// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/session.h"

#include "core/calibrate/calibration.h"
#include "core/cluster/cluster.h"
#include "core/model/model.h"
#include "core/profile/profile.h"
#include "core/project/project.h"

#include <string>
#include <vector>

namespace pw::cli {

// Each of these takes the named file, or with an empty name that part of the session's --project.
Result<Cluster> readCluster(const Session& session, const std::string& file);
Result<Model> readModel(const Session& session, const std::string& file);

// The --project file; bad input if none is given.
Result<Project> readProjectFlag(const Session& session);

// The --calibration file; one that changes nothing if none is given.
Result<Calibration> readCalibrationFlag(const Session& session);

// Measured rows of a model out of the --profiles database; without any of just that name, all that it has.
Result<std::vector<ProfileRow>> readProfiles(const Session& session, const std::string& model);

// Takes rows whose model is spelt differently for the model's, and says on standard error whose they were, or
// that there is none of this model.
void adoptProfiles(const Session& session, const std::string& model, std::vector<ProfileRow>& rows);

} // namespace pw::cli
