// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/tournament_runner.h"

#include "ui/session/document.h"

#include <mutex>
#include <optional>

namespace pw {

struct TournamentRunner::Mailbox {
    std::mutex mutex;
    int current = -1;
    SearchProgress progress;
    std::vector<TournamentRow> rows; // since the last poll
    std::optional<Status> done;
};

class TournamentRunner::Observer : public TournamentObserver {
public:
    explicit Observer(Mailbox& mailbox) : m_mailbox(mailbox) {}

    void entered(std::size_t entrant) override {
        const std::lock_guard lock(m_mailbox.mutex);
        m_mailbox.current = static_cast<int>(entrant);
        m_mailbox.progress = {};
    }
    void progress(const SearchProgress& progress) override {
        const std::lock_guard lock(m_mailbox.mutex);
        m_mailbox.progress = progress;
    }
    void left(const TournamentRow& row) override {
        const std::lock_guard lock(m_mailbox.mutex);
        m_mailbox.current = -1;
        m_mailbox.rows.push_back(row);
    }

private:
    Mailbox& m_mailbox;
};

TournamentRunner::TournamentRunner(Document& document, QObject* parent)
    : QObject(parent), m_document(document), m_job([this](bool ended) { look(ended); }) {}

TournamentRunner::~TournamentRunner() = default;

bool TournamentRunner::start(const SearchOptions& options) {
    if (isRunning())
        return false;
    std::shared_ptr<const Problem> problem = m_document.problem();
    if (!problem)
        return false;
    clear();
    m_problem = std::move(problem);
    const bool partitions = options.partitions || m_problem->space().partitions;
    for (const Entrant& whole : allPlanners()) {
        m_entrants.push_back(whole);
        for (const Entrant& ablation : m_ablations)
            if (ablation.planner == whole.planner && (partitions || ablation.without.front() != "partition"))
                m_entrants.push_back(ablation);
    }
    SearchOptions given = options;
    given.without.clear();
    given.trace = m_trace;
    m_mailbox = std::make_shared<Mailbox>();
    m_job.start([mailbox = m_mailbox, asked = m_problem, given = std::move(given),
                 entrants = m_entrants](const std::stop_token& stop) {
        Observer observer(*mailbox);
        const Result<Tournament> compared = searchEach(asked, given, entrants, observer, stop);
        const std::lock_guard lock(mailbox->mutex);
        mailbox->done.emplace(compared ? Status(Ok{}) : Status(compared.error()));
    });
    Q_EMIT started();
    return true;
}

void TournamentRunner::stop() {
    m_job.stop();
}

void TournamentRunner::look(bool ended) {
    std::vector<TournamentRow> rows;
    std::optional<Status> done;
    {
        const std::lock_guard lock(m_mailbox->mutex);
        m_current = m_mailbox->current;
        m_progress = m_mailbox->progress;
        rows.swap(m_mailbox->rows);
        done.swap(m_mailbox->done);
    }
    for (TournamentRow& row : rows)
        m_tournament.add(std::move(row));
    if (!ended)
        return Q_EMIT progressed();
    if (!*done) {
        clear();
        m_failure = done->error();
        Q_EMIT forgotten();
    }
    Q_EMIT finished();
}

void TournamentRunner::forget() {
    clear();
    Q_EMIT forgotten();
}

void TournamentRunner::clear() {
    m_job.abandon();
    m_entrants.clear();
    m_tournament = {};
    m_current = -1;
    m_progress = {};
    m_failure.reset();
    m_problem.reset();
}

} // namespace pw
