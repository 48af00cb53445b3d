// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/other_project.h"

#include "core/base/file.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/plans/kept_plans.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>

namespace pw {

Result<std::vector<int>> addPlansOf(AppContext& context, const QString& file) {
    const Result<std::string> text = readFile(s(file));
    if (!text)
        return text.error();
    const Result<Project> project = readProject(*text, s(file));
    if (!project)
        return project.error();
    const Result<std::shared_ptr<const Problem>> problem = problemOf(*project);
    if (!problem)
        return problem.error();
    const std::vector<KeptFound> kept = keptPlans(*project, *problem, true);
    if (kept.empty())
        return badInput("compare.project", s(file),
                        wordingOf(QCoreApplication::translate(
                            "Compare", "keeps no plan of its question: open it and pin one first")));
    const QString name = QFileInfo(file).fileName();
    std::vector<int> ids;
    for (const KeptFound& plan : kept)
        ids.push_back(context.candidates.addOf(
            name, *problem, plan.found,
            QCoreApplication::translate("Compare", "%1 of %2").arg(q(plan.kept->name), name),
            q(plan.kept->note)));
    if (const auto own = context.document.problem())
        context.candidates.add(own, {}, {}); // whose plans keep the first numbers
    const auto place = [&](int id) {
        const auto& all = context.candidates.all();
        return std::find_if(all.begin(), all.end(), [id](const Candidate& c) { return c.id == id; });
    };
    std::sort(ids.begin(), ids.end(), [&](int a, int b) { return place(a) < place(b); });
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

} // namespace pw
