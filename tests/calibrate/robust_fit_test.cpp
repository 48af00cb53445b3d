// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/calibrate/robust_fit.h"

#include <QTest>

#include <cmath>

using namespace pw;

namespace {

// y = a + b t + (e^c - 1) t^2 at some t, held against (1, -0.5, 0.3).
RobustFit curve() {
    RobustFit fit;
    fit.residuals = [](const std::vector<double>& x) {
        std::vector<double> residuals;
        for (double t = 0.0; t < 2.0; t += 0.1)
            residuals.push_back(x[0] - 1.0 + (x[1] + 0.5) * t + (std::exp(x[2]) - std::exp(0.3)) * t * t);
        return residuals;
    };
    fit.weights.assign(fit.residuals({0.0, 0.0, 0.0}).size(), 1.0);
    fit.start = {-1.0, 1.0, -1.0};
    fit.least.assign(3, -3.0);
    fit.most.assign(3, 3.0);
    fit.pull.assign(3, 0.0);
    fit.knee = 0.03;
    fit.settled = 1e-6;
    return fit;
}

bool near(double a, double b, double within = 1e-3) {
    return std::abs(a - b) < within;
}

} // namespace

class RobustFitTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void findsTheCurve() {
        const RobustFitResult found = fitRobustly(curve(), {});
        QVERIFY(found.settled);
        QVERIFY2(near(found.x[0], 1.0) && near(found.x[1], -0.5) && near(found.x[2], 0.3),
                 qPrintable(QStringLiteral("%1 %2 %3").arg(found.x[0]).arg(found.x[1]).arg(found.x[2])));
        QVERIFY(found.loss < 1e-4 && found.startLoss > 1.0);
        QCOMPARE(found.moved, std::vector<bool>(3, true));
    }

    void rowsThatAreFarOffDoNotDragIt() {
        RobustFit fit = curve();
        const auto plain = fit.residuals;
        fit.residuals = [plain](const std::vector<double>& x) {
            std::vector<double> residuals = plain(x);
            residuals[3] += 2.0;
            residuals[11] += 5.0;
            residuals[17] -= 1.0;
            return residuals;
        };
        const RobustFitResult found = fitRobustly(fit, {});
        QVERIFY2(near(found.x[0], 1.0, 0.05) && near(found.x[1], -0.5, 0.1) && near(found.x[2], 0.3, 0.05),
                 qPrintable(QStringLiteral("%1 %2 %3").arg(found.x[0]).arg(found.x[1]).arg(found.x[2])));
    }

    void boundsHold() {
        RobustFit fit = curve();
        fit.most[0] = 0.8;
        fit.start[1] = fit.least[1] = -0.4;
        const auto plain = fit.residuals;
        fit.residuals = [plain, fit](const std::vector<double>& x) {
            for (std::size_t j = 0; j < x.size(); ++j)
                if (x[j] < fit.least[j] || x[j] > fit.most[j])
                    qFatal("asked beyond a bound");
            return plain(x);
        };
        const RobustFitResult found = fitRobustly(fit, {});
        QCOMPARE(found.x[0], 0.8);
        QVERIFY(found.x[1] >= -0.4);
        // The best of the third with the first held is lower than anything near it.
        for (const double aside : {-0.02, 0.02}) {
            std::vector<double> other = found.x;
            other[2] += aside;
            QVERIFY(robustLoss(fit, other, plain(other)) > found.loss);
        }
    }

    void nothingToTellStaysAtTheStart() {
        RobustFit fit = curve();
        const auto plain = fit.residuals;
        fit.residuals = [plain](const std::vector<double>& x) { return plain({x[0], x[1], 0.3}); };
        const RobustFitResult found = fitRobustly(fit, {});
        QCOMPARE(found.x[2], -1.0);
        QVERIFY(near(found.x[0], 1.0) && near(found.x[1], -0.5));
        QCOMPARE(found.moved, std::vector<bool>({true, true, false}));
    }

    void priorDrawsToTheStart() {
        RobustFit fit = curve();
        fit.pull[0] = 1e6;
        QVERIFY(near(fitRobustly(fit, {}).x[0], -1.0));
    }

    void stopsWhereItIs() {
        std::stop_source stop;
        stop.request_stop();
        const RobustFit fit = curve();
        const RobustFitResult found = fitRobustly(fit, stop.get_token());
        QCOMPARE(found.x, fit.start);
        QVERIFY(!found.settled);
        RobustFit few = fit;
        few.steps = 2;
        const RobustFitResult early = fitRobustly(few, {});
        QCOMPARE(early.steps, 2);
        QVERIFY(!early.settled && early.loss < early.startLoss);
    }
};

QTEST_APPLESS_MAIN(RobustFitTest)
#include "robust_fit_test.moc"
