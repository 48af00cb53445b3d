// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/tournament.h"
#include "ui/base/background_job.h"
#include "ui/session/search_demand.h"

#include <QObject>

#include <memory>
#include <optional>
#include <vector>

namespace pw {

class Document;

// Runs all planners on the document's problem, one after the other, in the background.
class TournamentRunner : public QObject {
    Q_OBJECT

public:
    explicit TournamentRunner(Document& document, QObject* parent = nullptr);
    ~TournamentRunner() override;

    // Out of allAblations(): further searches of the next run, each behind its planner's own.
    const std::vector<Entrant>& ablations() const { return m_ablations; }
    void setAblations(std::vector<Entrant> ablations) { m_ablations = std::move(ablations); }

    void setTrace(TraceSink* trace) { m_trace = trace; } // of searches to come; outlives them

    bool isRunning() const { return m_job.isRunning(); }
    // Limits, seed and Space are those of `options`; its planner and parts left out are not read. False if
    // the document asks no question yet, a tournament runs, or what is demanded cannot be asked of all
    // planners, which failure() says then.
    bool start(const SearchOptions& options, const SearchDemand& demand = {});
    void stop(); // asks; finished() follows with what was found

    // Of the running or the last tournament.
    const std::vector<Entrant>& entrants() const { return m_entrants; }
    const Tournament& tournament() const { return m_tournament; }     // those that have ended, in their order
    int current() const { return m_current; }                         // the entrant that searches, -1 = none
    const SearchProgress& progress() const { return m_progress; }     // of that one
    const std::optional<Error>& failure() const { return m_failure; } // why nothing could be compared
    std::shared_ptr<const Problem> problem() const { return m_problem; }
    const SearchDemand& demanded() const { return m_asked; }
    void forget(); // another project: nothing was compared

Q_SIGNALS:
    void started();
    void progressed();
    void finished();
    void forgotten();

private:
    struct News;
    class Observer;
    void clear();
    void follow(const std::shared_ptr<const Problem>& before, const std::shared_ptr<const Problem>& now);
    void look();
    void end(const Status& compared);

    Document& m_document;
    TraceSink* m_trace = nullptr;
    std::vector<Entrant> m_ablations, m_entrants;
    std::shared_ptr<const Problem> m_problem;
    SearchDemand m_asked;
    Tournament m_tournament;
    int m_current = -1;
    SearchProgress m_progress;
    std::optional<Error> m_failure;
    std::shared_ptr<Mailbox<News>> m_mailbox;
    BackgroundJob m_job; // last: it uses the above
};

} // namespace pw
