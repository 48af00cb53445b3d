// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sweep/figure_scale.h"

#include "ui/base/theme.h"

#include <algorithm>
#include <array>

namespace pw {

QColor scaleColour(double share) {
    static constexpr std::array<QRgb, 9> colours = {0xFF00224E, 0xFF1D3A6E, 0xFF434E6C,
                                                    0xFF5F636E, 0xFF7C7B78, 0xFF9B9276,
                                                    0xFFBCAB6E, 0xFFDEC65A, 0xFFFDE737};
    const double place = std::clamp(share, 0.0, 1.0) * static_cast<double>(colours.size() - 1);
    const std::size_t below = std::min(static_cast<std::size_t>(place), colours.size() - 2);
    return mixed(QColor(colours[below + 1]), QColor(colours[below]), place - static_cast<double>(below));
}

} // namespace pw
