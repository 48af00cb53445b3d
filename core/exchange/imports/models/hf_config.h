// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/imports/import.h"

#include <filesystem>
#include <string_view>

namespace pw {

// The config.json that Hugging Face puts beside a model, as transformers 4 and 5 write it; of a multimodal
// one the language model (text_config). `model_type` is a row of hfFamilies(); a type that has none is
// refused with the list of those that have, a known one that cannot be planned with the reason.
bool recogniseHfConfig(std::string_view text, const std::filesystem::path& path);
Result<Imported> importHfConfig(std::string_view text, const std::filesystem::path& path,
                                const ImportHints& hints);

} // namespace pw
