// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace pw {

// For a program that runs for days: large blocks always go back to the system when they are freed. glibc
// raises its limit of "large" to the largest block ever freed, up to 32 MiB; from then on the arrays of a
// search lie between small things that live on, and the process holds three times what it uses. To be called
// first in main(); does nothing with another library.
void returnLargeBlocks();

} // namespace pw
