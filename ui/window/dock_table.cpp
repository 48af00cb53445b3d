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

#include <algorithm>

namespace pw {

namespace {

template <class T>
QWidget* make(AccuracyContext& context) {
    return new T(context);
}
QWidget* makeModel(AccuracyContext& context) {
    return new ModelPanel(context, samplesFolder() + QStringLiteral("/models"));
}
QWidget* makeProfiles(AccuracyContext& context) {
    return new ProfilesPanel(context, profileStorePath());
}

} // namespace

bool DockArrangement::has(const QString& dock) const {
    return std::any_of(places.begin(), places.end(),
                       [&dock](const DockPlace& place) { return dock == QLatin1String(place.name); });
}

const DockLayout& planningLayout() {
    constexpr auto left = Qt::LeftDockWidgetArea, middle = Qt::TopDockWidgetArea,
                   right = Qt::RightDockWidgetArea, bottom = Qt::BottomDockWidgetArea;
    static const DockLayout layout = {"dockArea",
                                      {
                                          {"topology", "Topology", make<TopologyView>},
                                          {"search", "Search", make<SearchPanel>},
                                          {"palette", "Palette", make<PalettePanel>},
                                          {"stageMap", "Stage map", make<StageMap>},
                                          {"timeline", "Timeline", make<TimelineView>},
                                          {"memory", "Memory", make<MemoryView>},
                                          {"details", "Details", make<DetailsPanel>},
                                          {"breakdown", "Breakdown", make<BreakdownView>},
                                          {"durations", "Durations", make<DurationsView>},
                                          {"sensitivity", "Sensitivity", make<SensitivityView>},
                                          {"pareto", "Pareto", make<ParetoView>},
                                          {"properties", "Properties", make<PropertyPanel>},
                                          {"plans", "Plans", make<PlansView>},
                                          {"parallel", "Parallel", make<ParallelView>},
                                          {"planners", "Planners", make<TournamentView>},
                                          {"planRuns", "Plan runs", make<PlanRunsView>},
                                          {"problems", "Problems", make<ProblemsPanel>},
                                          {"findings", "Findings", make<FindingsView>},
                                          {"answers", "Answers", make<AnswersView>},
                                          {"model", "Model", makeModel},
                                          {"profiles", "Profiles", makeProfiles},
                                          {"compare", "Compare", make<CompareView>},
                                          {"differences", "Differences", make<DifferencesView>},
                                          {"planList", "Plans to compare", make<PlanList>},
                                          {"peaks", "Peak memory", make<PeaksView>},
                                      },
                                      {
                                          {"draw",
                                           false,
                                           {240, 1040, 320},
                                           {
                                               {"palette", left, 908},
                                               {"topology", middle, 698},
                                               {"properties", right, 330, "", "", "palette"},
                                               {"search", right, 330, "", "properties", "palette"},
                                               {"problems", bottom, 210},
                                               {"model", bottom, 210, "problems"},
                                               {"profiles", bottom, 210, "problems"},
                                           },
                                           true},
                                          {"look",
                                           false,
                                           {392, 868, 332},
                                           {
                                               {"topology", left, 372},
                                               {"search", left, 536},
                                               {"stageMap", middle, 182},
                                               {"timeline", middle, 330},
                                               {"memory", middle, 132, "", "timeline"},
                                               {"details", right, 340, "", "", "plans"},
                                               {"breakdown", right, 308, "", "details", "plans"},
                                               {"durations", right, 308, "breakdown", "details", "plans"},
                                               {"sensitivity", right, 308, "breakdown", "details", "plans"},
                                               {"pareto", right, 308, "breakdown", "details", "plans"},
                                               {"plans", bottom, 256},
                                               {"parallel", bottom, 256, "plans"},
                                               {"planners", bottom, 256, "plans"},
                                               {"planRuns", bottom, 256, "plans"},
                                               {"problems", bottom, 256, "plans"},
                                               {"findings", bottom, 256, "problems"},
                                               {"answers", bottom, 256, "problems"},
                                           }},
                                          {"compare",
                                           true,
                                           {0, 1180, 412},
                                           {
                                               {"compare", middle, 600},
                                               {"differences", right, 340, "", "", "plans"},
                                               {"pareto", right, 260, "", "differences", "plans"},
                                               {"plans", bottom, 308},
                                               {"planList", bottom, 308, "plans"},
                                               {"peaks", bottom, 308, "plans"},
                                           }},
                                      }};
    return layout;
}

const DockLayout& accuracyLayout() {
    static const DockLayout layout = {"accuracyArea",
                                      {
                                          {"sources", "Sources", make<SourcesView>},
                                          {"errors", "Error", make<ErrorsView>},
                                          {"scatter", "Predicted against measured", make<ScatterView>},
                                          {"run", "Run", make<RunPanel>},
                                          {"runs", "Runs", make<RunsView>},
                                      },
                                      {{"accuracy",
                                        true,
                                        {716, 572, 304},
                                        {
                                            {"sources", Qt::LeftDockWidgetArea, 372},
                                            {"errors", Qt::LeftDockWidgetArea, 536},
                                            {"scatter", Qt::TopDockWidgetArea, 616},
                                            {"run", Qt::RightDockWidgetArea, 616},
                                            {"runs", Qt::BottomDockWidgetArea, 292},
                                        }}}};
    return layout;
}

const DockLayout& sweepLayout() {
    static const DockLayout layout = {"sweepArea",
                                      {
                                          {"sweep", "Sweep", make<SweepPanel>},
                                          {"sweepHeat", "Heat map", make<HeatView>},
                                          {"sweepFront", "Trade-offs", make<SweepFrontView>},
                                          {"sweepResults", "Results", make<SweepResultsView>},
                                      },
                                      {{"sweep",
                                        true,
                                        {330, 800, 462},
                                        {
                                            {"sweep", Qt::LeftDockWidgetArea, 908},
                                            {"sweepHeat", Qt::TopDockWidgetArea, 616},
                                            {"sweepFront", Qt::RightDockWidgetArea, 616},
                                            {"sweepResults", Qt::BottomDockWidgetArea, 292},
                                        }}}};
    return layout;
}

} // namespace pw
