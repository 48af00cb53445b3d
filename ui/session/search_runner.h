// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.h"
#include "ui/base/background_job.h"
#include "ui/session/search_demand.h"

#include <QObject>
#include <QString>
#include <QTimer>

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace pw {

struct Candidate;
class Candidates;
class Document;

// Runs core's search in the background.
//
//   search thread:  progress() found()  ->  mailbox  <- tick ->  candidates, history, progressed()
class SearchRunner : public QObject {
    Q_OBJECT

public:
    // One corner of the convergence plot: the best time and the bound known after so much work.
    struct HistoryPoint {
        std::int64_t work = 0;
        Seconds best, bound; // 0 = none yet
    };

    SearchRunner(Document& document, Candidates& candidates, QObject* parent = nullptr);
    ~SearchRunner() override;

    const SearchOptions& options() const { return m_options; }
    void setOptions(const SearchOptions& options) { m_options = options; }
    // The same from elsewhere than the form of the options, which follows.
    void presetOptions(const SearchOptions& options);

    const SearchDemand& demand() const { return m_demand; }
    void setDemand(const SearchDemand& demand);

    // Of the first field of the search's form that is refused; a run waits for it. Empty: all are sound.
    const QStringList& waitsFor() const { return m_waitsFor; }
    void setWaitsFor(const QStringList& refusals);

    void setTrace(TraceSink* trace) { m_trace = trace; } // of searches to come; outlives them

    bool isRunning() const { return m_job.isRunning(); }
    bool start(); // false if the document asks no question yet, or a search runs
    void stop();  // asks; finished() follows with what was found
    // Holds the search at its next round and lets it go on; what was found stays to be looked at. A time
    // limit runs on.
    void setPaused(bool paused);
    bool isPaused() const { return m_paused; }

    // Of the running or the last search.
    const SearchProgress& progress() const { return m_progress; }
    const std::vector<HistoryPoint>& history() const { return m_history; }
    const std::optional<SearchOutcome>& outcome() const {
        return m_outcome;
    } // empty while running and before the first
    const std::optional<Error>& failure() const { return m_failure; } // why a search could not run
    // Why there is no plan, where some were found that the demand refuses.
    const std::optional<Error>& refused() const { return m_refused; }
    // Of the running search or that which found what is known.
    const SearchDemand& demanded() const { return m_asked; }
    // What the trainer costs beside a search for any, as a sentence; empty: none was asked for, or no plan.
    QString costText() const;
    Seconds unrestricted() const {
        return m_unrestricted;
    }                                       // of the fastest plan for any trainer; 0: not known
    int bestId() const { return m_bestId; } // in Candidates, -1 = none
    const std::vector<int>& found() const { return m_found; } // ids of new best plans, in order
    std::shared_ptr<const Problem> problem() const { return m_problem; }
    // Of which the end speaks: of problem(), unless the last search could not run and what the one before
    // had found still stands.
    std::shared_ptr<const Problem> asked() const { return m_unrun ? m_unrun : m_problem; }
    // Whether what is known, or the end, is of another state than `now` or was asked of other plans than are
    // asked for by now. What runs is not.
    bool isStale(const std::shared_ptr<const Problem>& now) const;
    bool isEndStale(const std::shared_ptr<const Problem>& now) const;
    // 0 if none is known for the question that it answers, or the one that is does not speak of such plans.
    Seconds boundFor(const Candidate& plan) const;
    // Why this question has no plan, in a line: it was searched as it stands, or could not be. Empty: it has,
    // or no search was asked for.
    QString noPlanText(const std::shared_ptr<const Problem>& problem) const;
    // "Optimal", "Feasible", "Work limit", "Time limit", "Interrupted", "Infeasible", "Stopped early"; with a
    // sentence.
    QString endWord() const;
    QString endText() const;
    // A search that was made before, as a project kept it: with its own plans, and unrestricted(). What is
    // asked for from here on stays as it is.
    void restore(std::shared_ptr<const Problem> problem, SearchOutcome outcome, const SearchDemand& demand,
                 Seconds unrestricted);
    void forget(); // another project: no search was made

Q_SIGNALS:
    void started();
    void progressed();
    void bestFound(int id);
    void finished();
    void replaced(); // what is known is of another search, or of none, without a run
    void demandChanged();
    void waitsForChanged();
    void optionsPreset();
    void pausedChanged(bool paused);

private:
    struct Shared;
    class Observer;
    void clear();
    void follow(const std::shared_ptr<const Problem>& before, const std::shared_ptr<const Problem>& now);
    void look();
    struct Found;   // what a search ends with
    struct Before { // what the one before had found, until this one has begun in earnest
        std::shared_ptr<const Problem> problem;
        std::optional<SearchOutcome> outcome;
        int best = -1;
        SearchDemand asked;
        Seconds unrestricted;
    };
    bool differs(const std::shared_ptr<const Problem>& from, const SearchDemand& asked,
                 const std::shared_ptr<const Problem>& now) const;
    void adopt(SearchOutcome outcome);
    void end(Result<Found> found);
    bool take(const std::vector<FoundPlan>& plans);
    void announce(); // the best plan

    Document& m_document;
    Candidates& m_candidates;
    SearchOptions m_options, m_used;
    SearchDemand m_demand, m_asked, m_unrunAsked; // the last: what failure() was asked of
    QStringList m_waitsFor;
    TraceSink* m_trace = nullptr;
    bool m_stopAsked = false, m_paused = false;
    std::shared_ptr<const Problem> m_problem, m_unrun; // m_unrun: what failure() is of
    SearchProgress m_progress;
    std::vector<HistoryPoint> m_history;
    std::optional<SearchOutcome> m_outcome;
    std::optional<Error> m_failure, m_refused;
    mutable std::map<std::pair<int, int>, bool> m_spokenOf; // by id and revision: does the bound speak of it
    Seconds m_unrestricted;
    int m_bestId = -1;
    Before m_before;
    std::vector<int> m_found;
    // Tells of the best plan once the tables have it: two short waits for the user in place of one.
    QTimer m_announce;
    std::shared_ptr<Shared> m_shared; // with the search that runs
    BackgroundJob m_job;              // last: it uses the above
};

} // namespace pw
