// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>

namespace pw {

// What core says, in the window's language: the wording's pattern as the catalogue has it (context "Errors"),
// filled with the wording's own values. English where the wording has no pattern or the catalogue does not
// know it. translations_test takes the patterns for the catalogue out of core's sources.
QString messageText(const Wording& wording); // to follow a place
QString sentence(const Wording& wording);    // with a capital
QString errorText(const Remark& remark);     // "where: message", or the message alone
QString lineText(const Error& error);        // as inOneLine() (core/base/one_line.h), with a capital

// The sentence without the clause that names an option of the command line ("; state it as --device KIND"),
// for views that have a field for each. Not for texts with flags of a file: they would be cut at the first
// one.
QString windowWords(const Wording& wording);

} // namespace pw
