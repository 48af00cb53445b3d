// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/imports/text_place.h"

#include "core/base/text.h"

#include <vector>

namespace pw {

namespace {

constexpr int kDeepest = 256;

// Walks JSON only as far as the pointer leads; whatever is odd on the way ends it.
class Walk {
public:
    Walk(std::string_view text, std::vector<std::string> keys) : m_text(text), m_keys(std::move(keys)) {}

    std::optional<std::size_t> find() {
        std::size_t named = 0; // the key of a member says more than its value
        for (const std::string& key : m_keys) {
            skipBlank();
            if (m_at >= m_text.size())
                return std::nullopt;
            const char open = m_text[m_at++];
            if (open == '[' ? !enterItem(key) : open != '{' || !enterMember(key, named))
                return std::nullopt;
            if (open == '[') {
                skipBlank();
                named = m_at;
            }
        }
        return named;
    }

private:
    void skipBlank() {
        while (m_at < m_text.size() &&
               std::string_view(" \t\r\n").find(m_text[m_at]) != std::string_view::npos)
            ++m_at;
    }
    bool skipString() {
        for (++m_at; m_at < m_text.size(); ++m_at)
            if (m_text[m_at] == '\\')
                ++m_at;
            else if (m_text[m_at] == '"')
                return ++m_at, true;
        return false;
    }
    bool skipValue() {
        int depth = 0;
        for (skipBlank(); m_at < m_text.size();) {
            const char c = m_text[m_at];
            if (c == '"') {
                if (!skipString())
                    return false;
                continue;
            }
            if (c == '[' || c == '{')
                if (++depth > kDeepest)
                    return false;
            if (c == ']' || c == '}')
                if (--depth < 0)
                    return true;
            if (c == ',' && depth == 0)
                return true;
            ++m_at;
        }
        return false;
    }
    bool enterItem(const std::string& key) {
        const std::optional<std::int64_t> index = integerNumber(key);
        if (!index)
            return false;
        for (std::int64_t i = 0; i < *index; ++i)
            if (!skipValue() || m_text[m_at++] != ',')
                return false;
        return true;
    }
    bool enterMember(const std::string& key, std::size_t& named) {
        while (true) {
            skipBlank();
            if (m_at >= m_text.size() || m_text[m_at] != '"')
                return false;
            const std::size_t begin = m_at;
            if (!skipString())
                return false;
            const bool wanted = m_text.substr(begin + 1, m_at - begin - 2) == key;
            skipBlank();
            if (m_at >= m_text.size() || m_text[m_at++] != ':')
                return false;
            if (wanted)
                return named = begin, true;
            if (!skipValue() || m_text[m_at++] != ',')
                return false;
        }
    }

    std::string_view m_text;
    std::vector<std::string> m_keys;
    std::size_t m_at = 0;
};

TextPlace placeAt(std::string_view text, std::size_t offset) {
    TextPlace place;
    for (const char c : text.substr(0, offset)) {
        if (c == '\n')
            place = {place.line + 1, 1};
        else if ((static_cast<unsigned char>(c) & 0xC0U) != 0x80U) // columns count characters
            ++place.column;
    }
    return place;
}

} // namespace

std::optional<TextPlace> pointerInJson(std::string_view pointer, std::string_view text) {
    std::vector<std::string> keys;
    for (const std::string_view part : partsOf(pointer, '/')) {
        std::string key;
        for (std::size_t i = 0; i < part.size(); ++i) {
            const bool escaped = part[i] == '~' && i + 1 < part.size();
            key += escaped ? (part[i + 1] == '1' ? '/' : '~') : part[i];
            i += escaped ? 1 : 0;
        }
        keys.push_back(std::move(key));
    }
    if (!keys.empty()) // the empty part before the first slash
        keys.erase(keys.begin());
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    const std::optional<std::size_t> offset = Walk(text, std::move(keys)).find();
    return offset ? std::optional(placeAt(text, *offset)) : std::nullopt;
}

std::optional<TextPlace> placeInText(std::string_view behind, std::string_view text) {
    if (behind.starts_with("#"))
        return pointerInJson(behind.substr(1), text);
    if (!behind.starts_with(":"))
        return std::nullopt;
    const auto digits = [](std::string_view part) {
        return integerNumber(part.substr(0, part.find_first_not_of("0123456789")));
    };
    behind.remove_prefix(1);
    const std::optional<std::int64_t> line = digits(behind);
    if (!line || *line < 1)
        return std::nullopt;
    TextPlace place{static_cast<int>(*line), 1};
    if (const std::size_t colon = behind.find(':'); colon != std::string_view::npos)
        if (const std::optional<std::int64_t> column = digits(behind.substr(colon + 1)))
            place.column = static_cast<int>(*column);
    return place;
}

} // namespace pw
