// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/commands.h"

#include "ui/base/icons.h"
#include "ui/commands/command_table.h"

#include <QAbstractSpinBox>
#include <QApplication>
#include <QLineEdit>
#include <QMenu>
#include <QWidget>

#include <cstring>

namespace pw {

void finishTyping() {
    QWidget* const focus = QApplication::focusWidget();
    if (auto* spin = qobject_cast<QAbstractSpinBox*>(focus))
        spin->interpretText();
    auto* line = qobject_cast<QLineEdit*>(focus);
    if (!line || !line->isModified())
        return;
    line->setModified(false);
    Q_EMIT line->editingFinished();
}

Commands::Commands(QWidget* window) : QObject(window), m_window(window) {
    for (const CommandRow& row : commandTable()) {
        auto* made = new QAction(QCoreApplication::translate("Commands", row.text), this);
        const QString help = QCoreApplication::translate("Commands", row.help);
        made->setObjectName(QLatin1String(row.id));
        made->setCheckable(row.checkable);
        made->setEnabled(false); // until it is bound
        if (*row.icon)
            made->setIcon(icon(QLatin1String(row.icon)));
        QList<QKeySequence> keys;
        for (const QString& key :
             QString::fromLatin1(row.keys).split(QStringLiteral("; "), Qt::SkipEmptyParts))
            keys.append(QKeySequence(key, QKeySequence::PortableText));
        made->setShortcuts(keys);
        setHelp(*made, help);
        if (std::strcmp(row.context, "window") == 0)
            window->addAction(made);
        else
            made->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        m_actions.insert(made->objectName(), made);
    }
}

QAction* Commands::action(const char* id) const {
    QAction* found = m_actions.value(QLatin1String(id));
    Q_ASSERT_X(found, "Commands::action", id);
    return found;
}

void Commands::bind(const char* id, QObject* owner, std::function<void()> run) {
    QAction* found = action(id);
    const QString name = QLatin1String(id);
    if (!m_bound.contains(name))
        found->setEnabled(true);
    QObject::disconnect(m_bound.value(name));
    // Undo takes back what is being typed, field by field.
    const bool takesBack = name == QLatin1String("edit.undo") || name == QLatin1String("edit.redo");
    m_bound[name] = connect(found, &QAction::triggered, owner, [takesBack, run = std::move(run)] {
        if (!takesBack)
            finishTyping();
        run();
    });
}

void Commands::attach(const char* context, QWidget* view) const {
    for (const CommandRow& row : commandTable())
        if (std::strcmp(row.context, context) == 0)
            view->addAction(action(row.id));
}

void Commands::fill(QMenu* menu, const char* menuName) const {
    QMenu* below = nullptr; // "Cluster/Arrange": the rows of a submenu stand together
    QString belowName;
    for (const CommandRow& row : commandTable()) {
        const QStringList path = QString::fromLatin1(row.menu).split(QLatin1Char('/'));
        if (path.first() != QLatin1String(menuName))
            continue;
        QMenu* into = menu;
        if (path.size() > 1) {
            if (belowName != path[1]) {
                belowName = path[1];
                below = menu->addMenu(QCoreApplication::translate("Menus", path[1].toLatin1().constData()));
                below->setObjectName(menu->objectName() + QLatin1Char('.') + belowName);
            }
            into = below;
        }
        if (row.separatorBefore)
            into->addSeparator();
        into->addAction(action(row.id));
    }
}

QStringList Commands::unbound() const {
    QStringList missing;
    for (const CommandRow& row : commandTable())
        if (!m_bound.contains(QLatin1String(row.id)))
            missing.append(QLatin1String(row.id));
    return missing;
}

void setHelp(QAction& action, const QString& help) {
    const QString key = action.shortcut().toString(QKeySequence::NativeText);
    action.setStatusTip(help);
    action.setToolTip(key.isEmpty() ? help : QStringLiteral("%1 (%2)").arg(help, key));
}

void nameAfter(QWidget* button, const QAction* action) {
    const auto follow = [button, action] {
        button->setAccessibleName(action->text().remove(QLatin1Char('&')).remove(QStringLiteral("...")));
        button->setAccessibleDescription(action->statusTip());
    };
    QObject::connect(action, &QAction::changed, button, follow);
    follow();
}

} // namespace pw
