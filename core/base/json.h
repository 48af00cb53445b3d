// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

using Json = nlohmann::json; // std::map objects: keys sorted, so the same value prints the same bytes

// Parses one JSON document under the rules for every import: UTF-8 (a BOM is accepted), no duplicate keys, no
// NaN or overflowing literal, nesting at most 128. Syntax errors carry file:line:column.
// `file` is only the name used in messages.
Result<Json> parseJson(std::string_view text, const std::string& file);

// Prints with two-space indent, sorted keys, doubles in shortest form that reads back equal, and a final
// newline.
std::string printJson(const Json& value);

// {"severity", "code", "where", "message", "value", "limit"}: as documents have it.
Json toJson(const Diagnostic& diagnostic);

// Escapes one key for a JSON pointer (RFC 6901: ~ is ~0, / is ~1).
std::string pointerEscape(std::string_view key);

// A cursor over a parsed document that reads typed fields and remembers every mistake with its JSON pointer,
// so that one import reports all of them (20 at most). Reading a wrong field yields a neutral value and
// records the error; the caller builds its object as if all were well and asks `status()` once at the end.
//
//   JsonReader r(doc, "cluster.json");
//   name = r.text("name");  n = r.object("node").count("gpus", 1, 131072);
//   if (Status s = r.status(); !s) return s.error();
class JsonReader {
public:
    // `pointer`: where the value stands in the file, if it is a part of it ("/rows/17").
    JsonReader(const Json& document, std::string file, std::string pointer = {});

    bool has(std::string_view key) const;                            // present and not null
    JsonReader object(std::string_view key) const;                   // error if missing or not an object
    std::vector<JsonReader> array(std::string_view key) const;       // error if missing or not an array
    std::vector<JsonReader> items() const;                           // this value as an array
    std::vector<std::pair<std::string, JsonReader>> members() const; // this value as an object

    std::string text(std::string_view key) const; // a non-empty string
    std::string text(std::string_view key, std::string fallback) const;
    bool flag(std::string_view key, bool fallback) const;
    // A JSON integer in [low, high]; "32", 32.5 and 2^64 are errors.
    std::int64_t count(std::string_view key, std::int64_t low, std::int64_t high) const;
    std::int64_t count(std::string_view key, std::int64_t low, std::int64_t high,
                       std::int64_t fallback) const;
    // A finite number in [low, high].
    double number(std::string_view key, double low, double high) const;
    double number(std::string_view key, double low, double high, double fallback) const;
    // A finite number >= 0 in base units, or a text with a unit, read by `parse` (see units.h: parseBytes and
    // the like).
    double withUnit(std::string_view key, const std::function<Result<double>(std::string_view)>& parse) const;
    double withUnit(std::string_view key, const std::function<Result<double>(std::string_view)>& parse,
                    double fallback) const;
    // One warning a member that nobody has asked for, in every object of the document of which something was
    // asked: misspelt keys, and those of another version. Ask last. Keys that begin with "$" are the tools'.
    Diagnostics unread() const;
    std::vector<std::string> unreadKeys() const; // those of this value itself, as they are
    // Counts members as asked for that stand there for other readers.
    void passOver(std::initializer_list<std::string_view> keys) const;

    const Json& value() const { return *m_value; }
    std::string where() const; // file#/pointer of this value
    std::string where(std::string_view key) const;
    void fail(std::string code, const std::string& where, Wording wording) const; // records an error
    Status status() const; // the first error with all others as reasons, or Ok

private:
    struct Shared;
    JsonReader(const Json* value, std::string pointer, std::shared_ptr<Shared> shared);
    const Json* find(std::string_view key) const;
    const Json* need(std::string_view key, const char* missing) const;

    const Json* m_value;
    std::string m_pointer;
    std::shared_ptr<Shared> m_shared;
};

// What toJson() has written; of its parameters "value" and "limit", the others are part of the message.
Diagnostic diagnosticFrom(const JsonReader& reader);

} // namespace pw
