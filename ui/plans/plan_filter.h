// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSortFilterProxyModel>

#include <functional>

namespace pw {

// The filter line and the sorting of the plan table. Words must all appear somewhere in the row;
// "iteration<15.5", "bubble<6", "memory<30", "stages=4", "tokens>30", "top10%" compare the figures in the
// units that the table shows.
class PlanFilter : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit PlanFilter(QObject* parent = nullptr);
    void setFilter(const QString& text);
    QString filter() const { return m_text; }
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
    double m_top = 0.0; // per cent of the plans, the fastest; 0 = all
    QString m_text;
    QStringList m_words;
    QList<Condition> m_conditions;
};

} // namespace pw
