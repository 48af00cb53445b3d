// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.h"

#include <algorithm>
#include <cstdint>

namespace pw {

// Passes on the progress of searches that follow one another and are one to whoever asked: what those before
// have done is added. What they find is not passed on.
class ProgressBehind : public SearchObserver {
public:
    // `workLimit`: of all together; 0: not known.
    ProgressBehind(SearchObserver& to, std::int64_t workLimit) : m_to(to), m_workLimit(workLimit) {}
    void ended(const SearchOutcome& search) {
        m_work += search.work;
        m_evaluated += search.evaluated;
        m_elapsed += search.wall;
    }
    void progress(const SearchProgress& now) override { m_to.progress(together(now)); }

protected:
    SearchProgress together(SearchProgress now) const {
        now.work += m_work;
        if (m_workLimit > 0)
            now.work = std::min(now.work, m_workLimit); // the last candidates are judged in one go
        now.workLimit = m_workLimit;
        now.evaluated += m_evaluated;
        now.elapsed += m_elapsed;
        return now;
    }
    SearchObserver& m_to;

private:
    const std::int64_t m_workLimit;
    std::int64_t m_work = 0, m_evaluated = 0;
    double m_elapsed = 0.0; // s
};

// The same of searches of which nobody knows whether another one follows: the first tells its own limit, the
// others none. What they find is passed on, too.
class ProgressInTurn : public ProgressBehind {
public:
    explicit ProgressInTurn(SearchObserver& to) : ProgressBehind(to, 0) {}
    void ended(const SearchOutcome& search) {
        ProgressBehind::ended(search);
        m_first = false;
    }
    void progress(const SearchProgress& now) override { m_to.progress(m_first ? now : together(now)); }
    void found(const FoundPlan& plan) override { m_to.found(plan); }

private:
    bool m_first = true;
};

} // namespace pw
