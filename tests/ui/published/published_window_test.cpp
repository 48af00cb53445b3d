// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
// A published case in the whole window: opened as a new project, beside its table.

#include "tests/ui/window_fixture.h"
#include "ui/commands/commands.h"
#include "ui/commands/quick_open.h"
#include "ui/published/published_dialog.h"
#include "ui/published/published_table_model.h"
#include "ui/window/dock_area.h"
#include "ui/window/file_actions.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QMessageBox>
#include <QPushButton>
#include <QTableView>
#include <QTimer>
#include <QTreeWidget>

#include <algorithm>

using namespace pw;

class PublishedWindowTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;

    static PublishedDialog* shownBy(MainWindow& window) {
        window.commands().action("file.published")->trigger();
        return window.findChild<PublishedDialog*>();
    }
    static void choose(const PublishedDialog& dialog, const PublishedPaper& paper, std::size_t ofCase) {
        auto* list = dialog.findChild<QTreeWidget*>(QStringLiteral("published.cases"));
        for (int i = 0; i < list->topLevelItemCount(); ++i)
            if (list->topLevelItem(i)->text(0).startsWith(q(paper.name + ":")))
                return list->setCurrentItem(list->topLevelItem(i)->child(static_cast<int>(ofCase)));
        QFAIL("no such paper");
    }
    static void press(const PublishedDialog& dialog, const char* button) {
        auto* found = dialog.findChild<QPushButton*>(QLatin1String(button));
        QVERIFY(found && found->isEnabled());
        found->click();
    }
    // Answers the question about unsaved work that this asks; false: it asks none.
    static bool answer(QMessageBox::StandardButton button, const std::function<void()>& asks) {
        bool asked = false;
        QTimer::singleShot(0, qApp, [&] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                asked = true;
                box->button(button)->click();
            }
        });
        asks();
        return asked;
    }

private Q_SLOTS:
    void initTestCase() { m_folder.use(); }

    void aCaseOpensAsAProject_data() {
        QTest::addColumn<QString>("paper");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("planner");
        QTest::addColumn<int>("plans"); // that the authors have published
        QTest::newRow("a plan of the authors") << "harp"
                                               << "2 + 1, GPT 760M"
                                               << "harp" << 1;
        QTest::newRow("another bandwidth") << "harp"
                                           << "8 + 4 at 2 Gbit/s, GPT 2.6B"
                                           << "harp" << 0;
        QTest::newRow("no planner") << "primepar"
                                    << "OPT 6.7B"
                                    << "pipewright" << 0;
    }
    void aCaseOpensAsAProject() {
        QFETCH(QString, paper);
        QFETCH(QString, name);
        QFETCH(QString, planner);
        QFETCH(int, plans);
        const std::vector<PublishedPaper> papers = *publishedPapers();
        const PublishedPaper& of = *std::find_if(papers.begin(), papers.end(),
                                                 [&](const PublishedPaper& p) { return p.name == s(paper); });
        const auto at = std::find_if(of.cases.begin(), of.cases.end(),
                                     [&](const PublishedCase& c) { return c.name == s(name); });
        QVERIFY(at != of.cases.end());
        MainWindow window;
        window.show();
        PublishedDialog* dialog = shownBy(window);
        QVERIFY(dialog && dialog->isVisible() && !dialog->isModal());
        choose(*dialog, of, static_cast<std::size_t>(at - of.cases.begin()));
        press(*dialog, "published.open");

        const AppContext& app = window.context();
        QCOMPARE(app.document.project()->name, of.name + ": " + at->name);
        QVERIFY(app.document.project()->cluster == *at->cluster);
        QVERIFY(app.document.project()->model == at->model);
        QVERIFY(app.document.project()->recipe == *at->recipe);
        QVERIFY(app.document.path().isEmpty());
        QVERIFY(app.document.problem()); // it can be searched as it is
        QCOMPARE(app.document.problem()->hash(), (*problemOf(*at))->hash());
        QCOMPARE(q(app.runner.options().planner), planner);
        const auto* field = window.docks().findChild<QComboBox*>(QStringLiteral("search.planner"));
        QVERIFY(field);
        QCOMPARE(field->currentData().toString(), planner);
        QCOMPARE(static_cast<int>(app.candidates.all().size()), plans);
        for (const Candidate& plan : app.candidates.all())
            QVERIFY(!Candidates::isStale(plan, app.document.problem()));
        QVERIFY(dialog->isVisible()); // its table stays
        QVERIFY(dialog->findChild<QTableView*>(QStringLiteral("published.table"))->model()->rowCount() > 0);

        // The next project has nothing of the case's search.
        app.document.setNewPlans(false);
        window.files().newProject();
        QCOMPARE(app.runner.options().planner, SearchOptions().planner);
        QCOMPARE(field->currentData().toString(), q(SearchOptions().planner));
    }

    void unsavedWorkIsAskedForFirst() {
        MainWindow window;
        window.show();
        QVERIFY(window.openFile(m_folder.smallProjectFile()));
        AppContext& app = window.context();
        QVERIFY(app.document.apply(addSwitch(*app.document.project(), "Ethernet", {0, 0}),
                                   QStringLiteral("Add switch")));
        const ProjectPtr before = app.document.project();
        PublishedDialog* dialog = shownBy(window);
        const std::vector<PublishedPaper> papers = *publishedPapers();
        choose(*dialog, papers.front(), 0);
        QVERIFY(answer(QMessageBox::Cancel, [&] { press(*dialog, "published.open"); }));
        QCOMPARE(app.document.project(), before);
        QVERIFY(app.document.isModified());
        QCOMPARE(app.runner.options().planner, SearchOptions().planner);
        QVERIFY(answer(QMessageBox::Discard, [&] { press(*dialog, "published.open"); }));
        QCOMPARE(app.document.project()->name,
                 papers.front().name + ": " + papers.front().cases.front().name);
        QVERIFY(!app.document.isModified());
    }

    // Closed and shown again it is the same, with what it has predicted.
    void thereIsOneAndItKeepsItsFigures() {
        MainWindow window;
        window.show();
        PublishedDialog* dialog = shownBy(window);
        const std::vector<PublishedPaper> papers = *publishedPapers();
        const auto of = std::find_if(papers.begin(), papers.end(),
                                     [](const PublishedPaper& p) { return p.name == "zero-bubble"; });
        choose(*dialog, *of, 0);
        QSignalSpy ended(&dialog->predictions(), &PublishedPredictions::finished);
        press(*dialog, "published.compute");
        QVERIFY(ended.wait(60'000));
        const auto* rows = dialog->findChild<QTableView*>(QStringLiteral("published.table"))->model();
        const QString figure = rows->index(0, PublishedTableModel::Predicted).data().toString();
        QVERIFY(figure.endsWith(QLatin1Char('%')));
        dialog->close();
        QVERIFY(!dialog->isVisible());
        QCOMPARE(shownBy(window), dialog);
        QVERIFY(dialog->isVisible());
        QCOMPARE(window.findChildren<PublishedDialog*>().size(), 1);
        QCOMPARE(rows->index(0, PublishedTableModel::Predicted).data().toString(), figure);
    }

    void theStartPageLeadsThere() {
        MainWindow window;
        window.show();
        auto* card = window.findChild<QAbstractButton*>(QStringLiteral("start.file.published"));
        QVERIFY(card);
        card->click();
        const auto* dialog = window.findChild<PublishedDialog*>();
        QVERIFY(dialog && dialog->isVisible());
    }
};

QTEST_MAIN(PublishedWindowTest)
#include "published_window_test.moc"
