// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/answers/price_row.h"

#include "core/cluster/price.h"
#include "ui/base/convert.h"
#include "ui/session/document.h"
#include "ui/widgets/value_field.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>

namespace pw {

namespace {

constexpr int kLabelHigh = 24; // pixels; a field has its error below

QLabel* beside(const QString& text) {
    auto* label = new QLabel(text);
    label->setFixedHeight(kLabelHigh);
    return label;
}

void enter(const ValueField& field) {
    field.edit()->setFocus(Qt::ShortcutFocusReason);
    field.edit()->selectAll();
}

std::vector<std::string> kindsOf(const Cluster& cluster) {
    std::vector<std::string> kinds;
    for (const Node& node : cluster.nodes)
        if (findKind(cluster, node.kind) && std::find(kinds.begin(), kinds.end(), node.kind) == kinds.end())
            kinds.push_back(node.kind);
    return kinds;
}

// From which Tab leads into the row; null: it stands in no form yet. A new widget is the last of the whole
// window otherwise.
QWidget* fieldBefore(const PriceRow& row) {
    QWidget* before = row.previousInFocusChain();
    while (before != &row && (before->focusPolicy() & Qt::TabFocus) == 0)
        before = before->previousInFocusChain();
    return before == &row ? nullptr : before;
}

} // namespace

PriceRow::PriceRow(AppContext& context, QWidget* parent)
    : QWidget(parent), m_context(context), m_row(new QHBoxLayout(this)) {
    setObjectName(QStringLiteral("answers.prices"));
    setAccessibleName(tr("Prices of an hour"));
    m_row->setContentsMargins(10, 0, 10, 4);
    m_row->setSpacing(8);
    m_row->addWidget(beside(tr("Price of an hour of")), 0, Qt::AlignTop);
    m_row->addStretch(1);
    connect(&context.document, &Document::changed, this, &PriceRow::refresh);
    refresh();
}

void PriceRow::refresh() {
    const Cluster& cluster = m_context.document.project()->cluster;
    if (const std::vector<std::string> kinds = kindsOf(cluster); kinds != m_kinds) {
        m_kinds = kinds;
        m_fields.clear();
        while (m_row->count() > 2) { // between the words and the stretch
            QLayoutItem* item = m_row->takeAt(1);
            item->widget()->deleteLater();
            delete item;
        }
        QWidget* before = fieldBefore(*this);
        for (const std::string& kind : m_kinds) {
            const QString name = q(findKind(cluster, kind)->shortName);
            auto* field = new ValueField(priceSpec(tr("unknown")), QStringLiteral("answers.price.") + q(kind),
                                         tr("Price of an hour of %1").arg(name));
            field->setFixedWidth(84);
            QLabel* label = beside(name);
            label->setBuddy(field->edit());
            m_row->insertWidget(m_row->count() - 1, label, 0, Qt::AlignTop);
            m_row->insertWidget(m_row->count() - 1, field, 0, Qt::AlignTop);
            if (before)
                setTabOrder(before, field->edit());
            before = field->edit();
            connect(field, &ValueField::committed, this,
                    [this, kind](double price) { setPrice(kind, price); });
            m_fields.push_back(field);
        }
    }
    for (std::size_t i = 0; i < m_kinds.size(); ++i)
        m_fields[i]->setValues({findKind(cluster, m_kinds[i])->pricePerHour});
}

bool PriceRow::focusFirst() {
    if (m_fields.empty())
        return false;
    enter(*m_fields.front());
    return true;
}

bool PriceRow::focusOn(const QString& kinds) {
    const QStringList names = kinds.split(QStringLiteral(", "));
    const auto at = std::find_if(m_kinds.begin(), m_kinds.end(),
                                 [&](const std::string& kind) { return names.contains(q(kind)); });
    if (at == m_kinds.end())
        return false;
    enter(*m_fields[static_cast<std::size_t>(at - m_kinds.begin())]);
    return true;
}

void PriceRow::setPrice(const std::string& kind, double perHour) {
    Project project = *m_context.document.project();
    const Status priced = pw::setPrice(project.cluster, kind, perHour);
    m_context.document.apply(priced ? Result<Project>(std::move(project)) : priced.error(),
                             tr("Price %1").arg(q(kind)));
}

} // namespace pw
