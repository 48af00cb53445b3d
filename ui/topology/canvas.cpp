// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/canvas.h"

#include "core/cluster/switch_sides.h"
#include "core/edit/edit.h"
#include "core/evaluate/deciding_stages.h"
#include "ui/base/convert.h"
#include "ui/base/focus_frame.h"
#include "ui/base/theme.h"
#include "ui/commands/app_context.h"
#include "ui/session/candidates.h"
#include "ui/session/document.h"
#include "ui/session/link_traffic.h"
#include "ui/session/selection.h"
#include "ui/topology/canvas_edits.h"
#include "ui/topology/drag_payload.h"
#include "ui/topology/geometry.h"
#include "ui/topology/items.h"
#include "ui/topology/place_tool.h"
#include "ui/topology/stacks.h"
#include "ui/topology/user_catalogue.h"

#include <QGuiApplication>
#include <QPainter>
#include <QPixmapCache>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace pw {

namespace {

constexpr int kNodePictures = 64 * 1024; // KiB: what a 4K view of nodes takes
constexpr double kPaper = 1.2e7;         // scene units from the middle: beyond where an item may stand

// Null for what is no template.
const ClusterTemplate* templateOf(const DragPayload& payload) {
    if (payload.what != QLatin1String("template"))
        return nullptr;
    const auto& all = clusterTemplates();
    const auto row = std::ranges::find_if(
        all, [&](const ClusterTemplate& each) { return payload.name == QLatin1String(each.key); });
    return row == all.end() ? nullptr : &*row;
}

} // namespace

TopologyCanvas::TopologyCanvas(const AppContext& app, QWidget* parent) : QGraphicsView(parent), m_app(app) {
    m_tools[static_cast<std::size_t>(Tool::Select)] = std::make_unique<SelectTool>(*this);
    m_tools[static_cast<std::size_t>(Tool::Link)] = std::make_unique<LinkTool>(*this);
    m_tools[static_cast<std::size_t>(Tool::Pan)] = std::make_unique<PanTool>(*this);
    m_tools[static_cast<std::size_t>(Tool::Place)] = std::make_unique<PlaceTool>(*this);

    setObjectName(QStringLiteral("topology.canvas"));
    setAccessibleName(tr("Topology canvas"));
    setScene(&m_scene);
    setFrameShape(QFrame::NoFrame);
    setAcceptDrops(true);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAlignment(Qt::AlignCenter);
    setTransformationAnchor(QGraphicsView::NoAnchor);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setViewportUpdateMode(QGraphicsView::SmartViewportUpdate);
    setSceneRect(-kPaper, -kPaper, 2.0 * kPaper, 2.0 * kPaper); // what is drawn moves it nowhere
    setOptimizationFlag(QGraphicsView::DontSavePainterState);
    m_hinting.setSingleShot(true);
    connect(&m_hinting, &QTimer::timeout, this, [this] {
        if (isVisible())
            announceHint();
    });

    connect(&app.document, &Document::changed, this, [this] {
        leaveGone(m_app);
        rebuild();
        if (std::exchange(m_opens, false))
            fit();
    });
    connect(&app.document, &Document::replaced, this, [this] {
        setTool(Tool::Select);
        m_opens = true;
    });
    connect(&app.candidates, &Candidates::changed, this, &TopologyCanvas::rebuild);
    connect(&app.selection, &Selection::planChanged, this, &TopologyCanvas::rebuild);
    connect(&app.links, &LinkTraffic::changed, this, &TopologyCanvas::rebuild);
    connect(&app.selection, &Selection::itemsChanged, this, &TopologyCanvas::rebuild);
    connect(&app.selection, &Selection::deviceChanged, this, &TopologyCanvas::rebuild);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, [this] {
        for (QGraphicsItem* item : m_scene.items())
            item->update(); // their pictures are of the other theme
        viewport()->update();
    });
    QPixmapCache::setCacheLimit(std::max(QPixmapCache::cacheLimit(), kNodePictures));
    rebuild();
    fit();
}

TopologyCanvas::~TopologyCanvas() {
    blockSignals(true); // the scene goes before the view does, and scrolls it on its way
}

const PlanLinks* TopologyCanvas::planLinks() const {
    const PlanLinks* links = m_overlay ? m_app.links.inView().get() : nullptr;
    const Candidate* candidate = links ? m_app.candidates.find(links->plan) : nullptr;
    const bool current =
        candidate && !links->error && !Candidates::isStale(*candidate, m_app.document.problem());
    return current ? links : nullptr;
}

namespace {

// "stages 0 and 1 of the plan"; empty where no plan is laid over the drawing.
QString stagesText(const NodeLook& node) {
    if (!node.planned || node.stale)
        return {};
    std::set<int> stages;
    for (const TileLook& tile : node.tiles)
        if (tile.stage >= 0)
            stages.insert(tile.stage);
    return stages.empty()       ? TopologyCanvas::tr("in no stage of the plan")
           : stages.size() == 1 ? TopologyCanvas::tr("stage %1 of the plan").arg(*stages.begin())
                                : TopologyCanvas::tr("stages %1 of the plan")
                                      .arg(q(stageNumbers({stages.begin(), stages.end()})));
}

std::vector<const Link*> linksAt(const Cluster& cluster, const std::string& id) {
    std::vector<const Link*> links;
    for (const Link& link : cluster.links)
        if (link.a == id || link.b == id)
            links.push_back(&link);
    return links;
}

} // namespace

QString TopologyCanvas::wordsOf(const QString& id) const {
    const Cluster& cluster = m_app.document.project()->cluster;
    QStringList words{describeItem(cluster, id)};
    const PlanLinks* links = planLinks();
    bool out = false;
    Mark mark;
    if (const NodeItem* item = m_scene.nodeItem(id)) {
        out = item->look().leftOut;
        mark = item->look().mark;
        if (const QString stages = stagesText(item->look()); !out && !stages.isEmpty())
            words << stages;
    } else if (const LinkItem* line = m_scene.linkItem(id)) {
        out = line->look().leftOut;
        mark = line->look().mark;
        if (const Link* link = cluster.link(s(id)); link && links && !out)
            words << links->text(*link);
    } else if (const auto drawn = std::ranges::find(m_drawing.switches, id, &SwitchLook::id);
               drawn != m_drawing.switches.end()) {
        out = drawn->leftOut;
        mark = drawn->mark;
        words << cablesText({sidesOf(cluster, s(id))});
        if (const QString busiest = links && !out ? links->busiest(linksAt(cluster, s(id)), 1) : QString();
            !busiest.isEmpty())
            words << tr("its busiest link %1").arg(busiest);
    }
    if (out)
        words << tr("left out of plans");
    if (mark.severity)
        words << (*mark.severity == Severity::Error ? tr("error: %1") : tr("warning: %1")).arg(mark.text);
    words.removeAll(QString());
    return words.join(QStringLiteral(", ")).replace(QLatin1Char('\n'), QStringLiteral("; "));
}

void TopologyCanvas::rebuild() {
    const Project& project = *m_app.document.project();
    const Candidate* candidate = m_overlay ? m_app.candidates.find(m_app.selection.plan()) : nullptr;
    const bool stale = candidate && Candidates::isStale(*candidate, m_app.document.problem());
    m_drawing =
        drawingOf(project, m_app.document.diagnostics(), candidate, stale, m_app.selection.items(),
                  m_app.selection.device(), stale ? m_app.candidates.drawnNames(*candidate) : NodeNames(),
                  candidate ? planLinks() : nullptr);
    const bool moved = m_scene.show(project.cluster, m_drawing);
    constexpr qsizetype kMostSaid = 3;
    QStringList said = m_app.selection.items().values();
    said.sort();
    const qsizetype more = said.size() - kMostSaid;
    said = said.mid(0, kMostSaid);
    for (QString& item : said)
        item = wordsOf(item);
    if (more > 0)
        said << tr("and %1 more").arg(more);
    setAccessibleDescription(said.isEmpty() ? clusterSummary(project.cluster)
                                            : said.join(QStringLiteral("; ")));
    if (moved && isVisible()) // from here on the drawing stays where it is seen
        m_fits = false;
    viewport()->update();
    Q_EMIT drawingChanged();
}

CanvasTool& TopologyCanvas::active() const {
    return *m_tools[static_cast<std::size_t>(m_panning ? Tool::Pan : m_tool)];
}

void TopologyCanvas::setTool(Tool tool) {
    if (tool == m_tool)
        return;
    active().cancel();
    m_tool = tool;
    m_scene.setHovered({});
    viewport()->update(); // what the other tool drew over it
    showCursor();
    announceHint();
    Q_EMIT toolChanged();
}

void TopologyCanvas::arm(const DragPayload& payload) {
    const ClusterTemplate* chosen = templateOf(payload);
    if (chosen && !chosen->make) {
        setTool(Tool::Select);
        placeFree(payload);
        return;
    }
    static_cast<PlaceTool&>(*m_tools[static_cast<std::size_t>(Tool::Place)]).setPayload(payload);
    if (m_tool != Tool::Place)
        return setTool(Tool::Place);
    viewport()->update();
    announceHint();
    Q_EMIT toolChanged();
}

const DragPayload* TopologyCanvas::armed() const {
    return m_tool == Tool::Place ? &static_cast<const PlaceTool&>(currentTool()).payload() : nullptr;
}

void TopologyCanvas::showCursor() {
    viewport()->setCursor(active().cursor());
}

void TopologyCanvas::announceHint() {
    Q_EMIT hintChanged(active().hint());
}

void TopologyCanvas::hintForNow(const QString& hint) {
    constexpr int kReadMs = 6000;
    Q_EMIT hintChanged(hint);
    m_hinting.start(kReadMs);
}

void TopologyCanvas::setGridShown(bool on) {
    m_grid = on;
    viewport()->update();
}

void TopologyCanvas::setOverlayShown(bool on) {
    m_overlay = on;
    rebuild();
}

QPointF TopologyCanvas::spotFor(QSizeF size) const {
    const QPointF middle = mapToScene(m_pointer.value_or(viewport()->rect().center()));
    return m_scene.freeSpot(middle - QPointF(size.width() / 2.0, size.height() / 2.0), size);
}

// Of all that is dragged; of what is asked for first, a node.
QSizeF TopologyCanvas::sizeOf(const DragPayload& payload) const {
    if (payload.what == QLatin1String("note"))
        return {Note().width, Note().height};
    if (payload.what == QLatin1String("switch"))
        return kSwitchSize;
    if (payload.what == QLatin1String("kind"))
        return nodeSize(m_lastAnswer.gpusPerNode);
    const ClusterTemplate* chosen = templateOf(payload);
    if (!chosen || !chosen->make)
        return nodeSize(8);
    if (payload.kind.isEmpty())
        return templateSize(*chosen, lastAnswer().kind);
    return templateSize(*chosen, s(payload.kind));
}

QPointF TopologyCanvas::cornerFor(QSizeF size, QPointF middle) const {
    const QPointF corner = middle - QPointF(size.width() / 2.0, size.height() / 2.0);
    return m_snaps ? QPointF(snapped(corner.x()), snapped(corner.y())) : corner;
}

QRectF TopologyCanvas::ghostOf(const DragPayload& payload, QPointF at) const {
    const QSizeF size = sizeOf(payload);
    return {cornerFor(size, at), size};
}

void TopologyCanvas::askForNodes() {
    askForNodes(spotFor(nodeSize(m_lastAnswer.gpusPerNode)), lastAnswer());
}

NodeDialog::Answer TopologyCanvas::lastAnswer() const {
    NodeDialog::Answer answer = m_lastAnswer;
    answer.kind = kindToDraw(m_app.document.project()->cluster, s(m_app.selection.kind()));
    return answer;
}

void TopologyCanvas::askForNodes(QPointF at, NodeDialog::Answer start) {
    if (auto* open = findChild<NodeDialog*>(); open && open->isVisible())
        return open->raise(); // a double click asks twice
    if (const QSet<QString>& chosen = m_app.selection.items(); chosen.size() == 1)
        start.linkedTo = s(*chosen.begin()); // where it is a switch
    auto* dialog = new NodeDialog(m_app.document.project()->cluster, start, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, at] {
        m_lastAnswer = dialog->answer();
        m_app.selection.setKind(q(m_lastAnswer.kind));
        if (const int racks = std::exchange(m_lastAnswer.racks, 0); racks > 0)
            placeRacks(m_app, m_lastAnswer.kind, m_lastAnswer.gpusPerNode, m_lastAnswer.count, racks, at);
        else
            placeNodes(m_app, m_lastAnswer.kind, m_lastAnswer.gpusPerNode, m_lastAnswer.count, at,
                       std::exchange(m_lastAnswer.linkedTo, {}));
        showChosen(false);
        setFocus();
    });
    dialog->open();
}

void TopologyCanvas::place(const DragPayload& payload, QPointF at, bool askHowMany) {
    const QSet<QString> before = m_app.selection.items();
    const QPointF corner = cornerFor(sizeOf(payload), at);
    if (payload.what == QLatin1String("note")) {
        pw::placeNote(m_app, corner);
    } else if (payload.what == QLatin1String("switch")) {
        placeSwitch(m_app, s(payload.name), corner);
    } else if (payload.what == QLatin1String("kind")) {
        m_app.selection.setKind(payload.name);
        if (askHowMany)
            askForNodes(corner, lastAnswer());
        else
            placeNodes(m_app, s(payload.name), m_lastAnswer.gpusPerNode, 1, corner);
    } else if (const ClusterTemplate* row = templateOf(payload)) {
        if (!payload.kind.isEmpty())
            m_app.selection.setKind(payload.kind);
        const std::string kind = lastAnswer().kind;
        if (!row->make || (askHowMany && row->gpus <= 8))
            askForNodes(corner, {kind, row->gpus ? row->gpus : m_lastAnswer.gpusPerNode, 2});
        else if (askHowMany && row->racks > 0)
            askForNodes(corner, {kind, 8, row->gpus / 8 / row->racks, row->racks});
        else
            placeTemplate(m_app, *row, kind, corner);
    }
    // A single one lies under the pointer, and nothing moves; of a whole cluster all is shown.
    if (m_app.selection.items() != before)
        showChosen(m_app.selection.items().size() == 1);
    if (payload.what == QLatin1String("note") && m_app.selection.items() != before) {
        setTool(Tool::Select);
        editNote(*m_app.selection.items().begin()); // whoever places one has something to write
    }
}

void TopologyCanvas::placeFree(const DragPayload& payload) {
    const QSizeF size = sizeOf(payload);
    const QSet<QString> before = m_app.selection.items();
    place(payload, spotFor(size) + QPointF(size.width() / 2.0, size.height() / 2.0),
          QGuiApplication::keyboardModifiers() & Qt::ShiftModifier);
    if (m_app.selection.items() != before)
        showChosen(m_pointer.has_value());
}

void TopologyCanvas::selectAll() {
    QSet<QString> all;
    for (const NodeLook& look : m_drawing.nodes)
        all.insert(look.id);
    for (const SwitchLook& look : m_drawing.switches)
        all.insert(look.id);
    for (const LinkLook& look : m_drawing.links)
        all.insert(look.id);
    for (const NoteLook& look : m_drawing.notes)
        all.insert(look.id);
    m_app.selection.setItems(all);
}

void TopologyCanvas::selectNodes() {
    QSet<QString> nodes;
    for (const NodeLook& look : m_drawing.nodes)
        nodes.insert(look.id);
    m_app.selection.setItems(nodes);
}

void TopologyCanvas::selectLinks() {
    QSet<QString> links;
    for (const LinkLook& look : m_drawing.links)
        links.insert(look.id);
    m_app.selection.setItems(links);
}

void TopologyCanvas::selectAlike() {
    const Cluster& cluster = m_app.document.project()->cluster;
    const auto sortOf = [&](const Link& link) {
        return std::tuple((cluster.node(link.a) != nullptr) + (cluster.node(link.b) != nullptr),
                          link.bandwidth.value, link.lanes);
    };
    std::set<std::tuple<int, double, int>> sorts;
    for (const Link& link : cluster.links)
        if (m_app.selection.items().contains(q(link.id)))
            sorts.insert(sortOf(link));
    QSet<QString> links;
    for (const Link& link : cluster.links)
        if (sorts.contains(sortOf(link)))
            links.insert(q(link.id));
    m_app.selection.setItems(links);
}

QSet<QString> TopologyCanvas::togetherWith(const QString& id) const {
    return withGroups(m_app, m_scene.membersOf(id));
}

void TopologyCanvas::tidy() {
    if (tidyDrawing(m_app, m_scene))
        fit();
}

void TopologyCanvas::pasteItems() {
    const bool byPointer = m_pointer.has_value();
    if (paste(m_app, byPointer ? std::optional(mapToScene(*m_pointer)) : std::nullopt))
        showChosen(byPointer);
}

void TopologyCanvas::duplicateItems() {
    if (duplicateChosen(m_app))
        showChosen(m_pointer.has_value());
}

void TopologyCanvas::linkChosen() {
    active().cancel();
    setTool(Tool::Link);
    active().take();
}

void TopologyCanvas::drawBackground(QPainter* painter, const QRectF& rect) {
    painter->fillRect(rect, theme().canvas);
    const double step = zoom() < 0.4 ? 0.0 : kGrid * (zoom() < 0.8 ? 2.0 : 1.0);
    if (!m_grid || step == 0.0)
        return;
    std::vector<QPointF> dots;
    for (double x = std::floor(rect.left() / step) * step; x <= rect.right(); x += step)
        for (double y = std::floor(rect.top() / step) * step; y <= rect.bottom(); y += step)
            dots.emplace_back(x, y);
    painter->setPen(QPen(theme().line, 0));
    painter->drawPoints(dots.data(), static_cast<int>(dots.size()));
}

void TopologyCanvas::drawForeground(QPainter* painter, const QRectF& rect) {
    QGraphicsView::drawForeground(painter, rect);
    active().paint(*painter);
    if (!m_dropGhost.isNull()) {
        painter->setPen(QPen(theme().accent, 0, Qt::DashLine));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(m_dropGhost);
    }
    if (!hasFocus())
        return;
    painter->resetTransform();
    paintFocusFrame(*painter, viewport()->rect());
}

// Boxes, then the links that are seen; the link tool joins boxes alone.
QStringList TopologyCanvas::tabStops() const {
    QStringList stops = m_scene.boxes();
    if (m_tool == Tool::Link)
        return stops;
    for (const LinkLook& link : m_drawing.links)
        if (const LinkItem* item = m_scene.linkItem(link.id);
            item && item->isVisible() && !item->way().isEmpty())
            stops << link.id;
    return stops;
}

bool TopologyCanvas::focusNextPrevChild(bool next) {
    const QStringList order = tabStops();
    const QSet<QString>& items = m_app.selection.items();
    qsizetype at = items.size() == 1 ? order.indexOf(*items.begin()) : -1;
    if (at < 0 && !next)
        at = order.size();
    at += next ? 1 : -1;
    if (m_tool == Tool::Link && !order.isEmpty()) // the other end may stand before this one; Esc leads out
        at = (at + order.size()) % order.size();
    if (at < 0 || at >= order.size())
        return QGraphicsView::focusNextPrevChild(next); // past the last item the focus leaves: no trap
    chooseItem(order[at]);
    active().look(order[at]);
    return true;
}

void TopologyCanvas::focusInEvent(QFocusEvent* event) {
    QGraphicsView::focusInEvent(event);
    updateFocusFrame();
}

void TopologyCanvas::focusOutEvent(QFocusEvent* event) {
    QGraphicsView::focusOutEvent(event);
    updateFocusFrame();
}

void TopologyCanvas::updateFocusFrame(QPoint by) {
    const QRect whole = viewport()->rect();
    const QRegion frame =
        QRegion(whole) - whole.adjusted(kFocusFrame, kFocusFrame, -kFocusFrame, -kFocusFrame);
    viewport()->update(frame | (frame.translated(by) & whole));
}

} // namespace pw
