// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/memory/device_list_model.h"

namespace pw {

void DeviceListModel::setPlan(std::shared_ptr<const ShownPlan> plan) {
    beginResetModel();
    m_plan = std::move(plan);
    m_count = 0;
    if (m_plan)
        for (const ShownStage& stage : m_plan->stages)
            m_count += static_cast<int>(stage.memory.size());
    endResetModel();
}

const ShownDevice* DeviceListModel::at(int row) const {
    if (!m_plan || row < 0 || row >= m_count)
        return nullptr;
    auto left = static_cast<std::size_t>(row);
    for (const ShownStage& stage : m_plan->stages) {
        if (left < stage.memory.size())
            return &stage.memory[left];
        left -= stage.memory.size();
    }
    return nullptr;
}

int DeviceListModel::rowOf(const QString& device) const {
    const int own = m_plan ? m_plan->stageOfDevice(device) : -1;
    if (own < 0)
        return -1;
    auto row = m_plan->device(device) - m_plan->stages[static_cast<std::size_t>(own)].memory.data();
    for (int stage = 0; stage < own; ++stage)
        row += static_cast<std::ptrdiff_t>(m_plan->stages[static_cast<std::size_t>(stage)].memory.size());
    return static_cast<int>(row);
}

QString DeviceListModel::textOf(const ShownDevice& device) {
    if (device.whole().value <= 0.0) // there is nothing that it could fit into
        return tr("%1, capacity unknown").arg(device.id);
    return tr("%1, %2, %3 to fit")
        .arg(device.id, peakText(device.peak.total(), device.room()), chanceOfFitText(device.fitChance));
}

int DeviceListModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_count;
}

QVariant DeviceListModel::data(const QModelIndex& index, int role) const {
    const ShownDevice* device = at(index.row());
    if (!device)
        return {};
    return role == Qt::DisplayRole || role == Qt::AccessibleTextRole ? textOf(*device) : QVariant();
}

} // namespace pw
