// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Unsaved work on a disk that refuses it: nothing of what was there is lost, and whoever works is told once.

#include "core/base/file.h"
#include "core/edit/edit.h"
#include "tests/base/failing_disk.h"
#include "tests/base/false_clock.h"
#include "tests/project/small_project.h"
#include "ui/base/convert.h"
#include "ui/session/document.h"
#include "ui/window/autosave.h"

#include <QDir>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace pw;
using test::FailingDisk;

namespace {

void addOneSwitch(Document& document) {
    if (!document.apply(addSwitch(*document.project(), "Ethernet", {0, 0}), QStringLiteral("Add switch")))
        qFatal("no switch was added");
}

} // namespace

class AutosaveTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aFullDiskKeepsTheSavedFile() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("p.pwx"));
        const std::string saved = printProject(smallProject());
        QVERIFY(writeFileAtomically(s(path), saved));
        FailingDisk full("write", std::errc::no_space_on_device);
        Document document(nullptr, full);
        QVERIFY(document.open(path));
        addOneSwitch(document);
        const Status refused = document.save(path);
        QVERIFY(!refused);
        QVERIFY(q(refused.error().text()).contains(QStringLiteral("No space left on device")));
        QVERIFY(document.isModified());
        QCOMPARE(*readFile(s(path)), saved);
        QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 1);
        QVERIFY(!document.save(folder.filePath(QStringLiteral("elsewhere.pwx"))));
        QCOMPARE(document.path(), path);
        full.repair();
        QVERIFY(document.save(path));
        QVERIFY(!document.isModified());
        QVERIFY(*readFile(s(path)) != saved);
    }

    void theHeadSaysWhen() {
        const QTemporaryDir folder;
        qputenv("PIPEWRIGHT_STATE_DIR", folder.path().toUtf8());
        test::FalseClock clock; // outlives the autosave
        clock.advance(1'000'000'000.25);
        Document document;
        Autosave autosave(document, nullptr, clock);
        addOneSwitch(document);
        autosave.flush();
        const auto text = readFile(s(autosave.file()));
        QVERIFY(text);
        const QJsonObject head =
            QJsonDocument::fromJson(QByteArray::fromStdString(text->substr(0, text->find('\n')))).object();
        QCOMPARE(head.value(QLatin1String("when")).toString(), QStringLiteral("2001-09-09T01:46:40.250Z"));
    }

    void theHeadHasThePlanInView() {
        const QTemporaryDir folder;
        qputenv("PIPEWRIGHT_STATE_DIR", folder.path().toUtf8());
        Document document;
        Autosave autosave(document);
        addOneSwitch(document);
        const auto plan = [&] {
            autosave.flush();
            const auto text = readFile(s(autosave.file()));
            return text
                       ? QJsonDocument::fromJson(QByteArray::fromStdString(text->substr(0, text->find('\n'))))
                             .object()
                             .value(QLatin1String("plan"))
                             .toString()
                       : QStringLiteral("not written");
        };
        QCOMPARE(plan(), QString());
        QString shown = QStringLiteral("3, edited");
        autosave.setPlanInView([&shown] { return shown; });
        QCOMPARE(plan(), shown);
        shown = QStringLiteral("17"); // asked at each write
        QCOMPARE(plan(), shown);
    }

    // What a saved file would hold beside the edits is written with them, also if it alone has changed.
    void whatStandsBesideTheProjectIsKept() {
        const QTemporaryDir folder;
        qputenv("PIPEWRIGHT_STATE_DIR", folder.path().toUtf8());
        Document document;
        Autosave autosave(document);
        std::string demand = R"({"max_tp":4})";
        autosave.setCompletion([&demand](const Project& project) {
            Project whole = project;
            whole.demand = demand;
            return whole;
        });
        const auto kept = [&] {
            const auto text = readFile(s(autosave.file()));
            const auto project = text ? readProject(text->substr(text->find('\n') + 1), "work")
                                      : Result<Project>(text.error());
            return project ? project->demand.value_or("nothing") : project.error().text();
        };
        addOneSwitch(document);
        autosave.flush();
        QCOMPARE(kept(), demand);
        demand = R"({"max_tp":2})";
        autosave.changed();
        QTRY_COMPARE_WITH_TIMEOUT(kept(), demand, 60'000);
        QVERIFY(!document.project()->demand);
    }

    void whatCannotBeKeptIsToldOnce() {
        const QTemporaryDir folder;
        qputenv("PIPEWRIGHT_STATE_DIR", folder.path().toUtf8());
        FailingDisk disk("sync", std::errc::io_error);
        Document document(nullptr, disk);
        Autosave autosave(document);
        QSignalSpy failed(&autosave, &Autosave::failed);
        addOneSwitch(document);
        autosave.flush();
        autosave.flush();
        QCOMPARE(failed.count(), 1);
        QVERIFY(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).isEmpty());
        disk.repair();
        autosave.flush();
        QVERIFY(QFile::exists(autosave.file()));
        QCOMPARE(failed.count(), 1);
    }

    // The folder that it is kept in is of the same disk, and so is what takes the file away again.
    void aFolderThatCannotBeMadeIsTold() {
        const QTemporaryDir folder;
        const QString state = folder.filePath(QStringLiteral("above/state"));
        qputenv("PIPEWRIGHT_STATE_DIR", state.toUtf8());
        FailingDisk disk("makeFolder", std::errc::read_only_file_system);
        Document document(nullptr, disk);
        Autosave autosave(document);
        QSignalSpy failed(&autosave, &Autosave::failed);
        addOneSwitch(document);
        autosave.flush();
        QCOMPARE(failed.count(), 1);
        QVERIFY(QDir(folder.path()).isEmpty());
        ProjectLock lock(disk);
        QVERIFY(lock.take(folder.filePath(QStringLiteral("p.pwx")))); // which is no reason not to open it
        QVERIFY(QDir(folder.path()).isEmpty());
        disk.repair();
        autosave.flush();
        QVERIFY(QFile::exists(autosave.file()));
        QVERIFY(document.save(folder.filePath(QStringLiteral("p.pwx"))));
        QVERIFY(QDir(state).isEmpty());
        QCOMPARE(disk.steps().back(), std::string("remove"));
    }

    void lostWorkIsThatOfTheDisk() {
        const QTemporaryDir folder;
        qputenv("PIPEWRIGHT_STATE_DIR", folder.path().toUtf8());
        const QString file = folder.filePath(QStringLiteral("1.autosave"));
        const std::string head =
            R"({"schema":"pipewright-autosave","project":"/p.pwx","when":"w","plan":"17",)"
            R"("host":"another","process":1,"started":""})";
        QVERIFY(writeFileAtomically(s(file), head + "\n" + printProject(smallProject())));
        QVERIFY(writeFileAtomically(s(folder.filePath(QStringLiteral("2.autosave"))), // no end of line
                                    std::string(100'000, '{')));
        QVERIFY(lostWork(FailingDisk("open", std::errc::io_error)).empty());
        QVERIFY(lostWork(FailingDisk("read", std::errc::io_error)).empty());
        const std::vector<LostWork> lost = lostWork();
        QCOMPARE(lost.size(), std::size_t(1));
        QCOMPARE(lost.front().project, QStringLiteral("/p.pwx"));
        QCOMPARE(lost.front().plan, QStringLiteral("17"));
        discard(lost.front(), FailingDisk("remove", std::errc::io_error));
        QVERIFY(QFile::exists(file));
        discard(lost.front());
        QVERIFY(!QFile::exists(file));
    }
};

QTEST_MAIN(AutosaveTest)
#include "autosave_test.moc"
