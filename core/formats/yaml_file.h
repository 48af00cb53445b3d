// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <string>
#include <string_view>

namespace pw {

// One YAML document as the JSON that it means (core schema: plain null, true, 12 and 1.5 are typed, quoted
// text is text), so that importers read it with a JsonReader. Refused with file:line:column: tags, merge
// keys, anchors and aliases, a key twice, nesting over 128, numbers that are not finite, a second document,
// more than 4 MiB.
Result<Json> parseYaml(std::string_view text, const std::string& file);

} // namespace pw
