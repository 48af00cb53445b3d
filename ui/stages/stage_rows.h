// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/session/selection.h"
#include "ui/stages/stage_columns.h"
#include "ui/widgets/accessible_parts.h"

#include <QWidget>

#include <set>
#include <vector>

namespace pw {

class StageEdits;

// The rows: at least 32 px each, 26 from five stages on, and more where the view has room; then they name the
// devices too. A click, Up and Down, Home and End choose the stage, and
// Enter the one of the boundary or chip in focus. With edits, the boundaries between stages, the chips of the
// devices and the stages themselves can be dragged; Tab goes through boundaries and the chosen stage's chips,
// and keys move what has the focus. Chips of one stage are moved together where several are marked: Ctrl and
// a click or Space mark one, Shift and a click all up to it.
class StageRows : public QWidget, public PartsWidget {
    Q_OBJECT

public:
    explicit StageRows(Selection& selection, QWidget* parent = nullptr);
    void setEdits(StageEdits* edits) { m_edits = edits; } // null: the plan is only shown
    void setPlan(std::shared_ptr<const ShownPlan> plan);
    QRect rowRect(int stage) const;

    // What can be dragged and focused.
    struct Handle {
        enum class Kind { None, Boundary, Chip, Stage };
        Kind kind = Kind::None;
        int index = -1; // boundary, or stage
        int chip = -1;
        bool operator==(const Handle&) const = default;
        explicit operator bool() const { return kind != Kind::None; }
    };
    Handle focused() const { return m_focus; }
    void setFocused(Handle handle);
    QRect boundaryRect(int boundary) const; // empty if there is none
    QRect chipRect(int stage, int chip) const;
    // A chip is one device, or a run of several where there are too many for the column.
    std::vector<std::vector<DeviceIndex>> chips(int stage) const;
    int boundaryCount() const;
    bool isMarked(Handle chip) const;
    QString nameOf(Handle handle) const; // "boundary between stage 2 and 3, behind block 13"

    // The stages, the boundaries, and the chips of the chosen stage.
    std::vector<AccessiblePart> accessibleParts() const override;
    void activatePart(const QString& key) override;

    // Commands; keys and menu entries do the same.
    void moveFocused(int fineLayers); // a boundary; without one the next row forward or back
    void pushFocused(int by);  // Home and End: a boundary as far as memory allows, else first or last stage
    void shiftFocused(int by); // Ctrl+Up and Down: devices, or all of the stage's, to the next stage
    void markFocused();        // Space: the chip in focus, or not any more
    QString toggleLock();      // of the chip in focus, else of the chosen stage; what it did, empty: nothing
    void abort();
    void goBack(); // Esc: gives up the drag, else leads back to the plan

Q_SIGNALS:
    void showRow(const QRect& row);                  // the chosen one, to be scrolled to
    void refused(const Error& error);                // before anything was tried
    void menuRequested(int stage, const QPoint& at); // global

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dragMoveEvent(QDragMoveEvent* event) override;
    void dragLeaveEvent(QDragLeaveEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool focusNextPrevChild(bool next) override;

private:
    int count() const { return m_plan ? static_cast<int>(m_plan->stages.size()) : 0; }
    int leastRowHeight() const { return count() < 5 ? 32 : 26; }
    int rowHeight() const;
    void setDragging(bool dragging);
    bool hasSecondLine() const; // for the devices
    int rowAt(int y) const;
    const ChunkLayout* layout() const;            // null unless the plan is one pipeline
    const ShownStage* baseStage(int index) const; // of the plan that this one was edited from
    Handle handleAt(const QPoint& at) const;
    int chipPitch(int stage) const; // px from one chip to the next
    void markChip(Handle chip, Qt::KeyboardModifiers keys);
    void forgetMarks();                                    // that the plan has other chips for
    std::vector<DeviceIndex> devicesOf(Handle chip) const; // of all that are marked, if it is one of them
    std::vector<Handle> handles() const;                   // in the order of Tab
    void goToStage(int stage);
    int focusedStage() const; // of what has the focus, else the chosen one; -1: neither
    QString toolTipAt(const QPoint& at) const;
    QString toolTipOf(int stage) const;
    QString stageText(int stage) const; // "stage 2, blocks 9 to 17, 4 devices"
    static QString keyOf(Handle handle);
    void stageChanged();
    void describe();
    bool isLocked(int stage) const;
    bool isLocked(const std::vector<DeviceIndex>& devices) const;
    void paintRow(QPainter& painter, int index, const RangeLabel& range);
    void paintName(QPainter& painter, const ShownStage& stage, int index, const QRect& row,
                   const StageColumns& columns);
    void paintChips(QPainter& painter, int index);
    void paintCells(QPainter& painter, const ShownStage& stage, int index, const QRect& row,
                    const StageColumns& columns);
    void paintGhost(QPainter& painter, int index, const QRect& row, const StageColumns& columns);
    void paintBoundaries(QPainter& painter);
    void paintDrag(QPainter& painter);
    void paintTime(QPainter& painter, const ShownStage& stage, int index, const QRect& row,
                   const StageColumns& columns);
    void paintMemory(QPainter& painter, const ShownStage& stage, int index, const QRect& row,
                     const StageColumns& columns);
    double timeScale(const StageColumns& columns) const; // px a second

    Selection& m_selection;
    StageEdits* m_edits = nullptr;
    std::shared_ptr<const ShownPlan> m_plan;
    int m_hover = -1;
    Handle m_hovered, m_focus;
    Handle m_held; // pressed; dragged once the mouse has moved
    QPoint m_press, m_mouse;
    bool m_dragging = false;
    int m_heldHeight = 0; // of the rows while one drags: the bar of edits may come meanwhile
    int m_target = -1;    // stage under a dragged chip or stage
    std::vector<DeviceIndex> m_heldDevices;
    int m_markedStage = -1;
    std::set<int> m_marked;                              // chips of it
    std::vector<std::vector<DeviceIndex>> m_markedAmong; // its chips then
};

} // namespace pw
