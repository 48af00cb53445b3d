// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/project/unknown_keys.h"

#include <nlohmann/json.hpp>

namespace pw {

namespace {

// The name that a list's item goes by, or "" if it has none.
std::string identity(const Json& item) {
    for (const char* key : {"id", "name"})
        if (item.is_object() && item.contains(key) && item[key].is_string())
            return item[key].get<std::string>();
    return {};
}

const Json* itemNamed(const Json& list, const std::string& name) {
    for (const Json& item : list)
        if (identity(item) == name)
            return &item;
    return nullptr;
}

} // namespace

Json unknownKeys(const Json& read, const Json& written) {
    Json unknown;
    if (read.is_object() && written.is_object()) {
        for (const auto& [key, value] : read.items()) {
            const auto known = written.find(key);
            Json rest = known == written.end() ? value : unknownKeys(value, *known);
            if (known == written.end() || !rest.is_null())
                unknown[key] = std::move(rest);
        }
    } else if (read.is_array() && written.is_array()) {
        for (std::size_t i = 0; i < read.size(); ++i) {
            const std::string name = identity(read[i]);
            if (name.empty())
                continue;
            // Usually the order is the same; a search through the list is only for when it is not.
            const bool samePlace = i < written.size() && identity(written[i]) == name;
            const Json* known = samePlace ? &written[i] : itemNamed(written, name);
            if (Json rest = known != nullptr ? unknownKeys(read[i], *known) : Json(); !rest.is_null())
                unknown[name] = std::move(rest);
        }
    }
    return unknown;
}

void restoreUnknownKeys(Json& written, const Json& unknown) {
    if (!unknown.is_object())
        return;
    if (written.is_object()) {
        for (const auto& [key, value] : unknown.items()) {
            if (const auto known = written.find(key); known != written.end())
                restoreUnknownKeys(*known, value);
            else
                written[key] = value;
        }
    } else if (written.is_array()) {
        for (Json& item : written)
            if (const auto rest = unknown.find(identity(item)); rest != unknown.end())
                restoreUnknownKeys(item, *rest);
    }
}

} // namespace pw
