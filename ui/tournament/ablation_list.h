// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/tournament.h"

#include <QFrame>

class QListWidget;

namespace pw {

// The parts that planners can be run without, each with a box: a pop-up that stays until a click elsewhere or
// Esc.
class AblationList : public QFrame {
    Q_OBJECT

public:
    explicit AblationList(QWidget* parent = nullptr);

    // `partitions`: whether tensor partitions are searched; leaving them out means nothing elsewhere.
    void showBelow(QWidget* anchor, bool partitions);
    std::vector<Entrant> chosen() const;
    void setChosen(const std::vector<Entrant>& ablations);
    QListWidget* list() const { return m_list; }

Q_SIGNALS:
    void changed();

private:
    QListWidget* m_list;
    std::vector<Entrant> m_all; // a row each
};

} // namespace pw
