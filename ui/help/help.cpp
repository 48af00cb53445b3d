// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/help.h"

#include "ui/base/convert.h"
#include "ui/base/manual_link.h"
#include "ui/commands/commands.h"
#include "ui/help/glossary.h"
#include "ui/help/help_topics.h"
#include "ui/help/manual_window.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QCursor>
#include <QDesktopServices>
#include <QDialog>

namespace pw {

namespace {

// The current row, or the only one.
QModelIndex askedRow(const QAbstractItemView& rows) {
    const QModelIndex current = rows.currentIndex();
    const QAbstractItemModel* model = rows.model();
    return !current.isValid() && model && model->rowCount(rows.rootIndex()) == 1
               ? model->index(0, 0, rows.rootIndex())
               : current;
}

} // namespace

QString messageCodeAt(const QWidget* focus) {
    for (const QWidget* part = focus; part; part = part->parentWidget()) {
        if (const auto* rows = qobject_cast<const QAbstractItemView*>(part))
            if (QString code = askedRow(*rows).data(kMessageCodeRole).toString(); !code.isEmpty())
                return code;
        if (QString code = part->property(kMessageCodeProperty).toString(); !code.isEmpty())
            return code;
        if (part->isWindow())
            break;
    }
    return {};
}

Help::Help(Commands& commands, QWidget& window, const QByteArray& geometry)
    : QObject(&window), m_commands(commands), m_window(window), m_geometry(geometry),
      m_glossary(new GlossaryMarks(this)) {
    QDesktopServices::setUrlHandler(QLatin1String(kManualScheme), this, "open");
    commands.bind("help.manual", this, [this] { show(QString()); });
    commands.bind("help.here", this, [this] {
        const std::optional<QString> word = m_glossary->targetAt(QCursor::pos());
        show(word ? *word : QLatin1String(helpTarget(QApplication::focusWidget())));
    });
    commands.bind("help.message", this, [this] { explain(); });
    commands.bind("help.firstSteps", this, [this] { show(QStringLiteral("first-steps.md")); });
    qApp->installEventFilter(this);
}

Help::~Help() {
    QDesktopServices::unsetUrlHandler(QLatin1String(kManualScheme));
}

QByteArray Help::geometry() const {
    return m_manual ? m_manual->saveGeometry() : m_geometry;
}

// Without a target: where it was left.
void Help::show(const QString& target) {
    if (!m_manual) {
        m_manual = std::make_unique<ManualWindow>();
        m_manual->restoreGeometry(m_geometry);
    }
    if (!target.isEmpty())
        m_manual->open(target);
    m_manual->show();
    m_manual->raise();
    m_manual->activateWindow();
}

void Help::open(const QUrl& url) {
    show(url.path().mid(1) + (url.hasFragment() ? QLatin1Char('#') + url.fragment() : QString()));
}

// The message at the focus, else one that the same window shows, else how messages are to be read.
void Help::explain() {
    QString code = messageCodeAt(QApplication::focusWidget());
    const QWidget* window = QApplication::activeWindow() ? QApplication::activeWindow() : &m_window;
    const QList<QWidget*> parts = window->findChildren<QWidget*>();
    for (const QWidget* part : parts)
        if (code.isEmpty() && part->isVisible())
            code = part->property(kMessageCodeProperty).toString();
    code.isEmpty() ? show(QStringLiteral("messages.md")) : openMessage(s(code));
}

bool Help::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Show)
        if (auto* dialog = qobject_cast<QDialog*>(watched))
            for (const char* id : {"help.here", "help.message"})
                dialog->addAction(m_commands.action(id));
    return QObject::eventFilter(watched, event);
}

} // namespace pw
