// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/node_dialog.h"

#include "core/base/units.h"
#include "ui/base/convert.h"
#include "ui/base/theme.h"
#include "ui/topology/user_catalogue.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

NodeDialog::NodeDialog(const Cluster& cluster, const Answer& start, QWidget* parent)
    : QDialog(parent), m_kind(new QComboBox(this)), m_gpus(new QSpinBox(this)), m_count(new QSpinBox(this)),
      m_racks(start.racks > 0 ? new QSpinBox(this) : nullptr),
      m_linkedTo(m_racks || cluster.switches.empty() ? nullptr : new QComboBox(this)),
      m_total(new QLabel(this)), m_cluster(cluster) {
    setObjectName(QStringLiteral("nodeDialog"));
    setWindowTitle(m_racks ? tr("Add racks") : tr("Add nodes"));
    setAccessibleName(windowTitle());
    for (const DeviceKind& k : kindsFor(cluster))
        m_kind->addItem(q(k.name));
    m_kind->setCurrentText(q(start.kind));
    m_kind->setObjectName(QStringLiteral("nodeDialog.kind"));
    m_gpus->setRange(1, 16);
    m_gpus->setValue(start.gpusPerNode);
    m_gpus->setObjectName(QStringLiteral("nodeDialog.gpus"));
    m_count->setRange(1, 1024);
    m_count->setValue(start.count);
    m_count->setObjectName(QStringLiteral("nodeDialog.count"));
    m_total->setObjectName(QStringLiteral("nodeDialog.total"));
    m_total->setFont(smallFont());

    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->addRow(tr("&Kind"), m_kind);
    form->addRow(tr("&GPUs a node"), m_gpus);
    if (m_racks) {
        m_racks->setRange(1, 128);
        m_racks->setValue(start.racks);
        m_racks->setObjectName(QStringLiteral("nodeDialog.racks"));
        m_racks->setAccessibleName(tr("Racks"));
        m_count->setRange(1, 64);
        form->addRow(tr("&Racks"), m_racks);
    }
    form->addRow(m_racks ? tr("&Nodes a rack") : tr("&How many"), m_count);
    if (m_linkedTo) {
        m_linkedTo->addItem(tr("Nothing yet"));
        for (const Switch& item : cluster.switches)
            m_linkedTo->addItem(q(item.id), q(item.id));
        m_linkedTo->setCurrentIndex(std::max(0, m_linkedTo->findData(q(start.linkedTo))));
        m_linkedTo->setObjectName(QStringLiteral("nodeDialog.linkedTo"));
        m_linkedTo->setAccessibleName(tr("Linked to"));
        form->addRow(tr("&Linked to"), m_linkedTo);
    }
    form->addRow(QString(), m_total);
    m_kind->setAccessibleName(tr("Kind"));
    m_gpus->setAccessibleName(tr("GPUs a node"));
    m_count->setAccessibleName(m_racks ? tr("Nodes a rack") : tr("How many nodes"));

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
    buttons->button(QDialogButtonBox::Ok)->setText(tr("Place"));
    buttons->button(QDialogButtonBox::Ok)->setObjectName(QStringLiteral("nodeDialog.place"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addLayout(form);
    column->addWidget(buttons);

    connect(m_kind, &QComboBox::currentTextChanged, this, &NodeDialog::showTotal);
    connect(m_gpus, &QSpinBox::valueChanged, this, &NodeDialog::showTotal);
    connect(m_count, &QSpinBox::valueChanged, this, &NodeDialog::showTotal);
    if (m_racks)
        connect(m_racks, &QSpinBox::valueChanged, this, &NodeDialog::showTotal);
    showTotal();
    QSpinBox* first = m_racks ? m_racks : m_count;
    first->setFocus();
    first->selectAll();
}

NodeDialog::Answer NodeDialog::answer() const {
    return {s(m_kind->currentText()), m_gpus->value(), m_count->value(), m_racks ? m_racks->value() : 0,
            m_linkedTo ? s(m_linkedTo->currentData().toString()) : std::string()};
}

void NodeDialog::showTotal() {
    const int gpus = m_gpus->value() * m_count->value() * (m_racks ? m_racks->value() : 1);
    const DeviceKind* kind = UserCatalogue::instance().find(s(m_kind->currentText()));
    if (const DeviceKind* known = findKind(m_cluster, s(m_kind->currentText())))
        kind = known;
    m_total->setText(kind ? tr("%1 GPUs with %2 each").arg(gpus).arg(q(formatGibibytes(kind->memory)))
                          : tr("%1 GPUs").arg(gpus));
}

} // namespace pw
