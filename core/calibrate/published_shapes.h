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

// By a model's name and the size in it ("Llama-2-70B"), or else `paramsB`. Sizes within 5 % count as the
// same.
std::optional<PublishedShape> publishedShape(std::string_view name, std::optional<double> paramsB);

} // namespace pw
