// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/soak/soak_hands.h"

#include "tests/soak/soak_record.h"
#include "ui/commands/command_table.h"
#include "ui/commands/commands.h"
#include "ui/export/export_dialog.h"
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QDirIterator>
#include <QDrag>
#include <QEventLoop>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QTest>
#include <QTimer>

#include <array>
#include <filesystem>
#include <set>
#include <string_view>

namespace pw {
namespace {

constexpr int kPaceMs = 15;
constexpr int kPatience = 8; // answers of a dialog before it is closed

// What ends the program, or is done by another program.
bool isLeftOut(std::string_view command) {
    return std::set<std::string_view>{"file.quit", "file.discardLost"}.contains(command);
}

// A copy of what ships, since hands like these save whatever they have opened.
void copyShipped(const QString& folder) {
    for (const char* name : {"samples", "tests/data"}) {
        const std::filesystem::path to = std::filesystem::path(folder.toStdString()) / name;
        std::filesystem::create_directories(to);
        std::filesystem::copy(std::filesystem::path(PW_SOURCE_DIR) / name, to,
                              std::filesystem::copy_options::recursive);
    }
}

QStringList filesUnder(const QString& folder, const QStringList& patterns) {
    QStringList files;
    QDirIterator found(folder, patterns, QDir::Files, QDirIterator::Subdirectories);
    while (found.hasNext())
        files += found.next();
    files.sort(); // as it lies on the disk otherwise
    return files;
}

QPoint somewhereIn(const QWidget& widget, Random& random) {
    return {static_cast<int>(random.below(static_cast<std::uint64_t>(std::max(1, widget.width())))),
            static_cast<int>(random.below(static_cast<std::uint64_t>(std::max(1, widget.height()))))};
}

} // namespace

SoakHands::SoakHands(MainWindow& window, const QString& folder, std::uint64_t seed, SoakRecord& record)
    : m_window(window), m_folder(folder), m_random(seed), m_record(record) {
    copyShipped(folder);
    m_projects = filesUnder(folder + QStringLiteral("/samples/projects"), {QStringLiteral("*.pwx")});
    m_inputs = filesUnder(folder, {});
    for (const CommandRow& row : commandTable())
        if (!isLeftOut(row.id))
            m_commands += row.id;
    answerSoon();
}

// A timer does not fire again before what it does has come back: each answer has one of its own.
void SoakHands::answerSoon() {
    QTimer::singleShot(kPaceMs, this, &SoakHands::answer);
}

bool SoakHands::chance(double share) {
    return m_random.uniform() < share;
}

template <class List>
auto SoakHands::any(const List& list) -> decltype(list[0]) {
    return list[static_cast<decltype(list.size())>(m_random.below(static_cast<std::uint64_t>(list.size())))];
}

void SoakHands::act() {
    m_patience.clear();
    QEventLoop loop;
    const double drawn = m_random.uniform();
    QTimer::singleShot(0, this, [this, drawn] {
        if (drawn < 0.40)
            command();
        else if (drawn < 0.70)
            touch(&m_window);
        else if (drawn < 0.80)
            press();
        else if (drawn < 0.90)
            undo();
        else if (drawn < 0.93)
            search();
        else if (drawn < 0.97)
            import();
        else
            open();
    });
    QTimer::singleShot(static_cast<int>(5 + m_random.below(60)), &loop, &QEventLoop::quit);
    loop.exec();
    // Of several dialogs each one is closed by the ones behind it.
    while (QApplication::activeModalWidget() || QApplication::activePopupWidget())
        QTest::qWait(kPaceMs);
}

void SoakHands::command() {
    const char* const id = any(m_commands);
    m_record.begin(std::string("command ") + id);
    if (QAction* action = m_window.commands().action(id); action->isEnabled())
        action->trigger();
}

void SoakHands::touch(QWidget* within) {
    QList<QWidget*> widgets;
    for (QWidget* widget : within->findChildren<QWidget*>())
        if (widget->isVisible() && widget->isEnabled() && widget->window() == within->window() &&
            !widget->visibleRegion().isEmpty())
            widgets += widget;
    if (widgets.isEmpty())
        return;
    QWidget* const widget = any(widgets);
    const QPoint at = somewhereIn(*widget, m_random);
    m_record.begin("touch " + (widget->objectName().isEmpty() ? std::string(widget->metaObject()->className())
                                                              : widget->objectName().toStdString()));
    const double drawn = m_random.uniform();
    if (drawn < 0.55) {
        QTest::mouseClick(widget, Qt::LeftButton, {}, at);
    } else if (drawn < 0.65) {
        QTest::mouseClick(widget, Qt::LeftButton, chance(0.5) ? Qt::ControlModifier : Qt::ShiftModifier, at);
    } else if (drawn < 0.70) {
        QTest::mouseDClick(widget, Qt::LeftButton, {}, at);
    } else if (drawn < 0.75) {
        QContextMenuEvent menu(QContextMenuEvent::Mouse, at, widget->mapToGlobal(at));
        QApplication::sendEvent(widget, &menu);
    } else if (drawn < 0.88) {
        QWheelEvent wheel(at, widget->mapToGlobal(at), {}, {0, chance(0.5) ? 120 : -120}, Qt::NoButton,
                          chance(0.4) ? Qt::ControlModifier : Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(widget, &wheel);
    } else {
        QTest::mousePress(widget, Qt::LeftButton, {}, at);
        // What drags something out of a list waits for a real mouse to let it go.
        QTimer::singleShot(200, &QDrag::cancel);
        for (int step = 0; step < 4; ++step)
            QTest::mouseMove(widget, somewhereIn(*widget, m_random));
        QTest::mouseRelease(widget, Qt::LeftButton, {}, somewhereIn(*widget, m_random));
    }
}

void SoakHands::press() {
    static constexpr std::array kKeys = {Qt::Key_Up,       Qt::Key_Down,   Qt::Key_Left,   Qt::Key_Right,
                                         Qt::Key_Tab,      Qt::Key_Space,  Qt::Key_Return, Qt::Key_Home,
                                         Qt::Key_PageDown, Qt::Key_Delete, Qt::Key_1,      Qt::Key_7,
                                         Qt::Key_W,        Qt::Key_S,      Qt::Key_F,      Qt::Key_Escape};
    QWidget* const focus = QApplication::focusWidget();
    m_record.begin(std::string("key in ") + (focus ? focus->metaObject()->className() : "nothing"));
    if (focus && focus->window() == &m_window)
        QTest::keyClick(focus, any(kKeys));
}

void SoakHands::undo() {
    m_record.begin("undo");
    m_window.commands().action(chance(0.7) ? "edit.undo" : "edit.redo")->trigger();
}

void SoakHands::open() {
    const QString file = any(m_projects);
    m_record.begin("open " + QFileInfo(file).fileName().toStdString());
    if (chance(0.8)) { // else it asks what to do with unsaved work
        m_window.context().document.undoStack()->setClean();
        m_window.context().document.setNewPlans(false);
        m_window.context().document.setNewDemand(false);
    }
    m_window.openFile(file);
}

void SoakHands::import() {
    const QString file = any(m_inputs);
    m_record.begin("import " + QFileInfo(file).fileName().toStdString());
    m_window.importFiles({file});
}

void SoakHands::search() {
    m_record.begin("search");
    SearchOptions options;
    options.work = static_cast<std::int64_t>(20'000 + m_random.below(400'000));
    m_window.context().runner.setOptions(options);
    m_window.context().runner.start();
}

void SoakHands::answer() {
    answerSoon();
    if (auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget()))
        return answerMenu(*menu);
    if (QWidget* popup = QApplication::activePopupWidget()) {
        popup->close();
        return;
    }
    QWidget* const dialog = QApplication::activeModalWidget();
    if (!dialog)
        return;
    if (auto* files = qobject_cast<QFileDialog*>(dialog))
        return answerFile(*files);
    if (auto* box = qobject_cast<QMessageBox*>(dialog); box && !box->buttons().isEmpty()) {
        QAbstractButton* const button = any(box->buttons());
        return button->click();
    }
    if (auto* exporting = qobject_cast<ExportDialog*>(dialog))
        exporting->setFolder(m_folder + QStringLiteral("/export-%1").arg(m_random.below(8)));
    if (++m_patience[dialog] > kPatience) {
        if (auto* asked = qobject_cast<QDialog*>(dialog))
            return asked->reject();
        dialog->close();
        return;
    }
    touch(dialog);
}

void SoakHands::answerFile(QFileDialog& dialog) {
    auto* name = dialog.findChild<QLineEdit*>(QStringLiteral("fileNameEdit"));
    if (!name || ++m_patience[&dialog] > 3 || chance(0.2))
        return dialog.reject();
    if (dialog.acceptMode() == QFileDialog::AcceptSave)
        name->setText(m_folder + QStringLiteral("/saved-%1.pwx").arg(m_random.below(8)));
    else
        name->setText(dialog.fileMode() == QFileDialog::Directory ? m_folder : any(m_inputs));
    QMetaObject::invokeMethod(&dialog, "accept");
}

void SoakHands::answerMenu(QMenu& menu) {
    QList<QAction*> actions;
    for (QAction* action : menu.actions())
        if (action->isEnabled() && !action->isSeparator() && !action->menu() &&
            action != m_window.commands().action("file.quit") &&
            action != m_window.commands().action("file.discardLost"))
            actions += action;
    if (actions.isEmpty() || ++m_patience[&menu] > 3 || chance(0.4)) {
        menu.close();
        return;
    }
    menu.setActiveAction(any(actions));
    QTest::keyClick(&menu, Qt::Key_Return);
}

} // namespace pw
