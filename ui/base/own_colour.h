// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>

class QColor;
class QWidget;

namespace pw {

// A colour that this widget has for itself, whatever the style sheet gives. A palette that is set by hand is
// none: the style takes it back each time the widget is styled anew.
void setOwnColour(QWidget& widget, QPalette::ColorRole role, const QColor& colour);

// After the widget was styled.
void paintOwnColours(QWidget& widget);

} // namespace pw
