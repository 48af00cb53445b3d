// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>

#include <functional>

class QWidget;

namespace pw {

// Widgets with this property are in no picture: buttons that nobody could press there.
inline constexpr char kNotPictured[] = "notPictured";

// Saves what a widget shows, or all of what it scrolls over if it says so (View::wholeSize()), without
// the frame of the focus: *.png at twice its size, *.svg and *.pdf as lines and text that scale. Other
// endings are refused.
Status savePicture(QWidget& view, const QString& path);

// To the clipboard, likewise, at the size of the screen.
void copyPicture(QWidget& view);

// Asks for a name and saves; `failed` is told what went wrong. Returns the file; empty: none was written.
QString askAndSavePicture(QWidget* view, const QString& name,
                          const std::function<void(const QString& lead, const Error& error)>& failed);

} // namespace pw
