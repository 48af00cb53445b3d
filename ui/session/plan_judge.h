// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/whatif/costing.h"
#include "ui/session/candidates.h"

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace pw {

struct ShownPlan;

// A plan with its figures, made away from the event loop.
struct JudgedPlan {
    std::uint64_t order = 0; // of the request
    std::optional<Error> error;
    FoundPlan found; // without ops
    std::shared_ptr<const CandidateDetail> detail;
    std::shared_ptr<ShownPlan> shown;
};
using JudgedPointer = std::shared_ptr<const JudgedPlan>;

// Judges plans one after the other in a thread of its own. A drag asks more often than the largest plans can
// be simulated: a request that has not been started when the next one comes is forgotten, one that has is
// finished, so that there is always something to see. Requests carry ascending numbers.
class PlanJudge {
public:
    // `done` is called in the judge's thread.
    explicit PlanJudge(std::function<void(JudgedPointer)> done);
    ~PlanJudge();

    std::uint64_t ask(const std::shared_ptr<const Problem>& problem, const Plan& plan, const QString& name,
                      int id);
    JudgedPointer wait(std::uint64_t order); // for the answer to the last request
    static JudgedPointer judge(const whatif::Costing& costing, const Plan& plan, const QString& name, int id,
                               std::uint64_t order, const std::function<bool()>* stop = nullptr);

private:
    struct Request {
        std::uint64_t order = 0;
        std::shared_ptr<const Problem> problem;
        Plan plan;
        QString name;
        int id = -1;
    };
    void run();

    std::function<void(JudgedPointer)> m_done;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::optional<Request> m_request;
    JudgedPointer m_last;
    std::uint64_t m_orders = 0;
    bool m_end = false;
    std::thread m_thread; // last: it uses all of the above
};

} // namespace pw
