// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/topology/domain_fields.h"

#include "core/edit/domains.h"
#include "ui/base/convert.h"
#include "ui/commands/app_context.h"
#include "ui/commands/commands.h"
#include "ui/session/document.h"
#include "ui/session/selection.h"
#include "ui/topology/property_form.h"
#include "ui/widgets/value_field.h"

#include <QAction>
#include <QComboBox>
#include <QLineEdit>

namespace pw {

DomainFields::DomainFields(const AppContext& app, PropertyForm& form)
    : QObject(form.page), m_app(app), m_choice(new QComboBox), m_name(new QLineEdit),
      m_rate(new ValueField(byteRateSpec(0, 1e14, tr("of the nodes")),
                            QStringLiteral("properties.domainBandwidth"),
                            tr("Bandwidth of the NVLink domain"))),
      m_delay(new ValueField(durationSpec(0, 1.0), QStringLiteral("properties.domainLatency"),
                             tr("Latency of the NVLink domain"))) {
    m_choice->setObjectName(QStringLiteral("properties.domain"));
    m_choice->setAccessibleName(tr("NVLink domain"));
    m_name->setObjectName(QStringLiteral("properties.domainName"));
    m_name->setAccessibleName(tr("Name of the NVLink domain"));
    m_name->setMinimumHeight(24);
    form.add(tr("NVLink domain"), m_choice);
    const auto figure = [&](const QString& label, QWidget* field) {
        form.add(label, field);
        const QLayoutItem* caption = form.grid->itemAtPosition(form.grid->rowCount() - 1, 0);
        m_figures.insert(m_figures.end(), {caption->widget(), field});
    };
    figure(tr("Domain name"), m_name);
    figure(tr("Domain rate"), m_rate);
    figure(tr("Domain latency"), m_delay);
    connect(m_choice, &QComboBox::activated, this, &DomainFields::take);
    connect(m_name, &QLineEdit::editingFinished, this, &DomainFields::rename);
    connect(m_rate, &ValueField::committed, this, [this](double v) {
        setDomains(tr("Change bandwidth of NVLink domain"),
                   [v](NvlinkDomain& domain) { domain.bandwidth = BytesPerSecond(v); });
    });
    connect(m_delay, &ValueField::committed, this, [this](double v) {
        setDomains(tr("Change latency of NVLink domain"),
                   [v](NvlinkDomain& domain) { domain.latency = Seconds(v); });
    });
}

void DomainFields::show(const std::vector<const Node*>& nodes) {
    m_nodes.clear();
    m_domains.clear();
    m_outside = false;
    const Cluster& cluster = m_app.document.project()->cluster;
    ItemIds rest;
    for (const Node* node : nodes) {
        m_nodes.push_back(node->id);
        rest.insert(node->id);
    }
    for (const NvlinkDomain& domain : cluster.nvlinkDomains) {
        std::size_t held = 0;
        for (const std::string& node : domain.nodes)
            held += rest.erase(node);
        if (held > 0)
            m_domains.push_back(domain);
    }
    m_outside = !rest.empty();
    fillChoice();
    std::vector<double> rates, delays;
    for (const NvlinkDomain& domain : m_domains) {
        rates.push_back(domain.bandwidth.value);
        delays.push_back(domain.latency.value);
    }
    m_rate->setValues(rates);
    m_delay->setValues(delays);
    const bool one = m_domains.size() == 1;
    m_name->setEnabled(one);
    m_name->setText(one ? q(m_domains.front().id) : QString());
    m_name->setPlaceholderText(one ? QString() : tr("%1 values").arg(m_domains.size()));
    for (QWidget* part : m_figures)
        part->setVisible(!m_domains.empty());
}

// None, those that there are, and a new one for several nodes.
void DomainFields::fillChoice() {
    m_choice->clear();
    m_choice->addItem(tr("none"));
    for (const NvlinkDomain& domain : m_app.document.project()->cluster.nvlinkDomains)
        m_choice->addItem(q(domain.id), q(domain.id));
    if (m_nodes.size() > 1)
        m_choice->addItem(tr("New domain\u2026"));
    const std::size_t states = m_domains.size() + (m_outside ? 1 : 0);
    m_choice->setCurrentIndex(states != 1         ? -1
                              : m_domains.empty() ? 0
                                                  : m_choice->findData(q(m_domains.front().id)));
    m_choice->setPlaceholderText(tr("%1 values").arg(states));
}

void DomainFields::take(int choice) {
    const ItemIds nodes(m_nodes.begin(), m_nodes.end());
    const Project& project = *m_app.document.project();
    const QString domain = m_choice->itemData(choice).toString();
    if (!domain.isEmpty())
        m_app.document.apply(joinDomain(project, nodes, s(domain)), tr("Join NVLink domain %1").arg(domain));
    else if (choice > 0)
        m_app.commands.action("canvas.domain")->trigger();
    else if (!m_domains.empty())
        m_app.document.apply(leaveDomain(project, nodes), tr("Leave the NVLink domain"));
    fillChoice(); // what was refused, or is still asked for, is not so
}

void DomainFields::rename() {
    if (m_domains.size() != 1)
        return;
    const std::string old = m_domains.front().id;
    const QString wanted = m_name->text().trimmed();
    if (wanted == q(old))
        return;
    m_name->setText(q(old)); // until it is called otherwise
    m_app.document.apply(renameItem(*m_app.document.project(), old, s(wanted)), tr("Rename %1").arg(q(old)));
}

void DomainFields::setDomains(const QString& what, const std::function<void(NvlinkDomain&)>& change) {
    Result<Project> edited = *m_app.document.project();
    for (NvlinkDomain domain : m_domains) {
        change(domain);
        if (edited)
            edited = setDomain(*edited, domain);
    }
    m_app.document.apply(edited, what);
}

bool DomainFields::choose(const QString& domain) {
    for (const NvlinkDomain& each : m_app.document.project()->cluster.nvlinkDomains) {
        if (q(each.id) != domain)
            continue;
        QSet<QString> nodes;
        for (const std::string& node : each.nodes)
            nodes.insert(q(node));
        m_app.selection.setItems(nodes);
        return true;
    }
    return false;
}

} // namespace pw
