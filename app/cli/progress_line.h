// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/answers/ask.h"

namespace pw::cli {

struct Session;

// How far a search is: one line on a terminal, rewritten in place, and none where a log is written there.
class ProgressLine : public QuestionObserver {
public:
    explicit ProgressLine(const Session& session);
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void progress(const SearchProgress& progress) override;
    void ends() override;

private:
    bool m_shown;
    bool m_printed = false;
    double m_last = 0.0;
};

} // namespace pw::cli
