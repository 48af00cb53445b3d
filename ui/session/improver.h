// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/whatif/improve.h"
#include "ui/base/background_job.h"

#include <QObject>
#include <QString>

#include <optional>

namespace pw {

struct ExporterRow;
class Candidates;
class Selection;
class WhatIf;

// "Improve from here": climbs from the plan in view by edits, respecting its locks, in the background. What
// it ends at becomes a candidate and the plan in view; the plan it began with stays.
class Improver : public QObject {
    Q_OBJECT

public:
    Improver(WhatIf& whatIf, Candidates& candidates, Selection& selection, QObject* parent = nullptr);
    ~Improver() override;

    bool canStart() const; // a plan with one pipeline that answers the present question is in view
    bool isRunning() const { return m_job.isRunning(); }
    // `wider`: axes beyond the Space that a search would take, too. `target`: stays within what it can run,
    // if it can run the plan in view; null: any trainer.
    bool start(const WiderSpace& wider = {}, const ExporterRow* target = nullptr);
    void stop();   // asks; what was reached by then counts
    void forget(); // another project

    QString text() const; // "plan 17: 1,204 plans tried, 3 edits taken, 16.02 s"; how it ended
    const std::optional<Error>& failure() const { return m_failure; } // why it could not run

Q_SIGNALS:
    void started();
    void progressed();
    void finished();

private:
    void end(const Result<whatif::Improvement>& found);
    QString unhelpedText(const whatif::Improvement& found) const;
    QString unfittedText(const whatif::Improvement& found) const;

    WhatIf& m_whatIf;
    Candidates& m_candidates;
    Selection& m_selection;
    std::shared_ptr<const Problem> m_problem;
    QString m_name;   // of the plan that it began with
    Seconds m_before; // of that plan, with m_fitted
    bool m_fitted = true;
    const ExporterRow* m_target = nullptr; // null: none that refuses plans
    bool m_within = false;                 // what m_target can run
    whatif::ImproveProgress m_progress;
    QString m_end;
    std::optional<Error> m_failure;
    std::shared_ptr<Mailbox<whatif::ImproveProgress>> m_mailbox;
    BackgroundJob m_job; // last: it uses the above
};

} // namespace pw
