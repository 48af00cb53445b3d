// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/plan_text.h"

#include "ui/base/convert.h"
#include "ui/base/format.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

QString translated(const char* text, int n) {
    return QCoreApplication::translate("PlanText", text).arg(n);
}

// Than the best plan, by what is predicted.
bool isFaster(const TimeComparison& beside) {
    return beside.firstFaster < 0.5;
}

QString besideProbability(const TimeComparison& beside) {
    return probabilityText(std::max(beside.firstFaster, 1.0 - beside.firstFaster));
}

} // namespace

QString planTitle(const Candidate& candidate) {
    return QCoreApplication::translate("PlanText", "Plan %1").arg(candidate.name);
}

int stageCount(const Plan& plan) {
    int count = 0;
    for (const Pipeline& pipeline : plan.pipelines)
        count += static_cast<int>(pipeline.stages.size());
    return count;
}

QString scheduleText(const Plan& plan) {
    QStringList kinds;
    for (const Pipeline& pipeline : plan.pipelines)
        if (const QString kind = QString::fromUtf8(label(pipeline.schedule.kind)); !kinds.contains(kind))
            kinds << kind;
    return kinds.join(QStringLiteral(" + "));
}

QString microbatchText(const Plan& plan) {
    QStringList parts;
    for (const Pipeline& pipeline : plan.pipelines)
        parts << (pipeline.microbatchSize == 1
                      ? QCoreApplication::translate("PlanText", "%1 of %2 sequence")
                      : QCoreApplication::translate("PlanText", "%1 of %2 sequences"))
                     .arg(countText(pipeline.microbatches), countText(pipeline.microbatchSize));
    return parts.join(QStringLiteral(" + "));
}

QString launchText(const Plan& plan) {
    QStringList parts;
    for (const Pipeline& pipeline : plan.pipelines)
        for (const int count : pipeline.schedule.launch)
            parts.append(QString::number(count));
    return parts.join(QLatin1Char(' '));
}

QString planSummary(const Plan& plan) {
    if (plan.pipelines.empty())
        return {};
    const int stages = stageCount(plan);
    std::int64_t microbatches = 0;
    for (const Pipeline& pipeline : plan.pipelines)
        microbatches += pipeline.microbatches;
    QStringList parts;
    if (const auto pipelines = static_cast<int>(plan.pipelines.size()); pipelines > 1)
        parts << translated("%1 pipelines", pipelines);
    parts << (stages == 1 ? translated("%1 stage", stages) : translated("%1 stages", stages))
          << scheduleText(plan)
          << (microbatches == 1 ? translated("%1 micro-batch", 1)
                                : translated("%1 micro-batches", static_cast<int>(microbatches)));
    return parts.join(QStringLiteral(", "));
}

QString markedIteration(const Evaluation& evaluation) {
    return (evaluation.isEstimated() ? QStringLiteral("\u2234 ") : QString()) +
           iterationText(evaluation.iteration);
}

QString expectedText(const ErrorBand& band, Seconds iteration) {
    const Seconds low = iteration * band.low, high = iteration * band.high;
    return QCoreApplication::translate("PlanText", "%1 to %2")
        .arg(iterationFrom(low, high), iterationText(high));
}

QString basisText(const ErrorBand& band) {
    if (!band.isNear())
        return QCoreApplication::translate("PlanText", "no case near");
    const auto cases = static_cast<int>(band.cases.size());
    return QCoreApplication::translate("PlanText", "%1 of %2")
        .arg(cases == 1 ? translated("%1 case", cases) : translated("%1 cases", cases),
             band.sources == 1 ? translated("%1 source", band.sources)
                               : translated("%1 sources", band.sources));
}

QString nearestText(const ErrorBand& band) {
    return band.cases.empty() ? QString() : q(caseText(band.cases.front()));
}

QStringList differencesOf(const ErrorBand& band, const Features& features) {
    if (band.cases.empty() || band.isNear())
        return {};
    const auto nearest = static_cast<std::size_t>(band.cases.front().index);
    QStringList labels;
    for (const std::string& label : differences(features, measuredCases().cases[nearest].features))
        labels << q(label);
    return labels;
}

QString probabilityText(double probability) {
    constexpr double kRounding = 1e-9;
    return QStringLiteral("%1 %").arg(decimalText(std::floor(100.0 * probability + kRounding), 0));
}

QString besideText(const TimeComparison& beside) {
    return beside.isTie()     ? QCoreApplication::translate("PlanText", "tie")
           : isFaster(beside) ? QCoreApplication::translate("PlanText", "faster")
                              : QCoreApplication::translate("PlanText", "slower");
}

QString besideFigure(const TimeComparison& beside) {
    return QCoreApplication::translate("PlanText", "%1, %2")
        .arg(besideText(beside), besideProbability(beside));
}

QString besideNote(const TimeComparison& beside, const Candidate& best) {
    return (isFaster(beside) ? QCoreApplication::translate("PlanText", "%1 that it is faster than plan %2")
                             : QCoreApplication::translate("PlanText", "%1 that plan %2 is faster"))
        .arg(besideProbability(beside), best.name);
}

QString besideSentence(const TimeComparison& beside, const Candidate& plan, const Candidate& best) {
    const QString by = shareText(std::abs(plan.evaluation.iteration / best.evaluation.iteration - 1.0));
    const QString said =
        (isFaster(beside)
             ? QCoreApplication::translate("PlanText",
                                           "Predicted %1 faster than plan %2, with a probability of %3")
             : QCoreApplication::translate(
                   "PlanText", "Predicted %1 slower than plan %2, which is faster with a probability of %3"))
            .arg(by, best.name, besideProbability(beside));
    return beside.isTie() ? QCoreApplication::translate("PlanText", "%1: a tie, since that is less than %2")
                                .arg(said, probabilityText(kCertain))
                          : said;
}

QString bubbleHelp(double idleShare) {
    return QCoreApplication::translate("PlanText",
                                       "Idle share of the stage that idles most, from its first start to its "
                                       "last end: %1. The plan document counts it against useful time: %2.")
        .arg(shareText(idleShare), idleShare < 1.0 ? shareText(idleShare / (1.0 - idleShare)) : QString());
}

const DeviceMemory* fullestDevice(const Evaluation& evaluation) {
    const auto share = [](const DeviceMemory& m) { return m.peak.total() / m.capacity; };
    const auto at =
        std::max_element(evaluation.memory.begin(), evaluation.memory.end(),
                         [&](const DeviceMemory& a, const DeviceMemory& b) { return share(a) < share(b); });
    return at == evaluation.memory.end() ? nullptr : &*at;
}

QString deviceId(const Problem& problem, DeviceIndex device) {
    return q(problem.topology().devices()[static_cast<std::size_t>(device)].id);
}

QString drawnDeviceId(const Problem& problem, DeviceIndex device, const NodeNames& drawn) {
    const Device& of = problem.topology().devices()[static_cast<std::size_t>(device)];
    const auto name = drawn.find(problem.topology().cluster().nodes[static_cast<std::size_t>(of.node)].id);
    return name == drawn.end() ? q(of.id) : QStringLiteral("%1.g%2").arg(q(name->second)).arg(of.slot);
}

} // namespace pw
