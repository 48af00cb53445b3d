// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/search_runner.h"

#include "core/answers/ask.h"
#include "core/search/proof/scope_coverage.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"

#include <algorithm>

namespace pw {

struct SearchRunner::Shared {
    struct News {
        SearchProgress progress;
        std::vector<HistoryPoint> history; // since the last tick
        std::vector<FoundPlan> found;      // since the last tick
    };
    Mailbox<News> mailbox;
    Pause pause;
};

struct SearchRunner::Found {
    SearchOutcome outcome;
    std::optional<Error> refused;
    Seconds unrestricted;
};

// Of a search with a demand only the end counts: what it finds on the way may be what it refuses then.
class SearchRunner::Observer : public QuestionObserver {
public:
    Observer(Shared& shared, bool demands, std::stop_token stop)
        : m_shared(shared), m_demands(demands), m_stop(std::move(stop)) {}

    void progress(const SearchProgress& told) override {
        SearchProgress progress = told;
        if (m_demands)
            progress.best = progress.bound = {};
        m_shared.mailbox.write([&](Shared::News& news) {
            if (progress.best != news.progress.best || progress.bound != news.progress.bound)
                news.history.push_back({progress.work, progress.best, progress.bound});
            news.progress = progress;
        });
        m_shared.pause.pass(m_stop); // reported between rounds: who waits here holds the whole search
    }

    void found(const FoundPlan& plan) override {
        if (m_demands)
            return;
        m_shared.mailbox.write([&](Shared::News& news) { news.found.push_back(plan); });
    }

private:
    Shared& m_shared;
    bool m_demands;
    std::stop_token m_stop;
};

SearchRunner::SearchRunner(Document& document, Candidates& candidates, QObject* parent)
    : QObject(parent), m_document(document), m_candidates(candidates), m_job([this] { look(); }) {
    connect(&document, &Document::renamed, this, &SearchRunner::follow);
    m_announce.setSingleShot(true);
    connect(&m_announce, &QTimer::timeout, this, &SearchRunner::announce);
}

SearchRunner::~SearchRunner() = default;

void SearchRunner::follow(const std::shared_ptr<const Problem>& before,
                          const std::shared_ptr<const Problem>& now) {
    for (std::shared_ptr<const Problem>* own : {&m_problem, &m_unrun, &m_before.problem})
        if (*own && (*own)->hash() == before->hash())
            *own = now;
    for (SearchDemand* asked : {&m_asked, &m_unrunAsked, &m_before.asked})
        *asked = asked->renamed(*before, *now);
    if (SearchDemand demand = m_demand.renamed(*before, *now); demand != m_demand)
        setDemand(demand);
}

bool SearchRunner::start() {
    if (isRunning())
        return false;
    std::shared_ptr<const Problem> problem = m_document.problem();
    if (!problem)
        return false;
    Before before{m_problem, m_outcome, m_bestId, m_asked, m_unrestricted};
    clear();
    m_before = std::move(before);
    m_problem = std::move(problem);
    m_used = m_options;
    m_used.trace = m_trace;
    m_asked = m_demand;
    m_stopAsked = false;
    m_shared = std::make_shared<Shared>();
    m_job.start(
        [shared = m_shared, asked = m_problem, options = m_used,
         demand = m_asked](const std::stop_token& stop) -> Result<Found> {
            Observer observer(*shared, demand.limitsPlans(), stop);
            Result<Answer> answer = ask(demand.narrowed(asked), demand.question(options), observer, stop);
            if (!answer)
                return answer.error();
            Found found{std::move(answer->outcome), std::nullopt, {}};
            if (demand.limitsPlans())
                found.refused = std::move(answer->refused);
            if (answer->target)
                found.unrestricted = answer->target->unrestricted;
            // Of fewer kinds than the project has: no plans of it until these stand under Leave out.
            const auto leftOut = std::ranges::find(found.outcome.notes, "search.left_out", &Diagnostic::code);
            if (leftOut != found.outcome.notes.end() && !found.outcome.plans.empty()) {
                found.refused = infeasible(leftOut->code, demand.target->format, *leftOut);
                found.outcome.plans.clear();
                found.outcome.differing.clear();
                found.unrestricted = {};
            }
            return found;
        },
        [this](Result<Found> found) { end(std::move(found)); });
    Q_EMIT started();
    return true;
}

void SearchRunner::presetOptions(const SearchOptions& options) {
    m_options = options;
    Q_EMIT optionsPreset();
}

void SearchRunner::setDemand(const SearchDemand& demand) {
    m_demand = demand;
    Q_EMIT demandChanged();
}

void SearchRunner::setWaitsFor(const QStringList& refusals) {
    if (refusals == m_waitsFor)
        return;
    m_waitsFor = refusals;
    Q_EMIT waitsForChanged();
}

bool SearchRunner::differs(const std::shared_ptr<const Problem>& from, const SearchDemand& asked,
                           const std::shared_ptr<const Problem>& now) const {
    return !isRunning() && from && (!now || now->hash() != from->hash() || asked != m_demand);
}

bool SearchRunner::isStale(const std::shared_ptr<const Problem>& now) const {
    return differs(m_problem, m_asked, now);
}

bool SearchRunner::isEndStale(const std::shared_ptr<const Problem>& now) const {
    return differs(asked(), m_unrun ? m_unrunAsked : m_asked, now);
}

void SearchRunner::stop() {
    if (!isRunning())
        return;
    m_stopAsked = true;
    m_job.stop();
    setPaused(false);
}

void SearchRunner::setPaused(bool paused) {
    if (!isRunning() || paused == m_paused)
        return;
    m_paused = paused;
    m_shared->pause.set(paused);
    Q_EMIT pausedChanged(paused);
    Q_EMIT progressed();
}

void SearchRunner::look() {
    std::vector<FoundPlan> found;
    m_shared->mailbox.write([&](Shared::News& news) {
        m_progress = news.progress;
        m_history.insert(m_history.end(), news.history.begin(), news.history.end());
        news.history.clear();
        found.swap(news.found);
    });
    if (take(found))
        m_announce.start();
    Q_EMIT progressed();
}

void SearchRunner::restore(std::shared_ptr<const Problem> problem, SearchOutcome outcome,
                           const SearchDemand& demand, Seconds unrestricted) {
    clear();
    m_asked = demand;
    m_unrestricted = unrestricted;
    m_problem = std::move(problem);
    adopt(std::move(outcome));
    if (m_outcome && take(m_outcome->plans))
        announce();
    Q_EMIT replaced();
}

void SearchRunner::adopt(SearchOutcome outcome) {
    m_outcome = std::move(outcome);
    m_spokenOf.clear();
    m_progress.work = m_outcome->work;
    m_progress.evaluated = m_outcome->evaluated;
    m_progress.rejected = m_outcome->rejected;
    m_progress.elapsed = m_outcome->wall;
    m_progress.bound = m_outcome->bound.value;
    if (!m_outcome->plans.empty())
        m_progress.best = m_outcome->plans.front().evaluation.iteration;
}

void SearchRunner::end(Result<Found> found) {
    m_paused = false;
    if (found) {
        m_refused = std::move(found->refused);
        m_unrestricted = found->unrestricted;
        adopt(std::move(found->outcome));
        m_history.push_back({m_progress.work, m_progress.best, m_progress.bound});
        std::vector<FoundPlan> plans = m_outcome->plans;
        plans.insert(plans.end(), m_outcome->differing.begin(), m_outcome->differing.end());
        if (take(plans) || m_announce.isActive())
            announce();
    } else {
        const bool untold = m_announce.isActive();
        m_announce.stop();
        m_failure = found.error();
        m_unrun = m_problem;
        m_unrunAsked = m_asked;
        if (m_before.outcome) { // nothing was run: what is proven of the plans that are there still is
            m_problem = std::move(m_before.problem);
            m_asked = std::move(m_before.asked);
            m_unrestricted = m_before.unrestricted;
            adopt(*std::move(m_before.outcome));
            m_bestId = m_before.best;
        } else if (untold) {
            announce();
        }
    }
    m_before = {};
    Q_EMIT progressed();
    Q_EMIT finished();
}

// Whether there is a new best one.
bool SearchRunner::take(const std::vector<FoundPlan>& plans) {
    const int best = plans.empty() ? -1 : m_candidates.add(m_problem, plans, tr("searched"));
    if (best < 0 || best == m_bestId)
        return false;
    m_bestId = best;
    m_found.push_back(best);
    return true;
}

void SearchRunner::announce() {
    m_announce.stop();
    Q_EMIT bestFound(m_bestId);
}

void SearchRunner::forget() {
    clear();
    Q_EMIT replaced();
}

void SearchRunner::clear() {
    stop(); // lets one that is held go on to its end
    m_job.drop();
    m_announce.stop();
    m_progress = {};
    m_history.clear();
    m_outcome.reset();
    m_spokenOf.clear();
    m_failure.reset();
    m_refused.reset();
    m_unrestricted = {};
    m_asked = {};
    m_unrunAsked = {};
    m_bestId = -1;
    m_before = {};
    m_found.clear();
    m_problem.reset();
    m_unrun.reset();
}

Seconds SearchRunner::boundFor(const Candidate& plan) const {
    if (!m_problem || Candidates::isStale(plan, m_problem) || m_progress.bound.value <= 0.0)
        return {};
    if (!m_outcome) // the scope comes with the end; until then of what the search itself finds
        return plan.base.isEmpty() ? m_progress.bound : Seconds();
    const auto [at, fresh] = m_spokenOf.try_emplace({plan.id, plan.revision});
    if (fresh)
        at->second = contains(m_outcome->bound.scope, *plan.problem, plan.plan);
    return at->second ? m_progress.bound : Seconds();
}

QString SearchRunner::noPlanText(const std::shared_ptr<const Problem>& problem) const {
    if (isRunning() || !problem || !asked() || isEndStale(problem))
        return {};
    if (m_failure)
        return sentence(*m_failure);
    if (!m_outcome)
        return {};
    if (m_refused)
        return sentence(*m_refused);
    return m_outcome->status == SearchStatus::Infeasible ? endText() : QString();
}

QString SearchRunner::endWord() const {
    if (isRunning())
        return m_paused ? tr("Paused") : tr("Searching");
    if (m_failure)
        return tr("Not run");
    if (!m_outcome)
        return m_candidates.all().empty() ? tr("Nothing searched yet")
                                          : tr("Not searched since it was opened");
    if (m_refused && m_outcome->status == SearchStatus::Feasible)
        return tr("No such plan");
    switch (m_outcome->status) {
    case SearchStatus::Optimal:
        return tr("Optimal");
    case SearchStatus::Feasible:
        return tr("Feasible");
    case SearchStatus::Infeasible:
        return tr("Infeasible");
    case SearchStatus::Stopped:
        return m_outcome->plans.empty() ? tr("Stopped early") : tr("Interrupted");
    case SearchStatus::Budget:
        if (m_outcome->plans.empty())
            return tr("Stopped early");
        return m_outcome->timeLimit ? tr("Time limit") : tr("Work limit");
    }
    return {};
}

QString SearchRunner::costText() const {
    const Candidate* best = m_candidates.find(m_bestId);
    if (!m_asked.target || !best || m_unrestricted.value <= 0.0)
        return {};
    const TargetCost cost{m_asked.target, best->evaluation.iteration, m_unrestricted};
    return sentence(textOf(cost));
}

QString SearchRunner::endText() const {
    if (isRunning()) {
        const QString done = m_progress.workLimit > 0
                                 ? tr("%1 of %2 stage candidates")
                                       .arg(countText(m_progress.work), countText(m_progress.workLimit))
                                 : tr("%1 stage candidates").arg(countText(m_progress.work));
        return tr("%1, %2 s").arg(done).arg(m_progress.elapsed, 0, 'f', 2);
    }
    if (m_failure)
        return errorText(*m_failure);
    if (!m_outcome)
        return {};
    switch (m_outcome->status) {
    case SearchStatus::Optimal:
        return tr("bound reached");
    case SearchStatus::Feasible:
        return tr("planner finished, gap left");
    case SearchStatus::Infeasible:
        return m_outcome->reasons.empty() ? tr("no plan fits") : sentence(m_outcome->reasons.front());
    case SearchStatus::Stopped:
        return tr("stopped by you at %1 s").arg(m_outcome->wall, 0, 'f', 2);
    case SearchStatus::Budget:
        return m_outcome->timeLimit ? tr("ended after %1 s").arg(m_outcome->wall, 0, 'f', 2)
                                    : tr("%1 stage candidates").arg(countText(m_outcome->work));
    }
    return {};
}

} // namespace pw
