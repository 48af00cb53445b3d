// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/link_traffic.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/session/candidates.h"
#include "ui/session/selection.h"

#include <algorithm>

namespace pw {
namespace {

QString useText(LinkUse use) {
    switch (use) {
    case LinkUse::Activations:
        return LinkTraffic::tr("activations");
    case LinkUse::Tensor:
        return LinkTraffic::tr("tensor parallelism");
    case LinkUse::Context:
        return LinkTraffic::tr("context parallelism");
    case LinkUse::Experts:
        return LinkTraffic::tr("experts");
    case LinkUse::Weights:
        return LinkTraffic::tr("weights");
    case LinkUse::Gradients:
        return LinkTraffic::tr("gradients");
    }
    return {};
}

QString dataText(double bytes) {
    constexpr double kGiga = 1e9, kMega = 1e6;
    return bytes >= kGiga ? QStringLiteral("%1 GB").arg(decimalText(bytes / kGiga, 1))
                          : QStringLiteral("%1 MB").arg(decimalText(bytes / kMega, 0));
}

// "activations 300 ms, gradients 110 ms"
QString usesText(const LinkLoad& load) {
    QStringList uses;
    for (std::size_t use = 0; use < kLinkUses; ++use)
        if (load.seconds[use] > 0.0)
            uses << QStringLiteral("%1 %2").arg(useText(static_cast<LinkUse>(use)),
                                                stageTimeText(Seconds(load.seconds[use])));
    return uses.join(QStringLiteral(", "));
}

} // namespace

double PlanLinks::share(const QString& link) const {
    const Loads loads = byLink.value(link);
    return iteration.value > 0.0 ? std::max(loads[0].total(), loads[1].total()) / iteration.value : 0.0;
}

QString PlanLinks::text(const Link& link) const {
    const Loads loads = byLink.value(q(link.id));
    const bool back = loads[1].total() > loads[0].total();
    const LinkLoad &most = loads[back ? 1 : 0], &least = loads[back ? 0 : 1];
    if (most.total() <= 0.0)
        return LinkTraffic::tr("carries nothing");
    const auto shareOf = [this](const LinkLoad& load) { return shareText(load.total() / iteration.value); };
    return LinkTraffic::tr("busy %1 of the iteration to %2, with %3 (%4), %5 back")
        .arg(shareOf(most), q(back ? link.a : link.b), dataText(most.bytes), usesText(most), shareOf(least));
}

QString PlanLinks::busiest(const std::vector<const Link*>& links, std::size_t most) const {
    std::vector<const Link*> sorted;
    std::copy_if(links.begin(), links.end(), std::back_inserter(sorted),
                 [this](const Link* link) { return share(q(link->id)) > 0.0; });
    std::stable_sort(sorted.begin(), sorted.end(),
                     [this](const Link* a, const Link* b) { return share(q(a->id)) > share(q(b->id)); });
    QStringList lines;
    for (const Link* link : sorted) {
        if (static_cast<std::size_t>(lines.size()) == most)
            break;
        lines << QStringLiteral("%1 \u2013 %2: %3").arg(q(link->a), q(link->b), text(*link));
    }
    return lines.join(QLatin1Char('\n'));
}

LinkTraffic::LinkTraffic(const Candidates& candidates, const Selection& selection)
    : m_candidates(candidates), m_selection(selection) {
    connect(&candidates, &Candidates::changed, this, &LinkTraffic::follow);
    connect(&selection, &Selection::planChanged, this, &LinkTraffic::follow);
}

void LinkTraffic::follow() {
    const Candidate* candidate = m_candidates.find(m_selection.plan());
    const std::string key = candidate ? candidate->problem->hash() + candidate->key : std::string();
    const int plan = candidate ? candidate->id : -1;
    if (plan == m_asked && key == m_askedKey)
        return;
    m_asked = plan;
    m_askedKey = key;
    m_job.drop();
    if (std::exchange(m_known, nullptr))
        Q_EMIT changed();
    if (!candidate)
        return;
    PlanLinks of;
    of.plan = plan;
    of.iteration = candidate->evaluation.iteration;
    m_job.start(
        [of, problem = candidate->problem, own = candidate->plan](const std::stop_token&) {
            PlanLinks links = of;
            const LinkLoads loads = linkLoads(*problem, own);
            const std::vector<Link>& drawn = problem->topology().cluster().links;
            for (std::size_t i = 0; i < drawn.size(); ++i)
                if (loads[i][0].total() > 0.0 || loads[i][1].total() > 0.0)
                    links.byLink.insert(q(drawn[i].id), loads[i]);
            return links;
        },
        [this, of](const Result<PlanLinks>& links) {
            PlanLinks known = links ? *links : of;
            if (!links)
                known.error = links.error();
            m_known = std::make_shared<const PlanLinks>(std::move(known));
            Q_EMIT changed();
        });
}

} // namespace pw
