// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace pw {

// The shape of a published model, for rows that name one and leave its sizes out.
struct PublishedShape {
    std::string_view family; // as model names begin
    double billions;         // in the name
    std::int64_t layers, hidden, ffn, heads, kvHeads, vocab;
};

// The size in a name, "2.7B" or "345M", in billions.
std::optional<double> billionsOf(std::string_view name);

// By a model's name and the size in it ("Llama-2-70B"), or else `paramsB`. Sizes within 5 % count as the
// same.
std::optional<PublishedShape> publishedShape(std::string_view name, std::optional<double> paramsB);

// Where no published model is meant: a GPT of so many billions, its width that of the published one nearest
// in size and its depth what makes up the count. Empty outside a thousandth to a thousand billions.
std::optional<PublishedShape> likelyShape(double billions);

} // namespace pw
