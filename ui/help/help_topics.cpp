// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/help/help_topics.h"

#include <QDockWidget>
#include <QTabBar>

namespace pw {

const std::vector<HelpTopic>& helpTopics() {
    static const std::vector<HelpTopic> rows = {
        {"startPage", "window.md#start-page"},
        {"toolBar", "window.md#tool-bar"},
        {"mainWindow", "window.md"},

        {"diagnostics", "window.md#diagnostics"},
        {"topology", "window.md#topology"},
        {"search", "window.md#search"},
        {"palette", "window.md#palette"},
        {"stageMap", "window.md#stage-map"},
        {"timeline", "window.md#timeline"},
        {"memory", "window.md#memory"},
        {"details", "window.md#details"},
        {"breakdown", "window.md#breakdown"},
        {"durations", "window.md#durations"},
        {"sensitivity", "window.md#sensitivity"},
        {"pareto", "window.md#pareto"},
        {"properties", "window.md#properties"},
        {"plans", "window.md#plans"},
        {"parallel", "window.md#parallel"},
        {"planners", "window.md#planners"},
        {"planRuns", "window.md#plan-runs"},
        {"problems", "window.md#problems"},
        {"findings", "window.md#findings"},
        {"answers", "window.md#answers"},
        {"model", "window.md#model"},
        {"profiles", "window.md#profiles"},

        {"compare", "window.md#compare"},
        {"differences", "window.md#differences"},
        {"planList", "window.md#plans-to-compare"},
        {"peaks", "window.md#peak-memory"},

        {"sources", "window.md#sources"},
        {"errors", "window.md#error"},
        {"scatter", "window.md#predicted-against-measured"},
        {"run", "window.md#run"},
        {"runs", "window.md#runs"},

        {"sweep", "window.md#sweep"},
        {"sweepHeat", "window.md#heat-map"},
        {"sweepFront", "window.md#trade-offs"},
        {"sweepResults", "window.md#results"},

        {"exportDialog", "window.md#export"},
        {"importDialog", "window.md#import"},
        {"kindDialog", "window.md#device-kinds"},
        {"nodeDialog", "window.md#add-nodes"},
        {"newSweepDialog", "window.md#new-sweep"},
        {"publishedDialog", "window.md#published-cases"},
        {"sizeDialog", "window.md#model"},
        {"shortcutEditor", "window.md#change-keys"},
        {"keySheet", "window.md#keys"},
        {"quickOpen", "window.md#finding-things"},
    };
    return rows;
}

const char* helpTarget(const QWidget* focus) {
    // Whoever goes through tabs by keys looks at the view in front.
    if (const auto* tabs = qobject_cast<const QTabBar*>(focus); tabs && tabs->parentWidget())
        for (const auto* dock :
             tabs->parentWidget()->findChildren<QDockWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (dock->windowTitle() == tabs->tabText(tabs->currentIndex()))
                return helpTarget(dock);
    for (const QWidget* part = focus; part; part = part->parentWidget())
        for (const HelpTopic& row : helpTopics())
            if (part->objectName() == QLatin1String(row.name))
                return row.target;
    return "window.md";
}

} // namespace pw
