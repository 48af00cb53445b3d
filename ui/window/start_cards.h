// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/project/project.h"

#include <QAbstractButton>
#include <QPen>
#include <QPolygonF>
#include <QRectF>

namespace pw {

// A flat button that draws itself: an accent frame with the focus, a plain outline under the mouse. Arrow
// keys go to the next card that way.
class CardButton : public QAbstractButton {
    Q_OBJECT

public:
    explicit CardButton(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) final;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    virtual void paintContent(QPainter& painter) = 0;
    bool lit() const;     // has the focus or is under the mouse
    QPen outline() const; // two of accent with the focus, else one
};

// Icon, title, quiet line, key: the rail's actions.
class ActionCard : public CardButton {
    Q_OBJECT

public:
    ActionCard(const QString& iconName, const QString& title, const QString& text, const QString& key);
    QSize sizeHint() const override { return {310, 52}; }

protected:
    void paintContent(QPainter& painter) override;

private:
    QString m_icon, m_text, m_key;
};

// A recent file: name, folder, and whether it is gone.
class RecentCard : public CardButton {
    Q_OBJECT

public:
    explicit RecentCard(const QString& path);
    QSize sizeHint() const override { return {310, 44}; }

protected:
    void paintContent(QPainter& painter) override;

private:
    QString m_path;
    bool m_missing;
};

// A bundled project: its drawing in small, model, GPUs by kind, and what its times rest on. Of one without
// a model, a template, no more than its machines.
// A screen reader says the same.
class SampleCard : public CardButton {
    Q_OBJECT

public:
    SampleCard(const QString& title, const QString& help, const Project& project);
    QSize sizeHint() const override { return {218, m_model.isEmpty() ? 190 : 236}; }

protected:
    void paintContent(QPainter& painter) override;

private:
    struct Group {
        QString kind;
        int gpus = 0; // in all nodes of the kind
    };
    struct Box {
        QRectF at; // on the drawing, px at 100 %
        int group; // of a node; -1: a switch
        int gpus;  // of a node
    };
    void addGlyph(const Cluster& cluster);
    QString kindsText() const; // "8 A100, 8 V100"
    QString basisText() const;
    void paintGlyph(QPainter& painter, const QRect& ground) const;

    QString m_model;
    std::vector<Group> m_groups;
    std::vector<Box> m_boxes;
    std::vector<QPolygonF> m_links;
    QRectF m_drawn; // what holds all boxes
    int m_gpus = 0;
    bool m_measured = false;
};

} // namespace pw
