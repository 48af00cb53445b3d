// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/document/plan_document.h"
#include "core/edit/arrange.h"
#include "core/search/search.h"
#include "tests/perf/budget.h"
#include "tests/sweep/large_sweep.h"
#include "ui/base/background_job.h"
#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/sweep/sweep_study.h"
#include "ui/sweep/sweep_table.h"
#include "ui/sweep/sweep_table_model.h"
#include "ui/window/autosave.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFile>
#include <QTemporaryDir>
#include <QTimer>

#include <nlohmann/json.hpp>

#include <ctime>
#include <utility>

using namespace pw;

namespace {

QApplication& application() {
    static QTemporaryDir folder;
    static char name[] = "window_perf";
    static char* arguments[] = {name};
    static int count = 1;
    static QApplication* app = [] {
        for (const char* variable : {"PIPEWRIGHT_CONFIG_DIR", "PIPEWRIGHT_DATA_DIR", "PIPEWRIGHT_STATE_DIR"})
            qputenv(variable, folder.filePath(QLatin1String(variable)).toUtf8());
        auto* made = new QApplication(count, arguments);
        ThemeControl::instance().apply(*made, ThemeMode::Light);
        return made;
    }();
    return *app;
}

// 64 stages of one GPU each and 512 micro-batches: 65,536 computing bars and as many sends.
Result<Project> largeProject() {
    Project project;
    project.name = "large";
    for (int i = 0; i < 64; ++i) {
        Node node;
        node.id = "n" + std::to_string(i + 1);
        node.kind = "A100-SXM4-80GB";
        node.gpus = 1;
        node.at = {288.0 * (i % 8), 144.0 * (i / 8)};
        project.cluster.nodes.push_back(node);
        project.cluster.links.push_back(
            {node.id + "-s1", node.id, "s1", BytesPerSecond(12.5e9), 1, Seconds(5e-6), 0.88});
    }
    project.cluster.switches = {{"s1", "Ethernet", {1000, 1400}}};
    Model m;
    m.name = "deep";
    m.family = "llama";
    m.blocks = 128;
    m.hidden = 4096;
    m.heads = m.kvHeads = 32;
    m.headDim = 128;
    m.ffn = 11008;
    m.vocab = 32000;
    m.positions = 4096;
    m.gatedMlp = m.rmsNorm = true;
    project.model = m;
    project.recipe.gbs = 512;
    project.recipe.seq = 2048;
    const auto problem = problemOf(project);
    if (!problem)
        return problem.error();
    Plan plan;
    Pipeline pipeline;
    pipeline.microbatches = 512;
    pipeline.microbatchSize = 1;
    const int layers = fineLayerCount(m);
    for (int s = 0; s < 64; ++s) {
        Stage stage;
        const int first = s * layers / 64, next = (s + 1) * layers / 64;
        stage.chunks = {{first, next - 1}};
        stage.replicas = {{{s}, 1}};
        stage.recompute = Recompute::Full;
        pipeline.stages.push_back(std::move(stage));
    }
    plan.pipelines = {std::move(pipeline)};
    const auto evaluation = evaluate(**problem, plan);
    if (!evaluation)
        return evaluation.error();
    project.plans = {{"1", "", true, (*problem)->hash(), "", planEntry(**problem, plan, *evaluation).dump()}};
    return project;
}

// A project with a kept plan of more than 100,000 bars, from its file to all views painted, in a window that
// has just started: its views are made as well.
void openLargeProject(benchmark::State& state) {
    perf::budget(state, 500.0);
    application();
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("large.pwx"));
    const Result<Project> project = largeProject();
    Document writer;
    if (project)
        writer.adopt(*project, {});
    if (!project || !writer.save(path)) {
        state.SkipWithError(project ? "not written" : project.error().text().c_str());
        return;
    }
    MainWindow window;
    window.resize(1600, 1000);
    window.show();
    QApplication::processEvents();
    std::size_t bars = 0;
    for (auto _ : state) {
        window.openFile(path);
        const auto& plans = window.context().candidates.all();
        if (plans.empty()) {
            state.SkipWithError("the plan was not restored");
            return;
        }
        window.context().selection.setPlan(plans.front().id);
        QApplication::processEvents();
        bars = window.context().candidates.detail(plans.front().id)->timeline.barCount();
    }
    state.counters["bars"] = static_cast<double>(bars);
    if (bars < 100'000)
        state.SkipWithError("fewer bars than promised");
    window.context().document.reset();
}

// From an edit of such a project until the autosave holds it: the second that a crash may cost.
void keepAnEdit(benchmark::State& state) {
    perf::budget(state, 1000.0);
    application();
    const Result<Project> project = largeProject();
    if (!project) {
        state.SkipWithError(project.error().text().c_str());
        return;
    }
    Document document;
    document.adopt(*project, {});
    const Autosave autosave(document);
    double at = 0.0;
    for (auto _ : state) {
        QFile::remove(autosave.file());
        document.apply(setMarks(*document.project(), {{Seconds(++at), "edit"}}), QStringLiteral("edit"));
        while (!QFile::exists(autosave.file()))
            QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    }
}

std::int64_t threadNanoseconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

// The longest that the event loop did not answer: a timer of no interval notes when it is late. Counted is
// the processor time of the window's thread, since searches and other programs take turns with it; the wall
// time stands beside it.
class Stalls {
public:
    Stalls() {
        QObject::connect(&m_watchdog, &QTimer::timeout, &m_watchdog, [this] {
            const std::int64_t now = threadNanoseconds();
            m_worst = std::max(m_worst, now - std::exchange(m_last, now));
            m_wall = std::max(m_wall, m_since.nsecsElapsed());
            m_since.restart();
        });
        m_since.start();
        m_last = threadNanoseconds();
        m_watchdog.start(0);
    }
    void tell(benchmark::State& state) const {
        state.SetIterationTime(static_cast<double>(m_worst) / 1e9);
        state.counters["wall_ms"] = static_cast<double>(m_wall) / 1e6;
    }

private:
    QTimer m_watchdog;
    QElapsedTimer m_since;
    std::int64_t m_worst = 0, m_last = 0;
    qint64 m_wall = 0;
};

// While a search runs and its plans arrive.
void longestStallOfASearch(benchmark::State& state) {
    perf::budget(state, 50.0);
    application();
    MainWindow window;
    window.resize(1600, 1000);
    window.show();
    if (!window.openFile(QStringLiteral(PW_SOURCE_DIR "/samples/projects/measured-16.pwx"))) {
        state.SkipWithError("the sample was not opened");
        return;
    }
    QApplication::processEvents();
    SearchOptions options;
    options.work = 2'000'000; // long enough for plans to arrive many times
    window.context().runner.setOptions(options);
    for (auto _ : state) {
        QEventLoop loop;
        QObject::connect(&window.context().runner, &SearchRunner::finished, &loop, &QEventLoop::quit,
                         Qt::QueuedConnection);
        if (!window.context().runner.start()) {
            state.SkipWithError("the search did not start");
            return;
        }
        QApplication::processEvents();
        const Stalls stalls;
        loop.exec();
        stalls.tell(state);
    }
    window.context().document.undoStack()->clear();
}

// While 59,049 results are read, sorted, mapped and chosen among.
void longestStallOfALargeSweep(benchmark::State& state) {
    perf::budget(state, 50.0);
    application();
    const test::LargeSweep written;
    MainWindow window;
    window.resize(1600, 1000);
    window.show();
    window.commands().action("view.sweep")->trigger();
    const auto rest = [] {
        do
            QApplication::processEvents(QEventLoop::AllEvents, 1);
        while (BackgroundJob::anyRunning());
        QApplication::processEvents();
    };
    rest();
    SweepStudy& sweep = SweepStudy::of(window.context().document);
    for (auto _ : state) {
        const Stalls stalls;
        sweep.open(QString::fromStdString(written.path().string()));
        do
            rest();
        while (sweep.isReading());
        if (sweep.status().done != written.tasks()) {
            state.SkipWithError("the results were not read");
            return;
        }
        auto* table = window.findChild<SweepTable*>();
        table->sortByColumn(table->tasks()->columnOf(SweepFigure::Iteration), Qt::AscendingOrder);
        rest();
        auto* y = window.findChild<QComboBox*>(QStringLiteral("sweep.heat.y"));
        y->setCurrentIndex(y->findText(QStringLiteral("draw")));
        rest();
        sweep.setChosen(40'000);
        rest();
        stalls.tell(state);
    }
}

// Another theme in a window all of whose views were in front once: one event, in which nothing is answered.
void switchTheme(benchmark::State& state) {
    perf::budget(state, 100.0);
    QApplication& app = application();
    MainWindow window;
    window.resize(1440, 900);
    window.show();
    if (!window.openFile(QStringLiteral(PW_SOURCE_DIR "/samples/projects/mixed-16.pwx"))) {
        state.SkipWithError("the sample was not opened");
        return;
    }
    for (QDockWidget* dock : window.findChildren<QDockWidget*>()) {
        dock->show();
        dock->raise();
        QApplication::processEvents();
    }
    bool dark = false;
    for (auto _ : state) {
        dark = !dark;
        const std::int64_t began = threadNanoseconds();
        ThemeControl::instance().apply(app, dark ? ThemeMode::Dark : ThemeMode::Light);
        state.SetIterationTime(static_cast<double>(threadNanoseconds() - began) / 1e9);
        QApplication::processEvents();
    }
    state.counters["widgets"] = static_cast<double>(QApplication::allWidgets().size());
}

// One project behind another in a window all of whose views were in front once, by turns one with plans,
// which are looked at, and one without, which is drawn: the longest of the two events.
void openByTurns(benchmark::State& state) {
    perf::budget(state, 150.0);
    application();
    const QTemporaryDir folder;
    MainWindow window;
    window.resize(1440, 900);
    window.show();
    const QString planned = folder.filePath(QStringLiteral("planned.pwx"));
    const auto rest = [] {
        do
            QApplication::processEvents(QEventLoop::AllEvents, 1);
        while (BackgroundJob::anyRunning());
        QApplication::processEvents();
    };
    const auto open = [&](const QString& file) {
        const std::int64_t began = threadNanoseconds();
        const bool opened = window.openFile(file);
        const std::int64_t took = threadNanoseconds() - began;
        rest();
        return opened ? took : 0;
    };
    const QString drawn = QStringLiteral(PW_SOURCE_DIR "/samples/projects/racks-64.pwx");
    open(QStringLiteral(PW_SOURCE_DIR "/samples/projects/measured-16.pwx"));
    SearchOptions options;
    options.top = 64;
    window.context().runner.setOptions(options);
    window.context().runner.start();
    rest();
    if (window.context().candidates.all().empty() || !window.context().document.save(planned)) {
        state.SkipWithError("no plans to keep");
        return;
    }
    const std::size_t plans = window.context().candidates.all().size();
    for (const char* view : {"view.draw", "view.look", "view.compare"}) {
        window.commands().action(view)->trigger();
        for (QDockWidget* dock : window.findChildren<QDockWidget*>()) {
            dock->show();
            dock->raise();
            QApplication::processEvents();
        }
    }
    for (auto _ : state) {
        const std::int64_t withPlans = open(planned), without = open(drawn);
        if (withPlans == 0 || without == 0)
            state.SkipWithError("not opened");
        state.SetIterationTime(static_cast<double>(std::max(withPlans, without)) / 1e9);
        state.counters["with_plans_ms"] = static_cast<double>(withPlans) / 1e6;
        state.counters["plans"] = static_cast<double>(plans);
        state.counters["without_ms"] = static_cast<double>(without) / 1e6;
    }
}

} // namespace

BENCHMARK(openLargeProject)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
BENCHMARK(keepAnEdit)->Unit(benchmark::kMillisecond)->UseRealTime()->Iterations(1);
BENCHMARK(longestStallOfASearch)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);
BENCHMARK(longestStallOfALargeSweep)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(1);
BENCHMARK(switchTheme)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(20);
BENCHMARK(openByTurns)->Unit(benchmark::kMillisecond)->UseManualTime()->Iterations(20);
