// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/machines/nvidia_topo.h"

#include "core/base/text.h"

#include <algorithm>
#include <optional>

namespace pw {

namespace {

constexpr std::size_t kMostColumns = 1024;
constexpr const char* kKnown = "X, NV<k>, PIX, PXB, PHB, NODE, SYS and SOC";

// Terminals underline the header: ESC [ digits ; ... m.
std::string withoutColours(std::string_view text) {
    std::string plain;
    for (std::size_t i = 0; i < text.size();) {
        if (text[i] == '\x1B' && i + 1 < text.size() && text[i + 1] == '[') {
            const std::size_t end = text.find_first_not_of("0123456789;", i + 2);
            if (end != std::string_view::npos && text[end] == 'm') {
                i = end + 1;
                continue;
            }
        }
        plain += text[i++];
    }
    return plain;
}

std::optional<int> gpuNumber(std::string_view name) {
    if (!name.starts_with("GPU"))
        return std::nullopt;
    const std::optional<std::int64_t> n = integerNumber(name.substr(3));
    return n && *n >= 0 && *n < static_cast<std::int64_t>(kMostColumns) ? std::optional(static_cast<int>(*n))
                                                                        : std::nullopt;
}

// The device columns: everything up to the affinities.
std::vector<std::string> columnsOf(std::string_view header) {
    std::vector<std::string> columns;
    for (const std::string_view field : fieldsOf(header)) {
        if (field == "CPU" || field == "NUMA" || field == "GPU")
            break;
        columns.emplace_back(field);
    }
    return columns;
}

std::optional<GpuPair> pairOf(std::string_view token) {
    constexpr int kMostLinks = 64;
    GpuPair pair;
    pair.path = token == "SOC" ? "SYS" : std::string(token);
    if (token.starts_with("NV")) {
        const std::optional<std::int64_t> links = integerNumber(token.substr(2));
        if (!links || *links < 1 || *links > kMostLinks)
            return std::nullopt;
        pair.nvlinks = static_cast<int>(*links);
        return pair;
    }
    for (const char* word : {"X", "PIX", "PXB", "PHB", "NODE", "SYS"})
        if (pair.path == word)
            return pair;
    return std::nullopt;
}

struct Row {
    std::string name;
    std::vector<GpuPair> cells; // as many as columns
    int line = 0;
    std::optional<int> numa;
};

std::optional<int> numaOf(std::string_view line, const std::vector<std::string_view>& fields,
                          std::size_t devices) {
    std::string_view numa;
    if (line.find('\t') != std::string_view::npos) {
        const std::vector<std::string_view> cells = partsOf(line, '\t');
        if (cells.size() > devices + 2)
            numa = trimmed(cells[devices + 2]);
    } else if (fields.size() > devices + 2) {
        numa = fields[devices + 2];
    }
    const std::optional<std::int64_t> node = integerNumber(numa);
    return node && *node >= 0 && *node < 65'536 ? std::optional(static_cast<int>(*node)) : std::nullopt;
}

std::vector<Row> rowsOf(const std::vector<TextLine>& lines, std::size_t header,
                        const std::vector<std::string>& columns, TextFaults& faults) {
    std::vector<Row> rows;
    std::size_t at = header + 1;
    for (; at < lines.size() && rows.size() < columns.size(); ++at) {
        const std::vector<std::string_view> fields = fieldsOf(lines[at].text);
        if (fields.empty() || fields.front() == "Legend:")
            break;
        Row row{std::string(fields.front()), {}, lines[at].number, {}};
        if (row.name != columns[rows.size()])
            faults.add("topo.row", faults.where(row.line),
                       {"is the row of {name}; expected {expected}",
                        {{"name", row.name}, {"expected", columns[rows.size()]}}});
        if (fields.size() < columns.size() + 1) {
            faults.add("topo.row", faults.where(row.line),
                       {"has {fields} cells; expected {columns}",
                        {{"fields", fields.size() - 1}, {"columns", columns.size()}}});
            return {};
        }
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const std::optional<GpuPair> pair = pairOf(fields[c + 1]);
            if (!pair)
                faults.add("topo.link", faults.where(row.line),
                           {"cell {name}/{column} is {found}; known are {known}",
                            {{"name", row.name},
                             {"column", columns[c]},
                             {"found", fields[c + 1]},
                             {"known", kKnown}}});
            row.cells.push_back(pair.value_or(GpuPair{}));
        }
        row.numa = numaOf(lines[at].text, fields, columns.size());
        rows.push_back(std::move(row));
    }
    if (rows.size() < columns.size())
        faults.add("topo.square", faults.where(rows.empty() ? lines[header].number : rows.back().line),
                   {"{columns} columns, {rows} rows: the row {missing} is missing",
                    {{"columns", columns.size()}, {"rows", rows.size()}, {"missing", columns[rows.size()]}}});
    return rows;
}

void checkMatrix(const std::vector<Row>& rows, const std::vector<std::string>& columns, TextFaults& faults) {
    for (std::size_t a = 0; a < rows.size(); ++a) {
        if (rows[a].cells[a].path != "X" && !rows[a].cells[a].path.empty())
            faults.add("topo.diagonal", faults.where(rows[a].line),
                       {"cell {column}/{column} is {path}; expected X",
                        {{"column", columns[a]}, {"path", rows[a].cells[a].path}}});
        for (std::size_t b = a + 1; b < rows.size(); ++b) {
            const std::string &there = rows[a].cells[b].path, &back = rows[b].cells[a].path;
            if (there == "X")
                faults.add("topo.diagonal", faults.where(rows[a].line),
                           {"cell {column}/{other} is X, which is for a device itself",
                            {{"column", columns[a]}, {"other", columns[b]}}});
            else if (!there.empty() && !back.empty() && there != back)
                faults.add("topo.symmetry", faults.where(rows[a].line),
                           {"cell {column}/{other} is {there}, but {other}/{column} in line {line} is {back}",
                            {{"column", columns[a]},
                             {"other", columns[b]},
                             {"there", there},
                             {"line", rows[b].line},
                             {"back", back}}});
        }
    }
}

// "  NIC0: mlx5_0" below the matrix.
std::string nicName(const std::vector<TextLine>& lines, std::size_t from, const std::string& column) {
    for (std::size_t i = from; i < lines.size(); ++i) {
        const std::vector<std::string_view> fields = fieldsOf(lines[i].text);
        if (fields.size() == 2 && fields[0] == column + ":")
            return std::string(fields[1]);
    }
    return column;
}

std::optional<std::size_t> headerLine(const std::vector<TextLine>& lines) {
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::vector<std::string_view> fields = fieldsOf(lines[i].text);
        if (!fields.empty() && fields[0] == "GPU0" && (fields.size() == 1 || fields[1] != "X"))
            return i;
    }
    return std::nullopt;
}

} // namespace

bool recogniseNvidiaTopo(std::string_view text, const std::filesystem::path&) {
    const std::string plain = withoutColours(text.substr(0, 65'536));
    return headerLine(linesOf(plain)).has_value();
}

Result<Imported> importNvidiaTopo(std::string_view text, const std::filesystem::path& path,
                                  const ImportHints&) {
    TextFaults faults(path.string());
    const std::string plain = withoutColours(text);
    const std::vector<TextLine> lines = linesOf(plain);
    const std::optional<std::size_t> header = headerLine(lines);
    if (!header)
        return badInput("topo.header", path.string(), "has no line of columns GPU0, GPU1, ...");
    const std::vector<std::string> columns = columnsOf(lines[*header].text);
    if (columns.size() > kMostColumns)
        return badInput("topo.size", faults.where(lines[*header].number),
                        {"has {columns} columns; at most {limit} are read",
                         {{"columns", columns.size()}, {"limit", kMostColumns}}});
    for (std::size_t c = 0; c < columns.size(); ++c)
        if (std::find(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(c), columns[c]) !=
            columns.begin() + static_cast<std::ptrdiff_t>(c))
            faults.add("topo.column", faults.where(lines[*header].number),
                       {"the column {column} is given twice", {{"column", columns[c]}}});
    const std::vector<Row> rows = rowsOf(lines, *header, columns, faults);
    if (rows.size() == columns.size())
        checkMatrix(rows, columns, faults);
    if (Status sound = faults.status(); !sound)
        return sound.error();

    InventoryHost host;
    host.where = path.string();
    for (std::size_t a = 0; a < rows.size(); ++a) {
        const std::optional<int> index = gpuNumber(columns[a]);
        if (!index) {
            host.nics.push_back({nicName(lines, *header + 1, columns[a]), {}, {}});
            continue;
        }
        InventoryGpu gpu;
        gpu.index = *index;
        gpu.numa = rows[a].numa;
        host.gpus.push_back(std::move(gpu));
        for (std::size_t b = a + 1; b < rows.size(); ++b)
            if (const std::optional<int> other = gpuNumber(columns[b])) {
                GpuPair pair = rows[a].cells[b];
                pair.a = *index;
                pair.b = *other;
                host.pairs.push_back(std::move(pair));
            }
    }
    Inventory found;
    found.hosts.push_back(std::move(host));
    return importedInventory("nvidia-topo", std::move(found), {});
}

} // namespace pw
