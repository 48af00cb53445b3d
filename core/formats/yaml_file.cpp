// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/yaml_file.h"

#include "core/base/text.h"
#include "core/formats/source.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <optional>
#include <sstream>

namespace pw {

namespace {

constexpr std::size_t kLargest = std::size_t{4} << 20;

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

// Whether a plain scalar means a number, by the core schema: an optional sign, digits, a point, an exponent.
bool looksNumeric(std::string_view text) {
    if (!text.empty() && (text.front() == '-' || text.front() == '+'))
        text.remove_prefix(1);
    const bool starts =
        !text.empty() && ((text.front() >= '0' && text.front() <= '9') ||
                          (text.size() > 1 && text[0] == '.' && text[1] >= '0' && text[1] <= '9'));
    return starts && text.find_first_not_of("0123456789.eE+-") == std::string_view::npos;
}

class YamlBuilder : public YAML::EventHandler {
public:
    explicit YamlBuilder(std::string file) : m_file(std::move(file)) {}

    Json root;
    std::optional<Error> error;

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
        refuse("yaml.alias", mark, "an alias is not read; write the value itself");
    }
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { value(mark, anchor, "", nullptr); }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  const std::string& text) override {
        if (tag != "?" && tag != "!" && !tag.empty())
            return refuse("yaml.tag", mark, {"the tag {tag} is not read", {{"tag", tag}}});
        if (!m_open.empty() && m_open.back().wantsKey)
            return key(mark, text, tag == "!");
        if (tag == "!") // quoted
            return value(mark, anchor, tag, text);
        if (isOneOf(text, {"", "~", "null", "Null", "NULL"}))
            return value(mark, anchor, tag, nullptr);
        if (isOneOf(text, {"true", "True", "TRUE"}))
            return value(mark, anchor, tag, true);
        if (isOneOf(text, {"false", "False", "FALSE"}))
            return value(mark, anchor, tag, false);
        if (isOneOf(lowered(text), {".nan", ".inf", "-.inf", "+.inf"}))
            return refuse("yaml.number", mark,
                          {"{text} is not finite; expected a finite number", {{"text", text}}});
        if (const std::optional<std::int64_t> whole = integerNumber(text))
            return *whole < 0 ? value(mark, anchor, tag, *whole)
                              : value(mark, anchor, tag, static_cast<std::uint64_t>(*whole));
        if (looksNumeric(text)) {
            const std::string_view digits = text.starts_with('+') ? std::string_view(text).substr(1) : text;
            if (const std::optional<double> number = finiteNumber(digits))
                return value(mark, anchor, tag, *number);
            if (digits.find_first_of("eE") != std::string_view::npos &&
                digits.find_first_of("+-", 1) == std::string_view::npos)
                return refuse("yaml.number", mark,
                              {"{text} is out of range; expected a finite number", {{"text", text}}});
        }
        value(mark, anchor, tag, text); // a version, an address, a date
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override {
        open(mark, tag, anchor, Json::array());
    }
    void OnSequenceEnd() override { close(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override {
        open(mark, tag, anchor, Json::object());
    }
    void OnMapEnd() override { close(); }

private:
    struct Frame {
        Json* container;
        bool wantsKey; // of an object, between members
        std::string key;
    };

    void refuse(const char* code, const YAML::Mark& mark, Wording wording) {
        if (!error)
            error = badInput(code, fmt::format("{}:{}:{}", m_file, mark.line + 1, mark.column + 1),
                             std::move(wording));
    }

    void key(const YAML::Mark& mark, const std::string& text, bool quoted) {
        if (error)
            return;
        if (text == "<<" && !quoted)
            return refuse("yaml.merge", mark, "a merge key is not read; write the members themselves");
        Frame& top = m_open.back();
        if (top.container->contains(text))
            return refuse("yaml.duplicate", mark, {"the key {text} is given twice", {{"text", text}}});
        top.key = text;
        top.wantsKey = false;
    }

    template <class T>
    void value(const YAML::Mark& mark, YAML::anchor_t anchor, const std::string&, T&& v) {
        insert(mark, anchor, Json(std::forward<T>(v)));
    }

    Json* insert(const YAML::Mark& mark, YAML::anchor_t anchor, Json v) {
        if (error)
            return nullptr;
        if (anchor != 0) {
            refuse("yaml.alias", mark, "an anchor is not read");
            return nullptr;
        }
        if (m_open.empty()) {
            root = std::move(v);
            return &root;
        }
        Frame& top = m_open.back();
        if (top.container->is_array()) {
            top.container->push_back(std::move(v));
            return &top.container->back();
        }
        if (top.wantsKey) {
            refuse("yaml.key", mark, "a key must be plain text");
            return nullptr;
        }
        top.wantsKey = true;
        return &((*top.container)[top.key] = std::move(v));
    }

    void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Json container) {
        ++m_depth;
        if (tag != "?" && tag != "!" && !tag.empty())
            return refuse("yaml.tag", mark, {"the tag {tag} is not read", {{"tag", tag}}});
        if (m_depth > ImportLimits::yamlDepth)
            return refuse("yaml.depth", mark,
                          {"nested deeper than {levels} levels", {{"levels", ImportLimits::yamlDepth}}});
        const bool isObject = container.is_object();
        if (Json* placed = insert(mark, anchor, std::move(container)))
            m_open.push_back({placed, isObject, {}});
    }

    void close() {
        --m_depth;
        if (!error)
            m_open.pop_back();
    }

    std::string m_file;
    std::vector<Frame> m_open;
    std::size_t m_depth = 0;
};

} // namespace

Result<Json> parseYaml(std::string_view text, const std::string& file) {
    if (text.size() > kLargest)
        return badInput("yaml.size", file, {"is larger than {limit} bytes", {{"limit", kLargest}}});
    std::istringstream stream{std::string(text)};
    YamlBuilder builder(file);
    try {
        YAML::Parser parser(stream);
        if (!parser.HandleNextDocument(builder))
            return badInput("yaml.syntax", file, "is empty; expected a document");
        YamlBuilder second(file);
        if (!builder.error && parser.HandleNextDocument(second) && !second.root.is_null())
            return badInput("yaml.syntax", file, "has several documents; expected one");
    } catch (const YAML::Exception& e) {
        if (!builder.error)
            return badInput("yaml.syntax", fmt::format("{}:{}:{}", file, e.mark.line + 1, e.mark.column + 1),
                            {"is not well-formed YAML: {reason}", {{"reason", e.msg}}});
    }
    if (builder.error)
        return *std::move(builder.error);
    return std::move(builder.root);
}

} // namespace pw
