// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"

namespace pw {

// The parts of a model's file form that model_json.cpp and attention_json.cpp share.

// Collects what is wrong with a model's fields.
struct ModelRefusals {
    std::string where;
    std::vector<Error> list = {};

    void refuse(const std::string& field, Wording wording);
    bool range(const std::string& field, std::int64_t value, std::int64_t low, std::int64_t high);
    // Ascending, 0 to the last of so many.
    void blocks(const std::string& field, const std::vector<std::int64_t>& list, std::int64_t blocks);
};

// An array of blocks; `code` is what is said of an entry that is none.
std::vector<std::int64_t> blocksFromJson(const JsonReader& reader, const char* key, std::int64_t blocks,
                                         const char* code);

// "attention" and "other_attention"; nothing of them in the file of a model that has only flat sizes.
void attentionFromJson(const JsonReader& reader, Model& model);
void attentionToJson(const Model& model, Json& json);
void checkAttention(const Model& model, ModelRefusals& to);

} // namespace pw
