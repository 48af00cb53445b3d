// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/sized_cluster.h"

#include <QWidget>

namespace pw {

class Selection;

// What an empty canvas offers: the palette's templates, a button each, and a cluster by its sizes. Templates
// are drawn of the kind that is chosen there.
class BeginDrawing : public QWidget {
    Q_OBJECT

public:
    explicit BeginDrawing(Selection& selection, QWidget* parent = nullptr);

Q_SIGNALS:
    void templateChosen(const QString& key,
                        const QString& kind); // ClusterTemplate::key; the first kind below
    void drawRequested(const pw::ClusterSize& size);
};

} // namespace pw
