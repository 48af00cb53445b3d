// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/imports/import_preview.h"

#include "core/base/units.h"
#include "core/document/plan_file.h"
#include "ui/base/convert.h"
#include "ui/imports/preview_columns.h"

#include <QCoreApplication>

#include <map>
#include <set>

namespace pw {

PreviewTable::PreviewTable(QString name, int rows, std::vector<Column> columns, QObject* parent)
    : QAbstractTableModel(parent), m_name(std::move(name)), m_rows(rows), m_columns(std::move(columns)) {}

int PreviewTable::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : m_rows;
}

int PreviewTable::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant PreviewTable::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Column& column = m_columns[static_cast<std::size_t>(index.column())];
    if (role == Qt::TextAlignmentRole)
        return int((column.figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return column.text(index.row());
    return {};
}

QVariant PreviewTable::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= static_cast<int>(m_columns.size()))
        return {};
    const Column& column = m_columns[static_cast<std::size_t>(section)];
    if (role == Qt::TextAlignmentRole)
        return int((column.figure ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    return role == Qt::DisplayRole ? QVariant(column.title) : QVariant();
}

namespace {

using namespace preview;

using Pair = std::pair<QString, QString>;

std::unique_ptr<PreviewTable> properties(std::vector<Pair> pairs) {
    return Columns<Pair>(std::move(pairs))
        .add(QT_TRANSLATE_NOOP("Preview", "Property"), [](const Pair& p) { return p.first; })
        .add(QT_TRANSLATE_NOOP("Preview", "Value"), [](const Pair& p) { return p.second; })
        .table(QT_TRANSLATE_NOOP("Preview", "Model"));
}

std::unique_ptr<PreviewTable> modelTable(const Model& m) {
    std::vector<Pair> rows = {{tr("Family"), q(m.family)},
                              {tr("Blocks"), count(m.blocks)},
                              {tr("Hidden size"), count(m.hidden)},
                              {tr("Heads"), count(m.heads)},
                              {tr("Key-value heads"), count(m.kvHeads)},
                              {tr("Head size"), count(m.headDim)},
                              {tr("Feed-forward size"), count(m.ffn)},
                              {tr("Vocabulary"), count(m.vocab)},
                              {tr("Positions"), count(m.positions)},
                              {tr("Head tied to the embedding"), m.tied ? tr("yes") : tr("no")},
                              {tr("Stated precision"), m.dtype.empty() ? tr("not stated") : q(m.dtype)}};
    if (hasExperts(m)) {
        rows.emplace_back(tr("Experts"),
                          tr("%1, %2 per token").arg(count(m.experts.count), count(m.experts.perToken)));
        rows.emplace_back(tr("Parameters of a token"), count(activeParameterCount(m)));
    }
    rows.emplace_back(tr("Parameters"), count(parameterCount(m)));
    return properties(std::move(rows));
}

void modelPreview(const Model& m, Preview& preview) {
    preview.heading = q(m.name);
    preview.figures = tr("%1 parameters, %2 blocks, hidden %3")
                          .arg(count(parameterCount(m)), count(m.blocks), count(m.hidden));
    preview.happens = tr("Becomes the project's model.");
    preview.tables.push_back(modelTable(m));
}

void clusterTables(const Cluster& cluster, Preview& preview) {
    preview.tables.push_back(
        Columns<Node>(cluster.nodes)
            .add(QT_TRANSLATE_NOOP("Preview", "Node"), [](const Node& n) { return q(n.id); })
            .add(
                QT_TRANSLATE_NOOP("Preview", "GPUs"), [](const Node& n) { return count(n.gpus); }, true)
            .add(QT_TRANSLATE_NOOP("Preview", "Kind"), [](const Node& n) { return q(n.kind); })
            .add(
                QT_TRANSLATE_NOOP("Preview", "Between GPUs"),
                [kinds = cluster.kinds](const Node& n) {
                    Cluster own;
                    own.kinds = kinds;
                    const DeviceKind* kind = findKind(own, n.kind);
                    const BytesPerSecond stated = n.intraBandwidth.value > 0 || !kind ? n.intraBandwidth
                                                  : kind->intraBandwidth.value > 0    ? kind->intraBandwidth
                                                                                      : kind->pcie;
                    return q(formatByteRate(stated));
                },
                true)
            .table(QT_TRANSLATE_NOOP("Preview", "Nodes")));
    preview.tables.push_back(
        Columns<Link>(cluster.links)
            .add(QT_TRANSLATE_NOOP("Preview", "From"), [](const Link& l) { return q(l.a); })
            .add(QT_TRANSLATE_NOOP("Preview", "To"), [](const Link& l) { return q(l.b); })
            .add(
                QT_TRANSLATE_NOOP("Preview", "Lanes"), [](const Link& l) { return count(l.lanes); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Lane"),
                [](const Link& l) { return q(formatBitRate(l.bandwidth)); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Latency"),
                [](const Link& l) { return q(formatDuration(l.latency)); }, true)
            .table(QT_TRANSLATE_NOOP("Preview", "Links")));
}

struct HostGpu {
    std::string host;
    InventoryGpu gpu;
};
struct HostPair {
    std::string host;
    GpuPair pair;
};
struct HostNic {
    std::string host;
    InventoryNic nic;
};

constexpr const char* kUnknownModel = QT_TRANSLATE_NOOP("Preview", "unknown model");
constexpr const char* kOfModel = QT_TRANSLATE_NOOP("Preview", "%1 x %2");    // 4 x A100
constexpr const char* kWithModels = QT_TRANSLATE_NOOP("Preview", "%1 (%2)"); // 4 GPUs, and of which models
constexpr const char* kExcluded = QT_TRANSLATE_NOOP("Preview", "%1 excluded");

// "2 hosts, 12 GPUs (4 x A100, 8 x unknown model), 1 switch"; where the file says what lies between the GPUs,
// that is in the figures with what follows it, and the heading ends with the GPUs.
QString headingOf(const InventoryCounts& counts) {
    const auto said = [](std::size_t n, const char* one, const char* many) {
        return (n == 1 ? tr(one) : tr(many)).arg(n);
    };
    std::map<QString, int> models; // in the order of what they are called
    for (const auto& [model, count] : counts.models)
        models[model.empty() ? tr(kUnknownModel) : q(model)] += count;
    QStringList kinds;
    for (const auto& [model, count] : models)
        kinds << tr(kOfModel).arg(count).arg(model);
    QString gpus = said(static_cast<std::size_t>(counts.gpus), QT_TRANSLATE_NOOP("Preview", "%1 GPU"),
                        QT_TRANSLATE_NOOP("Preview", "%1 GPUs"));
    if (!kinds.isEmpty())
        gpus = tr(kWithModels).arg(gpus, kinds.join(QStringLiteral(", ")));
    QStringList parts = {
        said(counts.hosts, QT_TRANSLATE_NOOP("Preview", "%1 host"), QT_TRANSLATE_NOOP("Preview", "%1 hosts")),
        gpus};
    if (counts.paths.empty()) {
        if (counts.numaNodes > 0)
            parts << said(counts.numaNodes, QT_TRANSLATE_NOOP("Preview", "%1 NUMA node with GPUs"),
                          QT_TRANSLATE_NOOP("Preview", "%1 NUMA nodes with GPUs"));
        if (counts.switches > 0)
            parts << said(counts.switches, QT_TRANSLATE_NOOP("Preview", "%1 switch"),
                          QT_TRANSLATE_NOOP("Preview", "%1 switches"));
        if (counts.cables > 0)
            parts << said(counts.cables, QT_TRANSLATE_NOOP("Preview", "%1 cable"),
                          QT_TRANSLATE_NOOP("Preview", "%1 cables"));
        if (counts.excluded > 0)
            parts << tr(kExcluded).arg(counts.excluded);
    }
    return parts.join(QStringLiteral(", "));
}

void inventoryTables(const Inventory& inventory, Preview& preview) {
    std::vector<HostGpu> gpus;
    std::vector<HostPair> pairs;
    std::vector<HostNic> nics;
    for (const InventoryHost& host : inventory.hosts) {
        for (const InventoryGpu& gpu : host.gpus)
            gpus.push_back({host.name, gpu});
        for (const GpuPair& pair : host.pairs)
            pairs.push_back({host.name, pair});
        for (const InventoryNic& nic : host.nics)
            nics.push_back({host.name, nic});
    }
    const auto named = [](const std::string& host) { return host.empty() ? tr("not named") : q(host); };
    preview.tables.push_back(
        Columns<InventoryHost>(inventory.hosts)
            .add(QT_TRANSLATE_NOOP("Preview", "Host"), [=](const InventoryHost& h) { return named(h.name); })
            .add(
                QT_TRANSLATE_NOOP("Preview", "GPUs"),
                [](const InventoryHost& h) {
                    return !h.gpus.empty() ? count(static_cast<std::int64_t>(h.gpus.size()))
                           : h.gpuCount    ? count(*h.gpuCount)
                                           : unknown();
                },
                true)
            .add(QT_TRANSLATE_NOOP("Preview", "Model"),
                 [](const InventoryHost& h) {
                     std::set<std::string> models;
                     for (const InventoryGpu& gpu : h.gpus)
                         models.insert(gpu.model);
                     QStringList names;
                     for (const std::string& model : models)
                         names << (model.empty() ? unknown() : q(model));
                     return names.isEmpty() ? unknown() : names.join(QStringLiteral(", "));
                 })
            .add(
                QT_TRANSLATE_NOOP("Preview", "Network cards"),
                [](const InventoryHost& h) { return count(static_cast<std::int64_t>(h.nics.size())); }, true)
            .add(QT_TRANSLATE_NOOP("Preview", "Note"), [](const InventoryHost& h) { return q(h.note); })
            .table(QT_TRANSLATE_NOOP("Preview", "Hosts")));
    if (!gpus.empty())
        preview.tables.push_back(
            Columns<HostGpu>(std::move(gpus))
                .add(QT_TRANSLATE_NOOP("Preview", "Host"), [=](const HostGpu& g) { return named(g.host); })
                .add(
                    QT_TRANSLATE_NOOP("Preview", "GPU"),
                    [](const HostGpu& g) { return g.gpu.index < 0 ? QString() : count(g.gpu.index); }, true)
                .add(QT_TRANSLATE_NOOP("Preview", "Model"),
                     [](const HostGpu& g) { return g.gpu.model.empty() ? unknown() : q(g.gpu.model); })
                .add(
                    QT_TRANSLATE_NOOP("Preview", "Memory"),
                    [](const HostGpu& g) {
                        return g.gpu.memory ? q(formatGibibytes(*g.gpu.memory)) : tr("unknown");
                    },
                    true)
                .add(QT_TRANSLATE_NOOP("Preview", "Bus"), [](const HostGpu& g) { return q(g.gpu.busId); })
                .add(
                    QT_TRANSLATE_NOOP("Preview", "PCIe"),
                    [](const HostGpu& g) { return rate(g.gpu.pcie, tr("unknown")); }, true)
                .add(
                    QT_TRANSLATE_NOOP("Preview", "To switches"),
                    [](const HostGpu& g) { return rate(g.gpu.toSwitch, tr("unknown")); }, true)
                .add(
                    QT_TRANSLATE_NOOP("Preview", "NUMA"),
                    [](const HostGpu& g) { return g.gpu.numa ? count(*g.gpu.numa) : tr("unknown"); }, true)
                .table(QT_TRANSLATE_NOOP("Preview", "GPUs")));
    if (!pairs.empty())
        preview.tables.push_back(
            Columns<HostPair>(std::move(pairs))
                .add(QT_TRANSLATE_NOOP("Preview", "Host"), [=](const HostPair& p) { return named(p.host); })
                .add(
                    QT_TRANSLATE_NOOP("Preview", "GPU"), [](const HostPair& p) { return count(p.pair.a); },
                    true)
                .add(
                    QT_TRANSLATE_NOOP("Preview", "and GPU"),
                    [](const HostPair& p) { return count(p.pair.b); }, true)
                .add(QT_TRANSLATE_NOOP("Preview", "Path"),
                     [](const HostPair& p) { return p.pair.path.empty() ? tr("unknown") : q(p.pair.path); })
                .add(
                    QT_TRANSLATE_NOOP("Preview", "Bandwidth"),
                    [](const HostPair& p) { return rate(p.pair.bandwidth, tr("unknown")); }, true)
                .table(QT_TRANSLATE_NOOP("Preview", "Between GPUs")));
    if (!nics.empty())
        preview.tables.push_back(
            Columns<HostNic>(std::move(nics))
                .add(QT_TRANSLATE_NOOP("Preview", "Host"), [=](const HostNic& n) { return named(n.host); })
                .add(QT_TRANSLATE_NOOP("Preview", "Card"), [](const HostNic& n) { return q(n.nic.name); })
                .add(
                    QT_TRANSLATE_NOOP("Preview", "Bandwidth"),
                    [](const HostNic& n) { return rate(n.nic.bandwidth, tr("unknown")); }, true)
                .table(QT_TRANSLATE_NOOP("Preview", "Network cards")));
    if (!inventory.cables.empty())
        preview.tables.push_back(
            Columns<InventoryCable>(inventory.cables)
                .add(QT_TRANSLATE_NOOP("Preview", "From"), [](const InventoryCable& c) { return q(c.a); })
                .add(QT_TRANSLATE_NOOP("Preview", "To"), [](const InventoryCable& c) { return q(c.b); })
                .add(
                    QT_TRANSLATE_NOOP("Preview", "Lanes"),
                    [](const InventoryCable& c) { return count(c.lanes); }, true)
                .add(
                    QT_TRANSLATE_NOOP("Preview", "Bandwidth"),
                    [](const InventoryCable& c) { return rate(c.bandwidth); }, true)
                .table(QT_TRANSLATE_NOOP("Preview", "Cables")));
    if (!inventory.excluded.empty())
        preview.tables.push_back(
            Columns<ExcludedHost>(inventory.excluded)
                .add(QT_TRANSLATE_NOOP("Preview", "Host"), [](const ExcludedHost& h) { return q(h.name); })
                .add(QT_TRANSLATE_NOOP("Preview", "Left out because"),
                     [](const ExcludedHost& h) { return q(h.reason); })
                .table(QT_TRANSLATE_NOOP("Preview", "Left out")));
}

} // namespace

Preview previewOf(const std::shared_ptr<const ImportReading>& reading, const Cluster* cluster) {
    Preview preview;
    const ImportContent& content = reading->content;
    if (const auto* model = std::get_if<Model>(&content)) {
        modelPreview(*model, preview);
    } else if (const auto* inventory = std::get_if<Inventory>(&content)) {
        preview.heading = headingOf(countsOf(*inventory));
        preview.figures = reading->files.size() == 1 ? reading->files.front().summary : QString();
        preview.happens = tr("Becomes the drawing of the project.");
        if (cluster != nullptr)
            clusterTables(*cluster, preview);
        inventoryTables(*inventory, preview);
    } else if (const auto* drawn = std::get_if<Cluster>(&content)) {
        preview.heading = q(drawn->name);
        preview.figures = counted(drawn->gpuCount(), "GPU", "GPUs") + QStringLiteral(", ") +
                          counted(static_cast<std::int64_t>(drawn->nodes.size()), "node", "nodes");
        preview.happens = tr("Becomes the drawing of the project.");
        clusterTables(*drawn, preview);
    } else if (const auto* project = std::get_if<Project>(&content)) {
        preview.heading = q(project->name);
        preview.happens = tr("Opens the project in place of the present one.");
        if (project->model)
            preview.tables.push_back(modelTable(*project->model));
        clusterTables(project->cluster, preview);
    } else if (const auto* rows = std::get_if<std::vector<ProfileRow>>(&content)) {
        rowsPreview({reading, rows}, preview);
    } else if (const auto* links = std::get_if<std::vector<LinkMeasurement>>(&content)) {
        linksPreview(*links, preview);
    } else if (const auto* trainer = std::get_if<TrainerPlan>(&content)) {
        trainerPreview(*trainer, preview);
        if (trainer->model)
            preview.tables.push_back(modelTable(*trainer->model));
    } else if (const auto* logs = std::get_if<TrainingLogs>(&content)) {
        logsPreview(*logs, preview);
    } else if (const auto* plans = std::get_if<PlanFile>(&content)) {
        plansPreview(*plans, preview);
        preview.tables.push_back(modelTable(plans->problem->model()));
        clusterTables(plans->problem->topology().cluster(), preview);
    }
    if (reading->model) {
        preview.happens += QLatin1Char(' ') + tr("The model file becomes the project's model.");
        preview.tables.push_back(modelTable(*reading->model));
    }
    if (reading->cluster) {
        preview.happens += QLatin1Char(' ') + tr("The cluster file becomes the drawing of the project.");
        clusterTables(*reading->cluster, preview);
    }
    return preview;
}

} // namespace pw
