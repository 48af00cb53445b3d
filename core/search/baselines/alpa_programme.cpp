// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/baselines/alpa_programme.h"

#include "core/base/quantity.h"

#include <algorithm>
#include <cmath>

namespace pw {
namespace {

class Programme {
public:
    Programme(const AlpaInput& input, const std::function<bool(std::int64_t)>& spend)
        : m_in(input), m_spend(spend) {
        const auto states =
            static_cast<std::size_t>((input.stages + 1) * (input.layers + 1) * (input.devices + 1));
        m_value.resize(states);
        m_choice.resize(states);
    }

    bool over() const { return m_over; }

    // The least sum of stage times without a stage beyond `limit`, and how; infinity if there is none or the
    // search was ended.
    double solve(double limit, AlpaPlan& plan) {
        std::fill(m_value.begin(), m_value.end(), kNever);
        m_value[state(0, m_in.layers, 0)] = 0.0;
        for (int s = 1; s <= m_in.stages && !m_over; ++s)
            for (int first = m_in.layers - s; first >= 0 && !m_over; --first)
                extend(s, first, limit);
        int best = 0;
        for (int s = 1; s <= m_in.stages; ++s)
            if (best == 0 || value(s) < value(best))
                best = s;
        if (m_over || best == 0 || !std::isfinite(value(best)))
            return kNever;
        plan.stages.clear();
        int first = 0, devices = m_in.devices;
        double slowest = 0.0;
        for (int s = best; s > 0; --s) {
            const Choice choice = m_choice[state(s, first, devices)];
            plan.stages.push_back({first, choice.end, choice.submesh});
            slowest = std::max(slowest, m_in.times[m_in.at(first, choice.end, choice.submesh, s)]);
            first = choice.end;
            devices -= m_in.submeshes[choice.submesh];
        }
        plan.total = value(best) + static_cast<double>(m_in.microbatches - 1) * slowest;
        return value(best);
    }

private:
    struct Choice {
        std::int32_t end = 0;
        std::uint32_t submesh = 0;
    };

    std::size_t state(int s, int first, int devices) const {
        return static_cast<std::size_t>((s * (m_in.layers + 1) + first) * (m_in.devices + 1) + devices);
    }
    double value(int s) const { return m_value[state(s, 0, m_in.devices)]; }

    void extend(int s, int first, double limit) {
        std::int64_t steps = 0;
        for (int end = first + 1; end <= m_in.layers - (s - 1); ++end)
            for (std::size_t m = 0; m < m_in.submeshes.size(); ++m) {
                const double time = m_in.times[m_in.at(first, end, m, s)];
                ++steps;
                if (!(time <= limit))
                    continue;
                const int size = m_in.submeshes[m];
                double* here = &m_value[state(s, first, 0)];
                const double* behind = &m_value[state(s - 1, end, 0)];
                Choice* choice = &m_choice[state(s, first, 0)];
                for (int d = size; d <= m_in.devices; ++d)
                    if (const double sum = time + behind[d - size]; sum < here[d]) {
                        here[d] = sum;
                        choice[d] = {end, static_cast<std::uint32_t>(m)};
                    }
                steps += m_in.devices / 8; // a few of these take as long as one of the others
            }
        m_over = m_spend(steps);
    }

    const AlpaInput& m_in;
    const std::function<bool(std::int64_t)>& m_spend;
    std::vector<double> m_value; // F by (s, first layer, devices)
    std::vector<Choice> m_choice;
    bool m_over = false;
};

std::vector<double> limits(const AlpaInput& input) {
    constexpr double kLeastGap = 1e-6, kLeastShare = 1e-3;
    std::vector<double> all;
    double before = kNever;
    for (const double time : input.times) { // rows of the same stage at other places mostly repeat
        if (std::isfinite(time) && time != before)
            all.push_back(time);
        before = time;
    }
    std::sort(all.begin(), all.end());
    // The largest of each run of close ones, which allows all of them.
    std::vector<double> kept;
    double start = 0.0;
    for (const double time : all) {
        if (!kept.empty() && time - start < std::max(kLeastGap, kLeastShare * start)) {
            kept.back() = time;
            continue;
        }
        kept.push_back(time);
        start = time;
    }
    return kept;
}

} // namespace

std::optional<AlpaPlan> alpaProgramme(const AlpaInput& input, double best,
                                      const std::function<bool(std::int64_t)>& spend) {
    const std::vector<double> list = limits(input);
    Programme programme(input, spend);
    const auto microbatches = static_cast<double>(input.microbatches);
    // A stage of t_max takes B of them, so limits beyond this cannot win.
    const auto hopeful = [&](std::size_t n) { return list[n] * microbatches < best; };
    AlpaPlan plan;
    std::size_t low = 0, high = list.size(); // the first limit that a division meets
    while (low < high && !programme.over()) {
        const std::size_t middle = (low + high) / 2;
        if (!hopeful(middle) || std::isfinite(programme.solve(list[middle], plan)))
            high = middle;
        else
            low = middle + 1;
    }
    std::optional<AlpaPlan> found;
    for (std::size_t n = low; n < list.size() && hopeful(n) && !programme.over(); ++n)
        if (std::isfinite(programme.solve(list[n], plan)) && plan.total < best) {
            best = plan.total;
            found = plan;
        }
    return found;
}

} // namespace pw
