// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/base/focus_frame.h"

#include "ui/base/theme.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QFocusFrame>
#include <QGraphicsView>
#include <QPainter>
#include <QPointer>
#include <QTableView>

namespace pw {

namespace {

QRegion edgeOf(const QRect& rect) {
    return QRegion(rect) - rect.adjusted(kFocusFrame, kFocusFrame, -kFocusFrame, -kFocusFrame);
}

// A child of the widget that it is around. Screen readers are not told of a QFocusFrame.
class FocusFrame : public QFocusFrame {
public:
    explicit FocusFrame(QAbstractScrollArea* around)
        : QFocusFrame(around), m_table(qobject_cast<QTableView*>(around)) {
        around->installEventFilter(this);
        around->viewport()->installEventFilter(this);
        fit();
        raise();
        show();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == parent() && event->type() == QEvent::Resize)
            fit();
        else if (event->type() == QEvent::Paint && m_cell != currentCell()) // gone to, scrolled, resized
            QMetaObject::invokeMethod(
                this, [this] { fit(); }, Qt::QueuedConnection);
        return QWidget::eventFilter(watched, event);
    }
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        paintFocusFrame(painter, rect());
        if (!m_cell.isEmpty())
            paintFocusFrame(painter, m_cell);
    }

private:
    // As far as it is in view, in the frame's place; empty: none, or a row is one cell.
    QRect currentCell() const {
        const QModelIndex at = m_table ? m_table->currentIndex() : QModelIndex();
        if (!at.isValid() || at.model()->columnCount(at.parent()) < 2)
            return {};
        const QWidget* room = m_table->viewport();
        const QRect seen = m_table->visualRect(at) & room->rect();
        return seen.isEmpty() ? QRect() : seen.translated(room->pos());
    }
    void fit() {
        setGeometry(parentWidget()->rect());
        m_cell = currentCell();
        // What is inside is drawn without it.
        setMask(m_cell.isEmpty() ? edgeOf(rect()) : edgeOf(rect()) + edgeOf(m_cell));
        update();
    }

    const QTableView* m_table; // null: it is around something else
    QRect m_cell;              // px
};

class FocusFrames : public QObject {
public:
    explicit FocusFrames(QApplication& app) : QObject(&app) {
        connect(&app, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
            delete m_frame;
            auto* area = qobject_cast<QAbstractScrollArea*>(now);
            if (area && !qobject_cast<QGraphicsView*>(now) && now->window()->windowType() != Qt::Popup)
                m_frame = new FocusFrame(area);
        });
    }

private:
    QPointer<FocusFrame> m_frame;
};

} // namespace

void paintFocusFrame(QPainter& painter, const QRect& rect) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(QPen(theme().accent, kFocusFrame, Qt::SolidLine, Qt::SquareCap, Qt::MiterJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(1, 1, -1, -1)); // a pen of two is drawn half outside
    painter.restore();
}

void showFocusFrames(QApplication& app) {
    const QString name = QStringLiteral("focus frames");
    if (app.findChild<QObject*>(name, Qt::FindDirectChildrenOnly) != nullptr)
        return;
    (new FocusFrames(app))->setObjectName(name);
}

} // namespace pw
