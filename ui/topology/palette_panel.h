// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/view.h"
#include "ui/topology/drag_payload.h"

#include <vector>

class QLineEdit;
class QTreeWidget;
class QTreeWidgetItem;

namespace pw {

struct AppContext;
class TopologyCanvas;

// What can be drawn: GPU kinds with their memory, nodes and templates, network. A click takes an entry, and
// one on the canvas places it; or it is dragged there; Enter or a double click places it in the middle of the
// view. Templates use the kind that was chosen last, here or where else one is chosen to draw with.
class PalettePanel : public View {
    Q_OBJECT

public:
    explicit PalettePanel(const AppContext& app, QWidget* parent = nullptr);
    QTreeWidget* list() const { return m_list; }

    // What stands in the list, for whoever finds it by name.
    struct Entry {
        QString text, help;
        DragPayload payload;
    };
    std::vector<Entry> entries() const;
    void placeInView(const DragPayload& payload); // in the middle of the canvas's view; nothing without one

private:
    void fill();
    void filter(const QString& text);
    TopologyCanvas* canvas() const; // of the same window, wherever the palette floats; null without one
    QString kind() const;
    void showKind();
    DragPayload payloadOf(const QTreeWidgetItem& item) const;

    const AppContext& m_app;
    QLineEdit* m_filter;
    QTreeWidget* m_list;
    QTreeWidgetItem* m_nodes = nullptr; // the group that says which kind its templates take
};

} // namespace pw
