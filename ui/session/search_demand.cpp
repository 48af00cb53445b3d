// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/search_demand.h"

#include "core/answers/target_search.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"

#include <nlohmann/json.hpp>

#include <QCoreApplication>

#include <algorithm>
#include <utility>

namespace pw {

std::shared_ptr<const Problem> SearchDemand::narrowed(const std::shared_ptr<const Problem>& problem) const {
    Space space = problem->space();
    narrow(space);
    return space == problem->space() ? problem : problem->withSpace(std::move(space));
}

SearchDemand SearchDemand::renamed(const Problem& before, const Problem& now) const {
    SearchDemand demand = *this;
    const auto& nodes = before.topology().cluster().nodes;
    for (std::string& name : demand.required) {
        const auto node = std::ranges::find(nodes, name, &Node::id);
        const DeviceIndex device = before.topology().find(name);
        if (node != nodes.end())
            name = now.topology().cluster().nodes[static_cast<std::size_t>(node - nodes.begin())].id;
        else if (device >= 0)
            name = now.topology().devices()[static_cast<std::size_t>(device)].id;
    }
    return demand;
}

Question SearchDemand::question(const SearchOptions& options) const {
    Question question;
    question.options = options;
    question.target = target;
    question.surer = true;
    question.fewerKinds = false; // plans are of the project as it stands
    question.required = required;
    return question;
}

Json SearchDemand::toJson() const {
    Json asked = Json::object();
    if (target != nullptr)
        asked["target"] = target->format;
    if (!required.empty())
        asked["require"] = required;
    for (const auto& [key, size] : {std::pair("max_tp", maxTp), {"max_cp", maxCp}, {"max_ep", maxEp}})
        if (size > 0)
            asked[key] = size;
    return asked;
}

SearchDemand SearchDemand::fromJson(const JsonReader& reader) {
    SearchDemand demand;
    if (reader.has("target"))
        demand.target = exporterRow(reader.text("target"));
    if (reader.has("require"))
        for (const JsonReader& name : reader.array("require"))
            if (name.value().is_string())
                demand.required.push_back(name.value().get<std::string>());
    const auto size = [&](const char* key) {
        return static_cast<int>(reader.count(key, 0, kMostAskedSize, 0));
    };
    demand.maxTp = size("max_tp");
    demand.maxCp = size("max_cp");
    demand.maxEp = size("max_ep");
    return demand;
}

std::vector<const ExporterRow*> searchTargets() {
    std::vector<const ExporterRow*> targets;
    for (const ExporterRow& row : exporterTable())
        if (constrains(row) && row.write != nullptr)
            targets.push_back(&row);
    return targets;
}

Error clashError(const Clash& clash) {
    const auto translated = [](const char* text) { return QCoreApplication::translate("Questions", text); };
    const QString text = QCoreApplication::translate("Questions", "%1 is not combined with %2: %3")
                             .arg(translated(rowOf(clash.part).words), translated(rowOf(clash.with).words),
                                  translated(clash.why));
    return badInput(errorOf(clash).code, {}, wordingOf(sentence(text)));
}

} // namespace pw
