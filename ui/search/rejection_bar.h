// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pw {

// Why plans and parts of plans were rejected: one bar of the counts, and under it a legend in two columns,
// largest first. Plans that fit are no part of it: most of what is rejected never became a whole plan, so
// that the two cannot be added up.
class RejectionBar : public QWidget {
    Q_OBJECT

public:
    explicit RejectionBar(QWidget* parent = nullptr);
    void setCounts(const std::map<std::string, std::int64_t>& rejected);
    std::int64_t total() const { return m_total; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Part {
        QString label;
        std::int64_t count = 0;
        bool fault = false; // does not fit
    };
    std::vector<Part> m_parts;
    std::int64_t m_total = 0;
};

// Words for core's reason codes ("memory" -> "Out of memory"); an unknown code is shown as it is.
QString rejectionText(const std::string& code);

} // namespace pw
