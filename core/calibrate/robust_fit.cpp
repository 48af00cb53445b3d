// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/robust_fit.h"

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr double kProbe = 0.02;   // step of the differences
constexpr double kLongest = 0.5;  // of a step, in any parameter
constexpr double kFirst = 0.2;    // likewise, at first
constexpr double kRidge = 1e-6;   // share of the diagonal: keeps what is solved definite
constexpr int kTries = 8;         // of ever shorter steps, with slopes as they are here
constexpr int kQuickTries = 2;    // likewise, with corrected ones
constexpr int kCorrected = 4;     // steps on corrected slopes before they are taken anew
constexpr double kWorthIt = 0.01; // share of the loss that a step on corrected slopes has to gain

using Vector = std::vector<double>;

// Solves the symmetric positive definite a x = b by Gaussian elimination; the ridge keeps it so.
Vector solve(std::vector<Vector> a, Vector b) {
    const std::size_t n = b.size();
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t r = i + 1; r < n; ++r) {
            const double share = a[r][i] / a[i][i];
            for (std::size_t c = i; c < n; ++c)
                a[r][c] -= share * a[i][c];
            b[r] -= share * b[i];
        }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t c = i + 1; c < n; ++c)
            b[i] -= a[i][c] * b[c];
        b[i] /= a[i][i];
    }
    return b;
}

class Descent {
public:
    Descent(const RobustFit& fit, std::stop_token stop) : m_fit(fit), m_stop(std::move(stop)) {
        m_result.x = fit.start;
        m_result.moved.assign(fit.start.size(), false);
        m_now = evaluate(m_result.x);
        m_result.loss = m_result.startLoss = robustLoss(fit, m_result.x, m_now);
    }

    RobustFitResult run() {
        int corrected = 0; // steps since the slopes were taken
        while (m_result.steps < m_fit.steps && !m_stop.stop_requested()) {
            const bool fresh = corrected == 0;
            if (fresh)
                takeSlopes();
            const double before = m_result.loss;
            const bool better = step(fresh ? kTries : kQuickTries);
            const double gain = before > 0.0 ? (before - m_result.loss) / before : 0.0;
            if (fresh && (!better || gain < m_fit.settled)) {
                m_result.settled = !m_stop.stop_requested();
                break;
            }
            // Corrected slopes that no longer lead on are taken anew before anything is concluded.
            corrected = better && (fresh || gain > kWorthIt) && corrected < kCorrected ? corrected + 1 : 0;
        }
        return std::move(m_result);
    }

private:
    Vector evaluate(const Vector& x) {
        ++m_result.evaluations;
        return m_fit.residuals(x);
    }

    void takeSlopes() {
        m_slopes.clear();
        m_longest = std::max(m_longest, kFirst);
        for (std::size_t j = 0; j < m_result.x.size() && !m_stop.stop_requested(); ++j) {
            Vector probed = m_result.x;
            const double probe = probed[j] + kProbe <= m_fit.most[j] ? kProbe : -kProbe;
            probed[j] += probe;
            Vector slope = evaluate(probed);
            for (std::size_t i = 0; i < slope.size(); ++i) {
                slope[i] = (slope[i] - m_now[i]) / probe;
                if (slope[i] != 0.0)
                    m_result.moved[j] = true;
            }
            m_slopes.push_back(std::move(slope));
        }
    }

    // What a step has shown beyond what the slopes said, laid into the direction of the step.
    void correctSlopes(const Vector& change, const Vector& before) {
        double length = 0.0;
        for (const double c : change)
            length += c * c;
        if (length <= 0.0)
            return;
        for (std::size_t i = 0; i < m_now.size(); ++i) {
            double missed = m_now[i] - before[i];
            for (std::size_t j = 0; j < change.size(); ++j)
                missed -= m_slopes[j][i] * change[j];
            for (std::size_t j = 0; j < change.size(); ++j)
                m_slopes[j][i] += missed * change[j] / length;
        }
    }

    bool step(int tries) {
        const std::size_t n = m_result.x.size();
        if (m_slopes.size() < n)
            return false; // stopped meanwhile
        std::vector<Vector> squares(n, Vector(n, 0.0));
        Vector downhill(n, 0.0);
        for (std::size_t i = 0; i < m_now.size(); ++i) {
            const double weight = m_fit.weights[i] / std::sqrt(m_now[i] * m_now[i] + m_fit.knee * m_fit.knee);
            for (std::size_t j = 0; j < n; ++j) {
                downhill[j] -= weight * m_slopes[j][i] * m_now[i];
                for (std::size_t k = 0; k <= j; ++k)
                    squares[j][k] += weight * m_slopes[j][i] * m_slopes[k][i];
            }
        }
        for (std::size_t j = 0; j < n; ++j) {
            squares[j][j] += m_fit.pull[j];
            downhill[j] -= m_fit.pull[j] * (m_result.x[j] - m_fit.start[j]);
        }
        for (int tried = 0; tried < tries && !m_stop.stop_requested(); ++tried) {
            const Vector change = changeFor(squares, downhill);
            Vector x = m_result.x;
            for (std::size_t j = 0; j < n; ++j)
                x[j] += change[j];
            Vector then = evaluate(x);
            const double loss = robustLoss(m_fit, x, then);
            if (loss < m_result.loss) {
                ++m_result.steps;
                m_longest = std::min(2.0 * m_longest, kLongest);
                m_result.x = std::move(x);
                m_result.loss = loss;
                m_now.swap(then);
                correctSlopes(change, then);
                return true;
            }
            m_longest *= 0.25;
        }
        return false;
    }

    // The step of those parameters that are free to make it. One that would pass a bound, or go farther than
    // slopes are trusted for, is held there, and the others' step is taken again with it: shortened together,
    // one that the rows hardly tell about would hold up all.
    Vector changeFor(const std::vector<Vector>& squares, const Vector& downhill) const {
        const std::size_t n = downhill.size();
        Vector change(n, 0.0);
        std::vector<bool> held(n);
        for (std::size_t j = 0; j < n; ++j)
            held[j] = squares[j][j] <= 0.0 || room(j, downhill[j]) <= 0.0;
        for (bool again = true; again;) {
            again = false;
            std::vector<std::size_t> open;
            for (std::size_t j = 0; j < n; ++j)
                if (!held[j])
                    open.push_back(j);
            std::vector<Vector> a(open.size(), Vector(open.size()));
            Vector b;
            for (std::size_t r = 0; r < open.size(); ++r) {
                for (std::size_t c = 0; c < open.size(); ++c)
                    a[r][c] = squares[std::max(open[r], open[c])][std::min(open[r], open[c])];
                a[r][r] *= 1.0 + kRidge;
                b.push_back(downhill[open[r]]);
                for (std::size_t k = 0; k < n; ++k)
                    if (held[k])
                        b.back() -= squares[std::max(open[r], k)][std::min(open[r], k)] * change[k];
            }
            const Vector part = solve(std::move(a), std::move(b));
            for (std::size_t r = 0; r < open.size(); ++r) {
                const std::size_t j = open[r];
                change[j] = part[r];
                if (std::abs(part[r]) > room(j, part[r])) {
                    change[j] = std::copysign(room(j, part[r]), part[r]);
                    held[j] = again = true;
                }
            }
        }
        return change;
    }

    double room(std::size_t j, double direction) const {
        const double bound = direction < 0.0 ? m_result.x[j] - m_fit.least[j] : m_fit.most[j] - m_result.x[j];
        return std::min(bound, m_longest);
    }

    const RobustFit& m_fit;
    std::stop_token m_stop;
    RobustFitResult m_result;
    Vector m_now; // residuals at m_result.x
    std::vector<Vector> m_slopes;
    double m_longest = kFirst; // step that the slopes are trusted for, in any parameter
};

} // namespace

double robustLoss(const RobustFit& fit, const Vector& x, const Vector& residuals) {
    double sum = 0.0;
    for (std::size_t i = 0; i < residuals.size(); ++i)
        sum += fit.weights[i] * (std::sqrt(residuals[i] * residuals[i] + fit.knee * fit.knee) - fit.knee);
    for (std::size_t j = 0; j < x.size(); ++j)
        sum += 0.5 * fit.pull[j] * (x[j] - fit.start[j]) * (x[j] - fit.start[j]);
    return sum;
}

RobustFitResult fitRobustly(const RobustFit& fit, std::stop_token stop) {
    return Descent(fit, std::move(stop)).run();
}

} // namespace pw
