// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/user_catalogue.h"

#include "core/base/file.h"
#include "core/base/json.h"
#include "core/plan/plan.h"
#include "ui/base/convert.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace pw {

namespace {
constexpr char kSchema[] = "pipewright-catalogue-1";
constexpr char kCommonKind[] = "H100-SXM-80GB";
} // namespace

UserCatalogue& UserCatalogue::instance() {
    static UserCatalogue catalogue;
    return catalogue;
}

Status UserCatalogue::load(const QString& file) {
    m_file = file;
    m_kinds.clear();
    m_readable = true;
    Status read = Ok{};
    if (isThere(s(file), m_disk))
        read = [&]() -> Status {
            m_readable = false;
            const Result<std::string> text = readFile(s(file), kWholeFileLimit, m_disk);
            if (!text)
                return text.error();
            const Result<Json> document = parseJson(*text, s(file));
            if (!document)
                return document.error();
            std::vector<DeviceKind> kinds;
            for (const JsonReader& item : JsonReader(*document, s(file)).array("kinds")) {
                Result<DeviceKind> kind = deviceKindFromJson(item);
                if (!kind)
                    return kind.error();
                kinds.push_back(*std::move(kind));
            }
            m_kinds = std::move(kinds);
            m_readable = true;
            return Ok{};
        }();
    Q_EMIT changed();
    return read;
}

const DeviceKind* UserCatalogue::find(const std::string& name) const {
    const auto at =
        std::find_if(m_kinds.begin(), m_kinds.end(), [&](const DeviceKind& k) { return k.name == name; });
    return at == m_kinds.end() ? nullptr : &*at;
}

Status UserCatalogue::put(const std::string& name, const DeviceKind& kind) {
    if (kind.name.empty())
        return badInput("catalogue.name", "name", "a kind needs a name");
    const auto& shipped = Catalogue::builtin().kinds();
    const bool isShipped =
        std::any_of(shipped.begin(), shipped.end(), [&](const DeviceKind& k) { return k.name == kind.name; });
    if (isShipped || (kind.name != name && find(kind.name)))
        return badInput("catalogue.name", "name",
                        {"\"{name}\" is the name of another kind", {{"name", kind.name}}});
    if (kind.memory.value <= 0.0 || kind.memoryBandwidth.value <= 0.0 || kind.fp32.value <= 0.0)
        return badInput("catalogue.rate", kind.name, "memory, its bandwidth and the FP32 rate must be known");
    std::vector<DeviceKind> kinds = m_kinds;
    const auto at =
        std::find_if(kinds.begin(), kinds.end(), [&](const DeviceKind& k) { return k.name == name; });
    if (at == kinds.end())
        kinds.push_back(kind);
    else
        *at = kind;
    return write(std::move(kinds));
}

Status UserCatalogue::remove(const std::string& name) {
    std::vector<DeviceKind> kinds = m_kinds;
    std::erase_if(kinds, [&](const DeviceKind& k) { return k.name == name; });
    return write(std::move(kinds));
}

std::string UserCatalogue::freeName(const std::string& wanted) const {
    std::string name = wanted;
    for (int i = 2; find(name) || Catalogue::builtin().find(name); ++i)
        name = fmt::format("{} {}", wanted, i);
    return name;
}

Status UserCatalogue::write(std::vector<DeviceKind> kinds) {
    if (!m_readable)
        return failure("catalogue.write", s(m_file),
                       "holds what this program cannot read; it is left as it is");
    Json list = Json::array();
    for (const DeviceKind& kind : kinds)
        list.push_back(toJson(kind));
    const Json document{{"schema", kSchema}, {"kinds", std::move(list)}};
    const std::filesystem::path file = s(m_file);
    if (const std::error_code code = makeFolders(file.parent_path(), m_disk))
        return failure("catalogue.write", s(m_file),
                       {"its folder cannot be made: {reason}", {{"reason", code.message()}}});
    if (Status written = writeFileAtomically(file, document.dump(2) + '\n', m_disk); !written)
        return written;
    m_kinds = std::move(kinds);
    Q_EMIT changed();
    return Ok{};
}

std::vector<DeviceKind> newestFirst(std::vector<DeviceKind> kinds) {
    const auto age = [](const DeviceKind& kind) {
        const double fastest = std::max(kind.bf16.value, kind.fp16.value);
        return std::pair(kind.processNm > 0.0 ? kind.processNm : 1000.0, -fastest);
    };
    std::ranges::stable_sort(kinds,
                             [&](const DeviceKind& a, const DeviceKind& b) { return age(a) < age(b); });
    return kinds;
}

std::vector<DeviceKind> kindsFor(const Cluster& cluster) {
    std::vector<DeviceKind> all;
    const std::vector<DeviceKind> shipped = newestFirst(Catalogue::builtin().kinds());
    for (const auto* source : {&cluster.kinds, &UserCatalogue::instance().kinds(), &shipped})
        for (const DeviceKind& kind : *source)
            if (std::none_of(all.begin(), all.end(),
                             [&](const DeviceKind& known) { return known.name == kind.name; }))
                all.push_back(kind);
    return all;
}

std::string kindToDraw(const Cluster& cluster, const std::string& wanted) {
    const bool known = findKind(cluster, wanted) || UserCatalogue::instance().find(wanted);
    return known ? wanted : kCommonKind;
}

Project withUserKind(const Project& project, const std::string& name) {
    Project with = project;
    if (const DeviceKind* own = UserCatalogue::instance().find(name); own && !findKind(project.cluster, name))
        with.cluster.kinds.push_back(*own);
    return with;
}

} // namespace pw
