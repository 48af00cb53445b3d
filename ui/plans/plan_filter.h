// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QSortFilterProxyModel>

#include <functional>

namespace pw {

// The filter line and the sorting of the plan table. Words must all appear somewhere in the row;
// "iteration<15.5", "bubble<6", "memory<30", "stages=4", "tokens>30", "top10%" compare the figures in the
// units that the table shows. The top are those of each place (PlanPlace) by themselves: plans of other
// work, however many and fast, take none of it.
class PlanFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit PlanFilter(QObject* parent = nullptr);
    void setFilter(const QString& text);
    QString filter() const { return m_text; }
    // Near ties stand behind the plan that leads them, until it is unfolded. While a filter holds, all rows
    // that it lets through are seen.
    void unfold(int leader, bool on);
    bool isUnfolded(int leader) const { return m_unfolded.contains(leader); }
    void setAccepts(std::function<bool(int id)> accepts); // a second filter, by candidate

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    struct Condition {
        int column = 0;
        QChar comparison; // '<', '>' or '='
        double value = 0.0;
    };
    bool holds(const Condition& condition, int row) const;

    std::function<bool(int id)> m_accepts;
    double m_top = 0.0; // per cent of the plans of each place, the fastest; 0 = all
    QString m_text;
    QSet<int> m_unfolded; // leaders, by id
    QStringList m_words;
    QList<Condition> m_conditions;
};

} // namespace pw
