// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/imports/import_questions.h"

#include "core/base/units.h"
#include "core/cluster/network_kind.h"
#include "core/inventory/device_match.h"
#include "core/links/link_apply.h"
#include "core/links/link_fit.h"
#include "ui/base/convert.h"
#include "ui/base/theme.h"
#include "ui/widgets/value_field.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <set>
#include <utility>

namespace pw {

namespace {

constexpr std::size_t kRowsOfProject = 200'000; // more of them stay in the store unless asked for
constexpr int kItemsShown = 7, kItemHeight = 24;

bool asksFor(const ImportReading& reading, const char* flag) {
    return std::any_of(reading.notes.begin(), reading.notes.end(),
                       [flag](const Diagnostic& d) { return d.param("flag") == flag; });
}

} // namespace

ImportQuestions::ImportQuestions(QWidget* parent) : QWidget(parent), m_form(new QVBoxLayout(this)) {
    setObjectName(QStringLiteral("import.questions"));
    m_form->setContentsMargins(0, 0, 0, 0);
    m_form->setSpacing(4);
}

void ImportQuestions::clear() {
    while (QLayoutItem* item = m_form->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    m_rows = 0;
    m_fields.clear();
    m_items = nullptr;
    m_use = nullptr;
}

void ImportQuestions::addRow(const QString& label, QWidget* field) {
    auto* name = new QLabel(label);
    name->setWordWrap(true);
    name->setBuddy(field);
    m_form->addWidget(name);
    m_form->addWidget(field);
    m_form->addSpacing(4);
    ++m_rows;
}

ValueField* ImportQuestions::addField(const QString& label, const QString& name, const ValueSpec& spec,
                                      const QString& example, const std::function<void(double)>& take) {
    auto* field = new ValueField(spec, QStringLiteral("import.") + name, label);
    field->setExample(example);
    addRow(label, field);
    m_fields.push_back(field);
    connect(field, &ValueField::committed, this, [this, take](double value) {
        take(value);
        Q_EMIT changed();
    });
    connect(field, &ValueField::mended, this, &ImportQuestions::changed);
    return field;
}

void ImportQuestions::ask(const ImportReading& reading, const Project& project) {
    clear();
    if (reading.model && std::exchange(m_asModel, false)) // it was said of another model
        Q_EMIT readAgain();
    if (reading.refused() || std::holds_alternative<std::vector<LinkMeasurement>>(reading.content)) {
        if (asksFor(reading, "--ranks"))
            addField(tr("Ranks that took part"), QStringLiteral("ranks"), countSpec(2, 131'072), tr("8"),
                     [this](double n) {
                         m_ranks = static_cast<int>(n);
                         Q_EMIT readAgain();
                     });
        if (asksFor(reading, "--collective")) {
            auto* choice = new QComboBox;
            choice->setObjectName(QStringLiteral("import.collective"));
            choice->setPlaceholderText(tr("As read"));
            for (const std::string& name : knownCollectives())
                choice->addItem(q(name));
            choice->setCurrentIndex(choice->findText(q(m_collective)));
            connect(choice, &QComboBox::activated, this, [this, choice] {
                m_collective = s(choice->currentText());
                Q_EMIT readAgain();
            });
            addRow(tr("The timed collective"), choice);
        }
    }
    if (reading.refused())
        return;
    if (const auto* inventory = std::get_if<Inventory>(&reading.content))
        askMachines(*inventory);
    if (const auto* links = std::get_if<std::vector<LinkMeasurement>>(&reading.content))
        askItems(*links, project.cluster);
    if (const auto* rows = std::get_if<std::vector<ProfileRow>>(&reading.content)) {
        m_use = new QCheckBox(tr("Use them in this project"));
        m_use->setObjectName(QStringLiteral("import.use"));
        m_use->setChecked(m_useChosen && rows->size() <= kRowsOfProject);
        connect(m_use, &QCheckBox::toggled, this, [this](bool on) {
            m_useChosen = on;
            Q_EMIT changed();
        });
        addRow(tr("A project carries the rows that its figures rest on."), m_use);
        askKinds(*rows, project);
        if (!reading.model)
            askModel(*rows, project);
    }
}

// A kind of the catalogue; those that fit stand first.
void ImportQuestions::addKinds(const QString& label, const std::vector<std::string>& first,
                               const std::string& chosen,
                               const std::function<void(const std::string&)>& take) {
    auto* choice = new QComboBox;
    choice->setObjectName(QStringLiteral("import.device"));
    choice->setAccessibleName(label);
    choice->setPlaceholderText(tr("Choose the device kind"));
    for (const std::string& name : first)
        choice->addItem(q(name));
    if (!first.empty())
        choice->insertSeparator(choice->count());
    for (const DeviceKind& kind : Catalogue::builtin().kinds())
        if (std::find(first.begin(), first.end(), kind.name) == first.end())
            choice->addItem(q(kind.name));
    choice->setCurrentIndex(chosen.empty() ? -1 : choice->findText(q(chosen)));
    connect(choice, &QComboBox::activated, this, [this, choice, take] {
        take(s(choice->currentText()));
        Q_EMIT changed();
    });
    addRow(label, choice);
}

// Rows of a kind that no cluster has price nothing.
void ImportQuestions::askKinds(const std::vector<ProfileRow>& rows, const Project& project) {
    std::set<std::string> kinds;
    for (const ProfileRow& row : rows)
        if (findKind(project.cluster, row.kind) == nullptr)
            kinds.insert(row.kind);
    for (const std::string& kind : kinds) {
        std::vector<std::string> candidates;
        for (const DeviceKind* fitting : matchDevice(Catalogue::builtin(), kind, {}).candidates)
            candidates.push_back(fitting->name);
        const auto known = m_kinds.find(kind);
        addKinds(tr("\u201c%1\u201d is, so that plans use it").arg(q(kind)), candidates,
                 known == m_kinds.end() ? "" : known->second,
                 [this, kind](const std::string& name) { m_kinds[kind] = name; });
    }
}

// Profilers name models as they like; under another name rows price nothing.
void ImportQuestions::askModel(const std::vector<ProfileRow>& rows, const Project& project) {
    if (!project.model)
        return;
    const auto own = [&](const ProfileRow& row) { return sameModelName(row.model, project.model->name); };
    if (!m_asModel && std::any_of(rows.begin(), rows.end(), own))
        return;
    auto* same = new QCheckBox(tr("They measure %1").arg(q(project.model->name)));
    same->setObjectName(QStringLiteral("import.asModel"));
    same->setChecked(m_asModel);
    connect(same, &QCheckBox::toggled, this, [this](bool on) {
        m_asModel = on;
        Q_EMIT readAgain();
    });
    addRow(tr("The file names another model than the project's."), same);
}

void ImportQuestions::askMachines(const Inventory& inventory) {
    const ClusterQuestions open = questionsOf(inventory);
    for (const ClusterQuestions::Device& device : open.devices) {
        QStringList hosts;
        for (std::size_t i = 0; i < std::min<std::size_t>(device.hosts.size(), 3); ++i)
            hosts << q(device.hosts[i]);
        const QString where =
            device.hosts.size() > 3
                ? tr("%1 and %2 more").arg(hosts.join(QStringLiteral(", "))).arg(device.hosts.size() - 3)
                : hosts.join(QStringLiteral(", "));
        const QString label = device.model.empty() ? tr("GPUs of %1").arg(where)
                                                   : tr("\u201c%1\u201d of %2").arg(q(device.model), where);
        const auto known = m_answers.devices.find(device.model);
        addKinds(label, device.candidates, known == m_answers.devices.end() ? "" : known->second,
                 [this, model = device.model](const std::string& kind) { m_answers.devices[model] = kind; });
    }
    if (open.gpus) {
        ValueField* field = addField(tr("How many GPUs has a host for which no file counts them?"),
                                     QStringLiteral("gpus"), countSpec(1, 1024), tr("wanted, such as 8"),
                                     [this](double n) { m_answers.gpus = static_cast<int>(n); });
        if (m_answers.gpus)
            field->setValues({static_cast<double>(*m_answers.gpus)});
    }
    if (inventory.hosts.size() < 2)
        return;
    if (open.bandwidth) {
        ValueSpec spec = bitRateSpec(1e6, 1e13);
        spec.unit = QStringLiteral("Gbit/s");
        ValueField* field = addField(tr("A host's way into the network, one lane"),
                                     QStringLiteral("bandwidth"), std::move(spec), tr("such as 200 Gbit/s"),
                                     [this](double rate) { m_answers.bandwidth = BytesPerSecond(rate); });
        if (m_answers.bandwidth)
            field->setValues({m_answers.bandwidth->value});
        addField(tr("Lanes of it"), QStringLiteral("lanes"), countSpec(1, 1024), tr("1"), [this](double n) {
            m_answers.lanes = static_cast<int>(n);
        })->setValues({static_cast<double>(m_answers.lanes)});
    }
    if (open.medium) {
        auto* choice = new QComboBox;
        choice->setObjectName(QStringLiteral("import.medium"));
        choice->setPlaceholderText(tr("Ethernet is assumed"));
        for (const NetworkKind& kind : networkKinds())
            choice->addItem(q(std::string(kind.name)));
        choice->setCurrentIndex(m_answers.medium.empty() ? -1 : choice->findText(q(m_answers.medium)));
        connect(choice, &QComboBox::activated, this, [this, choice] {
            m_answers.medium = s(choice->currentText());
            Q_EMIT changed();
        });
        addRow(tr("What the network is, which decides how much of its rate is usable"), choice);
    }
    const bool unstatedTrunks = std::ranges::any_of(inventory.cables, [&](const InventoryCable& cable) {
        const auto isSwitch = [&](const std::string& id) {
            return std::ranges::find(inventory.switches, id, &InventorySwitch::name) !=
                   inventory.switches.end();
        };
        return !cable.bandwidth && isSwitch(cable.a) && isSwitch(cable.b);
    });
    if (unstatedTrunks) {
        ValueField* field = addField(tr("Between switches, if not as much as lies below"),
                                     QStringLiteral("trunk"), bitRateSpec(1e6, 1e15), tr("as lies below"),
                                     [this](double rate) { m_answers.trunk = BytesPerSecond(rate); });
        if (m_answers.trunk)
            field->setValues({m_answers.trunk->value});
    }
    ValueField* field =
        addField(tr("Latency of a cable, if not %1").arg(q(formatDuration(Link{}.latency))),
                 QStringLiteral("latency"), durationSpec(0, 1), q(formatDuration(Link{}.latency)),
                 [this](double time) { m_answers.latency = Seconds(time); });
    if (m_answers.latency)
        field->setValues({m_answers.latency->value});
}

void ImportQuestions::askItems(const std::vector<LinkMeasurement>& links, const Cluster& cluster) {
    if (links.empty() || cluster.nodes.empty())
        return;
    std::vector<std::string> fitting;
    for (const LinkMeasurement& m : links)
        for (const std::string& id : linkTargets(cluster, m))
            fitting.push_back(id);
    m_items = new QListWidget;
    m_items->setObjectName(QStringLiteral("import.items"));
    m_items->setAccessibleName(tr("Nodes and links that were measured"));
    const auto add = [&](const std::string& id, const QString& what) {
        auto* item = new QListWidgetItem(q(id) + QStringLiteral("  ") + what, m_items);
        item->setData(Qt::UserRole, q(id));
        item->setSizeHint({0, kItemHeight});
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsUserCheckable | Qt::ItemIsSelectable);
        item->setCheckState(std::find(fitting.begin(), fitting.end(), id) != fitting.end() ? Qt::Checked
                                                                                           : Qt::Unchecked);
    };
    for (const Node& node : cluster.nodes)
        add(node.id, tr("inside, %1 GPUs").arg(node.gpus));
    for (const Link& link : cluster.links)
        add(link.id, tr("link"));
    m_items->setFixedHeight(std::min(m_items->count(), kItemsShown) * kItemHeight + 4);
    connect(m_items, &QListWidget::itemChanged, this, &ImportQuestions::changed);
    addRow(tr("Apply to links, or inside nodes"), m_items);
}

std::vector<std::string> ImportQuestions::items() const {
    std::vector<std::string> ids;
    for (int i = 0; m_items && i < m_items->count(); ++i)
        if (m_items->item(i)->checkState() == Qt::Checked)
            ids.push_back(s(m_items->item(i)->data(Qt::UserRole).toString()));
    return ids;
}

bool ImportQuestions::useInProject() const {
    return m_use && m_use->isChecked();
}

QString ImportQuestions::fault() const {
    for (const ValueField* field : m_fields)
        if (!field->error().isEmpty())
            return field->error();
    return {};
}

} // namespace pw
