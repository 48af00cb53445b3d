// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/cluster/network_kind.h"
#include "core/cluster/switch_sides.h"
#include "core/edit/edit.h"
#include "ui/base/convert.h"
#include "ui/base/theme.h"
#include "ui/commands/app_context.h"
#include "ui/session/document.h"
#include "ui/topology/domain_fields.h"
#include "ui/topology/drawing.h"
#include "ui/topology/property_form.h"
#include "ui/topology/property_panel.h"
#include "ui/widgets/value_field.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>

#include <algorithm>

namespace pw {

// The fields of nodes, switches and links, a page each.

namespace {

constexpr double kTerabit = 1e12 / 8.0;
constexpr int kMostLanes = 4096;

// A line under the fields, of the plan in view.
QLabel* planNote(PropertyForm& form, const QString& name) {
    auto* note = new QLabel;
    note->setObjectName(name);
    note->setFont(smallFont());
    note->setWordWrap(true);
    note->setForegroundRole(QPalette::PlaceholderText);
    note->setTextInteractionFlags(Qt::TextSelectableByMouse);
    form.grid->addWidget(note, form.grid->rowCount(), 0, 1, 2);
    return note;
}

} // namespace

QWidget* PropertyPanel::nodePage() {
    PropertyForm form;
    m_kind = form.add(tr("Kind"), new QComboBox);
    m_kind->setObjectName(QStringLiteral("properties.kind"));
    m_kind->setAccessibleName(tr("Kind"));
    connect(m_kind, &QComboBox::textActivated, this, [this](const QString& kind) {
        setNodes(tr("Change kind"), nullptr, [kind](Node& n) { n.kind = s(kind); });
    });
    const auto row = [&](const QString& name, const QString& label, ValueSpec spec, auto get, auto set) {
        auto* field =
            form.add(label, new ValueField(std::move(spec), QStringLiteral("properties.") + name, label));
        m_nodeRows.push_back({field, get, set});
        connect(field, &ValueField::committed, this, [this, field, label, set](double v) {
            setNodes(tr("Change %1").arg(label.toLower()), field, [set, v](Node& n) { set(n, v); });
        });
    };
    row(
        QStringLiteral("gpus"), tr("GPUs"), countSpec(1, 16), [](const Node& n) { return double(n.gpus); },
        [](Node& n, double v) { n.gpus = static_cast<int>(v); });
    row(
        QStringLiteral("intraBandwidth"), tr("GPU to GPU"), byteRateSpec(0, 1e14, tr("of the kind")),
        [](const Node& n) { return n.intraBandwidth.value; },
        [](Node& n, double v) { n.intraBandwidth = BytesPerSecond(v); });
    row(
        QStringLiteral("intraLatency"), tr("Latency"), durationSpec(0, 1.0),
        [](const Node& n) { return n.intraLatency.value; },
        [](Node& n, double v) { n.intraLatency = Seconds(v); });
    row(
        QStringLiteral("memoryTaken"), tr("Memory taken"), memorySpec(0, 1e13),
        [](const Node& n) { return n.memoryTaken.value; },
        [](Node& n, double v) { n.memoryTaken = Bytes(v); });
    row(
        QStringLiteral("speed"), tr("Speed"), percentSpec(0.01, 1.0), [](const Node& n) { return n.speed; },
        [](Node& n, double v) { n.speed = v; });
    m_domain = new DomainFields(m_app, form);
    m_plan = planNote(form, QStringLiteral("properties.plan"));
    m_nodeTraffic = planNote(form, QStringLiteral("properties.node.traffic"));
    return form.finish();
}

QWidget* PropertyPanel::switchPage() {
    PropertyForm form;
    m_medium = form.add(tr("Medium"), new QComboBox);
    m_medium->setObjectName(QStringLiteral("properties.medium"));
    m_medium->setAccessibleName(tr("Medium"));
    std::vector<std::string> media{"Ethernet", "InfiniBand", "RoCE"}; // the usual ones first
    for (const NetworkKind& kind : networkKinds())
        if (std::ranges::find(media, kind.name) == media.end())
            media.emplace_back(kind.name);
    for (const std::string& medium : media)
        m_medium->addItem(mediumText(medium), q(medium));
    m_mediumNote = propertyNote(QStringLiteral("properties.medium.note"));
    form.grid->addWidget(m_mediumNote, form.grid->rowCount(), 1);
    connect(m_medium, &QComboBox::activated, this, [this](int row) {
        const QString medium = m_medium->itemData(row).toString();
        Result<Project> edited = *m_app.document.project();
        for (const Switch* item : m_switches) {
            Switch changed = *item;
            changed.medium = s(medium);
            if (edited)
                edited = setSwitch(*edited, changed);
        }
        m_app.document.apply(edited, tr("Change medium"));
    });
    m_switchSides = form.add(tr("Cables"), propertyNote(QStringLiteral("properties.switch.sides")));
    m_switchTraffic = planNote(form, QStringLiteral("properties.switch.traffic"));
    return form.finish();
}

QString PropertyPanel::switchSides() const {
    std::vector<SwitchSides> all;
    for (const Switch* item : m_switches)
        all.push_back(sidesOf(m_shown->cluster, item->id));
    const QString text = cablesText(all);
    return text.isEmpty() ? tr("none") : text;
}

QWidget* PropertyPanel::linkPage() {
    PropertyForm form;
    const auto row = [&](const QString& name, const QString& label, ValueSpec spec, auto get, auto set) {
        auto* field =
            form.add(label, new ValueField(std::move(spec), QStringLiteral("properties.") + name, label));
        m_linkRows.push_back({field, get, set});
        connect(field, &ValueField::committed, this, [this, field, label, set](double v) {
            setLinksOf(tr("Change %1").arg(label.toLower()), field, [this, field, set, v](Link& l) {
                set(l, v);
                if (field == m_bandwidth && m_typedLanes > 0)
                    l.lanes = m_typedLanes;
            });
        });
    };
    row(
        QStringLiteral("bandwidth"), tr("Bandwidth"),
        laneRateSpec(1e3, 100 * kTerabit, kMostLanes, [this](int lanes) { m_typedLanes = lanes; }),
        [](const Link& l) { return l.bandwidth.value; },
        [](Link& l, double v) { l.bandwidth = BytesPerSecond(v); });
    m_bandwidth = m_linkRows.back().field;
    row(
        QStringLiteral("lanes"), tr("Lanes"), countSpec(1, kMostLanes),
        [](const Link& l) { return double(l.lanes); },
        [](Link& l, double v) { l.lanes = static_cast<int>(v); });
    row(
        QStringLiteral("latency"), tr("Latency"), durationSpec(0, 10.0),
        [](const Link& l) { return l.latency.value; }, [](Link& l, double v) { l.latency = Seconds(v); });
    row(
        QStringLiteral("efficiency"), tr("Efficiency"), percentSpec(0.01, 1.0),
        [](const Link& l) { return l.efficiency; }, [](Link& l, double v) { l.efficiency = v; });
    m_network = form.add(tr("Network"), propertyNote(QStringLiteral("properties.network")));
    m_linkTraffic = planNote(form, QStringLiteral("properties.link.traffic"));
    return form.finish();
}

} // namespace pw
