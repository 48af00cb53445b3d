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
    // `wider`: axes beyond the Space that a search would take, too.
    bool start(const WiderSpace& wider = {});
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

    WhatIf& m_whatIf;
    Candidates& m_candidates;
    Selection& m_selection;
    std::shared_ptr<const Problem> m_problem;
    QString m_name;   // of the plan that it began with
    Seconds m_before; // of that plan, with m_fitted
    bool m_fitted = true;
    whatif::ImproveProgress m_progress;
    QString m_end;
    std::optional<Error> m_failure;
    std::shared_ptr<Mailbox<whatif::ImproveProgress>> m_mailbox;
    BackgroundJob m_job; // last: it uses the above
};

} // namespace pw
