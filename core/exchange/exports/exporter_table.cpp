// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_document.h"
#include "core/exchange/exports/capabilities.h"
#include "core/exchange/exports/exporters.h"
#include "core/exchange/exports/megatron_run.h"

#include <nlohmann/json.hpp>

namespace pw {

namespace {

void checkDeepspeedQuestion(const Problem&, const std::string&, std::vector<Refusal>& refusals) {
    refusals.push_back(
        {"E_NO_WRITER", "plan",
         "DeepSpeed works out the boundaries of stages itself (PipelineModule), and no setting "
         "states uneven ones; a user would have to subclass it"});
}

void checkAlpaQuestion(const Problem&, const std::string&, std::vector<Refusal>& refusals) {
    refusals.push_back({"E_NO_WRITER", "plan",
                        "Alpa takes a Python object (ManualStageOption) for hosts that are alike, picks the "
                        "hosts itself, and is not maintained since 2023"});
}

} // namespace

const std::vector<ExporterRow>& exporterTable() {
    using namespace capabilities;
    static const std::vector<ExporterRow> table = {
        // First: what is offered to those who have no trainer yet, since it runs nearly any plan.
        {"runner",
         "Pipewright's runner",
         {{"1", "the runner of this version, PyTorch 1.13 and later"}},
         true,
         runner(),
         checkRunner,
         exportRunner,
         runnerNotes,
         checkRunnerQuestion},
        {"megatron",
         "Megatron-LM",
         {{"0.19", "Megatron-LM core 0.19.0 (2026-08-19)"},
          {"0.18", "Megatron-LM core 0.18.2 (2026-07-20)"},
          {"0.17", "Megatron-LM core 0.17.1 (2026-05-25)"},
          {"0.16", "Megatron-LM core 0.16.1 (2026-03-16)"},
          {"0.15", "Megatron-LM core 0.15.3 (2026-02-06)"},
          {"0.14", "Megatron-LM core 0.14.0 (2025-10-08)"},
          {"0.13", "Megatron-LM core 0.13.1 (2025-08-11)"},
          {"0.12", "Megatron-LM core 0.12, without pipeline layouts"}},
         true,
         megatron(),
         checkMegatron,
         exportMegatron,
         megatronNotes,
         checkMegatronQuestion},
        {"nemo2",
         "NeMo 2",
         {{"2025-09", "NeMo 2 at 8cfedd72 (2025-09-20)"}},
         true,
         nemo(),
         checkNemo,
         exportNemo,
         nemoNotes,
         checkMegatronQuestion},
        {"megatron-bridge",
         "Megatron-Bridge",
         {{"2026-08", "Megatron-Bridge at 067f987d (2026-08-22)"}},
         true,
         nemo(),
         checkMegatron,
         exportMegatronBridge,
         megatronBridgeNotes,
         checkMegatronQuestion},
        {"flagscale",
         "FlagScale",
         {{"2025-11", "FlagScale, November 2025 layout"}},
         true,
         flagscale(),
         checkFlagscale,
         exportFlagscale,
         megatronNotes,
         checkMegatronQuestion},
        {"hexiscale",
         "HexiScale",
         {{"2025-03", "HexiScale (FlashFlex) at 5ee1726b (2025-03-13)"}},
         true,
         hexiscale(),
         checkHexiscale,
         exportHexiscale,
         hexiscaleNotes,
         checkHexiscaleQuestion},
        {"hetu",
         "Hetu",
         {{"2025-07", "Hetu at 9e47240d (2025-07-18)"}},
         true,
         hetu(),
         checkHetu,
         exportHetu,
         hetuNotes,
         checkHetuQuestion},
        {"torchtitan",
         "torchtitan",
         {{"main", "torchtitan main at b5bcd76c (2026-08-21)"},
          {"0.2", "torchtitan 0.2.0 to 0.2.2 (2026-02-20)"},
          {"0.1", "torchtitan 0.1.0 (2025-06-17)"}},
         true,
         torchtitan(),
         checkTorchtitan,
         exportTorchtitan,
         nullptr,
         checkTorchtitanQuestion},
        {"aceso",
         "Aceso",
         {{"2023-10", "Aceso, EuroSys artifact at 53d00368 (2023-10-28)"}},
         true,
         aceso(),
         checkAceso,
         exportAceso,
         nullptr,
         checkAcesoQuestion},
        {"galvatron",
         "Galvatron",
         {{"2026-06", "Hetu-Galvatron at cea12ffb (2026-06-16)"}},
         true,
         galvatron(),
         checkGalvatron,
         exportGalvatron,
         galvatronNotes,
         checkGalvatronQuestion},
        {"deepspeed",
         "DeepSpeed",
         {{"2026-08", "DeepSpeed at edaa7221 (2026-08-22)"}},
         true,
         deepspeed(),
         nullptr,
         nullptr,
         nullptr,
         checkDeepspeedQuestion},
        {"alpa",
         "Alpa",
         {{"2023-12", "Alpa at b8078a9f (2023-12-09)"}},
         true,
         alpa(),
         nullptr,
         nullptr,
         nullptr,
         checkAlpaQuestion},
        {"torch-schedule",
         "PyTorch pipelining schedule",
         {{"2026-08", "torch.distributed.pipelining at 00722e64 (2026-08)"}},
         false,
         torchSchedule(),
         nullptr,
         exportTorchSchedule},
        {"launch",
         "Launch files",
         {{"any", "torchrun with static rendezvous; Slurm 20.11 and later"}},
         false,
         launchable(),
         checkLaunch,
         exportLaunch},
        {"chrome-trace",
         "Chrome trace",
         {{"any", "Trace Event Format (Perfetto, chrome://tracing)"}},
         false,
         {},
         nullptr,
         exportChromeTrace},
        {"csv", "Tables", {{"any", "CSV (RFC 4180)"}}, false, {}, nullptr, exportTables},
        {"plan",
         "Plan document",
         {{"1", "Pipewright plan document"}},
         false,
         {},
         nullptr,
         exportPlanDocument},
    };
    return table;
}

std::vector<ExportFile> exportPlanDocument(const ExportInput& input) {
    SearchOutcome outcome = input.outcome;
    outcome.plans = {FoundPlan{input.plan, input.evaluation}};
    return {{"plan.json", printJson(planDocument(input.problem, outcome))}};
}

} // namespace pw
