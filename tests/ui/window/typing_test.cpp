// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/edit/edit.h"
#include "core/exchange/exports/export.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/convert.h"
#include "ui/export/export_dialog.h"
#include "ui/window/file_actions.h"
#include "ui/window/spoken_changes.h"

#include <QAbstractItemView> // keep: what a completer shows
#include <QCompleter>        // keep: of the field that is asked
#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSet>
#include <QTimer>

using namespace pw;

// Fast hands: what is typed counts when the next key is one of the window, what is wrong stops it, and what
// was found is not lost without a question.
class TypingTest : public QObject {
    Q_OBJECT

private:
    WindowFolders m_folder;

    struct Opened {
        MainWindow window;
        AppContext& app = window.context();
        explicit Opened(const WindowFolders& folder) {
            window.resize(1366, 768);
            window.show();
            QApplication::setActiveWindow(&window);
            if (!QTest::qWaitForWindowExposed(&window) || !window.openFile(folder.smallProjectFile()))
                qFatal("no window");
        }
        QLineEdit* line(const char* name) { return window.findChild<QLineEdit*>(QLatin1String(name)); }
        void type(const char* name, const char* text) {
            line(name)->setFocus(Qt::TabFocusReason);
            line(name)->selectAll();
            QTest::keyClicks(line(name), QLatin1String(text));
        }
        void run() { window.commands().action("search.run")->trigger(); }
        bool ends() {
            return QTest::qWaitFor([this] { return !app.runner.isRunning(); }, 60'000);
        }
    };

    // Answers the next box, and what it asked.
    static QString answer(QMessageBox::StandardButton button, const std::function<void()>& asked) {
        QString text;
        QTimer look; // ends with this call, asked or not
        look.setSingleShot(true);
        QObject::connect(&look, &QTimer::timeout, [&] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                text = box->text();
                box->button(button)->click();
            }
        });
        look.start(0);
        asked();
        return text;
    }

private Q_SLOTS:
    void initTestCase() { m_folder.use(); }

    void whatIsTypedIsSearched() {
        Opened open(m_folder);
        const std::int64_t gbs = open.app.document.project()->recipe.gbs;
        open.type("recipe.gbs", QByteArray::number(qlonglong{2} * gbs).constData());
        QCOMPARE(open.app.document.project()->recipe.gbs, gbs);
        open.run();
        QVERIFY(open.ends());
        QCOMPARE(open.app.runner.problem()->recipe().gbs, 2 * gbs);
        open.type("recipe.gbs", QByteArray::number(qlonglong{4} * gbs).constData());
        open.window.commands().action("edit.undo")->trigger(); // the typing is not taken over to be undone
        QVERIFY(open.app.document.project()->recipe.gbs != 4 * gbs);
        open.app.document.setNewPlans(false);
    }

    void aWrongNumberStopsTheSearch() {
        Opened open(m_folder);
        open.type("recipe.seq", "24096048");
        open.run();
        QVERIFY(!open.app.runner.isRunning());
        QVERIFY(!open.app.runner.outcome());
        QVERIFY(open.line("recipe.seq")->isVisible());
        QCOMPARE(open.line("recipe.seq")->selectedText(), QStringLiteral("24096048"));
        QTest::keyClick(open.line("recipe.seq"), Qt::Key_Escape); // brings back what stood there
        QVERIFY(open.line("recipe.seq")->text() != QLatin1String("24096048"));
        open.run();
        QVERIFY(open.app.runner.isRunning() || open.app.runner.outcome());
        QVERIFY(open.ends());
        open.app.document.setNewPlans(false);
    }

    // What is refused is searched with as soon as it is right, by the key as by either button; what is wrong
    // is led to.
    void aNameThatWasRefusedIsSearchedOnceItIsRight() {
        Opened open(m_folder);
        const auto* spoken = open.window.findChild<SpokenChanges*>();
        const auto* bar = open.window.findChild<QPushButton*>(QStringLiteral("toolBar.run"));
        const auto* panel = open.window.findChild<QPushButton*>(QStringLiteral("search.run"));
        QVERIFY(bar && panel);
        const auto canRun = [&] { return bar->isEnabled() && panel->isEnabled(); };
        const auto cannotRun = [&] { return !bar->isEnabled() && !panel->isEnabled(); };
        QLineEdit* field = open.line("search.forbid");
        open.window.commands().action("view.search")->trigger();
        QVERIFY(canRun());
        open.type("search.forbid", "n");
        field->completer()->popup()->hide();
        open.run(); // takes what is typed
        QVERIFY(cannotRun() && !open.app.runner.isRunning() && !open.app.runner.outcome());
        QCOMPARE(field->selectedText(), QStringLiteral("n"));
        QTest::keyClick(field, Qt::Key_F5);
        QVERIFY2(spoken->accessibleName().contains(QStringLiteral("Run waits for 1 problem: Leave out")),
                 qPrintable(spoken->accessibleName()));
        open.type("search.forbid", "n3");
        field->completer()->popup()->hide();
        QVERIFY(canRun());
        QVERIFY(open.app.document.project()->forbidden.empty());
        open.run();
        QVERIFY(open.ends());
        QCOMPARE(open.app.runner.problem()->space().forbidden, std::vector<std::string>{"n3"});
        open.app.document.undoStack()->setClean();
        open.app.document.setNewPlans(false);
    }

    void aClickChoosesTheNumber() {
        Opened open(m_folder);
        QLineEdit* seq = open.line("recipe.seq");
        const auto click = [&] { QTest::mouseClick(seq, Qt::LeftButton, {}, {8, seq->height() / 2}); };
        open.line("recipe.gbs")->setFocus();
        QTRY_VERIFY(!seq->hasFocus());
        click();
        QCOMPARE(seq->selectedText(), seq->text());
        click(); // a second one sets the cursor
        QVERIFY(!seq->hasSelectedText());
    }

    void foundPlansAreNotLostUnasked() {
        Opened open(m_folder);
        FileActions& files = open.window.files();
        const auto* saved = open.window.findChild<QLabel*>(QStringLiteral("status.saved"));
        QVERIFY(files.mayDiscard());
        QCOMPARE(saved->text(), QStringLiteral("Saved"));
        open.run();
        QVERIFY(open.ends());
        QVERIFY(!open.app.document.isModified());
        QCOMPARE(saved->text(), QStringLiteral("Found plans or answers not saved"));
        QString text = answer(QMessageBox::Cancel, [&] { QVERIFY(!files.mayDiscard()); });
        QVERIFY2(text.contains(QStringLiteral("plans and answers that were found")), qPrintable(text));
        text = answer(QMessageBox::Discard, [&] { QVERIFY(files.mayDiscard()); });
        QVERIFY(!text.isEmpty());
        QVERIFY(files.save());
        QCOMPARE(saved->text(), QStringLiteral("Saved"));
        text = answer(QMessageBox::Cancel, [&] { QVERIFY(files.mayDiscard()); });
        QVERIFY(text.isEmpty());
        // Nor what is asked of plans.
        SearchDemand demand;
        demand.maxTp = 2;
        open.app.runner.setDemand(demand);
        QCOMPARE(saved->text(), QStringLiteral("Search fields not saved"));
        text = answer(QMessageBox::Cancel, [&] { QVERIFY(!files.mayDiscard()); });
        QVERIFY2(text.contains(QStringLiteral("as Search asks it")), qPrintable(text));
        open.app.runner.setDemand({}); // as it was saved
        QCOMPARE(saved->text(), QStringLiteral("Saved"));
        QVERIFY(files.mayDiscard());
    }

    void whatAnotherWindowSavedIsNotOverwrittenUnasked() {
        Opened open(m_folder);
        FileActions& files = open.window.files();
        Document& document = open.app.document;
        const auto onDisk = [&] { return *readFile(s(document.path())); };
        QVERIFY(files.save());
        QVERIFY(answer(QMessageBox::Cancel, [&] { QVERIFY(files.save()); }).isEmpty()); // its own file
        const std::string others = onDisk() + "\n";
        QVERIFY(writeFileAtomically(s(document.path()), others));
        QString text = answer(QMessageBox::Cancel, [&] { QVERIFY(!files.save()); });
        QVERIFY2(text.contains(QStringLiteral("another window or program")), qPrintable(text));
        QCOMPARE(onDisk(), others);
        text = answer(QMessageBox::Yes, [&] { QVERIFY(files.save()); });
        QVERIFY(!text.isEmpty());
        QVERIFY(onDisk() != others);
        QVERIFY(answer(QMessageBox::Cancel, [&] { QVERIFY(files.save()); }).isEmpty());
        // A name of one word does not make the box wider than a screen.
        const QString named = document.path();
        const QString path = QFileInfo(named).path() + QLatin1Char('/') + QString(120, QLatin1Char('n'));
        QVERIFY(document.save(path + QStringLiteral(".pwx")));
        QVERIFY(writeFileAtomically(s(document.path()), onDisk() + "\n"));
        text = answer(QMessageBox::Cancel, [&] { QVERIFY(!files.save()); });
        QVERIFY2(open.window.fontMetrics().horizontalAdvance(text.section(QLatin1Char(' '), 0, 0)) <= 330,
                 qPrintable(text));
        QVERIFY(document.save(named));
        // Gone: a window that closes would take the project with it.
        QVERIFY(QFile::remove(document.path()));
        text = answer(QMessageBox::Cancel, [&] { QVERIFY(!files.mayDiscard()); });
        QVERIFY2(text.contains(QStringLiteral("no longer where it was")), qPrintable(text));
        text = answer(QMessageBox::Save, [&] { QVERIFY(files.mayDiscard()); });
        QVERIFY(!text.isEmpty() && QFile::exists(document.path()));
        QVERIFY(answer(QMessageBox::Cancel, [&] { QVERIFY(files.mayDiscard()); }).isEmpty());
    }

    // Alt and a letter answers, each its own.
    void theQuestionHasLetters() {
        Opened open(m_folder);
        open.app.document.setNewPlans(true);
        QSet<QString> letters;
        QTimer::singleShot(0, [&] {
            if (auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget())) {
                for (const QAbstractButton* button : box->buttons())
                    letters.insert(button->shortcut().toString());
                box->button(QMessageBox::Cancel)->click();
            }
        });
        QVERIFY(!open.window.files().mayDiscard());
        QCOMPARE(letters,
                 (QSet<QString>{QStringLiteral("Alt+S"), QStringLiteral("Alt+D"), QStringLiteral("Alt+C")}));
        open.app.document.setNewPlans(false);
    }

    void aRefusedSearchTakesNoProofAway() {
        Opened open(m_folder);
        open.run();
        QVERIFY(open.ends());
        const Candidate* best = open.app.candidates.find(open.app.selection.plan());
        QVERIFY(best);
        const double bound = open.app.runner.boundFor(*best).value;
        QVERIFY(bound > 0.0);
        SearchDemand demand = open.app.runner.demand();
        demand.target = exporterRow("hexiscale"); // has no such model
        open.app.runner.setDemand(demand);
        open.run();
        QVERIFY(open.ends());
        QVERIFY(open.app.runner.failure());
        QCOMPARE(open.app.runner.boundFor(*best).value, bound);
        const QString said = open.window.findChild<QLabel*>(QStringLiteral("search.reasons"))->text();
        QVERIFY2(said.count(QStringLiteral("<br>")) >= 1, qPrintable(said)); // the reasons, too
        open.app.document.setNewPlans(false);
    }

    void anExportSaysThatAPlanIsOfBefore() {
        Opened open(m_folder);
        open.run();
        QVERIFY(open.ends());
        const auto warning = [&] {
            QString text;
            QTimer::singleShot(0, [&] {
                if (auto* dialog = qobject_cast<ExportDialog*>(QApplication::activeModalWidget())) {
                    const auto* label = dialog->findChild<QLabel*>(QStringLiteral("export.warning"));
                    text = label->isHidden() ? QString() : label->text();
                    const auto* folder = dialog->findChild<QLineEdit*>(QStringLiteral("export.folder"));
                    if (!folder->text().contains(QStringLiteral("small-plan-")))
                        text += folder->text();
                    dialog->reject();
                }
            });
            open.window.commands().action("plan.export")->trigger();
            return text;
        };
        QVERIFY2(!warning().contains(QStringLiteral("earlier state")), qPrintable(warning()));
        Recipe recipe = open.app.document.project()->recipe;
        recipe.seq *= 2;
        QVERIFY(
            open.app.document.apply(setRecipe(*open.app.document.project(), recipe), QStringLiteral("seq")));
        const QString text = warning();
        QVERIFY2(
            text.contains(QStringLiteral("earlier state of the project; since then the sequence length (")),
            qPrintable(text));
        open.app.document.undoStack()->setClean();
        open.app.document.setNewPlans(false);
    }
};

QTEST_MAIN(TypingTest)
#include "typing_test.moc"
