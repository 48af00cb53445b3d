// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/diagnostics.h"
#include "core/cluster/cluster.h"
#include "core/evaluate/link_loads.h"
#include "ui/base/background_job.h"

#include <QHash>
#include <QObject>
#include <QString>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pw {

class Candidates;
class Selection;

// What a plan asks of the links of its drawing, by their ids.
struct PlanLinks {
    using Loads = std::array<LinkLoad, 2>; // from the link's a to its b, and back
    int plan = -1;
    Seconds iteration;
    QHash<QString, Loads> byLink;
    std::optional<Error> error; // in place of the above

    double share(const QString& link) const; // of the iteration, of the busier direction; 0: nothing
    // "busy 34 % of the iteration to n1, with 4.2 GB (activations 300 ms, gradients 110 ms), 2 % back";
    // "carries nothing".
    QString text(const Link& link) const;
    // The busiest of these, most first, a line each: "n1 \u2013 s1: busy ..."; those that carry nothing are
    // left out.
    QString busiest(const std::vector<const Link*>& links, std::size_t most) const;
};

// The links of the plan in view, worked out in the background: of thousands of GPUs it takes a moment.
class LinkTraffic : public QObject {
    Q_OBJECT

public:
    LinkTraffic(const Candidates& candidates, const Selection& selection);
    std::shared_ptr<const PlanLinks> inView() const { return m_known; } // null: not yet, or no plan

Q_SIGNALS:
    void changed();

private:
    void follow();

    const Candidates& m_candidates;
    const Selection& m_selection;
    int m_asked = -1;
    std::string m_askedKey;
    std::shared_ptr<const PlanLinks> m_known;
    BackgroundJob m_job; // last: it uses the above
};

} // namespace pw
