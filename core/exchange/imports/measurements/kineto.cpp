// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/kineto.h"

#include "core/base/text.h"
#include "core/formats/json_items.h"
#include "core/links/link_fit.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace pw {

namespace {

constexpr double kMostMicroseconds =
    1e16; // up to PyTorch 2.3 since 1970, 1.8e15 today; later since the trace's base
constexpr std::size_t kMostOperators = 20'000; // told apart; the rest count as one
constexpr std::size_t kLongestName = 200;
constexpr const char* kStep = "ProfilerStep#";

std::string textOf(const Json& object, const char* key) {
    const auto at = object.find(key);
    if (at == object.end())
        return {};
    return at->is_string() ? at->get<std::string>()
                           : at->dump(-1, ' ', false, Json::error_handler_t::replace);
}

double numberOf(const Json& object, const char* key) {
    const auto at = object.find(key);
    return at != object.end() && at->is_number() ? at->get<double>() : 0.0;
}

// Ranks of the group of a collective; 0 for what none has.
int groupSize(const Json& args) {
    constexpr double kMostRanks = 1e6;
    const double ranks = numberOf(args, "Group size");
    return ranks >= 1.0 && ranks <= kMostRanks ? static_cast<int>(ranks) : 0;
}

// Bytes an element; 0 for what is not known. Names as PyTorch gives them.
double elementBytes(const std::string& type) {
    const std::string name = lowered(type);
    if (name.find("double") != std::string::npos || name.find("64") != std::string::npos || name == "long")
        return 8;
    if (name.find("bfloat16") != std::string::npos || name.find("half") != std::string::npos ||
        name.find("16") != std::string::npos || name == "short")
        return 2;
    if (name.find("float8") != std::string::npos || name == "byte" || name == "char" || name == "bool" ||
        name.find("int8") != std::string::npos)
        return 1;
    if (name.find("float") != std::string::npos || name.find("int") != std::string::npos)
        return 4;
    return 0;
}

// "allreduce", "_allgather_base", "all_to_allv": one name a collective.
std::string collectiveOf(const std::string& stated) {
    const std::string name = lowered(stated);
    const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
    if (has("allreduce") || has("all_reduce"))
        return "all_reduce";
    if (has("allgather") || has("all_gather"))
        return "all_gather";
    if (has("reduce_scatter") || has("reducescatter"))
        return "reduce_scatter";
    if (has("all_to_all") || has("alltoall"))
        return "alltoall";
    if (has("broadcast"))
        return "broadcast";
    if (has("send") || has("recv"))
        return "sendrecv";
    if (has("reduce"))
        return "reduce";
    return {};
}

bool isTensorParallel(const std::string& description) {
    const std::string name = lowered(description);
    return name.find("tensor") != std::string::npos || name == "tp" ||
           name.find("mesh_tp") != std::string::npos;
}

// "layers.3.forward", "layer_3 backward": the number behind "layer" and an optional s, and whether it is the
// backward pass.
std::optional<std::pair<int, bool>> layerOf(const std::string& name) {
    const std::string text = lowered(name);
    std::size_t at = text.find("layer");
    if (at == std::string::npos)
        return std::nullopt;
    at += 5;
    if (at < text.size() && text[at] == 's')
        ++at;
    if (at < text.size() && (text[at] == '.' || text[at] == '_' || text[at] == ' ' || text[at] == '/'))
        ++at;
    const std::size_t end = std::min(text.find_first_not_of("0123456789", at), text.size());
    const auto layer = integerNumber(std::string_view(text).substr(at, end - at));
    if (!layer || *layer > 100'000)
        return std::nullopt;
    return std::pair{static_cast<int>(*layer), text.find("backward", end) != std::string::npos};
}

class KinetoReader {
public:
    explicit KinetoReader(std::string file) { m_trace.file = std::move(file); }

    void take(const JsonReader& event) {
        ++m_trace.events;
        const Json& e = event.value();
        if (!e.is_object()) {
            event.fail("kineto.event", event.where(), "is no event; expected an object");
            return;
        }
        const std::string phase = textOf(e, "ph"), category = textOf(e, "cat"), name = textOf(e, "name");
        ++m_trace.categories[category.empty() ? "ph " + phase : category];
        if (phase == "i" && name == "[memory]") {
            const auto args = e.find("args");
            if (args != e.end() && args->is_object())
                m_trace.peakMemory = std::max(m_trace.peakMemory, numberOf(*args, "Total Allocated"));
            return;
        }
        if (phase != "X")
            return;
        const double start = event.number("ts", -kMostMicroseconds, kMostMicroseconds);
        const double duration = event.number("dur", 0.0, kMostMicroseconds);
        static const Json none = Json::object();
        const auto at = e.find("args");
        const Json& args = at != e.end() && at->is_object() ? *at : none;
        if (category == "kernel") {
            takeKernel(name, args, start, duration);
        } else if (category == "cpu_op") {
            const std::uint32_t index =
                nameIndex(name, args.contains("Input Dims") ? args["Input Dims"].dump() : "");
            takeOperator(args, index);
            if (m_kernels.empty())
                m_onCpu.push_back({textOf(e, "tid"), start, duration, index});
        } else if (category == "user_annotation" || category == "gpu_user_annotation")
            takeAnnotation(name, category == "gpu_user_annotation", start, duration);
    }

    Result<KinetoTrace> finish(const JsonReader& rest) {
        readDevice(rest);
        if (m_kernels.empty())
            takeCpuTime();
        if (m_kernels.empty() && rest.status())
            rest.fail("kineto.no_kernels", rest.where("traceEvents"),
                      "has neither kernels nor operators; profile with ProfilerActivity.CPU and "
                      "ProfilerActivity.CUDA");
        if (Status sound = rest.status(); !sound)
            return sound.error();
        m_trace.steps = m_gpuSteps.empty() ? std::move(m_cpuSteps) : std::move(m_gpuSteps);
        if (m_trace.layers.empty())
            m_trace.layers = std::move(m_cpuLayers);
        std::sort(m_trace.steps.begin(), m_trace.steps.end(),
                  [](const KinetoSpan& a, const KinetoSpan& b) { return a.start < b.start; });
        for (const Kernel& kernel : m_kernels) {
            const auto op = kernel.external < 0 ? m_operators.end() : m_operators.find(kernel.external);
            const auto& name = m_names[op == m_operators.end() ? kernel.name : op->second];
            KinetoTrace::Sum& sum = m_trace.operators[name];
            ++sum.count;
            sum.time += kernel.what.duration;
            m_trace.kernels.push_back(kernel.what);
        }
        std::stable_sort(m_trace.kernels.begin(), m_trace.kernels.end(),
                         [](const KinetoKernel& a, const KinetoKernel& b) { return a.start < b.start; });
        for (auto& [key, link] : m_links) {
            std::stable_sort(
                link.outOfPlace.begin(), link.outOfPlace.end(),
                [](const LinkSample& a, const LinkSample& b) { return a.size.value < b.size.value; });
            if (const auto factor = busFactor(link.collective, link.ranks))
                link.outOfPlaceFit = fitLink(link.outOfPlace, *factor);
            if (!m_trace.ncclVersion.empty())
                link.software = "NCCL " + m_trace.ncclVersion;
            m_trace.links.push_back(std::move(link));
        }
        return std::move(m_trace);
    }

private:
    struct Kernel {
        KinetoKernel what;
        std::int64_t external = -1; // of the operator that launched it
        std::uint32_t name = 0;
    };

    struct CpuOperator {
        std::string thread;
        double start = 0.0, duration = 0.0; // us
        std::uint32_t name = 0;
    };

    // Names and shapes are few and events many.
    std::uint32_t nameIndex(std::string name, std::string shape) {
        if (name.size() > kLongestName)
            name.resize(kLongestName);
        if (shape.size() > kLongestName)
            shape.resize(kLongestName);
        std::pair<std::string, std::string> key(std::move(name), std::move(shape));
        if (m_index.size() >= kMostOperators && !m_index.contains(key))
            key = {"others", ""};
        const auto [at, fresh] = m_index.try_emplace(key, static_cast<std::uint32_t>(m_names.size()));
        if (fresh)
            m_names.push_back(std::move(key));
        return at->second;
    }

    void takeOperator(const Json& args, std::uint32_t index) {
        const auto external = args.find("External id");
        if (external != args.end() && external->is_number_integer())
            m_operators[external->get<std::int64_t>()] = index;
    }

    // Without a GPU the operators do the work themselves: of each thread those that no other contains.
    void takeCpuTime() {
        std::stable_sort(m_onCpu.begin(), m_onCpu.end(), [](const CpuOperator& a, const CpuOperator& b) {
            return std::tie(a.thread, a.start, b.duration) < std::tie(b.thread, b.start, a.duration);
        });
        const CpuOperator* outer = nullptr;
        for (const CpuOperator& op : m_onCpu) {
            if (outer != nullptr && outer->thread == op.thread && op.start < outer->start + outer->duration)
                continue;
            outer = &op;
            m_kernels.push_back({{op.start, op.duration, KernelKind::Compute}, -1, op.name});
        }
        m_trace.onCpu = !m_kernels.empty();
    }

    void takeKernel(const std::string& name, const Json& args, double start, double duration) {
        Kernel kernel{{start, duration, KernelKind::Compute}, -1, nameIndex(name, "")};
        const auto external = args.find("External id");
        if (external != args.end() && external->is_number_integer())
            kernel.external = external->get<std::int64_t>();
        if (args.contains("Collective name") || name.starts_with("nccl")) {
            const std::string description = textOf(args, "Process Group Description");
            const bool tp = isTensorParallel(description);
            kernel.what.kind = tp ? KernelKind::TensorParallel : KernelKind::Communication;
            kernel.external = -1; // known by its own name
            if (tp)
                m_trace.tensorParallel = std::max(m_trace.tensorParallel, groupSize(args));
            takeCollective(args, duration);
        }
        m_kernels.push_back(kernel);
        m_onCpu.clear();
    }

    void takeCollective(const Json& args, double duration) {
        const std::string collective = collectiveOf(textOf(args, "Collective name"));
        const double elements = std::max(numberOf(args, "In msg nelems"), numberOf(args, "Out msg nelems"));
        const double bytes = elements * elementBytes(textOf(args, "dtype"));
        const int ranks = collective == "sendrecv" ? 2 : groupSize(args);
        if (collective.empty() || bytes <= 0.0 || ranks < 2 || duration <= 0.0)
            return;
        const std::string group = textOf(args, "Process Group Ranks");
        LinkMeasurement& link = m_links[{collective, group}];
        if (link.ranks == 0) {
            link.collective = collective;
            link.ranks = ranks;
            const std::string description = textOf(args, "Process Group Description");
            link.source = fmt::format("Kineto trace {}{}{}, ranks {}",
                                      pathText(std::filesystem::path(m_trace.file).filename()),
                                      description.empty() ? "" : ", ", description, group);
        }
        link.outOfPlace.push_back({Bytes(bytes), Seconds(duration * 1e-6)});
    }

    void takeAnnotation(const std::string& name, bool gpu, double start, double duration) {
        if (name.starts_with(kStep)) {
            (gpu ? m_gpuSteps : m_cpuSteps).push_back({start, start + duration});
            return;
        }
        if (const auto layer = layerOf(name)) {
            KinetoTrace::Sum& sum = (gpu ? m_trace.layers : m_cpuLayers)[*layer];
            ++sum.count;
            sum.time += duration;
        }
    }

    void readDevice(const JsonReader& rest) {
        if (rest.has("deviceProperties"))
            for (const JsonReader& device : rest.array("deviceProperties")) {
                if (m_trace.device.empty()) {
                    m_trace.device = device.text("name", "");
                    m_trace.deviceMemory = device.number("totalGlobalMem", 0.0, 1e15, 0.0);
                }
            }
        if (!rest.has("distributedInfo"))
            return;
        const JsonReader group = rest.object("distributedInfo");
        m_trace.rank = static_cast<int>(group.count("rank", 0, 1'000'000, 0));
        m_trace.worldSize = static_cast<int>(group.count("world_size", 1, 1'000'000, 1));
        m_trace.ncclVersion = group.text("nccl_version", "");
        if (m_trace.rank >= m_trace.worldSize)
            group.fail("kineto.rank", group.where("rank"),
                       {"is {rank}; world_size is {world_size}",
                        {{"rank", m_trace.rank}, {"world_size", m_trace.worldSize}}});
    }

    KinetoTrace m_trace;
    std::vector<Kernel> m_kernels;
    std::vector<CpuOperator> m_onCpu;                            // until the first kernel
    std::unordered_map<std::int64_t, std::uint32_t> m_operators; // by External id
    std::map<std::pair<std::string, std::string>, std::uint32_t> m_index;
    std::vector<std::pair<std::string, std::string>> m_names;
    std::vector<KinetoSpan> m_cpuSteps, m_gpuSteps;
    std::map<std::pair<int, bool>, KinetoTrace::Sum> m_cpuLayers;
    std::map<std::pair<std::string, std::string>, LinkMeasurement> m_links;
};

} // namespace

Result<KinetoTrace> readKineto(const std::filesystem::path& path, const std::stop_token& stop,
                               const std::function<void(double share)>& progress) {
    KinetoReader reader(path.string());
    JsonItems items;
    items.stop = stop;
    items.progress = progress;
    items.take = [&](const JsonReader& event) -> Status {
        reader.take(event);
        return Ok{};
    };
    const Result<Json> rest = readJsonItems(path, "traceEvents", items);
    if (!rest)
        return rest.error();
    return reader.finish(JsonReader(*rest, path.string()));
}

} // namespace pw
