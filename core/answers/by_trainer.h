// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/answer_tables.h"
#include "core/answers/target_question.h"
#include "core/plan/device_names.h"

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace pw {

// The best plan for each trainer that there is an export for, beside the best for any: what their limits
// cost.
struct BestByTrainer {
    struct Row {
        const ExporterRow* trainer = nullptr;
        TargetQuestion asked;              // which `best` answers
        std::optional<Diagnostic> leftOut; // what was left out for it, and why; or that asking so failed
        std::optional<FoundPlan> best;
        std::optional<Error> refused; // why there is none
    };
    std::vector<Row> rows;   // fastest first, then those without a plan, as exporterTable() has them
    SearchOutcome open;      // the search for any trainer, over all devices
    int asked = 0, made = 0; // searches, and those of them that none before had made
};

// Of a search for any trainer and one for each of them with the same options; what trainers ask alike is
// searched once, and each takes what was found for another where that is better. Where some kinds keep the
// precision down and that may cost a trainer something, it is asked once more without these
// (askWithFewerKinds()).
// Stopped: what is known by then.
Result<BestByTrainer> bestByTrainer(const std::shared_ptr<const Problem>& problem,
                                    const SearchOptions& options, SearchObserver& observer,
                                    const std::stop_token& stop);

// Of the rows' best plans those that `open` lists nowhere, each once; those over fewer kinds of GPU are plans
// of another question.
std::vector<FoundPlan> plansBeyondOpen(const Problem& problem, const BestByTrainer& answer);

// Fastest first; behind the table why some have no plan, and what was left out for others. Names are of
// `open`'s plans, of those that differ from the first, and of plansBeyondOpen(); a plan that has none stands
// without.
std::vector<AnswerTable> tablesOf(const Problem& problem, const BestByTrainer& answer,
                                  const PlanNames& names = {});
Json toJson(const Problem& problem, const BestByTrainer& answer, DeviceNames names = DeviceNames::Each);

// What such an entry of a document has for a trainer: the plan, and the question that it is judged under.
struct PlanForTrainer {
    TargetQuestion asked;
    Plan plan;
};
// `problem`: the document's. Nothing: it has no plan for that format.
Result<std::optional<PlanForTrainer>> planForTrainer(const Json& document,
                                                     const std::shared_ptr<const Problem>& problem,
                                                     std::string_view format, const std::string& file);

} // namespace pw
