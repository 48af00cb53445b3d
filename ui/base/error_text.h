// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>

namespace pw {

// What core says, in the window's language: the wording's pattern as the catalogue has it (context "Errors"),
// filled with the wording's own values. English where the wording has no pattern or the catalogue does not
// know it. translations_test takes the patterns for the catalogue out of core's sources.
//
// The window has fields where the command line has options. An option of ours that a pattern names
// ({--forbid}) becomes the name of its field ("search again with "Leave out" V100"); asides for the command
// line go, since the field stands beside the message. Options of others, which stand in the user's own files,
// stay.
Wording wordingOf(const QString& text);      // of the window's own, in its language already
QString messageText(const Wording& wording); // to follow a place
QString sentence(const Wording& wording);    // with a capital
QString errorText(const Remark& remark); // "where: message"; the message alone without a place of the window
QString lineText(const Error& error);    // as inOneLine() (core/base/one_line.h), with a capital

} // namespace pw
