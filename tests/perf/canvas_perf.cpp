// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"
#include "core/project/project.h"
#include "tests/perf/budget.h"
#include "tests/ui/app_fixture.h"
#include "ui/base/theme.h"
#include "ui/topology/canvas.h"

#include <QApplication>
#include <QScrollBar>

#include <memory>

#include <nlohmann/json.hpp>

using namespace pw;

namespace {

// The 16,384 GPUs of four sites on a canvas of 1600 x 1000.
struct Sites {
    Sites() {
        static char name[] = "canvas_perf";
        static char* arguments[] = {name};
        static int count = 1;
        auto* application = new QApplication(count, arguments); // as long as the program, like this
        ThemeControl::instance().apply(*application, ThemeMode::Light);
        app = std::make_unique<AppFixture>();
        const auto text = readFile(PW_SOURCE_DIR "/samples/clusters/four-sites-16384.json");
        const auto document = text ? parseJson(*text, "four-sites") : Result<Json>(text.error());
        auto cluster = document ? clusterFromJson(JsonReader(*document, "four-sites"))
                                : Result<Cluster>(document.error());
        if (!cluster)
            std::abort();
        Project project;
        project.cluster = *std::move(cluster);
        canvas = std::make_unique<TopologyCanvas>(app->context);
        canvas->resize(1600, 1000);
        canvas->show();
        app->document.adopt(std::move(project), {});
        QApplication::processEvents();
    }
    std::unique_ptr<AppFixture> app;
    std::unique_ptr<TopologyCanvas> canvas;
};

Sites& sites() {
    static auto* made = new Sites; // as long as the program: it owns the application
    return *made;
}

// One step of a pan and its picture. The argument is the scale in thousandths, 0 = the whole drawing.
void panFrame(benchmark::State& state) {
    TopologyCanvas& canvas = *sites().canvas;
    canvas.fit();
    if (state.range(0) > 0)
        canvas.setZoom(static_cast<double>(state.range(0)) / 1000.0);
    int step = 0;
    for (auto _ : state) {
        QScrollBar* bar = canvas.horizontalScrollBar();
        bar->setValue(bar->value() + (step++ % 60 < 30 ? 12 : -12));
        canvas.viewport()->repaint();
    }
    perf::budget(state, 16.6);
}

// A change of what is chosen: every look is made anew and compared.
void chooseNode(benchmark::State& state) {
    Sites& all = sites();
    all.canvas->fit();
    int next = 0;
    for (auto _ : state) {
        all.app->selection.setItems({QStringLiteral("n%1").arg(1 + next++ % 2000)});
        all.canvas->viewport()->repaint();
    }
    perf::budget(state, 50.0);
}

} // namespace

BENCHMARK(panFrame)->Arg(0)->Arg(150)->Arg(250)->Arg(500)->Arg(1000)->Unit(benchmark::kMillisecond);
BENCHMARK(chooseNode)->Unit(benchmark::kMillisecond);
