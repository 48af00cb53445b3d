// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

namespace pw {

// The way from a cluster to a plan on one page; F1 opens it.
class Guide : public QDialog {
    Q_OBJECT

public:
    explicit Guide(QWidget* parent = nullptr);
};

void showAbout(QWidget* parent);

} // namespace pw
