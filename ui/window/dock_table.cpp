// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/dock_table.h"

#include "ui/accuracy/errors_view.h"
#include "ui/accuracy/run_panel.h"
#include "ui/accuracy/runs_view.h"
#include "ui/accuracy/scatter_view.h"
#include "ui/accuracy/sources_view.h"
#include "ui/answers/answers_view.h"
#include "ui/compare/compare_view.h"
#include "ui/compare/differences_view.h"
#include "ui/compare/peaks_view.h"
#include "ui/compare/plan_list.h"
#include "ui/details/breakdown_view.h"
#include "ui/details/details_panel.h"
#include "ui/details/durations_view.h"
#include "ui/findings/findings_view.h"
#include "ui/memory/memory_view.h"
#include "ui/model/model_panel.h"
#include "ui/plans/plans_view.h"
#include "ui/plots/plot_views.h"
#include "ui/problems/problems_panel.h"
#include "ui/profiles/profiles_panel.h"
#include "ui/runs/plan_runs_view.h"
#include "ui/search/search_panel.h"
#include "ui/sensitivity/sensitivity_view.h"
#include "ui/stages/stage_map.h"
#include "ui/sweep/heat_view.h"
#include "ui/sweep/sweep_front_view.h"
#include "ui/sweep/sweep_panel.h"
#include "ui/sweep/sweep_results_view.h"
#include "ui/timeline/timeline_view.h"
#include "ui/topology/palette_panel.h"
#include "ui/topology/property_panel.h"
#include "ui/topology/view.h"
#include "ui/tournament/tournament_view.h"
#include "ui/window/settings.h"

namespace pw {

namespace {

template <class T>
QWidget* make(AppContext& context) {
    return new T(context);
}
QWidget* makePalette(AppContext&) {
    return new PalettePanel;
}
QWidget* makeModel(AppContext& context) {
    return new ModelPanel(context, samplesFolder() + QStringLiteral("/models"));
}
QWidget* makeProfiles(AppContext& context) {
    return new ProfilesPanel(context, profileStorePath());
}

} // namespace

const DockLayout& planningLayout() {
    static const DockLayout layout = {
        "dockArea",
        false,
        {392, 868, 332},
        {
            {"topology", "Topology", Qt::LeftDockWidgetArea, 372, "", make<TopologyView>},
            {"search", "Search", Qt::LeftDockWidgetArea, 536, "", make<SearchPanel>},
            {"palette", "Palette", Qt::LeftDockWidgetArea, 300, "search", makePalette},
            {"stageMap", "Stage map", Qt::TopDockWidgetArea, 182, "", make<StageMap>},
            {"timeline", "Timeline", Qt::TopDockWidgetArea, 330, "", make<TimelineView>},
            {"memory", "Memory", Qt::TopDockWidgetArea, 132, "", make<MemoryView>, "timeline"},
            {"details", "Details", Qt::RightDockWidgetArea, 340, "", make<DetailsPanel>, "", "plans"},
            {"breakdown", "Breakdown", Qt::RightDockWidgetArea, 308, "", make<BreakdownView>, "details",
             "plans"},
            {"durations", "Durations", Qt::RightDockWidgetArea, 308, "breakdown", make<DurationsView>,
             "details", "plans"},
            {"sensitivity", "Sensitivity", Qt::RightDockWidgetArea, 308, "breakdown", make<SensitivityView>,
             "details", "plans"},
            {"pareto", "Pareto", Qt::RightDockWidgetArea, 308, "breakdown", make<ParetoView>, "details",
             "plans"},
            {"properties", "Properties", Qt::RightDockWidgetArea, 340, "details", make<PropertyPanel>, "",
             "search"},
            {"plans", "Plans", Qt::BottomDockWidgetArea, 256, "", make<PlansView>},
            {"parallel", "Parallel", Qt::BottomDockWidgetArea, 256, "plans", make<ParallelView>},
            {"planners", "Planners", Qt::BottomDockWidgetArea, 256, "plans", make<TournamentView>},
            {"planRuns", "Plan runs", Qt::BottomDockWidgetArea, 256, "plans", make<PlanRunsView>},
            {"problems", "Problems", Qt::BottomDockWidgetArea, 256, "plans", make<ProblemsPanel>},
            {"findings", "Findings", Qt::BottomDockWidgetArea, 256, "problems", make<FindingsView>},
            {"answers", "Answers", Qt::BottomDockWidgetArea, 256, "problems", make<AnswersView>},
            {"model", "Model", Qt::BottomDockWidgetArea, 256, "problems", makeModel},
            {"profiles", "Profiles", Qt::BottomDockWidgetArea, 256, "problems", makeProfiles},
        }};
    return layout;
}

const DockLayout& compareLayout() {
    static const DockLayout layout = {
        "compareArea",
        true,
        {0, 1180, 412},
        {
            {"compare", "Compare", Qt::TopDockWidgetArea, 690, "", make<CompareView>},
            {"differences", "Differences", Qt::RightDockWidgetArea, 690, "", make<DifferencesView>},
            {"planList", "Plans to compare", Qt::RightDockWidgetArea, 690, "differences", make<PlanList>},
            {"peaks", "Peak memory", Qt::BottomDockWidgetArea, 214, "", make<PeaksView>},
        }};
    return layout;
}

const DockLayout& accuracyLayout() {
    static const DockLayout layout = {
        "accuracyArea",
        true,
        {716, 572, 304},
        {
            {"sources", "Sources", Qt::LeftDockWidgetArea, 372, "", make<SourcesView>},
            {"errors", "Error", Qt::LeftDockWidgetArea, 536, "", make<ErrorsView>},
            {"scatter", "Predicted against measured", Qt::TopDockWidgetArea, 616, "", make<ScatterView>},
            {"run", "Run", Qt::RightDockWidgetArea, 616, "", make<RunPanel>},
            {"runs", "Runs", Qt::BottomDockWidgetArea, 292, "", make<RunsView>},
        }};
    return layout;
}

const DockLayout& sweepLayout() {
    static const DockLayout layout = {
        "sweepArea",
        true,
        {330, 800, 462},
        {
            {"sweep", "Sweep", Qt::LeftDockWidgetArea, 908, "", make<SweepPanel>},
            {"sweepHeat", "Heat map", Qt::TopDockWidgetArea, 616, "", make<HeatView>},
            {"sweepFront", "Trade-offs", Qt::RightDockWidgetArea, 616, "", make<SweepFrontView>},
            {"sweepResults", "Results", Qt::BottomDockWidgetArea, 292, "", make<SweepResultsView>},
        }};
    return layout;
}

} // namespace pw
