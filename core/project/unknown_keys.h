// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

namespace pw {

// What a file says that this program does not know, so that saving does not lose the work of a newer one.
//
// `read` is the document as it was, `written` the same content as this program prints it. A key that
// `written` lacks is unknown. Items of a list are told apart by their "id" or "name" and not by their place,
// so that the rest can be edited, moved and removed meanwhile. Null if nothing is unknown.
Json unknownKeys(const Json& read, const Json& written);

// Puts them back. What `written` has by itself stays; items that are gone take their unknown keys with them.
void restoreUnknownKeys(Json& written, const Json& unknown);

} // namespace pw
