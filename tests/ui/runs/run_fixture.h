// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "tests/exchange/made_run.h"
#include "tests/exchange/sample_plan.h"
#include "tests/ui/ui_fixture.h"
#include "ui/base/convert.h"
#include "ui/session/plan_runs.h"

#include <QTemporaryDir>

namespace pw {

// A project with a plan in view, and runs of it that are written as the runner would have.
struct RunFixture : UiFixture {
    QTemporaryDir folder;
    int plan = -1;

    RunFixture() {
        const auto sample = sampleProblem();
        Project project;
        project.name = "sample";
        project.cluster = sample->topology().cluster();
        project.model = sample->model();
        project.recipe = sample->recipe();
        document.adopt(project, QString());
        const Plan ran = samplePlan();
        plan = candidates.add(document.problem(), {{ran, *evaluate(*document.problem(), ran)}},
                              QStringLiteral("imported"));
        selection.setPlan(plan);
    }
    Json made(const RunSeconds& seconds = {}) const {
        const Candidate& ran = *candidates.find(plan);
        return madeRun(*ran.problem, ran.plan, *evaluate(*ran.problem, ran.plan, {.keepOps = true}), 3,
                       seconds);
    }
    QString write(const QString& name, const Json& run) const {
        const QString file = folder.filePath(name);
        if (!writeFileAtomically(s(file), printJson(run)))
            qFatal("not written");
        return file;
    }
    // False if it was not laid over a plan.
    bool load(const QString& file) {
        QSignalSpy loaded(&runs, &PlanRuns::loaded), failed(&runs, &PlanRuns::failed);
        runs.load(file);
        return QTest::qWaitFor([&] { return !loaded.isEmpty() || !failed.isEmpty(); }, 60'000) &&
               failed.isEmpty();
    }
};

} // namespace pw
