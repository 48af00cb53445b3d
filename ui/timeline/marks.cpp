// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/marks.h"

#include "core/edit/arrange.h"
#include "ui/base/convert.h"
#include "ui/session/document.h"

#include <algorithm>
#include <cmath>

namespace pw {

TimelineMarks::TimelineMarks(Document& document, TimeRange& range, QObject* parent)
    : QObject(parent), m_document(document), m_range(range) {
    connect(&document, &Document::changed, this, &TimelineMarks::follow);
    connect(&document, &Document::pathChanged, this, [this] {
        m_range.setMarks({});
        follow();
    });
    follow();
}

void TimelineMarks::follow() {
    std::vector<AxisMark> marks = m_range.marks();
    std::erase_if(marks, [](const AxisMark& mark) { return mark.kept; });
    for (const TimeMark& mark : m_document.project()->annotations.marks)
        marks.push_back({std::llround(mark.at.value * 1e9), q(mark.text), true});
    m_range.setMarks(std::move(marks));
}

bool TimelineMarks::keepAll(const std::vector<AxisMark>& marks, const QString& step) {
    std::vector<TimeMark> kept;
    for (const AxisMark& mark : marks)
        if (mark.kept)
            kept.push_back({Seconds(static_cast<double>(mark.at) / 1e9), s(mark.text)});
    return m_document.apply(setMarks(*m_document.project(), std::move(kept)), step);
}

void TimelineMarks::add(std::int64_t at, const QString& text) {
    std::vector<AxisMark> marks = m_range.marks();
    marks.push_back({at, text, false});
    m_range.setMarks(std::move(marks));
}

void TimelineMarks::keep(std::int64_t at, const QString& text) {
    std::vector<AxisMark> marks = m_range.marks();
    marks.push_back({at, text, true});
    keepAll(marks, tr("Mark %1").arg(text));
}

void TimelineMarks::removeNearest(std::int64_t at) {
    std::vector<AxisMark> marks = m_range.marks();
    const auto nearest =
        std::min_element(marks.begin(), marks.end(), [at](const AxisMark& a, const AxisMark& b) {
            return std::abs(a.at - at) < std::abs(b.at - at);
        });
    if (nearest == marks.end())
        return;
    const AxisMark removed = *nearest;
    marks.erase(nearest);
    if (removed.kept)
        keepAll(marks, tr("Remove mark %1").arg(removed.text));
    else
        m_range.setMarks(std::move(marks));
}

void TimelineMarks::rename(int index, const QString& text) {
    std::vector<AxisMark> marks = m_range.marks();
    if (index < 0 || static_cast<std::size_t>(index) >= marks.size())
        return;
    AxisMark& mark = marks[static_cast<std::size_t>(index)];
    mark.text = text;
    if (mark.kept)
        keepAll(marks, tr("Name mark %1").arg(text));
    else
        m_range.setMarks(std::move(marks));
}

} // namespace pw
