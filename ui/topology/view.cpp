// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/view.h"

#include "ui/base/convert.h"
#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/commands/app_context.h"
#include "ui/commands/command_table.h"
#include "ui/commands/commands.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/plan_order.h"
#include "ui/session/plan_text.h"
#include "ui/session/selection.h"
#include "ui/topology/begin_drawing.h"
#include "ui/topology/canvas.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/drag_payload.h"
#include "ui/topology/minimap.h"
#include "ui/topology/stage_legend.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/message_bar.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStatusTipEvent>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

namespace pw {

namespace {

constexpr int kWideStrip = 620; // from here on the keys stand beside the symbols

QFrame* separator(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::VLine);
    line->setFixedHeight(20);
    line->setForegroundRole(QPalette::Mid);
    return line;
}

} // namespace

TopologyView::TopologyView(const AppContext& app, QWidget* parent)
    : View(parent), m_app(app), m_canvas(new TopologyCanvas(app, this)), m_stale(new MessageBar(this)),
      m_empty(new EmptyState(QStringLiteral("node"), m_canvas->viewport())), m_legend(new StageLegend(this)),
      m_minimap(new Minimap(*m_canvas)), m_zoom(new QLabel(this)) {
    setObjectName(QStringLiteral("topology"));
    setAccessibleName(tr("Topology"));
    setMinimumSize(280, 220);
    setFocusProxy(m_canvas);

    auto* strip = new QWidget(this);
    strip->setObjectName(QStringLiteral("topology.strip"));
    auto* stripRow = new QHBoxLayout(strip);
    stripRow->setContentsMargins(8, 3, 8, 3);
    stripRow->setSizeConstraint(
        QLayout::SetNoConstraint); // buttons go when it is narrow, the dock does not grow
    strip->setMinimumSize(1, 34);
    stripRow->setSpacing(2);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(strip);
    column->addWidget(m_stale);
    column->addWidget(m_canvas, 1);
    column->addWidget(m_legend);

    m_empty->setObjectName(QStringLiteral("topology.empty"));
    m_empty->setText(tr("Draw the cluster"),
                     tr("Drag a node here, choose a template, or import an inventory."));
    m_empty->setButton(tr("Add nodes\u2026"), QStringLiteral("plus"));
    auto* begin = new BeginDrawing(app.selection);
    m_empty->setPart(begin);
    m_canvas->viewport()->installEventFilter(this);
    connect(begin, &BeginDrawing::templateChosen, this, [this](const QString& key, const QString& kind) {
        m_canvas->setFocus(); // the button goes with the empty drawing
        m_canvas->placeFree(DragPayload{QStringLiteral("template"), key, kind});
    });
    connect(begin, &BeginDrawing::drawRequested, this, [this](const ClusterSize& size) {
        if (!m_app.document.apply(addCluster(*m_app.document.project(), size, {}),
                                  tr("Draw %1 GPUs").arg(size.gpus())))
            return;
        m_canvas->fit();
        m_canvas->setFocus();
    });
    connect(m_empty, &EmptyState::clicked, m_canvas, qOverload<>(&TopologyCanvas::askForNodes));
    connect(m_canvas, &TopologyCanvas::visibleChanged, this,
            &TopologyView::layEmptyState); // scrolled with it

    bindCommands();
    buildStrip(stripRow);
    connect(m_canvas, &TopologyCanvas::drawingChanged, this, &TopologyView::refresh);
    connect(m_canvas, &TopologyCanvas::drawingChanged, this, &TopologyView::offerEditing);
    connect(m_canvas, &TopologyCanvas::zoomChanged, this,
            [this](double zoom) { m_zoom->setText(tr("%1 %").arg(std::lround(zoom * 100.0))); });
    connect(m_canvas, &TopologyCanvas::toolChanged, this, &TopologyView::refresh);
    connect(m_canvas, &TopologyCanvas::itemActivated, &app.selection, &Selection::requestFocus);
    connect(&app.selection, &Selection::editingFinished, m_canvas, [this] {
        if (m_canvas->isVisible())
            m_canvas->setFocus();
    });
    connect(m_canvas, &TopologyCanvas::hintChanged, this,
            [this, said = QString()](const QString& hint) mutable {
                QStatusTipEvent tip(hint);
                QCoreApplication::sendEvent(this, &tip);
                if (hint != std::exchange(said, hint) && !hint.isEmpty())
                    Q_EMIT newsArrived(hint);
            });
    connect(m_stale, &MessageBar::actionClicked, this, [this] { m_overlay->setChecked(false); });
    connect(m_legend, &StageLegend::stageClicked, this,
            [this](int stage) { m_app.selection.setStage(stage); });
    refresh();
}

void TopologyView::bindCommands() {
    Commands& commands = m_app.commands;
    commands.attach("canvas", this);
    const auto bind = [&](const char* id, auto run) { commands.bind(id, this, run); };
    bind("canvas.select", [this] { m_canvas->setTool(TopologyCanvas::Tool::Select); });
    bind("canvas.linkThese", [this] { m_canvas->linkChosen(); });
    bind("canvas.rename", [this] { m_canvas->renameChosen(); });
    bind("canvas.link", [this] { m_canvas->setTool(TopologyCanvas::Tool::Link); });
    bind("canvas.node", [this] { m_canvas->askForNodes(); });
    bind("canvas.switch", [this] {
        m_canvas->placeFree({QStringLiteral("switch"), QStringLiteral("Ethernet"), {}});
    });
    bind("canvas.delete", [this] { removeChosen(m_app); });
    bind("canvas.duplicate", [this] { m_canvas->duplicateItems(); });
    bind("canvas.selectAll", [this] { m_canvas->selectAll(); });
    bind("canvas.cut", [this] { cutChosen(m_app); });
    bind("canvas.copy", [this] {
        if (!m_app.selection.items().isEmpty())
            copyChosen(m_app);
    });
    bind("canvas.paste", [this] { m_canvas->pasteItems(); });
    bind("canvas.note", [this] { m_canvas->placeNote(); });
    bind("canvas.selectNodes", [this] { m_canvas->selectNodes(); });
    bind("canvas.selectLinks", [this] { m_canvas->selectLinks(); });
    bind("canvas.selectAlike", [this] { m_canvas->selectAlike(); });
    bind("canvas.selectNone", [this] { m_app.selection.setItems({}); });
    bind("canvas.editData", [this] { m_canvas->openChosen(); });
    const std::pair<const char*, Alignment> lines[] = {
        {"canvas.alignLeft", Alignment::Left},     {"canvas.alignCentre", Alignment::Centre},
        {"canvas.alignRight", Alignment::Right},   {"canvas.alignTop", Alignment::Top},
        {"canvas.alignMiddle", Alignment::Middle}, {"canvas.alignBottom", Alignment::Bottom}};
    for (const auto& [id, line] : lines)
        bind(id, [this, line = line] { alignChosen(m_app, m_canvas->topology(), line); });
    bind("canvas.distributeAcross", [this] { distributeChosen(m_app, m_canvas->topology(), true); });
    bind("canvas.distributeDown", [this] { distributeChosen(m_app, m_canvas->topology(), false); });
    bind("canvas.tidy", [this] { m_canvas->tidy(); });
    bind("canvas.group", [this] { groupChosen(m_app, true); });
    bind("canvas.ungroup", [this] { groupChosen(m_app, false); });
    bind("canvas.lock", [this] { lockChosen(m_app); });
    bind("canvas.leaveOut", [this] { leaveChosenOut(m_app); });
    bind("canvas.domain", [this] { m_canvas->askForDomain(); });
    bind("canvas.leaveDomain", [this] { m_canvas->leaveDomains(); });
    commands.action("canvas.minimap")->setChecked(m_minimap->isWanted());
    bind("canvas.minimap", [this] { m_minimap->setWanted(!m_minimap->isWanted()); });
    bind("canvas.fit", [this] { m_canvas->fit(); });
    bind("canvas.actualSize", [this] { m_canvas->setZoom(1.0); });
    bind("canvas.zoomIn", [this] { m_canvas->zoomBy(1.25); });
    bind("canvas.zoomOut", [this] { m_canvas->zoomBy(0.8); });
    offerEditing();
}

namespace {

// At which all of the drawing is pictured.
double wholeScale(const QRectF& content) {
    constexpr double kMost = 8000.0, kMostArea = 1.6e7; // px; four times the area where it is saved
    const double area = std::max(1.0, content.width() * content.height());
    return std::min(
        {1.0, kMost / std::max({1.0, content.width(), content.height()}), std::sqrt(kMostArea / area)});
}

} // namespace

QSize TopologyView::wholeSize() const {
    const QRectF content = m_canvas->topology().content();
    return (content.size() * wholeScale(content)).toSize();
}

// What is worded and stacked by the scale at which it is seen is so by that of the picture meanwhile.
void TopologyView::paintWhole(QPainter& painter) {
    TopologyScene& scene = m_canvas->topology();
    const QRectF content = scene.content();
    scene.setScale(wholeScale(content));
    painter.fillRect(QRect(QPoint(), wholeSize()), theme().canvas);
    scene.render(&painter, QRectF(QPointF(), wholeSize()), content, Qt::IgnoreAspectRatio);
    scene.setScale(m_canvas->zoom());
}

// What does something to the items that are chosen; else the menu says what it waits for.
void TopologyView::offerEditing() {
    const auto offer = [this](const char* id, bool on, const QString& waits) {
        QAction* action = m_app.commands.action(id);
        action->setEnabled(on);
        action->setStatusTip(on ? QCoreApplication::translate("Commands", findCommand(id)->help) : waits);
        const QString key = action->shortcut().toString(QKeySequence::NativeText);
        action->setToolTip(key.isEmpty() ? action->statusTip()
                                         : QStringLiteral("%1 (%2)").arg(action->statusTip(), key));
    };
    offer("canvas.editData", !m_app.selection.items().isEmpty(),
          tr("Nothing is chosen: click a node, a switch, a link or a note first."));
    offer("canvas.group", canGroup(m_app),
          tr("A group is made of two nodes or switches at least: choose them first."));
    offer("canvas.ungroup", canUngroup(m_app), tr("Nothing that is chosen is in a group."));
    const std::vector<Link>& links = m_app.document.project()->cluster.links;
    offer("canvas.selectAlike",
          std::ranges::any_of(links,
                              [this](const Link& l) { return m_app.selection.items().contains(q(l.id)); }),
          tr("No link is chosen: click one first."));
    offer("canvas.leaveOut", canLeaveOut(m_app),
          tr("Neither a node is chosen nor a switch or a link: click one first."));
    m_app.commands.action("canvas.leaveOut")->setChecked(isChosenLeftOut(m_app));
}

void TopologyView::buildStrip(QHBoxLayout* strip) {
    const auto button = [&](const QString& name, const char* symbol, const QString& label) {
        auto* made = new QToolButton(this);
        made->setObjectName(QStringLiteral("topology.") + name);
        made->setIcon(icon(QLatin1String(symbol)));
        made->setIconSize(QSize(16, 16));
        made->setAccessibleName(label);
        made->setToolTip(label);
        made->setFixedHeight(28);
        made->setMinimumWidth(28);
        made->setAutoRaise(true);
        strip->addWidget(made);
        return made;
    };
    const auto command = [&](const char* id, const char* symbol, const QString& key) {
        QAction* action = m_app.commands.action(id);
        QToolButton* made = button(QLatin1String(id), symbol, action->text().remove(QLatin1Char('&')));
        made->setToolTip(action->toolTip());
        made->setProperty("key", key);
        connect(made, &QToolButton::clicked, action, &QAction::trigger);
        return made;
    };
    m_selectButton = command("canvas.select", "select", QStringLiteral("V"));
    m_linkButton = command("canvas.link", "link", QStringLiteral("L"));
    const std::pair<QToolButton*, TopologyCanvas::Tool> tools[] = {
        {m_selectButton, TopologyCanvas::Tool::Select}, {m_linkButton, TopologyCanvas::Tool::Link}};
    for (const auto& [tool, chosen] : tools) {
        tool->setCheckable(true);
        // Screen readers toggle it and do not click.
        connect(tool, &QToolButton::toggled, this, [this, chosen = chosen](bool on) {
            if (on)
                m_canvas->setTool(chosen);
            refresh(); // a lit one stays lit
        });
    }
    command("canvas.node", "node", QStringLiteral("N"));
    // Their keys put down at once, where the pointer is; a button is pressed somewhere else.
    const auto placing = [&](const char* id, const char* symbol, const QString& key,
                             const DragPayload& payload) {
        QAction* action = m_app.commands.action(id);
        QToolButton* made = button(QLatin1String(id), symbol, action->text().remove(QLatin1Char('&')));
        made->setToolTip(
            tr("%1 Click where it goes; %2 puts it down at the pointer.").arg(action->statusTip(), key));
        made->setProperty("key", key);
        made->setCheckable(true);
        connect(made, &QToolButton::toggled, this, [this, payload](bool on) {
            if (on)
                m_canvas->arm(payload);
            else
                m_canvas->setTool(TopologyCanvas::Tool::Select);
            m_canvas->setFocus();
        });
        return made;
    };
    m_switchButton = placing("canvas.switch", "switch", QStringLiteral("S"),
                             {QStringLiteral("switch"), QStringLiteral("Ethernet"), {}});
    m_noteButton = placing("canvas.note", "note", QStringLiteral("T"), {QStringLiteral("note"), {}, {}});
    auto* arrange = button(QStringLiteral("arrange"), "alignLeft", tr("Align, distribute, group and lock"));
    auto* choices = new QMenu(arrange);
    for (const CommandRow& row : commandTable())
        if (std::strcmp(row.menu, "Cluster/Arrange") == 0) {
            if (row.separatorBefore)
                choices->addSeparator();
            choices->addAction(m_app.commands.action(row.id));
        }
    arrange->setMenu(choices);
    arrange->setPopupMode(QToolButton::InstantPopup);
    strip->addSpacing(4);
    strip->addWidget(separator(this));
    strip->addSpacing(4);
    QToolButton* snap = button(QStringLiteral("snap"), "magnet", tr("Snap to the grid (Alt ignores it)"));
    QToolButton* grid = button(QStringLiteral("grid"), "grid", tr("Show the grid"));
    m_overlay = button(QStringLiteral("overlay"), "stages", tr("Show the stages of the current plan"));
    for (QToolButton* toggle : {snap, grid, m_overlay}) {
        toggle->setCheckable(true);
        toggle->setChecked(true);
    }
    connect(snap, &QToolButton::toggled, m_canvas, &TopologyCanvas::setSnaps);
    connect(grid, &QToolButton::toggled, m_canvas, &TopologyCanvas::setGridShown);
    connect(m_overlay, &QToolButton::toggled, m_canvas, &TopologyCanvas::setOverlayShown);
    strip->addStretch(1);
    command("canvas.fit", "fit", {});
    command("canvas.zoomOut", "minus", {});
    command("canvas.zoomIn", "plus", {});
    m_zoom->setObjectName(QStringLiteral("topology.zoom"));
    m_zoom->setAccessibleName(tr("Scale"));
    m_zoom->setMinimumWidth(44);
    m_zoom->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    strip->addWidget(m_zoom);
}

void TopologyView::refresh() {
    const Project& project = *m_app.document.project();
    const bool empty = project.cluster.nodes.empty() && project.cluster.switches.empty();
    setSubtitle(empty ? QString() : clusterSummary(project.cluster));
    m_empty->setVisible(empty && !m_canvas->armed()); // it would take the click
    if (empty)
        layEmptyState();
    const Drawing& drawing = m_canvas->drawing();
    m_legend->setEntries(drawing.legend, drawing.stale);
    const Candidate* candidate = m_app.candidates.find(m_app.selection.plan());
    const auto problem = m_app.document.problem();
    if (drawing.stale && candidate && !isEarlier(*candidate, problem))
        m_stale->setMessage(MessageBar::Tone::Info, tr("Not of this project."),
                            apartText(*candidate, problem), tr("Hide stages"));
    else if (drawing.stale && candidate)
        m_stale->setMessage(
            MessageBar::Tone::Stale, tr("Stale."),
            tr("The stages shown are of %1, made before the last edits.").arg(planTitle(*candidate)),
            tr("Hide stages"));
    else
        m_stale->clear();
    m_selectButton->setChecked(m_canvas->tool() == TopologyCanvas::Tool::Select);
    m_linkButton->setChecked(m_canvas->tool() == TopologyCanvas::Tool::Link);
    const DragPayload* armed = m_canvas->armed();
    for (const auto& [button, what] :
         {std::pair(m_switchButton, "switch"), std::pair(m_noteButton, "note")}) {
        const QSignalBlocker shownOnly(button);
        button->setChecked(armed && armed->what == QLatin1String(what));
    }
}

void TopologyView::layEmptyState() {
    m_empty->setGeometry(
        m_canvas->viewport()->rect()); // inside it: what is dropped on the text reaches the canvas
}

// A bar above or a legend below the canvas that goes gives it another size.
bool TopologyView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize)
        layEmptyState();
    return View::eventFilter(watched, event);
}

void TopologyView::resizeEvent(QResizeEvent* event) {
    View::resizeEvent(event);
    const bool wide = width() >= kWideStrip;
    for (QToolButton* each : findChildren<QToolButton*>()) {
        const QString key = each->property("key").toString();
        each->setText(wide ? key : QString());
        each->setToolButtonStyle(wide && !key.isEmpty() ? Qt::ToolButtonTextBesideIcon
                                                        : Qt::ToolButtonIconOnly);
    }
    // Where it is narrow buttons go, so that none and not the scale is cut: the wheel and the keys zoom, and
    // what arranges and notes has its menu and its key.
    const std::vector<const char*> giveWay[] = {
        {"topology.canvas.zoomOut", "topology.canvas.zoomIn", "topology.grid"},
        {"topology.snap"},
        {"topology.arrange"},
        {"topology.canvas.note"}};
    const QLayout* strip = m_zoom->parentWidget()->layout();
    const auto show = [this](const std::vector<const char*>& ids, bool on) {
        for (const char* id : ids)
            findChild<QToolButton*>(QLatin1String(id))->setVisible(on);
    };
    for (const std::vector<const char*>& ids : giveWay)
        show(ids, true);
    for (const std::vector<const char*>& ids : giveWay)
        if (strip->minimumSize().width() > width())
            show(ids, false);
}

} // namespace pw
