// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/edit/edit.h"
#include "ui/accuracy/accuracy_context.h"
#include "ui/accuracy/accuracy_study.h"
#include "ui/commands/commands.h"
#include "ui/session/candidates.h"
#include "ui/session/compare_set.h"
#include "ui/session/document.h"
#include "ui/session/given_answers.h"
#include "ui/session/link_traffic.h"
#include "ui/session/plan_runs.h"
#include "ui/session/search_runner.h"
#include "ui/session/selection.h"
#include "ui/session/time_range.h"
#include "ui/session/tournament_runner.h"
#include "ui/session/what_if.h"

#include <QWidget>

namespace pw {

// What the window shares, without the window: for tests of one view.
struct AppFixture {
    QWidget window;
    Document document;
    Selection selection;
    TimeRange timeRange;
    Candidates candidates;
    WhatIf whatIf{document, candidates, selection};
    CompareSet compare{document, candidates};
    SearchRunner runner{document, candidates};
    TournamentRunner tournament{document};
    AccuracyStudy accuracy;
    PlanRuns runs{document, candidates, selection};
    LinkTraffic links{candidates, selection};
    GivenAnswers answers{document};
    Commands* commands = new Commands(&window);
    AccuracyContext context{{document, selection, timeRange, candidates, whatIf, compare, runner, tournament,
                             runs, links, answers, *commands},
                            accuracy};

    const Cluster& cluster() const { return document.project()->cluster; }
    // n1 (eight A100), n2 and n3 (four V100), s1; n1 and n2 are linked to s1.
    void drawSample() {
        document.apply(addNodes(*document.project(), "A100-SXM4-40GB", 8, 1, {0, 0}), QStringLiteral("n1"));
        document.apply(addNodes(*document.project(), "V100-SXM2-16GB", 4, 1, {480, 0}), QStringLiteral("n2"));
        document.apply(addNodes(*document.project(), "V100-SXM2-16GB", 4, 1, {480, 160}),
                       QStringLiteral("n3"));
        document.apply(addSwitch(*document.project(), "Ethernet", {304, 48}), QStringLiteral("s1"));
        document.apply(addLink(*document.project(), "n1", "s1"), QStringLiteral("l1"));
        document.apply(addLink(*document.project(), "n2", "s1"), QStringLiteral("l2"));
    }
};

} // namespace pw
