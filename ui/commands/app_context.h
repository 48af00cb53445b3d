// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace pw {

class Candidates;
class Commands;
class CompareSet;
class Document;
class GivenAnswers;
class LinkTraffic;
class PlanRuns;
class SearchRunner;
class Selection;
class TimeRange;
class TournamentRunner;
class WhatIf;

// What every view is given: the values that the window shares. They outlive all views.
struct AppContext {
    Document& document;
    Selection& selection;
    TimeRange& timeRange;
    Candidates& candidates;
    WhatIf& whatIf;
    CompareSet& compare;
    SearchRunner& runner;
    TournamentRunner& tournament;
    PlanRuns& runs;
    LinkTraffic& links;
    GivenAnswers& answers;
    Commands& commands;
};

} // namespace pw
