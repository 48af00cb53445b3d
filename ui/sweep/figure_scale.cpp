// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/figure_scale.h"

#include "ui/base/theme.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace pw {

QColor scaleColour(double share) {
    const std::array<QColor, 9>& colours = theme().ramp;
    const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(colours.size() - 1);
    const std::size_t below = std::min(static_cast<std::size_t>(place), colours.size() - 2);
    if (theme().highContrast)
        return colours[static_cast<std::size_t>(std::lround(place))];
    return mixed(colours[below + 1], colours[below], place - static_cast<double>(below));
}

} // namespace pw
