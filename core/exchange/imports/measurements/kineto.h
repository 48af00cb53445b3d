// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <stop_token>

namespace pw {

// A torch.profiler (Kineto) trace of one rank, plain or gzip, read as a stream: some hundred MB are usual,
// and what is kept are 24 bytes a kernel and the sums below.
struct KinetoSpan {
    double start = 0.0, end = 0.0; // us of the trace's clock
};

// What a kernel does for a plan. Tensor-parallel collectives belong to the forward and backward pass; the
// group's description tells ("tensor", or "tp").
enum class KernelKind : std::uint8_t { Compute, TensorParallel, Communication };

struct KinetoKernel {
    double start = 0.0, duration = 0.0; // us
    KernelKind kind = KernelKind::Compute;
};

struct KinetoTrace {
    std::string file;
    std::string device;        // "NVIDIA A100-SXM4-80GB"
    double deviceMemory = 0.0; // bytes
    int rank = 0, worldSize = 1;
    std::string ncclVersion;
    std::vector<KinetoSpan> steps;     // ProfilerStep#n, of the GPU where the trace has them; else the CPU's
    std::vector<KinetoKernel> kernels; // by start
    // Sums by operator and shape of its inputs, or by the kernel's own name where no operator launched it.
    struct Sum {
        std::int64_t count = 0;
        double time = 0.0; // us
    };
    std::map<std::pair<std::string, std::string>, Sum> operators;
    // Annotations that name a layer ("layers.3.forward"): (layer, backward) -> sum.
    std::map<std::pair<int, bool>, Sum> layers;
    std::vector<LinkMeasurement> links; // one a collective and group of ranks
    bool onCpu = false;                 // no GPU: the kernels are the outermost operators of every thread
    int tensorParallel = 1;             // size of the tensor-parallel group, where the trace names one
    double peakMemory = 0.0;            // bytes, the largest "Total Allocated"
    std::int64_t events = 0;
    std::map<std::string, std::int64_t> categories; // of all events; those that are none of ours too
};

Result<KinetoTrace> readKineto(const std::filesystem::path& path, const std::stop_token& stop = {},
                               const std::function<void(double share)>& progress = {});

bool recogniseKineto(std::string_view head, const std::filesystem::path& path);
// Measured times of operators, and of layers where annotations name them.
Result<Imported> importKineto(const std::filesystem::path& path, const ImportHints& hints);
// The collectives alone, as link measurements: recognised by nothing, since every trace is the former too.
bool recogniseNoLinks(std::string_view head, const std::filesystem::path& path);
Result<Imported> importKinetoLinks(const std::filesystem::path& path, const ImportHints& hints);

} // namespace pw
