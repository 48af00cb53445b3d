// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/overlay/run_timeline.h"
#include "ui/base/background_job.h"

#include <QObject>
#include <QString>

#include <memory>
#include <vector>

namespace pw {

class Candidates;
class Document;
class Selection;

// A run of the runner, laid over the prediction of the plan that ran.
struct PlanRun {
    int id = 0;      // never reused
    int plan = -1;   // in Candidates
    std::string key; // of that plan as it ran: an edit of it is another one
    QString file;    // with its folder
    QString name;    // of the file
    std::shared_ptr<const RunRecord> record;
    RunOverlay overlay;
    RunTimeline rows;
};
using PlanRunPointer = std::shared_ptr<const PlanRun>;

// "emulated, with tiny widths": what times of this run are.
QString standingText(const RunRecord& run);
// The same in a word, for what stands beside "predicted": "measured", "emulated", "on CPUs".
QString ranText(const RunRecord& run);

// The runs that were loaded beside the plans of the project. They are not part of it: a run stays in its own
// file. Read and laid over the prediction in the background:
//
//   load(file) --> readRunRecord --> whose plan is it? --> overlayRun, runTimeline --> loaded()
//                                      |
//                                      `-- of another question: offered(), until acceptOffer()
class PlanRuns : public QObject {
    Q_OBJECT

public:
    PlanRuns(Document& document, Candidates& candidates, Selection& selection);
    ~PlanRuns() override;

    void load(const QString& file); // loaded(), offered() or failed() follows
    static QString failedLead();    // what the error of failed() says why of

    // A run whose plan answers another question than the project: it is shown beside only if asked for.
    QString offerText() const;
    void acceptOffer(); // its plan becomes a candidate, as one of another project

    std::vector<PlanRunPointer> runsOf(int plan) const; // in the order in which they were loaded
    PlanRunPointer shown(int plan) const;               // the one chosen, null: none
    PlanRunPointer beside(int plan) const;              // that it is compared with, null: none
    void show(int run);
    void setBeside(int plan, int run); // of the same plan; -1: none
    void remove(int run);
    void forget(); // another project: none

Q_SIGNALS:
    void changed();           // which runs there are, or which are shown
    void reading(bool going); // a file
    void loaded(int run);
    void offered();
    void failed(const Error& error);

private:
    struct PlanChoice { // of one plan's runs
        int plan = -1, shown = -1, beside = -1;
    };
    PlanChoice* choiceOf(int plan);
    const PlanChoice* choiceOf(int plan) const;
    PlanRunPointer find(int run) const;
    void place(std::shared_ptr<const RunRecord> record);
    void lay(std::shared_ptr<const RunRecord> record, int plan);

    Document& m_document;
    Candidates& m_candidates;
    Selection& m_selection;
    std::vector<PlanRunPointer> m_runs;
    std::vector<PlanChoice> m_choices;
    std::shared_ptr<const RunRecord> m_offer;
    int m_nextId = 1;
    BackgroundJob m_job; // last: it uses the above
};

} // namespace pw
