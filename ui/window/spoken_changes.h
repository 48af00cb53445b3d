// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/quantity.h"
#include "ui/commands/app_context.h"
#include "ui/session/document.h"
#include "ui/widgets/alert.h"

#include <QStringList>
#include <QTimer>

#include <optional>
#include <vector>

namespace pw {

// Says what changes where the focus is not: each step of undo as it is done, that a search runs and how it
// ended, how long the plan takes that was chosen, what an edit made of that, and how plans differ that are
// compared. Also the entry that a closed list of choices with the focus now shows, which Qt 6.4 tells nobody.
// What comes at once, an undo and what that made of the plan, is said as one.
class SpokenChanges : public Announcer {
    Q_OBJECT

public:
    explicit SpokenChanges(const AppContext& context, QWidget* parent = nullptr);
    void say(const QString& sentence); // with what else comes before the event loop goes on

private:
    struct Seen { // of the plan in view
        int id = -1;
        Seconds iteration;
        bool operator==(const Seen& other) const {
            return id == other.id && iteration.value == other.iteration.value;
        }
    };
    std::optional<Seen> planInView() const;
    void sayStep(const ProjectPtr& before, const QString& step);
    void sayEdited();
    void sayCompared();
    void listenTo(const QWidget* focused);
    void flush();
    QString searchText() const;

    AppContext m_context;
    QStringList m_waiting;
    QTimer m_soon;
    std::optional<Seen> m_seen;       // when all was last said
    std::vector<int> m_compared;      // likewise, the base first
    QMetaObject::Connection m_choice; // of the list with the focus
};

} // namespace pw
