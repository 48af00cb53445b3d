// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/published/published_text.h"

#include "core/reproduce/reproduced_text.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/published/published_dialog.h"

#include <algorithm>

namespace pw {

namespace {

// "12 GPUs (8 V100e, 4 A100-SXM4-40GB)"
QString gpusText(const Cluster& cluster) {
    std::vector<std::pair<std::string, int>> kinds; // in the order of the nodes
    for (const Node& node : cluster.nodes) {
        const auto at = std::find_if(kinds.begin(), kinds.end(),
                                     [&](const auto& kind) { return kind.first == node.kind; });
        if (at == kinds.end())
            kinds.emplace_back(node.kind, node.gpus);
        else
            at->second += node.gpus;
    }
    QStringList parts;
    for (const auto& [kind, gpus] : kinds)
        parts << PublishedDialog::tr("%1 %2", "number and kind of GPUs").arg(QString::number(gpus), q(kind));
    return PublishedDialog::tr("%1 GPUs (%2)")
        .arg(QString::number(cluster.gpuCount()), parts.join(QStringLiteral(", ")));
}

} // namespace

QString publishedCaseText(const PublishedCase& one) {
    if (!one.cluster || !one.model || !one.recipe)
        return PublishedDialog::tr(
                   "%1. It has no cluster, model and training of its own and cannot be opened "
                   "as a project.")
            .arg(q(one.name));
    return PublishedDialog::tr("%1. %2, model %3, %4 sequences of %5 tokens a step.")
        .arg(q(one.name), gpusText(*one.cluster), q(one.model->name), countText(one.recipe->gbs),
             countText(one.recipe->seq));
}

QString publishedNotes(const PublishedChoice& chosen, const std::vector<ReproducedRow>& predicted) {
    QStringList lines;
    const auto list = [&lines](const QString& head,
                               const std::vector<std::pair<QString, QStringList>>& texts) {
        if (!texts.empty())
            lines << head;
        for (const auto& [text, places] : texts) {
            lines << QStringLiteral("  ") + text;
            if (!places.isEmpty())
                lines << QStringLiteral("    ") +
                             PublishedDialog::tr("for: %1").arg(places.join(QStringLiteral("; ")));
        }
    };
    const auto say = [](std::vector<std::pair<QString, QStringList>>& texts, const std::string& text,
                        const QString& place) {
        if (text.empty())
            return;
        const QString words = sentence(text);
        auto at =
            std::find_if(texts.begin(), texts.end(), [&](const auto& said) { return said.first == words; });
        if (at == texts.end())
            at = texts.insert(texts.end(), {words, {}});
        if (!place.isEmpty())
            at->second << place;
    };
    std::vector<std::pair<QString, QStringList>> assumed, reasons;
    for (const PublishedCase* one : chosen.cases())
        say(assumed, one->assumed, chosen.only ? QString() : q(one->name));
    for (const ReproducedRow& row : predicted)
        say(reasons, whyText(row),
            chosen.only ? q(row.row->quantity)
                        : PublishedDialog::tr("%1, %2", "case and quantity")
                              .arg(q(row.ofCase->name), q(row.row->quantity)));
    list(PublishedDialog::tr("Assumed:"), assumed);
    list(PublishedDialog::tr("Why they differ, or why nothing is predicted:"), reasons);
    return lines.join(QLatin1Char('\n'));
}

} // namespace pw
