// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/overlay/run_fit.h"
#include "ui/base/background_job.h"
#include "ui/commands/app_context.h"
#include "ui/session/plan_runs.h"

#include <QObject>
#include <QString>

#include <optional>

namespace pw {

// A measured run -> factors of its devices and links -> the project's cluster calibrated by them, as one
// undo step -> searched again -> what the best plan is worth beside the one that ran, both predicted on the
// calibrated cluster. A project holds no constants of software, so that their factors are named and left.
// Runs that are not measured say nothing of the GPUs and are refused. Factors with which the run's own step
// is predicted further off than before are held back until start() is called for that run once more.
class SearchAgain : public QObject {
    Q_OBJECT

public:
    SearchAgain(AppContext& context, QObject* parent);
    ~SearchAgain() override;

    // Why the run cannot calibrate the project now; empty: it can.
    QString refusal(const PlanRun& run) const;
    void start(const PlanRunPointer& run); // does nothing where it is refused
    // Whether this run's factors are held back: start() takes them all the same.
    bool isHeld(const PlanRunPointer& run) const { return m_held && run && m_run == run; }
    // The run that text() is of; null: none.
    const PlanRunPointer& run() const { return m_run; }
    bool isRunning() const { return m_job.isRunning() || m_searching; }
    QString text() const { return m_text; } // what goes on, or what came of it

Q_SIGNALS:
    void changed();

private:
    void judge(const Result<RunFit>& fit);
    void search(const RunFit& fit);
    void compare();
    void say(const QString& text);

    AppContext& m_context;
    PlanRunPointer m_run;
    std::optional<RunFit> m_held; // of m_run
    QString m_factors;            // of the fit, in words
    QString m_warning;            // that the run is predicted further off with them; empty: it is not
    QString m_text;
    bool m_searching = false;
    BackgroundJob m_job; // last: it uses the above
};

} // namespace pw
