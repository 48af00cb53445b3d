// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/plan_output.h"

#include "core/answers/ask.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>

namespace pw::cli {

// Keeps a search that runs for hours from being lost with its machine: whenever it has found a better plan,
// the plan document with that plan and the status "stopped" is written to the file of --out, at most so
// often. Short searches write once, at their end. On a thread of its own, since documents of large clusters
// take a second; what it is told it passes on. A file that cannot be written now is tried again with the next
// plan, and the last word is the one at the end.
//
//   found:     a      b  c           d                       end
//   written:       a .......... c ........... d             by the caller
//              first            every          every
class BestSoFar : public QuestionObserver {
public:
    struct Pace {
        std::chrono::milliseconds first{5'000}; // from the beginning
        std::chrono::milliseconds every{30'000};
    };
    // Only of a question whose searches are of `problem` and whose plans answer it as they are found
    // (answersAtOnce()); else nothing is written.
    BestSoFar(QuestionObserver& to, std::shared_ptr<const Problem> problem, const Question& question,
              PlanOutput output, Pace pace);
    ~BestSoFar() override; // writes nothing more
    BestSoFar(const BestSoFar&) = delete;
    BestSoFar& operator=(const BestSoFar&) = delete;

    void progress(const SearchProgress& progress) override { m_to.progress(progress); }
    void found(const FoundPlan& plan) override;
    void begins() override { m_to.begins(); }
    void ends() override { m_to.ends(); }

private:
    using Time = std::chrono::steady_clock::time_point;
    void run(const std::stop_token& stop);
    void write(FoundPlan plan) const;

    QuestionObserver& m_to;
    const std::shared_ptr<const Problem> m_problem;
    const std::string m_planner;
    const PlanOutput m_output;
    const std::uint64_t m_seed;
    const Pace m_pace;
    const Time m_begin = std::chrono::steady_clock::now();

    std::mutex m_mutex; // of what follows
    std::condition_variable_any m_changed;
    std::optional<FoundPlan> m_next;
    Seconds m_best;        // of all so far; 0: none
    std::jthread m_writer; // last: it uses the above
};

// Whether each plan that a search of this question finds is an answer to it.
bool answersAtOnce(const Question& question);

} // namespace pw::cli
