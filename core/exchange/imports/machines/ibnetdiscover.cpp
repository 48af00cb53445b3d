// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/ibnetdiscover.h"

#include "core/base/text.h"
#include "core/formats/source.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace pw {

namespace {

constexpr std::size_t kMostPorts = 4'000'000; // lines

struct Speed {
    std::string_view name;
    double gigabits; // a lane, of data
};
constexpr Speed kSpeeds[] = {
    {"SDR", 2.0},  {"DDR", 4.0},  {"QDR", 8.0},   {"FDR10", 10.0}, {"FDR", 14.0625 * 64.0 / 66.0},
    {"EDR", 25.0}, {"HDR", 50.0}, {"NDR", 100.0}, {"XDR", 200.0}};

enum class Sort { Switch, Adapter, Router };

std::optional<Sort> sortOf(std::string_view word) {
    return word == "Switch" ? std::optional(Sort::Switch)
           : word == "Ca"   ? std::optional(Sort::Adapter)
           : word == "Rt"   ? std::optional(Sort::Router)
                            : std::nullopt;
}

// The first text in double quotes; empty: there is none.
std::string_view quoted(std::string_view text) {
    const std::size_t open = text.find('"');
    const std::size_t close = open == std::string_view::npos ? open : text.find('"', open + 1);
    return close == std::string_view::npos ? std::string_view() : text.substr(open + 1, close - open - 1);
}

// "S-0002c903007b78b0": the letter of its sort, and its GUID.
bool isDevice(std::string_view name) {
    return name.size() > 2 && name[1] == '-' && (name[0] == 'S' || name[0] == 'H' || name[0] == 'R') &&
           name.find_first_not_of("0123456789abcdefABCDEF", 2) == std::string_view::npos;
}

// "[13]", at the beginning of a line or behind a device: 0 if there is none.
int portIn(std::string_view text) {
    const std::size_t close = text.find(']');
    if (!text.starts_with('[') || close == std::string_view::npos)
        return 0;
    const std::optional<std::int64_t> port = integerNumber(text.substr(1, close - 1));
    return port && *port > 0 && *port <= 65'535 ? static_cast<int>(*port) : 0;
}

// "4xNDR", the last of the line that there is.
std::optional<BytesPerSecond> rateIn(std::string_view comment) {
    std::optional<BytesPerSecond> rate;
    for (const std::string_view word : fieldsOf(comment.substr(comment.rfind('"') + 1))) {
        const std::size_t times = word.find('x');
        if (times == std::string_view::npos)
            continue;
        const std::optional<std::int64_t> width = integerNumber(word.substr(0, times));
        const auto speed = std::ranges::find(kSpeeds, word.substr(times + 1), &Speed::name);
        if (width && *width > 0 && *width <= 12 && speed != std::end(kSpeeds))
            rate = BytesPerSecond(static_cast<double>(*width) * speed->gigabits * 1e9 / 8.0);
    }
    return rate;
}

bool isNamelessAdapter(std::string_view description) {
    const std::vector<std::string_view> words = fieldsOf(description);
    return words.empty() || words.front() == "localhost" ||
           description.find("Mellanox Technologies") != std::string_view::npos ||
           description.find("InfiniHost") != std::string_view::npos;
}

bool isAggregator(std::string_view description) {
    return description.ends_with("Aggregation Node");
}

// "MF0;leaf-1:MQM9700/U1" is called leaf-1, and a chip of a chassis, "MF0;core:SX6536/S08/U1", core-S08-U1.
std::string switchName(std::string_view description) {
    const std::size_t begin = description.find(';');
    const std::string_view rest =
        begin == std::string_view::npos ? description : description.substr(begin + 1);
    const std::size_t colon = begin == std::string_view::npos ? begin : rest.find(':');
    const std::size_t part = colon == std::string_view::npos ? colon : rest.find('/', colon);
    std::string name(trimmed(rest.substr(0, colon)));
    if (part != std::string_view::npos && rest.substr(part) != "/U1")
        name += rest.substr(part);
    std::ranges::replace_if(
        name, [](char c) { return c == ' ' || c == ',' || c == '/'; }, '-');
    return name;
}

// "mlx5_0" of "node1 mlx5_0".
std::string adapterName(std::string_view description, const std::string& guid) {
    const std::vector<std::string_view> words = fieldsOf(description);
    return words.size() == 2 ? std::string(words.back()) : guid;
}

struct Device {
    Sort sort = Sort::Adapter;
    std::string description;
    int line = 0;
    std::string item; // host or switch; empty: none of the drawing
};

struct Port {
    std::string device;
    int number = 0;
    auto operator<=>(const Port&) const = default;
};

class Subnet {
public:
    explicit Subnet(TextFaults& faults) : m_faults(faults) {}

    void take(const TextLine& line) {
        const std::string_view body = trimmed(line.text);
        if (body.empty() || body.starts_with('#'))
            return;
        if (body.starts_with('['))
            return cable(body, line.number);
        const std::vector<std::string_view> words = fieldsOf(body);
        if (const std::optional<Sort> sort = sortOf(words.front()); sort && words.size() > 2)
            return device(*sort, body, line.number);
        // vendid=0x2c9, and the headings of a listing in groups.
        const bool isKnown = words.front().find('=') != std::string_view::npos ||
                             body.starts_with("Chassis") || body.starts_with("Non-Chassis") ||
                             body.starts_with("Hca Chassis");
        if (!isKnown)
            m_faults.add("ibnetdiscover.line", m_faults.where(line.number),
                         "is neither a device nor a port of one");
        m_current.clear();
    }

    Inventory finish(Diagnostics& notes) {
        nameDevices(notes);
        std::map<std::pair<std::string, std::string>, std::map<double, int>> lanes; // by rate; 0: none stated
        for (const auto& [ends, rate] : m_cables) {
            const auto from = m_devices.find(ends.first.device), to = m_devices.find(ends.second.device);
            for (const auto& [end, found] : {std::pair(ends.first, from), std::pair(ends.second, to)})
                if (found == m_devices.end())
                    m_faults.add("ibnetdiscover.unknown", m_faults.where(rate.line),
                                 {"{device} is no device of this file", {{"device", end.device}}});
            if (from == m_devices.end() || to == m_devices.end() || from->second.item.empty() ||
                to->second.item.empty() || from->second.item == to->second.item)
                continue;
            const bool up = from->second.sort == Sort::Adapter || to->second.sort == Sort::Switch;
            const std::string &a = (up ? from : to)->second.item, &b = (up ? to : from)->second.item;
            const double value = rate.rate ? rate.rate->value : 0.0;
            // Between switches, whichever end was listed first.
            const bool turned = lanes.contains({b, a});
            ++lanes[turned ? std::pair(b, a) : std::pair(a, b)][value];
        }
        for (const auto& [ends, byRate] : lanes)
            for (const auto& [rate, count] : byRate)
                m_found.cables.push_back({ends.first,
                                          ends.second,
                                          rate > 0.0 ? std::optional(BytesPerSecond(rate)) : std::nullopt,
                                          {},
                                          count});
        m_found.medium = "InfiniBand";
        return std::move(m_found);
    }

private:
    struct Rate {
        std::optional<BytesPerSecond> rate;
        int line = 0;
    };

    void device(Sort sort, std::string_view body, int line) {
        const std::size_t hash = body.find('#');
        const std::string_view name = quoted(body.substr(0, hash));
        if (!isDevice(name)) {
            m_faults.add("ibnetdiscover.line", m_faults.where(line), "has no GUID of the device");
            return;
        }
        Device made{sort, {}, line, {}};
        if (hash != std::string_view::npos) { // a description may hold quotes
            const std::string_view comment = body.substr(hash);
            const std::size_t open = comment.find('"'), close = comment.rfind('"');
            if (open != std::string_view::npos && close > open)
                made.description = std::string(comment.substr(open + 1, close - open - 1));
        }
        m_current = name;
        if (const auto [first, isNew] = m_devices.emplace(m_current, std::move(made)); isNew)
            m_order.push_back(m_current);
        else
            m_faults.add("ibnetdiscover.duplicate", m_faults.where(line),
                         {"{device} is described in line {line} already",
                          {{"device", m_current}, {"line", first->second.line}}});
    }

    void cable(std::string_view body, int line) {
        const std::size_t hash = body.find('#');
        const std::string_view text = body.substr(0, hash), peer = quoted(text);
        const std::size_t behind = text.rfind('"');
        const int own = portIn(text);
        const int other = behind == std::string_view::npos ? 0 : portIn(text.substr(behind + 1));
        if (m_current.empty() || !isDevice(peer) || own == 0 || other == 0) {
            m_faults.add("ibnetdiscover.line", m_faults.where(line),
                         m_current.empty() ? "is a port of no device"
                                           : "is no port with what it is connected to, as [1] \"S-1b\"[2]");
            return;
        }
        Port from{m_current, own}, to{std::string(peer), other};
        for (const auto& [here, there] : {std::pair(from, to), std::pair(to, from)})
            if (const auto [known, isNew] = m_peers.emplace(here, std::pair(there, line));
                !isNew && known->second.first != there) {
                m_faults.add(
                    "ibnetdiscover.port", m_faults.where(line),
                    {"port {port} of {device} leads to another port than line {line} says",
                     {{"port", here.number}, {"device", here.device}, {"line", known->second.second}}});
                return;
            }
        if (to < from)
            std::swap(from, to);
        Rate& rate = m_cables[{std::move(from), std::move(to)}];
        const std::optional<BytesPerSecond> stated =
            hash == std::string_view::npos ? std::nullopt : rateIn(body.substr(hash));
        if (!rate.rate)
            rate = {stated, line};
    }

    void nameDevices(Diagnostics& notes) {
        std::set<std::string> switches;
        std::map<std::string, std::size_t> hosts; // places in the list
        int nameless = 0, routers = 0, aggregators = 0;
        for (const std::string& guid : m_order) {
            Device& device = m_devices.at(guid);
            switch (device.sort) {
            case Sort::Router:
                ++routers;
                break;
            case Sort::Switch:
                device.item = switchName(device.description);
                if (device.item.empty() ||
                    !switches.insert(device.item).second) // names of chips are a type's
                    device.item += (device.item.empty() ? "" : "-") + guid;
                switches.insert(device.item);
                m_found.switches.push_back({device.item});
                break;
            case Sort::Adapter:
                if (isAggregator(device.description)) {
                    ++aggregators;
                    break;
                }
                if (isNamelessAdapter(device.description)) {
                    ++nameless;
                    device.item = guid;
                } else {
                    device.item = std::string(fieldsOf(std::string_view(device.description)).front());
                }
                if (const auto [at, isNew] = hosts.emplace(device.item, m_found.hosts.size()); isNew) {
                    InventoryHost host;
                    host.name = device.item;
                    host.where = m_faults.where(device.line);
                    m_found.hosts.push_back(std::move(host));
                }
                m_found.hosts[hosts.at(device.item)].nics.push_back(
                    {adapterName(device.description, guid), {}, {}});
                break;
            }
        }
        for (const auto& [host, at] : hosts)
            if (switches.contains(host))
                m_faults.add("ibnetdiscover.name", host, "is both a host and a switch");
        std::ranges::sort(m_found.hosts, naturallyBefore, &InventoryHost::name);
        std::ranges::sort(m_found.switches, naturallyBefore, &InventorySwitch::name);
        const auto warn = [&](const char* code, Wording wording) {
            notes.push_back({Severity::Warning, code, "", std::move(wording)});
        };
        if (nameless > 0)
            warn("ibnetdiscover.nameless",
                 {"adapters without a host's name: {n}; each is taken for a host of its own",
                  {{"n", nameless}}});
        if (aggregators > 0)
            notes.push_back(
                {Severity::Note,
                 "ibnetdiscover.aggregators",
                 "",
                 {"aggregation nodes inside of switches, which are no hosts: {n}", {{"n", aggregators}}}});
        if (routers > 0)
            warn("ibnetdiscover.routers",
                 {"routers that are left out, with what lies behind them: {n}", {{"n", routers}}});
    }

    TextFaults& m_faults;
    Inventory m_found;
    std::map<std::string, Device> m_devices; // by "S-<GUID>"
    std::vector<std::string> m_order;
    std::map<std::pair<Port, Port>, Rate> m_cables;
    std::map<Port, std::pair<Port, int>> m_peers; // and the line that says so
    std::string m_current;                        // whose ports follow
};

} // namespace

bool recogniseIbnetdiscover(std::string_view text, const std::filesystem::path&) {
    for (const TextLine& line : linesOf(text.substr(0, 65'536))) {
        const std::string_view body = trimmed(line.text);
        const std::size_t blank = body.find_first_of(" \t");
        if (sortOf(body.substr(0, blank)) && isDevice(quoted(body)))
            return true;
    }
    return false;
}

Result<Imported> importIbnetdiscover(std::string_view text, const std::filesystem::path& path,
                                     const ImportHints&) {
    TextFaults faults(path.string());
    Subnet subnet(faults);
    const std::vector<TextLine> lines = linesOf(text);
    if (lines.size() > kMostPorts)
        return badInput("ibnetdiscover.size", path.string(),
                        {"comes to more than {limit} lines", {{"limit", kMostPorts}}});
    for (const TextLine& line : lines)
        subnet.take(line);
    Diagnostics notes;
    Inventory found = subnet.finish(notes);
    for (Diagnostic& note : notes)
        if (note.where.empty())
            note.where = path.string();
    if (found.hosts.empty() && faults.empty())
        faults.add("ibnetdiscover.empty", path.string(), "names no host");
    if (Status sound = faults.status(); !sound)
        return sound.error();
    return importedInventory("ibnetdiscover", std::move(found), std::move(notes));
}

} // namespace pw
