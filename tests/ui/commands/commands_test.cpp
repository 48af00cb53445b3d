// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The command table: every command says what it does, no key means two things in one place, and the sheet
// lists all.

#include "tests/ui/ui_fixture.h"
#include "ui/base/icons.h"
#include "ui/commands/command_table.h"
#include "ui/commands/context_menu.h"
#include "ui/commands/key_sheet.h"
#include "ui/commands/shortcut_editor.h"

#include <QDialogButtonBox>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>

#include <map>
#include <set>

using namespace pw;

class CommandsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyCommandIsExplained() {
        std::set<std::string> ids, offered; // in the menu of a place
        for (const ContextRow& place : contextTable())
            offered.insert(place.commands.begin(), place.commands.end());
        for (const CommandRow& row : commandTable()) {
            QVERIFY2(ids.insert(row.id).second, row.id);
            QVERIFY2(*row.text, row.id);
            const QString help = QString::fromUtf8(row.help);
            QVERIFY2(help.endsWith(QLatin1Char('.')) && help.size() > 8, row.id);
            QVERIFY2(*row.menu || *row.keys || offered.contains(row.id), row.id); // or nobody can reach it
            if (*row.icon)
                QVERIFY2(!icon(QLatin1String(row.icon)).isNull(), row.id);
        }
    }

    void everyMenuIsInTheOrder() {
        std::set<std::string> menus;
        for (const char* menu : menuOrder())
            menus.insert(menu);
        for (const CommandRow& row : commandTable())
            QVERIFY2(!*row.menu ||
                         menus.contains(std::string(row.menu).substr(0, std::string(row.menu).find('/'))),
                     row.id);
    }

    void noKeyMeansTwoThings() {
        // A key of the window works in every view, so that it clashes with theirs, too. What the table does
        // not know, shortcuts of views and views in one another: keyboard_test.
        std::map<std::string, std::map<QString, std::string>> taken;
        const auto keysOf = [](const CommandRow& row) {
            return QString::fromLatin1(row.keys).split(QStringLiteral("; "), Qt::SkipEmptyParts);
        };
        for (const CommandRow& row : commandTable())
            for (const QString& key : keysOf(row)) {
                QVERIFY2(!QKeySequence(key, QKeySequence::PortableText).isEmpty(), row.id);
                const auto [at, fresh] = taken[row.context].emplace(key, row.id);
                QVERIFY2(fresh, qPrintable(QStringLiteral("%1: %2 and %3")
                                               .arg(key, QLatin1String(row.id),
                                                    QString::fromStdString(at->second))));
            }
        for (const auto& [context, keys] : taken)
            for (const auto& [key, id] : keys)
                QVERIFY2(context == "window" || !taken["window"].contains(key), id.c_str());
    }

    void sheetListsEveryKey() {
        const QString sheet = keySheetHtml();
        for (const CommandRow& row : commandTable())
            if (*row.keys)
                QVERIFY2(sheet.contains(QString::fromUtf8(row.help).toHtmlEscaped()), row.id);
    }

    void ownKeysAreSavedAppliedAndClash() {
        QVERIFY(keyConflicts({}).isEmpty());
        const OwnKeys clash = {{QStringLiteral("search.run"), QStringLiteral("Ctrl+S")}};
        const auto conflicts = keyConflicts(clash);
        QCOMPARE(conflicts.value(QStringLiteral("search.run")), QStringList{QStringLiteral("file.save")});
        QCOMPARE(conflicts.value(QStringLiteral("file.save")), QStringList{QStringLiteral("search.run")});
        // One letter in two views is no clash.
        QVERIFY(keyConflicts({{QStringLiteral("canvas.link"), QStringLiteral("D")}}).isEmpty());

        UiFixture ui;
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("keys.ini"));
        ShortcutEditor editor(*ui.commands, file);
        int row = 0;
        while (editor.table()->item(row, 0)->text() != QLatin1String("Run"))
            ++row;
        editor.table()->item(row, 2)->setText(QStringLiteral("F12"));
        editor.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok)->click();
        QCOMPARE(ui.commands->action("search.run")->shortcut(), QKeySequence(Qt::Key_F12));
        QCOMPARE(loadKeys(file), (OwnKeys{{QStringLiteral("search.run"), QStringLiteral("F12")}}));
        applyKeys(*ui.commands, {});
        QCOMPARE(ui.commands->action("search.run")->shortcut(), QKeySequence(Qt::Key_F5));
    }

    void bindingRunsTheCommand() {
        UiFixture ui;
        int runs = 0;
        ui.commands->bind("search.run", &ui.window, [&runs] { ++runs; });
        ui.commands->action("search.run")->trigger();
        ui.commands->bind("search.run", &ui.window, [&runs] { runs += 10; });
        ui.commands->action("search.run")->trigger();
        QCOMPARE(runs, 11);
    }

    void viewKeysBelongToTheView() {
        UiFixture ui;
        QWidget view;
        ui.commands->attach("plans", &view);
        QVERIFY(view.actions().contains(ui.commands->action("plans.pin")));
        QCOMPARE(ui.commands->action("plans.pin")->shortcutContext(), Qt::WidgetWithChildrenShortcut);
        QVERIFY(!ui.window.actions().contains(ui.commands->action("plans.pin")));
    }
};

QTEST_MAIN(CommandsTest)
#include "commands_test.moc"
