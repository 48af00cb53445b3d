// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/imports/import_table.h"
#include "core/search/planners.h"
#include "tests/e2e/journey_driver.h"

#include "tests/cli/cli_run.h"
#include "ui/base/format.h"
#include "ui/memory/memory_plot.h"
#include "ui/memory/memory_view.h"
#include "ui/plans/plan_table_model.h"
#include "ui/session/plan_text.h"
#include "ui/stages/stage_rows.h"
#include "ui/timeline/timeline_tracks.h"
#include "ui/topology/canvas.h"
#include "ui/topology/items.h"
#include "ui/window/dock_area.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QTableWidget>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

using namespace pw;

namespace {

const QString kSamples = QStringLiteral(PW_SOURCE_DIR "/samples/");
const char* const kNodes[] = {"n1", "n2", "n3"};

// Relative; figures pass through JSON text, which keeps every digit.
void compareFigures(double actual, double expected) {
    QVERIFY2(std::abs(actual - expected) <= 1e-12 * std::abs(expected),
             qPrintable(QStringLiteral("%1 is not %2").arg(actual, 0, 'g', 17).arg(expected, 0, 'g', 17)));
}

} // namespace

// One user's way from an empty window to files for a trainer; each step works on what the one before left.
class JourneyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void drawsTheCluster();
    void setsTheLinks();
    void undoesAndRedoes();
    void choosesModelAndTraining();
    void importsMeasurements();
    void searchesWhileTheWindowLives();
    void figuresAreCoresAndTheCommandLines();
    void selectsAPlanWithTheKeyboard();
    void everyViewShowsIt();
    void exportsFiles();
    void keepsTheProject();
    void cleanupTestCase();

private:
    const Project& project() const { return *m_window->context().document.project(); }
    SearchRunner& runner() const { return m_window->context().runner; }
    const Candidate& current() const {
        return *m_window->context().candidates.find(m_window->context().selection.plan());
    }
    QString folder(const char* name) const { return m_home.filePath(QLatin1String(name)); }
    void importProfile(const QString& path);
    void importFile(const std::function<void()>& open, const QString& path);

    QTemporaryDir m_home;
    std::unique_ptr<MainWindow> m_window;
    std::unique_ptr<JourneyDriver> m_user;
    int m_canvasWidth = 0;
};

void JourneyTest::initTestCase() {
    qputenv("PIPEWRIGHT_CONFIG_DIR", QFile::encodeName(folder("config")));
    qputenv("PIPEWRIGHT_STATE_DIR", QFile::encodeName(folder("state")));
    qputenv("PIPEWRIGHT_DATA_DIR", QFile::encodeName(folder("data")));
    m_window = std::make_unique<MainWindow>();
    m_user = std::make_unique<JourneyDriver>(*m_window);
    m_user->show();
    m_user->command("file.new");
    QTRY_VERIFY_WITH_TIMEOUT(m_user->canvas()->isVisible(), 60'000);
    QVERIFY(project().cluster.nodes.empty());
    QVERIFY(!m_window->isWindowModified());
}

void JourneyTest::drawsTheCluster() {
    TopologyCanvas* canvas = m_user->canvas();
    const QRect sheet = canvas->viewport()->rect();
    m_user->drop({QStringLiteral("template"), QStringLiteral("node8"), QStringLiteral("A100-SXM4-40GB")},
                 {sheet.center().x(), sheet.height() / 4});
    QCOMPARE(project().cluster.nodes.size(), 1u);
    QVERIFY(m_window->isWindowModified());

    m_user->key(canvas, Qt::Key_N);
    auto* dialog = m_window->findChild<QDialog*>(QStringLiteral("nodeDialog"));
    QVERIFY(dialog);
    m_user->choose(QStringLiteral("nodeDialog.kind"), QStringLiteral("V100-SXM2-16GB"));
    for (const auto& [field, count] :
         {std::pair("nodeDialog.gpus", "4"), std::pair("nodeDialog.count", "2")}) {
        auto* box = dialog->findChild<QSpinBox*>(QLatin1String(field));
        box->setFocus();
        box->selectAll();
        QTest::keyClicks(box, QLatin1String(count));
    }
    m_user->press(QStringLiteral("nodeDialog.place"));
    QCOMPARE(project().cluster.nodes.size(), 3u);
    QTRY_VERIFY_WITH_TIMEOUT(!m_window->findChild<QDialog*>(QStringLiteral("nodeDialog")), 60'000);
    m_user->show();

    m_user->key(canvas, Qt::Key_S);
    QCOMPARE(project().cluster.switches.size(), 1u);
    m_user->key(canvas, Qt::Key_L);
    for (const char* node : kNodes) {
        m_user->click(QLatin1String(node));
        m_user->click(QStringLiteral("s1"));
    }
    m_user->key(canvas, Qt::Key_V);
    QCOMPARE(project().cluster.links.size(), 3u);
    QCOMPARE(project().cluster.gpuCount(), 16);
    QCOMPARE(project().cluster.node("n3")->kind, std::string("V100-SXM2-16GB"));
    m_canvasWidth = m_window->docks().dock(QStringLiteral("topology"))->width();
}

void JourneyTest::setsTheLinks() {
    m_user->raise(QStringLiteral("properties"));
    m_user->clickLink(QStringLiteral("n1-s1"));
    m_user->clickLink(QStringLiteral("n2-s1"), Qt::ShiftModifier);
    m_user->clickLink(QStringLiteral("n3-s1"), Qt::ShiftModifier);
    QCOMPARE(m_window->context().selection.items().size(), 3);
    m_user->type(QStringLiteral("properties.bandwidth"), QStringLiteral("100 Gbit/s"));
    m_user->type(QStringLiteral("properties.latency"), QStringLiteral("20 us"));
    for (const Link& link : project().cluster.links) {
        QCOMPARE(link.bandwidth.value, 12.5e9);
        compareFigures(link.latency.value, 20e-6);
    }
}

void JourneyTest::undoesAndRedoes() {
    const Project drawn = project();
    m_user->canvas()->setFocus();
    QUndoStack* steps = m_window->context().document.undoStack();
    const int all = steps->index();
    for (int i = 0; i < 4; ++i)
        m_user->command("edit.undo");
    QCOMPARE(steps->index(), all - 4);
    QVERIFY(project() != drawn);
    for (int i = 0; i < 4; ++i)
        m_user->command("edit.redo");
    QVERIFY(project() == drawn);
    QCOMPARE(steps->index(), all);
}

void JourneyTest::choosesModelAndTraining() {
    m_user->raise(QStringLiteral("model"));
    importFile([this] { m_user->press(QStringLiteral("model.import")); },
               kSamples + QStringLiteral("models/hf/gpt-neo-2.7b/config.json"));
    QVERIFY(project().model.has_value());
    QCOMPARE(project().model->name, std::string("gpt-neo-2.7b"));
    m_user->choose(QStringLiteral("recipe.precision"), QStringLiteral("fp32"));
    m_user->type(QStringLiteral("recipe.gbs"), QStringLiteral("256"));
    m_user->type(QStringLiteral("recipe.seq"), QStringLiteral("2048"));
    QCOMPARE(project().recipe.precision, Precision::Fp32);
    QCOMPARE(project().recipe.gbs, 256);
    QCOMPARE(project().recipe.seq, 2048);
    QVERIFY(m_window->context().document.problem());
}

void JourneyTest::importProfile(const QString& path) {
    const auto* button = m_user->find<QPushButton>(QStringLiteral("profiles.import"));
    importFile([button] { button->menu()->actions().front()->trigger(); }, path);
}

// Through the dialog that every file comes in by.
void JourneyTest::importFile(const std::function<void()>& open, const QString& path) {
    open();
    QTRY_VERIFY_WITH_TIMEOUT(QApplication::activeModalWidget(), 60'000);
    m_user->answeringFileDialog([this] { m_user->press(QStringLiteral("import.choose")); }, path);
    QTRY_VERIFY_WITH_TIMEOUT(m_user->find<QPushButton>(QStringLiteral("import.import"))->isEnabled(), 60'000);
    m_user->press(QStringLiteral("import.import"));
    QTRY_VERIFY_WITH_TIMEOUT(!QApplication::activeModalWidget(), 60'000);
}

void JourneyTest::importsMeasurements() {
    m_user->raise(QStringLiteral("profiles"));
    const QString sailor = kSamples + QStringLiteral("profiles/sailor/GPT-Neo-2.7/");
    importProfile(sailor + QStringLiteral("A100-40/profile.json"));
    const std::size_t first = project().profiles.size();
    QVERIFY(first > 0);
    importProfile(sailor + QStringLiteral("V100-16/profile.json"));
    QVERIFY(project().profiles.size() > first);
    QVERIFY(QFile::exists(folder("data/profiles.db")));
    QCOMPARE(m_user->find<QTableView>(QStringLiteral("profiles.sources"))->model()->rowCount(), 2);
}

void JourneyTest::searchesWhileTheWindowLives() {
    m_user->show();
    // Whatever was raised and chosen until now, the columns stand where they stood.
    QCOMPARE(m_window->docks().dock(QStringLiteral("topology"))->width(), m_canvasWidth);
    // The usual search ends within a few ticks of a clock. One that lasts shows what a user sees meanwhile:
    // plans arrive in the table while the window answers, and Stop ends it.
    const SearchOptions usual = runner().options();
    SearchOptions lasting = usual;
    lasting.work = 1'000'000'000'000;
    runner().setOptions(lasting);
    m_user->raise(QStringLiteral("model"));
    m_user->type(QStringLiteral("recipe.gbs"), QStringLiteral("1000000")); // each simulation is a long one
    int ticks = 0;
    std::size_t live = 0;
    QTimer clock;
    connect(&clock, &QTimer::timeout, this, [&] {
        if (!runner().isRunning())
            return;
        ++ticks;
        live = std::max(live, m_window->context().candidates.all().size());
    });
    clock.start(5);
    m_user->command("search.run");
    QVERIFY(runner().isRunning());
    QVERIFY(!m_user->find<QPushButton>(QStringLiteral("toolBar.run"))->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(ticks > 5 && live > 0, 60'000);
    QVERIFY2(runner().isRunning(), "the search that should last has ended by itself");
    m_user->command("search.stop");
    QTRY_VERIFY_WITH_TIMEOUT(!runner().isRunning(), 60'000);
    QVERIFY(runner().outcome().has_value());
    QCOMPARE(runner().outcome()->status, SearchStatus::Stopped);
    m_user->raise(QStringLiteral("plans")); // which the first plan has brought
    m_window->context().candidates.clear();
    runner().setOptions(usual);
    m_user->command("edit.undo");
    QCOMPARE(project().recipe.gbs, 256);

    m_user->command("search.run");
    QVERIFY(runner().isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(!runner().isRunning(), 120000);
    QVERIFY(runner().outcome().has_value());
    QCOMPARE(current().id, runner().bestId());
}

void JourneyTest::figuresAreCoresAndTheCommandLines() {
    const SearchOutcome& shown = *runner().outcome();
    SearchObserver nobody;
    const auto problem = problemOf(project());
    QVERIFY(problem);
    const Result<SearchOutcome> again = search(*problem, runner().options(), nobody, {});
    QVERIFY(again);
    const Evaluation& best = shown.plans.front().evaluation;
    QCOMPARE(best.iteration.value, again->plans.front().evaluation.iteration.value);
    QCOMPARE(shown.bound.value.value, again->bound.value.value);
    QCOMPARE(shown.gap(), again->gap());
    QCOMPARE(shown.work, again->work);
    const Result<Evaluation> judged = evaluate(**problem, shown.plans.front().plan);
    QVERIFY(judged);
    QCOMPARE(best.iteration.value, judged->iteration.value);
    QCOMPARE(m_user->find<QLabel>(QStringLiteral("search.best"))->text(), markedIteration(best));
    QCOMPARE(m_user->find<QLabel>(QStringLiteral("search.bound"))->text(), iterationText(shown.bound.value));
    QCOMPARE(m_user->find<QLabel>(QStringLiteral("search.gap"))->text(), shareText(shown.gap()));
    QVERIFY(m_user->find<QLabel>(QStringLiteral("figure.iteration"))
                ->text()
                .contains(iterationText(best.iteration)));

    // The project that ships holds the same cluster, model and rows; whoever draws it gets its figures.
    const CliRun run = runCli({QStringLiteral("plan"), QStringLiteral("--json"), QStringLiteral("--project"),
                               kSamples + QStringLiteral("projects/measured-16.pwx")});
    QCOMPARE(run.code, 0);
    const QJsonObject document = run.json();
    compareFigures(document[QStringLiteral("plans")][0][QStringLiteral("iteration_s")].toDouble(),
                   best.iteration.value);
    compareFigures(document[QStringLiteral("lower_bound_s")].toDouble(), shown.bound.value.value);
    compareFigures(document[QStringLiteral("gap")].toDouble(), shown.gap());
}

void JourneyTest::selectsAPlanWithTheKeyboard() {
    auto* table = m_user->find<QTableView>(QStringLiteral("plans.table"));
    QVERIFY(table->model()->rowCount() >= 2);
    const int before = current().id;
    m_user->key(table, Qt::Key_Down);
    QVERIFY(current().id != before);
    QCOMPARE(table->currentIndex().data(PlanTableModel::IdRole).toInt(), current().id);
    QVERIFY(m_user->find<QLabel>(QStringLiteral("figure.iteration"))
                ->text()
                .contains(iterationText(current().evaluation.iteration)));
}

void JourneyTest::everyViewShowsIt() {
    const auto stages = static_cast<int>(current().plan.pipelines.front().stages.size());
    const auto* map = m_user->find<StageRows>(QStringLiteral("stageMap.rows"));
    QCOMPARE(map->minimumHeight(), map->rowRect(stages - 1).bottom() + 1);

    auto* tracks = m_user->find<TimelineTracks>(QStringLiteral("timeline.tracks"));
    QTRY_VERIFY_WITH_TIMEOUT(tracks->width() > 0, 60'000);
    for (int stage = 0; stage < stages; ++stage)
        QVERIFY(!tracks->barRect({stage, LaneRole::Compute, 0}).isEmpty());

    const auto* memory = m_user->find<MemoryView>(QString());
    double capacity = 0.0;
    for (const DeviceMemory& device : current().evaluation.memory)
        if (deviceId(*current().problem, device.device) == memory->device())
            capacity = toGibibytes(device.capacity);
    QVERIFY(capacity > 0.0);
    QVERIFY(memory->plot()->top() >= capacity);

    QSet<int> badges;
    for (const char* node : kNodes)
        for (const TileLook& tile : m_user->canvas()->topology().nodeItem(QLatin1String(node))->look().tiles)
            if (tile.stage >= 0)
                badges.insert(tile.stage);
    QCOMPARE(badges.size(), stages);
}

void JourneyTest::exportsFiles() {
    const QString target = folder("export");
    m_user->answering([this] { m_user->command("plan.export"); },
                      [&](QWidget& dialog) {
                          auto* targets = dialog.findChild<QListWidget*>(QStringLiteral("export.targets"));
                          m_user->type(QStringLiteral("export.folder"), target);
                          auto* replace = dialog.findChild<QCheckBox*>(QStringLiteral("export.replace"));
                          int asked = 0; // before one format's files replace another's
                          for (int row = 0; row < targets->count(); ++row) {
                              QTest::mouseClick(targets->viewport(), Qt::LeftButton, {},
                                                targets->visualItemRect(targets->item(row)).center());
                              QCOMPARE(targets->currentRow(), row);
                              auto* write = dialog.findChild<QPushButton*>(QStringLiteral("export.export"));
                              const bool flagscale =
                                  targets->item(row)->data(Qt::UserRole) == QLatin1String("flagscale");
                              QVERIFY(!flagscale || !write->isEnabled()); // of an open search
                              if (replace->isVisible()) {
                                  QVERIFY(!write->isEnabled());
                                  QTest::mouseClick(replace, Qt::LeftButton, {}, {10, replace->height() / 2});
                                  ++asked;
                              }
                              if (!write->isEnabled()) {
                                  auto* refusals =
                                      dialog.findChild<QTableWidget*>(QStringLiteral("export.refusals"));
                                  QVERIFY(refusals->isVisible() && refusals->rowCount() > 0);
                                  QVERIFY(refusals->item(0, 1)->text().startsWith(QLatin1String("E_")));
                                  continue;
                              }
                              QTest::mouseClick(write, Qt::LeftButton);
                              QVERIFY(dialog.findChild<QLabel*>(QStringLiteral("export.report"))
                                          ->text()
                                          .contains(QLatin1String("written")));
                          }
                          QVERIFY(asked > 0);
                          m_user->press(QStringLiteral("export.close"));
                      });
    const QStringList files = QDir(target).entryList(QDir::Files);
    QVERIFY2(files.contains(QLatin1String("plan.json")) && files.contains(QLatin1String("trace.json")),
             qPrintable(files.join(QLatin1Char(' '))));

    // What was written is judged outside as it was shown inside.
    const CliRun run = runCli({QStringLiteral("evaluate"), QStringLiteral("--json"), QStringLiteral("--plan"),
                               QDir(target).filePath(QStringLiteral("plan.json"))});
    QCOMPARE(run.code, 0);
    compareFigures(run.json()[QStringLiteral("plans")][0][QStringLiteral("iteration_s")].toDouble(),
                   current().evaluation.iteration.value);
}

void JourneyTest::keepsTheProject() {
    m_user->show();
    m_user->key(m_user->find<QTableView>(QStringLiteral("plans.table")), Qt::Key_Space);
    QCOMPARE(project().plans.size(), 1u);
    const Candidate pinned = current();
    QVERIFY(pinned.pinned);
    QVERIFY(m_window->isWindowModified());

    const QString path = folder("drawn.pwx");
    m_user->answeringFileDialog([this] { m_user->command("file.save"); }, path);
    QVERIFY(QFile::exists(path));
    QVERIFY(!m_window->isWindowModified());
    const Project saved = project();
    const std::size_t found = m_window->context().candidates.all().size();
    QVERIFY(m_window->close());

    MainWindow other;
    JourneyDriver user(other);
    user.show();
    user.answeringFileDialog([&] { user.command("file.open"); }, path);
    const Project& opened = *other.context().document.project();
    QVERIFY(opened.cluster == saved.cluster && opened.model == saved.model && opened.recipe == saved.recipe);
    QVERIFY(!other.isWindowModified());
    QCOMPARE(other.context().candidates.all().size(), found); // the whole table
    const auto same = std::ranges::find_if(other.context().candidates.all(), &Candidate::pinned);
    QVERIFY(same != other.context().candidates.all().end());
    const Candidate& kept = *same;
    QVERIFY(kept.plan == pinned.plan);
    QCOMPARE(kept.name, pinned.name);
    QCOMPARE(kept.evaluation.iteration.value, pinned.evaluation.iteration.value);
}

void JourneyTest::cleanupTestCase() {
    m_window.reset();
}

QTEST_MAIN(JourneyTest)
#include "journey_test.moc"
