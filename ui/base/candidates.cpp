// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/candidates.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace pw {

namespace {

constexpr std::size_t kDetailsKept = 4; // a compare view shows as many

bool samePlan(const Candidate& candidate, const Problem& problem, const std::string& key) {
    return candidate.key == key && candidate.problem->hash() == problem.hash();
}

bool better(const Candidate& a, const Candidate& b) {
    const auto rank = [](const Candidate& c) {
        return std::tie(c.evaluation.iteration, c.key, c.id); // ties as search() breaks them
    };
    if (a.evaluation.feasible != b.evaluation.feasible)
        return a.evaluation.feasible;
    return rank(a) < rank(b);
}

} // namespace

const Candidate* Candidates::find(int id) const {
    const auto at = std::find_if(m_all.begin(), m_all.end(), [id](const Candidate& c) { return c.id == id; });
    return at == m_all.end() ? nullptr : &*at;
}

const Candidate* Candidates::bestLike(const Candidate& candidate) const {
    const auto at = std::find_if(m_all.begin(), m_all.end(), [&](const Candidate& c) {
        return c.evaluation.feasible && c.problem->hash() == candidate.problem->hash();
    });
    return at == m_all.end() ? nullptr : &*at;
}

std::optional<TimeComparison> Candidates::besideBest(const Candidate& candidate) const {
    const Candidate* best = candidate.evaluation.feasible ? bestLike(candidate) : nullptr;
    if (!best || best->id == candidate.id)
        return std::nullopt;
    return compareTimes(best->features, best->evaluation.iteration, candidate.features,
                        candidate.evaluation.iteration);
}

Candidate* Candidates::editable(int id) {
    return const_cast<Candidate*>(find(id));
}

std::shared_ptr<const CandidateDetail> Candidates::detail(int id) const {
    const auto known = std::find_if(m_details.begin(), m_details.end(),
                                    [id](const auto& entry) { return entry.first == id; });
    if (known != m_details.end()) {
        std::rotate(m_details.begin(), known, known + 1);
        return m_details.front().second;
    }
    const Candidate* candidate = find(id);
    if (!candidate)
        return nullptr;
    Result<Evaluation> evaluation = evaluate(*candidate->problem, candidate->plan, {.keepOps = true});
    if (!evaluation)
        return nullptr;
    auto made = std::make_shared<CandidateDetail>();
    made->timeline = buildTimeline(*candidate->problem, candidate->plan, *evaluation);
    made->evaluation = *std::move(evaluation);
    m_details.emplace(m_details.begin(), id, made);
    if (m_details.size() > kDetailsKept)
        m_details.pop_back();
    return made;
}

int Candidates::add(const std::shared_ptr<const Problem>& problem, const std::vector<FoundPlan>& plans,
                    const QString& origin) {
    int best = -1;
    for (const FoundPlan& found : plans) {
        std::string key = canonicalKey(found.plan);
        const auto known = std::find_if(m_all.begin(), m_all.end(),
                                        [&](const Candidate& c) { return samePlan(c, *problem, key); });
        int id = 0;
        if (known != m_all.end()) {
            id = known->id;
        } else {
            id = m_nextId++;
            Candidate candidate;
            candidate.id = id;
            candidate.origin = origin;
            candidate.problem = problem;
            candidate.plan = found.plan;
            candidate.evaluation = found.evaluation;
            candidate.features = featuresOf(*problem, found.plan, found.evaluation);
            candidate.band = errorBand(candidate.features);
            candidate.key = std::move(key);
            m_all.push_back(std::move(candidate));
        }
        if (best < 0 || better(*find(id), *find(best)))
            best = id;
    }
    std::sort(m_all.begin(), m_all.end(), better);
    number(*problem);
    Q_EMIT changed();
    return best;
}

void Candidates::number(const Problem& first) {
    const auto fixed = [](const Candidate& c) { return c.pinned || c.named; };
    std::set<QString> taken;
    for (const Candidate& c : m_all)
        if (fixed(c))
            taken.insert(c.name);
    int next = 1;
    for (const bool ofFirst : {true, false})
        for (Candidate& c : m_all) {
            if (fixed(c) || (c.problem->hash() == first.hash()) != ofFirst)
                continue;
            while (taken.contains(QString::number(next)))
                ++next;
            c.name = QString::number(next++);
        }
}

int Candidates::restore(const std::shared_ptr<const Problem>& problem, const FoundPlan& plan,
                        const QString& name, const QString& note) {
    const int id = add(problem, {plan}, tr("kept"));
    Candidate* candidate = editable(id);
    candidate->name = name;
    candidate->named = true;
    candidate->note = note;
    number(*problem);
    Q_EMIT changed();
    return id;
}

void Candidates::remove(int id) {
    if (std::erase_if(m_all, [id](const Candidate& c) { return c.id == id; }) == 0)
        return;
    std::erase_if(m_details, [id](const auto& entry) { return entry.first == id; });
    Q_EMIT changed();
}

void Candidates::setPinned(int id, bool pinned) {
    Candidate* candidate = editable(id);
    if (!candidate || candidate->pinned == pinned)
        return;
    candidate->pinned = pinned;
    Q_EMIT changed();
}

void Candidates::setNote(int id, const QString& note) {
    Candidate* candidate = editable(id);
    if (!candidate || candidate->note == note)
        return;
    candidate->note = note;
    Q_EMIT changed();
}

void Candidates::clear() {
    m_all.clear();
    m_details.clear();
    Q_EMIT changed();
}

bool Candidates::isStale(const Candidate& candidate, const std::shared_ptr<const Problem>& problem) {
    return !problem || candidate.problem->hash() != problem->hash();
}

} // namespace pw
