// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>

class QDockWidget;

namespace pw {

class Selection;

// Esc that no part of a view wants leads from a stage or bar back to the plan as a whole, from every view of
// the plan; a dock that floats is a window of its own and is watched as well.
class WayBack : public QObject {
    Q_OBJECT

public:
    WayBack(const QList<QDockWidget*>& docks, Selection& selection, QObject* parent);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    Selection& m_selection;
};

} // namespace pw
