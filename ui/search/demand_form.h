// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/commands/app_context.h"
#include "ui/session/search_demand.h"

#include <QWidget>

class QCompleter;
class QLabel;
class QLineEdit;

namespace pw {

class TrainerBox;

// What a plan has to be, before how it is searched for: the trainer that is to run it, what it must use and
// what it must leave out, and its largest parallel sizes. What is left out is part of the project, which can
// be undone; the rest is asked of each search, and comes back with what the last one of a file has found.
class DemandForm : public QWidget {
    Q_OBJECT

public:
    explicit DemandForm(AppContext& context, QWidget* parent = nullptr);

    const SearchDemand& demand() const { return m_demand; }
    void set(SearchDemand demand);
    void clear();            // demands nothing
    QString refusal() const; // of the first refused field; empty: all are sound

Q_SIGNALS:
    void changed();

private:
    QLineEdit* makeNames(const QString& name, const QString& label, const QString& help);
    QLineEdit* makeSize(const QString& name, const QString& label, int& size);
    void take(QLineEdit* field, const QString& refusal);
    void takeRequired();
    QString whyNotRequired() const; // what is demanded; empty: it is sound, or the project asks nothing
    QString whyNotForbidden(const std::vector<std::string>& names) const;
    void judgeForbidden(); // as it is typed, once it is refused
    void commitForbidden();
    void judgeAnew(); // both lines, of another cluster
    void refresh();

    AppContext& m_context;
    SearchDemand m_demand;
    TrainerBox* m_target;
    QLineEdit *m_required = nullptr, *m_forbidden = nullptr;
    QLineEdit* m_sizes[3] = {};
};

} // namespace pw
