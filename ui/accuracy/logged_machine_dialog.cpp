// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/logged_machine_dialog.h"

#include "core/base/units.h"
#include "core/calibrate/gpu_text.h"
#include "core/calibrate/network_text.h"
#include "core/cluster/network_kind.h"
#include "core/exchange/launch_order.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/own_colour.h"
#include "ui/base/theme.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>

#include <algorithm>
#include <map>

namespace pw {

namespace {

constexpr int kUsualPerNode = 8, kMostPerNode = 1024; // GPUs, as the command line takes them
constexpr int kNamed = 4;                             // logs; of more their number is said

QString logsText(const QStringList& logs) {
    QStringList names;
    for (const QString& log : logs)
        names << QFileInfo(log).fileName();
    if (names.size() == 1)
        return LoggedMachineDialog::tr("%1 does not say on which machines it was printed.")
            .arg(names.front());
    return names.size() <= kNamed
               ? LoggedMachineDialog::tr("%1 do not say on which machines they were printed.")
                     .arg(names.join(QStringLiteral(", ")))
               : LoggedMachineDialog::tr("%1 logs do not say on which machines they were printed.")
                     .arg(names.size());
}

// "8x400 Gbit/s InfiniBand per node", as parseNetwork() reads it: all links of the node that are of its
// fastest medium, with their mean rate where they differ. Empty where the node has no link.
std::string networkOf(const Cluster& cluster, const Node& node) {
    struct Way {
        int lanes = 0;
        BytesPerSecond rate{0}; // of all lanes
    };
    std::map<std::string_view, Way> ways; // by medium
    for (const Link& link : cluster.links)
        if (link.a == node.id || link.b == node.id) {
            Way& way = ways[mediumOf(cluster, link)];
            way.lanes += link.lanes;
            way.rate.value += link.bandwidth.value * link.lanes;
        }
    const auto fastest =
        std::ranges::max_element(ways, {}, [](const auto& way) { return way.second.rate.value; });
    if (fastest == ways.end())
        return {};
    const auto& [medium, way] = *fastest;
    return std::to_string(way.lanes) + "x" + formatBitRate(BytesPerSecond(way.rate.value / way.lanes)) + " " +
           std::string(medium) + " per node";
}

// "4x8xH100-SXM-80GB + 2x8xA100-SXM4-80GB", as parseGpus() reads it: nodes that are alike and follow each
// other are a part, so that GPUs come in the order of the ranks. Empty where the catalogue lacks a kind.
std::string gpusOf(const Cluster& cluster) {
    std::string text;
    for (auto node = cluster.nodes.begin(); node != cluster.nodes.end();) {
        if (!Catalogue::builtin().find(node->kind))
            return {};
        const auto end = std::find_if(node, cluster.nodes.end(), [&](const Node& other) {
            return other.kind != node->kind || other.gpus != node->gpus;
        });
        text += text.empty() ? "" : " + ";
        text += std::to_string(end - node) + "x" + std::to_string(node->gpus) + "x" + node->kind;
        node = end;
    }
    return text;
}

// Every part with its GPUs and how many of them share a node, as the fields say it.
QString partsText(const GpuText& gpus, int perNode) {
    const std::vector<GpuPart>& parts = gpus.parts;
    if (parts.size() == 1 && parts.front().count == 0)
        return q(parts.front().kind.name);
    QStringList texts;
    for (const GpuPart& part : parts)
        texts << LoggedMachineDialog::tr("%1 \u00d7 %2, %3 in a node")
                     .arg(part.count)
                     .arg(q(part.kind.name))
                     .arg(part.perNode > 0 ? part.perNode : perNode);
    return texts.join(QStringLiteral("; "));
}

// What the network field says without being understood, which would be passed over; empty: nothing.
QString networkFault(const std::string& text) {
    const NetworkText read = parseNetwork(text);
    const bool understood = !read.medium.empty() || read.rate.value > 0.0 || read.intraRate.value > 0.0 ||
                            read.nvlink || read.pcie || read.nvlinkDomain > 0;
    return text.empty() || understood
               ? QString()
               : LoggedMachineDialog::tr("Network: \"%1\" names no network that is known, and no rate.")
                     .arg(q(text));
}

} // namespace

LoggedMachineDialog::LoggedMachineDialog(const QStringList& logs, const LoggedMachine& start,
                                         const LoggedMachine& ofProject, QWidget* parent)
    : QDialog(parent), m_note(new QLabel), m_gpu(new QComboBox), m_perNode(new QSpinBox),
      m_network(new QLineEdit), m_verdict(new QLabel) {
    setObjectName(QStringLiteral("loggedMachine"));
    setWindowTitle(tr("Where did it run?"));
    setAccessibleName(windowTitle());
    auto* says = new QLabel(logsText(logs));
    says->setObjectName(QStringLiteral("loggedMachine.logs"));
    says->setTextFormat(Qt::PlainText);
    says->setToolTip(logs.join(QLatin1Char('\n')));
    m_gpu->setObjectName(QStringLiteral("loggedMachine.gpu"));
    m_gpu->setEditable(true);
    m_gpu->setInsertPolicy(QComboBox::NoInsert);
    for (const DeviceKind& kind : Catalogue::builtin().kinds())
        m_gpu->addItem(q(kind.name));
    m_gpu->setToolTip(tr("One kind, or several with how many of each, in the order of the ranks: "
                         "32xH100-SXM-80GB + 16xA100-SXM4-80GB; 4x8x are four nodes of eight."));
    m_perNode->setObjectName(QStringLiteral("loggedMachine.perNode"));
    m_perNode->setRange(1, kMostPerNode);
    m_network->setObjectName(QStringLiteral("loggedMachine.network"));
    fill(start);
    m_network->setPlaceholderText(QStringLiteral("8x400Gb/s InfiniBand per node"));
    m_network->setToolTip(
        tr("What joins the nodes, in words; empty: what is usual for the GPU. Of one node it says nothing."));
    m_note->setObjectName(QStringLiteral("loggedMachine.note"));
    m_note->setTextFormat(Qt::PlainText);
    m_note->setWordWrap(true);
    m_note->hide();
    auto* form = new QFormLayout;
    const auto add = [&](const QString& text, QWidget* field) {
        field->setAccessibleName(text);
        form->addRow(text, field);
    };
    add(tr("GPU"), m_gpu);
    add(tr("GPUs in a node"), m_perNode);
    add(tr("Network"), m_network);
    auto* drawn = new QPushButton(tr("This project's cluster"));
    drawn->setObjectName(QStringLiteral("loggedMachine.project"));
    drawn->setToolTip(q(ofProject.gpu));
    if (ofProject.gpu.empty())
        drawn->hide(); // never setVisible(true): without a parent yet, it would be a window of its own
    connect(drawn, &QPushButton::clicked, this, [this, ofProject] { fill(ofProject); });
    m_verdict->setObjectName(QStringLiteral("loggedMachine.verdict"));
    m_verdict->setWordWrap(true);
    m_verdict->setTextFormat(Qt::PlainText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    m_accept = buttons->button(QDialogButtonBox::Ok);
    m_accept->setText(tr("Predict it"));
    m_accept->setObjectName(QStringLiteral("loggedMachine.accept"));
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(m_gpu, &QComboBox::editTextChanged, this, &LoggedMachineDialog::judge);
    connect(m_perNode, &QSpinBox::valueChanged, this, &LoggedMachineDialog::judge);
    connect(m_network, &QLineEdit::textChanged, this, &LoggedMachineDialog::judge);
    auto* column = new QVBoxLayout(this);
    column->addWidget(says);
    column->addWidget(m_note);
    column->addLayout(form);
    column->addWidget(drawn, 0, Qt::AlignLeft);
    column->addWidget(m_verdict);
    column->addWidget(buttons);
    judge();
}

LoggedMachine LoggedMachineDialog::machine() const {
    return {s(m_gpu->currentText().trimmed()), s(m_network->text().trimmed()), m_perNode->value()};
}

void LoggedMachineDialog::setNote(const QString& text) {
    m_note->setText(text);
    m_note->setVisible(!text.isEmpty());
}

void LoggedMachineDialog::fill(const LoggedMachine& machine) {
    m_gpu->setCurrentIndex(-1);
    m_gpu->setEditText(q(machine.gpu));
    m_perNode->setValue(machine.gpusPerNode > 0 ? machine.gpusPerNode : kUsualPerNode);
    m_network->setText(q(machine.network));
}

LoggedMachine LoggedMachineDialog::drawn(const Cluster& cluster) {
    const std::string gpus = gpusOf(cluster);
    if (gpus.empty())
        return {};
    const Node& first = cluster.nodes.front();
    const auto all = [&](const auto& holds) {
        return std::all_of(cluster.nodes.begin(), cluster.nodes.end(), holds);
    };
    const std::string network = networkOf(cluster, first);
    const bool oneNetwork = all([&](const Node& node) { return networkOf(cluster, node) == network; });
    const bool alike =
        all([&](const Node& node) { return node.kind == first.kind && node.gpus == first.gpus; });
    return {alike ? first.kind : gpus, oneNetwork ? network : std::string(), first.gpus};
}

LoggedMachine LoggedMachineDialog::ranked(const Problem& problem, const Plan& plan) {
    const Cluster& cluster = problem.topology().cluster();
    if (plan.pipelines.size() != 1)
        return drawn(cluster);
    const LaunchOrder order = bestLaunchOrder(problem, plan.pipelines.front());
    Cluster used = cluster;
    used.nodes.clear();
    for (const RankNode& ranks : order.nodes) {
        const Node& node = cluster.nodes[static_cast<std::size_t>(ranks.node)];
        if (static_cast<int>(ranks.gpus.size()) != node.gpus)
            return drawn(cluster);
        used.nodes.push_back(node);
    }
    return order.faults.empty() && !used.nodes.empty() ? drawn(used) : drawn(cluster);
}

void LoggedMachineDialog::judge() {
    const LoggedMachine asked = machine();
    const Result<GpuText> known = parseGpus(asked.gpu, {}, Catalogue::builtin());
    const QString network = networkFault(asked.network);
    const bool fault = (!asked.gpu.empty() && !known) || !network.isEmpty();
    m_accept->setEnabled(known && network.isEmpty());
    setOwnColour(*m_verdict, QPalette::WindowText, fault ? theme().err : theme().text2);
    m_verdict->setText(asked.gpu.empty() ? tr("Choose the GPU, or name it as its maker does.")
                       : !known          ? sentence(known.error())
                       : !network.isEmpty()
                           ? network
                           : tr("The run is predicted on %1.").arg(partsText(*known, asked.gpusPerNode)));
}

} // namespace pw
