// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/shown_plan.h"

#include <QAbstractListModel>

namespace pw {

// The devices of a plan, stage by stage, with how full each is: "n1.g0, 78.3 of 79.1 GiB, 52 % to fit". Words
// are made when a row is shown, since a plan may have 16,384 of them.
class DeviceListModel : public QAbstractListModel {
    Q_OBJECT

public:
    using QAbstractListModel::QAbstractListModel;

    void setPlan(std::shared_ptr<const ShownPlan> plan); // null: no rows
    const ShownDevice* at(int row) const;                // null: there is no such row
    int rowOf(const QString& device) const;              // -1: the plan does not use it
    static QString textOf(const ShownDevice& device);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::shared_ptr<const ShownPlan> m_plan;
    int m_count = 0;
};

} // namespace pw
