// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace pw {

void showAbout(QWidget* parent); // name, version, licence

} // namespace pw
