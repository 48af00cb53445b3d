// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/node_groups.h"
#include "core/search/search.h"

#include <optional>
#include <string>
#include <vector>

namespace pw {

// Devices that a plan must use. No planner knows of it, so plans are searched first and then kept if they
// comply: a required node of a class that the plan uses takes the place of another of its nodes, since they
// are alike. If no plan complies, classes without a required device are left out, few before many, and
// searched again. What is kept is judged under the problem itself. The lower bound stays one: a plan that has
// to use more is no faster.

// Bad input: a name that is no node, device or device kind of the cluster, or one that may not be used.
Status checkRequired(const Problem& problem, const std::vector<std::string>& required);

// Turns plans of a problem into plans that use what is required.
class Complying {
public:
    Complying(const Problem& problem, const std::vector<std::string>& required); // the problem outlives it
    // With alike nodes exchanged until it complies, judged anew; nothing if that cannot be, or does not fit.
    std::optional<FoundPlan> from(const FoundPlan& found) const;

    const std::vector<NodeGroup>& groups() const { return m_groups; }
    bool wants(const NodeGroup& group) const; // a device of it is required, or may stand for what is

private:
    const Problem& m_problem;
    const std::vector<NodeGroup> m_groups;
    std::vector<std::vector<DeviceIndex>> m_wanted; // one device of each list
};

// `searcher` should return more plans than the `top` that are wanted. Infeasible, with what was tried, if no
// plan found complies.
Result<SearchOutcome> searchRequiring(const std::shared_ptr<const Problem>& problem,
                                      const std::vector<std::string>& required, std::size_t top,
                                      const Searcher& searcher, const std::stop_token& stop);

} // namespace pw
