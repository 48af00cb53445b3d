// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/nccl_tests.h"

#include "core/base/json.h"
#include "core/base/text.h"
#include "core/exchange/imports/measurements/nccl_columns.h"
#include "core/exchange/imports/measurements/nccl_lines.h"
#include "core/inventory/bus_id.h"
#include "core/links/link_check.h"
#include "core/links/link_fit.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace pw {

namespace {

constexpr double kUnchecked = 1.0; // GB/s: below it two decimals say little
constexpr double kFactorError = 0.02;
constexpr std::size_t kLongestVersion = 200; // characters of the line that states it

struct Run {
    LinkMeasurement found;
    NcclColumns columns;
    std::vector<double> factors; // busbw / algbw of the rows that can tell
    int line = 0;                // of its first line
    bool footer = false;
};

class NcclTestsReader {
public:
    NcclTestsReader(const std::string& file, const ImportHints& hints) : m_faults(file), m_hints(hints) {}

    Result<std::vector<LinkMeasurement>> readText(std::string_view text, Diagnostics& notes) {
        for (TextLine line : linesOf(text)) {
            line.text = withoutMpiTag(line.text);
            const std::string_view body = trimmed(line.text);
            if (body.starts_with('#'))
                header(line, body);
            else if (!body.empty() && body.front() >= '0' && body.front() <= '9')
                row(line);
        }
        return finish(notes);
    }

    Result<std::vector<LinkMeasurement>> readJson(std::string_view text, Diagnostics& notes);

private:
    Run& run(int line) {
        if (m_runs.empty())
            open(line);
        return m_runs.back();
    }
    void open(int line) {
        m_runs.emplace_back();
        m_runs.back().line = line;
        LinkMeasurement& found = m_runs.back().found;
        found.source = std::filesystem::path(m_faults.file()).filename().string();
        found.software = m_software;
    }

    // "nccl-tests version 2.17.2 nccl-headers=22703 nccl-library=22703", in front of the first run.
    void version(std::string_view body) {
        m_software = body;
        for (Run& r : m_runs)
            if (r.found.software.empty())
                r.found.software = m_software;
    }

    void header(const TextLine& line, std::string_view body) {
        const auto behind = [&](std::string_view mark) {
            const std::size_t at = body.find(mark);
            return at == std::string_view::npos ? std::string_view() : trimmed(body.substr(at + mark.size()));
        };
        const bool named = !behind("Collective test starting:").empty();
        if (named || body.starts_with("# nThread")) {
            // Either begins a run; the former stands in front of the latter where both are.
            if (m_runs.empty() || m_runs.back().columns.common > 0)
                open(line.number);
            if (named)
                m_runs.back().found.collective = withoutSuffix(behind("Collective test starting:"));
        } else if (const std::string_view words = trimmed(body.substr(1)); words.starts_with("nccl-tests ")) {
            version(words.substr(0, kLongestVersion));
        } else if (std::optional<LinkDevice> device = ncclDeviceOf(body)) {
            Run& r = run(line.number);
            if (r.found.devices.size() < kMostNcclRanks)
                r.found.devices.push_back(*std::move(device));
        } else if (const std::optional<NcclColumns> columns = ncclColumnsOf(line.text)) {
            Run& r = run(line.number);
            if (r.columns.common > 0 && r.columns.names != columns->names)
                open(line.number);
            m_runs.back().columns = *columns;
        } else if (const std::string_view mean = behind("Avg bus bandwidth");
                   !mean.empty() && !m_runs.empty()) {
            Run& r = m_runs.back();
            const std::size_t figure = mean.find_first_not_of(": ");
            r.footer = figure != std::string_view::npos; // else the output ends within its last line
            if (const auto stated = r.footer ? finiteNumber(mean.substr(figure)) : std::nullopt;
                stated && *stated >= 0)
                r.found.statedMean = stated;
        } else if (const std::string_view bad = behind("Out of bounds values :"); !bad.empty()) {
            if (const auto n = integerNumber(fieldsOf(bad).front()); n && *n > 0)
                m_faults.add("nccl.wrong", m_faults.where(line.number),
                             {"{number} values are wrong: the run gave wrong results", {{"number", *n}}});
        }
    }

    static std::string withoutSuffix(std::string_view name) {
        if (name.ends_with("_perf"))
            name.remove_suffix(5);
        return std::string(name);
    }

    void row(const TextLine& line) {
        if (m_runs.empty() || m_runs.back().columns.common == 0) {
            m_faults.add("nccl.header", m_faults.where(line.number), "a row before the line of column names");
            return;
        }
        Run& r = m_runs.back();
        const NcclColumns& c = r.columns;
        const std::vector<std::string_view> f = fieldsOf(line.text);
        const std::size_t half = static_cast<std::size_t>(c.in.time - c.common);
        std::size_t expected = c.names.size() + (c.names.back() == "timestamp" ? 1 : 0); // a day and a time
        std::size_t shift = 0;
        const auto common = static_cast<std::size_t>(c.common);
        if (f.size() + half == expected && f.size() > common &&
            static_cast<std::size_t>(f[common].data() - line.text.data()) + f[common].size() >=
                c.secondEnds) {
            shift = half;
            expected -= half;
        }
        if (f.size() != expected) {
            m_faults.add("nccl.row", m_faults.where(line.number),
                         {"{expected} columns expected, {found} found",
                          {{"expected", expected}, {"found", f.size()}}});
            return;
        }
        const std::optional<double> size = finiteNumber(f[0]);
        if (!size || *size < 0) {
            m_faults.add("nccl.row", m_faults.where(line.number),
                         {"\"{text}\" is no size in bytes", {{"text", f[0]}}});
            return;
        }
        if (shift == 0)
            take(r, c.out, f, 0, *size, line.number, r.found.outOfPlace);
        take(r, c.in, f, shift, *size, line.number, r.found.inPlace);
    }

    void take(Run& r, const NcclColumns::Half& half, const std::vector<std::string_view>& f,
              std::size_t shift, double size, int line, std::vector<LinkSample>& samples) {
        const auto at = [&](int column) { return f[static_cast<std::size_t>(column) - shift]; };
        const std::optional<double> time = finiteNumber(at(half.time)), algbw = finiteNumber(at(half.algbw)),
                                    busbw = finiteNumber(at(half.busbw));
        if (!time || !algbw || !busbw) {
            m_faults.add("nccl.row", m_faults.where(line),
                         {"\"{found} {other} {third}\" are no time and bandwidths",
                          {{"found", at(half.time)}, {"other", at(half.algbw)}, {"third", at(half.busbw)}}});
            return;
        }
        if (half.wrong >= 0 && !half.deltas && at(half.wrong) != "N/A")
            if (const std::optional<double> wrong = finiteNumber(at(half.wrong)); !wrong || *wrong > 0)
                m_faults.add("nccl.wrong", m_faults.where(line),
                             {"#wrong is {found}: the run gave wrong results", {{"found", at(half.wrong)}}});
        sample(r, m_faults.where(line), size, *time, *algbw, *busbw, samples);
    }

    void sample(Run& r, const std::string& where, double size, double us, double algbw, double busbw,
                std::vector<LinkSample>& samples) {
        if (!(us > 0)) {
            m_faults.add("nccl.time", where, {"a time of {time} us; expected one above 0", {{"time", us}}});
            return;
        }
        if (algbw >= kUnchecked) {
            r.factors.push_back(busbw / algbw);
            m_factorWhere.push_back(where);
            if (r.found.ranks == 0 && m_hints.ranks == 0 && r.found.devices.empty())
                return; // nothing to hold it against; finish() says so
        }
        if (size > 0)
            samples.push_back({Bytes(size), Seconds(us * 1e-6)});
    }

    // The collective of a file that does not name it: those whose factor the rows have, by redop too.
    std::string unnamed(const Run& r, Diagnostics& notes) const {
        if (r.factors.empty())
            return {};
        std::vector<double> sorted = r.factors;
        std::sort(sorted.begin(), sorted.end());
        const double middle = sorted[sorted.size() / 2];
        std::vector<std::string> fitting;
        for (const std::string& name : knownCollectives()) {
            const bool reduces = name.find("reduce") != std::string::npos;
            if (reduces == r.columns.redop &&
                std::abs(middle / *busFactor(name, r.found.ranks) - 1) < kFactorError)
                fitting.push_back(name);
        }
        if (fitting.empty())
            return {};
        const std::string stem = std::filesystem::path(m_faults.file()).filename().string();
        const auto told = std::find_if(fitting.begin(), fitting.end(), [&](const std::string& name) {
            return stem.find(name) != std::string::npos;
        });
        const std::string& taken = told != fitting.end() ? *told : fitting.front();
        if (fitting.size() > 1)
            notes.push_back({Severity::Warning,
                             "nccl.collective",
                             m_faults.where(r.line),
                             {"The file does not name its collective; by its columns it is one of {fitting}. "
                              "Taken for {taken}{?: --collective says otherwise}",
                              {{"fitting", fmt::format("{}", fmt::join(fitting, ", "))}, {"taken", taken}}}});
        return taken;
    }

    Result<std::vector<LinkMeasurement>> finish(Diagnostics& notes) {
        std::vector<LinkMeasurement> all;
        std::size_t factorAt = 0;
        for (Run& r : m_runs) {
            LinkMeasurement& m = r.found;
            m.ranks = m_hints.ranks > 0 ? m_hints.ranks : static_cast<int>(m.devices.size());
            if (r.factors.empty() && m.outOfPlace.empty() && m.inPlace.empty())
                m_faults.add("nccl.rows", m_faults.where(r.line), "a run without rows");
            else if (m.ranks < 1)
                m_faults.add("nccl.ranks", m_faults.where(r.line),
                             "does not list its ranks{?; state their number with --ranks}");
            if (!m_hints.collective.empty())
                m.collective = m_hints.collective;
            if (m.collective.empty() && m.ranks > 1)
                m.collective = unnamed(r, notes);
            const std::optional<double> factor = busFactor(m.collective, m.ranks);
            if (!factor)
                m_faults.add(
                    "nccl.collective", m_faults.where(r.line),
                    {m.collective.empty()
                         ? "the one that was run is no collective that is known; known are {known}{?. "
                           "--collective names it}"
                         : "{operation} is no collective that is known; known are {known}{?. --collective "
                           "names it}",
                     {{"operation", m.collective},
                      {"known", fmt::format("{}", fmt::join(knownCollectives(), ", "))}}});
            for (const double measured : r.factors) {
                const std::string& where = m_factorWhere[factorAt++];
                if (factor && m.ranks > 1 && std::abs(measured / *factor - 1) > kFactorError)
                    m_faults.add(
                        "nccl.factor", where,
                        {"busbw is {measured} times algbw; {collective} over {ranks} ranks makes {factor}",
                         {{"measured", fmt::format("{:.3f}", measured)},
                          {"collective", m.collective},
                          {"ranks", m.ranks},
                          {"factor", fmt::format("{:.3f}", *factor)}}});
            }
            if (!r.footer)
                notes.push_back({Severity::Warning, "nccl.footer", m_faults.where(r.line),
                                 "The run has no last line \"Avg bus bandwidth\": its output was cut"});
            if (factor) {
                m.outOfPlaceFit = fitLink(m.outOfPlace, *factor);
                m.inPlaceFit = fitLink(m.inPlace, *factor);
            }
            all.push_back(std::move(m));
        }
        if (m_runs.empty() && m_faults.empty())
            m_faults.add("nccl.rows", m_faults.file(), "holds no run");
        if (Status sound = m_faults.status(); !sound)
            return sound.error();
        return all;
    }

    TextFaults m_faults;
    const ImportHints& m_hints;
    std::vector<Run> m_runs;
    std::string m_software;
    std::vector<std::string> m_factorWhere; // of every entry of the runs' factors, in order
};

// The day of "2026-01-01 00:00:00"; nothing of what begins otherwise.
std::string isoDate(const std::string& time) {
    static constexpr std::string_view kForm = "dddd-dd-dd";
    for (std::size_t i = 0; i < kForm.size(); ++i)
        if (i >= time.size() || (kForm[i] == 'd' ? time[i] < '0' || time[i] > '9' : time[i] != kForm[i]))
            return {};
    return time.substr(0, kForm.size());
}

// 22703 is 2.27.3.
std::string ncclVersion(std::int64_t code) {
    return fmt::format("{}.{}.{}", code / 10'000, code / 100 % 100, code % 100);
}

// Numbers may be the text "nan"; counts of wrong values are 0 or above.
void readHalf(const JsonReader& row, const char* key, const std::function<void(const JsonReader&)>& take) {
    if (row.has(key))
        take(row.object(key));
}

Result<std::vector<LinkMeasurement>> NcclTestsReader::readJson(std::string_view text, Diagnostics& notes) {
    const Result<Json> document = parseJson(text, m_faults.file());
    if (!document)
        return document.error();
    const JsonReader root(*document, m_faults.file());
    root.passOver({"env", "version", "end_time", "nccl_version", "out_of_bounds"});
    open(1);
    Run& r = m_runs.back();
    r.found.date = isoDate(root.text("start_time", ""));
    if (root.has("nccl_version") && root.value()["nccl_version"].is_number_integer())
        r.found.software = "NCCL " + ncclVersion(root.value()["nccl_version"].get<std::int64_t>());
    r.footer = root.has("average_bus_bandwidth");
    const std::vector<JsonReader> arguments = root.array("args");
    if (!arguments.empty() && arguments.front().value().is_string())
        r.found.collective = withoutSuffix(
            std::filesystem::path(arguments.front().value().get<std::string>()).filename().string());
    const JsonReader config = root.object("config");
    for (const JsonReader& d : config.array("devices")) {
        LinkDevice device;
        device.rank = static_cast<int>(d.count("rank", 0, kMostNcclRanks));
        device.host = d.text("hostname", "");
        device.index = static_cast<int>(d.count("device", 0, 1023, 0));
        device.busId = normalisedBusId(d.text("device_hex", ""));
        device.name = d.text("device_info", "");
        r.found.devices.push_back(std::move(device));
    }
    for (const JsonReader& row : root.array("results")) {
        const double size = row.number("size", 0.0, 1e18);
        const auto half = [&](std::vector<LinkSample>& samples) {
            return [&](const JsonReader& h) {
                const double us = h.number(h.has("time") ? "time" : "cpu_time", 0.0, 1e12);
                const double algbw = h.number("alg_bw", 0.0, 1e9), busbw = h.number("bus_bw", 0.0, 1e9);
                if (h.has("nwrong") && h.value()["nwrong"].is_number() &&
                    h.value()["nwrong"].get<double>() > 0)
                    h.fail("nccl.wrong", h.where("nwrong"), "is above 0: the run gave wrong results");
                if (h.has("alg_bw") && h.has("bus_bw"))
                    sample(r, h.where(), size, us, algbw, busbw, samples);
            };
        };
        readHalf(row, "out_of_place", half(r.found.outOfPlace));
        readHalf(row, "in_place", half(r.found.inPlace));
    }
    if (root.has("average_bus_bandwidth")) {
        const Json& mean = root.value()["average_bus_bandwidth"];
        const Json& value = mean.is_object() && mean.contains("bandwidth") ? mean["bandwidth"] : mean;
        if (value.is_number() && value.get<double>() >= 0)
            r.found.statedMean = value.get<double>();
    }
    if (Status sound = root.status(); !sound)
        return sound.error();
    return finish(notes);
}

bool isJson(std::string_view text) {
    return trimmed(text.substr(0, 4096)).starts_with('{');
}

} // namespace

bool recogniseNcclTests(std::string_view text, const std::filesystem::path&) {
    if (isJson(text))
        return text.find("\"results\"") != std::string_view::npos &&
               text.find("\"nccl_version\"") != std::string_view::npos;
    return text.find("algbw") != std::string_view::npos && text.find("busbw") != std::string_view::npos;
}

Result<Imported> importNcclTests(std::string_view text, const std::filesystem::path& path,
                                 const ImportHints& hints) {
    Imported imported;
    NcclTestsReader reader(path.string(), hints);
    Result<std::vector<LinkMeasurement>> found =
        isJson(text) ? reader.readJson(text, imported.notes) : reader.readText(text, imported.notes);
    if (!found)
        return found.error();
    imported.kind = "nccl-tests";
    imported.summary = describe(*found);
    imported.what = *std::move(found);
    return imported;
}

} // namespace pw
