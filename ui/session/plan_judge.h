// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/whatif/costing.h"
#include "ui/base/background_job.h"
#include "ui/session/candidates.h"

#include <functional>
#include <memory>
#include <optional>

namespace pw {

struct ShownPlan;

// A plan with its figures, made away from the event loop.
struct JudgedPlan {
    std::optional<Error> error;
    FoundPlan found; // without ops
    std::shared_ptr<const CandidateDetail> detail;
    std::shared_ptr<ShownPlan> shown;
};
using JudgedPointer = std::shared_ptr<const JudgedPlan>;

// Judges plans one after the other in the background. A drag asks more often than the largest plans can be
// simulated: a request that has not been started when the next one comes is forgotten, one that has is
// finished, so that there is always something to see.
class PlanJudge {
public:
    explicit PlanJudge(std::function<void(const JudgedPointer&)> done);

    void ask(const std::shared_ptr<const Problem>& problem, const Plan& plan, const QString& name, int id);
    JudgedPointer wait(); // for the answer to the last request, of which `done` is not told then
    static JudgedPointer judge(const whatif::Costing& costing, const Plan& plan, const QString& name, int id,
                               const std::function<bool()>* stop = nullptr);

private:
    std::function<void(const JudgedPointer&)> m_done;
    JudgedPointer m_last;
    bool m_waiting = false;
    // What the plans of a question have in common; touched by the work alone.
    std::shared_ptr<std::unique_ptr<whatif::Costing>> m_costing;
    BackgroundJob m_job; // last: it uses the above
};

} // namespace pw
