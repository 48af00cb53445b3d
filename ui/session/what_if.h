// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/whatif/improve.h"
#include "ui/session/plan_judge.h"

#include <QHash>
#include <QObject>
#include <QString>

namespace pw {

class Document;
class Selection;
struct KeptPlan;

// Editing the plan in view by hand. A plan that a search found is never overwritten: the first edit makes
// "17, edited" beside it, and further ones change that until it is added to the candidates (pinned). Both are
// kept plans of the project, so that undo, autosave and the file know them like anything else:
//
//     gesture moves    preview()   judged in the background, shown in every view; nothing is kept
//     gesture ends     commit()    one undo step: project -> project with "17, edited"
//     Esc              cancel()    as if nothing had been
//
// Candidates follow the project: an undo takes the edited plan out of the table or back to what it was.
class WhatIf : public QObject {
    Q_OBJECT

public:
    WhatIf(Document& document, Candidates& candidates, Selection& selection);
    ~WhatIf() override;

    // The plan that an edit starts from, the previewed one while a gesture goes on. Null: none is in view, or
    // it answers an earlier state of the project.
    const Plan* plan() const;
    std::shared_ptr<const Problem> problem() const; // of that plan; null likewise
    const Candidate* subject() const;               // the candidate in view, null if it cannot be edited
    const Candidate* base() const;                  // what the subject was edited from; null: as it was found
    bool isEditing() const { return m_plan.has_value(); } // between preview() and commit() or cancel()

    // Shows what the plan would be. An edit that was refused emits refused() and changes nothing.
    bool preview(const Result<Plan>& edited);
    // What is previewed becomes one undo step called `text`. Steps in a row of the same gesture merge. Waits
    // until the figures are there.
    bool commit(const QString& text, const QString& gesture = QString());
    void cancel();
    bool edit(const Result<Plan>& edited, const QString& text, const QString& gesture = QString());

    // What if a node of the drawing fails: the plan in view without it, as one edit. Only a plan of one
    // pipeline can do without a node that it uses.
    bool uses(const QString& node) const;
    QString whyNotDropped(const QString& node) const; // a sentence; empty: it can be
    bool dropNode(const QString& node);

    // What improving the plan in view must keep. They belong to it and its edits; another plan has none. A
    // locked stage is known by its devices and layers: it stays locked wherever an edit puts it, and no other
    // stage takes its lock when it goes.
    const whatif::Locks& locks() const { return m_locks; }
    void toggleLock(int stage);
    void toggleLock(const std::vector<DeviceIndex>& devices); // off if all are locked

    bool canKeep() const; // the subject is an edited plan that is still open to edits
    void keep();          // adds it to the candidates: pinned, and edits of it make another one
    bool canRevert() const;
    void revert(); // forgets it and shows its base

    // The previewed plan once it is judged; null while nothing is previewed.
    const std::shared_ptr<const ShownPlan>& shown() const { return m_shown; }
    void hold();    // follows nothing until restore()
    void restore(); // takes the edited plans of a project that was just opened

Q_SIGNALS:
    void previewed(); // shown() is another one
    void refused(const Error& error);
    // The plan in view does without the node now; its title, and why it does not fit or nothing.
    void nodeDropped(const QString& node, const QString& plan, const QString& reason);
    void locksChanged();
    void followed();                // the plans were brought in line with the project
    void kept(const QString& plan); // added to the candidates; its title

private:
    void followLocks();
    void follow(bool select);
    void followNames();
    void arrived(const JudgedPointer& judged);
    QString nameOf(const Candidate& subject) const; // under which an edit of it is kept
    QString rootOfKept(const KeptPlan& kept);       // Candidate::root
    JudgedPointer judgedEntry(const std::shared_ptr<const Problem>& problem, const std::string& entry,
                              const QString& name);

    Document& m_document;
    Candidates& m_candidates;
    Selection& m_selection;
    std::optional<Plan> m_plan; // previewed
    std::shared_ptr<const ShownPlan> m_shown;
    QHash<QString, std::string> m_entries;                       // by name: what the candidates have
    QHash<QString, std::string> m_edits;                         // that the project keeps, of any question
    QHash<QString, QString> m_roots;                             // Candidate::root of edits by name
    std::vector<std::pair<std::string, JudgedPointer>> m_recent; // by entry: for undo and redo
    whatif::Locks m_locks;
    std::vector<Stage> m_lockedStages; // as they stood when they were locked; m_locks has where they are now
    int m_lockedPlan = -1;             // id of the plan that they were set on
    PlanJudge m_judge;
    bool m_held = false;
};

} // namespace pw
