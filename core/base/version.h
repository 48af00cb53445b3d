// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace pw {

// What this build is, so that a plan can be tied to the program that found it: searches repeat exactly for
// (problem, seed, work) on one revision, not from one to the next.

const char* version();  // "0.2.0", of CMakeLists.txt
const char* revision(); // "7fe6e7c", with "-dirty" behind it where the tree was changed; "" if not known
// "0.2.0+7fe6e7c": what plan documents, reports and About say.
std::string fullVersion();
// "Release, GNU 12.2.0, Linux x86_64", with ", tag v0.2.0" behind it where that is the revision of a release
const char* buildKind();

} // namespace pw
