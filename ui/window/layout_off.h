// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <QMainWindow>

namespace pw {

// The layout of a window is off as long as this is there, at most to end(), and then done once.
class LayoutOff {
public:
    explicit LayoutOff(const QMainWindow& window) : m_layout(window.layout()) { m_layout->setEnabled(false); }
    ~LayoutOff() { end(); }
    LayoutOff(const LayoutOff&) = delete;
    LayoutOff& operator=(const LayoutOff&) = delete;
    void end() {
        if (m_layout->isEnabled())
            return;
        m_layout->setEnabled(true);
        m_layout->activate();
    }

private:
    QLayout* m_layout;
};

} // namespace pw
