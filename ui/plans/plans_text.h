// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"

#include <QString>

namespace pw {

class EmptyState;

// What the view of plans says beside its rows: how many there are and why, which of them answer another
// question, and what stands in place of the table where there are none.

// Of the rows, by a filter or a brush; else near ties stand folded. Empty: there are none.
QString shownText(int shown, int all, bool brushed, bool filtered);
// The question as it stands was searched, and nothing fits into memory.
bool noPlanFits(const AppContext& context);
// How many the last search brought, and why it may be more than it was asked for; empty: it brought none.
QString foundText(const AppContext& context);
// What the project keeps and the table cannot show; empty: nothing.
QString waitingText(const AppContext& context);
QString staleText(const AppContext& context);     // of plans of an earlier state; empty: none
bool anyAnswers(const AppContext& context);       // whether a plan answers the project as it is now
QString elsewhereText(const AppContext& context); // of the plans from other files; empty: none
// The pages that stand in place of the table: there are no plans, or filter or brush leave none.
void sayWhyNoPlans(EmptyState& page, const AppContext& context);
void sayWhyNoneShown(EmptyState& page, int all, const QString& filter);

} // namespace pw
