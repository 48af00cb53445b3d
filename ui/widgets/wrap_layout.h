// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>

#include <memory>
#include <vector>

namespace pw {

// Widgets side by side, in as many rows as the width asks for, each row as high as its highest: a form for
// docks that may be narrow, whose words may be long in another language.
class WrapLayout : public QLayout {
    Q_OBJECT

public:
    explicit WrapLayout(int across, int down, QWidget* parent = nullptr); // pixels between columns and rows
    ~WrapLayout() override;

    void addItem(QLayoutItem* item) override;
    int count() const override { return static_cast<int>(m_items.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override;
    QSize minimumSize() const override; // of the widest item
    QSize sizeHint() const override { return minimumSize(); }
    Qt::Orientations expandingDirections() const override { return {}; }
    void setGeometry(const QRect& rect) override;

private:
    int placed(const QRect& rect, bool place) const; // the height that is needed

    int m_across, m_down;
    std::vector<std::unique_ptr<QLayoutItem>> m_items;
};

} // namespace pw
