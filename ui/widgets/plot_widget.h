// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace pw {

// A widget that paints one plot: a screen reader takes it for a chart, whose name and description say what is
// seen, and not for a box of other widgets. Derive from this beside QWidget; what stands in it as a part of
// its own, words above it say, stays a child. See PartsWidget for plots whose parts can be chosen one by one.
class PlotWidget {
public:
    PlotWidget(const PlotWidget&) = delete;
    PlotWidget& operator=(const PlotWidget&) = delete;

protected:
    PlotWidget();
    virtual ~PlotWidget() = default;
};

} // namespace pw
