// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sweep/task_plan.h"

#include "core/base/file.h"
#include "core/formats/source.h"
#include "core/sweep/task_result.h"

#include <nlohmann/json.hpp>

namespace pw {

Result<PlanFile> taskPlan(const SweepFolder& folder, const TaskLine& task, int threads,
                          const std::stop_token& stop) {
    const std::string file = folder.planFile(task.id).string();
    if (isThere(file, *folder.disk)) {
        const Result<std::string> kept = readText(file);
        return kept ? readPlanFile(*kept, file) : Result<PlanFile>(kept.error());
    }
    const Result<Composer> composer =
        Composer::make(folder.sweep, folder.inputs, (folder.path / "sweep.json").string() + "#/sweep");
    if (!composer)
        return composer.error();
    const Result<TaskResult> worked = workOut(*composer, task.at, task.id, threads, true, stop);
    if (!worked)
        return worked.error();
    if (worked->document.empty()) {
        const Json record = Json::parse(worked->record);
        Error none = infeasible("sweep.no_plan", "", {"task {task} has no plan", {{"task", task.number}}});
        if (record.contains("reasons"))
            for (const Json& reason : record["reasons"])
                none.because(Wording::asIs(reason.get<std::string>()));
        return none;
    }
    return readPlanFile(worked->document, file);
}

} // namespace pw
