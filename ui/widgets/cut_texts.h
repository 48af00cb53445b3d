// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

class QAbstractItemView;
class QPoint;

namespace pw {

// The whole text of a cell whose column is too narrow for it; empty where all of it is seen, where there is
// no cell, and where the model has a tool tip of its own.
QString cutTextAt(const QAbstractItemView& view, const QPoint& at);

// Shows that as the tool tip in every table, list and tree of the program. Models and delegates know nothing
// of it: what a delegate paints in fewer words than its size hint asks for counts as cut.
class CutTexts : public QObject {
    Q_OBJECT

public:
    explicit CutTexts(QObject* parent); // from now on, until it goes

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
};

} // namespace pw
