// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/fixed_rotary.h"

namespace pw {

namespace {

constexpr double kBase = 10000.0;

} // namespace

void checkFixedRotary(const Model& model, std::vector<Refusal>& refusals) {
    const std::string where = "model " + model.name;
    if (model.rotaryBase != 0.0 && model.rotaryBase != kBase)
        refusals.push_back({"E_UNSUPPORTED_MODEL",
                            where,
                            {"its rotary base is {own}; {fixed} is fixed in the trainer",
                             {{"own", model.rotaryBase}, {"fixed", kBase}}}});
    if (scalesPositions(model))
        refusals.push_back({"E_UNSUPPORTED_MODEL",
                            where,
                            {"its rotary positions are scaled ({kind}); plain ones are run",
                             {{"kind", model.rotaryScaling.kind}}}});
}

void fixedRotaryNote(const Model& model, Diagnostics& notes) {
    if (model.rotaryBase == 0.0)
        notes.push_back({Severity::Warning, "export.rotary_base", "model " + model.name,
                         "does not state the base of its rotary positions, and the trainer takes 10000, "
                         "whatever it is: state rotary_base in the model to have it checked"});
}

} // namespace pw
