// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>

namespace pw {

// The colour of a figure between the least, 0, and the most, 1, of all: cividis (Nunez, Anderton, Renslow
// 2018, doi:10.1371/journal.pone.0199239), whose lightness rises evenly for those with and without a
// deficiency of colour vision. It is the same in both themes, so that pictures of them can be compared.
QColor scaleColour(double share);

} // namespace pw
