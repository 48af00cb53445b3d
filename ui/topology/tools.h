// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/link_end_drag.h"

#include <QCursor>
#include <QPointF>
#include <QRectF>
#include <QSet>
#include <QString>
#include <QStringList>

class QKeyEvent;
class QPainter;

namespace pw {

class TopologyCanvas;

// A mouse event as a tool needs it.
struct CanvasPointer {
    QPointF scene;
    QPoint view;
    Qt::MouseButton button = Qt::NoButton;
    Qt::KeyboardModifiers modifiers;
};

bool isDrag(QPoint from, QPoint to); // in the view: far enough to be meant as one

// The canvas is in one tool at a time. A tool answers whether it handled an event; Esc goes to cancel(),
// which gives up the gesture that runs, and leaves the tool when none does. Tools reach the document through
// the canvas only.
class CanvasTool {
public:
    explicit CanvasTool(TopologyCanvas& canvas) : m_canvas(canvas) {}
    virtual ~CanvasTool() = default;
    CanvasTool(const CanvasTool&) = delete;
    CanvasTool& operator=(const CanvasTool&) = delete;

    virtual bool press(const CanvasPointer&) { return false; }
    virtual bool move(const CanvasPointer&) { return false; }
    virtual bool release(const CanvasPointer&) { return false; }
    virtual bool cancel() { return false; } // true: a gesture was given up, the tool stays
    // By key: Tab has come to an item; Enter takes what is chosen.
    virtual void look(const QString&) {}
    virtual bool take() { return false; }
    virtual void paint(QPainter&) const {} // over the scene, in scene coordinates
    virtual QString hint() const { return {}; }
    virtual QCursor cursor() const { return Qt::ArrowCursor; }

protected:
    TopologyCanvas& m_canvas;
};

// Choose by click, Shift or Ctrl adds, drag moves what is chosen, drag on the ground chooses what it
// encloses. The end of a chosen link is dragged to another box.
class SelectTool : public CanvasTool {
public:
    explicit SelectTool(TopologyCanvas& canvas);
    bool press(const CanvasPointer&) override;
    bool move(const CanvasPointer&) override;
    bool release(const CanvasPointer&) override;
    bool cancel() override;
    void paint(QPainter&) const override;
    QString hint() const override { return m_end.hint(); }

private:
    void dragDevice(const QString& device);
    void clickEnd();
    enum class Gesture { None, Pressed, Moving, Band, LinkEnd };
    Gesture m_gesture = Gesture::None;
    QPointF m_from, m_by;
    QPoint m_fromView;
    QRectF m_band;
    QString m_grabbed;
    LinkEndDrag m_end;
    QSet<QString> m_before, m_together; // chosen before; what a click on the grabbed item chooses
};

// Click or drag from one end to the other, or Enter on one and then on the other; says at the cursor what the
// link would be or why it is refused. Several chosen items are linked together: whoever begins at one of them
// begins at all, unless the other end is another node of them.
class LinkTool : public CanvasTool {
public:
    using CanvasTool::CanvasTool;
    bool press(const CanvasPointer&) override;
    bool move(const CanvasPointer&) override;
    bool release(const CanvasPointer&) override;
    bool cancel() override;
    void look(const QString& id) override;
    bool take() override;
    void paint(QPainter&) const override;
    QString hint() const override;
    QCursor cursor() const override { return Qt::CrossCursor; }
    bool hasBegun() const { return !m_starts.isEmpty(); }
    const QString& answer() const { return m_answer; } // what is written at the cursor, heading first

private:
    QStringList chosenBoxes() const; // in the drawing's order
    void startAt(const QString& box);
    QStringList startsTo(const QString& end) const; // that are linked to it
    void finishAt(const QString& end);
    void judge();

    QStringList m_starts;
    QStringList m_gathered; // that a click on the switch under the button links to it
    QString m_first;        // of them, the one that was clicked; empty: all were begun at together
    QString m_end;
    QPointF m_at;
    QPoint m_pressView;
    QString m_heading, m_answer;
    bool m_refused = false;
};

// Drags the sheet. Space and the middle button use it for a moment.
class PanTool : public CanvasTool {
public:
    using CanvasTool::CanvasTool;
    bool press(const CanvasPointer&) override;
    bool move(const CanvasPointer&) override;
    bool release(const CanvasPointer&) override;
    bool cancel() override;
    QString hint() const override;
    QCursor cursor() const override { return m_down ? Qt::ClosedHandCursor : Qt::OpenHandCursor; }

private:
    bool m_down = false;
    QPoint m_last;
};

} // namespace pw
