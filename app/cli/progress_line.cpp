// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/progress_line.h"

#include "app/cli/session.h"
#include "core/base/units.h"

#include <fmt/format.h>

#include <cstdio>
#include <unistd.h>

namespace pw::cli {

ProgressLine::ProgressLine(const Session& session)
    : m_shown(isatty(STDERR_FILENO) == 1 && !session.logsToTerminal) {}

void ProgressLine::progress(const SearchProgress& p) {
    if (!m_shown || (m_printed && p.elapsed - m_last < 0.1))
        return;
    const auto time = [](Seconds s) { return s.value > 0 ? formatDuration(s) : std::string("none yet"); };
    const std::string line = fmt::format(
        "\r\x1b[K{:.1f} s, {}{} candidates, best {}, bound {} (Ctrl-C keeps the best)", p.elapsed, p.work,
        p.workLimit > 0 ? fmt::format(" of {}", p.workLimit) : std::string(), time(p.best), time(p.bound));
    std::fputs(line.c_str(), stderr);
    m_last = p.elapsed;
    m_printed = true;
}

void ProgressLine::ends() {
    if (m_printed)
        std::fputs("\r\x1b[K", stderr);
    m_printed = false;
}

} // namespace pw::cli
