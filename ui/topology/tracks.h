// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/detours.h"

#include <QPolygonF>

#include <vector>

namespace pw {

// Gives legs of different links that lie on each other tracks of their own:
//
//     a ─────┐┌───── b       a ────┐  ┌─── b
//            ││         is         │  │        where both upright legs were one line
//     c ─────┘└───── d       d ... ┘  └ ...
//
// A leg between two bends goes aside by one to kMostTracks tracks, to where its way lies on the least of
// others and then crosses the fewest of those that it lay on. A leg that ends at a box goes aside on its
// edge, by one or two: links of two boxes that face each other would read as one between them. No leg comes
// nearer to a box than Detours lets it. Where more than kMostTogether links share a line, as those of a large
// switch do between two rows of nodes, they stay one: there is no room, and only the switch counts.
class Tracks {
public:
    static constexpr double kStep = 6.0;   // between tracks
    static constexpr double kApart = 4.0;  // legs that are nearer lie on each other...
    static constexpr double kShared = 4.0; // ...where they do so for longer than this
    static constexpr int kMostTracks = 8;
    static constexpr int kMostAtAnEnd = 2;
    static constexpr double kCorner = 8.0; // that an end keeps from the corners of its box
    static constexpr int kMostTogether = 16;
    static constexpr std::size_t kMostLinks = 512; // beyond them nothing is tried: routes follow the mouse

    // `ways` belong to `links`, whose boxes `detours` knows.
    static void separate(std::vector<QPolygonF>& ways, const std::vector<LinkEnds>& links,
                         const Detours& detours);
};

} // namespace pw
