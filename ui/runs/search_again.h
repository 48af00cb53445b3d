// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/overlay/run_fit.h"
#include "ui/base/background_job.h"
#include "ui/commands/app_context.h"
#include "ui/session/plan_runs.h"

#include <QObject>
#include <QString>

namespace pw {

// A measured run -> factors of its devices and links -> the project's cluster calibrated by them, as one
// undo step -> searched again -> what the best plan is worth beside the one that ran, both predicted on the
// calibrated cluster. Runs that are not measured say nothing of the GPUs and are refused.
class SearchAgain : public QObject {
    Q_OBJECT

public:
    SearchAgain(AppContext& context, QObject* parent);
    ~SearchAgain() override;

    // Why the run cannot calibrate the project now; empty: it can.
    QString refusal(const PlanRun& run) const;
    void start(const PlanRunPointer& run); // does nothing where it is refused
    bool isRunning() const { return m_job.isRunning() || m_searching; }
    QString text() const { return m_text; } // what goes on, or what came of it

Q_SIGNALS:
    void changed();

private:
    void search(const Result<RunFit>& fit);
    void compare();
    void say(const QString& text);

    AppContext& m_context;
    PlanRunPointer m_run;
    QString m_factors; // of the fit, in words
    QString m_text;
    bool m_searching = false;
    BackgroundJob m_job; // last: it uses the above
};

} // namespace pw
