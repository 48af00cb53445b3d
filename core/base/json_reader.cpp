// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include "core/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

namespace pw {

namespace {

// Of one array or object that is read item by item: a reader of an item takes more than the item.
constexpr std::size_t kMostItems = 1'000'000;

const Json& nullValue() {
    static const Json value;
    return value;
}

const char* typeName(const Json& value) {
    switch (value.type()) {
    case Json::value_t::null:
        return "null";
    case Json::value_t::object:
        return "an object";
    case Json::value_t::array:
        return "an array";
    case Json::value_t::string:
        return "a text";
    case Json::value_t::boolean:
        return "true or false";
    default:
        return "a number";
    }
}

// The value as a message shows it: short ones as they are, long ones by their type.
std::string shown(const Json& value) {
    std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
    return value.is_structured() || text.size() > 40 ? typeName(value) : text;
}

} // namespace

struct JsonReader::Shared {
    std::string file;
    std::vector<Error> errors; // kMostFaults at most
    std::size_t dropped = 0;   // errors beyond them
    const Json* document = nullptr;
    std::unordered_set<const Json*> asked;   // members
    std::unordered_set<const Json*> entered; // objects with members asked for

    bool isUnread(const std::string& key, const Json& member) const {
        return !asked.contains(&member) && !key.starts_with('$');
    }
    void unread(const Json& value, const std::string& pointer, Diagnostics& found) const;
    void add(const std::string& pointer, Diagnostics& found) const;
    mutable std::size_t untold = 0; // keys that are not read, beyond those that are told
};

void JsonReader::Shared::add(const std::string& pointer, Diagnostics& found) const {
    if (found.size() < kMostFaults)
        found.push_back({Severity::Warning, "json.unknown", file + '#' + pointer,
                         "is not a key that is known here, so it is not read"});
    else
        ++untold;
}

void JsonReader::Shared::unread(const Json& value, const std::string& pointer, Diagnostics& found) const {
    if (value.is_array()) {
        for (std::size_t i = 0; i < value.size(); ++i)
            unread(value[i], fmt::format("{}/{}", pointer, i), found);
    } else if (value.is_object() && entered.contains(&value)) {
        for (const auto& [key, member] : value.items()) {
            const std::string at = pointer + '/' + pointerEscape(key);
            if (asked.contains(&member))
                unread(member, at, found);
            else if (isUnread(key, member))
                add(at, found);
        }
    }
}

JsonReader::JsonReader(const Json& document, std::string file, std::string pointer)
    : m_value(&document), m_pointer(std::move(pointer)), m_shared(std::make_shared<Shared>()) {
    m_shared->file = std::move(file);
    m_shared->document = &document;
}

JsonReader::JsonReader(const Json* value, std::string pointer, std::shared_ptr<Shared> shared)
    : m_value(value), m_pointer(std::move(pointer)), m_shared(std::move(shared)) {}

std::string JsonReader::where() const {
    return m_shared->file + '#' + m_pointer;
}

std::string JsonReader::where(std::string_view key) const {
    return where() + '/' + pointerEscape(key);
}

void JsonReader::fail(std::string code, const std::string& where, Wording wording) const {
    if (m_shared->errors.size() < kMostFaults)
        m_shared->errors.push_back(badInput(std::move(code), where, std::move(wording)));
    else
        ++m_shared->dropped;
}

Status JsonReader::status() const {
    return statusOf(m_shared->errors, m_shared->dropped);
}

// The member that is present and not null, or nothing.
const Json* JsonReader::find(std::string_view key) const {
    if (!m_value->is_object())
        return nullptr;
    m_shared->entered.insert(m_value);
    const auto it = m_value->find(key);
    if (it == m_value->end())
        return nullptr;
    m_shared->asked.insert(&*it);
    return it->is_null() ? nullptr : &*it;
}

const Json* JsonReader::need(std::string_view key, const char* missing) const {
    const Json* found = find(key);
    // A reader of a missing object has already reported that: its members are not missed one by one.
    if (found == nullptr && m_value != &nullValue())
        fail("json.missing", where(key), missing);
    return found;
}

bool JsonReader::has(std::string_view key) const {
    return find(key) != nullptr;
}

JsonReader JsonReader::object(std::string_view key) const {
    const Json* found = need(key, "is missing; expected an object");
    if (found != nullptr && !found->is_object()) {
        fail("json.type", where(key), {"is {found}; expected an object", {{"found", shown(*found)}}});
        found = nullptr;
    }
    return {found != nullptr ? found : &nullValue(), m_pointer + '/' + pointerEscape(key), m_shared};
}

std::vector<JsonReader> JsonReader::array(std::string_view key) const {
    const Json* found = need(key, "is missing; expected an array");
    if (found == nullptr)
        return {};
    return JsonReader(found, m_pointer + '/' + pointerEscape(key), m_shared).items();
}

std::vector<JsonReader> JsonReader::items() const {
    std::vector<JsonReader> list;
    if (!m_value->is_array()) {
        if (m_value != &nullValue())
            fail("json.type", where(), {"is {found}; expected an array", {{"found", shown(*m_value)}}});
        return list;
    }
    if (m_value->size() > kMostItems) {
        fail("json.size", where(),
             {"has {count} items; at most {limit} are read",
              {{"count", m_value->size()}, {"limit", kMostItems}}});
        return list;
    }
    list.reserve(m_value->size());
    for (std::size_t i = 0; i < m_value->size(); ++i)
        list.push_back(JsonReader(&(*m_value)[i], fmt::format("{}/{}", m_pointer, i), m_shared));
    return list;
}

std::vector<std::pair<std::string, JsonReader>> JsonReader::members() const {
    std::vector<std::pair<std::string, JsonReader>> list;
    if (!m_value->is_object()) {
        if (m_value != &nullValue())
            fail("json.type", where(), {"is {found}; expected an object", {{"found", shown(*m_value)}}});
        return list;
    }
    if (m_value->size() > kMostItems) {
        fail("json.size", where(),
             {"has {count} items; at most {limit} are read",
              {{"count", m_value->size()}, {"limit", kMostItems}}});
        return list;
    }
    for (const auto& [key, value] : m_value->items()) {
        find(key);
        list.emplace_back(key, JsonReader(&value, m_pointer + '/' + pointerEscape(key), m_shared));
    }
    return list;
}

std::string JsonReader::text(std::string_view key) const {
    const Json* found = need(key, "is missing; expected a text");
    if (found == nullptr)
        return {};
    if (!found->is_string() || found->get_ref<const std::string&>().empty()) {
        fail("json.type", where(key),
             {"is {found}; expected a text that is not empty", {{"found", shown(*found)}}});
        return {};
    }
    return found->get<std::string>();
}

std::string JsonReader::text(std::string_view key, std::string fallback) const {
    const Json* found = find(key);
    if (found == nullptr)
        return fallback;
    if (!found->is_string()) {
        fail("json.type", where(key), {"is {found}; expected a text", {{"found", shown(*found)}}});
        return fallback;
    }
    return found->get<std::string>();
}

bool JsonReader::flag(std::string_view key, bool fallback) const {
    const Json* found = find(key);
    if (found == nullptr)
        return fallback;
    if (!found->is_boolean()) {
        fail("json.type", where(key), {"is {found}; expected true or false", {{"found", shown(*found)}}});
        return fallback;
    }
    return found->get<bool>();
}

std::int64_t JsonReader::count(std::string_view key, std::int64_t low, std::int64_t high) const {
    return need(key, "is missing; expected a whole number") != nullptr ? count(key, low, high, low) : low;
}

std::int64_t JsonReader::count(std::string_view key, std::int64_t low, std::int64_t high,
                               std::int64_t fallback) const {
    const Json* found = find(key);
    if (found == nullptr)
        return fallback;
    const bool fits =
        found->is_number_integer() &&
        !(found->is_number_unsigned() &&
          found->get<std::uint64_t>() > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
    if (const std::int64_t v = fits ? found->get<std::int64_t>() : 0; fits && v >= low && v <= high)
        return v;
    const bool wholeBeyond = found->is_number() && std::trunc(found->get<double>()) == found->get<double>();
    fail(wholeBeyond ? "json.range" : "json.type", where(key),
         {"is {found}; expected a whole number from {low} to {high}",
          {{"found", shown(*found)}, {"low", low}, {"high", high}}});
    return fallback;
}

double JsonReader::number(std::string_view key, double low, double high) const {
    return need(key, "is missing; expected a number") != nullptr ? number(key, low, high, low) : low;
}

double JsonReader::number(std::string_view key, double low, double high, double fallback) const {
    const Json* found = find(key);
    if (found == nullptr)
        return fallback;
    if (!found->is_number()) {
        fail("json.type", where(key), {"is {found}; expected a number", {{"found", shown(*found)}}});
        return fallback;
    }
    const double v = found->get<double>();
    if (std::isfinite(v) && v >= low && v <= high)
        return v;
    fail("json.range", where(key),
         {"is {found}; expected a number from {low} to {high}",
          {{"found", shown(*found)}, {"low", low}, {"high", high}}});
    return fallback;
}

double JsonReader::withUnit(std::string_view key,
                            const std::function<Result<double>(std::string_view)>& parse) const {
    return need(key, "is missing; expected a number or a text with a unit") != nullptr
               ? withUnit(key, parse, 0.0)
               : 0.0;
}

double JsonReader::withUnit(std::string_view key,
                            const std::function<Result<double>(std::string_view)>& parse,
                            double fallback) const {
    const Json* found = find(key);
    if (found == nullptr)
        return fallback;
    if (found->is_string()) {
        const Result<double> parsed = parse(found->get_ref<const std::string&>());
        if (parsed)
            return *parsed;
        fail(parsed.error().code, where(key), parsed.error());
        return fallback;
    }
    if (found->is_number() && std::isfinite(found->get<double>()) && found->get<double>() >= 0.0)
        return found->get<double>();
    fail("json.type", where(key),
         {"is {found}; expected a number of at least 0 or a text with a unit", {{"found", shown(*found)}}});
    return fallback;
}

Diagnostics JsonReader::unread() const {
    Diagnostics found;
    m_shared->untold = 0;
    m_shared->unread(*m_shared->document, "", found);
    if (m_shared->untold > 0)
        found.push_back({Severity::Warning,
                         "json.unknown",
                         m_shared->file,
                         {"has {count} more keys that are not known here", {{"count", m_shared->untold}}}});
    return found;
}

std::vector<std::string> JsonReader::unreadKeys() const {
    std::vector<std::string> keys;
    if (m_shared->entered.contains(m_value))
        for (const auto& [key, member] : m_value->items())
            if (m_shared->isUnread(key, member))
                keys.push_back(key);
    return keys;
}

void JsonReader::passOver(std::initializer_list<std::string_view> keys) const {
    for (const std::string_view key : keys)
        find(key);
}

} // namespace pw
