// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/wrap_layout.h"

#include <algorithm>

namespace pw {

WrapLayout::WrapLayout(int across, int down, QWidget* parent)
    : QLayout(parent), m_across(across), m_down(down) {}

WrapLayout::~WrapLayout() = default;

void WrapLayout::addItem(QLayoutItem* item) {
    m_items.emplace_back(item);
}

QLayoutItem* WrapLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? m_items[static_cast<std::size_t>(index)].get() : nullptr;
}

QLayoutItem* WrapLayout::takeAt(int index) {
    if (index < 0 || index >= count())
        return nullptr;
    QLayoutItem* item = m_items[static_cast<std::size_t>(index)].release();
    m_items.erase(m_items.begin() + index);
    return item;
}

int WrapLayout::heightForWidth(int width) const {
    return placed({0, 0, width, 0}, false);
}

QSize WrapLayout::minimumSize() const {
    QSize size;
    for (const auto& item : m_items)
        size = size.expandedTo(item->minimumSize());
    return size.grownBy(contentsMargins());
}

void WrapLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    placed(rect, true);
}

int WrapLayout::placed(const QRect& rect, bool place) const {
    const QMargins margins = contentsMargins();
    const QRect inner = rect.marginsRemoved(margins);
    int x = inner.x(), y = inner.y(), row = 0;
    for (const auto& item : m_items) {
        if (item->isEmpty()) // hidden
            continue;
        const QSize size = item->sizeHint().boundedTo({std::max(inner.width(), 1), QLAYOUTSIZE_MAX});
        if (x > inner.x() && x + size.width() > inner.x() + inner.width()) {
            x = inner.x();
            y += row + m_down;
            row = 0;
        }
        if (place)
            item->setGeometry({{x, y}, size});
        x += size.width() + m_across;
        row = std::max(row, size.height());
    }
    return y + row - rect.y() + margins.bottom();
}

} // namespace pw
