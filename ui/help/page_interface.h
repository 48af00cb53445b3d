// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace pw {

// From now on a page of the manual is a document for assistive tools, with its text to be read by line and
// word, and not a box of scroll bars.
void tellPagesAsDocuments();

} // namespace pw
