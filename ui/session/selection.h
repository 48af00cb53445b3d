// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/edit/edit.h"

#include <QObject>
#include <QSet>
#include <QString>

#include <cstddef>

namespace pw {

// What the user has chosen, once for the whole window: ids, never pointers. Every view observes it and none
// talks to another. -1 means nothing.
class Selection : public QObject {
    Q_OBJECT

public:
    struct Bar { // a compute or transfer bar of the current plan's timeline
        int track = -1;
        int lane = 0;
        std::ptrdiff_t index = -1;
        bool operator==(const Bar&) const = default;
    };

    explicit Selection(QObject* parent = nullptr) : QObject(parent) {}

    int plan() const { return m_plan; } // id in Candidates
    int stage() const { return m_stage; }
    Bar bar() const { return m_bar; }
    const QSet<QString>& items() const { return m_items; } // nodes, switches, links of the drawing
    QString device() const { return m_device; }            // "n1.g3", by the name that is drawn
    // The kind of GPU that is drawn next, for palette, forms and dialogs alike; "" until one is chosen. Not
    // every project knows it: see kindToDraw().
    const QString& kind() const { return m_kind; }

    void setPlan(int id);
    void setStage(int stage);
    void setBar(Bar bar); // also chooses its stage
    void leaveStage();    // back to the plan as a whole: no stage, no bar
    void setItems(const QSet<QString>& items);
    void setDevice(const QString& id);
    void followNames(const NodeNames& names); // of nodes: the device that is chosen stays so
    void setKind(const QString& name);
    // Asks the view that holds the field of `where` to show and focus it: an item id ("n4"), an item's field
    // ("n4.memoryTaken") or a setting ("model.gbs", "profiles"). Changes nothing itself; who is asked may
    // choose other items, so that `where` is a copy: it may be one of these.
    void requestFocus(QString where) { Q_EMIT focusRequested(where); }
    // What is chosen has been edited in a field: the view that it was chosen in may have the keys again.
    void finishEditing() { Q_EMIT editingFinished(); }

Q_SIGNALS:
    void focusRequested(const QString& where);
    void editingFinished();
    void planChanged(int id);
    void stageChanged(int stage);
    void barChanged();
    void itemsChanged();
    void deviceChanged(const QString& id);
    void kindChanged();

private:
    int m_plan = -1, m_stage = -1;
    Bar m_bar;
    QSet<QString> m_items;
    QString m_device, m_kind;
};

} // namespace pw
