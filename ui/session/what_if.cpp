// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/what_if.h"

#include "core/document/plan_document.h"
#include "core/edit/edit.h"
#include "core/whatif/whatif.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/session/document.h"
#include "ui/session/plan_order.h"
#include "ui/session/plan_text.h"
#include "ui/session/selection.h"
#include "ui/session/shown_plan.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pw {

namespace {

constexpr std::size_t kRecent = 8; // judged plans kept for undo and redo
constexpr int kMostEdits = 1000;   // of one plan that are known by their names

KeptPlan keptPlan(const Candidate& candidate, bool pinned) {
    return {s(candidate.name),
            s(candidate.note),
            pinned,
            candidate.problem->hash(),
            s(candidate.base),
            keptEntry(*candidate.problem, candidate.plan, candidate.evaluation)};
}

const KeptPlan* keptAs(const Project& project, const QString& name) {
    const auto at = std::find_if(project.plans.begin(), project.plans.end(),
                                 [&](const KeptPlan& kept) { return kept.name == s(name); });
    return at == project.plans.end() ? nullptr : &*at;
}

// What an edit of the plan `root` is called; from the second on where the names before are taken.
QString editName(const QString& root, int nth) {
    return nth == 1 ? WhatIf::tr("%1, edited").arg(root) : WhatIf::tr("%1, edited %2").arg(root).arg(nth);
}

// Else somebody has given it a name.
bool isEditName(const QString& name, const QString& root) {
    for (int nth = 1; nth <= kMostEdits; ++nth)
        if (name == editName(root, nth))
            return true;
    return false;
}

// After which its edits are called.
const QString& rootOf(const Candidate& candidate) {
    return candidate.base.isEmpty() ? candidate.name : candidate.root;
}

} // namespace

WhatIf::WhatIf(Document& document, Candidates& candidates, Selection& selection)
    : m_document(document), m_candidates(candidates), m_selection(selection),
      m_judge([this](const JudgedPointer& judged) { arrived(judged); }) {
    connect(&document, &Document::renamed, &candidates, &Candidates::follow);
    connect(&document, &Document::nodesRenamed, &candidates, &Candidates::followNames);
    connect(&document, &Document::nodesRenamed, &selection, &Selection::followNames);
    connect(&document, &Document::changed, this, [this] {
        follow(true);
        followLocks(); // of a plan that answers the project again
    });
    connect(&selection, &Selection::planChanged, this, &WhatIf::cancel);
    connect(&selection, &Selection::planChanged, this, &WhatIf::followLocks);
}

WhatIf::~WhatIf() = default;

const Candidate* WhatIf::subject() const {
    const Candidate* candidate = m_candidates.find(m_selection.plan());
    return candidate && !Candidates::isStale(*candidate, m_document.problem()) ? candidate : nullptr;
}

const Candidate* WhatIf::base() const {
    const Candidate* edited = subject();
    return edited ? m_candidates.baseOf(*edited) : nullptr;
}

const Plan* WhatIf::plan() const {
    const Candidate* candidate = subject();
    if (!candidate)
        return nullptr;
    return m_plan ? &*m_plan : &candidate->plan;
}

std::shared_ptr<const Problem> WhatIf::problem() const {
    const Candidate* candidate = subject();
    return candidate ? candidate->problem : nullptr;
}

QString WhatIf::nameOf(const Candidate& subject) const {
    if (!subject.base.isEmpty() && !subject.pinned)
        return subject.name;
    int nth = 1;
    while (keptAs(*m_document.project(), editName(rootOf(subject), nth)))
        ++nth;
    return editName(rootOf(subject), nth);
}

// A project does not have it: it is remembered from when the edit was made. Of one that comes with a file it
// is that of its base if it is called so, else it has a name of its own.
QString WhatIf::rootOfKept(const KeptPlan& kept) {
    QString name = q(kept.name);
    if (kept.base.empty())
        return name;
    if (const auto known = m_roots.constFind(name); known != m_roots.constEnd())
        return *known;
    m_roots.insert(name, name); // which ends circles, too, that a file may have
    const KeptPlan* base = keptAs(*m_document.project(), q(kept.base));
    const QString root = base ? rootOfKept(*base) : q(kept.base);
    if (isEditName(name, root))
        m_roots.insert(name, root);
    return m_roots.value(name);
}

bool WhatIf::preview(const Result<Plan>& edited) {
    const Candidate* candidate = subject();
    if (!candidate) {
        const Candidate* apart = m_candidates.find(m_selection.plan());
        Q_EMIT refused(apart
                           ? badInput("whatif.stale", {}, wordingOf(apartText(*apart, m_document.problem())))
                           : badInput("whatif.none", {}, wordingOf(tr("No plan is selected."))));
        return false;
    }
    if (!edited) {
        Q_EMIT refused(edited.error());
        return false;
    }
    if (m_plan && *m_plan == *edited)
        return true;
    m_plan = *edited;
    m_judge.ask(candidate->problem, *m_plan, nameOf(*candidate), candidate->id);
    return true;
}

void WhatIf::arrived(const JudgedPointer& judged) {
    const Candidate* candidate = subject();
    if (!m_plan || !candidate || judged->error)
        return; // given up meanwhile; what cannot be judged is said when it is committed
    const Candidate* from = candidate->base.isEmpty() || candidate->pinned ? candidate : base();
    judged->shown->base = from ? m_candidates.shown(from->id, false) : nullptr;
    m_shown = judged->shown;
    Q_EMIT previewed();
}

bool WhatIf::commit(const QString& text, const QString& gesture) {
    const Candidate* candidate = subject();
    if (!m_plan || !candidate)
        return false;
    const JudgedPointer judged = m_judge.wait();
    if (judged->error) {
        cancel();
        Q_EMIT refused(*judged->error);
        return false;
    }
    if (judged->found.plan == candidate->plan) {
        cancel();
        return true;
    }
    const bool open = !candidate->base.isEmpty() && !candidate->pinned;
    KeptPlan edited;
    edited.name = s(nameOf(*candidate));
    edited.note = open ? s(candidate->note) : std::string();
    edited.problemHash = candidate->problem->hash();
    edited.base = s(open ? candidate->base : candidate->name);
    edited.entry = keptEntry(*candidate->problem, judged->found.plan, judged->found.evaluation);
    m_roots.insert(q(edited.name), rootOf(*candidate));
    m_recent.insert(m_recent.begin(), {edited.entry, judged});
    if (m_recent.size() > kRecent)
        m_recent.pop_back();
    const Project& project = *m_document.project();
    const bool kept = open || keptAs(project, candidate->name);
    m_plan.reset();
    m_shown = nullptr;
    const bool done = m_document.apply(kept ? keepPlan(project, edited)
                                            : keepEdited(project, keptPlan(*candidate, true), edited),
                                       text, gesture);
    Q_EMIT previewed();
    return done;
}

void WhatIf::cancel() {
    if (!m_plan)
        return;
    m_plan.reset();
    m_shown = nullptr;
    Q_EMIT previewed();
}

bool WhatIf::edit(const Result<Plan>& edited, const QString& text, const QString& gesture) {
    return preview(edited) && commit(text, gesture);
}

bool WhatIf::uses(const QString& node) const {
    const Plan* now = plan();
    if (!now || now->pipelines.size() != 1)
        return false;
    const Topology& topology = subject()->problem->topology();
    const auto isOfIt = [&](DeviceIndex d) {
        const int at = topology.devices()[static_cast<std::size_t>(d)].node;
        return q(topology.cluster().nodes[static_cast<std::size_t>(at)].id) == node;
    };
    for (const Stage& stage : now->pipelines.front().stages)
        for (const Replica& replica : stage.replicas)
            if (std::ranges::any_of(replica.devices, isOfIt))
                return true;
    return false;
}

QString WhatIf::whyNotDropped(const QString& node) const {
    if (uses(node))
        return {};
    const Candidate* shown = m_candidates.find(m_selection.plan());
    if (!shown)
        return tr("No plan is in view: run a search first.");
    if (!subject())
        return apartText(*shown, m_document.problem());
    return shown->plan.pipelines.size() != 1 ? tr("Only a plan of one pipeline can do without a node.")
                                             : tr("%1 does not use this node.").arg(planTitle(*shown));
}

bool WhatIf::dropNode(const QString& node) {
    if (!uses(node))
        return false;
    const std::shared_ptr<const Problem> asked = problem();
    const std::vector<Node>& nodes = asked->topology().cluster().nodes;
    const auto at = std::ranges::find(nodes, s(node), &Node::id);
    if (!edit(whatif::dropNode(*asked, *plan(), static_cast<int>(at - nodes.begin())),
              tr("Do without %1").arg(node)))
        return false;
    if (const Candidate* without = subject()) {
        const auto shown = m_candidates.shown(without->id, false);
        Q_EMIT nodeDropped(node, planTitle(*without), shown ? shown->reason : QString());
    }
    return true;
}

bool WhatIf::canKeep() const {
    const Candidate* candidate = subject();
    return candidate && !candidate->base.isEmpty() && !candidate->pinned;
}

void WhatIf::keep() {
    if (!canKeep())
        return;
    const Candidate& candidate = *subject();
    const QString title = planTitle(candidate);
    if (m_document.apply(keepPlan(*m_document.project(), keptPlan(candidate, true)), tr("Add %1").arg(title)))
        Q_EMIT kept(title);
}

bool WhatIf::canRevert() const {
    return canKeep() && base();
}

void WhatIf::revert() {
    if (!canRevert())
        return;
    const Candidate& candidate = *subject();
    m_document.apply(dropPlan(*m_document.project(), s(candidate.name)),
                     tr("Revert %1").arg(planTitle(candidate)));
}

JudgedPointer WhatIf::judgedEntry(const std::shared_ptr<const Problem>& problem, const std::string& entry,
                                  const QString& name) {
    const auto known =
        std::find_if(m_recent.begin(), m_recent.end(), [&](const auto& one) { return one.first == entry; });
    if (known != m_recent.end())
        return known->second;
    const Result<Json> json = parseJson(entry, s(name));
    if (!json)
        return nullptr;
    const Result<Plan> plan = planFromJson(JsonReader(*json, s(name)), *problem);
    if (!plan)
        return nullptr;
    const JudgedPointer judged = PlanJudge::judge(whatif::Costing(problem), *plan, name, -1);
    return judged->error ? nullptr : judged;
}

void WhatIf::hold() {
    m_held = true;
}

void WhatIf::restore() {
    m_held = false;
    m_entries.clear();
    m_roots.clear();
    follow(false);
}

// An edit that the project calls otherwise, or whose base it does, is the same plan: who compares or looks at
// it goes on doing so.
void WhatIf::followNames() {
    const Project& project = *m_document.project();
    std::vector<std::pair<int, const KeptPlan*>> renamed;
    for (const Candidate& candidate : m_candidates.all()) {
        const KeptPlan* kept = candidate.base.isEmpty() ? nullptr : keptAs(project, candidate.name);
        if (candidate.base.isEmpty() || (kept && kept->base == s(candidate.base)))
            continue;
        const auto entry = m_entries.constFind(candidate.name);
        for (const KeptPlan& now : project.plans)
            if (entry != m_entries.constEnd() && !now.base.empty() && now.entry == *entry &&
                now.problemHash == candidate.problem->hash() &&
                (&now == kept || !m_candidates.findNamed(q(now.name), now.problemHash))) {
                renamed.emplace_back(candidate.id, &now);
                break;
            }
    }
    for (const auto& [id, now] : renamed) {
        m_entries.remove(m_candidates.find(id)->name);
        m_entries.insert(q(now->name), now->entry);
        m_candidates.renameEdited(id, {q(now->name), q(now->base), rootOfKept(*now), q(now->note)});
    }
}

void WhatIf::follow(bool select) {
    if (m_held)
        return;
    const Project& project = *m_document.project();
    const auto problem = m_document.problem();
    QHash<QString, std::string> edits;
    for (const KeptPlan& kept : project.plans) {
        m_candidates.passOver(q(kept.name));
        m_candidates.passOver(rootOfKept(kept));
        if (!kept.base.empty())
            edits.insert(q(kept.name), kept.entry);
    }
    const QHash<QString, std::string> before = std::exchange(m_edits, edits);
    followNames();
    std::vector<int> gone;
    for (const Candidate& candidate : m_candidates.all()) {
        const KeptPlan* kept = candidate.base.isEmpty() ? nullptr : keptAs(project, candidate.name);
        if (!candidate.base.isEmpty() && (!kept || kept->base != s(candidate.base)))
            gone.push_back(candidate.id);
    }
    int shown = -1;
    for (const int id : gone) {
        const Candidate* candidate = m_candidates.find(id);
        const Candidate* from = m_candidates.baseOf(*candidate);
        m_entries.remove(candidate->name);
        if (m_selection.plan() == id)
            shown = from ? from->id : -1;
        if (m_selection.plan() == id)
            m_selection.setPlan(shown);
        m_candidates.remove(id);
    }
    for (const KeptPlan& kept : project.plans) {
        const QString name = q(kept.name);
        if (kept.base.empty() || !problem || kept.problemHash != problem->hash())
            continue;
        const Candidate* known = m_candidates.findNamed(name, kept.problemHash);
        if (known && m_entries.value(name) == kept.entry) {
            m_candidates.setPinned(known->id, kept.pinned);
            continue;
        }
        const JudgedPointer judged = judgedEntry(problem, kept.entry, name);
        if (!judged)
            continue;
        m_entries.insert(name, kept.entry);
        const int id = m_candidates.putEdited(problem, judged->found, judged->detail,
                                              {name, q(kept.base), rootOfKept(kept), q(kept.note)});
        m_candidates.setPinned(id, kept.pinned); // what was added is edited no more
        if (before.value(name) != kept.entry)    // not one whose question is asked again
            shown = id;
    }
    if (select && shown >= 0)
        m_selection.setPlan(shown);
    followLocks(); // an edit of an edit keeps its id
    Q_EMIT followed();
}

} // namespace pw
