// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace pw {

// Why no window can be shown, and what to do, if that is known before Qt tries: where Qt reaches no display
// it aborts, and advises to install the program anew; where vnc gets no port it runs on unseen. Of the
// displays that Qt would take (-platform, -display, QT_QPA_PLATFORM, WAYLAND_DISPLAY, DISPLAY) one that can
// be reached is enough. They are asked by the libraries that Qt asks them by, so that names, sockets, tunnels
// and permissions mean the same; where such a library is not there, nothing is known. Before QApplication,
// which takes its arguments away.
std::optional<std::string> displayProblem(int argc, char** argv);

} // namespace pw
