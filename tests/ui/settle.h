// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractEventDispatcher>

namespace pw {

// Lets the event loop do all that waits for it: posted events, layouts, repaints, timers of 0 ms and what
// these put off in turn. True once nothing is left. No time passes for its own sake, so that a busy machine
// changes nothing; what comes from another thread or a longer timer is waited for by its condition
// (QTRY_VERIFY, QSignalSpy).
inline bool settle() {
    constexpr int kMostTurns = 10'000;
    for (int turn = 0; turn < kMostTurns; ++turn)
        if (!QAbstractEventDispatcher::instance()->processEvents(QEventLoop::AllEvents))
            return true;
    return false;
}

} // namespace pw
