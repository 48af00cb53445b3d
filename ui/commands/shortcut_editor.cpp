// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/commands/shortcut_editor.h"

#include "ui/base/theme.h"
#include "ui/commands/command_table.h"
#include "ui/commands/commands.h"

#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTableWidget>
#include <QVBoxLayout>

namespace pw {

namespace {

constexpr int kId = Qt::UserRole;
enum Column { Name, Where, Keys, Clash, ColumnCount };

QList<QKeySequence> sequencesOf(const QString& keys) {
    QList<QKeySequence> sequences;
    for (const QString& key : keys.split(QStringLiteral("; "), Qt::SkipEmptyParts))
        sequences.append(QKeySequence(key.trimmed(), QKeySequence::PortableText));
    return sequences;
}

QString keysOf(const CommandRow& row, const OwnKeys& own) {
    return own.value(QLatin1String(row.id), QLatin1String(row.keys));
}

} // namespace

OwnKeys loadKeys(const QString& file) {
    OwnKeys keys;
    const QSettings ini(file, QSettings::IniFormat);
    for (const CommandRow& row : commandTable())
        if (const QString id = QLatin1String(row.id); ini.contains(id))
            keys.insert(id, ini.value(id).toString());
    return keys;
}

bool saveKeys(const QString& file, const OwnKeys& keys) {
    QSettings ini(file, QSettings::IniFormat);
    ini.clear();
    for (auto it = keys.begin(); it != keys.end(); ++it)
        ini.setValue(it.key(), it.value());
    ini.sync();
    return ini.status() == QSettings::NoError;
}

void applyKeys(const Commands& commands, const OwnKeys& keys) {
    for (const CommandRow& row : commandTable()) {
        QAction* action = commands.action(row.id);
        action->setShortcuts(sequencesOf(keysOf(row, keys)));
        setHelp(*action, action->statusTip());
    }
}

QMap<QString, QStringList> keyConflicts(const OwnKeys& keys) {
    QMap<QString, QStringList> conflicts;
    const auto& rows = commandTable();
    for (const CommandRow& a : rows)
        for (const CommandRow& b : rows) {
            const QString where = QLatin1String(a.context), other = QLatin1String(b.context);
            const bool meet =
                where == other || where == QLatin1String("window") || other == QLatin1String("window");
            if (&a == &b || !meet)
                continue;
            for (const QKeySequence& key : sequencesOf(keysOf(a, keys)))
                if (sequencesOf(keysOf(b, keys)).contains(key))
                    conflicts[QLatin1String(a.id)].append(QLatin1String(b.id));
        }
    return conflicts;
}

ShortcutEditor::ShortcutEditor(Commands& commands, const QString& file, QWidget* parent)
    : QDialog(parent), m_commands(commands), m_file(file), m_keys(loadKeys(file)), m_table(new QTableWidget),
      m_state(new QLabel) {
    setObjectName(QStringLiteral("shortcutEditor"));
    setWindowTitle(tr("Keys"));
    resize(720, 560);
    auto* find = new QLineEdit;
    find->setPlaceholderText(tr("Find a command or a key"));
    find->setAccessibleName(tr("Find a command or a key"));
    find->setClearButtonEnabled(true);
    connect(find, &QLineEdit::textChanged, this, &ShortcutEditor::filter);
    m_table->setObjectName(QStringLiteral("shortcutEditor.table"));
    m_table->setAccessibleName(tr("Commands and their keys"));
    m_table->setColumnCount(ColumnCount);
    m_table->setHorizontalHeaderLabels({tr("Command"), tr("Where"), tr("Keys"), tr("Clashes with")});
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(22);
    m_table->horizontalHeader()->setSectionResizeMode(Name, QHeaderView::Stretch);
    m_table->setColumnWidth(Keys, 170);
    m_table->setColumnWidth(Clash, 170);
    m_state->setObjectName(QStringLiteral("shortcutEditor.state"));
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel |
                                         QDialogButtonBox::RestoreDefaults);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(12, 12, 12, 12);
    column->addWidget(find);
    column->addWidget(m_table, 1);
    column->addWidget(m_state);
    column->addWidget(buttons);
    connect(m_table, &QTableWidget::itemChanged, this, [this](const QTableWidgetItem* item) {
        if (!m_filling && item->column() == Keys)
            changed(item->row());
    });
    connect(buttons->button(QDialogButtonBox::RestoreDefaults), &QPushButton::clicked, this, [this] {
        m_keys.clear();
        fill();
    });
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        if (!saveKeys(m_file, m_keys)) {
            m_state->setText(tr("%1 was not written.").arg(QFileInfo(m_file).fileName()));
            return;
        }
        applyKeys(m_commands, m_keys);
        accept();
    });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    fill();
}

void ShortcutEditor::fill() {
    m_filling = true;
    m_table->setRowCount(0);
    for (const CommandRow& command : commandTable()) {
        const int row = m_table->rowCount();
        m_table->insertRow(row);
        const QString where = QCoreApplication::translate("Commands", command.context);
        const QString texts[] = {
            QCoreApplication::translate("Commands", command.text).remove(QLatin1Char('&')),
            qstrcmp(command.context, "window") == 0 ? tr("everywhere") : where,
            keysOf(command, m_keys),
            {}};
        for (int column = 0; column < ColumnCount; ++column) {
            auto* item = new QTableWidgetItem(texts[column]);
            item->setFlags(column == Keys ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsEditable
                                          : Qt::ItemIsEnabled | Qt::ItemIsSelectable);
            item->setToolTip(QCoreApplication::translate("Commands", command.help));
            item->setData(kId, QLatin1String(command.id));
            m_table->setItem(row, column, item);
        }
    }
    m_filling = false;
    mark();
}

void ShortcutEditor::changed(int row) {
    const QString id = m_table->item(row, Keys)->data(kId).toString();
    QStringList understood;
    for (const QKeySequence& key : sequencesOf(m_table->item(row, Keys)->text()))
        if (!key.isEmpty() && key[0].key() != Qt::Key_unknown)
            understood.append(key.toString(QKeySequence::PortableText));
    const QString keys = understood.join(QStringLiteral("; "));
    const CommandRow* command = findCommand(id.toLatin1().constData());
    if (command && keys == QLatin1String(command->keys))
        m_keys.remove(id);
    else
        m_keys.insert(id, keys);
    m_filling = true;
    m_table->item(row, Keys)->setText(keys);
    m_filling = false;
    mark();
}

void ShortcutEditor::mark() {
    const auto conflicts = keyConflicts(m_keys);
    m_filling = true;
    for (int row = 0; row < m_table->rowCount(); ++row) {
        QStringList names;
        for (const QString& other : conflicts.value(m_table->item(row, Clash)->data(kId).toString()))
            if (const CommandRow* command = findCommand(other.toLatin1().constData()))
                names << QCoreApplication::translate("Commands", command->text).remove(QLatin1Char('&'));
        m_table->item(row, Clash)->setText(names.join(QStringLiteral(", ")));
        for (const int column : {Keys, Clash})
            m_table->item(row, column)->setForeground(names.isEmpty() ? theme().text : theme().err);
    }
    m_filling = false;
    m_state->setText(conflicts.isEmpty()
                         ? tr("Several keys are parted by \u201c; \u201d.")
                         : tr("%1 commands share a key with another one.").arg(conflicts.size()));
}

void ShortcutEditor::filter(const QString& text) {
    for (int row = 0; row < m_table->rowCount(); ++row)
        m_table->setRowHidden(row, !m_table->item(row, Name)->text().contains(text, Qt::CaseInsensitive) &&
                                       !m_table->item(row, Keys)->text().contains(text, Qt::CaseInsensitive));
}

} // namespace pw
