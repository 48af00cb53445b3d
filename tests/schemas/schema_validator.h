// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace pw {

// Checks documents against the JSON Schemas of resources/schemas. Knows the keywords that those use and
// reports any other, so that none is passed over. Beyond the standard, a property that the schema does not
// describe is an error: the files that this program writes or ships must be documented to the last key.
class SchemaValidator {
public:
    // `load` gives the schema document of a file name; documents must outlive the validator.
    explicit SchemaValidator(std::function<const Json&(const std::string&)> load) : m_load(std::move(load)) {}

    // Every violation as "#/pointer: what"; empty = valid.
    std::vector<std::string> validate(const Json& document, const std::string& schemaFile) const {
        std::vector<std::string> found;
        check(document, m_load(schemaFile), {schemaFile, "#"}, found);
        return found;
    }

private:
    struct At {
        std::string file;    // that $ref is relative to
        std::string pointer; // into the document
    };

    void check(const Json& value, const Json& schema, const At& at, std::vector<std::string>& found) const {
        static const std::set<std::string> known = {
            "$schema",     "$id",      "$defs",   "title",
            "description", "$ref",     "type",    "enum",
            "const",       "minimum",  "maximum", "properties",
            "items",       "required", "oneOf",   "additionalProperties"};
        const auto add = [&](const std::string& what) { found.push_back(at.pointer + ": " + what); };
        for (const auto& [keyword, rule] : schema.items())
            if (!known.contains(keyword))
                add("the schema uses " + keyword + ", which this validator does not know");
        if (schema.contains("$ref"))
            follow(value, schema["$ref"].get<std::string>(), at, found);
        if (schema.contains("type") && !hasType(value, schema["type"]))
            add("is " + value.dump().substr(0, 40) + "; expected type " + schema["type"].dump());
        if (schema.contains("const") && value != schema["const"])
            add("expected " + schema["const"].dump());
        if (schema.contains("enum") &&
            std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
            add("is " + value.dump() + "; expected one of " + schema["enum"].dump());
        if (value.is_number() && schema.contains("minimum") && value < schema["minimum"])
            add("is " + value.dump() + ", below " + schema["minimum"].dump());
        if (value.is_number() && schema.contains("maximum") && value > schema["maximum"])
            add("is " + value.dump() + ", above " + schema["maximum"].dump());
        if (schema.contains("oneOf"))
            checkOneOf(value, schema["oneOf"], at, found);
        if (value.is_object())
            checkObject(value, schema, at, found);
        if (value.is_array() && schema.contains("items"))
            for (std::size_t i = 0; i < value.size(); ++i)
                check(value[i], schema["items"], {at.file, at.pointer + "/" + std::to_string(i)}, found);
    }

    void checkOneOf(const Json& value, const Json& branches, const At& at,
                    std::vector<std::string>& found) const {
        std::size_t matches = 0;
        std::string why;
        for (const Json& branch : branches) {
            std::vector<std::string> tried;
            check(value, branch, at, tried);
            matches += tried.empty() ? 1 : 0;
            if (!tried.empty())
                why += " [" + tried.front() + "]";
        }
        if (matches != 1)
            found.push_back(at.pointer + ": fits " + std::to_string(matches) + " of the alternatives:" + why);
    }

    void checkObject(const Json& value, const Json& schema, const At& at,
                     std::vector<std::string>& found) const {
        if (schema.contains("required"))
            for (const Json& key : schema["required"])
                if (!value.contains(key.get<std::string>()))
                    found.push_back(at.pointer + ": lacks " + key.dump());
        for (const auto& [key, item] : value.items()) {
            const At below{at.file, at.pointer + "/" + pointerEscape(key)};
            if (schema.contains("properties") && schema["properties"].contains(key))
                check(item, schema["properties"][key], below, found);
            else if (schema.contains("additionalProperties"))
                check(item, schema["additionalProperties"], below, found);
            else if (schema.contains("properties"))
                found.push_back(below.pointer + ": is not described");
        }
    }

    void follow(const Json& value, const std::string& ref, const At& at,
                std::vector<std::string>& found) const {
        const std::size_t hash = ref.find('#');
        const std::string file = hash == 0 ? at.file : ref.substr(0, hash);
        const Json& document = m_load(file);
        const std::string pointer = hash == std::string::npos ? "" : ref.substr(hash + 1);
        const Json::json_pointer target(pointer);
        if (!document.contains(target))
            found.push_back(at.pointer + ": the schema has no " + ref);
        else
            check(value, document[target], {file, at.pointer}, found);
    }

    static bool hasType(const Json& value, const Json& type) {
        if (type.is_array())
            return std::any_of(type.begin(), type.end(),
                               [&](const Json& one) { return hasType(value, one); });
        return (type == "object" && value.is_object()) || (type == "array" && value.is_array()) ||
               (type == "string" && value.is_string()) || (type == "boolean" && value.is_boolean()) ||
               (type == "null" && value.is_null()) || (type == "integer" && value.is_number_integer()) ||
               (type == "number" && value.is_number());
    }

    std::function<const Json&(const std::string&)> m_load;
};

} // namespace pw
