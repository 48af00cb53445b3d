// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace pw {

// In a dock that stands behind the tab of another, which Qt counts as visible.
bool isBehindATab(const QWidget& part);

// Shown, and not behind a tab. What only has to be scrolled to is in sight.
bool isInSight(const QWidget& part);

} // namespace pw
