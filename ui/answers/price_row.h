// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"

#include <QWidget>

#include <string>
#include <vector>

class QHBoxLayout;

namespace pw {

class ValueField;

// What an hour of each device kind of the drawing costs, in the user's own currency. A price is part of the
// project and can be undone; it changes no plan, only what a token costs.
class PriceRow : public QWidget {
    Q_OBJECT

public:
    explicit PriceRow(AppContext& context, QWidget* parent = nullptr);
    bool focusFirst(); // moves to the first price; false where no device is drawn
    // The same to the first of these kinds, "H100-SXM-80GB, A100-SXM4-40GB"; false: none has a field.
    bool focusOn(const QString& kinds);

private:
    void refresh();
    void setPrice(const std::string& kind, double perHour);

    AppContext& m_context;
    QHBoxLayout* m_row;
    std::vector<std::string> m_kinds; // that have a field
    std::vector<ValueField*> m_fields;
};

} // namespace pw
