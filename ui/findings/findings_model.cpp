// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/findings/findings_model.h"

#include "core/compare/compare.h"
#include "core/evaluate/deciding_stages.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/icons.h"
#include "ui/base/manual_link.h"
#include "ui/base/theme.h"
#include "ui/session/memory_room.h"

namespace pw {

void FindingsModel::setFindings(Findings findings, Seconds now) {
    beginResetModel();
    m_findings = std::move(findings);
    m_now = now;
    endResetModel();
}

int FindingsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_findings.list.size());
}

int FindingsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

// A remedy that makes a plan fit is worth that, whatever it does to the time.
QString FindingsModel::gainText(const Finding& finding) const {
    if (finding.remedy.empty())
        return tr("–");
    if (finding.severity == Severity::Error)
        return tr("fits, %1").arg(iterationText(finding.iteration));
    return tr("%1, %2 %")
        .arg(q(signedDuration(-finding.gain.value)), signedText(-100.0 * (finding.gain / m_now), 2));
}

bool FindingsModel::canTry(int row) const {
    return !at(row).remedy.empty() || at(row).searchChance > 0.0;
}

QString FindingsModel::remedyText(const Finding& finding) const {
    if (finding.searchChance > 0.0)
        return tr("Search for plans that fit with a chance of %1").arg(chanceOfFitText(finding.searchChance));
    return finding.remedy.empty() ? tr("Nothing that was tried helps") : sentence(finding.remedy);
}

QString FindingsModel::sentenceOf(int row) const {
    const Finding& finding = at(row);
    const QString text = sentence(finding.text);
    if (finding.searchChance > 0.0)
        return tr("%1. What helps: %2").arg(text, remedyText(finding));
    return finding.remedy.empty() ? tr("%1; nothing that was tried helps").arg(text)
                                  : tr("%1; %2: %3").arg(text, q(finding.remedy), gainText(finding));
}

QVariant FindingsModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Finding& finding = at(index.row());
    const bool helps = canTry(index.row());
    const QString tryText = finding.searchChance > 0.0 ? tr("Search") : tr("Try it");
    switch (role) {
    case kMessageCodeRole:
        return q(finding.rule);
    case Qt::AccessibleTextRole:
        if (index.column() == Explain)
            return explainText(finding.rule);
        if (index.column() == Place || index.column() == Remedy || index.column() == Gain) {
            const QString text = data(index, Qt::DisplayRole).toString();
            const QString heading = headerData(index.column(), Qt::Horizontal, Qt::DisplayRole).toString();
            return text.isEmpty() ? text : QStringLiteral("%1: %2").arg(heading, text);
        }
        if (index.column() != Try)
            return sentenceOf(index.row()); // of the whole row
        return !helps                       ? QString()
               : finding.searchChance > 0.0 ? remedyText(finding)
                                            : tr("Try it: %1").arg(q(finding.remedy));
    case Qt::ToolTipRole:
        return index.column() == Explain ? explainText(finding.rule) : sentenceOf(index.row());
    case Qt::TextAlignmentRole:
        return int((index.column() == Gain ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole:
        return index.column() == Place || index.column() == Gain ? bodyFont(500) : QVariant();
    case Qt::ForegroundRole:
        if (index.column() == Try)
            return theme().accent;
        if (index.column() == Gain)
            return finding.remedy.empty() ? theme().text2 : theme().ok;
        return index.column() == Remedy && !helps ? theme().text2 : QVariant();
    case Qt::DecorationRole:
        if (index.column() == Explain)
            return icon(QStringLiteral("help"), IconTone::Text2);
        if (index.column() != Sign)
            return {};
        return finding.severity == Severity::Error     ? icon(QStringLiteral("error"), IconTone::Err)
               : finding.severity == Severity::Warning ? icon(QStringLiteral("warning"), IconTone::Warn)
                                                       : icon(QStringLiteral("info"), IconTone::Text2);
    case Qt::DisplayRole:
        break;
    default:
        return {};
    }
    switch (index.column()) {
    case Place:
        return !finding.link.empty()     ? q(finding.link)
               : !finding.stages.empty() ? tr("Stages %1").arg(q(stageNumbers(finding.stages)))
               : finding.stage >= 0      ? tr("Stage %1").arg(finding.stage)
                                         : tr("Plan");
    case Text:
        return sentence(finding.text);
    case Remedy:
        return remedyText(finding);
    case Gain:
        return gainText(finding);
    case Try:
        return helps ? tryText : QString();
    default:
        return {};
    }
}

QVariant FindingsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return int((section == Gain ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
    case Place:
        return tr("Place");
    case Text:
        return tr("Finding");
    case Remedy:
        return tr("What helps");
    case Gain:
        return tr("Iteration then");
    default:
        return QString();
    }
}

} // namespace pw
