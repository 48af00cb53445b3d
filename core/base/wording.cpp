// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/wording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>

namespace pw {

namespace {

const Param* find(const Params& params, std::string_view name) {
    const auto at =
        std::find_if(params.begin(), params.end(), [&](const Param& param) { return param.name == name; });
    return at == params.end() ? nullptr : &*at;
}

// "is {found}{?, see --help}": a text, a name, an aside.
struct Piece {
    enum Kind { Text, Name, Aside } kind;
    std::string_view text; // without braces and marks
};

// Behind the brace that closes the one at the front; npos: none does.
std::size_t closing(std::string_view text) {
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += text[i] == '{' ? 1 : text[i] == '}' ? -1 : 0;
        if (depth == 0)
            return i + 1;
    }
    return std::string_view::npos;
}

std::vector<Piece> pieces(std::string_view pattern) {
    std::vector<Piece> list;
    while (!pattern.empty()) {
        const std::size_t open = std::min(pattern.find('{'), pattern.size());
        if (open > 0)
            list.push_back({Piece::Text, pattern.substr(0, open)});
        pattern.remove_prefix(open);
        if (pattern.empty())
            break;
        const bool aside = pattern.starts_with("{?");
        const std::size_t end =
            aside ? closing(pattern) : std::min(pattern.find_first_of("{}", 1), pattern.size() - 1) + 1;
        if (end == std::string_view::npos || pattern[end - 1] != '}') { // a brace that is only one
            list.push_back({Piece::Text, pattern.substr(0, 1)});
            pattern.remove_prefix(1);
            continue;
        }
        const std::size_t mark = aside ? 2 : 1;
        list.push_back({aside ? Piece::Aside : Piece::Name, pattern.substr(mark, end - mark - 1)});
        pattern.remove_prefix(end);
    }
    return list;
}

} // namespace

Param::Param(std::string_view param, std::shared_ptr<const Wording> wording)
    : name(param), value(wording->message), said(std::move(wording)) {}

std::shared_ptr<const Wording> Param::sharedWording(const Wording& wording) {
    return std::make_shared<const Wording>(wording);
}

std::string Param::shortest(double number) {
    return fmt::format("{}", number);
}

std::string filled(std::string_view pattern, const Params& params) {
    std::string text;
    for (const Piece& piece : pieces(pattern)) {
        if (piece.kind == Piece::Text)
            text += piece.text;
        else if (piece.kind == Piece::Aside)
            text += filled(piece.text, params);
        else if (const Param* value = find(params, piece.text))
            text += value->value;
        else if (piece.text.starts_with("--"))
            text += piece.text;
        else
            text.append("{").append(piece.text).append("}");
    }
    return text;
}

std::string withoutAsides(std::string_view pattern) {
    std::string text;
    for (const Piece& piece : pieces(pattern)) {
        if (piece.kind == Piece::Text)
            text += piece.text;
        else if (piece.kind == Piece::Name)
            text.append("{").append(piece.text).append("}");
    }
    return text;
}

Wording::Wording(const char* pattern_, Params params_)
    : message(filled(pattern_, params_)), pattern(pattern_), params(std::move(params_)) {}

Wording Wording::asIs(std::string text) {
    Wording wording;
    wording.message = std::move(text);
    return wording;
}

std::string Wording::param(std::string_view name) const {
    const Param* found = find(params, name);
    return found != nullptr ? found->value : std::string();
}

} // namespace pw
