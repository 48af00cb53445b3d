// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/perspective_bar.h"

#include "ui/base/theme.h"
#include "ui/commands/commands.h"
#include "ui/window/dock_table.h"

#include <QFontMetrics>
#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QToolButton>

namespace pw {

// As wide as it is told, also after a style sheet has put its own least width in place of a fixed one.
class PerspectiveBar::Segment : public QToolButton {
public:
    void setWidth(int width) {
        m_width = width;
        updateGeometry();
    }
    QSize sizeHint() const override { return {m_width, 24}; }
    QSize minimumSizeHint() const override { return sizeHint(); }

private:
    int m_width = 0;
};

PerspectiveBar::PerspectiveBar(const Commands& commands, QWidget* parent) : QWidget(parent), m_segments{} {
    setObjectName(QStringLiteral("perspectives"));
    setAccessibleName(tr("Perspective"));
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    const struct {
        const char* command;
        QString text;
        const char* place; // of the segment, for its corners
    } segments[] = {{"view.draw", tr("Draw"), "first"},
                    {"view.look", tr("Look"), "middle"},
                    {"view.compare", tr("Compare"), "last"}};
    for (std::size_t i = 0; i < m_segments.size(); ++i) {
        const QAction* action = commands.action(segments[i].command);
        auto* segment = m_segments[i] = new Segment;
        segment->setObjectName(QStringLiteral("perspectives.") + QLatin1String(segments[i].command + 5));
        segment->setProperty("segment", QLatin1String(segments[i].place));
        segment->setText(segments[i].text);
        segment->setIcon(action->icon());
        segment->setIconSize({16, 16});
        segment->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
        segment->setCheckable(true);
        segment->setFocusPolicy(Qt::TabFocus);
        segment->setToolTip(action->toolTip());
        segment->setAccessibleName(segments[i].text);
        segment->setAccessibleDescription(action->statusTip());
        row->addWidget(segment);
        // Screen readers toggle it and do not click.
        connect(segment, &QToolButton::toggled, this, [this, i, segment](bool on) {
            if (!on) { // a lit one stays lit
                const QSignalBlocker blocker(segment);
                segment->setChecked(true);
            }
            Q_EMIT chosen(static_cast<Perspective>(i));
        });
    }
    setNarrow(false);
}

void PerspectiveBar::setShown(std::optional<Perspective> shown) {
    for (std::size_t i = 0; i < m_segments.size(); ++i) {
        const QSignalBlocker blocker(m_segments[i]);
        m_segments[i]->setChecked(shown && static_cast<std::size_t>(*shown) == i);
    }
}

void PerspectiveBar::setNarrow(bool narrow) {
    const QFontMetrics metrics(bodyFont(QFont::DemiBold)); // of the lit one: no segment moves when it is lit
    for (Segment* segment : m_segments) {
        segment->setToolButtonStyle(narrow ? Qt::ToolButtonIconOnly : Qt::ToolButtonTextOnly);
        segment->setWidth(narrow ? 27 : metrics.horizontalAdvance(segment->text()) + 22);
    }
}

} // namespace pw
