// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/space/rejection.h"
#include "ui/widgets/accessible_parts.h"

#include <QColor>
#include <QWidget>

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace pw {

// Why plans and parts of plans were rejected: one bar of the counts, and under it a legend in two columns,
// largest first; a reason leads to its entry in the manual, by a click or by arrows and Enter. Plans that fit
// are no part of it: most of what is rejected never became a whole plan, so that the two cannot be added up.
class RejectionBar : public QWidget, public PartsWidget {
    Q_OBJECT

public:
    explicit RejectionBar(QWidget* parent = nullptr);
    void setCounts(const Rejections& rejected);
    std::int64_t total() const { return m_total; }

    std::vector<AccessiblePart> accessibleParts() const override;
    void activatePart(const QString& code) override; // opens its entry

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Part {
        QString label;
        std::int64_t count = 0;
        std::optional<Rejection> reason; // nothing: several
        std::string_view code() const;   // of its entry; empty: several have one each
    };
    void fitRows();
    QRect rowOf(std::size_t part) const;
    QColor colorOf(std::size_t part) const;
    int partAt(QPoint point) const; // -1: none
    void setCurrent(int part);
    void open(int part);

    std::vector<Part> m_parts;
    std::int64_t m_total = 0;
    int m_across = 2;   // parts in a row
    int m_current = -1; // under the mouse or the keys
};

// In the window's language, with a capital: "Out of memory".
QString rejectionText(Rejection reason);

} // namespace pw
