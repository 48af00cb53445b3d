// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// What of a trace is imported: measured layers and operators, or links.

#include "core/exchange/imports/measurements/kineto.h"

#include "core/base/text.h"
#include "core/exchange/imports/measurements/layer_profile.h"

#include <fmt/format.h>

namespace pw {

namespace {

std::string plainDevice(std::string name) {
    for (const char* maker : {"NVIDIA ", "Tesla ", "AMD "})
        if (name.starts_with(maker))
            name.erase(0, std::string_view(maker).size());
    return name;
}

std::string summaryOf(const KinetoTrace& trace) {
    std::string others;
    std::int64_t ignored = 0;
    for (const auto& [category, count] : trace.categories)
        if (category != "kernel" && category != "cpu_op" && category != "user_annotation" &&
            category != "gpu_user_annotation")
            ignored += count;
    double kernelTime = 0.0, groupTime = 0.0;
    std::int64_t collectives = 0;
    for (const KinetoKernel& kernel : trace.kernels) {
        (kernel.kind == KernelKind::Compute ? kernelTime : groupTime) += kernel.duration;
        collectives += kernel.kind == KernelKind::Compute ? 0 : 1;
    }
    return fmt::format("{} ({:.0f} B), rank {} of {}{}{}: {} events, {} steps; {} computing {} {:.1f} us, {} "
                       "collectives {:.1f} us; peak {:.0f} B allocated; {} other events passed over",
                       trace.onCpu            ? "CPU"
                       : trace.device.empty() ? "unnamed device"
                                              : trace.device,
                       trace.deviceMemory, trace.rank, trace.worldSize,
                       trace.ncclVersion.empty() ? "" : ", NCCL ", trace.ncclVersion, trace.events,
                       trace.steps.size(), trace.kernels.size() - static_cast<std::size_t>(collectives),
                       trace.onCpu ? "operators" : "kernels", kernelTime, collectives, groupTime,
                       trace.peakMemory, ignored);
}

} // namespace

bool recogniseKineto(std::string_view head, const std::filesystem::path&) {
    return head.find("\"traceEvents\"") != std::string_view::npos &&
           (head.find("\"schemaVersion\"") != std::string_view::npos ||
            head.find("\"deviceProperties\"") != std::string_view::npos ||
            head.find("\"distributedInfo\"") != std::string_view::npos);
}

Result<Imported> importKineto(const std::filesystem::path& path, const ImportHints& hints) {
    const Result<KinetoTrace> trace = readKineto(path, hints.stop, hints.progress);
    if (!trace)
        return trace.error();
    const std::string file = path.string();
    Imported imported;
    imported.kind = "kineto";
    imported.identity = fmt::format("rank {} of {}", trace->rank, trace->worldSize);
    imported.summary = summaryOf(*trace);
    ProfileRow like;
    const std::string traceName = pathText(path.filename());
    like.model = measuredModel(hints, traceName.substr(0, traceName.find('.')));
    const auto device = plainDevice(trace->device);
    like.kind = trace->onCpu && hintedKind(hints, device).empty()
                    ? "CPU"
                    : measuredKind(hints, device, file, imported.notes);
    if (trace->onCpu)
        imported.notes.push_back({Severity::Warning, "kineto.cpu", file,
                                  "Has no kernels: these are times of a CPU, which no plan is priced by. "
                                  "ProfilerActivity.CUDA records a GPU's"});
    like.tp = trace->tensorParallel;
    like.seq = hints.model ? hints.model->positions : 0;
    like.source = fmt::format("Kineto trace {}, rank {}", traceName, trace->rank);
    if (!trace->ncclVersion.empty())
        like.software = "NCCL " + trace->ncclVersion;
    std::vector<ProfileRow> rows;
    for (const auto& [name, sum] : trace->operators) {
        rows.push_back(figureRow(like, name.first, 0));
        rows.back().shape = name.second;
        rows.back().forward = Seconds(sum.time * 1e-6 / static_cast<double>(sum.count));
    }
    int layers = 0;
    for (const auto& [key, sum] : trace->layers) {
        const auto backward = trace->layers.find({key.first, true});
        const double mean = sum.time * 1e-6 / static_cast<double>(sum.count);
        if (key.second)
            continue;
        // Annotations count blocks from 0; profilers count the embedding first.
        ProfileRow row = figureRow(like, backward == trace->layers.end() ? "forward" : "", key.first + 1);
        row.forward = Seconds(mean);
        if (backward != trace->layers.end())
            row.backward =
                Seconds(backward->second.time * 1e-6 / static_cast<double>(backward->second.count));
        layers += row.op.empty() ? 1 : 0;
        rows.push_back(std::move(row));
    }
    imported.notes.push_back(
        {Severity::Note, "kineto.layers", file,
         layers > 0
             ? Wording(
                   "{layers} layers by annotations that name them forward and backward, at micro-batch 1; "
                   "operators are kept beside them and price no plan",
                   {{"layers", layers}})
             : "No annotations name layers (\"layers.3.forward\" and \"layers.3.backward\"): the operators "
               "are kept by name and shape and price no plan"});
    imported.what = std::move(rows);
    return imported;
}

bool recogniseNoLinks(std::string_view, const std::filesystem::path&) {
    return false;
}

Result<Imported> importKinetoLinks(const std::filesystem::path& path, const ImportHints& hints) {
    Result<KinetoTrace> trace = readKineto(path, hints.stop, hints.progress);
    if (!trace)
        return trace.error();
    Imported imported;
    imported.kind = "kineto-links";
    imported.identity = fmt::format("rank {} of {}", trace->rank, trace->worldSize);
    std::size_t samples = 0;
    for (const LinkMeasurement& link : trace->links)
        samples += link.outOfPlace.size();
    imported.summary = fmt::format("{}; {} collectives and groups, {} samples", summaryOf(*trace),
                                   trace->links.size(), samples);
    if (trace->links.empty())
        return badInput("kineto.no_links", path.string() + "#/traceEvents",
                        "has no collective whose size is stated");
    imported.notes.push_back(
        {Severity::Warning, "kineto.waiting", path.string(),
         "A collective's kernel runs from when this rank is ready: its time includes the wait "
         "for the slowest rank"});
    imported.what = std::move(trace->links);
    return imported;
}

} // namespace pw
