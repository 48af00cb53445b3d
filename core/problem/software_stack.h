// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/problem/software.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// A generation of training software as data: which capabilities it has, each with where that is from. Files
// of resources/stacks are compiled in; another one can be given by its path. No code knows a stack by name:
// what a trainer can do, and what of that costs what, are two questions.
//
// A file may describe what is added to another (a compiler, what benchmark submissions switch on): several
// names joined by "+" are applied one after the other, by `order`, later ones winning.
struct SoftwareStack {
    // The framework's name has this word (or one that begins with it), published before or from a month on
    // (202111 = November 2021; 0 = any time). Of an unknown month only words without `before` count.
    struct Word {
        std::string word;
        int before = 0, from = 0;
    };
    std::string name, label, what;
    std::string extends; // the stack whose capabilities it has beside its own; "" = none
    int order = 0;
    std::vector<Word> words;
    // How it lays a run out where the run does not say: sharding, sequence parallelism beside tensor
    // parallelism, a vocabulary padded to a multiple of 128 x tp, stages cut by the parameters of blocks and
    // head instead of equal numbers of blocks.
    std::optional<int> zero;
    std::optional<bool> sequenceParallel, padsVocabulary, stagesByCost;
    std::shared_ptr<const Json> capabilities;   // {key of Software's file form: value}
    std::map<std::string, std::string> sources; // of each capability

    void apply(Software& software) const; // changes what is named and leaves the rest
};

// Reads one file: {schema, name, label, what, extends, order, words[]{word, before, from}, assumes{zero,
// sequence_parallel, pads_vocabulary, stages_by_cost}, capabilities{key: {value, source}}}. What
// it extends is one of `known` and is taken in. Bad input, with file#/pointer: what is missing or unknown, a
// capability without a source or with a value it cannot have.
Result<SoftwareStack> readStack(std::string_view text, const std::string& file,
                                const std::vector<SoftwareStack>& known);

// Those that ship, by order.
const std::vector<SoftwareStack>& softwareStacks();

// "nemo" or "nemo+mlperf". Bad input at `where`, with the names there are, if one is unknown or there twice.
Result<Software> softwareOfStack(std::string_view names, const std::string& where);
} // namespace pw
