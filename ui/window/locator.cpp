// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/locator.h"

#include "ui/base/convert.h"
#include "ui/model/model_panel.h"
#include "ui/model/training_form.h"
#include "ui/search/search_panel.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/plan_order.h"
#include "ui/session/plan_text.h"
#include "ui/session/selection.h"
#include "ui/topology/canvas.h"
#include "ui/topology/drawing.h"
#include "ui/topology/palette_panel.h"
#include "ui/window/dock_area.h"
#include "ui/window/dock_focus.h"

#include <QDockWidget>

namespace pw {

std::vector<QuickOpen::Entry> placeEntries(const AppContext& context, DockArea* page) {
    std::vector<QuickOpen::Entry> entries;
    Selection& selection = context.selection;
    const auto problem = context.document.problem();
    for (const Candidate* plan : currentFirst(context.candidates, problem))
        entries.push_back(
            {planTitle(*plan),
             QStringLiteral("%1, %2").arg(withStale(markedIteration(plan->evaluation), *plan, problem),
                                          planSummary(plan->plan)),
             {},
             [&selection, id = plan->id] { selection.setPlan(id); }});
    if (const Candidate* plan = context.candidates.find(selection.plan())) {
        int row = 0;
        for (const Pipeline& pipeline : plan->plan.pipelines)
            for (const Stage& stage : pipeline.stages) {
                entries.push_back({QObject::tr("Stage %1").arg(row),
                                   QObject::tr("of %1, %2")
                                       .arg(planTitle(*plan),
                                            q(layersPhrase(stage, fineLayerCount(plan->problem->model())))),
                                   {},
                                   [&selection, row] { selection.setStage(row); }});
                ++row;
            }
    }
    const Cluster& cluster = context.document.project()->cluster;
    const auto toDrawing = [page] { // whose keys are for what was looked for
        if (QDockWidget* dock = page ? page->dock(QStringLiteral("topology")) : nullptr) {
            page->reveal(dock);
            focusView(*dock, Qt::OtherFocusReason);
        }
    };
    const auto toItem = [page, toDrawing](const QString& id) {
        toDrawing();
        if (auto* canvas = page ? page->findChild<TopologyCanvas*>() : nullptr)
            canvas->findItem(id); // and sees it
    };
    const auto item = [&](const std::string& id) {
        entries.push_back({q(id), describeItem(cluster, q(id)), {}, [&selection, toItem, id = q(id)] {
                               selection.setItems({id});
                               selection.setDevice({});
                               toItem(id);
                           }});
    };
    for (const Node& node : cluster.nodes)
        item(node.id);
    for (const Switch& each : cluster.switches)
        item(each.id);
    for (const Link& link : cluster.links)
        item(link.id);
    for (const Node& node : cluster.nodes)
        for (int g = 0; g < node.gpus; ++g) {
            const QString id = QStringLiteral("%1.g%2").arg(q(node.id)).arg(g);
            entries.push_back({id, q(node.kind), {}, [&selection, toItem, id, node = q(node.id)] {
                                   selection.setItems({node});
                                   selection.setDevice(id);
                                   toItem(node);
                               }});
        }
    const bool modelled = context.document.project()->model.has_value(); // else the form is not shown
    if (const auto* form = page && modelled ? page->findChild<TrainingForm*>() : nullptr)
        for (const TrainingForm::Field& field : form->fields())
            entries.push_back({field.label,
                               QObject::tr("training setting, in Model"),
                               {},
                               [&selection, where = QStringLiteral("model.") + field.name] {
                                   selection.requestFocus(where);
                               }});
    for (QDockWidget* dock : page ? page->docks() : QList<QDockWidget*>())
        entries.push_back({dock->windowTitle(), QObject::tr("view"), {}, [page, dock] {
                               page->reveal(dock);
                               focusView(*dock, Qt::OtherFocusReason);
                           }});
    // Behind the views, of which two are called as fields are.
    if (auto* panel = page ? page->findChild<SearchPanel*>() : nullptr)
        for (QWidget* field : panel->fields())
            entries.push_back({field->accessibleName(),
                               QObject::tr("what is searched for, in Search"),
                               {},
                               [page, panel, field] {
                                   page->reveal(page->dock(QStringLiteral("search")));
                                   panel->focusField(*field);
                               }});
    if (auto* palette = page ? page->findChild<PalettePanel*>() : nullptr)
        for (const PalettePanel::Entry& entry : palette->entries()) {
            const QString drawn = entry.payload.what == QLatin1String("template")
                                      ? QObject::tr("to draw, of %1").arg(entry.payload.kind)
                                  : entry.payload.what == QLatin1String("kind")
                                      ? QObject::tr("to draw, a node of them")
                                      : QObject::tr("to draw");
            entries.push_back({entry.text, drawn, {}, [palette, toDrawing, payload = entry.payload] {
                                   toDrawing();
                                   palette->placeInView(payload);
                               }});
        }
    if (auto* panel = page ? page->findChild<ModelPanel*>() : nullptr)
        for (const ModelPanel::KnownModel& model : panel->known())
            entries.push_back({model.name, QObject::tr("model"), {}, [panel, &selection, file = model.file] {
                                   if (panel->importModel(file))
                                       selection.requestFocus(
                                           QStringLiteral("model.gbs")); // which it is trained with
                               }});
    return entries;
}

} // namespace pw
