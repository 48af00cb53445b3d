// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/accuracy/logged_machine_dialog.h"

#include "core/base/units.h"
#include "core/calibrate/gpu_text.h"
#include "core/cluster/network_kind.h"
#include "ui/base/convert.h"
#include "ui/base/error_text.h"
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

} // namespace

LoggedMachineDialog::LoggedMachineDialog(const QStringList& logs, const LoggedMachine& start, QWidget* parent)
    : QDialog(parent), m_gpu(new QComboBox), m_perNode(new QSpinBox), m_network(new QLineEdit),
      m_verdict(new QLabel) {
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
    m_gpu->setCurrentIndex(-1);
    m_gpu->setEditText(q(start.gpu));
    m_perNode->setObjectName(QStringLiteral("loggedMachine.perNode"));
    m_perNode->setRange(1, kMostPerNode);
    m_perNode->setValue(start.gpusPerNode > 0 ? start.gpusPerNode : kUsualPerNode);
    m_network->setObjectName(QStringLiteral("loggedMachine.network"));
    m_network->setText(q(start.network));
    m_network->setPlaceholderText(QStringLiteral("8x400Gb/s InfiniBand per node"));
    m_network->setToolTip(
        tr("What joins the nodes, in words; empty: what is usual for the GPU. Of one node it says nothing."));
    auto* form = new QFormLayout;
    const auto add = [&](const QString& text, QWidget* field) {
        field->setAccessibleName(text);
        form->addRow(text, field);
    };
    add(tr("GPU"), m_gpu);
    add(tr("GPUs in a node"), m_perNode);
    add(tr("Network"), m_network);
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
    auto* column = new QVBoxLayout(this);
    column->addWidget(says);
    column->addLayout(form);
    column->addWidget(m_verdict);
    column->addWidget(buttons);
    judge();
}

LoggedMachine LoggedMachineDialog::machine() const {
    return {s(m_gpu->currentText().trimmed()), s(m_network->text().trimmed()), m_perNode->value()};
}

LoggedMachine LoggedMachineDialog::drawn(const Cluster& cluster) {
    if (cluster.nodes.empty())
        return {};
    const Node& first = cluster.nodes.front();
    const bool alike = std::all_of(cluster.nodes.begin(), cluster.nodes.end(), [&](const Node& node) {
        return node.kind == first.kind && node.gpus == first.gpus;
    });
    if (!alike || !Catalogue::builtin().find(first.kind))
        return {};
    return {first.kind, networkOf(cluster, first), first.gpus};
}

void LoggedMachineDialog::judge() {
    const std::string gpu = machine().gpu;
    const Result<GpuText> known = parseGpus(gpu, {}, Catalogue::builtin());
    m_accept->setEnabled(!gpu.empty() && known);
    QPalette colours = m_verdict->palette();
    colours.setColor(QPalette::WindowText, gpu.empty() || known ? theme().text2 : theme().err);
    m_verdict->setPalette(colours);
    m_verdict->setText(gpu.empty() ? tr("Choose the GPU, or name it as its maker does.")
                       : known     ? tr("The run is predicted on %1.").arg(q(known->parts.front().kind.name))
                                   : sentence(known.error()));
}

} // namespace pw
