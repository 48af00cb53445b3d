// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPixmap>
#include <QWidget>

namespace pw {

class TopologyCanvas;

// The whole drawing in a corner with a frame around what is visible; a click or a drag moves it. It shows
// itself only while something of the drawing lies outside the view.
class Minimap : public QWidget {
    Q_OBJECT

public:
    explicit Minimap(TopologyCanvas& canvas);
    void setWanted(bool wanted);
    bool isWanted() const { return m_wanted; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    void follow();
    void redraw();
    QRectF map(const QRectF& scene) const;
    void centreOn(QPointF at);

    TopologyCanvas& m_canvas;
    QPixmap m_picture; // null = make anew
    QRectF m_content;
    double m_scale = 1.0;
    bool m_wanted = true;
};

} // namespace pw
