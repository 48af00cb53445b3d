// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// kill -9 at random moments of an editing session: what is offered afterwards is at least what had been kept
// when it was killed. (That an edit is kept within a second is a budget of window_perf.) The session is this
// program again, with --edit: a window on a project, an edit every few milliseconds, and a line on its output
// for each.

#include "core/edit/arrange.h"
#include "tests/draws.h"
#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/window/autosave.h"
#include "ui/window/main_window.h"
#include "ui/window/process.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QRandomGenerator>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

#include <iostream>
#include <memory>

#include <sys/wait.h>
#include <unistd.h>

using namespace pw;

namespace {

constexpr int kEditEveryMs = 15;

int editUntilKilled(QApplication& app, const QString& file) {
    ThemeControl::instance().apply(app, ThemeMode::Light);
    MainWindow window;
    if (!window.openFile(file))
        return 2;
    window.show();
    int count = 0;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &window, [&] {
        Document& document = window.context().document;
        // Each edit is told from the others by a mark of its own; every seventh is undone and made again.
        document.apply(setMarks(*document.project(), {{Seconds(++count), "edit"}}), QStringLiteral("edit"));
        if (count % 7 == 0) {
            document.undoStack()->undo();
            document.undoStack()->redo();
        }
        std::cout << count << std::endl;
    });
    timer.start(kEditEveryMs);
    return QApplication::exec();
}

// The mark of the edit that an autosave holds; -1 if it is none.
int editIn(const QString& autosave) {
    QFile file(autosave);
    if (!file.open(QIODevice::ReadOnly))
        return -1;
    file.readLine();
    const Result<Project> project = readProject(file.readAll().toStdString(), "autosave");
    if (!project || project->annotations.marks.size() != 1)
        return -1;
    return static_cast<int>(project->annotations.marks.front().at.value);
}

struct Session {
    QTemporaryDir folder;
    QProcess process;
    int seen = 0; // the last edit that it told

    QString stateFolder() const { return folder.filePath(QStringLiteral("PIPEWRIGHT_STATE_DIR")); }
    // The edit that it has kept so far.
    int kept() const {
        return editIn(QStringLiteral("%1/%2.autosave").arg(stateFolder()).arg(process.processId()));
    }
};

} // namespace

class CrashTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatWasKeptIsOffered() {
        const quint32 seed = QRandomGenerator::global()->generate();
        qInfo("seed %u", seed);
        QRandomGenerator random(seed);
        const int batches = test::draws(2, 5);
        int checked = 0;
        for (int batch = 0; batch < batches; ++batch) {
            std::vector<std::unique_ptr<Session>> sessions;
            for (int i = 0; i < 4; ++i) {
                auto session = std::make_unique<Session>();
                Session* s = session.get();
                QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
                for (const char* name :
                     {"PIPEWRIGHT_STATE_DIR", "PIPEWRIGHT_CONFIG_DIR", "PIPEWRIGHT_DATA_DIR"})
                    environment.insert(QLatin1String(name), s->folder.filePath(QLatin1String(name)));
                s->process.setProcessEnvironment(environment);
                connect(&s->process, &QProcess::readyReadStandardOutput, this, [s] {
                    while (s->process.canReadLine())
                        s->seen = s->process.readLine().trimmed().toInt();
                });
                s->process.start(QCoreApplication::applicationFilePath(),
                                 {QStringLiteral("--edit"),
                                  QStringLiteral(PW_SOURCE_DIR "/samples/projects/measured-16.pwx")});
                sessions.push_back(std::move(session));
            }
            for (const auto& s : sessions) {
                QTRY_VERIFY_WITH_TIMEOUT(s->kept() > 0, 60'000);
                const int first = s->kept();
                QTRY_VERIFY_WITH_TIMEOUT(s->kept() > first, 60'000); // it goes on while edits go on
                const int until = s->seen + random.bounded(100);
                QTRY_VERIFY_WITH_TIMEOUT(s->seen >= until, 60'000);
                const int owed = s->kept();
                s->process.kill(); // SIGKILL
                QVERIFY(s->process.waitForFinished(60'000));
                qputenv("PIPEWRIGHT_STATE_DIR", s->stateFolder().toUtf8());
                const std::vector<LostWork> lost = lostWork();
                QCOMPARE(lost.size(), std::size_t(1));
                const int offered = editIn(lost.front().file);
                QVERIFY2(owed > first && offered >= owed,
                         qPrintable(QStringLiteral("edit %1 offered, %2 kept, of %3")
                                        .arg(offered)
                                        .arg(owed)
                                        .arg(s->seen)));
                ++checked;
            }
        }
        QCOMPARE(checked, 4 * batches);
    }

    void aSavedOrRunningSessionOffersNothing() {
        QTemporaryDir folder;
        qputenv("PIPEWRIGHT_STATE_DIR", folder.path().toUtf8());
        Document document;
        auto autosave = std::make_unique<Autosave>(document);
        document.apply(setMarks(*document.project(), {{Seconds(1.0), "edit"}}), QStringLiteral("edit"));
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(autosave->file()), 60'000);
        QVERIFY(lostWork().empty()); // this program runs
        QVERIFY(document.save(folder.filePath(QStringLiteral("p.pwx"))));
        QVERIFY(!QFile::exists(autosave->file()));
    }

    // A program that nobody has reaped yet still has its number, and a later program may get the number of
    // one that was killed: neither keeps the work from being offered.
    void deadWhateverBecameOfItsNumber() {
        QTemporaryDir folder;
        qputenv("PIPEWRIGHT_STATE_DIR", folder.path().toUtf8());
        Document document;
        Autosave autosave(document);
        document.apply(setMarks(*document.project(), {{Seconds(1.0), "edit"}}), QStringLiteral("edit"));
        autosave.flush();
        QFile file(autosave.file());
        QVERIFY(file.open(QIODevice::ReadWrite));
        QJsonObject head = QJsonDocument::fromJson(file.readLine()).object();
        const QByteArray project = file.readAll();
        const auto offered = [&](const char* key, const QJsonValue& value) {
            head.insert(QLatin1String(key), value);
            file.resize(0);
            file.seek(0);
            file.write(QJsonDocument(head).toJson(QJsonDocument::Compact) + '\n' + project);
            file.flush();
            return !lostWork().empty();
        };
        const QString mine = processMark(QCoreApplication::applicationPid());
        QVERIFY(!offered("started", mine));
        QVERIFY(offered("started", QStringLiteral("1"))); // this number was another program's

        const pid_t child = ::fork();
        if (child == 0)
            ::_exit(0);
        QVERIFY(child > 0);
        siginfo_t ended;
        QCOMPARE(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
        head.insert(QStringLiteral("started"), QString());
        QVERIFY(offered("process", static_cast<qint64>(child)));
        QCOMPARE(::waitpid(child, nullptr, 0), child);
    }

    void restoredWorkIsUnsaved() {
        QTemporaryDir folder;
        qputenv("PIPEWRIGHT_STATE_DIR", folder.path().toUtf8());
        qputenv("PIPEWRIGHT_CONFIG_DIR", folder.filePath(QStringLiteral("config")).toUtf8());
        Project project;
        project.annotations.marks = {{Seconds(7.0), "edit"}};
        const QString file = folder.filePath(QStringLiteral("1.autosave"));
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        out.write("{\"schema\":\"pipewright-autosave\",\"host\":\"elsewhere\",\"process\":1,\"project\":\"\","
                  "\"when\":\"2024-05-01T10:00:00Z\"}\n");
        out.write(QByteArray::fromStdString(printProject(project)));
        out.close();
        MainWindow window;
        window.show();
        window.offerLostWork();
        QCOMPARE(lostWork().size(), std::size_t(1));
        window.commands().action("file.restore")->trigger();
        QVERIFY(window.context().document.project()->annotations == project.annotations);
        QVERIFY(window.context().document.isModified());
        QVERIFY(lostWork().empty()); // kept by this program now
        QVERIFY(!QFile::exists(file));
        window.context().document.reset(); // no question at the end
    }

    void lockTellsWhoHasTheProject() {
        QTemporaryDir folder;
        qputenv("PIPEWRIGHT_STATE_DIR", folder.path().toUtf8());
        const QString project = QStringLiteral(PW_SOURCE_DIR "/samples/projects/measured-16.pwx");
        ProjectLock mine;
        QVERIFY(mine.take(project));
        const QStringList locks = QDir(folder.path()).entryList({QStringLiteral("*.lock")});
        QCOMPARE(locks.size(), 1);
        QFile file(folder.filePath(locks[0]));
        QVERIFY(file.open(QIODevice::ReadWrite));
        const QByteArray text = file.readAll();
        const auto as = [&](qint64 process) {
            QByteArray changed = text;
            changed.replace(QByteArray::number(QCoreApplication::applicationPid()),
                            QByteArray::number(process));
            changed.replace(processMark(QCoreApplication::applicationPid()).toLatin1(),
                            processMark(process).toLatin1());
            file.resize(0);
            file.seek(0);
            file.write(changed);
            file.flush();
        };
        as(1); // runs always
        ProjectLock other;
        QVERIFY(!other.take(project));
        QVERIFY(other.owner().contains(QStringLiteral("process 1 ")));
        as(999'999'999); // never
        QVERIFY(other.take(project));
    }
};

int main(int argc, char** argv) {
    QApplication app(argc, argv);
    if (argc == 3 && qstrcmp(argv[1], "--edit") == 0)
        return editUntilKilled(app, QFile::decodeName(argv[2]));
    CrashTest test;
    return QTest::qExec(&test, argc, argv);
}

#include "crash_test.moc"
