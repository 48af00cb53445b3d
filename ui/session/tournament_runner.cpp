// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/tournament_runner.h"

#include "core/answers/ask.h"
#include "ui/session/document.h"

namespace pw {

struct TournamentRunner::News {
    int current = -1;
    SearchProgress progress;
    std::vector<TournamentRow> rows; // since the last tick
};

class TournamentRunner::Observer : public QuestionObserver {
public:
    explicit Observer(Mailbox<News>& mailbox) : m_mailbox(mailbox) {}

    void entered(std::size_t entrant) override {
        m_mailbox.write([&](News& news) {
            news.current = static_cast<int>(entrant);
            news.progress = {};
        });
    }
    void progress(const SearchProgress& progress) override {
        m_mailbox.write([&](News& news) { news.progress = progress; });
    }
    void left(const TournamentRow& row) override {
        m_mailbox.write([&](News& news) {
            news.current = -1;
            news.rows.push_back(row);
        });
    }

private:
    Mailbox<News>& m_mailbox;
};

TournamentRunner::TournamentRunner(Document& document, QObject* parent)
    : QObject(parent), m_document(document), m_job([this] { look(); }) {
    connect(&document, &Document::renamed, this, &TournamentRunner::follow);
}

TournamentRunner::~TournamentRunner() = default;

void TournamentRunner::follow(const std::shared_ptr<const Problem>& before,
                              const std::shared_ptr<const Problem>& now) {
    if (m_problem && m_problem->hash() == before->hash())
        m_problem = now;
    m_asked = m_asked.renamed(*before, *now);
}

bool TournamentRunner::start(const SearchOptions& options, const SearchDemand& demand) {
    if (isRunning())
        return false;
    std::shared_ptr<const Problem> problem = m_document.problem();
    if (!problem)
        return false;
    clear();
    Question question = demand.question(options);
    question.options.without.clear();
    question.options.trace = m_trace;
    question.entrants = allPlannersWith(m_ablations, *problem, options);
    if (const Clash* clash = clashOf(question)) {
        m_failure = clashError(*clash);
        Q_EMIT forgotten();
        return false;
    }
    m_problem = std::move(problem);
    m_asked = demand;
    m_entrants = question.entrants;
    m_mailbox = std::make_shared<Mailbox<News>>();
    m_job.start(
        [mailbox = m_mailbox, asked = m_problem, question = std::move(question),
         demand](const std::stop_token& stop) {
            Observer observer(*mailbox);
            const Result<Answer> compared = ask(demand.narrowed(asked), question, observer, stop);
            return compared ? Status(Ok{}) : Status(compared.error()); // its rows are in the mailbox
        },
        [this](const Status& compared) { end(compared); });
    Q_EMIT started();
    return true;
}

void TournamentRunner::stop() {
    m_job.stop();
}

void TournamentRunner::look() {
    std::vector<TournamentRow> rows;
    m_mailbox->write([&](News& news) {
        m_current = news.current;
        m_progress = news.progress;
        rows.swap(news.rows);
    });
    for (TournamentRow& row : rows)
        m_tournament.add(std::move(row));
    Q_EMIT progressed();
}

void TournamentRunner::end(const Status& compared) {
    if (!compared) {
        clear();
        m_failure = compared.error();
        Q_EMIT forgotten();
    }
    Q_EMIT finished();
}

void TournamentRunner::forget() {
    clear();
    Q_EMIT forgotten();
}

void TournamentRunner::clear() {
    m_job.drop();
    m_entrants.clear();
    m_tournament = {};
    m_current = -1;
    m_progress = {};
    m_failure.reset();
    m_problem.reset();
    m_asked = {};
}

} // namespace pw
