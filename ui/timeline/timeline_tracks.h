// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/plan_runs.h"
#include "ui/session/selection.h"
#include "ui/session/shown_plan.h"
#include "ui/session/time_range.h"
#include "ui/timeline/bar_text.h"
#include "ui/timeline/gantt_painter.h"
#include "ui/timeline/timeline_rows.h"
#include "ui/widgets/accessible_parts.h"

#include <QPixmap>
#include <QTimer>
#include <QWidget>

namespace pw {

inline constexpr double kTimeZoomStep = 1.2; // of 15 units of wheel angle

// The rows of bars with everything that one does to them. Two layers: the static one (grid, hatch, bars,
// numbers) is a pixmap that is made anew only when range, size, theme or plan change; hover, selection,
// dragged area and cursor are painted over it, so that a mouse move costs a copy and a few rectangles. One
// stop of Tab, however many bars there are: arrows go from bar to bar and from row to row.
class TimelineTracks : public QWidget, public PartsWidget {
    Q_OBJECT

public:
    TimelineTracks(Selection& selection, TimeRange& range, QWidget* parent = nullptr);

    void setPlan(std::shared_ptr<const ShownPlan> plan);
    const GanttViewport& viewport() const { return m_view; }

    // What ran, under what is predicted for it; null: nothing did. The rows are the plan's either way, and a
    // chosen operation is outlined in both.
    enum class Lanes { Both, Predicted, Ran };
    void setRun(PlanRunPointer run);
    const PlanRunPointer& run() const { return m_run; }
    void setLanes(Lanes lanes); // wanted: without a run there is the prediction alone
    Lanes lanes() const { return m_run ? m_lanes : Lanes::Predicted; }
    GanttViewport ranViewport() const; // of the bars that ran
    BarRef ranAt(const QPoint& at) const;
    QRect ranRect(BarRef ref) const;
    TimelineRows& rows() { return m_rows; }
    int rowCount() const;
    int contentHeight() const; // px of all rows
    int scroll() const { return m_view.scroll; }
    void setScroll(int scroll);
    // The user's, px of all bands; 0 fits them to the view. Below 38 a row is one band, with nothing for what
    // it sends.
    void setRowHeight(int height);
    int rowHeight() const { return m_view.rowHeight; }
    static constexpr int kLeastRow = 16, kMostRow = 120;

    BarRef barAt(const QPoint& at) const; // the bar under or within 3 px of a point
    QRect barRect(BarRef ref) const;      // null where predicted bars are not shown
    QString areaReadout() const;          // what the floating box says, empty without an area

    // The visible bars; where they are too many, the selected micro-batch's.
    std::vector<AccessiblePart> accessibleParts() const override;
    void activatePart(const QString& key) override;

    // What a drag with the left button does: an area of rows, the view moved, the view narrowed to what was
    // dragged, or a time read off over all rows.
    enum class Tool { Select, Pan, Zoom, Timing };
    Tool tool() const { return m_tool; }
    void setTool(Tool tool);

    // Commands; keys and menu entries do the same.
    void zoom(double steps); // by 1.2 each, at the mouse if it is here, else in the middle; positive narrows
    void pan(double widths); // by shares of what is visible
    void step(int by);       // along the row of the selected bar
    void stepRow(int by);
    void follow(bool forward); // to the bar that the selected one waits for, or that waits for it
    void centre();             // the selected bar, a second time it fills the view; without one the area
    void selectRange();        // the selected bar's span becomes the area
    void clear();              // area first, then bar
    Selection::Bar chosen() const { return m_selection.bar(); }
    int chosenTrack() const;        // of the chosen bar, else the chosen stage; -1: neither
    void show(BarRef ref);          // selects the bar and brings it into view
    std::int64_t markPlace() const; // where a new mark goes: mouse, else selected bar, else the middle

Q_SIGNALS:
    void scrolled();
    void rowsChanged(); // row height, count or order
    void toolChanged();
    void menuRequested(const QPoint& at); // global

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    std::vector<BarRef> firstOfEachRow() const; // of the visible bars that compute
    enum class Drag { None, Pressed, Area, Pan, Zoom, Timing };

    const Timeline* timeline() const { return m_plan ? m_plan->timeline.get() : nullptr; }
    int trackCount() const;
    void fitRows();
    void divideRows();
    BarRef ranOf(BarRef predicted) const; // the same operation as it ran; empty likewise
    BarRef predictedOf(BarRef ran) const;
    QRect shownRect(BarRef ref) const; // of a predicted bar, or where that is not shown of its operation
    QString describedBar(BarRef ref) const;
    QString foldedText(const Timeline& timeline, const GanttViewport& view, BarRef ref,
                       const QPoint& at) const;
    void rangeChanged();
    void selectionChanged();
    void select(BarRef ref);
    void selectGapOrRow(const QPoint& at);
    void bringIntoView(BarRef ref);
    void scrollTo(int track); // as far as its row is seen
    void setHover(BarRef ref, BarRef ran);
    void dragArea(const QMouseEvent& event);
    Drag dragOf(Qt::KeyboardModifiers modifiers) const;
    void showToolCursor();
    std::vector<BarRef> ofSameMicrobatch(BarRef ref) const;
    int trackBeside(int track, int by) const; // that stands so many rows below
    bool hasAreaRows() const;
    AreaText readout() const;
    QRect areaBand(int track) const; // the bands that are shown
    void paintMarks(QPainter& painter);
    bool handleKey(int key, Qt::KeyboardModifiers modifiers);
    QString toolTipAt(const QPoint& at) const;
    void describe();

    void paintBars(QPainter& painter, const GanttViewport& view) const;
    void paintLinked(QPainter& painter);
    void paintArrows(QPainter& painter);
    void paintArrow(QPainter& painter, BarRef from, BarRef to);
    void paintArea(QPainter& painter);
    void paintReadout(QPainter& painter);
    void outline(QPainter& painter, const QRect& rect, int width) const;

    Selection& m_selection;
    TimeRange& m_range;
    std::shared_ptr<const ShownPlan> m_plan;
    TimelineRows m_rows;
    GanttViewport m_view;
    int m_rowHeight = 0; // the user's, of a band; 0: what fits
    QPixmap m_layer;     // null = make anew
    QTimer m_rest{this}; // when it fires nobody has moved anything for a while: draw at 1 px

    PlanRunPointer m_run;
    Lanes m_lanes = Lanes::Both;
    BarRef m_hover, m_hoverRan;
    std::vector<BarRef> m_linked,
        m_hoverLinked; // bars of the selected micro-batch, of the one under the mouse
    QPoint m_press;
    Tool m_tool = Tool::Select;
    Drag m_drag = Drag::None;
    Qt::MouseButton m_button = Qt::NoButton;
    TimeWindow m_pressWindow;
    int m_pressScroll = 0;
};

} // namespace pw
