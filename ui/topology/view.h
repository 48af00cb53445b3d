// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/view.h"

class QHBoxLayout;
class QLabel;
class QToolButton;

namespace pw {

struct AppContext;
class EmptyState;
class MessageBar;
class Minimap;
class StageLegend;
class TopologyCanvas;

// The dock of the cluster drawing: tool strip, canvas, the bar that says when the stages shown are of an
// older problem or another project's, and the legend of the stages. Its keys are the commands of the context
// "canvas".
class TopologyView : public View {
    Q_OBJECT

public:
    explicit TopologyView(const AppContext& app, QWidget* parent = nullptr);
    TopologyCanvas* canvas() const { return m_canvas; }
    QSize wholeSize() const override; // the drawing at 100 %, smaller where it is very large
    void paintWhole(QPainter& painter) override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void buildStrip(QHBoxLayout* strip);
    void bindCommands();
    void offerEditing();
    void refresh();
    void layEmptyState();

    const AppContext& m_app;
    TopologyCanvas* m_canvas;
    MessageBar* m_stale;
    EmptyState* m_empty;
    StageLegend* m_legend;
    Minimap* m_minimap;
    QLabel* m_zoom;
    QToolButton* m_selectButton = nullptr;
    QToolButton* m_linkButton = nullptr;
    QToolButton* m_switchButton = nullptr;
    QToolButton* m_noteButton = nullptr;
    QToolButton* m_overlay = nullptr;
};

} // namespace pw
