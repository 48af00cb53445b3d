// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QBrush>
#include <QColor>
#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

namespace pw {

// Swatches with names in a dock's title. The entries are asked for at every paint, so that they follow the
// theme; what does not fit is counted ("+2"). The tool tip, which a click shows at once, names all with their
// values.
class Legend : public QWidget {
    Q_OBJECT

public:
    struct Entry {
        QString text;
        QColor fill, edge;     // no edge: invalid colour
        QBrush texture;        // over the fill
        QString value = {};    // "12.3 GiB", said by the tool tip
        QString whole() const; // "Weights: 12.3 GiB"
    };
    using Entries = std::function<std::vector<Entry>()>;

    // An entry that has room for all of it.
    struct Shown {
        QString text, whole;
        QRect words; // where it stands
    };

    explicit Legend(Entries entries, QWidget* parent = nullptr);
    std::vector<Shown> shown() const; // from the first one on
    QString toolTipText() const;      // empty: all stand there, and have no values
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return QSize(0, 20); }

protected:
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    Entries m_entries;
};

std::vector<Legend::Entry> timelineLegend();
// A 12 px square of a kind's colour with its edge, or of a texture.
void paintSwatch(QPainter& painter, const QRect& rect, const Legend::Entry& entry);

} // namespace pw
