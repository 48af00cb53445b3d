// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/compare/compare.h"
#include "ui/session/shown_plan.h"
#include "ui/session/time_range.h"

#include <QObject>

#include <optional>

namespace pw {

class Document;

// The two to four plans that are held against each other, once for all views of the comparison: which is the
// base, how their time axes lie on one, and what is chosen in all of them.
class CompareSet : public QObject {
    Q_OBJECT

public:
    static constexpr std::size_t kLeast = 2, kMost = 4;
    enum class Align { Start, Steady, End }; // what stands at the same place on the axis
    struct Lane {
        int id = -1;
        std::shared_ptr<const ShownPlan> plan;
    };

    CompareSet(Document& document, Candidates& candidates);

    const std::vector<Lane>& lanes() const { return m_lanes; }
    std::size_t base() const { return m_base; }
    const Comparison* comparison() const { return m_comparison ? &*m_comparison : nullptr; } // null: too few
    TimeRange& range() { return m_range; } // the common axis, ns of the plans' time unless normalised

    void setPlans(const std::vector<int>& ids); // the first one is the base; those beyond four are left out
    void add(int id);
    void remove(std::size_t lane);
    void setBase(std::size_t lane);
    void swapBase(); // with the next lane

    Align align() const { return m_align; }
    void setAlign(Align align);
    bool isNormalised() const { return m_normalised; } // every iteration as long as the base's
    void setNormalised(bool on);
    TimeWindow laneWindow(std::size_t lane, const TimeWindow& axis) const; // the same span in the plan's time

    int chosen() const { return m_chosen; } // row of comparison()->time, -1 = none
    void setChosen(int row);
    int microbatch() const { return m_microbatch; } // marked in every lane, -1 = none
    void setMicrobatch(int microbatch);
    std::size_t activeLane() const { return m_active; }
    void setActiveLane(std::size_t lane);

Q_SIGNALS:
    void changed();     // other plans, another base
    void axisChanged(); // alignment or scale
    void chosenChanged();

private:
    void refresh(bool force);
    void placeAxis();
    double scaleOf(std::size_t lane) const;
    std::int64_t anchorOf(std::size_t lane) const;

    Document& m_document;
    Candidates& m_candidates;
    TimeRange m_range;
    std::vector<Lane> m_lanes;
    std::optional<Comparison> m_comparison;
    std::size_t m_base = 0, m_active = 0;
    Align m_align = Align::Start;
    bool m_normalised = false;
    double m_anchor = 0.0; // of all lanes, on the axis
    int m_chosen = -1, m_microbatch = -1;
};

} // namespace pw
