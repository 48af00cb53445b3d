// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"
#include "core/search/behind.h"

#include <list>
#include <stop_token>

namespace pw {

// What several targets ask alike is searched once. Their progress is one.
class SharedSearches {
public:
    explicit SharedSearches(SearchObserver& observer) : m_observer(observer) {} // which outlives it

    // As search() answers. All have the same budget and seed. The reference stays.
    const Result<SearchOutcome>& search(const std::shared_ptr<const Problem>& problem,
                                        const SearchOptions& options, const std::stop_token& stop);
    // As searchSingleStages() answers of the plans that the target runs: nobody else asks for those.
    SearchOutcome singleStages(const Problem& problem, const SearchOptions& options,
                               const ExporterRow& target, const std::stop_token& stop);
    int asked() const { return m_asked; }
    int made() const { return m_own + static_cast<int>(m_known.size()); }

private:
    struct Known {
        std::string problem; // its hash, which does not tell its Space
        Space space;
        std::string planner;
        bool partitions = false;
        WiderSpace wider;
        std::vector<std::string> without;
        bool proves = true;
        Result<SearchOutcome> outcome;
    };
    // Whether what is known of a Space is what a search of `asked` would find.
    static bool answers(const Known& known, const Space& asked);
    ProgressInTurn m_observer;
    std::list<Known> m_known;
    int m_asked = 0, m_own = 0;
};

} // namespace pw
