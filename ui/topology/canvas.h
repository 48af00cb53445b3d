// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/topology/node_dialog.h"
#include "ui/topology/scene.h"
#include "ui/topology/tools.h"
#include "ui/widgets/accessible_parts.h"

#include <QGraphicsView>
#include <QTimer>

#include <memory>
#include <optional>

namespace pw {

struct AppContext;
struct DragPayload;

// The sheet on which the cluster is drawn: zoom, grid, drops from the palette and keys; mouse gestures are
// the tools'. It rebuilds its items from the project whenever that changes; what is seen of them, and how
// large, stays as it is unless a drawing is opened, tidied or fitted (canvas_camera.cpp).
class TopologyCanvas : public QGraphicsView, public PartsWidget {
    Q_OBJECT

public:
    enum class Tool { Select, Link, Pan, Place };

    explicit TopologyCanvas(const AppContext& app, QWidget* parent = nullptr);
    ~TopologyCanvas() override;

    const AppContext& context() const { return m_app; }
    TopologyScene& topology() { return m_scene; }
    const TopologyScene& topology() const { return m_scene; }
    const Drawing& drawing() const { return m_drawing; }

    Tool tool() const { return m_tool; }
    void setTool(Tool tool);
    const CanvasTool& currentTool() const { return *m_tools[static_cast<std::size_t>(m_tool)]; }
    // Takes the place tool: it goes where the next click is. What asks how many is asked for at once, and
    // goes into the middle of the view.
    void arm(const DragPayload& payload);
    const DragPayload* armed() const; // null without the place tool
    void announceHint();
    void hintForNow(const QString& hint); // until that of the tool is shown again

    double zoom() const { return transform().m11(); }
    void setZoom(double zoom); // about the middle of the view, 0.01 to 4
    void zoomBy(double factor);
    void fit();                          // shows all of the drawing
    bool fits() const { return m_fits; } // and would do so again at another size of the view
    void leaveFit() { m_fits = false; }  // the user has chosen another part
    void scrollBy(QPoint by);            // px: the view moves over the sheet
    bool snaps() const { return m_snaps; }
    void setSnaps(bool on) { m_snaps = on; }
    void setGridShown(bool on);
    void setOverlayShown(bool on);

    // Where something that is placed without a mouse goes: under the pointer if it is over the view, else in
    // the middle.
    QPointF spotFor(QSizeF size) const;
    void askForNodes(QPointF at, NodeDialog::Answer start);
    void askForNodes(); // the same with the last answer, at spotFor()
    void place(const DragPayload& payload, QPointF at, bool askHowMany); // `at`: middle of what is placed
    QRectF ghostOf(const DragPayload& payload, QPointF at) const;        // the room that it would take there
    void placeFree(const DragPayload& payload);                          // at spotFor(): on free ground
    void askForDomain();                                                 // of NVLink, for the chosen nodes
    void leaveDomains();
    void selectAll();
    void selectNodes();
    void selectLinks();
    void selectAlike();                                  // links like those that are chosen
    QSet<QString> togetherWith(const QString& id) const; // what a click on the item chooses: its group
    // Visible nodes, switches, links and notes, and the GPUs of a chosen node.
    std::vector<AccessiblePart> accessibleParts() const override;
    void activatePart(const QString& key) override;
    void tidy();       // and shows all of it
    void pasteItems(); // under the pointer; and shows what was added
    void duplicateItems();
    void placeNote();                   // at spotFor()
    void editNote(const QString& id);   // an editor over the note; leaving it writes
    void renameChosen();                // a single item
    void editName(const QString& id);   // an editor over the name of a node or switch
    void linkChosen();                  // to what is clicked next, all of them
    QRectF visibleScene() const;        // what the viewport shows
    QString tipAt(QPoint view) const;   // what a pointer that rests there is told; empty: of no link
    void chooseItem(const QString& id); // selects it and scrolls it into view
    void findItem(const QString& id);   // and as large as its texts need, if it is smaller
    void openChosen();                  // to its properties; a note to be written on

Q_SIGNALS:
    void toolChanged();
    void zoomChanged(double zoom);
    void hintChanged(const QString& hint);
    void pointerMoved(QPointF scene);
    void drawingChanged();
    void visibleChanged();                 // another part of the drawing is seen
    void itemActivated(const QString& id); // double click or Enter

protected:
    void drawBackground(QPainter* painter, const QRectF& rect) override;
    void drawForeground(QPainter* painter, const QRectF& rect) override;
    bool viewportEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void moveEvent(QMoveEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void showEvent(QShowEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    bool focusNextPrevChild(bool next) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    // The keys of an editor over the drawing that ends; not where they are another widget's already.
    void takeKeysFrom(const QWidget* editor);
    CanvasPointer pointerOf(const QMouseEvent& event) const;
    CanvasTool& active() const;
    QStringList tabStops() const;
    void updateFocusFrame(QPoint by = {}); // and where it stood before the view moved by so much
    void rebuild();
    const PlanLinks* planLinks() const;       // of the plan over the drawing; null: none, not known, stale
    QString wordsOf(const QString& id) const; // what an item is, and what the plan makes of it
    void showCursor();
    NodeDialog::Answer lastAnswer() const; // of the kind that is drawn next
    void applyZoom(double zoom);
    void nudge(Qt::Key key, bool fine);
    QSizeF sizeOf(const DragPayload& payload) const;
    QPointF cornerFor(QSizeF size, QPointF middle) const;
    // What was added, whole; by the pointer, only if nothing of it is seen.
    void showChosen(bool byPointer);
    void showWhole(const QRectF& area, double margin, double most); // no larger than at `most`
    void doWithout(const QString& node);

    const AppContext& m_app;
    TopologyScene m_scene;
    Drawing m_drawing;
    std::unique_ptr<CanvasTool> m_tools[4];
    Tool m_tool = Tool::Select;
    bool m_panning = false; // Space or the middle button holds the pan tool
    bool m_opens = false;   // the next drawing is another project's
    QTimer m_hinting;       // until the tool's own hint is shown again
    bool m_fits = true, m_snaps = true, m_grid = true, m_overlay = true;
    int m_lowered = 0;               // px, by a bar above it, until its new size is told
    QSize m_room;                    // of the view that the sheet is a part of
    std::optional<QPoint> m_pointer; // over the view, px; where a menu was asked for while it is open
    QRectF m_dropGhost;
    NodeDialog::Answer m_lastAnswer;
};

} // namespace pw
