// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/timeline/durations.h"
#include "ui/commands/current_plan.h"
#include "ui/session/view.h"
#include "ui/widgets/accessible_parts.h"

class QComboBox;
class QStackedWidget;
class QTableWidget;

namespace pw {

class Selection;
class TimeRange;

// The histogram itself: all bars pale, those of the chosen group in the colour of their kind over them. A
// click on a column chooses the next bar of that length.
class DurationBars : public QWidget, public PartsWidget {
    Q_OBJECT

public:
    explicit DurationBars(QWidget* parent = nullptr);

    void show(const Durations& durations, BarKind kind, int group, bool stale); // group -1: all
    QRect columnRect(int bin) const; // from the axis to the top; where a click reaches it
    std::vector<AccessiblePart> accessibleParts() const override;
    void activatePart(const QString& key) override;

Q_SIGNALS:
    void binClicked(int bin);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    const DurationGroup& chosen() const;
    QString binText(int bin) const;
    int binAt(QPoint at) const; // -1: none

    Durations m_durations;
    BarKind m_kind = BarKind::Forward;
    int m_group = -1;
    int m_focus = 0; // the column that the arrow keys stand on
    bool m_stale = false;
};

// How long the bars of a kind take, in the dragged area or in what the timeline shows, by stage or by kind of
// device: where one stage is slower than the others it stands apart.
class DurationsView : public View {
    Q_OBJECT

public:
    explicit DurationsView(const AppContext& context, QWidget* parent = nullptr);
    DurationsView(CurrentPlan& plan, Selection& selection, TimeRange& range, QWidget* parent = nullptr);

private:
    enum class GroupBy { Stage, DeviceKind };
    void build();
    void planChanged();
    void refresh();
    void fillTable();
    void nextBar(int bin);
    BarKind kind() const;
    int group() const; // chosen in the table, -1: all
    TimeWindow window() const;
    QString groupName(int group) const;

    CurrentPlan& m_plan;
    Selection& m_selection;
    TimeRange& m_range;
    QStackedWidget* m_pages;
    QComboBox* m_kind;
    QComboBox* m_by;
    DurationBars* m_bars;
    QTableWidget* m_table;
    std::vector<int> m_groupOf;    // by track
    std::vector<QString> m_groups; // names
    Durations m_durations;
};

} // namespace pw
