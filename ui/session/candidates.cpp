// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/candidates.h"

#include "core/evaluate/launch_stated.h"
#include "core/timeline/build.h"
#include "ui/base/convert.h"
#include "ui/session/shown_plan.h"

#include <algorithm>
#include <limits>
#include <tuple>
#include <unordered_set>

namespace pw {

namespace {

constexpr std::size_t kDetailsKept = 6; // a compare view shows four

bool better(const Candidate& a, const Candidate& b) {
    const auto rank = [](const Candidate& c) {
        return std::tie(c.evaluation.iteration, c.key, c.id); // ties as search() breaks them
    };
    if (a.evaluation.feasible != b.evaluation.feasible)
        return a.evaluation.feasible;
    return rank(a) < rank(b);
}

} // namespace

std::string foundKey(const FoundPlan& found) {
    return canonicalKey(withLaunchCounts(found.plan, found.evaluation));
}

const Candidate* Candidates::find(int id) const {
    const auto at = std::find_if(m_all.begin(), m_all.end(), [id](const Candidate& c) { return c.id == id; });
    return at == m_all.end() ? nullptr : &*at;
}

const Candidate* Candidates::bestLike(const Candidate& candidate) const {
    const Candidate* foreign = nullptr;
    for (const Candidate& c : m_all) {
        if (!c.evaluation.feasible || c.problem->hash() != candidate.problem->hash())
            continue;
        if (!c.foreign)
            return &c;
        foreign = foreign ? foreign : &c;
    }
    return foreign;
}

std::optional<TimeComparison> Candidates::besideBest(const Candidate& candidate,
                                                     const std::shared_ptr<const Problem>& now) const {
    const bool told = candidate.evaluation.feasible && !isStale(candidate, now);
    const Candidate* best = told ? bestLike(candidate) : nullptr;
    if (!best || best->id == candidate.id)
        return std::nullopt;
    return compareTimes(best->features, best->evaluation.iteration, candidate.features,
                        candidate.evaluation.iteration);
}

Candidate* Candidates::editable(int id) {
    const Candidate* found = find(id);
    return found ? &m_all[static_cast<std::size_t>(found - m_all.data())] : nullptr;
}

Candidates::Detail* Candidates::detailOf(int id) const {
    const auto known = std::find_if(m_details.begin(), m_details.end(),
                                    [id](const Detail& entry) { return entry.id == id; });
    if (known != m_details.end()) {
        std::rotate(m_details.begin(), known, known + 1);
        return &m_details.front();
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
    m_details.insert(m_details.begin(), Detail{id, std::move(made), nullptr});
    if (m_details.size() > kDetailsKept)
        m_details.pop_back();
    return &m_details.front();
}

std::shared_ptr<const CandidateDetail> Candidates::detail(int id) const {
    const Detail* known = detailOf(id);
    return known ? known->figures : nullptr;
}

std::shared_ptr<const ShownPlan> Candidates::shown(int id, bool stale) const {
    const Candidate* candidate = find(id);
    if (!candidate)
        return nullptr;
    std::shared_ptr<const ShownPlan> base;
    if (const Candidate* from = baseOf(*candidate))
        base = shown(from->id, stale); // first: it may push the other one out
    Detail* known = detailOf(id);
    if (!known)
        return nullptr;
    const std::shared_ptr<const ShownPlan>& ready = known->shown;
    if (!ready || ready->stale != stale || ready->foreign != candidate->foreign ||
        ready->name != candidate->name || ready->base != base) {
        auto made = std::make_shared<ShownPlan>(
            *makeShownPlan(*candidate, known->figures, stale, stale ? drawnNames(*candidate) : NodeNames()));
        made->base = std::move(base);
        known->shown = std::move(made);
    }
    return known->shown;
}

const Candidate* Candidates::findNamed(const QString& name, const std::string& problemHash) const {
    const auto at = std::find_if(m_all.begin(), m_all.end(), [&](const Candidate& c) {
        return c.name == name && c.problem->hash() == problemHash;
    });
    return at == m_all.end() ? nullptr : &*at;
}

const Candidate* Candidates::findFound(const std::string& key, const std::string& problemHash) const {
    const auto at = std::find_if(m_all.begin(), m_all.end(), [&](const Candidate& c) {
        return c.base.isEmpty() && c.key == key && c.problem->hash() == problemHash;
    });
    return at == m_all.end() ? nullptr : &*at;
}

const Candidate* Candidates::baseOf(const Candidate& candidate) const {
    const Candidate* base =
        candidate.base.isEmpty() ? nullptr : findNamed(candidate.base, candidate.problem->hash());
    return base && base->id < candidate.id ? base : nullptr; // ids ascend, so no file can make a circle
}

int Candidates::add(const std::shared_ptr<const Problem>& problem, const std::vector<FoundPlan>& plans,
                    const QString& origin) {
    int best = -1;
    for (const FoundPlan& found : plans)
        if (const int id = put(problem, found, origin, {}); best < 0 || better(*find(id), *find(best)))
            best = id;
    std::sort(m_all.begin(), m_all.end(), better);
    Q_EMIT changed();
    return best;
}

int Candidates::put(const std::shared_ptr<const Problem>& problem, const FoundPlan& found,
                    const QString& origin, const QString& name) {
    std::string key = foundKey(found);
    if (const Candidate* known = findFound(key, problem->hash())) {
        if (Candidate& own = *editable(known->id); own.foreign) {
            own.foreign = false;
            own.origin = origin;
            if (!own.pinned) { // else the project keeps it by that name
                own.named = false;
                own.name = QString::number(own.number);
            }
        }
        return known->id;
    }
    Candidate candidate;
    candidate.id = m_nextId++;
    bool numbered = false;
    candidate.number = name.toInt(&numbered);
    if (!numbered)
        candidate.number = m_nextNumber++;
    candidate.name = name.isEmpty() ? QString::number(candidate.number) : name;
    passOver(candidate.name);
    candidate.origin = origin;
    candidate.problem = problem;
    candidate.plan = withLaunchCounts(found.plan, found.evaluation);
    candidate.evaluation = found.evaluation;
    candidate.features = featuresOf(*problem, candidate.plan, found.evaluation);
    candidate.band = errorBand(candidate.features);
    candidate.foundBy = q(found.foundBy);
    candidate.key = std::move(key);
    m_all.push_back(std::move(candidate));
    return m_all.back().id;
}

void Candidates::passOver(const QString& name) {
    bool numbered = false;
    const int number = name.toInt(&numbered);
    if (numbered && number < std::numeric_limits<int>::max())
        m_nextNumber = std::max(m_nextNumber, number + 1);
}

void Candidates::restore(const std::shared_ptr<const Problem>& problem, const std::vector<Kept>& plans) {
    for (const Kept& kept : plans) {
        Candidate* candidate = editable(put(problem, kept.plan, tr("kept"), kept.name));
        candidate->name = kept.name;
        candidate->named = true;
        candidate->note = kept.note;
    }
    std::sort(m_all.begin(), m_all.end(), better);
    Q_EMIT changed();
}

int Candidates::addOf(const QString& file, const std::shared_ptr<const Problem>& problem,
                      const FoundPlan& plan, const QString& name, const QString& note) {
    const Candidate* known = findFound(foundKey(plan), problem->hash());
    if (known && !known->foreign)
        return known->id;
    const int id = known ? known->id : add(problem, {plan}, file);
    Candidate* candidate = editable(id);
    candidate->origin = file;
    candidate->name = name;
    candidate->named = candidate->foreign = true;
    candidate->note = note;
    Q_EMIT changed();
    return id;
}

int Candidates::putEdited(const std::shared_ptr<const Problem>& problem, const FoundPlan& plan,
                          std::shared_ptr<const CandidateDetail> detail, const Edited& edited) {
    const auto known = std::find_if(m_all.begin(), m_all.end(), [&](const Candidate& c) {
        return !c.base.isEmpty() && c.name == edited.name && c.problem->hash() == problem->hash();
    });
    Candidate candidate;
    candidate.id = known == m_all.end() ? m_nextId++ : known->id;
    candidate.revision = known == m_all.end() ? 0 : known->revision + 1;
    candidate.pinned = known != m_all.end() && known->pinned;
    candidate.name = edited.name;
    candidate.named = true;
    candidate.origin = tr("edited");
    candidate.base = edited.base;
    candidate.root = edited.root;
    candidate.note = edited.note;
    candidate.problem = problem;
    candidate.plan = plan.plan;
    candidate.evaluation = plan.evaluation;
    candidate.features = featuresOf(*problem, plan.plan, plan.evaluation);
    candidate.band = errorBand(candidate.features);
    candidate.key = canonicalKey(plan.plan);
    const int id = candidate.id;
    std::erase_if(m_details, [id](const Detail& entry) { return entry.id == id; });
    if (detail)
        m_details.insert(m_details.begin(), Detail{id, std::move(detail), nullptr});
    if (known == m_all.end())
        m_all.push_back(std::move(candidate));
    else
        *known = std::move(candidate);
    std::sort(m_all.begin(), m_all.end(), better);
    Q_EMIT changed();
    return id;
}

void Candidates::renameEdited(int id, const Edited& edited) {
    Candidate* candidate = editable(id);
    if (!candidate)
        return;
    candidate->name = edited.name;
    candidate->base = edited.base;
    candidate->root = edited.root;
    candidate->note = edited.note;
    Q_EMIT changed();
}

void Candidates::remove(const std::vector<int>& ids) {
    const std::unordered_set<int> named(ids.begin(), ids.end());
    const auto goes = [&named](const auto& each) { return named.contains(each.id); };
    if (std::erase_if(m_all, goes) == 0)
        return;
    std::erase_if(m_details, goes);
    Q_EMIT changed();
}

void Candidates::putBack(const std::vector<Candidate>& plans) {
    const auto keyOf = [](const Candidate& c) { return c.key + '\n' + c.problem->hash(); };
    std::unordered_set<int> ids;
    std::unordered_set<std::string> found; // what findFound() finds
    for (const Candidate& candidate : m_all) {
        ids.insert(candidate.id);
        if (candidate.base.isEmpty())
            found.insert(keyOf(candidate));
    }
    for (const Candidate& plan : plans)
        if (ids.insert(plan.id).second && found.insert(keyOf(plan)).second)
            m_all.push_back(plan);
    std::sort(m_all.begin(), m_all.end(), better);
    Q_EMIT changed();
}

void Candidates::setPinned(int id, bool pinned) {
    Candidate* candidate = editable(id);
    if (!candidate || candidate->pinned == pinned)
        return;
    candidate->pinned = pinned;
    Q_EMIT changed();
}

void Candidates::setName(int id, const QString& name) {
    Candidate* candidate = editable(id);
    if (!candidate || (candidate->name == name && candidate->named))
        return;
    candidate->named = !name.isEmpty();
    candidate->pinned = candidate->pinned && candidate->named;
    candidate->name = name.isEmpty() ? QString::number(candidate->number) : name;
    passOver(candidate->name);
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
    m_drawnNames.clear();
    m_nextNumber = 1;
    Q_EMIT changed();
}

void Candidates::follow(const std::shared_ptr<const Problem>& before,
                        const std::shared_ptr<const Problem>& now) {
    bool any = false;
    for (Candidate& candidate : m_all)
        if (candidate.problem->hash() == before->hash()) {
            candidate.problem = now;
            any = true;
        }
    if (!any)
        return;
    m_details.clear(); // they are full of names
    Q_EMIT changed();
}

void Candidates::followNames(const NodeNames& names) {
    std::map<std::string, NodeNames> followed;
    for (const Candidate& candidate : m_all) {
        const auto [entry, fresh] = followed.try_emplace(candidate.problem->hash());
        if (!fresh)
            continue;
        const NodeNames& before = drawnNames(candidate);
        const auto nameBy = [](const NodeNames& map, const std::string& name) {
            const auto found = map.find(name);
            return found == map.end() ? name : found->second;
        };
        for (const Node& node : candidate.problem->topology().cluster().nodes)
            if (const std::string name = nameBy(names, nameBy(before, node.id)); name != node.id)
                entry->second.emplace(node.id, name);
    }
    m_drawnNames = std::move(followed);
    for (Detail& known : m_details)
        known.shown = nullptr; // it is full of names
}

const NodeNames& Candidates::drawnNames(const Candidate& candidate) const {
    static const NodeNames own;
    const auto found = m_drawnNames.find(candidate.problem->hash());
    return found == m_drawnNames.end() ? own : found->second;
}

bool Candidates::isStale(const Candidate& candidate, const std::shared_ptr<const Problem>& problem) {
    return !problem || candidate.problem->hash() != problem->hash();
}

} // namespace pw
