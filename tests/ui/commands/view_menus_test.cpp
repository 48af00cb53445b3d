// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later

// Every view with rows, bars or marks has a menu at what is current in it, by key and by mouse, and the text
// of that goes to the clipboard.

#include "tests/sweep/written_sweep.h"
#include "tests/ui/accuracy/accuracy_fixture.h"
#include "tests/ui/settle.h"
#include "tests/ui/window_fixture.h"
#include "ui/answers/answer_sections.h"
#include "ui/base/background_job.h"
#include "ui/commands/commands.h"
#include "ui/commands/context_menu.h"
#include "ui/diagnostics/diagnostics_dialog.h"
#include "ui/findings/findings_model.h"
#include "ui/findings/findings_view.h"
#include "ui/imports/import_dialog.h"
#include "ui/problems/problems_model.h"
#include "ui/runs/run_rows_model.h"
#include "ui/search/rejection_bar.h"
#include "ui/sweep/sweep_study.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/timeline_view.h"
#include "ui/widgets/accessible_parts.h"
#include "ui/window/dock_area.h"

#include <QAbstractItemView>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDockWidget>
#include <QHeaderView>
#include <QMenu>
#include <QPointer>
#include <QTableView>

using namespace pw;
using namespace pw::test;

namespace {

// The menu of a view: what it must offer at least, beside "rows.copy". A table or list is asked at its first
// row, a painted view at what is current in it.
struct MenuRow {
    const char* dock; // or dialog
    const char* view; // its object's name; "" = the first table of the dock
    const char* commands;
    bool isTable = true;
};
const MenuRow kMenus[] = {
    {"search", "search.bestPlans", "plan.export rows.copyAll"},
    {"search", "search.convergence", "view.savePicture", false},
    {"search", "search.rejected", "help.message rows.copyAll", false},
    {"memory", "memory.column", "rows.stage rows.device rows.copyAll view.copyImage", false},
    {"memory", "memory.plot", "rows.stage rows.device view.savePicture", false},
    {"details", "details.stage", "rows.copyValue rows.copyAll", false},
    {"breakdown", "breakdown.bars", "rows.stage rows.copyAll view.savePicture", false},
    {"durations", "durations.bars", "rows.copyAll view.savePicture", false},
    {"durations", "durations.groups", "rows.stage rows.copyValue rows.copyAll"},
    {"sensitivity", "sensitivity.table", "sensitivity.try rows.copyAll"},
    {"sensitivity", "sensitivity.plot", "sensitivity.try view.savePicture", false},
    {"pareto", "plots.pareto", "plan.export rows.copyAll view.savePicture", false},
    {"parallel", "plots.parallel", "plan.export rows.copyAll view.savePicture", false},
    {"plans", "plans.table", "plan.export plans.pin plans.remove rows.copyAll"},
    {"planRuns", "planRuns.residuals", "rows.stage rows.copyAll runs.load"},
    {"planRuns", "planRuns.slower", "rows.stage rows.copyAll runs.load"},
    {"problems", "problems.table", "problems.fix problems.jump help.message rows.copyAll"},
    {"problems", "problems.messages", "help.message rows.copyAll"},
    {"findings", "findings.table", "findings.try findings.jump rows.stage help.message rows.copyAll"},
    {"answers", "", "answers.judge rows.copyAll"},
    {"model", "model.layers", "rows.copyValue rows.copyAll"},
    {"profiles", "profiles.sources", "file.import rows.copyAll"},
    {"profiles", "profiles.coverage", "rows.copyAll"},
    {"profiles", "profiles.measurements", "rows.copyValue rows.copyAll"},
    {"profiles", "fitPlot", "view.savePicture", false},
    {"compare", "compare.lanes", "compare.base compare.remove rows.copyAll view.savePicture", false},
    {"differences", "compare.differences", "compare.next rows.copyAll"},
    {"differences", "compare.fields", "rows.copyValue rows.copyAll"},
    {"planList", "planList.table", "compare.add rows.copyAll"},
    {"peaks", "compare.peaks", "rows.device rows.copyAll view.savePicture", false},
    {"sources", "accuracy.sources", "accuracy.load rows.copyAll"},
    {"errors", "accuracy.histogram", "rows.copyAll view.savePicture", false},
    {"scatter", "accuracy.scatter", "accuracy.open accuracy.leaveOut view.savePicture", false},
    {"run", "accuracy.run.time", "accuracy.open rows.copyValue rows.copyAll", false},
    {"run", "accuracy.run.bars", "accuracy.open", false},
    {"runs", "accuracy.runs", "accuracy.open accuracy.leaveOut rows.copyAll"},
    {"sweep", "sweep.failed", "rows.copyAll"},
    {"sweepHeat", "sweep.heat", "sweep.openPlan rows.copyAll view.savePicture", false},
    {"sweepFront", "sweep.front", "sweep.openPlan rows.copyAll view.savePicture", false},
    {"sweepFront", "sweep.front.table", "sweep.openPlan rows.copyAll"},
    {"sweepResults", "sweep.results", "sweep.openPlan rows.copyAll"},
    {"importDialog", "import.files", "import.remove rows.copyAll"},
    {"importDialog", "", "rows.copyAll"},
    {"diagnostics", "diagnostics.table", "rows.copyAll"},
};

// Views that have no menu of this kind, and why.
const std::pair<const char*, const char*> kWithoutMenu[] = {
    {"topology.canvas", "has its own: one of the drawing, of items and of links"},
    {"palette.list", "is dragged from; a click or Enter says all that can be done with a kind"},
    {"stageMap.rows", "has its own, with the nodes that may fail"},
    {"timeline.tracks", "has its own: what follows the bar"},
    {"timeline.labels", "has its own: of the rows"},
    {"planners.table", "has one; filled by a comparison of all planners"},
    {"details.areaTable", "has one; filled by a drag over the timeline"},
};
// Docks in which nothing can be clicked but fields.
const QStringList kFormDocks = {QStringLiteral("properties")};

QStringList words(const char* text) {
    return QString::fromLatin1(text).split(QLatin1Char(' '), Qt::SkipEmptyParts);
}

bool isView(const QWidget& widget) {
    if (qobject_cast<const QHeaderView*>(&widget) || widget.window()->windowFlags() & Qt::Popup)
        return false;
    for (const QWidget* at = widget.parentWidget(); at; at = at->parentWidget())
        if (at->inherits("QComboBox") || at->inherits("QComboBoxPrivateContainer"))
            return false; // the list of a choice
    return qobject_cast<const QAbstractItemView*>(&widget) || dynamic_cast<const PartsWidget*>(&widget) ||
           widget.inherits("QCustomPlot");
}

bool offersMenu(const QWidget* widget) {
    return widget->findChild<QObject*>(QStringLiteral("rowMenu"), Qt::FindDirectChildrenOnly) != nullptr;
}

QMenu* shownMenu() {
    for (QWidget* shown : QApplication::topLevelWidgets())
        if (auto* menu = qobject_cast<QMenu*>(shown);
            menu && menu->isVisible() && menu->objectName().startsWith(QLatin1String("context.")))
            return menu;
    return nullptr;
}

void close(QMenu* menu) {
    if (menu)
        menu->close();
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
}

QMenu* askedByKey(QWidget* view) {
    QContextMenuEvent event(QContextMenuEvent::Keyboard, {}, view->mapToGlobal(QPoint()));
    QCoreApplication::sendEvent(view, &event);
    return shownMenu();
}

QMenu* clicked(QAbstractItemView& view, const QPoint& at) {
    QContextMenuEvent event(QContextMenuEvent::Mouse, at, view.viewport()->mapToGlobal(at));
    QCoreApplication::sendEvent(view.viewport(), &event);
    return shownMenu();
}

QStringList idsOf(const QMenu& menu) {
    QStringList ids;
    for (const QAction* action : menu.actions())
        if (!action->isSeparator())
            ids << action->objectName();
    return ids;
}

// The longest text of the row under a heading: what a copy of the row cannot be without.
QString longestOf(const QAbstractItemView& view, int row) {
    QString longest;
    const bool headed = qobject_cast<const QTableView*>(&view) != nullptr;
    for (int column = 0; column < view.model()->columnCount(); ++column)
        if (const QString text = view.model()->index(row, column).data().toString();
            text.size() > longest.size() &&
            (!headed || !view.model()->headerData(column, Qt::Horizontal).toString().isEmpty()))
            longest = text;
    return longest.replace(QLatin1Char('\n'), QLatin1Char(' '));
}

} // namespace

class ViewMenusTest : public QObject {
    Q_OBJECT

private:
    QWidget* dockOf(const char* name) {
        for (DockArea* area : {&m_window->docks(), &m_window->accuracyDocks(), &m_window->sweepDocks()})
            if (QDockWidget* dock = area->dock(QLatin1String(name)))
                return dock;
        for (QDialog* dialog : m_window->findChildren<QDialog*>())
            if (dialog->objectName() == QLatin1String(name))
                return dialog;
        return nullptr;
    }
    QWidget* viewOf(const MenuRow& row) {
        QWidget* dock = dockOf(row.dock);
        return !dock       ? nullptr
               : *row.view ? dock->findChild<QWidget*>(QLatin1String(row.view))
                           : static_cast<QWidget*>(firstTable(*dock));
    }
    static QTableView* firstTable(const QWidget& dock) {
        for (auto* table : dock.findChildren<QTableView*>())
            if (table->objectName().startsWith(QLatin1String("import.table.")) ||
                table->objectName().isEmpty())
                return table;
        return nullptr;
    }
    // The page that the dock lies on, and the dock in front.
    void bringToFront(QWidget* dock) {
        auto* inArea = qobject_cast<QDockWidget*>(dock);
        if (!inArea)
            return;
        auto* area = qobject_cast<DockArea*>(inArea->parentWidget());
        QVERIFY(area);
        m_window->showAccuracy(area == &m_window->accuracyDocks());
        m_window->showSweep(area == &m_window->sweepDocks());
        area->reveal(inArea);
        m_window->activateWindow(); // a menu may have had the focus
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QVERIFY(settle());
    }
    Selection& selection() { return m_window->context().selection; }
    template <class T>
    T* find(const char* name) {
        return m_window->findChild<T*>(QLatin1String(name));
    }
    // A view's model takes rows from a test where those of the program need minutes or cannot be foreseen.
    template <class Model>
    Model* modelOf(const char* table) {
        return qobject_cast<Model*>(find<QAbstractItemView>(table)->model());
    }
    void fillProject();
    void fillAccuracy();
    void fillSweep();
    void fillDialogs();

    WindowFolders m_folders;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<WrittenSweep> m_sweep;
    QPointer<ImportDialog> m_import;
    QPointer<DiagnosticsDialog> m_log;

private Q_SLOTS:
    void initTestCase() {
        m_folders.use();
        m_window = shownWindow();
        fillProject();
        fillAccuracy();
        fillSweep();
        fillDialogs();
    }
    void cleanupTestCase() {
        delete m_import; // before what they look at
        delete m_log;
        m_window.reset();
    }

    void everyViewHasAMenu() {
        QStringList without;
        for (const auto& [name, why] : kWithoutMenu)
            without << QLatin1String(name);
        for (DockArea* area : {&m_window->docks(), &m_window->accuracyDocks(), &m_window->sweepDocks()})
            for (const QDockWidget* dock : area->docks()) {
                bool any = kFormDocks.contains(dock->objectName());
                for (const QWidget* widget : dock->findChildren<QWidget*>()) {
                    const bool excepted = without.contains(widget->objectName());
                    any = any || excepted || offersMenu(widget);
                    if (!isView(*widget))
                        continue;
                    const bool offers = offersMenu(widget) || offersMenu(widget->parentWidget()); // of a plot
                    QVERIFY2(offers || excepted,
                             qPrintable(dock->objectName() + QStringLiteral(": ") + widget->objectName()));
                }
                QVERIFY2(any, qPrintable(dock->objectName()));
            }
        for (const QString& name : std::as_const(without)) // what is there no more needs no reason
            QVERIFY2(m_window->findChild<QWidget*>(name), qPrintable(name));
    }

    // What stands above the bars has their menu.
    void theStripAndTheRulerHaveTheMenuOfTheTimeline() {
        const auto* timeline = m_window->findChild<TimelineView*>();
        QVERIFY(timeline);
        const QList<QWidget*> above = {timeline->findChild<OverviewStrip*>(),
                                       timeline->findChild<TimeRuler*>()};
        for (QWidget* widget : above) {
            QVERIFY(widget);
            QContextMenuEvent event(QContextMenuEvent::Mouse, QPoint(9, 9),
                                    widget->mapToGlobal(QPoint(9, 9)));
            QApplication::sendEvent(widget, &event);
            QMenu* menu = shownMenu();
            QVERIFY(menu);
            QCOMPARE(menu->objectName(), QStringLiteral("context.timeline"));
            menu->close();
            QVERIFY(settle());
        }
    }

    void theMenuIsAtTheCurrentRow_data() {
        QTest::addColumn<int>("row");
        for (int i = 0; i < static_cast<int>(std::size(kMenus)); ++i)
            QTest::addRow("%s %s", kMenus[i].dock, kMenus[i].view) << i;
    }
    void theMenuIsAtTheCurrentRow() {
        QFETCH(int, row);
        const MenuRow& wanted = kMenus[row];
        QWidget* view = viewOf(wanted);
        QVERIFY2(view, "no such view");
        bringToFront(dockOf(wanted.dock));
        selection().setStage(0);
        SweepStudy::of(m_window->context().document).setChosen(0);
        QString expected;
        if (wanted.isTable) {
            auto* table = qobject_cast<QAbstractItemView*>(view);
            QVERIFY(table && table->model()->rowCount() > 0);
            int column = 0;
            while (table->model()->index(0, column).data().toString().isEmpty() &&
                   column + 1 < table->model()->columnCount())
                ++column;
            table->setCurrentIndex(table->model()->index(0, column));
            expected = longestOf(*table, table->currentIndex().row());
            QVERIFY(!expected.isEmpty());
        } else if (view->focusPolicy() != Qt::NoFocus) {
            view->setFocus();
        }
        QApplication::clipboard()->clear();
        QMenu* menu = askedByKey(view);
        QVERIFY2(menu, "no menu");
        const QStringList ids = idsOf(*menu);
        const QStringList least = words(wanted.commands) + QStringList{QStringLiteral("rows.copy")};
        for (const QString& id : least)
            QVERIFY2(ids.contains(id), qPrintable(id + QStringLiteral(" is not in: ") + ids.join(u' ')));
        m_window->commands().action("rows.copy")->trigger();
        const QString one = QApplication::clipboard()->text();
        QVERIFY2(!one.isEmpty() && one.contains(expected), qPrintable(one));
        if (ids.contains(QLatin1String("rows.copyAll"))) {
            m_window->commands().action("rows.copyAll")->trigger();
            const QString all = QApplication::clipboard()->text();
            QVERIFY2(all.size() >= one.size() && all.contains(expected), qPrintable(all));
        }
        close(menu);
    }

    void aClickChoosesWhatTheMenuIsAbout() {
        auto* table = find<QTableView>("model.layers");
        bringToFront(dockOf("model"));
        table->setCurrentIndex(table->model()->index(0, 0));
        const QModelIndex cell = table->model()->index(1, 1);
        QMenu* menu = clicked(*table, table->visualRect(cell).center());
        QVERIFY(menu);
        QCOMPARE(table->currentIndex(), cell);
        m_window->commands().action("rows.copyValue")->trigger();
        QCOMPARE(QApplication::clipboard()->text(), cell.data().toString());
        close(menu);
    }

    void besideTheRowsThereIsNothingToAskFor() {
        auto* table = find<QTableView>("durations.groups");
        bringToFront(dockOf("durations"));
        const QPoint below(4, table->viewport()->height() - 1);
        QVERIFY(!table->indexAt(below).isValid());
        QVERIFY(!clicked(*table, below));
    }

    void aStageIsShownInDetails() {
        auto* table = find<QTableView>("durations.groups");
        bringToFront(dockOf("durations"));
        table->setCurrentIndex(table->model()->index(0, 0));
        selection().setStage(-1);
        QMenu* menu = askedByKey(table);
        QVERIFY(menu);
        m_window->commands().action("rows.stage")->trigger();
        close(menu);
        QCOMPARE(selection().stage(), 0);
        QVERIFY(dockOf("details")->isVisible());
    }

    void keysAskAndCopyWithoutAMouse() {
        auto* table = find<QTableView>("model.layers");
        bringToFront(dockOf("model"));
        table->setCurrentIndex(table->model()->index(0, 0));
        table->setFocus();
        QTRY_VERIFY(table->hasFocus());
        QApplication::clipboard()->clear();
        QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
        QVERIFY(QApplication::clipboard()->text().contains(longestOf(*table, 0)));
        QTest::keyClick(table, Qt::Key_F10, Qt::ShiftModifier);
        QMenu* menu = shownMenu();
        QVERIFY(menu);
        QVERIFY(idsOf(*menu).contains(QStringLiteral("rows.copy")));
        close(menu);
    }

    void aDeviceIsShownOnTheDrawing() {
        QWidget* column = find<QWidget>("memory.column");
        bringToFront(dockOf("memory"));
        selection().setItems({});
        QMenu* menu = askedByKey(column);
        QVERIFY(menu);
        m_window->commands().action("rows.device")->trigger();
        close(menu);
        QCOMPARE(selection().items().size(), 1);
        QVERIFY(selection().device().startsWith(*selection().items().begin() + QLatin1Char('.')));
        QVERIFY(dockOf("topology")->isAncestorOf(QApplication::focusWidget()));
        selection().setItems({});
    }
};

void ViewMenusTest::fillProject() {
    QVERIFY(m_window->openFile(m_folders.smallProjectFile()));
    QVERIFY(searched(*m_window));
    AppContext& app = m_window->context();
    const auto& plans = app.candidates.all();
    QVERIFY(plans.size() >= 2);
    app.compare.setPlans({plans[0].id, plans[1].id});
    m_window->docks();
    selection().setPlan(plans[0].id);
    selection().setStage(0);
    bringToFront(dockOf("sensitivity")); // which works when it is seen
    auto* slice = find<QTableView>("sensitivity.table");
    QTRY_VERIFY_WITH_TIMEOUT(slice->model()->rowCount() > 0, 60'000);
    slice->selectRow(0); // in the plot, too
    auto* findings = m_window->findChild<FindingsView*>();
    QSignalSpy looked(findings, &FindingsView::looked);
    QVERIFY(!findings->isLooking() || looked.wait(60'000));
    Finding finding;
    finding.rule = "slow-stage";
    finding.stage = 0;
    finding.text = "stage 0 is slower than the others";
    finding.remedy = "move a block";
    modelOf<FindingsModel>("findings.table")->setFindings({{finding}, {}, 1, false}, Seconds(1.0));
    Q_EMIT app.document.failed(badInput("noPlan", "n1", Wording("a message of the test")));
    modelOf<ProblemsModel>("problems.table")
        ->setDiagnostics({{Severity::Warning, "noPlan", "n1", Wording("a problem of the test")}},
                         app.document.project());
    for (const char* table : {"planRuns.residuals", "planRuns.slower"})
        modelOf<RunRowsModel>(table)->setTable(
            {{QStringLiteral("Where"), QStringLiteral("What")},
             {{{QStringLiteral("stage 0"), QStringLiteral("forward of the test")}, 0, 0}}});
    m_window->docks().findChild<AnswerSections*>()->setTables(
        {{"a table of the test", {"what", ">value"}, {{"fastest of the test", "1.5"}}}});
    m_window->docks().findChild<RejectionBar*>()->setCounts({{Rejection::OutOfMemory, 3}});
    auto* coverage = find<QTableView>("profiles.coverage");
    auto* rows = find<QTableView>("profiles.measurements");
    QVERIFY(rows->model()->rowCount() > 0 && coverage->model()->rowCount() > 0);
    rows->setCurrentIndex(rows->model()->index(0, 0)); // its fit is drawn
}

void ViewMenusTest::fillAccuracy() {
    AccuracyStudy& study = m_window->context().accuracy;
    QVERIFY(predict(study, {"amp_t4"}));
    m_window->accuracyDocks();
    const RunRef run = findRun(study, 0, [&study](RunRef each) {
        return study.measured(each, RunQuantity::Time) && study.predicted(each, RunQuantity::Time);
    });
    QVERIFY(run);
    study.setRun(run);
    QTRY_VERIFY_WITH_TIMEOUT(!BackgroundJob::anyRunning(), 60'000);
}

void ViewMenusTest::fillSweep() {
    m_sweep = std::make_unique<WrittenSweep>(
        std::vector<Json>{axis("gbs", "recipe.gbs", {64, 128, 256, 512})}, kChunk);
    m_sweep->append(m_sweep->plan(0, 10.0, 1.0) + m_sweep->plan(1, 9.0, 2.0) +
                    m_sweep->noPlan(2, "does not fit"));
    for (int begin = 0; begin < 3; ++begin) // and left nothing
        m_sweep->append(m_sweep->begin(3));
    m_window->openSweep(q(m_sweep->path().string()));
    SweepStudy& study = SweepStudy::of(m_window->context().document);
    QTRY_VERIFY_WITH_TIMEOUT(study.isOpen() && !study.isReading(), 60'000);
    m_window->sweepDocks();
    m_window->showSweep(true);
    QVERIFY(settle());
    study.setChosen(0);
    QTRY_VERIFY_WITH_TIMEOUT(find<QTableView>("sweep.front.table")->model()->rowCount() > 0, 60'000);
    QVERIFY(!study.status().failed.empty());
}

void ViewMenusTest::fillDialogs() {
    m_import =
        new ImportDialog(m_window->context(), m_folders.filePath(QStringLiteral("store.db")), m_window.get());
    QSignalSpy shown(m_import.data(), &ImportDialog::readingShown);
    m_import->read({QStringLiteral(PW_SOURCE_DIR "/samples/clusters/mixed-64.json")});
    QVERIFY(!shown.isEmpty() || shown.wait(60'000));
    m_log = new DiagnosticsDialog(m_window->log(), m_window->settingFacts(), m_window.get());
    QVERIFY(m_log->findChild<QTableView*>(QStringLiteral("diagnostics.table"))->model()->rowCount() > 0);
}

QTEST_MAIN(ViewMenusTest)
#include "view_menus_test.moc"
