// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/app_fixture.h"
#include "ui/problems/problems_model.h"
#include "ui/problems/problems_panel.h"

#include <QAbstractItemModelTester>
#include <QListWidget>
#include <QSignalSpy>
#include <QTabBar>
#include <QTableView>
#include <QTest>

using namespace pw;

class ProblemsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void worstComesFirst();
    void theTitleCounts();
    void clickAndKeysJump();
    void refusalsAreKept();
};

void ProblemsTest::worstComesFirst() {
    ProblemsModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setDiagnostics(
        {{Severity::Note, "a", "profiles", "first"},
         {Severity::Error, "b", "n4", {"node has no link", {{"value", "0 links"}, {"limit", "at least 1"}}}},
         {Severity::Warning, "c", "model.seq", "long"}});
    QCOMPARE(model.index(0, ProblemsModel::Place).data(), QStringLiteral("n4"));
    QCOMPARE(model.index(0, ProblemsModel::Problem).data(), QStringLiteral("Node has no link"));
    QCOMPARE(model.index(0, ProblemsModel::Value).data(), QStringLiteral("0 links"));
    QCOMPARE(model.index(0, ProblemsModel::Limit).data(), QStringLiteral("at least 1"));
    QCOMPARE(model.index(0, 0).data(Qt::AccessibleTextRole), QStringLiteral("error"));
    QCOMPARE(model.index(2, ProblemsModel::Place).data(), QStringLiteral("Profiles"));
    QCOMPARE(problemCounts(1, 3, 2), QStringLiteral("1 error, 3 warnings, 2 notes"));
}

void ProblemsTest::theTitleCounts() {
    AppFixture app;
    ProblemsPanel panel(app.context);
    const QString empty = panel.subtitle();
    QVERIFY(empty.contains(QStringLiteral("error"))); // no nodes, no model
    app.drawSample();
    QCOMPARE(panel.model()->rowCount(), static_cast<int>(app.document.diagnostics().size()));
    QVERIFY(panel.accessibleName().startsWith(QStringLiteral("Problems, ")));
}

void ProblemsTest::clickAndKeysJump() {
    AppFixture app;
    app.drawSample(); // n3 has no link
    ProblemsPanel panel(app.context, &app.window);
    panel.resize(800, 300);
    app.window.resize(800, 300);
    app.window.show();
    QSignalSpy asked(&app.selection, &Selection::focusRequested);
    auto* table = panel.findChild<QTableView*>(QStringLiteral("problems.table"));
    QVERIFY(table->isVisible());
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                      table->visualRect(panel.model()->index(0, ProblemsModel::Problem)).center());
    QVERIFY(asked.size() >= 1);
    QCOMPARE(asked.first().first().toString(),
             panel.model()->index(0, 0).data(ProblemsModel::WhereRole).toString());
    const qsizetype before = asked.size();
    panel.step(1);
    QCOMPARE(asked.size(), before + 1);
}

void ProblemsTest::refusalsAreKept() {
    AppFixture app;
    ProblemsPanel panel(app.context);
    app.document.apply(badInput("edit.kind", "n9", "there is no such kind"), QStringLiteral("x"));
    auto* messages = panel.findChild<QListWidget*>(QStringLiteral("problems.messages"));
    QCOMPARE(messages->count(), 1);
    QVERIFY(messages->item(0)->text().contains(QStringLiteral("there is no such kind")));
    QCOMPARE(panel.findChild<QTabBar*>(QStringLiteral("problems.tabs"))->tabText(1),
             QStringLiteral("Messages 1"));
}

QTEST_MAIN(ProblemsTest)
#include "problems_test.moc"
