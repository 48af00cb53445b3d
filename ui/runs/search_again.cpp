// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/search_again.h"

#include "core/calibrate/calibration.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/search_runner.h"

#include <utility>

namespace pw {

namespace {

constexpr double kSame = 5e-4; // of the iteration: what no figure of the window shows

QString factorText(const Calibration& calibration) {
    QStringList parts;
    for (const auto& [kind, f] : calibration.kinds)
        parts << SearchAgain::tr("%1 %2").arg(q(kind), decimalText(f.compute, 3));
    for (const auto& [medium, factor] : calibration.links)
        parts << SearchAgain::tr("%1 links %2").arg(q(medium), decimalText(factor, 3));
    for (const auto& [group, factor] : calibration.software)
        parts
            << SearchAgain::tr("%1 %2, which a project does not hold").arg(q(group), decimalText(factor, 3));
    return parts.join(QStringLiteral(", "));
}

QString errorOfStep(double error) {
    return SearchAgain::tr("%1 %").arg(signedText(100.0 * error, 1));
}

// Empty where the run's own step is predicted no further off with the factors.
QString warningText(const RunFit& fit) {
    const FittedStep& step = fit.inProject;
    if (!fit.isFurtherOff(step))
        return {};
    const QString after = errorOfStep(fit.errorOf(step)), before = errorOfStep(fit.errorBefore());
    return step.remains ? SearchAgain::tr("With these factors the run itself is predicted further off than "
                                          "before: %1 in place of %2. What remains, above all: %3.")
                              .arg(after, before, messageText(*step.remains))
                        : SearchAgain::tr("With these factors the run itself is predicted further off than "
                                          "before: %1 in place of %2.")
                              .arg(after, before);
}

} // namespace

SearchAgain::SearchAgain(AppContext& context, QObject* parent) : QObject(parent), m_context(context) {
    connect(&context.runner, &SearchRunner::finished, this, &SearchAgain::compare);
    connect(&context.document, &Document::replaced, this, [this] {
        m_job.drop();
        m_searching = false;
        m_held.reset();
        m_run.reset();
        say({});
    });
}

SearchAgain::~SearchAgain() = default;

QString SearchAgain::refusal(const PlanRun& run) const {
    if (!run.record->isMeasured())
        return tr("This run is %1: it says nothing about the GPUs, so nothing is calibrated by it.")
            .arg(standingText(*run.record));
    if (!run.record->plan)
        return tr("The file does not hold the plan that ran, by which its passes are priced.");
    const auto problem = m_context.document.problem();
    if (!problem || problem->hash() != run.record->problem->hash())
        return tr("The project asks another question than the one whose plan ran.");
    if (m_context.runner.isRunning())
        return tr("A search runs.");
    return {};
}

void SearchAgain::start(const PlanRunPointer& run) {
    if (isRunning() || !refusal(*run).isEmpty())
        return;
    if (isHeld(run)) {
        const RunFit fit = *std::exchange(m_held, std::nullopt);
        return search(fit);
    }
    m_held.reset();
    m_run = run;
    m_job.start([record = run->record](const std::stop_token&) { return fitRun(*record); },
                [this](const Result<RunFit>& fit) { judge(fit); });
    say(tr("Calibrating by %1.").arg(run->name));
}

// Factors that help are taken at once.
void SearchAgain::judge(const Result<RunFit>& fit) {
    if (!fit)
        return say(tr("Nothing was calibrated: %1.").arg(errorText(fit.error())));
    m_factors = factorText(fit->calibration);
    m_warning = warningText(*fit);
    if (m_warning.isEmpty())
        return search(*fit);
    m_held = *fit;
    say(tr("Not calibrated yet (%1). %2").arg(m_factors, m_warning));
}

void SearchAgain::search(const RunFit& fit) {
    Project edited = *m_context.document.project();
    edited.cluster = calibrated(edited.cluster, fit.calibration);
    edited.recipe = calibrated(edited.recipe, fit.calibration);
    const bool changes = edited != *m_context.document.project();
    if (changes && !m_context.document.apply(edited, tr("Calibrate by %1").arg(m_run->name)))
        return say(tr("The calibrated cluster was refused."));
    m_searching = m_context.runner.start();
    say(m_searching ? tr("Calibrated (%1); searching.").arg(m_factors)
                    : tr("Calibrated (%1); the search did not start.").arg(m_factors));
}

void SearchAgain::compare() {
    if (!m_searching)
        return;
    m_searching = false;
    const std::shared_ptr<const Problem> problem = m_context.runner.problem();
    const Candidate* best = m_context.candidates.find(m_context.runner.bestId());
    const Result<Evaluation> again = evaluate(*problem, *m_run->record->plan);
    if (m_context.runner.failure())
        return say(tr("Calibrated (%1); the search failed: %2.")
                       .arg(m_factors, errorText(*m_context.runner.failure())));
    if (!best || !again)
        return say(tr("Calibrated (%1); no plan was found that fits.").arg(m_factors));
    const Seconds found = best->evaluation.iteration;
    m_context.candidates.add(problem, {{*m_run->record->plan, *again}}, tr("ran"));
    const double gain = 1.0 - found / again->iteration;
    const QString ran = iterationText(m_run->overlay.iteration.measured);
    QString outcome =
        gain < kSame
            ? tr("Calibrated (%1): the plan that ran is still the best found, predicted %2; it ran in %3.")
                  .arg(m_factors, iterationText(again->iteration), ran)
            : tr("Calibrated (%1): plan %2 is predicted %3, %4 less than the %5 now predicted for the plan "
                 "that ran, which "
                 "ran in %6.")
                  .arg(m_factors, best->name, iterationText(found), shareText(gain),
                       iterationText(again->iteration), ran);
    if (!m_warning.isEmpty())
        outcome += QLatin1Char(' ') + m_warning;
    say(outcome);
}

void SearchAgain::say(const QString& text) {
    m_text = text;
    Q_EMIT changed();
}

} // namespace pw
