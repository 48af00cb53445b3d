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

namespace pw {

namespace {

// A child of the widget that it is around. Screen readers are not told of a QFocusFrame.
class FocusFrame : public QFocusFrame {
public:
    explicit FocusFrame(QWidget* around) : QFocusFrame(around) {
        around->installEventFilter(this);
        fit();
        raise();
        show();
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == parent() && event->type() == QEvent::Resize)
            fit();
        return QWidget::eventFilter(watched, event);
    }
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        paintFocusFrame(painter, rect());
    }

private:
    void fit() {
        setGeometry(parentWidget()->rect());
        // What is inside is drawn without it.
        setMask(QRegion(rect()) - rect().adjusted(kFocusFrame, kFocusFrame, -kFocusFrame, -kFocusFrame));
    }
};

class FocusFrames : public QObject {
public:
    explicit FocusFrames(QApplication& app) : QObject(&app) {
        connect(&app, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) {
            delete m_frame;
            if (qobject_cast<QAbstractScrollArea*>(now) && !qobject_cast<QGraphicsView*>(now) &&
                now->window()->windowType() != Qt::Popup)
                m_frame = new FocusFrame(now);
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
