// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/links/link_check.h"

#include "core/base/text.h"
#include "core/base/units.h"
#include "core/links/link_apply.h"

#include <fmt/format.h>

#include <algorithm>

namespace pw {
namespace {

bool between(double value, double low, double high) {
    return value >= low && value <= high; // false for NaN
}

} // namespace

std::optional<Wording> linkProblem(const LinkMeasurement& m) {
    if (m.source.empty() || m.collective.empty())
        return "names no source or no collective";
    std::vector<const std::string*> texts = {&m.source, &m.collective, &m.date, &m.software};
    for (const LinkDevice& device : m.devices)
        texts.insert(texts.end(), {&device.host, &device.name, &device.busId});
    if (!std::all_of(texts.begin(), texts.end(), [](const std::string* text) { return isWellFormed(*text); }))
        return "has a text that is not UTF-8";
    if (m.ranks < 1 || m.ranks > LinkLimits::ranks)
        return Wording("has {ranks} ranks; expected 1 to {limit}",
                       {{"ranks", m.ranks}, {"limit", LinkLimits::ranks}});
    for (const auto* samples : {&m.outOfPlace, &m.inPlace})
        for (const LinkSample& s : *samples)
            if (!between(s.size.value, 0.0, LinkLimits::bytes) || !(s.time.value > 0.0) ||
                !between(s.time.value, 0.0, LinkLimits::seconds))
                return Wording("has a sample of {bytes} bytes in {seconds} s",
                               {{"bytes", fmt::format("{:g}", s.size.value)},
                                {"seconds", fmt::format("{:g}", s.time.value)}});
    for (const auto& fit : {m.outOfPlaceFit, m.inPlaceFit})
        if (fit &&
            (!between(fit->latency.value, 0.0, LinkLimits::seconds) || !(fit->algorithm.value > 0.0) ||
             !between(fit->algorithm.value, 0.0, LinkLimits::rate) ||
             !between(fit->bus.value, 0.0, LinkLimits::rate) || !between(fit->worst, 0.0, LinkLimits::rate)))
            return "has a fit out of range";
    return std::nullopt;
}

std::string describe(const std::vector<LinkMeasurement>& measurements) {
    std::string text;
    for (const LinkMeasurement& m : measurements) {
        const LinkFit* fit = fitOf(m);
        text += fmt::format("{}{} over {} ranks, {} samples{}", text.empty() ? "" : "; ", m.collective,
                            m.ranks, m.outOfPlace.size() + m.inPlace.size(),
                            fit != nullptr ? fmt::format(": {} and {} of bus bandwidth, within {:.1f} %",
                                                         formatDuration(fit->latency),
                                                         formatByteRate(fit->bus), 100 * fit->worst)
                                           : ", too few sizes to fit");
    }
    return text;
}

} // namespace pw
