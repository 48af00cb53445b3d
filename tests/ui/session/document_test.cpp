// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The document: every edit is one undo step, what changes nothing is none, and a saved file opens as the same
// project.

#include "core/base/file.h"
#include "core/edit/edit.h"
#include "tests/ui/ui_fixture.h"
#include "ui/base/convert.h"

#include <QTemporaryDir>

using namespace pw;

class DocumentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    // They are kept and written back; that they mean nothing stands among the problems until another file
    // opens.
    void unknownKeysOfTheFileAreProblems() {
        UiFixture ui;
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("spelt.pwx"));
        std::string text = printProject(smallProject());
        const std::size_t at = text.find("\"latency\"");
        text.replace(at, 9, "\"latancy\"");
        QVERIFY(writeFileAtomically(s(path), text));
        QVERIFY(ui.document.open(path));
        const auto unknown = [&] {
            QStringList places;
            for (const Diagnostic& d : ui.document.diagnostics())
                if (d.code == "json.unknown")
                    places << q(d.where);
            return places;
        };
        QCOMPARE(unknown(), QStringList(QStringLiteral("spelt.pwx#/cluster/links/0/latancy")));
        QVERIFY(ui.document.problem());
        ui.document.reset();
        QVERIFY(unknown().isEmpty());
    }

    void undoesAndRedoes() {
        Document document;
        QSignalSpy changed(&document, &Document::changed);
        QVERIFY(
            document.apply(addSwitch(*document.project(), "Ethernet", {0, 0}), QStringLiteral("Add switch")));
        QCOMPARE(document.project()->cluster.switches.size(), std::size_t{1});
        QVERIFY(document.isModified());
        document.undoStack()->undo();
        QVERIFY(document.project()->cluster.switches.empty());
        QVERIFY(!document.isModified());
        document.undoStack()->redo();
        QCOMPARE(document.project()->cluster.switches.size(), std::size_t{1});
        QCOMPARE(changed.count(), 3);
    }

    void noChangeIsNoStep() {
        Document document;
        QVERIFY(document.apply(Result<Project>(*document.project()), QStringLiteral("Nothing")));
        QCOMPARE(document.undoStack()->count(), 0);
    }

    void refusedEditChangesNothing() {
        Document document;
        QSignalSpy failed(&document, &Document::failed);
        const ProjectPtr before = document.project();
        QVERIFY(!document.apply(addLink(*before, "n1", "n2"), QStringLiteral("Link")));
        QCOMPARE(document.project(), before);
        QCOMPARE(failed.count(), 1);
        QVERIFY(!failed.first().first().value<Error>().message.empty());
    }

    void stepsOfOneGestureMerge() {
        Document document;
        document.adopt(smallProject(), QString());
        const QString key = QStringLiteral("drag n1");
        for (int i = 0; i < 5; ++i)
            QVERIFY(
                document.apply(moveItems(*document.project(), {"n1"}, 3, 0), QStringLiteral("Move"), key));
        QCOMPARE(document.undoStack()->count(), 1);
        QCOMPARE(document.project()->cluster.nodes.front().at.x, 15.0);
        document.undoStack()->undo();
        QCOMPARE(document.project()->cluster.nodes.front().at.x, 0.0);
    }

    void gestureBackToTheStartLeavesNoStep() {
        Document document;
        document.adopt(smallProject(), QString());
        const QString key = QStringLiteral("drag n1");
        QVERIFY(document.apply(moveItems(*document.project(), {"n1"}, 3, 0), QStringLiteral("Move"), key));
        QVERIFY(document.apply(moveItems(*document.project(), {"n1"}, -3, 0), QStringLiteral("Move"), key));
        QCOMPARE(document.undoStack()->count(), 0);
    }

    void savesAndOpens() {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("p.pwx"));
        Document document;
        document.adopt(smallProject(), QString());
        QVERIFY(
            document.apply(addSwitch(*document.project(), "Ethernet", {0, 0}), QStringLiteral("Add switch")));
        QVERIFY(document.save(path));
        QVERIFY(!document.isModified());
        QCOMPARE(document.title(), QStringLiteral("p.pwx"));
        Document other;
        QVERIFY(other.open(path));
        QVERIFY(*other.project() == *document.project());
    }

    void badFileLeavesTheDocument() {
        const QTemporaryDir folder;
        Document document;
        document.adopt(smallProject(), QString());
        const ProjectPtr before = document.project();
        const Status missing = document.open(folder.filePath(QStringLiteral("missing.pwx")));
        QVERIFY(!missing);
        QVERIFY(q(missing.error().text()).contains(QStringLiteral("missing.pwx")));
        QCOMPARE(document.project(), before);
    }

    void asksOnlyCompleteQuestions() {
        Document document;
        QVERIFY(!document.problem());
        QVERIFY(hasErrors(document.diagnostics()));
        document.adopt(smallProject(), QString());
        QVERIFY(document.problem());
        QCOMPARE(document.problem(), document.problem()); // made once
    }

    void timeRangeStaysInTheTrace() {
        TimeRange range;
        range.setTrace(1'000'000);
        QCOMPARE(range.visible(), (TimeWindow{0, 1'000'000}));
        range.setVisible({900'000, 1'400'000});
        QCOMPARE(range.visible(), (TimeWindow{500'000, 1'000'000}));
        range.setVisible({10, 20});
        QCOMPARE(range.visible().span(), std::int64_t{100});
        range.setSelected({-5, 2'000'000});
        QCOMPARE(range.selected(), (TimeWindow{0, 1'000'000}));
        range.fit();
        QCOMPARE(range.visible(), (TimeWindow{0, 1'000'000}));
    }

    void selectingABarSelectsItsStage() {
        Selection selection;
        QSignalSpy stage(&selection, &Selection::stageChanged);
        selection.setBar({2, 0, 7});
        QCOMPARE(selection.stage(), 2);
        selection.setPlan(5); // another plan has other bars
        QCOMPARE(selection.bar(), Selection::Bar{});
        QCOMPARE(stage.count(), 1);
    }
};

QTEST_MAIN(DocumentTest)
#include "document_test.moc"
