// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/base/text.h"
#include "core/exchange/imports/import.h"
#include "core/exchange/imports/trainer_plan.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace pw {

// Arguments of Megatron-LM (and of trainers that stand on it) with the place of each, out of a script, a
// saved dump or a YAML. Only those that say something about model or plan; the rest is passed over.
class MegatronArguments {
public:
    explicit MegatronArguments(std::string file) : m_faults(std::move(file)) {}

    static bool isKnown(const std::string& flag); // "num-layers"
    // Known, though plans cannot say them: they change what a step takes or what a GPU holds.
    static const std::set<std::string>& unmodelled();
    static bool takesValue(const std::string& flag); // known and no bare flag
    // A second value that differs is a fault.
    void put(const std::string& flag, std::string value, const std::string& where);
    bool has(const std::string& flag) const { return m_values.contains(flag); }
    // What only hints at something may differ between branches of a script, or be a variable: all words that
    // the flag is given, "tokenizer-type".
    static bool isHint(const std::string& flag);
    void mention(const std::string& flag, std::string value) { m_hints[flag].push_back(std::move(value)); }
    const std::vector<std::string>& mentioned(const std::string& flag) { return m_hints[flag]; }

    // Neutral values for what is absent or wrong; the latter is a fault.
    std::int64_t count(const std::string& flag, std::int64_t low, std::int64_t high, std::int64_t fallback);
    std::int64_t need(const std::string& flag, std::int64_t low, std::int64_t high);
    double number(const std::string& flag, double low, double high, double fallback);
    std::string word(const std::string& flag, const std::string& fallback) const;
    std::string where(const std::string& flag) const;
    TextFaults& faults() { return m_faults; }

private:
    struct Value {
        std::string text, where;
    };
    TextFaults m_faults;
    std::map<std::string, Value> m_values;
    std::map<std::string, std::vector<std::string>> m_hints;
};

struct ShellScript;
// "# node 0: n3 0,1,2,3" is how the exporters write the order of the nodes into a script.
void takeLaunchHosts(const ShellScript& script, TrainerPlan& plan);

// The arguments of a shell script, or of the dump that the trainer prints at its start.
Result<MegatronArguments> readMegatronArguments(std::string_view text, const std::string& file,
                                                TrainerPlan& plan);

Model megatronModel(MegatronArguments& arguments, std::string name, const ImportHints& hints,
                    Diagnostics& notes);
// Tokens of the vocabulary before padding: as stated, of `hints`, or of the tokenizer that is named; where
// that one cannot be what was padded to the rows that a log states, those rows.
std::int64_t megatronVocabulary(MegatronArguments& arguments, const ImportHints& hints, Diagnostics& notes);
// Of which the trainer makes the vocabulary's rows a multiple.
std::int64_t megatronVocabularyMultiple(MegatronArguments& arguments);

// Refuses what makes another model of the sizes, and says where they are those of a part alone.
void refuseOtherModels(MegatronArguments& arguments, Diagnostics& notes);
// "([0]*3+[1]*29)": a truth value a block; empty where it is wrong, which is a fault.
std::vector<bool> megatronPattern(MegatronArguments& arguments, const std::string& flag, std::int64_t blocks);
void readMegatronWindows(MegatronArguments& arguments, Model& model);
// Rotary positions that are scaled.
void readMegatronPositions(MegatronArguments& arguments, Model& model);
// Parts of attention, and activations and positions that only Model::ownFormulas holds.
void readMegatronFormulas(MegatronArguments& arguments, Model& model, Diagnostics& notes);

// Fine layers of every segment of --pipeline-model-parallel-layout, in its order.
std::vector<LayerRange> layoutSegments(std::string_view layout, std::int64_t blocks, const std::string& where,
                                       TextFaults& faults);

// Batch, precision and the parallel layout into `plan`.
void megatronPlan(MegatronArguments& arguments, const Model& model, TrainerPlan& plan);
// What precision, optimiser, batch and sharding the arguments state, without the stages.
void megatronRecipe(MegatronArguments& arguments, TrainerPlan& plan);

} // namespace pw
