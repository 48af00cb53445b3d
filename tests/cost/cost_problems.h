// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/cost/cost.h"
#include "core/project/project.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>

namespace pw {

inline bool near(double got, double expected, double tolerance = 1e-12) {
    return std::abs(got - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

inline CostConfig config(int tp, int mbs, Recompute recompute = Recompute::None,
                         bool sequenceParallel = false) {
    CostConfig c;
    c.tp = tp;
    c.mbs = mbs;
    c.recompute = recompute;
    c.sequenceParallel = sequenceParallel;
    return c;
}

inline Project measured16Project() {
    const std::filesystem::path path =
        std::filesystem::path(PW_SOURCE_DIR) / "samples" / "projects" / "measured-16.pwx";
    const auto text = readFile(path);
    if (!text)
        qFatal("%s", text.error().text().c_str());
    const auto project = readProject(*text, path.string());
    if (!project)
        qFatal("%s", project.error().text().c_str());
    return *project;
}

inline std::shared_ptr<const Problem> measured16(Project project = measured16Project()) {
    auto made = problemOf(project);
    if (!made)
        qFatal("%s", made.error().text().c_str());
    return *made;
}

} // namespace pw

#define NEAR(got, expected)                                                                                  \
    QVERIFY2(near(got, expected),                                                                            \
             qPrintable(QString("%1, expected %2").arg(got, 0, 'g', 15).arg(expected, 0, 'g', 15)))
