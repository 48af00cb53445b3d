// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui/app_fixture.h"
#include "ui/topology/canvas.h"
#include "ui/topology/drag_payload.h"
#include "ui/topology/view.h"

#include <QApplication>
#include <QDropEvent>
#include <QTest>

#include <memory>

namespace pw {

// A drawing in its view, in a window that is shown and has the focus.
struct ShownCanvas : AppFixture {
    TopologyView* view = nullptr; // both from show() on
    TopologyCanvas* canvas = nullptr;

    void show() {
        view = new TopologyView(context, &window);
        canvas = view->canvas();
        window.resize(1000, 700);
        view->resize(1000, 700);
        window.show();
        canvas->setFocus();
        if (!QTest::qWaitForWindowActive(&window))
            qFatal("the window was not shown");
    }
    int undoSteps() { return document.undoStack()->index(); }
    QPoint at(QPointF scene) const { return canvas->mapFromScene(scene); }
    QPoint middleOf(const char* id) const {
        return at(canvas->topology().boxOf(QString::fromLatin1(id)).center());
    }
    QPoint edgeOf(const char* id) const { // in the header, on no GPU
        return at(canvas->topology().boxOf(QString::fromLatin1(id)).topLeft() + QPointF(20, 12));
    }
    void drop(const DragPayload& payload, QPoint where, Qt::KeyboardModifiers keys = Qt::NoModifier) {
        const std::unique_ptr<QMimeData> mime(payload.toMime());
        QDragEnterEvent enter(where, Qt::CopyAction, mime.get(), Qt::LeftButton, keys);
        QApplication::sendEvent(canvas->viewport(), &enter);
        QVERIFY(enter.isAccepted());
        QDragMoveEvent move(where, Qt::CopyAction, mime.get(), Qt::LeftButton, keys);
        QApplication::sendEvent(canvas->viewport(), &move);
        QVERIFY(move.isAccepted());
        QDropEvent dropped(where, Qt::CopyAction, mime.get(), Qt::LeftButton, keys);
        QApplication::sendEvent(canvas->viewport(), &dropped);
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers keys = Qt::NoModifier) {
        QTest::mousePress(canvas->viewport(), Qt::LeftButton, keys, from);
        for (int step = 1; step <= 4; ++step) {
            QMouseEvent move(QEvent::MouseMove, from + (to - from) * step / 4,
                             canvas->viewport()->mapToGlobal(from + (to - from) * step / 4), Qt::LeftButton,
                             Qt::LeftButton, keys);
            QApplication::sendEvent(canvas->viewport(), &move);
        }
        QTest::mouseRelease(canvas->viewport(), Qt::LeftButton, keys, to);
    }
};

} // namespace pw
