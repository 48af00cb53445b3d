// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/ask.h"

#include "core/answers/answer_so_far.h"
#include "core/answers/surer.h"
#include "core/answers/target_search.h"
#include "core/search/behind.h"
#include "core/search/planners.h"
#include "core/search/proof/scope_coverage.h"

#include <algorithm>

namespace pw {

namespace {

void add(Answer& answer, const Diagnostic& note) {
    SearchOutcome& found = answer.deadline ? answer.deadline->outcome
                           : answer.front  ? answer.front->outcome
                                           : answer.outcome;
    found.notes.push_back(note);
    if (answer.refused)
        answer.refused->because(note);
}

Seconds fastestOf(const std::optional<SearchOutcome>& outcome) {
    return outcome && !outcome->plans.empty() ? outcome->plans.front().evaluation.iteration : Seconds();
}

// What was found, without what it took to find it.
SearchOutcome plansOf(const SearchOutcome& outcome) {
    SearchOutcome found;
    found.status = SearchStatus::Feasible;
    found.plans = outcome.plans;
    found.differing = outcome.differing;
    return found;
}

// Plans for a target are plans: what is proven of those for any trainer holds for them, as far as it speaks
// of the best one that the target can run.
void takeBound(const Problem& open, const Problem& asked, const std::optional<SearchOutcome>& any,
               Answer& answer) {
    SearchOutcome& outcome = answer.outcome;
    if (!any || any->bound.value.value <= 0.0 || outcome.bound.value.value > 0.0 || outcome.plans.empty() ||
        asked.hash() != open.hash() || !contains(any->bound.scope, open, outcome.plans.front().plan))
        return;
    outcome.bound = any->bound;
    outcome.covered = true;
    if (outcome.status != SearchStatus::Stopped && outcome.meetsBound())
        outcome.status = SearchStatus::Optimal;
}

// What is found under another question is no plan of this one yet.
class WithoutPlans : public SearchObserver {
public:
    WithoutPlans(SearchObserver& to, const SearchOutcome& known) : m_to(to), m_known(known) {}
    void progress(const SearchProgress& now) override {
        SearchProgress all = now;
        all.best = m_known.plans.front().evaluation.iteration;
        all.bound = m_known.bound.value;
        m_to.progress(all);
    }

private:
    SearchObserver& m_to;
    const SearchOutcome& m_known;
};

// The searches of one question: for its target, with its planner and budget.
class Asking {
public:
    Asking(const Question& question, QuestionObserver& observer, const std::stop_token& stop)
        : m_options(question.options), m_observer(observer), m_inTurn(observer), m_stop(stop),
          m_top(static_cast<std::size_t>(question.options.top)), m_target(constraining(question)) {
        if (!question.required.empty() || (!question.entrants.empty() && m_target != nullptr))
            m_options.top = std::max(m_options.top, kLookedThrough);
        m_searcher = [this](const std::shared_ptr<const Problem>& asked) {
            return searched(asked, m_target);
        };
    }
    Asking(const Asking&) = delete;
    Asking& operator=(const Asking&) = delete;

    const ExporterRow* target() const { return m_target; }
    Result<Answer> fastest(TargetQuestion& asked, const Question& question,
                           const std::shared_ptr<const Problem>& open);
    Result<SearchOutcome> searchedForAny(const std::shared_ptr<const Problem>& open,
                                         const std::vector<std::string>& required);
    Result<Answer> byEach(std::shared_ptr<const Problem> problem, const std::vector<Entrant>& entrants);
    Result<Answer> byTrainer(std::shared_ptr<const Problem> problem);
    Result<Answer> fewest(const std::shared_ptr<const Problem>& problem, const Question& question);
    Result<Answer> tradedOff(std::shared_ptr<const Problem> problem, const Question& question);
    Answer judged(std::shared_ptr<const Problem> problem, const FoundPlan& present);
    Status addAround(Answer& answer);

private:
    Result<SearchOutcome> searched(const std::shared_ptr<const Problem>& asked, const ExporterRow* target);
    Status addSurerTo(Answer& answer, const std::vector<std::string>& required);

    SearchOptions m_options;
    QuestionObserver& m_observer;
    ProgressInTurn m_inTurn; // of the searches by one planner
    const std::stop_token& m_stop;
    std::size_t m_top; // plans that are wanted; m_options.top may look through more
    const ExporterRow* m_target;
    std::optional<Error> m_unrunnable; // of the last search for the target
    Searcher m_searcher;
};

Result<SearchOutcome> Asking::searched(const std::shared_ptr<const Problem>& asked,
                                       const ExporterRow* target) {
    m_observer.begins();
    Result<SearchOutcome> outcome =
        target != nullptr ? searchForTarget(asked, m_options, *target, m_inTurn, m_stop, m_unrunnable)
                          : search(asked, m_options, m_inTurn, m_stop);
    if (outcome)
        m_inTurn.ended(*outcome);
    m_observer.ends();
    return outcome;
}

// `open`: the problem for any trainer. `asked` becomes what the plans answer.
Result<Answer> Asking::fastest(TargetQuestion& asked, const Question& question,
                               const std::shared_ptr<const Problem>& open) {
    Answer answer;
    answer.problem = asked.problem;
    if (question.around && question.found) {
        answer.outcome = *question.found;
        answer.refused = refusalOf(answer.outcome);
        return answer;
    }
    const Searcher complying = [&](const std::shared_ptr<const Problem>& of) {
        return question.required.empty() ? m_searcher(of)
                                         : searchRequiring(of, question.required, m_top, m_searcher, m_stop);
    };
    Result<SearchOutcome> outcome = complying(answer.problem);
    if (!outcome)
        return outcome.error();
    answer.outcome = *std::move(outcome);
    std::optional<SearchOutcome> any; // for any trainer, once that is asked
    const auto askForAny = [&]() -> Status {
        if (m_target == nullptr || answer.outcome.plans.empty() || any)
            return Ok{};
        Result<SearchOutcome> found = searchedForAny(open, question.required);
        if (!found)
            return found.error();
        any = *std::move(found);
        takeKnown(*answer.problem, *m_target, *open, plansOf(*any), m_top, answer.outcome);
        return Ok{};
    };
    if (const Status known = askForAny(); !known)
        return known.error();
    std::optional<Diagnostic> failed;
    if (m_target != nullptr && question.fewerKinds && !m_stop.stop_requested()) {
        const std::optional<Error> unrunnable = m_unrunnable;
        failed = askWithFewerKinds(asked, *m_target, {m_top, fastestOf(any), question.required}, complying,
                                   answer.outcome);
        if (asked.problem == answer.problem) // the answer is that of the search before
            m_unrunnable = unrunnable;
        answer.problem = asked.problem;
    }
    if (answer.outcome.plans.empty()) {
        answer.refused = m_unrunnable ? m_unrunnable : refusalOf(answer.outcome);
        if (!m_unrunnable && !question.required.empty() && answer.refused->kind == ErrorKind::Infeasible)
            answer.refused = infeasible("search.infeasible", "",
                                        "no plan was found that can run and uses all that is required",
                                        answer.outcome.reasons);
    }
    if (failed)
        add(answer, *failed);
    if (answer.refused)
        return answer;
    if (question.surer)
        if (const Status added = addSurerTo(answer, question.required); !added) // the answer stands
            add(answer, Diagnostic(Severity::Note, added.error()));
    if (m_target == nullptr)
        return answer;
    if (const Status known = askForAny(); !known) // where only the last search found plans
        return known.error();
    const Seconds best = answer.outcome.plans.front().evaluation.iteration;
    answer.target = TargetCost{m_target, best, std::min(best, fastestOf(any))};
    takeBound(*open, *answer.problem, any, answer);
    return answer;
}

// Within what is left of the time.
Status Asking::addSurerTo(Answer& answer, const std::vector<std::string>& required) {
    constexpr double kWorthwhile = 0.05; // of the time limit
    SearchOptions options = m_options;
    const double left = options.timeLimit - answer.outcome.wall;
    if (m_stop.stop_requested() || !wantsSurer(*answer.problem, answer.outcome) ||
        (options.timeLimit > 0.0 && left < kWorthwhile * options.timeLimit))
        return Ok{};
    options.timeLimit = options.timeLimit > 0.0 ? left : 0.0;
    options.work = workForSurer(answer.outcome);
    options.proves = false;
    if (required.empty())
        options.top = 1;
    WithoutPlans progress(m_inTurn, answer.outcome);
    std::optional<Error> unrunnable; // is an answer, too
    const Searcher search = [&](const std::shared_ptr<const Problem>& of) {
        return m_target != nullptr ? searchForTarget(of, options, *m_target, progress, m_stop, unrunnable)
                                   : pw::search(of, options, progress, m_stop);
    };
    return addSurer(
        answer.problem,
        [&](const std::shared_ptr<const Problem>& of) {
            return required.empty() ? search(of) : searchRequiring(of, required, 1, search, m_stop);
        },
        answer.outcome);
}

// What a target costs shows beside an open search with the same budget.
Result<SearchOutcome> Asking::searchedForAny(const std::shared_ptr<const Problem>& open,
                                             const std::vector<std::string>& required) {
    const auto forAny = [this](const std::shared_ptr<const Problem>& of) { return searched(of, nullptr); };
    return required.empty() ? forAny(open) : searchRequiring(open, required, m_top, forAny, m_stop);
}

Result<Answer> Asking::byEach(std::shared_ptr<const Problem> problem, const std::vector<Entrant>& entrants) {
    KeepPlans filter;
    if (m_target != nullptr) {
        if (std::optional<Error> never = neverRuns(*problem, *m_target))
            return *std::move(never);
        Space space = problem->space();
        restrictTo(m_target->capability, space);
        restrictTo(m_target->capability, m_options);
        problem = problem->withSpace(std::move(space));
        filter = [&](SearchOutcome& outcome) { return keepRunnable(*problem, *m_target, m_top, outcome); };
    }
    m_observer.begins();
    Result<Tournament> tournament = searchEach(problem, m_options, entrants, m_observer, m_stop, filter);
    m_observer.ends();
    if (!tournament)
        return tournament.error();
    Answer answer;
    answer.problem = std::move(problem);
    answer.outcome = tournament->overall();
    answer.refused = refusalOf(answer.outcome);
    answer.tournament = *std::move(tournament);
    return answer;
}

Result<Answer> Asking::byTrainer(std::shared_ptr<const Problem> problem) {
    m_observer.begins();
    Result<BestByTrainer> best = bestByTrainer(problem, m_options, m_observer, m_stop);
    m_observer.ends();
    if (!best)
        return best.error();
    Answer answer;
    answer.problem = std::move(problem);
    answer.outcome = best->open;
    answer.refused = refusalOf(answer.outcome);
    answer.trainers = *std::move(best);
    return answer;
}

Result<Answer> Asking::fewest(const std::shared_ptr<const Problem>& problem, const Question& question) {
    Result<DeadlineAnswer> found = meetDeadline(problem, question.deadline, m_searcher, m_stop);
    if (!found)
        return found.error();
    found->run = question.run;
    if (!found->problem)
        return *refusalOf(*found); // stopped before anything was searched
    Answer answer;
    answer.problem = found->problem;
    answer.refused = refusalOf(*found);
    answer.deadline = *std::move(found);
    return answer;
}

Result<Answer> Asking::tradedOff(std::shared_ptr<const Problem> problem, const Question& question) {
    Result<ParetoFront> front =
        paretoFront(problem, question.objective, m_searcher, m_stop, question.deadline);
    if (!front)
        return front.error();
    front->run = question.run;
    Answer answer;
    answer.problem = std::move(problem);
    answer.refused = refusalOf(*front);
    answer.front = *std::move(front);
    return answer;
}

// Where the search finds nothing, or cannot be made for the trainer, the plan at hand is judged all the same.
Answer Asking::judged(std::shared_ptr<const Problem> problem, const FoundPlan& present) {
    if (m_target != nullptr) {
        Space space = problem->space();
        restrictTo(m_target->capability, space);
        problem = problem->withSpace(std::move(space));
    }
    Answer answer;
    answer.problem = std::move(problem);
    Result<SearchOutcome> outcome = m_searcher(answer.problem);
    if (outcome)
        answer.outcome = *std::move(outcome);
    answer.refused = !outcome ? outcome.error() : m_unrunnable ? m_unrunnable : refusalOf(answer.outcome);
    answer.verdict = verdictOn(present, answer.problem, answer.outcome, m_target);
    return answer;
}

Status Asking::addAround(Answer& answer) {
    Result<Answers> around = answersAround(*answer.problem, answer.found(), m_searcher, m_stop);
    if (!around)
        return around.error();
    answer.around = *std::move(around);
    return Ok{};
}

} // namespace

Result<Answer> ask(const std::shared_ptr<const Problem>& problem, const Question& question,
                   QuestionObserver& observer, const std::stop_token& stop) {
    if (const Clash* clash = clashOf(question))
        return errorOf(*clash);
    if (const Status sound = checkRequired(*problem, question.required); !sound)
        return sound.error();
    if (const Status possible = checkObjective(*problem, question.objective); !possible)
        return possible.error();
    Asking asking(question, observer, stop);
    if (question.everyTrainer)
        return asking.byTrainer(problem);
    TargetQuestion asked = askedFor(problem, question);
    Result<Answer> answer = question.judged              ? asking.judged(asked.problem, *question.judged)
                            : !question.entrants.empty() ? asking.byEach(asked.problem, question.entrants)
                            : question.objective != Objective::Time
                                ? asking.tradedOff(asked.problem, question)
                            : question.deadline.value > 0.0 ? asking.fewest(asked.problem, question)
                                                            : asking.fastest(asked, question, problem);
    if (answer && question.around && !answer->refused)
        if (const Status added = asking.addAround(*answer); !added)
            return added.error();
    if (answer && asking.target())
        if (const auto note = noteOf(asked, *problem, *asking.target()))
            add(*answer, *note);
    return answer;
}

} // namespace pw
