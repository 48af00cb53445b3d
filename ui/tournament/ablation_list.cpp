// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tournament/ablation_list.h"

#include "core/search/options.h"
#include "ui/base/convert.h"
#include "ui/base/format.h"
#include "ui/base/theme.h"

#include <QLabel>
#include <QListWidget>
#include <QScreen>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

namespace {

constexpr int kRowHeight = 22, kWidth = 268;

QString helpOf(const Entrant& ablation) {
    for (const SearchPart& part : searchPartTable())
        if (ablation.without.front() == part.name)
            return sentence(std::string(part.help));
    return {};
}

} // namespace

AblationList::AblationList(QWidget* parent)
    : QFrame(parent, Qt::Popup), m_list(new QListWidget), m_all(allAblations()) {
    setObjectName(QStringLiteral("ablationList"));
    setAccessibleName(tr("Planners without a part"));
    setAttribute(Qt::WA_NoMouseReplay); // the click on the button that closes it does not open it again
    setFixedWidth(kWidth);
    auto* heading = new QLabel(tr("Also run, to see what a part brings"));
    heading->setFont(bodyFont(QFont::DemiBold));
    heading->setContentsMargins(8, 4, 8, 2);
    m_list->setObjectName(QStringLiteral("ablationList.list"));
    m_list->setAccessibleName(tr("Planners without a part"));
    m_list->setUniformItemSizes(true);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    for (const Entrant& ablation : m_all) {
        auto* item = new QListWidgetItem(q(ablation.label()), m_list);
        item->setToolTip(tr("Left out: %1").arg(helpOf(ablation)));
        item->setCheckState(Qt::Unchecked);
        item->setSizeHint({0, kRowHeight});
    }
    m_list->setFixedHeight(kRowHeight * std::min(m_list->count(), 16) + 4);
    m_list->setCurrentRow(0);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4, 4, 4, 4);
    column->setSpacing(2);
    column->addWidget(heading);
    column->addWidget(m_list);
    setFocusProxy(m_list);
    connect(m_list, &QListWidget::itemChanged, this, &AblationList::changed);
}

void AblationList::showBelow(QWidget* anchor, bool partitions) {
    const QSignalBlocker quietly(m_list);
    for (int row = 0; row < m_list->count(); ++row)
        if (m_all[static_cast<std::size_t>(row)].without.front() == "partition") {
            QListWidgetItem* item = m_list->item(row);
            item->setFlags(item->flags().setFlag(Qt::ItemIsEnabled, partitions));
            item->setToolTip(partitions ? tr("Left out: %1").arg(helpOf(m_all[static_cast<std::size_t>(row)]))
                                        : tr("Searched only with Partitions on in the search options"));
        }
    adjustSize();
    const QRect screen = anchor->screen()->availableGeometry();
    QPoint at = anchor->mapToGlobal(QPoint(anchor->width() - width(), anchor->height() + 2));
    if (at.y() + height() > screen.bottom())
        at.setY(anchor->mapToGlobal(QPoint(0, 0)).y() - height() - 2);
    move(std::max(screen.left(), at.x()), std::max(screen.top(), at.y()));
    show();
    m_list->setFocus();
}

std::vector<Entrant> AblationList::chosen() const {
    std::vector<Entrant> list;
    for (int row = 0; row < m_list->count(); ++row) {
        const QListWidgetItem* item = m_list->item(row);
        if (item->checkState() == Qt::Checked && item->flags().testFlag(Qt::ItemIsEnabled))
            list.push_back(m_all[static_cast<std::size_t>(row)]);
    }
    return list;
}

void AblationList::setChosen(const std::vector<Entrant>& ablations) {
    const QSignalBlocker quietly(m_list);
    for (int row = 0; row < m_list->count(); ++row)
        m_list->item(row)->setCheckState(std::find(ablations.begin(), ablations.end(),
                                                   m_all[static_cast<std::size_t>(row)]) == ablations.end()
                                             ? Qt::Unchecked
                                             : Qt::Checked);
}

} // namespace pw
