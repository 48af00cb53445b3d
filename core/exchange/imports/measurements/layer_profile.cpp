// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/measurements/layer_profile.h"

#include "core/base/text.h"

#include <algorithm>
#include <cmath>

namespace pw {

std::string_view hintedKind(const ImportHints& hints, std::string_view stated) {
    const auto named = hints.deviceNames.find(std::string(stated));
    return named != hints.deviceNames.end() ? named->second : hints.deviceKind;
}

std::string measuredKind(const ImportHints& hints, std::string_view stated, const std::string& file,
                         Diagnostics& notes) {
    const std::string_view hinted = hintedKind(hints, stated);
    const std::string_view name = hinted.empty() ? stated : hinted;
    if (const DeviceKind* known = Catalogue::builtin().find(name))
        return known->name;
    if (hinted.empty())
        notes.push_back(
            {Severity::Warning,
             "profile.kind",
             file,
             {stated.empty() ? "The file does not say on what it was measured; state the device "
                               "kind, or no plan will use it"
                             : "\"{kind}\" is no device kind of the catalogue; state which it is, "
                               "or no plan will use it",
              {{"kind", stated}}}});
    return name.empty() ? kUnstatedKind : std::string(name);
}

std::string measuredModel(const ImportHints& hints, std::string_view stated) {
    return hints.model ? hints.model->name : hints.modelName.empty() ? std::string(stated) : hints.modelName;
}

int numberBehind(std::string_view name, std::string_view tag) {
    for (std::size_t at = name.find(tag); at != std::string_view::npos; at = name.find(tag, at + 1)) {
        const std::size_t from = at + tag.size();
        const std::size_t end = std::min(name.find_first_not_of("0123456789", from), name.size());
        const auto number = integerNumber(name.substr(from, end - from));
        if (number && *number > 0 && *number <= 1'000'000 && (at == 0 || name[at - 1] == '_'))
            return static_cast<int>(*number);
    }
    return 0;
}

ProfileRow figureRow(const ProfileRow& like, std::string op, int layer) {
    ProfileRow row = like;
    row.op = std::move(op);
    row.layer = layer;
    row.forward = row.backward = row.update = Seconds(0.0);
    row.memory = Bytes(0.0);
    return row;
}

bool agree(double a, double b, double slack) {
    return std::abs(a - b) <= std::max(slack, 1e-6 * std::max(std::abs(a), std::abs(b)));
}

std::optional<Wording> blockProblem(const ImportHints& hints, std::size_t layers) {
    if (hints.model != nullptr && layers != static_cast<std::size_t>(hints.model->blocks) + 2)
        return Wording(
            "has {layers} layers; {blocks} blocks, embedding and head make {all}",
            {{"layers", layers}, {"blocks", hints.model->blocks}, {"all", hints.model->blocks + 2}});
    if (layers < 3)
        return Wording("has {layers} layers; embedding, a block and head are the least",
                       {{"layers", layers}});
    return std::nullopt;
}

} // namespace pw
