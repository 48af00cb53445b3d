// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QDockWidget;
class QLabel;

namespace pw {

// The flat 28 px title of a dock: title, the view's subtitle and tools, maximise, float and close. A double
// click maximises, too.
class DockTitle : public QWidget {
    Q_OBJECT

public:
    explicit DockTitle(QDockWidget* dock);
    QSize sizeHint() const override; // docks ask for this, not for the fixed height
    QSize minimumSizeHint() const override { return {80, 28}; }

Q_SIGNALS:
    void maximiseRequested(); // or the way back

protected:
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    QLabel* m_subtitle;
};

} // namespace pw
