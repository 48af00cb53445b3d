// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/plan_output.h"

#include "core/answers/answer_so_far.h"
#include "core/answers/ask.h"
#include "core/base/paced_work.h"

#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace pw::cli {

// Keeps a search that runs for hours from being lost with its machine: whenever it has found a better plan,
// the plan document with that plan and the status "stopped" is written to the file of --out, at most so
// often (core/base/paced_work.h), by the clock of the search. Short searches write once, at their end. On a
// thread of its own, since documents of large clusters take a second; what it is told it passes on. A file
// that cannot be written now is tried again with the next plan, and the last word is the one at the end.
class BestSoFar : public QuestionObserver {
public:
    // Of a question whose answers are known at the end only (AnswerSoFar::knows()) nothing is written.
    BestSoFar(QuestionObserver& to, const std::shared_ptr<const Problem>& problem, const Question& question,
              PlanOutput output);
    ~BestSoFar() override; // writes nothing more
    BestSoFar(const BestSoFar&) = delete;
    BestSoFar& operator=(const BestSoFar&) = delete;

    void progress(const SearchProgress& progress) override { m_to.progress(progress); }
    void found(const FoundPlan& plan) override;
    void begins() override { m_to.begins(); }
    void ends() override { m_to.ends(); }

private:
    void write(FoundPlan plan) const;

    QuestionObserver& m_to;
    const AnswerSoFar m_answer;
    const std::string m_planner;
    const PlanOutput m_output;
    const std::uint64_t m_seed;
    const Clock& m_clock;
    const double m_begin; // s of the clock

    std::mutex m_mutex;                // of the next
    Seconds m_best;                    // of all so far; 0: none
    std::optional<PacedWork> m_writer; // last: it uses the above
};

} // namespace pw::cli
