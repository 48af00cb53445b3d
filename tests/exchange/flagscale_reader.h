// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"

#include <string>
#include <vector>

// Reads FlagScale's files as the trainer does, knowing nothing of the exporter: parses them, applies the
// trainer's assertions, gives every physical rank its place, and says what each stage would run.
struct FlagscaleRun {
    struct Stage {
        int tp = 0, dp = 0, layers = 0;
        int sequencesAReplica = 0; // of one micro-batch
        int recomputedLayers = 0;
        std::vector<std::string> devices; // "n1.g3", in rank order: tp fastest, then dp
    };
    std::vector<Stage> stages;
    int microbatches = 0;
    std::vector<std::string> faults; // assertions that do not hold
};

FlagscaleRun readFlagscale(const std::vector<pw::ExportFile>& files);
