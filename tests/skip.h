// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

// A test that cannot run on this machine fails, unless the environment variable PW_ALLOW_SKIP names the
// reason (several with commas between them): what is not tested is somebody's decision and never found out
// later. tests/README.md lists the reasons. QSKIP stands nowhere else.
//
//     if (!lddRuns())
//         PW_SKIP("ldd", "ldd does not run here");
namespace pw::test {

inline bool maySkip(const char* reason) {
    return qEnvironmentVariable("PW_ALLOW_SKIP")
        .split(QLatin1Char(','))
        .contains(QString::fromLatin1(reason));
}

} // namespace pw::test

#define PW_SKIP(reason, why)                                                                                 \
    do {                                                                                                     \
        if (pw::test::maySkip(reason))                                                                       \
            QSKIP(why);                                                                                      \
        QFAIL("cannot run: " why " (PW_ALLOW_SKIP=" reason " lets it be skipped)");                          \
    } while (false)
