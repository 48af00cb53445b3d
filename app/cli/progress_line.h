// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.h"

namespace pw::cli {

struct Session;

// How far a search is: one line on a terminal, rewritten in place, and none where a log is written there.
class ProgressLine : public SearchObserver {
public:
    explicit ProgressLine(const Session& session);
    ~ProgressLine() override;
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void progress(const SearchProgress& progress) override;

private:
    bool m_shown;
    bool m_printed = false;
    double m_last = 0.0;
};

} // namespace pw::cli
