// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Where opening, saving and importing begin in the window, what they propose, and what they say.
#include "core/edit/edit.h"
#include "tests/base/failing_disk.h"
#include "tests/ui/file_dialog.h"
#include "tests/ui/window_fixture.h"
#include "ui/commands/commands.h"
#include "ui/imports/import_dialog.h"
#include "ui/session/document.h"
#include "ui/window/file_actions.h"
#include "ui/window/settings.h"

#include <QLabel>
#include <QPushButton>
#include <QSemaphore>
#include <QStatusBar>

using namespace pw;

namespace {

// A disk that answers only once it is told to.
class LateDisk : public test::FailingDisk {
public:
    LateDisk() : FailingDisk("", std::errc{}) {}
    void answer() const { m_answers.release(kMany); }

    std::unique_ptr<ReadableFile> open(const std::filesystem::path& path,
                                       std::error_code& code) const override {
        constexpr int kLongestMs = 10'000;
        m_answered = m_answers.tryAcquire(1, kLongestMs) && m_answered;
        return FailingDisk::open(path, code);
    }
    bool answeredInTime() const { return m_answered; }

private:
    static constexpr int kMany = 100;
    mutable QSemaphore m_answers;
    mutable bool m_answered = true;
};

} // namespace

class FilePlacesTest : public QObject {
    Q_OBJECT

    struct Desk : WindowFolders {
        QDir home;
        QString documents;
    };

    // A home with documents, and settings that know nothing yet.
    static void furnish(Desk& desk) {
        desk.use();
        desk.home = QDir(QDir(desk.path()).canonicalPath());
        desk.home.mkpath(QStringLiteral("Documents"));
        desk.documents = desk.home.filePath(QStringLiteral("Documents"));
        qputenv("HOME", desk.home.path().toUtf8());
        qputenv("XDG_CONFIG_HOME", desk.home.filePath(QStringLiteral(".config")).toUtf8());
    }

    static BegunDialog run(MainWindow& window, const char* command, const QString& path = {}) {
        return answerFileDialog([&] { window.commands().action(command)->trigger(); }, path);
    }

    static QString sample() { return samplesFolder() + QStringLiteral("/projects/one-node-8.pwx"); }

private Q_SLOTS:
    void aNewProjectGoesIntoTheDocuments() {
        Desk desk;
        furnish(desk);
        MainWindow window;
        window.show();
        window.commands().action("file.new")->trigger();
        BegunDialog begun = run(window, "file.saveAs");
        QVERIFY(begun.shown);
        QCOMPARE(begun.folder, desk.documents);
        QCOMPARE(begun.name, QStringLiteral("Untitled.pwx"));
        QCOMPARE(run(window, "file.open").folder, desk.documents);

        Project project = smallProject();
        project.name.clear();
        project.cluster.name = "rack 1/2\n";
        window.context().document.adopt(project, QString());
        QCOMPARE(run(window, "file.saveAs").name, QStringLiteral("rack 1-2.pwx"));
        project.name = "mine";
        window.context().document.adopt(project, QString());
        QCOMPARE(run(window, "file.saveAs").name, QStringLiteral("mine.pwx"));
    }

    void aLongReadIsSaid() {
        Desk desk;
        furnish(desk);
        const LateDisk disk;
        Document document(nullptr, disk);
        Settings settings;
        QWidget window;
        FileActions files(document, settings, &window);
        QStringList said;
        connect(&files, &FileActions::reading, this, [&](const QString& name) {
            QCOMPARE(QGuiApplication::overrideCursor() != nullptr, !name.isEmpty());
            said.append(name);
            disk.answer();
        });
        QVERIFY(files.open(sample()));
        QCOMPARE(said, QStringList({QStringLiteral("one-node-8.pwx"), QString()}));
        QVERIFY(disk.answeredInTime());
    }

    void theWindowSaysWhatItReads() {
        Desk desk;
        furnish(desk);
        MainWindow window;
        window.show();
        Q_EMIT window.files().reading(QStringLiteral("<b>large</b>.pwx"));
        auto* line = window.findChild<QStatusBar*>();
        QVERIFY(line != nullptr);
        QCOMPARE(line->currentMessage(), QStringLiteral("Reading <b>large</b>.pwx..."));
        Q_EMIT window.files().reading({});
        QVERIFY(line->currentMessage().isEmpty());
    }

    void theLastFolderIsRemembered() {
        Desk desk;
        furnish(desk);
        desk.home.mkpath(QStringLiteral("work"));
        const QString work = desk.home.filePath(QStringLiteral("work"));
        {
            MainWindow window;
            window.show();
            window.commands().action("file.new")->trigger();
            window.context().document.adopt(smallProject(), QString());
            run(window, "file.saveAs", work + QStringLiteral("/first.pwx"));
            QCOMPARE(window.context().document.path(), work + QStringLiteral("/first.pwx"));
            QCOMPARE(run(window, "file.open").folder, work);
            const BegunDialog again = run(window, "file.saveAs");
            QCOMPARE(again.folder, work);
            QCOMPARE(again.name, QStringLiteral("first.pwx"));
        }
        MainWindow next; // of another run
        next.show();
        next.commands().action("file.new")->trigger();
        QCOMPARE(run(next, "file.open").folder, work);
        QCOMPARE(run(next, "file.saveAs").folder, work);
    }

    // A sample is opened where it lies, and a copy of it saved among the user's own.
    void samplesAreSavedElsewhere() {
        Desk desk;
        furnish(desk);
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(sample()));
        QCOMPARE(run(window, "file.open").folder, QFileInfo(sample()).absolutePath());
        const BegunDialog begun = run(window, "file.saveAs");
        QCOMPARE(begun.folder, desk.documents);
        QCOMPARE(begun.name, QStringLiteral("one-node-8.pwx"));
    }

    // Opening takes what importing takes, and does not ask for what is unsaved: the project stays.
    void openingShowsOtherFilesAsImports() {
        Desk desk;
        furnish(desk);
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(sample()));
        Document& document = window.context().document;
        QVERIFY(
            document.apply(renameItem(*document.project(), document.project()->cluster.nodes[0].id, "own"),
                           QStringLiteral("rename")));
        const QString plans = samplesFolder() + QStringLiteral("/plans/measured-16-uniform.json");
        const BegunDialog begun = run(window, "file.open", plans);
        QVERIFY(begun.shown);
        QVERIFY(begun.filters.front().contains(QStringLiteral("*.pwx")));
        QVERIFY(begun.filters.front().contains(QStringLiteral("*.json")));
        QVERIFY(begun.filters.back().contains(QStringLiteral("(*)")));
        auto* dialog = window.findChild<ImportDialog*>();
        QVERIFY(dialog && dialog->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(dialog->reading(), 60'000);
        QVERIFY(!dialog->reading()->refused());
        QCOMPARE(dialog->reading()->files.size(), std::size_t{1});
        QCOMPARE(document.path(), sample());
        QVERIFY(document.isModified());
        dialog->close();
        document.undoStack()->setClean();
        run(window, "file.open", desk.smallProjectFile()); // a project is opened
        QCOMPARE(document.project()->name, std::string("small"));
    }

    void importingBeginsInTheDocuments() {
        Desk desk;
        furnish(desk);
        MainWindow window;
        window.show();
        window.commands().action("file.import")->trigger();
        auto* dialog = window.findChild<ImportDialog*>();
        QVERIFY(dialog);
        auto* choose = dialog->findChild<QPushButton*>(QStringLiteral("import.choose"));
        const BegunDialog begun = answerFileDialog([&] { choose->click(); });
        QVERIFY(begun.shown);
        QCOMPARE(begun.folder, desk.documents);
    }

    // A text under a project's ending is told for what it is.
    void aTextIsNoProject() {
        Desk desk;
        furnish(desk);
        const QString path = desk.filePath(QStringLiteral("text.pwx"));
        QVERIFY(writeFileAtomically(s(path), "hello, this is no project\n"));
        MainWindow window;
        window.show();
        QVERIFY(!window.openFile(path));
        QStringList said;
        for (const QLabel* label : window.findChildren<QLabel*>())
            said << label->text();
        const QString all = said.join(QLatin1Char('\n'));
        QVERIFY2(all.contains(QStringLiteral("text.pwx:1:1: is not a Pipewright project")), qPrintable(all));
    }
};

QTEST_MAIN(FilePlacesTest)
#include "file_places_test.moc"
