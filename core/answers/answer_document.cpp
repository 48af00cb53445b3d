// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/answers/ask.h"
#include "core/document/plan_document.h"
#include "core/exchange/exports/runs_with.h"

#include <nlohmann/json.hpp>

namespace pw {

Json documentOf(const Answer& answer, DeviceNames names) {
    const Problem& problem = *answer.problem;
    Json document = answer.tournament ? tournamentDocument(problem, *answer.tournament, names)
                    : answer.front    ? paretoDocument(problem, *answer.front, names)
                                      : planDocument(problem, answer.found(), names);
    writeRunsWith(document, problem,
                  answer.tournament ? answer.tournament->overall().plans : answer.found().plans);
    if (!answer.tournament)
        writeRunsWith(document, problem, answer.found().differing, "differing");
    if (answer.deadline)
        document["deadline"] = toJson(*answer.deadline);
    if (const auto& cost = answer.target) {
        document["target"] = {{"format", cost->target->format},
                              {"release", cost->target->releases.front().label}};
        if (cost->unrestricted.value > 0.0)
            document["target"]["unrestricted_s"] = cost->unrestricted.value;
    }
    if (answer.trainers)
        document["best_by_target"] = toJson(problem, *answer.trainers, names);
    if (answer.around)
        document["answers"] = toJson(*answer.around, answer.found());
    if (answer.verdict)
        document["verdict"] = toJson(*answer.verdict);
    return document;
}

} // namespace pw
