// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// A script that starts Megatron-LM, or the list of arguments that the trainer prints at its start: the model,
// and with it the plan that the script runs. Nothing is executed.
bool recogniseMegatronArgs(std::string_view text, const std::filesystem::path& path);
Result<Imported> importMegatronArgs(std::string_view text, const std::filesystem::path& path,
                                    const ImportHints& hints);

} // namespace pw
