// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace pw {

enum class IconTone { Text, Text2, Text3, Accent, OnAccent, Ok, Warn, Err };

// A line icon of ui/icons by its file name without ".svg". Its colour is looked up when it is painted, so
// that a change of theme needs no new icons.
QIcon icon(const QString& name, IconTone tone = IconTone::Text);

} // namespace pw
