// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// The dialog on plans that a window has found.
#include "ui/export/export_dialog.h"

#include "core/answers/target_search.h"
#include "core/base/file.h"
#include "core/edit/edit.h"
#include "tests/exchange/target_plans.h"
#include "tests/ui/file_dialog.h"
#include "tests/ui/settle.h"
#include "tests/ui/window_fixture.h"
#include "ui/base/convert.h"
#include "ui/widgets/alert.h"

#include <QAccessible>
#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableWidget>
#include <QTest>
#include <QTimer>

#include <algorithm>

using namespace pw;

class ExportDialogTest : public QObject {
    Q_OBJECT

    WindowFolders m_folder;
    QString m_project;

    static std::string textOf(const QString& file) {
        const Result<std::string> text = readFile(s(file));
        return text ? *text : std::string();
    }

    // Of a search over the small project; null: it found none.
    const Candidate* bestOf(MainWindow& window) const {
        if (!window.openFile(m_project) || !searched(window) || window.context().candidates.all().empty())
            return nullptr;
        return &window.context().candidates.all().front();
    }

private Q_SLOTS:
    void init() {
        m_folder.use();
        m_project = m_folder.smallProjectFile();
        QVERIFY(!m_project.isEmpty());
    }

    void exportRefusesOrWritesAllFiles() {
        MainWindow window;
        const Candidate* best = bestOf(window);
        QVERIFY(best);
        const auto& outcome = window.context().runner.outcome();
        QVERIFY(outcome);
        ExportDialog dialog(*best, window.context().candidates.detail(best->id)->evaluation,
                            outcome ? &*outcome : nullptr);
        auto* targets = dialog.findChild<QListWidget*>(QStringLiteral("export.targets"));
        auto* button = dialog.findChild<QPushButton*>(QStringLiteral("export.export"));
        auto* files = dialog.findChild<QListWidget*>(QStringLiteral("export.files"));
        QCOMPARE(targets->count(), static_cast<int>(exporterTable().size()));
        int written = 0;
        for (int row = 0; row < targets->count(); ++row) {
            targets->setCurrentRow(row);
            const QDir folder(m_folder.filePath(QStringLiteral("export-%1").arg(row)));
            dialog.setFolder(folder.path());
            QCOMPARE(button->isEnabled(), files->count() > 0);
            if (!button->isEnabled()) {
                QVERIFY(!folder.exists());
                continue;
            }
            QTest::mouseClick(button, Qt::LeftButton);
            for (int file = 0; file < files->count(); ++file)
                QVERIFY2(folder.exists(files->item(file)->text()), qPrintable(files->item(file)->text()));
            ++written;
        }
        QVERIFY(written > 0);

        // The matrix says of every format what the list says, and a file can be copied.
        auto* matrix = dialog.findChild<QTableWidget*>(QStringLiteral("export.matrix"));
        QCOMPARE(matrix->columnCount(), targets->count());
        QCOMPARE(matrix->rowCount(), static_cast<int>(capabilityTable().size()));
        dialog.selectFormat(QStringLiteral("plan"));
        for (int row = 0; row < matrix->rowCount(); ++row)
            QVERIFY(matrix->item(row, targets->currentRow())->icon().isNull());
        // "some" models: which ones.
        for (int column = 0; column < matrix->columnCount(); ++column) {
            const QTableWidgetItem* models = matrix->item(0, column);
            const QString tip = models->toolTip();
            QCOMPARE(tip.contains(QStringLiteral("Takes models that have nothing beside these:\n")) ||
                         tip.contains(QStringLiteral("Takes all models but those that have one of these:\n")),
                     models->text() == QStringLiteral("some"));
        }
        QTest::mouseClick(dialog.findChild<QPushButton*>(QStringLiteral("export.copy")), Qt::LeftButton);
        QVERIFY(QApplication::clipboard()->text().contains(QStringLiteral("\"plans\"")));
    }

    // What Enter presses: Export where the format takes the plan, else the search for one that it takes.
    void theBlueButtonIsWhatEnterPresses() {
        MainWindow window;
        const Candidate* best = bestOf(window);
        QVERIFY(best);
        ExportDialog dialog(*best, window.context().candidates.detail(best->id)->evaluation, nullptr);
        auto* targets = dialog.findChild<QListWidget*>(QStringLiteral("export.targets"));
        auto* write = dialog.findChild<QPushButton*>(QStringLiteral("export.export"));
        auto* search = dialog.findChild<QPushButton*>(QStringLiteral("export.search"));
        dialog.show();
        int refused = 0, taken = 0;
        for (int row = 0; row < targets->count(); ++row) {
            targets->setCurrentRow(row);
            QCOMPARE(search->isDefault(), search->isVisible());
            QCOMPARE(write->isDefault(), !search->isVisible());
            refused += search->isVisible();
            taken += write->isEnabled();
        }
        QVERIFY(refused > 0 && taken > 0);
    }

    // The folder that is proposed is made by the export; until then the one around it is there to choose.
    void choosingBeginsInAFolderThatIsThere() {
        MainWindow window;
        const Candidate* best = bestOf(window);
        QVERIFY(best);
        ExportDialog dialog(*best, window.context().candidates.detail(best->id)->evaluation, nullptr);
        const QString around = QDir(m_folder.path()).canonicalPath();
        dialog.setFolder(around + QStringLiteral("/none/plan-1-runner"));
        auto* choose = dialog.findChild<QPushButton*>(QStringLiteral("export.choose"));
        const auto* folder = dialog.findChild<QLineEdit*>(QStringLiteral("export.folder"));
        const BegunDialog begun = answerFileDialog([&] { choose->click(); });
        QVERIFY(begun.shown && begun.choosable);
        QCOMPARE(begun.folder, around);
        QVERIFY(folder->text().endsWith(QStringLiteral("plan-1-runner"))); // left
        answerFileDialog([&] { choose->click(); }, around);
        QCOMPARE(folder->text(), around);
    }

    void assistiveToolsChooseFormatAndFile() {
        MainWindow window;
        const Candidate* best = bestOf(window);
        QVERIFY(best);
        ExportDialog dialog(*best, window.context().candidates.detail(best->id)->evaluation, nullptr);
        const auto press = [](QListWidget* list, int row) {
            QAccessible::queryAccessibleInterface(list)->child(row)->actionInterface()->doAction(
                QAccessibleActionInterface::toggleAction());
            return settle() && list->currentRow() == row;
        };
        auto* targets = dialog.findChild<QListWidget*>(QStringLiteral("export.targets"));
        auto* files = dialog.findChild<QListWidget*>(QStringLiteral("export.files"));
        auto* text = dialog.findChild<QPlainTextEdit*>(QStringLiteral("export.preview"));
        int launch = 0;
        while (targets->item(launch)->data(Qt::UserRole).toString() != QStringLiteral("launch"))
            ++launch;
        QVERIFY(targets->currentRow() != launch);
        QVERIFY(press(targets, launch));
        QVERIFY(files->count() >= 2);
        const QString before = text->toPlainText();
        QVERIFY(press(files, 1));
        QVERIFY(!text->toPlainText().isEmpty() && text->toPlainText() != before);
    }

    void exportReplacesOnlyAfterATick() {
        MainWindow window;
        const Candidate* best = bestOf(window);
        QVERIFY(best);
        const QDir folder(m_folder.filePath(QStringLiteral("replace")));
        QVERIFY(folder.mkpath(QStringLiteral(".")));
        const QString file = folder.filePath(QStringLiteral("plan.json"));
        QVERIFY(writeFileAtomically(s(file), "mine"));

        ExportDialog dialog(*best, window.context().candidates.detail(best->id)->evaluation, nullptr);
        dialog.show();
        dialog.setFolder(folder.path());
        dialog.selectFormat(QStringLiteral("plan"));
        auto* button = dialog.findChild<QPushButton*>(QStringLiteral("export.export"));
        auto* tick = dialog.findChild<QCheckBox*>(QStringLiteral("export.replace"));
        QVERIFY(tick->isVisible());
        QVERIFY2(tick->text().contains(QStringLiteral("plan.json")), qPrintable(tick->text()));
        QVERIFY(!button->isEnabled());
        tick->click();
        QVERIFY(button->isEnabled());
        dialog.selectFormat(QStringLiteral("chrome-trace")); // asks nothing, and forgets the tick
        QVERIFY(!tick->isVisible());
        QVERIFY(button->isEnabled());
        dialog.selectFormat(QStringLiteral("plan"));
        QVERIFY(!button->isEnabled());
        QCOMPARE(textOf(file), std::string("mine"));
        tick->click();
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(textOf(file).find("\"plans\"") != std::string::npos);
        QVERIFY(button->isEnabled()); // what it has written itself is not in the way
        QVERIFY(!tick->isVisible());

        // A file that came after the tick is not covered by it.
        QVERIFY(QFile::remove(file));
        dialog.setFolder(folder.path() + QLatin1Char('/'));
        QVERIFY(button->isEnabled());
        QVERIFY(writeFileAtomically(s(file), "again mine"));
        QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(textOf(file), std::string("again mine"));
        QVERIFY(tick->isVisible());
    }

    // What the dialog has just written for one trainer is in the way of another one's file of that name.
    void oneFormatAsksBeforeItReplacesAnothers() {
        MainWindow window;
        const Candidate* best = bestOf(window);
        QVERIFY(best);
        const QDir folder(m_folder.filePath(QStringLiteral("formats")));
        QVERIFY(folder.mkpath(QStringLiteral(".")));
        ExportDialog dialog(*best, window.context().candidates.detail(best->id)->evaluation, nullptr);
        dialog.show();
        dialog.setFolder(folder.path());
        auto* button = dialog.findChild<QPushButton*>(QStringLiteral("export.export"));
        auto* tick = dialog.findChild<QCheckBox*>(QStringLiteral("export.replace"));
        int asked = 0;
        for (const ExporterRow& row : exporterTable()) {
            const QString format = QString::fromUtf8(row.format);
            dialog.selectFormat(format);
            if (!canRun(row, *best->problem, best->plan))
                continue;
            const auto files = [&folder] { return QDir(folder.path()).entryList(QDir::Files).size(); };
            const qsizetype before = files();
            if (tick->isVisible()) {
                QVERIFY2(!button->isEnabled(), qPrintable(format));
                ++asked;
                continue;
            }
            QVERIFY2(button->isEnabled(), qPrintable(format));
            QTest::mouseClick(button, Qt::LeftButton);
            QVERIFY2(!tick->isVisible(), qPrintable(format)); // its own are not
            QVERIFY(files() > before);
        }
        QVERIFY(asked > 0);
    }

    // A refused plan has the best one that the format takes beside it, and releases can be chosen.
    // What stands in colour and has no focus: as the dialog opens, and as a format is chosen that refuses.
    void warningsAndRefusalsAreHeard() {
        MainWindow window;
        const Candidate* best = bestOf(window);
        QVERIFY(best);
        ExportDialog dialog(*best, window.context().candidates.detail(best->id)->evaluation, nullptr);
        const QString warning = QStringLiteral("It may not fit.");
        dialog.setProject(QStringLiteral("small"), {warning});
        QCOMPARE(dialog.accessibleDescription(), warning);
        const auto* announcer = dialog.findChild<Announcer*>();
        dialog.show();
        QCOMPARE(announcer->accessibleName(), warning);
        auto* targets = dialog.findChild<QListWidget*>(QStringLiteral("export.targets"));
        const auto* bar = dialog.findChild<QLabel*>(QStringLiteral("export.refused"));
        int refused = 0, taken = 0;
        targets->setCurrentRow(targets->count() - 1);
        for (int row = 0; row < targets->count(); ++row) {
            targets->setCurrentRow(row);
            const bool refuses = bar->isVisible();
            QCOMPARE(announcer->accessibleName(), refuses ? bar->text() : QString());
            ++(refuses ? refused : taken);
        }
        QVERIFY(refused > 0 && taken > 0);
        // A list of values has no name of its own for a screen reader here, but that of its label.
        const auto* release = dialog.findChild<QComboBox*>(QStringLiteral("export.release"));
        const QList<QLabel*> labels = dialog.findChildren<QLabel*>();
        const auto label = std::ranges::find(
            labels, release, [](const QLabel* each) { return static_cast<const QWidget*>(each->buddy()); });
        QVERIFY(label != labels.end());
        QCOMPARE((*label)->accessibleName(), QStringLiteral("Release that the files are for"));
    }

    void exportOffersAPlanThatTheFormatTakes() {
        MainWindow window;
        QVERIFY(window.openFile(QStringLiteral(PW_SOURCE_DIR "/samples/projects/mixed-16.pwx")));
        SearchOptions options;
        options.work = 200'000;
        window.context().runner.setOptions(options);
        QSignalSpy ended(&window.context().runner, &SearchRunner::finished);
        QVERIFY(window.context().runner.start());
        QVERIFY(ended.wait(60'000));
        SearchObserver quiet;
        std::optional<Error> none;
        const ExporterRow& flagscale = *exporterRow("flagscale");
        const auto problem = window.context().runner.problem();
        const auto runnable = searchForTarget(problem, options, flagscale, quiet, {}, none);
        QVERIFY(runnable && !runnable->plans.empty());
        window.context().candidates.add(problem, runnable->plans, QStringLiteral("searched"));
        const Candidate& best = window.context().candidates.all().front();
        QVERIFY(!exportRefusals(flagscale, *problem, best.plan).empty());

        const auto& outcome = window.context().runner.outcome();
        QVERIFY(outcome);
        ExportDialog dialog(best, window.context().candidates.detail(best.id)->evaluation,
                            outcome ? &*outcome : nullptr);
        dialog.setOffers(window.context().candidates.all());
        dialog.show();
        // The list says what each trainer's limits cost, by the plans that are known.
        const auto* targets = dialog.findChild<QListWidget*>(QStringLiteral("export.targets"));
        for (int row = 0; row < targets->count(); ++row) {
            const ExporterRow& target = exporterTable()[static_cast<std::size_t>(row)];
            const QListWidgetItem* item = targets->item(row);
            const auto cost = [&] { return item->data(ExportDialog::CostRole).toString(); };
            const bool asked = target.trainer && target.write != nullptr;
            if (asked)
                QTRY_VERIFY2(!cost().isEmpty(), target.format);
            if (std::string_view(target.format) == "flagscale") {
                QVERIFY2(cost().startsWith(QLatin1Char('+')), qPrintable(cost()));
                QVERIFY(item->data(Qt::AccessibleTextRole).toString().contains(cost()));
            } else if (std::string_view(target.format) == "runner") {
                QCOMPARE(cost(), QStringLiteral("this one"));
            } else if (!asked) {
                QVERIFY(cost().isEmpty());
            }
        }
        dialog.selectFormat(QStringLiteral("megatron"));
        auto* release = dialog.findChild<QComboBox*>(QStringLiteral("export.release"));
        QCOMPARE(release->count(), static_cast<int>(exporterRow("megatron")->releases.size()));
        dialog.selectFormat(QStringLiteral("flagscale"));
        auto* offer = dialog.findChild<QPushButton*>(QStringLiteral("export.offer"));
        QVERIFY(offer->isVisible());
        QSignalSpy taken(&dialog, &ExportDialog::offerTaken);
        QTest::mouseClick(offer, Qt::LeftButton);
        QCOMPARE(taken.count(), 1);
        const Candidate* other = window.context().candidates.find(taken[0][0].toInt());
        QVERIFY(other && other->id != best.id);
        QVERIFY(exportRefusals(flagscale, *other->problem, other->plan).empty());
        QVERIFY(!dialog.isVisible());
    }

    // A node that no host can be called is named otherwise, which no search does, and its plan goes on to the
    // files. Where the project asks something else by now the plan does not follow, and a search is the way
    // on.
    void namesThatNoHostHasAreMended() {
        MainWindow window;
        AppContext& app = window.context();
        QVERIFY(window.openFile(m_project));
        for (const auto& [name, odd] : {std::pair("n1", "n\u00f8de-<b>"), std::pair("n2", "n-2+")})
            QVERIFY(
                app.document.apply(renameItem(*app.document.project(), name, odd), QStringLiteral("odd")));
        QVERIFY(searched(window));
        app.selection.setPlan(app.candidates.all().front().id);
        const int plan = app.selection.plan();
        int opened = 0;
        const auto look = [&](auto&& at) {
            auto* dialog = qobject_cast<ExportDialog*>(QApplication::activeModalWidget());
            if (!dialog)
                return;
            ++opened;
            dialog->selectFormat(QStringLiteral("runner"));
            at(*dialog->findChild<QPushButton*>(QStringLiteral("export.rename")),
               *dialog->findChild<QPushButton*>(QStringLiteral("export.search")),
               *dialog->findChild<QPushButton*>(QStringLiteral("export.export")));
            dialog->reject();
        };
        QTimer::singleShot(0, this, [&] {
            look([&](QPushButton& rename, const QPushButton& search, const QPushButton& write) {
                QVERIFY(rename.isVisible() && rename.isDefault());
                QVERIFY(!search.isVisible() && !write.isEnabled());
                rename.click();
                QTimer::singleShot(0, this, [&] {
                    look([&](const QPushButton& again, const QPushButton&, const QPushButton& then) {
                        QVERIFY(!again.isVisible() && then.isEnabled());
                    });
                });
            });
        });
        window.commands().action("plan.export")->trigger();
        QTRY_COMPARE(opened, 2);
        const Cluster& cluster = app.document.project()->cluster;
        QVERIFY(cluster.node("n-de-b") && cluster.node("n-2") && cluster.node("n3"));
        QCOMPARE(app.selection.plan(), plan);
        QVERIFY(!Candidates::isStale(*app.candidates.find(plan), app.document.problem()));

        app.document.undoStack()->undo(); // one step
        QVERIFY(app.document.project()->cluster.node("n-2+") && !app.document.project()->cluster.node("n-2"));
        Recipe recipe = app.document.project()->recipe;
        recipe.seq *= 2;
        QVERIFY(app.document.apply(setRecipe(*app.document.project(), recipe), QStringLiteral("seq")));
        QTimer::singleShot(0, this, [&] {
            look([&](QPushButton& rename, const QPushButton&, const QPushButton&) {
                rename.click();
                QTimer::singleShot(0, this, [&] {
                    look([&](const QPushButton& again, const QPushButton& search, const QPushButton& then) {
                        QVERIFY(!again.isVisible() && !then.isEnabled());
                        QVERIFY(search.isVisible());
                    });
                });
            });
        });
        window.commands().action("plan.export")->trigger();
        QTRY_COMPARE(opened, 4);
        app.document.undoStack()->setClean();
        app.document.setNewPlans(false);
    }

    // No search is offered for a trainer that can run no plan, whether for the model or for all GPUs; why is
    // said in its place. Where it can once some GPUs are left out, a search does that.
    void searchesThatCanFindNothingAreNotOffered_data() {
        QTest::addColumn<double>("rotaryBase");
        QTest::addColumn<QStringList>("kinds"); // of the nodes, in turn
        QTest::addColumn<QString>("why");
        const QString newer = QStringLiteral("A100-SXM4-40GB"), older = QStringLiteral("V100-SXM2-16GB");
        QTest::newRow("runs others") << 10000.0 << QStringList{newer} << QString();
        QTest::newRow("runs others on some GPUs") << 10000.0 << QStringList{newer, older} << QString();
        QTest::newRow("model") << 500000.0 << QStringList{newer} << QStringLiteral("rotary base");
        QTest::newRow("GPUs") << 10000.0 << QStringList{older} << QStringLiteral("fp16");
    }
    void searchesThatCanFindNothingAreNotOffered() {
        QFETCH(double, rotaryBase);
        QFETCH(QStringList, kinds);
        QFETCH(QString, why);
        TargetPlan target = planFor("hetu");
        target.model.rotaryBase = rotaryBase;
        for (std::size_t i = 0; i < target.cluster.nodes.size(); ++i)
            target.cluster.nodes[i].kind = s(kinds[static_cast<qsizetype>(i) % kinds.size()]);
        for (Stage& stage : target.plan.pipelines[0].stages)
            stage.zero = 3; // which it never has, so that it refuses the plan in any case
        Candidate candidate;
        candidate.problem = target.problem();
        candidate.plan = target.plan;
        const auto evaluation = evaluate(*candidate.problem, candidate.plan, {.keepOps = true});
        QVERIFY(evaluation);
        candidate.evaluation = *evaluation;
        ExportDialog dialog(candidate, *evaluation, nullptr);
        dialog.show();
        dialog.selectFormat(QStringLiteral("hetu"));
        const auto* search = dialog.findChild<QPushButton*>(QStringLiteral("export.search"));
        const auto* never = dialog.findChild<QLabel*>(QStringLiteral("export.never"));
        QCOMPARE(search->isVisible(), why.isEmpty());
        QCOMPARE(never->isVisible(), !why.isEmpty());
        QVERIFY2(never->text().contains(why), qPrintable(never->text()));
        dialog.selectFormat(QStringLiteral("plan")); // runs nothing, and refuses nothing
        QVERIFY(!search->isVisible() && !never->isVisible());
    }
};

QTEST_MAIN(ExportDialogTest)
#include "export_dialog_test.moc"
