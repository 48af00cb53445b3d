// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/exchange/exports/export.h"

namespace pw {

// The rows of exporterTable(), one file pair each.

// Megatron-LM: a script with all arguments, the layers of the stages as a pipeline layout, and the files that
// start it, whose node order is the placement. NeMo 2 and Megatron-Bridge: the same settings as a Python
// function.
std::vector<ExportFile> exportMegatron(const ExportInput& input);
void checkNemo(const Problem& problem, const Plan& plan, const std::string& release,
               std::vector<Refusal>& refusals);
void nemoNotes(const Problem& problem, const Plan& plan, const std::string& release, Diagnostics& notes);
std::vector<ExportFile> exportNemo(const ExportInput& input);
void megatronBridgeNotes(const Problem& problem, const Plan& plan, const std::string& release,
                         Diagnostics& notes);
std::vector<ExportFile> exportMegatronBridge(const ExportInput& input);

// FlagScale's heterogeneous training files in the layout of November 2025 (FlagOpen/FlagScale da4935ec):
// train and experiment YAML, hostfile and the script that starts them. The trainer leaves several bad plans
// to fail in a running job, or to train something else silently; every rule is applied here, and what it
// cannot run is refused.
void checkFlagscale(const Problem& problem, const Plan& plan, const std::string& release,
                    std::vector<Refusal>& refusals);
std::vector<ExportFile> exportFlagscale(const ExportInput& input);

// HexiScale (FlashFlex): replicas of any shape, with the ranks of every stage; Llama only.
void checkHexiscaleQuestion(const Problem& problem, const std::string& release,
                            std::vector<Refusal>& refusals);
void checkHexiscale(const Problem& problem, const Plan& plan, const std::string& release,
                    std::vector<Refusal>& refusals);
void hexiscaleNotes(const Problem& problem, const Plan& plan, const std::string& release, Diagnostics& notes);
std::vector<ExportFile> exportHexiscale(const ExportInput& input);

// Hetu's ds_parallel_config, the settings of its Trainer, and the script that hands both to it.
void checkHetuQuestion(const Problem& problem, const std::string& release, std::vector<Refusal>& refusals);
void hetuNotes(const Problem& problem, const Plan& plan, const std::string& release, Diagnostics& notes);
void checkHetu(const Problem& problem, const Plan& plan, const std::string& release,
               std::vector<Refusal>& refusals);
std::vector<ExportFile> exportHetu(const ExportInput& input);

// torchtitan: GPipe and 1F1B by name, the simulated order of any other schedule as a CSV.
void checkTorchtitanQuestion(const Problem& problem, const std::string& release,
                             std::vector<Refusal>& refusals);
void checkTorchtitan(const Problem& problem, const Plan& plan, const std::string& release,
                     std::vector<Refusal>& refusals);
std::vector<ExportFile> exportTorchtitan(const ExportInput& input);

// The simulated order of every pipeline for torch.distributed.pipelining; what a stage is made of is the
// script's that loads it.
std::vector<ExportFile> exportTorchSchedule(const ExportInput& input);

// The runtimes of two planners.
void checkAcesoQuestion(const Problem& problem, const std::string& release, std::vector<Refusal>& refusals);
void checkAceso(const Problem& problem, const Plan& plan, const std::string& release,
                std::vector<Refusal>& refusals);
std::vector<ExportFile> exportAceso(const ExportInput& input);
void checkGalvatronQuestion(const Problem& problem, const std::string& release,
                            std::vector<Refusal>& refusals);
void galvatronNotes(const Problem& problem, const Plan& plan, const std::string& release, Diagnostics& notes);
void checkGalvatron(const Problem& problem, const Plan& plan, const std::string& release,
                    std::vector<Refusal>& refusals);
std::vector<ExportFile> exportGalvatron(const ExportInput& input);

// Pipewright's own runner (samples/runner), which runs a plan as it is: the plan document, a copy of the
// runner, and what starts its ranks on nodes, under Slurm and under Kubernetes.
void checkRunnerQuestion(const Problem& problem, const std::string& release, std::vector<Refusal>& refusals);
void checkRunner(const Problem& problem, const Plan& plan, const std::string& release,
                 std::vector<Refusal>& refusals);
void runnerNotes(const Problem& problem, const Plan& plan, const std::string& release, Diagnostics& notes);
std::vector<ExportFile> exportRunner(const ExportInput& input);

// Every table of the plan as CSV.
std::vector<ExportFile> exportTables(const ExportInput& input);

// Only the files that start a plan's ranks in its order of nodes.
void checkLaunch(const Problem& problem, const Plan& plan, const std::string& release,
                 std::vector<Refusal>& refusals);
std::vector<ExportFile> exportLaunch(const ExportInput& input);

// Trace Event Format, as chrome://tracing and Perfetto open it. A process is a stage, its threads are
// compute, forward sends, backward sends and gradient sync; of identical replicas one is drawn.
void writeChromeTrace(const ExportInput& input, const TextSink& sink); // piece by piece
std::vector<ExportFile> exportChromeTrace(const ExportInput& input);

// The plan document of `plan --out` with this one plan: what `evaluate --plan` and other copies of the
// program read.
std::vector<ExportFile> exportPlanDocument(const ExportInput& input);

} // namespace pw
