// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QWidget>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pw {

// Why plans were rejected: one bar of the counts, and under it a legend in two columns, largest first.
class RejectionBar : public QWidget {
    Q_OBJECT

public:
    explicit RejectionBar(QWidget* parent = nullptr);
    // `feasible` plans are the part that was not rejected.
    void setCounts(const std::map<std::string, std::int64_t>& rejected, std::int64_t feasible);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Part {
        QString label;
        std::int64_t count = 0;
        bool feasible = false;
    };
    QColor color(const Part& part, std::size_t place) const;

    std::vector<Part> m_parts;
};

// Words for core's reason codes ("memory" -> "Out of memory"); an unknown code is shown as it is.
QString rejectionText(const std::string& code);

} // namespace pw
