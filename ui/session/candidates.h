// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/accuracy/band.h"
#include "core/accuracy/tie.h"
#include "core/edit/edit.h"
#include "core/search/search.h"
#include "core/timeline/timeline.h"

#include <QObject>
#include <QString>

#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace pw {

// One known plan with the question it answers and its figures. `detail` (ops and bars) is made when first
// asked for.
struct Candidate {
    int id = 0;     // what Selection::plan() names; never reused
    int number = 0; // for life, in the order in which plans became known; never given again; 0: of an edit
    QString name;   // its number until it gets a name of its own
    QString origin; // "searched", "imported", "kept"
    bool pinned = false;
    bool named = false;   // by the project that kept it
    bool foreign = false; // of another project's file, which `origin` names
    QString base;         // name of the plan that it was edited from by hand; empty: as it was found
    QString root;         // after which its own edits are called: "17" of "17, edited"; empty: its name
    int revision = 0;     // counts the edits of one that is being edited
    QString note;
    std::shared_ptr<const Problem> problem;
    Plan plan;
    Evaluation evaluation; // without ops
    Features features;     // by which it is held beside measured runs and other plans
    ErrorBand band;        // what its iteration is worth
    QString foundBy;       // the phase of the search, with those it lies in; empty: not known
    std::string key;       // foundKey(): with the problem's hash it tells plans apart
};

struct ShownPlan;

// The figures that only one plan at a time needs: simulated ops and the bars made from them.
struct CandidateDetail {
    Evaluation evaluation; // with ops
    Timeline timeline;
};

// canonicalKey() of the plan with the launch counts that its evaluation chose where it left them open: as
// documents have it, so that a plan is known again when it comes back from one.
std::string foundKey(const FoundPlan& found);

// All known plans, best first; the plan table, the search panel and every view of "the current plan" read it.
class Candidates : public QObject {
    Q_OBJECT

public:
    explicit Candidates(QObject* parent = nullptr) : QObject(parent) {}

    const std::vector<Candidate>& all() const { return m_all; } // sorted: feasible first, then iteration time
    const Candidate* find(int id) const;
    // The fastest plan that answers the same question and fits, of another file only where the project has
    // none of its own; null if there is none.
    const Candidate* bestLike(const Candidate& candidate) const;
    // That one against the candidate, which may be faster where it is of another file. Empty for itself,
    // without one, for a plan that does not fit, and for one that does not answer `now`: of other work the
    // best says nothing.
    std::optional<TimeComparison> besideBest(const Candidate& candidate,
                                             const std::shared_ptr<const Problem>& now) const;
    std::shared_ptr<const CandidateDetail>
    detail(int id) const; // cached for the last few; null if there is no such plan
    // The same ready to draw, made once for all views; with its base beside it where it was edited.
    std::shared_ptr<const ShownPlan> shown(int id, bool stale) const;
    const Candidate* findNamed(const QString& name, const std::string& problemHash) const;
    // The plan with this foundKey() as it was found, which an edit never is; null if it is not known.
    const Candidate* findFound(const std::string& key, const std::string& problemHash) const;
    const Candidate* baseOf(const Candidate& candidate) const; // null: as it was found, or the base is gone
    // Adds plans of one problem; a plan that is known already keeps its id. Returns the id of the best one
    // given, or -1. Those that are new get the next numbers in the order given, and keep them: what a reader
    // has noted, a file is called by or an edit is based on stays the same plan whatever else is found.
    int add(const std::shared_ptr<const Problem>& problem, const std::vector<FoundPlan>& plans,
            const QString& origin);
    // Plans that a project kept, under their old names.
    struct Kept {
        FoundPlan plan;
        QString name, note;
    };
    void restore(const std::shared_ptr<const Problem>& problem, const std::vector<Kept>& plans);
    // A plan that another project keeps, to be compared; one that is known here already stays as it is, and
    // one that is found here later becomes this project's, under the name that it is kept by.
    int addOf(const QString& file, const std::shared_ptr<const Problem>& problem, const FoundPlan& plan,
              const QString& name, const QString& note);
    // A plan that was edited by hand, under the name that the project has for it; one of that name is
    // replaced and keeps its id. Returns the id.
    struct Edited {
        QString name, base, root, note; // as in Candidate
    };
    int putEdited(const std::shared_ptr<const Problem>& problem, const FoundPlan& plan,
                  std::shared_ptr<const CandidateDetail> detail, const Edited& edited);
    void renameEdited(int id,
                      const Edited& edited); // the same plan under another name, or beside another base
    void remove(int id) { remove(std::vector<int>{id}); }
    void remove(const std::vector<int>& ids);
    // Plans as they were when they were removed, with their ids; one that has been found again stays as it
    // is.
    void putBack(const std::vector<Candidate>& plans);
    void setPinned(int id, bool pinned);
    // The name that the project has for it; empty: none any more, its number is its name again.
    void setName(int id, const QString& name);
    // A name that the project has given away, to a plan that may not be here: if it is a number, no plan gets
    // that.
    void passOver(const QString& name);
    void setNote(int id, const QString& note);
    void clear();
    // Plans of the one question are plans of the other, which has other names for the same devices.
    void follow(const std::shared_ptr<const Problem>& before, const std::shared_ptr<const Problem>& now);
    // The nodes of the drawing have other names: a plan of an older question keeps its own, and is shown()
    // under the new ones from then on (renamed() of the document comes first, and follow() gives those of the
    // same question theirs).
    void followNames(const NodeNames& names);
    // What the drawing calls the nodes of a stale plan, where that is not what the plan calls them.
    const NodeNames& drawnNames(const Candidate& candidate) const;
    // Whether the plan answers another question than `problem` (views mark it stale). A null problem makes
    // all stale.
    static bool isStale(const Candidate& candidate, const std::shared_ptr<const Problem>& problem);

Q_SIGNALS:
    void changed();

private:
    struct Detail {
        int id = 0;
        std::shared_ptr<const CandidateDetail> figures;
        std::shared_ptr<const ShownPlan> shown; // null until asked for
    };
    Candidate* editable(int id);
    Detail* detailOf(int id) const;
    // The id; without a name it gets the next number.
    int put(const std::shared_ptr<const Problem>& problem, const FoundPlan& found, const QString& origin,
            const QString& name);

    std::vector<Candidate> m_all;
    int m_nextId = 1, m_nextNumber = 1;
    mutable std::vector<Detail> m_details;
    std::map<std::string, NodeNames> m_drawnNames; // by the hash of the problem
};

} // namespace pw
