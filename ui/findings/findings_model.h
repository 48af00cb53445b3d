// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/findings/findings.h"

#include <QAbstractTableModel>

namespace pw {

// Findings as rows: severity, place, what is lost, what would help, what that brings, and what the manual
// says.
class FindingsModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Sign, Place, Text, Remedy, Gain, Try, Explain, ColumnCount };

    explicit FindingsModel(QObject* parent = nullptr) : QAbstractTableModel(parent) {}
    void setFindings(Findings findings, Seconds now);
    const Findings& findings() const { return m_findings; }
    const Finding& at(int row) const { return m_findings.list[static_cast<std::size_t>(row)]; }
    QString sentenceOf(int row) const; // the whole row, as it is read out
    bool canTry(int row) const;        // an edit, or a search

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    QString remedyText(const Finding& finding) const; // as a sentence; what a search is asked for, too
    QString gainText(const Finding& finding) const;

    Findings m_findings;
    Seconds m_now; // the iteration as it stands
};

} // namespace pw
