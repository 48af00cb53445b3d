// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSize>
#include <QString>
#include <QWidget>

class QPainter;

namespace pw {

// A widget that lives in a dock. It may give the dock's title a second, quieter text and widgets of its own
// (legend, tools), which stand between the title and the dock's buttons.
class View : public QWidget {
    Q_OBJECT

public:
    explicit View(QWidget* parent = nullptr) : QWidget(parent) {}

    QString subtitle() const { return m_subtitle; }
    QWidget* titleTools() const { return m_titleTools; }

    // Of a view that scrolls over something larger: a picture of it is of all of that. Empty: as it is seen.
    virtual QSize wholeSize() const { return {}; }
    virtual void paintWhole(QPainter& painter) { Q_UNUSED(painter) }

Q_SIGNALS:
    void subtitleChanged(const QString& text);
    void raiseRequested();                     // the dock comes to the front: something in it was asked for
    void newsArrived(const QString& sentence); // seen here, and to be said wherever the user is

protected:
    void setSubtitle(const QString& text) {
        if (m_subtitle == text)
            return;
        m_subtitle = text;
        Q_EMIT subtitleChanged(text);
    }
    void setTitleTools(QWidget* tools) { m_titleTools = tools; } // call in the constructor; the dock takes it

private:
    QString m_subtitle;
    QWidget* m_titleTools = nullptr;
};

} // namespace pw
