// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/network_text.h"

#include "core/base/units.h"
#include "core/calibrate/words.h"
#include "core/cluster/network_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace pw {

namespace {

struct Unit {
    const char* text;
    double bytesPerSecond;
};

// Longest first where one begins another.
constexpr Unit kUnits[] = {
    {"Tbit/s", 125e9},       {"Tbps", 125e9},    {"Tb/s", 125e9},
    {"TB/s", 1e12},          {"Gbit/s", 125e6},  {"Gbits/s", 125e6},
    {"Gbps", 125e6},         {"gbps", 125e6},    {"Gb/s", 125e6},
    {"GiB/s", 1073741824.0}, {"GB/s", 1e9},      {"GBps", 1e9},
    {"GbE", 125e6},          {"Gbe", 125e6},     {"GBE", 125e6},
    {"GE", 125e6},           {"Mbit/s", 125e3},  {"Mbps", 125e3},
    {"Mb/s", 125e3},         {"MB/s", 1e6},      {"Gigabit/s", 125e6},
    {"Gigabits/s", 125e6},   {"Gigabit", 125e6}, {"gigabit", 125e6},
    {"Gb", 125e6},           {"G", 125e6},
};

// Generations of InfiniBand and of its adapters, by the rate of one port of four lanes.
struct Generation {
    const char* word;
    double gigabits;
};
constexpr Generation kGenerations[] = {
    {"qdr", 40},         {"fdr", 56},        {"edr", 100},       {"hdr100", 100},    {"hdr", 200},
    {"hdr200", 200},     {"ndr200", 200},    {"ndr", 400},       {"ndr400", 400},    {"xdr", 800},
    {"connectx5", 100},  {"connectx6", 200}, {"connectx7", 400}, {"connectx8", 800}, {"bluefield2", 200},
    {"bluefield3", 400}, {"cx5", 100},       {"cx6", 200},       {"cx7", 400},       {"cx8", 800},
    {"bf2", 200},        {"bf3", 400},
};

// Words for the kinds of network_kind.h, in order of precedence.
struct Medium {
    const char* name;
    std::initializer_list<std::string_view> words;
};
const Medium kMedia[] = {
    {"InfiniBand",
     {"ib", "infiniband", "qdr", "fdr", "edr", "hdr", "hdr100", "hdr200", "ndr", "ndr200", "ndr400", "xdr",
      "quantum"}},
    {"RoCE", {"roce", "rocev2", "roce2"}},
    {"Omni-Path", {"opa", "omnipath", "omni"}},
    {"EFA", {"efa", "efav2", "efav3", "efav4"}},
    {"Slingshot", {"slingshot"}},
    {"RDMA", {"rdma", "gdr", "tcpxo"}}, // GPUDirect-TCPXO moves data past the host, too
    {"Ethernet", {"ethernet", "eth", "tcp", "tcpx", "ip", "socket", "sockets"}},
};
constexpr int kMostLanes = 1024; // of a link

struct Rate {
    double bytesPerSecond = 0.0;
    int count = 0; // 0 = not stated
};

// A cursor for "8x200Gb/s", "8 x 400 Gbps", "400 Gbit/s x 8" and "3.2 Tbps".
class RateScanner {
public:
    explicit RateScanner(std::string_view text) : m_text(text) {}

    std::optional<Rate> first() {
        for (m_at = 0; m_at < m_text.size(); ++m_at)
            if (isDigit(m_text[m_at]) && (m_at == 0 || !(isLetter(before()) || isDigit(before()))))
                if (const auto rate = rateHere())
                    return rate;
        return std::nullopt;
    }

private:
    char before() const { return m_text[m_at - 1]; }
    void skipBlanks(std::size_t& at) const {
        while (at < m_text.size() && m_text[at] == ' ')
            ++at;
    }
    std::optional<double> number(std::size_t& at) const {
        double value = 0.0;
        const auto [end, error] = std::from_chars(m_text.data() + at, m_text.data() + m_text.size(), value,
                                                  std::chars_format::fixed);
        if (error != std::errc() || value <= 0.0)
            return std::nullopt;
        at = static_cast<std::size_t>(end - m_text.data());
        return value;
    }
    // Behind blanks: an x between two numbers.
    bool times(std::size_t& at) const {
        std::size_t here = at;
        skipBlanks(here);
        constexpr std::string_view kTimes = "×";
        if (m_text.substr(here).starts_with(kTimes))
            here += kTimes.size();
        else if (here < m_text.size() && (m_text[here] == 'x' || m_text[here] == 'X' || m_text[here] == '*'))
            ++here;
        else
            return false;
        skipBlanks(here);
        if (here >= m_text.size() || !isDigit(m_text[here]))
            return false;
        at = here;
        return true;
    }
    std::optional<double> unit(std::size_t& at) const {
        std::size_t here = at;
        skipBlanks(here);
        for (const Unit& u : kUnits) {
            const std::string_view text(u.text);
            const std::size_t end = here + text.size();
            if (m_text.substr(here).starts_with(text) && (end == m_text.size() || !isLetter(m_text[end]))) {
                at = end;
                return u.bytesPerSecond;
            }
        }
        return std::nullopt;
    }
    std::optional<Rate> rateHere() const {
        std::size_t at = m_at;
        std::optional<double> value = number(at);
        if (!value)
            return std::nullopt;
        Rate rate;
        if (times(at)) {
            rate.count = static_cast<int>(std::lround(std::min(*value, 1024.0)));
            value = number(at);
            if (!value)
                return std::nullopt;
        }
        const auto scale = unit(at);
        if (!scale)
            return std::nullopt;
        rate.bytesPerSecond = *value * *scale;
        if (rate.count == 0 && times(at))
            if (const auto count = number(at))
                rate.count = static_cast<int>(std::lround(std::min(*count, 1024.0)));
        return rate;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

// "8x HDR", "HDR": the ports' generation stands for their rate.
std::optional<Rate> generationRate(const std::vector<std::string>& words) {
    for (std::size_t i = 0; i < words.size(); ++i) {
        std::string word = words[i];
        if ((word == "connectx" || word == "bluefield") && i + 1 < words.size())
            word += words[i + 1];
        int count = 0;
        if (const std::size_t x = word.find('x'); x != std::string::npos && x > 0)
            if (const auto ports = wholeNumber(std::string_view(word).substr(0, x))) {
                count = *ports;
                word.erase(0, x + 1);
                if (word.empty() && i + 1 < words.size())
                    word = words[i + 1];
            }
        for (const Generation& g : kGenerations)
            if (word == g.word)
                return Rate{g.gigabits * 125e6, count};
    }
    return std::nullopt;
}

// Networks that no training runs over: "Management: 100Gb/s Ethernet", "storage network 2x200G".
bool isAsideWord(const std::string& word) {
    return hasAnyWord({word}, {"management", "mgmt", "storage", "frontend", "front", "oob", "ipmi", "bmc",
                               "filesystem", "lustre", "nfs"});
}
bool isAside(const std::vector<std::string>& words) {
    return std::any_of(words.begin(), words.end(), isAsideWord) &&
           !hasAnyWord(words, {"inter", "internode", "between", "across", "compute", "backend"});
}

// Takes the label that a colon stands behind off the end of a clause: its last word, and what of
// "storage network" comes before that.
std::string takeLabel(std::string& clause) {
    std::string label;
    while (!clause.empty()) {
        const std::size_t end = clause.find_last_not_of(' ');
        if (end == std::string::npos)
            break;
        const std::size_t before = clause.find_last_of(' ', end);
        const std::size_t begin = before == std::string::npos ? 0 : before + 1;
        const std::vector<std::string> words = wordsOf(clause.substr(begin));
        if (!label.empty() && std::none_of(words.begin(), words.end(), isAsideWord))
            break;
        label.insert(0, clause.substr(begin) + ' ');
        clause.erase(begin);
    }
    return label;
}

std::vector<std::string> clauses(std::string_view text) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == ',' || c == ';' || c == '(' || c == ')' || c == '+' || c == '|' || c == '\n') {
            parts.emplace_back();
        } else if (c == ':') {
            std::string label = takeLabel(parts.back());
            parts.push_back(std::move(label));
        } else {
            parts.back() += c;
        }
    }
    return parts;
}

const Medium* mediumOf(const std::vector<std::string>& words) {
    for (const Medium& medium : kMedia)
        if (hasAnyWord(words, medium.words))
            return &medium;
    for (const std::string& word : words) // "2x25gbe"
        if (word.ends_with("gbe"))
            return &kMedia[std::size(kMedia) - 1];
    return nullptr;
}

bool isAdapter(const std::string& word) {
    if (hasAnyWord({word}, {"nic", "nics", "hca", "hcas", "rail", "rails", "port", "ports", "adapter",
                            "adapters", "cx5", "cx6", "cx7", "cx8", "bf2", "bf3", "dpu", "dpus"}))
        return true;
    return word.starts_with("connectx") || word.starts_with("bluefield") || word.starts_with("thor");
}

// "4 NICs of 100 Gbps", "InfiniBand HDR, 8 rails", "two 100G NICs", "8x NVIDIA ConnectX-7 IB NDR 400Gb/s",
// "8 x BlueField-3": ports counted beside their rate.
int statedPorts(const std::vector<std::string>& words) {
    constexpr std::string_view kNumbers[] = {"one", "two", "three", "four", "five", "six", "seven", "eight"};
    const auto numberOf = [&](const std::string& word) {
        for (int n = 1; n <= 8; ++n)
            if (word == kNumbers[n - 1])
                return n;
        const std::optional<int> digits = wholeNumber(word);
        return digits && *digits <= kMostLanes ? *digits : 0;
    };
    const auto names = [](const std::string& word) {
        return isAdapter(word) || mediumOf({word}) != nullptr ||
               hasAnyWord({word}, {"nvidia", "mellanox", "broadcom", "intel", "amd", "single", "dual"});
    };
    // An x behind a number counts what follows, if that is an adapter or a network.
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const bool joined = word.size() > 1 && word.ends_with('x');
        const bool apart = i + 1 < words.size() && words[i + 1] == "x";
        const std::optional<int> count =
            wholeNumber(joined ? std::string_view(word).substr(0, word.size() - 1) : std::string_view(word));
        const std::size_t next = i + (joined ? 1 : 2);
        if ((joined || apart) && count && *count <= kMostLanes && next < words.size() && names(words[next]))
            return *count;
    }
    if (std::none_of(words.begin(), words.end(), isAdapter))
        return 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const bool spelt = !wholeNumber(words[i]) && numberOf(words[i]) > 0;
        const bool before = i + 1 < words.size() && isAdapter(words[i + 1]);
        if (numberOf(words[i]) > 0 && (spelt || before))
            return numberOf(words[i]);
    }
    return 0;
}

// "NVL72": GPUs that NVLink joins, where they are more than a pair of cards.
int domainOf(const std::vector<std::string>& words) {
    constexpr int kMostGpus = 1024;
    const int gpus = numberBehind(words, "nvl").value_or(0);
    return gpus > 2 && gpus <= kMostGpus ? gpus : 0;
}

} // namespace

NetworkText parseNetwork(std::string_view text) {
    NetworkText found;
    std::vector<std::string> all; // words of the clauses that count
    std::vector<std::string> taken;
    for (std::string& clause : clauses(text))
        if (const std::vector<std::string> words = wordsOf(clause); !isAside(words)) {
            all.insert(all.end(), words.begin(), words.end());
            taken.push_back(std::move(clause));
        }
    found.nvlinkDomain = domainOf(all);
    if (const Medium* medium = mediumOf(all))
        found.medium = medium->name;
    found.nvlink = hasBeginning(all, "nvlink") || hasBeginning(all, "nvswitch") || hasBeginning(all, "xgmi");
    for (const std::string& clause : taken) {
        const std::vector<std::string> words = wordsOf(clause);
        const bool pcie = hasBeginning(words, "pci");
        const bool fabric =
            hasBeginning(words, "nvlink") || hasBeginning(words, "nvswitch") || hasBeginning(words, "xgmi");
        const bool outside =
            hasAnyWord(words, {"inter", "internode", "between", "across"}) || mediumOf(words) != nullptr;
        const bool inside =
            hasAnyWord(words, {"intra", "intranode", "within", "inside"}) || ((pcie || fabric) && !outside);
        found.pcie = found.pcie || (pcie && !outside);
        const std::optional<Rate> rate = RateScanner(clause).first();
        if (!rate)
            continue;
        if (inside) {
            found.intraRate = BytesPerSecond(rate->bytesPerSecond);
        } else if (found.rate.value == 0.0) {
            found.rate = BytesPerSecond(rate->bytesPerSecond);
            found.count = rate->count;
            if (found.count == 0)
                found.count = statedPorts(words);
            if (hasAnyWord(words, {"gpu", "gpus", "device", "rank"}))
                found.per = NetworkText::Per::Gpu;
            else if (hasAnyWord(words, {"node", "nodes", "host", "server", "machine"}))
                found.per = NetworkText::Per::Node;
            if (found.count == 0 && hasAnyWord(words, {"nic", "port", "hca", "rail", "link"}))
                found.count = 1;
        }
    }
    if (found.rate.value == 0.0)
        if (const auto rate = generationRate(all)) {
            found.rate = BytesPerSecond(rate->bytesPerSecond);
            found.count = rate->count;
        }
    if (const int ports = statedPorts(all); ports > 1 && found.count <= 1 && found.rate.value > 0.0)
        found.count = ports;
    return found;
}

NodePorts nodePorts(const NetworkText& text, const DeviceKind& kind, int gpusPerNode,
                    const CommConstants& constants) {
    // What is usual stands in for whatever is not stated.
    const NetworkText usual = parseNetwork(kind.typicalNetwork);
    NodePorts ports;
    ports.medium = !text.medium.empty() ? text.medium : usual.medium;
    const NetworkKind* known = networkKind(ports.medium);
    const bool remote = known && known->remote;
    ports.latency = remote ? constants.rdmaLatency : constants.ethernetLatency;

    NetworkText source = text;
    if (source.rate.value <= 0.0) {
        source = usual;
        if (source.rate.value <= 0.0) {
            source.rate = BytesPerSecond(12.5e9);
            source.count = 1;
            source.per = NetworkText::Per::Node;
        }
        ports.assumptions.push_back(fmt::format("network rate not stated, {}x{} a node taken",
                                                std::max(1, source.count), formatBitRate(source.rate)));
    }
    ports.rate = source.rate;
    if (source.per == NetworkText::Per::Gpu) {
        ports.count = gpusPerNode * std::max(1, source.count);
    } else if (source.count > 0) {
        ports.count = source.count;
    } else if (usual.rate.value > 0.0 && source.rate.value > usual.rate.value) {
        // The sum of a node: as many ports as the kind's usual ones make of it.
        const double wanted = std::ceil(source.rate.value / usual.rate.value - 1e-9);
        ports.count = static_cast<int>(std::min<double>(wanted, kMostLanes));
        ports.rate = source.rate / ports.count;
    }
    ports.count = std::clamp(ports.count, 1, kMostLanes);
    return ports;
}

} // namespace pw
