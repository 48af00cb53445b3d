// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/session/shown_plan.h"

#include <QObject>

namespace pw {

// The plan that the selection names, ready to draw. Each view of the current plan holds one; the costly part
// is cached by Candidates. Without a context (tests, pictures) it shows what it is given.
class CurrentPlan : public QObject {
    Q_OBJECT

public:
    explicit CurrentPlan(QObject* parent = nullptr) : QObject(parent) {}
    CurrentPlan(const AppContext& context, QObject* parent);

    const std::shared_ptr<const ShownPlan>& plan() const { return m_plan; } // null = none
    void show(std::shared_ptr<const ShownPlan> plan);

Q_SIGNALS:
    void changed();

private:
    std::shared_ptr<const ShownPlan> m_plan;
};

} // namespace pw
