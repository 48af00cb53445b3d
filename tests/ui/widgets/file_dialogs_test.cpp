// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/file_dialogs.h"

#include "tests/ui/file_dialog.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QWidget>

using namespace pw;

namespace {
const QString kKind = QStringLiteral("tests");
}

// Where dialogs for files begin, and what they call a file.
class FileDialogsTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    QDir m_home;

    QString made(const QString& folder) {
        m_home.mkpath(folder);
        return m_home.filePath(folder);
    }
    QString madeFile(const QString& path) {
        QFile file(m_home.filePath(path));
        return file.open(QIODevice::WriteOnly) ? file.fileName() : QString();
    }

private Q_SLOTS:
    void init() {
        const QString home = m_folder.filePath(QLatin1String(QTest::currentTestFunction()));
        QDir().mkpath(home);
        m_home = QDir(QDir(home).canonicalPath());
        qputenv("HOME", m_home.path().toUtf8());
        qputenv("XDG_CONFIG_HOME", m_home.filePath(QStringLiteral(".config")).toUtf8());
        qputenv("PIPEWRIGHT_CONFIG_DIR", m_home.filePath(QStringLiteral("settings")).toUtf8());
    }

    void beginsInTheDocuments() {
        QCOMPARE(folderOfLast(kKind), m_home.path()); // there are none
        const QString documents = made(QStringLiteral("Documents"));
        QCOMPARE(folderOfLast(kKind), documents);
    }

    void eachKindHasItsFolder() {
        const QString documents = made(QStringLiteral("Documents"));
        const QString runs = made(QStringLiteral("runs"));
        keepFolderOf(kKind, runs + QStringLiteral("/a.csv"));
        QCOMPARE(folderOfLast(kKind), runs);
        QCOMPARE(folderOfLast(QStringLiteral("others")), documents);
        m_home.rmdir(QStringLiteral("runs"));
        QCOMPARE(folderOfLast(kKind), documents); // it has gone
    }

    void whatIsChosenIsWhereTheNextBegins() {
        QWidget window;
        const QString documents = made(QStringLiteral("Documents"));
        made(QStringLiteral("data"));
        const QString file = madeFile(QStringLiteral("data/rows.json"));
        QString chosen = QStringLiteral("before");
        const auto ask = [&] { chosen = askForFile(&window, kKind, QStringLiteral("Open"), QString()); };
        BegunDialog begun = answerFileDialog(ask);
        QVERIFY(begun.shown);
        QCOMPARE(begun.folder, documents);
        QCOMPARE(chosen, QString()); // left; nothing is remembered of it
        QCOMPARE(answerFileDialog(ask, file).folder, documents);
        QCOMPARE(chosen, file);
        begun = answerFileDialog([&] { askForFiles(&window, kKind, QStringLiteral("Open")); });
        QCOMPARE(begun.folder, m_home.filePath(QStringLiteral("data")));
        begun = answerFileDialog(
            [&] { askForFiles(&window, kKind, QStringLiteral("Open"), QString(), m_home.path()); });
        QCOMPARE(begun.folder, m_home.path()); // where the caller says
    }

    // A folder that is still to be made cannot be chosen; the one that it would be in can.
    void aFolderBeginsWhereThereIsOne() {
        QWidget window;
        const auto begun = [&](const QString& begin) {
            return answerFileDialog([&] { askForFolder(&window, kKind, QStringLiteral("Folder"), begin); });
        };
        for (const QString& begin : {QString(), m_home.filePath(QStringLiteral("Documents/plan-1")),
                                     m_home.filePath(QStringLiteral("plan-1")), m_home.path()}) {
            const BegunDialog there = begun(begin);
            QVERIFY2(there.shown && there.choosable, qPrintable(begin));
            QCOMPARE(there.folder, m_home.path()); // no documents yet
            QCOMPARE(there.name, QString());
        }
        const QString made = this->made(QStringLiteral("Documents/plan-1"));
        QCOMPARE(begun(made).folder, made);
        QCOMPARE(begun(made + QStringLiteral("/a/b")).folder, made);
        QCOMPARE(begun(madeFile(QStringLiteral("Documents/a.json"))).folder,
                 m_home.filePath(QStringLiteral("Documents"))); // of a file
    }

    void aNameIsProposed() {
        QWidget window;
        const QString documents = made(QStringLiteral("Documents"));
        const auto ask = [&](const QString& proposed) {
            return answerFileDialog([&] {
                askWhereToSave(&window, kKind, QStringLiteral("Save"), proposed,
                               QStringLiteral("Texts (*.txt)"));
            });
        };
        BegunDialog begun = ask(QStringLiteral("rows.txt"));
        QCOMPARE(begun.folder, documents);
        QCOMPARE(begun.name, QStringLiteral("rows.txt"));
        made(QStringLiteral("kept"));
        begun = ask(m_home.filePath(QStringLiteral("kept/mine.txt"))); // a path is its own folder
        QCOMPARE(begun.folder, m_home.filePath(QStringLiteral("kept")));
        QCOMPARE(begun.name, QStringLiteral("mine.txt"));
    }

    void namesBecomeFileNames_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("file");
        const QString longName(300, QLatin1Char('x'));
        QTest::newRow("as it is") << "two sites, 48 GPUs"
                                  << "two sites, 48 GPUs";
        QTest::newRow("slashes") << "meta/llama\\8b"
                                 << "meta-llama-8b";
        QTest::newRow("a way up") << "../../etc/passwd"
                                  << "-..-etc-passwd";
        QTest::newRow("control characters") << QStringLiteral("a\n\tb\x7f"
                                                              "c")
                                            << "abc";
        QTest::newRow("zero") << QString(QChar(0)) + QStringLiteral("a") << "a";
        QTest::newRow("blanks around") << "  a b "
                                       << "a b";
        QTest::newRow("hidden") << " ..hidden"
                                << "hidden";
        QTest::newRow("other letters")
            << QString::fromUtf8("\xE5\xA4\xA7\xE5\x9E\x8B") << QString::fromUtf8("\xE5\xA4\xA7\xE5\x9E\x8B");
        QTest::newRow("nothing") << ""
                                 << "otherwise";
        QTest::newRow("nothing that may stay") << "\n..\r"
                                               << "otherwise";
        QTest::newRow("long") << longName << longName.left(200);
        // Four bytes each; none is cut in two.
        QString faces;
        for (int i = 0; i < 60; ++i)
            faces += QString::fromUtf8("\xF0\x9F\x98\x80");
        QTest::newRow("long, of pairs") << faces << faces.left(100);
    }
    void namesBecomeFileNames() {
        QFETCH(QString, name);
        QFETCH(QString, file);
        QCOMPARE(safeFileName(name, QStringLiteral("otherwise")), file);
    }
};

QTEST_MAIN(FileDialogsTest)
#include "file_dialogs_test.moc"
