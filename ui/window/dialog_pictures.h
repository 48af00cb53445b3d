// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <functional>
#include <memory>
#include <vector>

class QWidget;

namespace pw {

class MainWindow;

// The window's dialogs, and the manual, as they are pictured: each with something in it, and those that can
// refuse once in that state.
struct DialogPicture {
    const char* name; // "import", "importRefused"
    // Null where the window has nothing to show in it, as an export without a plan.
    std::function<std::unique_ptr<QWidget>(MainWindow& window, const QString& folder)> make;
};

// `folder` of make(): an existing one for files that a dialog needs.
const std::vector<DialogPicture>& dialogPictures();

} // namespace pw
