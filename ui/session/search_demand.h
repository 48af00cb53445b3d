// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/question.h"
#include "core/base/json.h"

#include <memory>
#include <string>
#include <vector>

namespace pw {

// What the window's searches ask of plans beside the options of the planner, as --target, --require and
// --max-tp, --max-cp, --max-ep do.
struct SearchDemand {
    const ExporterRow* target = nullptr; // null: any trainer
    std::vector<std::string> required;   // nodes, devices, device kinds that every plan uses
    int maxTp = 0, maxCp = 0, maxEp = 0; // 0: as the Space has them
    bool limitsPlans() const { return target != nullptr || !required.empty(); }
    void narrow(Space& space) const {
        space.maxTp = maxTp > 0 ? maxTp : space.maxTp;
        space.maxCp = maxCp > 0 ? maxCp : space.maxCp;
        space.maxEp = maxEp > 0 ? maxEp : space.maxEp;
    }
    // The problem with the sizes that are demanded, which it may have already. Hashes it anew if not.
    std::shared_ptr<const Problem> narrowed(const std::shared_ptr<const Problem>& problem) const;
    // Names of what `before` calls otherwise than `now`, which is the same question.
    SearchDemand renamed(const Problem& before, const Problem& now) const;
    // What is asked of that problem.
    Question question(const SearchOptions& options) const;
    // Under the names of the command line's flags, what is not asked left out; a target that this program
    // does not know is none.
    Json toJson() const;
    static SearchDemand fromJson(const JsonReader& reader);
    bool operator==(const SearchDemand&) const = default;
};

// What a search can be made for, as --target takes it, as far as files are written for it: in the table's
// order, the same wherever the window asks.
std::vector<const ExporterRow*> searchTargets();

// Why two parts do not go together, as the command line says it, in the window's words.
Error clashError(const Clash& clash);

} // namespace pw
