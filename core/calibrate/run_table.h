// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// One measured training run as it was published. Texts are as the source puts them; a number that the source
// does not state is absent. iter_time_s and peak_mem_gib are what predictions are held against.
struct RunRow {
    std::string rowId, set, gpu, network, framework, model, precision, sharding, recompute, schedule, vpp,
        iterTimeBasis, tflopsDef, memDef, quality, source, verified, notes;
    std::optional<std::int64_t> nGpus, gpusPerNode, nLayers, hidden, ffnHidden, nHeads, nKvHeads, vocab,
        seqLen, gbs, mbs, nMicrobatches, tp, pp, dp, cp, ep, sp, flashAttn;
    // Of the extended form; absent where a table ends behind the notes.
    std::string modelRef, cudaGraphs, moeDispatcher, stageLayers, peft;
    std::string log; // file that the trainer printed time and memory into, beside the table; training_log.h
    std::optional<std::int64_t> nExperts, expertsTopK, moeFfn, sharedExperts, denseFirstLayers, mtpLayers,
        distributedOptimizer, overlapGradReduce, overlapParamGather, tpCommOverlap, fsdp, nvlinkDomain;
    std::optional<double> gpuMemGb, paramsB, iterTimeS, tokensPerSPerGpu, samplesPerS, tflopsPerGpu, mfuPct,
        hfuPct, peakMemGib;
    int line = 0; // of the file

    // The source says that this run ended for want of memory, or did not work at all.
    bool failed() const { return iterTimeBasis.starts_with("OOM") || iterTimeBasis.starts_with("FAILED"); }
};

// Reads a table of runs, columns in any order: the 46 that every table has, the further 17 of the extended
// form or some of them, `log`, and any that are not known, which `notes` names and nothing reads. Bad input,
// with file:line:column: one of the 46 is missing, a column is named twice, a record of another width, a
// number that is none (negative and not finite ones among them; "unstated" and the like count as empty), a
// row without an id or with one that was there before.
Result<std::vector<RunRow>> readRuns(std::string_view text, const std::string& file,
                                     Diagnostics* notes = nullptr);

} // namespace pw
