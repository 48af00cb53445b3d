// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace pw {

// Styles a widget and all that lies in it by the rules of now. Themes differ in their colours alone: no
// widget is told of another style, which would lay it out anew. What is out of sight, most of a window with
// many docks, is styled when it comes into sight.
void restyle(QWidget& widget);

// At once where it waits for that: before a picture is made of what is out of sight.
void restyleUnseen(QWidget& widget);

} // namespace pw
