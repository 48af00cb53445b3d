// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/exporters.h"
#include "core/formats/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

// Every table of a plan as CSV (RFC 4180 with LF): the plan, its stages, its devices, and the simulated
// passes and transfers. Seconds and bytes in base units, shortest form that reads back equal.

namespace pw {

namespace {

std::string cell(const std::string& text) {
    return csvField(text);
}
std::string cell(const char* text) {
    return cell(std::string(text));
}
std::string cell(bool value) {
    return value ? "1" : "0";
}
template <class Number>
requires std::is_arithmetic_v<Number> std::string cell(Number value) {
    return fmt::format("{}", value);
}

class Csv {
public:
    explicit Csv(const char* header) : m_text(std::string(header) + "\n") {}
    template <class... Cells>
    void row(const Cells&... cells) {
        const std::string all[] = {cell(cells)...};
        m_text += fmt::format("{}\n", fmt::join(all, ","));
    }
    std::string take() { return std::move(m_text); }

private:
    std::string m_text;
};

std::string planTable(const ExportInput& input) {
    const Evaluation& e = input.evaluation;
    Csv csv(
        "model,gbs,seq,precision,gpus,iteration_s,closed_form_s,tokens_per_s,bubble,measured_share,feasible,"
        "fill_s,steady_s,drain_s,exposed_tp_s,exposed_dp_s,exposed_pp_s,sync_s,optimizer_s");
    const Problem& p = input.problem;
    csv.row(p.model().name, p.recipe().gbs, p.recipe().seq, name(p.precision()), e.memory.size(),
            e.iteration.value, e.closedForm.value, e.tokensPerSecond, e.bubble, e.measuredShare, e.feasible,
            e.time.fill.value, e.time.steady.value, e.time.drain.value, e.time.exposedTp.value,
            e.time.exposedDp.value, e.time.exposedPp.value, e.time.sync.value, e.time.optimizer.value);
    return csv.take();
}

template <class Visit>
void eachStage(const ExportInput& input, const Visit& visit) {
    for (std::size_t p = 0; p < input.plan.pipelines.size(); ++p)
        for (std::size_t i = 0; i < input.plan.pipelines[p].stages.size(); ++i)
            visit(p, i, input.plan.pipelines[p], input.plan.pipelines[p].stages[i]);
}

std::string stageTable(const ExportInput& input) {
    Csv csv(
        "pipeline,stage,layers,tp,dp,cp,ep,sequence_parallel,zero,recompute,recompute_layers,schedule,"
        "microbatches,microbatch_size,launch,forward_s,backward_s,recompute_s,weight_grad_s,send_s,sync_s,"
        "optimizer_s,in_flight,link");
    const int layers = fineLayerCount(input.problem.model());
    eachStage(input, [&](std::size_t p, std::size_t i, const Pipeline& pipeline, const Stage& stage) {
        const StageFigures& f = input.evaluation.pipelines[p].stages[i];
        const std::vector<int>& launch = input.evaluation.pipelines[p].launch;
        csv.row(p, i, layersText(stage, layers), stage.tp, stage.dp(), stage.cp, stage.ep,
                stage.sequenceParallel, stage.zero, name(stage.recompute), stage.recomputeLayers,
                name(pipeline.schedule.kind), pipeline.microbatches, pipeline.microbatchSize,
                i < launch.size() ? std::to_string(launch[i]) : std::string(), f.forward.value,
                f.backward.value, f.recompute.value, f.weightGrad.value, f.send.value, f.sync.value,
                f.optimizer.value, f.inFlight, f.link);
    });
    return csv.take();
}

std::string deviceTable(const ExportInput& input) {
    Csv csv(
        "device,node,kind,pipeline,stage,bytes,capacity,weights,gradients,optimizer,activations,transient,"
        "communication,reserve");
    const Topology& topology = input.problem.topology();
    for (const DeviceMemory& m : input.evaluation.memory) {
        const Device& device = topology.devices()[static_cast<std::size_t>(m.device)];
        csv.row(device.id, topology.cluster().nodes[static_cast<std::size_t>(device.node)].id,
                topology.kindOf(m.device).name, m.pipeline, m.stage, m.peak.total().value, m.capacity.value,
                m.peak.weights.value, m.peak.gradients.value, m.peak.optimizer.value,
                m.peak.activations.value, m.peak.transient.value, m.peak.communication.value,
                m.peak.reserve.value);
    }
    return csv.take();
}

std::string passTable(const ExportInput& input) {
    Csv csv("pipeline,stage,chunk,microbatch,op,start_s,end_s");
    for (std::size_t p = 0; p < input.evaluation.pipelines.size(); ++p) {
        const Simulation& run = input.evaluation.pipelines[p].simulation;
        for (const Op& op : run.ops)
            csv.row(p, op.stage, op.chunk, op.microbatch,
                    op.kind == OpKind::Forward      ? "F"
                    : op.kind == OpKind::WeightGrad ? "W"
                    : run.split                     ? "I"
                                                    : "B",
                    op.start, op.end);
    }
    return csv.take();
}

std::string transferTable(const ExportInput& input) {
    Csv csv("pipeline,boundary,microbatch,what,start_s,end_s");
    for (std::size_t p = 0; p < input.evaluation.pipelines.size(); ++p)
        for (const Transfer& t : input.evaluation.pipelines[p].simulation.transfers)
            csv.row(p, t.boundary, t.microbatch, t.kind == OpKind::Forward ? "activation" : "gradient",
                    t.start, t.end);
    return csv.take();
}

} // namespace

std::vector<ExportFile> exportTables(const ExportInput& input) {
    return {{"plan.csv", planTable(input)},
            {"stages.csv", stageTable(input)},
            {"devices.csv", deviceTable(input)},
            {"passes.csv", passTable(input)},
            {"transfers.csv", transferTable(input)}};
}

} // namespace pw
