// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/selection.h"

#include "ui/base/convert.h"

#include <algorithm>

namespace pw {

void Selection::setPlan(int id) {
    if (m_plan == id)
        return;
    m_plan = id;
    Q_EMIT planChanged(id);
    setBar({});
}

void Selection::setStage(int stage) {
    if (m_stage == stage)
        return;
    m_stage = stage;
    Q_EMIT stageChanged(stage);
}

void Selection::setBar(Bar bar) {
    if (bar.track >= 0)
        setStage(bar.track);
    if (m_bar == bar)
        return;
    m_bar = bar;
    Q_EMIT barChanged();
}

void Selection::leaveStage() {
    setBar({});
    setStage(-1);
}

void Selection::setItems(const QSet<QString>& items) {
    if (m_items == items)
        return;
    m_items = items;
    Q_EMIT itemsChanged();
}

void Selection::setDevice(const QString& id) {
    if (m_device == id)
        return;
    m_device = id;
    Q_EMIT deviceChanged(id);
}

void Selection::followNames(const NodeNames& names) {
    const qsizetype dot = m_device.lastIndexOf(QLatin1Char('.'));
    const auto found = names.find(s(m_device.left(std::max<qsizetype>(dot, 0))));
    if (found != names.end())
        setDevice(q(found->second) + m_device.mid(dot));
}

void Selection::setKind(const QString& name) {
    if (m_kind == name)
        return;
    m_kind = name;
    Q_EMIT kindChanged();
}

} // namespace pw
