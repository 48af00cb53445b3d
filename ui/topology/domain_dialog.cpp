// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/domain_dialog.h"

#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/own_colour.h"
#include "ui/base/theme.h"
#include "ui/widgets/value_field.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>

namespace pw {

DomainDialog::DomainDialog(const Project& project, const ItemIds& items, QWidget* parent)
    : QDialog(parent), m_project(project), m_items(items), m_name(new QLineEdit(this)),
      m_gpus(new QSpinBox(this)),
      m_rate(new ValueField(byteRateSpec(0, 1e14, tr("of the nodes")),
                            QStringLiteral("domainDialog.bandwidth"), tr("GPU to GPU"), this)),
      m_delay(
          new ValueField(durationSpec(0, 1.0), QStringLiteral("domainDialog.latency"), tr("Latency"), this)),
      m_total(new QLabel(this)),
      m_buttons(new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this)) {
    setObjectName(QStringLiteral("domainDialog"));
    setWindowTitle(tr("Share an NVLink domain"));
    setAccessibleName(windowTitle());

    // From the domain that they are, as a whole; else as racks of their kind are built.
    int gpus = 0, usual = 0;
    NvlinkDomain start;
    for (const Node& node : project.cluster.nodes)
        if (items.contains(node.id)) {
            gpus += node.gpus;
            if (const DeviceKind* kind = findKind(project.cluster, node.kind))
                usual = std::max(usual, kind->nvlinkDomain);
        }
    for (const NvlinkDomain& domain : project.cluster.nvlinkDomains)
        if (std::ranges::all_of(domain.nodes, [&](const std::string& id) { return items.contains(id); }))
            start = domain;
    m_bandwidth = start.bandwidth.value;
    m_latency = start.latency.value;
    m_gpus->setObjectName(QStringLiteral("domainDialog.gpus"));
    m_gpus->setAccessibleName(tr("GPUs a domain"));
    m_gpus->setRange(2, std::max(2, gpus));
    m_gpus->setValue(usual > 0 ? std::min(usual, gpus) : gpus);
    m_name->setObjectName(QStringLiteral("domainDialog.name"));
    m_name->setAccessibleName(tr("Name"));
    m_name->setPlaceholderText(QStringLiteral("d1"));
    if (m_gpus->value() >= gpus)
        m_name->setText(q(start.id));
    m_rate->setValues({m_bandwidth});
    m_delay->setValues({m_latency});
    m_total->setObjectName(QStringLiteral("domainDialog.total"));
    m_total->setFont(smallFont());
    m_total->setWordWrap(true);

    auto* form = new QFormLayout;
    form->setHorizontalSpacing(16);
    form->addRow(tr("&Name"), m_name);
    form->addRow(tr("&GPUs a domain"), m_gpus);
    form->addRow(tr("GPU &to GPU"), m_rate);
    form->addRow(tr("&Latency"), m_delay);
    form->addRow(QString(), m_total);
    QPushButton* share = m_buttons->button(QDialogButtonBox::Ok);
    share->setText(tr("Share"));
    share->setObjectName(QStringLiteral("domainDialog.share"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    column->addLayout(form);
    column->addWidget(m_buttons);

    connect(m_buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_name, &QLineEdit::textChanged, this, &DomainDialog::judge);
    connect(m_gpus, &QSpinBox::valueChanged, this, &DomainDialog::judge);
    connect(m_rate, &ValueField::committed, this, [this](double v) {
        m_bandwidth = v;
        judge();
    });
    connect(m_delay, &ValueField::committed, this, [this](double v) {
        m_latency = v;
        judge();
    });
    judge();
    m_name->setFocus();
    m_name->selectAll();
}

DomainWish DomainDialog::wish() const {
    return {s(m_name->text().trimmed()), m_gpus->value(), BytesPerSecond(m_bandwidth), Seconds(m_latency)};
}

Result<Project> DomainDialog::edited() const {
    return shareDomain(m_project, m_items, wish());
}

void DomainDialog::judge() {
    const Result<Project> shared = edited();
    m_buttons->button(QDialogButtonBox::Ok)->setEnabled(bool(shared));
    setOwnColour(*m_total, QPalette::WindowText, shared ? theme().text2 : theme().err);
    if (!shared) {
        m_total->setText(messageText(shared.error()));
        return;
    }
    std::size_t domains = 0, nodes = 0;
    for (const NvlinkDomain& domain : shared->cluster.nvlinkDomains)
        if (m_items.contains(domain.nodes.front())) {
            ++domains;
            nodes += domain.nodes.size();
        }
    m_total->setText(domains == 1 ? tr("1 domain of %1 nodes").arg(nodes)
                                  : tr("%1 domains, %2 nodes together").arg(domains).arg(nodes));
}

} // namespace pw
