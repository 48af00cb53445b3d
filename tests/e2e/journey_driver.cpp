// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/e2e/journey_driver.h"

#include "ui/commands/commands.h"
#include "ui/topology/canvas.h"
#include "ui/topology/items.h"
#include "ui/window/dock_area.h"
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QApplication>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QDropEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTabBar>
#include <QTest>

namespace pw {

QWidget* JourneyDriver::root() const {
    QWidget* modal = QApplication::activeModalWidget();
    return modal ? modal : &m_window;
}

void JourneyDriver::show() {
    m_window.show();
    m_window.activateWindow();
    if (!QTest::qWaitForWindowActive(&m_window))
        qFatal("the window was not shown");
}

TopologyCanvas* JourneyDriver::canvas() const {
    auto* found = m_window.findChild<TopologyCanvas*>();
    if (!found)
        qFatal("there is no canvas");
    return found;
}

void JourneyDriver::raise(const QString& name) {
    QDockWidget* dock = m_window.docks().dock(name);
    if (!dock)
        qFatal("there is no dock %s", qPrintable(name));
    for (QTabBar* bar : m_window.docks().findChildren<QTabBar*>())
        for (int i = 0; i < bar->count(); ++i)
            if (bar->tabText(i).remove(QLatin1Char('&')) == dock->windowTitle())
                QTest::mouseClick(bar, Qt::LeftButton, {}, bar->tabRect(i).center());
    if (!QTest::qWaitFor([dock] { return !dock->visibleRegion().isEmpty(); }))
        qFatal("the dock %s stays hidden", qPrintable(name));
}

void JourneyDriver::command(const char* id) {
    const QKeySequence keys = m_window.commands().action(id)->shortcut();
    QWidget* focus = m_window.focusWidget();
    QTest::keySequence(focus ? focus : &m_window, keys);
}

void JourneyDriver::key(QWidget* widget, Qt::Key key, Qt::KeyboardModifiers modifiers) {
    widget->setFocus();
    QTest::keyClick(widget, key, modifiers);
}

void JourneyDriver::drop(const DragPayload& payload, QPoint where) {
    // As the window system finds it: whatever lies on top hands the drop to the first parent that takes
    // drops.
    QWidget* target = m_window.childAt(canvas()->viewport()->mapTo(&m_window, where));
    while (target && !target->acceptDrops())
        target = target->parentWidget();
    if (target != canvas()->viewport())
        qFatal("a drop on the canvas does not reach it");
    const std::unique_ptr<QMimeData> mime(payload.toMime());
    QDragEnterEvent enter(where, Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(target, &enter);
    QDragMoveEvent move(where, Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(target, &move);
    if (!enter.isAccepted() || !move.isAccepted())
        qFatal("the canvas does not take %s", qPrintable(payload.name));
    QDropEvent dropped(where, Qt::CopyAction, mime.get(), Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(target, &dropped);
}

QPoint JourneyDriver::middleOf(const QString& box) const {
    const QRectF rect = canvas()->topology().boxOf(box);
    if (rect.isNull())
        qFatal("there is no box %s", qPrintable(box));
    return canvas()->mapFromScene(rect.center());
}

void JourneyDriver::click(const QString& box, Qt::KeyboardModifiers modifiers) {
    QTest::mouseClick(canvas()->viewport(), Qt::LeftButton, modifiers, middleOf(box));
}

void JourneyDriver::clickLink(const QString& id, Qt::KeyboardModifiers modifiers) {
    const LinkItem* link = canvas()->topology().linkItem(id);
    if (!link)
        qFatal("there is no link %s", qPrintable(id));
    // The middle of the longest leg on which a click means it.
    QPointF best;
    double longest = 0.0;
    for (qsizetype i = 1; i < link->way().size(); ++i) {
        const QLineF leg(link->way()[i - 1], link->way()[i]);
        if (leg.length() > longest &&
            canvas()->topology().itemAt(leg.center(), 6.0 / canvas()->zoom()) == id) {
            best = leg.center();
            longest = leg.length();
        }
    }
    if (longest > 0.0)
        return QTest::mouseClick(canvas()->viewport(), Qt::LeftButton, modifiers,
                                 canvas()->mapFromScene(best));
    qFatal("no part of link %s can be reached", qPrintable(id));
}

void JourneyDriver::type(const QString& lineEdit, const QString& text) {
    auto* edit = find<QLineEdit>(lineEdit);
    edit->setFocus();
    QTest::keyClick(edit, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClicks(edit, text);
    QTest::keyClick(edit, Qt::Key_Return);
}

void JourneyDriver::choose(const QString& comboBox, const QString& entry) {
    auto* box = find<QComboBox>(comboBox);
    box->setFocus();
    const int wanted = box->findText(entry);
    if (wanted < 0)
        qFatal("%s does not offer %s", qPrintable(comboBox), qPrintable(entry));
    while (box->currentIndex() != wanted) {
        const int before = box->currentIndex();
        QTest::keyClick(box, before < wanted ? Qt::Key_Down : Qt::Key_Up);
        if (box->currentIndex() == before)
            qFatal("%s does not follow the keys", qPrintable(comboBox));
    }
}

void JourneyDriver::press(const QString& button) {
    QTest::mouseClick(find<QAbstractButton>(button), Qt::LeftButton);
}

void JourneyDriver::answering(const std::function<void()>& open,
                              const std::function<void(QWidget&)>& answer) {
    bool answered = false;
    const QWidget* before = QApplication::activeModalWidget(); // that opens one of its own
    QTimer watch;
    QObject::connect(&watch, &QTimer::timeout, &watch, [&] {
        QWidget* modal = QApplication::activeModalWidget();
        if (!modal || modal == before)
            return;
        watch.stop();
        answered = true;
        const QPointer<QWidget> dialog(modal);
        answer(*modal);
        if (dialog) // a failed check inside left it there
            dialog->close();
    });
    watch.start(20);
    open();
    if (!answered && !QTest::qWaitFor([&] { return answered; }))
        qFatal("no dialog was opened");
}

void JourneyDriver::answeringFileDialog(const std::function<void()>& open, const QString& path) {
    answering(open, [&](QWidget& modal) {
        auto* dialog = qobject_cast<QFileDialog*>(&modal);
        if (!dialog)
            qFatal("%s is no file dialog", modal.metaObject()->className());
        auto* name = dialog->findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
        name->setText(path);
        const auto* buttons = dialog->findChild<QDialogButtonBox*>();
        QPushButton* accept =
            buttons->button(dialog->acceptMode() == QFileDialog::AcceptSave ? QDialogButtonBox::Save
                                                                            : QDialogButtonBox::Open);
        QTest::mouseClick(accept, Qt::LeftButton);
    });
}

} // namespace pw
