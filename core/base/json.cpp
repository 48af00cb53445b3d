// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/json.h"

#include "core/base/dense_json.h"
#include "core/base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <iterator>
#include <map>

namespace pw {

namespace {

constexpr std::size_t kMaxDepth = 128;
// An empty object takes some 80 bytes where the text has three: the 64 MiB of a file are no bound by
// themselves. The plan document of 16,384 GPUs, 56 MB, has 3 million values.
constexpr std::size_t kMaxValues = 8'000'000;

// Walks the text and tells, through `consumed`, how far the parser has read: its events carry no position.
class CountingIterator {
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char*;
    using reference = const char&;

    CountingIterator(const char* at, const char** consumed) : m_at(at), m_consumed(consumed) {}
    reference operator*() const { return *m_at; }
    CountingIterator& operator++() {
        *m_consumed = ++m_at;
        return *this;
    }
    CountingIterator operator++(int) {
        CountingIterator old = *this;
        ++*this;
        return old;
    }
    bool operator==(const CountingIterator& o) const { return m_at == o.m_at; }
    bool operator!=(const CountingIterator& o) const { return m_at != o.m_at; }

private:
    const char* m_at;
    const char** m_consumed;
};

// Builds the document from the parser's events and keeps the rules that the library does not.
//
// After every event `m_done` is the offset behind what was understood, and `m_next` what may follow. From
// these two a syntax error gets its place and its words: skip blanks and the one separator that may stand
// here, and what comes then is the culprit.
class Builder {
public:
    Builder(std::string_view text, const std::string& file, const char* const& consumed)
        : m_text(text), m_file(file), m_consumed(consumed) {}

    Json root;
    std::optional<Error> error;

    bool null() { return value(nullptr); }
    bool boolean(bool v) { return value(v); }
    bool number_integer(Json::number_integer_t v) { return value(v, true); }
    bool number_unsigned(Json::number_unsigned_t v) { return value(v, true); }
    bool number_float(Json::number_float_t v, const std::string&) { return value(v, true); }
    bool string(std::string& v) { return value(std::move(v)); }
    bool binary(Json::binary_t&) { return false; } // JSON text has none
    bool start_object(std::size_t) { return open(Json::object()); }
    bool start_array(std::size_t) { return open(Json::array()); }
    bool end_object() { return close(); }
    bool end_array() { return close(); }

    bool key(std::string& name) {
        Frame& top = m_open.back();
        std::string why;
        const std::size_t at = culprit(why);
        const auto [slot, isNew] = top.value->emplace(name, nullptr);
        const auto [first, firstTime] = top.keys.emplace(slot.key(), at);
        if (!firstTime) {
            const std::string before = placeOf("", m_text, first->second).substr(1);
            return refuse("json.duplicate", at,
                          {"duplicate key {key}; it is first given at {first}",
                           {{"key", pointerTo(name)}, {"first", before}}});
        }
        m_slot = &slot.value();
        top.key = name;
        m_done = consumed();
        m_next = Next::Colon;
        return true;
    }

    bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& ex) {
        std::string why;
        std::size_t at = culprit(why);
        constexpr int kOutOfRange = 406; // the library's number for a literal beyond double
        if (ex.id == kOutOfRange)
            return refuse("json.number", at, "number out of range; expected a finite 64-bit number");
        const std::size_t broken = std::min(position > 0 ? position - 1 : 0, m_text.size());
        const std::string_view rest = m_text.substr(at);
        if (rest.empty())
            return refuse("json.syntax", at,
                          {"the document ends too early; expected {expected}", {{"expected", why}}});
        if (rest[0] == '"' && (m_wants == Next::Value || m_wants == Next::Key)) {
            if (broken >= m_text.size())
                return refuse("json.syntax", at, "this string is not closed; expected \" before the end");
            const auto c = static_cast<unsigned char>(m_text[broken]);
            return refuse("json.syntax", broken,
                          c < 0x20
                              ? "line end or control character inside a string; expected \" or an escape"
                              : "invalid escape in a string; expected one of \\\" \\\\ \\/ \\b \\f \\n \\r "
                                "\\t \\uXXXX (surrogates in pairs)");
        }
        if (m_wants == Next::Value) {
            for (const char* word : {"NaN", "nan", "Infinity", "-Infinity", "inf", "-inf"})
                if (rest.starts_with(word))
                    return refuse("json.syntax", at,
                                  {"{word} is not JSON; expected a finite number", {{"word", word}}});
            if (rest[0] == '-' || (rest[0] >= '0' && rest[0] <= '9'))
                return refuse("json.syntax", broken, "malformed number; expected digits as in -12.5e3");
        }
        const auto c = static_cast<unsigned char>(rest[0]);
        const std::string found = c < 0x20   ? fmt::format("control character 0x{:02x}", c)
                                  : c < 0x7F ? fmt::format("'{}'", rest[0])
                                             : std::string("a character outside ASCII");
        return refuse("json.syntax", at,
                      {"unexpected {found}; expected {expected}", {{"found", found}, {"expected", why}}});
    }

private:
    enum class Next { Value, Key, Colon, Separator, Nothing };

    struct Frame {
        Json* value;
        std::map<std::string_view, std::size_t> keys; // views into the object's own keys; offset of each
        std::string key;                              // where we are, for the pointer
    };

    std::size_t consumed() const { return static_cast<std::size_t>(m_consumed - m_text.data()); }

    template <class T>
    bool value(T&& v, bool isNumber = false) {
        // A number ends only at the character behind it, which the parser has then taken too.
        m_done = isNumber ? endOfNumber() : consumed();
        if (!counted())
            return false;
        insert(Json(std::forward<T>(v)));
        m_next = m_open.empty() ? Next::Nothing : Next::Separator;
        return true;
    }

    bool counted() {
        return ++m_values <= kMaxValues ||
               refuse("json.size", consumed() - 1,
                      {"holds more than {limit} values; expected fewer", {{"limit", kMaxValues}}});
    }

    std::size_t endOfNumber() {
        std::string expected;
        const std::size_t start = culprit(expected);
        const std::size_t digits = start + (m_text[start] == '-' ? 1 : 0);
        const auto isDigit = [&](std::size_t i) {
            return i < m_text.size() && m_text[i] >= '0' && m_text[i] <= '9';
        };
        if (m_text[digits] == '0' && isDigit(digits + 1))
            return digits + 1; // "01" is the number 0 and a stray 1
        return std::min(m_text.find_first_not_of("0123456789+-.eE", digits), m_text.size());
    }

    Json* insert(Json&& v) {
        if (m_open.empty()) {
            root = std::move(v);
            return &root;
        }
        Json& parent = *m_open.back().value;
        if (parent.is_array()) {
            parent.push_back(std::move(v));
            return &parent.back();
        }
        *m_slot = std::move(v);
        return m_slot;
    }

    bool open(Json&& container) {
        if (m_open.size() == kMaxDepth)
            return refuse(
                "json.depth", consumed() - 1,
                {"nested deeper than {levels} levels; expected a flatter document", {{"levels", kMaxDepth}}});
        if (!counted())
            return false;
        const bool isObject = container.is_object();
        m_open.push_back({insert(std::move(container)), {}, {}});
        m_done = consumed();
        m_next = isObject ? Next::Key : Next::Value;
        return true;
    }

    bool close() {
        m_open.pop_back();
        m_done = consumed();
        m_next = m_open.empty() ? Next::Nothing : Next::Separator;
        return true;
    }

    // Offset of the first thing behind m_done that is no blank and no separator in its place; what was due
    // instead goes to `expected` and m_wants.
    std::size_t culprit(std::string& expected) {
        std::size_t at = m_text.find_first_not_of(" \t\r\n", m_done);
        at = at == std::string_view::npos ? m_text.size() : at;
        const auto skipSeparator = [&](char separator) {
            if (at >= m_text.size() || m_text[at] != separator)
                return false;
            at = m_text.find_first_not_of(" \t\r\n", at + 1);
            at = at == std::string_view::npos ? m_text.size() : at;
            return true;
        };
        const bool inObject = !m_open.empty() && m_open.back().value->is_object();
        const bool fresh = !m_open.empty() && (m_next == Next::Key || m_next == Next::Value);
        m_wants = m_next;
        if (m_next == Next::Colon) {
            m_wants = skipSeparator(':') ? Next::Value : Next::Colon;
        } else if (m_next == Next::Separator) {
            if (skipSeparator(','))
                m_wants = inObject ? Next::Key : Next::Value;
        }
        switch (m_wants) {
        case Next::Value:
            expected = fresh ? "a value or ]" : "a value";
            break;
        case Next::Key:
            expected = fresh ? "a key in double quotes or }" : "a key in double quotes";
            break;
        case Next::Colon:
            expected = "a colon";
            break;
        case Next::Separator:
            expected = inObject ? "a comma or }" : "a comma or ]";
            break;
        case Next::Nothing:
            expected = "nothing after the document";
            break;
        }
        return at;
    }

    std::string pointerTo(std::string_view key) const {
        std::string pointer = "#";
        for (std::size_t i = 0; i + 1 < m_open.size(); ++i) {
            const Json& v = *m_open[i].value;
            pointer += '/';
            pointer += v.is_array() ? fmt::format("{}", v.size() - 1) : pointerEscape(m_open[i].key);
        }
        return pointer + '/' + pointerEscape(key);
    }

    bool refuse(const char* code, std::size_t at, Wording wording) {
        if (!error)
            error = badInput(code, placeOf(m_file, m_text, at), std::move(wording));
        return false;
    }

    std::string_view m_text;
    const std::string& m_file;
    const char* const& m_consumed;
    std::vector<Frame> m_open;
    Json* m_slot = nullptr; // where the value of the last key goes
    std::size_t m_done = 0, m_values = 0;
    Next m_next = Next::Value;
    Next m_wants = Next::Value;
};

} // namespace

Result<Json> parseJson(std::string_view text, const std::string& file) {
    if (const Status sound = checkEncoding(text, file); !sound) {
        Error refused = sound.error();
        refused.code = "json.encoding";
        return refused;
    }
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);

    const char* consumed = text.data();
    Builder builder(text, file, consumed);
    const CountingIterator first(text.data(), &consumed);
    const CountingIterator last(text.data() + text.size(), &consumed);
    if (!Json::sax_parse(first, last, &builder) && !builder.error)
        return badInput("json.syntax", file, "cannot be read as JSON");
    if (builder.error)
        return *std::move(builder.error);
    return std::move(builder.root);
}

// The library escapes the control characters below 0x20. Of the others a terminal takes some as commands, and
// all of them can stand in strings alone.
std::string withControlsEscaped(std::string text) {
    constexpr std::string_view kFirst = "\x7F\xC2\xD8\xE2"; // bytes of those that printable() escapes
    std::size_t at = text.find_first_of(kFirst);
    if (at == std::string::npos)
        return text;
    std::string escaped;
    for (std::size_t done = 0;; at = text.find_first_of(kFirst, done)) {
        escaped.append(text, done, at - done);
        if (at == std::string::npos)
            return escaped;
        const std::string_view character =
            std::string_view(text).substr(at, std::max<std::size_t>(utf8Length(text, at), 1));
        const std::string shown = printable(character, {});
        escaped += shown.starts_with("\\x") ? "\\u00" + shown.substr(2) : shown;
        done = at + character.size();
    }
}

std::string printJson(const Json& value) {
    // Text that is not UTF-8 cannot come from a parsed file; from elsewhere (a file name) it is replaced, not
    // thrown.
    return withControlsEscaped(value.dump(2, ' ', false, Json::error_handler_t::replace)) + '\n';
}

Json toJson(const Diagnostic& diagnostic) {
    return {{"severity", name(diagnostic.severity)},
            {"code", diagnostic.code},
            {"where", diagnostic.where},
            {"message", diagnostic.message},
            {"value", diagnostic.param("value")},
            {"limit", diagnostic.param("limit")}};
}

Diagnostic diagnosticFrom(const JsonReader& reader) {
    Diagnostic diagnostic(Severity::Note, reader.text("code", ""), reader.text("where", ""),
                          Wording::asIs(reader.text("message", "")));
    const std::string severity = reader.text("severity", "");
    for (const Severity known : {Severity::Warning, Severity::Error})
        if (severity == name(known))
            diagnostic.severity = known;
    for (const char* param : {"value", "limit"})
        if (std::string text = reader.text(param, ""); !text.empty())
            diagnostic.params.emplace_back(param, text);
    return diagnostic;
}

std::string pointerEscape(std::string_view key) {
    std::string escaped;
    for (const char c : key) {
        if (c == '~')
            escaped += "~0";
        else if (c == '/')
            escaped += "~1";
        else
            escaped += c;
    }
    return escaped;
}

} // namespace pw
