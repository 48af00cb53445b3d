// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/plan_runs.h"

#include "core/calibrate/own_runs.h"
#include "core/calibrate/training_log.h"
#include "core/exchange/imports/import_table.h"
#include "core/formats/source.h"
#include "core/timeline/build.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace pw {

namespace {

QString nameOf(const RunRecord& run) {
    const QFileInfo file(q(run.file));
    // Every run is called run.json: its folder tells them apart.
    const QString folder = file.path().section(QLatin1Char('/'), -1);
    return folder.isEmpty() || folder == QLatin1String(".") ? file.fileName()
                                                            : folder + QLatin1Char('/') + file.fileName();
}

// Of whichever version: what is wrong with it is said by its reader.
bool isMeantAsRun(const std::string& text) {
    return text.find("\"pipewright-run-") != std::string::npos;
}

// What a file is that is no run of the runner, and where it is taken.
Error notARun(const std::string& text, const std::string& file) {
    const auto says = [&](const QString& what) {
        return badInput("run.kind", s(QFileInfo(q(file)).fileName()), wordingOf(what));
    };
    const std::string trainer = trainerOfLog(text);
    if (trainer == kListsArguments && !listsArguments(text))
        return says(
            PlanRuns::tr("is a training log of %1, no run.json of the runner, and lists no arguments: "
                         "Load runs, under Accuracy (F9), takes it together with the log of rank 0, "
                         "which does")
                .arg(q(trainer)));
    if (!trainer.empty())
        return says(PlanRuns::tr("is a training log of %1, no run.json of the runner: Load runs, under "
                                 "Accuracy (F9), takes it")
                        .arg(q(trainer)));
    if (isRunTable(text))
        return says(PlanRuns::tr("is a table of measured runs, no run.json of the runner: Load runs, under "
                                 "Accuracy (F9), takes it"));
    if (const Result<const ImporterRow*> row = recogniseFile(file); row && *row != nullptr)
        return says(PlanRuns::tr("is no run.json of the runner, but of the kind %1: File > Import takes it")
                        .arg(QCoreApplication::translate("ImportKinds", (*row)->label)));
    if (text.find("\"pipewright-") != std::string::npos)
        return says(PlanRuns::tr(
            "is another file of Pipewright's own, no run.json of the runner: File > Import takes it"));
    return says(PlanRuns::tr("%1, and is no run.json, which the runner of an exported plan writes")
                    .arg(q(looksLike(text))));
}

// Both of one plan: what ran, held against its prediction.
Result<PlanRunPointer> laidOver(const Problem& problem, const Plan& plan,
                                const std::shared_ptr<const RunRecord>& record) {
    const Result<Evaluation> evaluation = evaluate(problem, plan, {.keepOps = true});
    if (!evaluation)
        return evaluation.error();
    Result<RunOverlay> overlay = overlayRun(problem, plan, *evaluation, *record);
    if (!overlay)
        return overlay.error();
    auto run = std::make_shared<PlanRun>();
    run->file = q(record->file);
    run->name = nameOf(*record);
    run->key = canonicalKey(plan);
    run->record = record;
    run->overlay = *std::move(overlay);
    run->rows = runTimeline(*record, run->overlay, buildTimeline(problem, plan, *evaluation));
    return PlanRunPointer(std::move(run));
}

// Null if there is none of that plan; as constant as the choices are.
template <class Choices>
auto choiceIn(Choices& choices, int plan) -> decltype(choices.data()) {
    const auto at = std::find_if(choices.begin(), choices.end(),
                                 [plan](const auto& choice) { return choice.plan == plan; });
    return at == choices.end() ? nullptr : &*at;
}

} // namespace

QString standingText(const RunRecord& run) {
    const QString text = run.emulated ? PlanRuns::tr("emulated")
                         : run.onCpus ? PlanRuns::tr("measured on CPUs")
                                      : PlanRuns::tr("measured");
    return run.tiny ? PlanRuns::tr("%1, with tiny widths").arg(text) : text;
}

QString ranText(const RunRecord& run) {
    return run.emulated ? PlanRuns::tr("emulated")
           : run.onCpus ? PlanRuns::tr("on CPUs")
                        : PlanRuns::tr("measured");
}

PlanRuns::PlanRuns(Document& document, Candidates& candidates, Selection& selection)
    : m_document(document), m_candidates(candidates), m_selection(selection) {
    // A plan that is gone takes its runs with it; one that was edited is no longer what ran.
    connect(&candidates, &Candidates::changed, this, [this] {
        const auto gone = [this](const PlanRunPointer& run) {
            const Candidate* plan = m_candidates.find(run->plan);
            return !plan || plan->key != run->key;
        };
        if (std::erase_if(m_runs, gone) > 0)
            Q_EMIT changed();
    });
}

PlanRuns::~PlanRuns() = default;

QString PlanRuns::failedLead() {
    return tr("The run was not laid over a plan.");
}

void PlanRuns::load(const QString& file) {
    m_offer.reset();
    m_job.start(
        [file = s(file)](const std::stop_token&) -> Result<std::shared_ptr<const RunRecord>> {
            const Result<std::string> text = readText(file);
            if (!text)
                return text.error();
            if (!isMeantAsRun(*text))
                return notARun(*text, file);
            Result<RunRecord> run = readRunRecord(*text, file);
            if (!run)
                return run.error();
            return std::make_shared<const RunRecord>(*std::move(run));
        },
        [this](const Result<std::shared_ptr<const RunRecord>>& record) {
            if (record)
                return place(*record);
            Q_EMIT reading(false);
            Q_EMIT failed(record.error());
        });
    Q_EMIT reading(true);
}

// The plan that ran: by its key and its question's hash. A file without its plan can only be of the one in
// view, and is checked against it.
void PlanRuns::place(std::shared_ptr<const RunRecord> record) {
    if (!record->plan) {
        if (m_candidates.find(m_selection.plan()))
            return lay(std::move(record), m_selection.plan());
        Q_EMIT reading(false);
        return Q_EMIT failed(badInput("run.document", record->file,
                                      "does not hold the plan that ran; choose that plan first"));
    }
    const std::string key = canonicalKey(*record->plan);
    for (const Candidate& candidate : m_candidates.all())
        if (candidate.key == key && candidate.problem->hash() == record->problem->hash())
            return lay(record, candidate.id);
    const auto own = m_document.problem();
    if (own && own->hash() == record->problem->hash()) {
        const Result<Evaluation> evaluation = evaluate(*own, *record->plan);
        if (!evaluation) {
            Q_EMIT reading(false);
            return Q_EMIT failed(evaluation.error());
        }
        const int id = m_candidates.add(own, {{*record->plan, *evaluation}}, tr("ran"));
        return lay(std::move(record), id);
    }
    m_offer = std::move(record);
    Q_EMIT reading(false);
    Q_EMIT offered();
}

QString PlanRuns::offerText() const {
    if (!m_offer)
        return {};
    const auto own = m_document.problem();
    const bool sameMachine = own && own->topology().cluster() == m_offer->problem->topology().cluster();
    return sameMachine
               ? tr("%1 ran a plan of another model or recipe than the project's").arg(nameOf(*m_offer))
               : tr("%1 ran a plan of another cluster than the project's").arg(nameOf(*m_offer));
}

void PlanRuns::acceptOffer() {
    if (!m_offer)
        return;
    const std::shared_ptr<const RunRecord> record = std::exchange(m_offer, nullptr);
    const Result<Evaluation> evaluation = evaluate(*record->problem, *record->plan);
    if (!evaluation)
        return Q_EMIT failed(evaluation.error());
    lay(record, m_candidates.addOf(nameOf(*record), record->problem, {*record->plan, *evaluation},
                                   nameOf(*record), {}));
}

void PlanRuns::lay(std::shared_ptr<const RunRecord> record, int plan) {
    const Candidate& candidate = *m_candidates.find(plan);
    m_job.start([record = std::move(record), problem = candidate.problem,
                 own = candidate.plan](const std::stop_token&) { return laidOver(*problem, own, record); },
                [this, plan](const Result<PlanRunPointer>& laid) {
                    Q_EMIT reading(false);
                    if (!laid)
                        return Q_EMIT failed(laid.error());
                    const Candidate* ran = m_candidates.find(plan);
                    if (!ran || ran->key != (*laid)->key)
                        return; // removed or edited meanwhile
                    auto run = std::make_shared<PlanRun>(**laid);
                    run->id = m_nextId++;
                    run->plan = plan;
                    // A file that is read again has changed: what it was before is gone.
                    std::erase_if(m_runs, [&](const PlanRunPointer& known) {
                        return known->file == run->file && known->plan == plan;
                    });
                    const int id = run->id;
                    m_runs.push_back(std::move(run));
                    if (PlanChoice* choice = choiceOf(plan)) {
                        const bool compares = find(choice->shown) != nullptr;
                        (compares ? choice->beside : choice->shown) = id;
                    } else {
                        m_choices.push_back({plan, id, -1});
                    }
                    m_selection.setPlan(plan);
                    Q_EMIT changed();
                    Q_EMIT loaded(id);
                });
    Q_EMIT reading(true);
}

PlanRuns::PlanChoice* PlanRuns::choiceOf(int plan) {
    return choiceIn(m_choices, plan);
}

const PlanRuns::PlanChoice* PlanRuns::choiceOf(int plan) const {
    return choiceIn(m_choices, plan);
}

PlanRunPointer PlanRuns::find(int run) const {
    const auto at = std::find_if(m_runs.begin(), m_runs.end(),
                                 [run](const PlanRunPointer& one) { return one->id == run; });
    return at == m_runs.end() ? nullptr : *at;
}

std::vector<PlanRunPointer> PlanRuns::runsOf(int plan) const {
    std::vector<PlanRunPointer> own;
    std::copy_if(m_runs.begin(), m_runs.end(), std::back_inserter(own),
                 [plan](const PlanRunPointer& run) { return run->plan == plan; });
    return own;
}

PlanRunPointer PlanRuns::shown(int plan) const {
    const PlanChoice* choice = choiceOf(plan);
    const PlanRunPointer chosen = choice ? find(choice->shown) : nullptr;
    const std::vector<PlanRunPointer> own = runsOf(plan);
    return chosen || own.empty() ? chosen : own.front();
}

PlanRunPointer PlanRuns::beside(int plan) const {
    const PlanChoice* choice = choiceOf(plan);
    const PlanRunPointer chosen = choice ? find(choice->beside) : nullptr;
    return chosen == shown(plan) ? nullptr : chosen;
}

void PlanRuns::show(int run) {
    const PlanRunPointer chosen = find(run);
    PlanChoice* choice = chosen ? choiceOf(chosen->plan) : nullptr;
    if (!choice || choice->shown == run)
        return;
    choice->shown = run;
    Q_EMIT changed();
}

void PlanRuns::setBeside(int plan, int run) {
    PlanChoice* choice = choiceOf(plan);
    if (!choice || choice->beside == run)
        return;
    choice->beside = run;
    Q_EMIT changed();
}

void PlanRuns::remove(int run) {
    if (std::erase_if(m_runs, [run](const PlanRunPointer& one) { return one->id == run; }) > 0)
        Q_EMIT changed();
}

void PlanRuns::forget() {
    m_job.drop();
    m_offer.reset();
    m_runs.clear();
    m_choices.clear();
    Q_EMIT reading(false);
    Q_EMIT changed();
}

} // namespace pw
