// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/simai.h"

#include "core/base/text.h"
#include "core/formats/source.h"

#include <fmt/format.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace pw {

namespace {

constexpr std::int64_t kMostLinks = 1'000'000;

struct Suffix {
    std::string_view name;
    double factor;
};
constexpr std::array kRates = {Suffix{"Kbps", 125.0}, Suffix{"Mbps", 125e3}, Suffix{"Gbps", 125e6},
                               Suffix{"bps", 0.125}}; // bps last: the others end in it
constexpr std::array kTimes = {Suffix{"ns", 1e-9}, Suffix{"us", 1e-6}, Suffix{"ms", 1e-3}, Suffix{"s", 1.0}};

template <std::size_t N>
std::optional<double> withSuffix(std::string_view text, const std::array<Suffix, N>& suffixes) {
    for (const Suffix& suffix : suffixes)
        if (text.ends_with(suffix.name)) {
            const std::optional<double> number =
                finiteNumber(text.substr(0, text.size() - suffix.name.size()));
            return number ? std::optional(*number * suffix.factor) : std::nullopt;
        }
    return std::nullopt;
}

struct Header {
    std::int64_t nodes = 0, perServer = 0, nvswitches = 0, switches = 0, links = 0;
    std::string type;
    std::int64_t gpus() const { return nodes - nvswitches - switches; }
};

Header headerOf(const TextLine& line, TextFaults& faults) {
    Header h;
    const std::vector<std::string_view> fields = fieldsOf(line.text);
    const std::array<std::int64_t*, 5> counts = {&h.nodes, &h.perServer, &h.nvswitches, &h.switches,
                                                 &h.links};
    if (fields.size() < counts.size() || fields.size() > counts.size() + 1) {
        faults.add("simai.header", faults.where(line.number),
                   "expected \"nodes gpus_per_server nvswitches switches links GPUTYPE\"");
        return h;
    }
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const std::optional<std::int64_t> n = integerNumber(fields[i]);
        if (!n || *n < 0 || *n > (i == 4 ? kMostLinks : ImportLimits::gpus))
            faults.add("simai.header", faults.where(line.number),
                       {"\"{field}\" is no count that is read", {{"field", fields[i]}}});
        *counts[i] = n.value_or(0);
    }
    if (fields.size() > counts.size())
        h.type = fields.back();
    if (faults.empty() && (h.gpus() < 1 || h.perServer < 1 || h.gpus() % h.perServer != 0))
        faults.add("simai.header", faults.where(line.number),
                   {"{nodes} nodes less {switches} switches leave {gpus} GPUs, which are no whole servers of "
                    "{per_server}",
                    {{"nodes", h.nodes},
                     {"switches", h.nvswitches + h.switches},
                     {"gpus", h.gpus()},
                     {"per_server", h.perServer}}});
    return h;
}

struct Wire {
    std::int64_t a = 0, b = 0;
    double rate = 0.0, delay = 0.0;
};

std::optional<Wire> linkOf(const TextLine& line, std::int64_t nodes, TextFaults& faults) {
    const std::vector<std::string_view> f = fieldsOf(line.text);
    if (f.size() < 4 || f.size() > 5) {
        faults.add("simai.link", faults.where(line.number),
                   "expected \"src dst 200Gbps 0.0005ms errorrate\"");
        return std::nullopt;
    }
    const std::optional<std::int64_t> a = integerNumber(f[0]), b = integerNumber(f[1]);
    const auto known = [&](const std::optional<std::int64_t>& id) { return id && *id >= 0 && *id < nodes; };
    if (!known(a) || !known(b)) {
        faults.add("simai.id", faults.where(line.number),
                   {"\"{text}\" is no id from 0 to {last}",
                    {{"text", known(a) ? f[1] : f[0]}, {"last", nodes - 1}}});
        return std::nullopt;
    }
    const std::optional<double> rate = withSuffix(f[2], kRates), delay = withSuffix(f[3], kTimes);
    if (*a == *b)
        faults.add("simai.self", faults.where(line.number), {"links {a} to itself", {{"a", *a}}});
    if (!rate || *rate <= 0)
        faults.add("simai.unit", faults.where(line.number),
                   {"\"{text}\" is no rate; expected bps, Kbps, Mbps or Gbps", {{"text", f[2]}}});
    if (!delay || *delay < 0)
        faults.add("simai.unit", faults.where(line.number),
                   {"\"{text}\" is no time; expected ns, us, ms or s", {{"text", f[3]}}});
    return Wire{*a, *b, rate.value_or(1.0), delay.value_or(0.0)};
}

// GPU ids come first, server by server; links of GPUs to NVSwitches are the inside of a node, all others are
// cables, and equal ones between the same two items are lanes of one.
class SimaiBuilder {
public:
    SimaiBuilder(const Header& header, std::vector<bool> nvswitch)
        : m_header(header), m_nvswitch(std::move(nvswitch)) {
        for (std::int64_t server = 0; server < header.gpus() / header.perServer; ++server) {
            InventoryHost host;
            host.name = fmt::format("n{}", server + 1);
            for (int k = 0; k < header.perServer; ++k) {
                InventoryGpu gpu;
                gpu.index = k;
                gpu.model = header.type;
                host.gpus.push_back(std::move(gpu));
            }
            found.hosts.push_back(std::move(host));
        }
    }

    Inventory found;

    void take(const Wire& link) {
        const bool aGpu = link.a < m_header.gpus(), bGpu = link.b < m_header.gpus();
        const std::int64_t gpu = aGpu ? link.a : link.b, other = aGpu ? link.b : link.a;
        if (aGpu != bGpu && m_nvswitch[static_cast<std::size_t>(other)]) {
            InventoryHost& host = hostOf(gpu);
            InventoryGpu& end = host.gpus[static_cast<std::size_t>(gpu % m_header.perServer)];
            end.toSwitch = BytesPerSecond(end.toSwitch.value_or(BytesPerSecond(0)).value + link.rate);
            host.gpuLatency = Seconds(2 * link.delay); // up to the switch and down
            if (m_joined.emplace(other, gpu / m_header.perServer).second)
                host.nvswitches = host.nvswitches.value_or(0) + 1;
            return;
        }
        if (aGpu && bGpu && link.a / m_header.perServer == link.b / m_header.perServer) {
            hostOf(gpu).pairs.push_back({static_cast<int>(link.a % m_header.perServer),
                                         static_cast<int>(link.b % m_header.perServer), "", 0,
                                         BytesPerSecond(link.rate)});
            return;
        }
        const std::string a = nameOf(link.a), b = nameOf(link.b);
        const auto key = std::tuple(a, b, link.rate, link.delay);
        if (const auto [place, isNew] = m_cable.emplace(key, found.cables.size()); !isNew)
            ++found.cables[place->second].lanes;
        else
            found.cables.push_back({a, b, BytesPerSecond(link.rate), Seconds(link.delay), 1});
    }

    void finish() {
        for (std::int64_t id = m_header.gpus(); id < m_header.nodes; ++id)
            if (!m_nvswitch[static_cast<std::size_t>(id)])
                found.switches.push_back({nameOf(id)});
    }

private:
    InventoryHost& hostOf(std::int64_t gpu) {
        return found.hosts[static_cast<std::size_t>(gpu / m_header.perServer)];
    }
    std::string nameOf(std::int64_t id) const {
        return id < m_header.gpus() ? fmt::format("n{}", id / m_header.perServer + 1)
                                    : fmt::format("s{}", id);
    }

    const Header& m_header;
    std::vector<bool> m_nvswitch; // by id
    std::map<std::tuple<std::string, std::string, double, double>, std::size_t> m_cable;
    std::set<std::pair<std::int64_t, std::int64_t>> m_joined; // NVSwitch and server
};

} // namespace

bool recogniseSimai(std::string_view text, const std::filesystem::path&) {
    const std::vector<std::string_view> first = fieldsOf(text.substr(0, text.find('\n')));
    if (first.size() < 5 || first.size() > 6)
        return false;
    for (std::size_t i = 0; i < 5; ++i)
        if (!integerNumber(first[i]))
            return false;
    return text.find("bps") != std::string_view::npos;
}

Result<Imported> importSimai(std::string_view text, const std::filesystem::path& path, const ImportHints&) {
    TextFaults faults(path.string());
    std::vector<TextLine> lines;
    for (const TextLine& line : linesOf(text))
        if (!trimmed(line.text).empty())
            lines.push_back(line);
    if (lines.empty())
        return badInput("simai.header", path.string(), "is empty");
    const Header header = headerOf(lines.front(), faults);
    if (Status sound = faults.status(); !sound)
        return sound.error();

    std::size_t at = 1;
    std::vector<bool> nvswitch(static_cast<std::size_t>(header.nodes), false);
    std::vector<bool> named(nvswitch);
    std::int64_t ids = 0;
    while (at < lines.size() && ids < header.nvswitches + header.switches) {
        for (const std::string_view field : fieldsOf(lines[at].text)) {
            const std::optional<std::int64_t> id = integerNumber(field);
            if (!id || *id < header.gpus() || *id >= header.nodes)
                faults.add("simai.id", faults.where(lines[at].number),
                           {"\"{field}\" is no switch; their ids are {first} to {last}",
                            {{"field", field}, {"first", header.gpus()}, {"last", header.nodes - 1}}});
            else if (named[static_cast<std::size_t>(*id)])
                faults.add("simai.id", faults.where(lines[at].number),
                           {"the switch {id} is named twice", {{"id", *id}}});
            else {
                named[static_cast<std::size_t>(*id)] = true;
                nvswitch[static_cast<std::size_t>(*id)] = ids < header.nvswitches;
            }
            ++ids;
        }
        ++at;
    }
    if (ids != header.nvswitches + header.switches)
        faults.add("simai.id", faults.where(lines[at - 1].number),
                   {"{switches} switches expected, {named} named",
                    {{"switches", header.nvswitches + header.switches}, {"named", ids}}});
    if (Status sound = faults.status(); !sound)
        return sound.error();

    SimaiBuilder builder(header, std::move(nvswitch));
    std::int64_t links = 0;
    for (; at < lines.size(); ++at, ++links)
        if (const std::optional<Wire> link = linkOf(lines[at], header.nodes, faults); link && faults.empty())
            builder.take(*link);
    if (links != header.links)
        faults.add("simai.links", faults.where(lines.back().number),
                   {"{links} links expected, {found} found", {{"links", header.links}, {"found", links}}});
    if (Status sound = faults.status(); !sound)
        return sound.error();
    builder.finish();
    return importedInventory("simai", std::move(builder.found), {});
}

} // namespace pw
