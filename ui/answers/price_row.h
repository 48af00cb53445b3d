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

private:
    void refresh();
    void setPrice(const std::string& kind, double perHour);

    AppContext& m_context;
    QHBoxLayout* m_row;
    std::vector<std::string> m_kinds; // that have a field
    std::vector<ValueField*> m_fields;
};

} // namespace pw
