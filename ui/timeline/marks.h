// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/time_range.h"

namespace pw {

class Document;

// The marks of the time axis: fleeting ones, which live as long as the window, and kept ones, which are part
// of the project and can be undone.
class TimelineMarks : public QObject {
    Q_OBJECT

public:
    TimelineMarks(Document& document, TimeRange& range, QObject* parent);

    void add(std::int64_t at, const QString& text);
    void keep(std::int64_t at, const QString& text);
    void removeNearest(std::int64_t at); // the mark with the least distance
    void rename(int index, const QString& text);

private:
    void follow();
    bool keepAll(const std::vector<AxisMark>& marks, const QString& step);

    Document& m_document;
    TimeRange& m_range;
};

} // namespace pw
