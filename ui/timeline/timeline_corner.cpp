// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_corner.h"

#include "ui/base/icons.h"
#include "ui/base/theme.h"
#include "ui/session/time_range.h"
#include "ui/timeline/time_axis.h"
#include "ui/timeline/timeline_rows.h"
#include "ui/timeline/timeline_view.h"

#include <QAction>
#include <QLineEdit>
#include <QPainter>

namespace pw {

TimelineCorner::TimelineCorner(TimeRange& range, TimelineRows& rows)
    : m_range(range), m_filter(new QLineEdit(this)) {
    setFixedHeight(74);
    m_filter->setObjectName(QStringLiteral("timeline.filter"));
    m_filter->setAccessibleName(TimelineView::tr("Filter rows"));
    m_filter->setPlaceholderText(TimelineView::tr("Filter rows"));
    m_filter->setToolTip(TimelineView::tr("Words of a stage, device or kind, such as \u201cV100\u201d"));
    m_filter->setFrame(false);
    m_filter->setFont(smallFont());
    m_sign = m_filter->addAction(icon(QStringLiteral("filter"), IconTone::Text2), QLineEdit::LeadingPosition);
    const auto follow = [this, &rows] {
        m_filter->setText(rows.filter());
        const bool hides = rows.hiddenCount() > 0;
        m_sign->setIcon(icon(QStringLiteral("filter"), hides ? IconTone::Accent : IconTone::Text2));
        m_sign->setToolTip(TimelineView::tr("%n rows hidden", nullptr, rows.hiddenCount()));
    };
    connect(m_filter, &QLineEdit::textChanged, &rows, &TimelineRows::setFilter);
    connect(&rows, &TimelineRows::changed, this, follow);
    connect(&ThemeControl::instance(), &ThemeControl::changed, this, [this, follow] {
        follow();
        update();
    });
}

void TimelineCorner::resizeEvent(QResizeEvent*) {
    m_filter->setGeometry(2, 51, width() - 5, 22);
}

void TimelineCorner::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.fillRect(rect(), t.head);
    painter.fillRect(0, 49, width(), 1, t.line);
    painter.fillRect(0, height() - 1, width(), 1, t.line);
    painter.fillRect(width() - 1, 0, 1, height(), t.line);
    painter.setFont(bodyFont());
    painter.setPen(t.text2);
    painter.drawText(QRect(9, 0, width() - 12, 49), Qt::AlignVCenter | Qt::AlignLeft,
                     windowText({0, m_range.traceEnd()}));
}

} // namespace pw
