// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/document/plan_file.h"
#include "core/exchange/exports/export.h"
#include "core/links/link_apply.h"
#include "ui/base/convert.h"
#include "ui/imports/preview_columns.h"

#include <QFileInfo>

#include <set>

namespace pw::preview {

QString rate(const std::optional<BytesPerSecond>& value, const QString& otherwise) {
    return value ? q(formatByteRate(*value)) : otherwise;
}

QString milliseconds(Seconds time) {
    return time.value > 0 ? QString::number(time.value * 1e3, 'f', 3) : QStringLiteral("\u2013");
}

void rowsPreview(std::shared_ptr<const std::vector<ProfileRow>> rows, Preview& preview) {
    std::set<std::string> models, kinds;
    for (const ProfileRow& row : *rows) {
        models.insert(row.model);
        kinds.insert(row.kind);
    }
    QStringList names, devices;
    for (const std::string& model : models)
        names << q(model);
    for (const std::string& kind : kinds)
        devices << q(kind);
    preview.heading = counted(static_cast<std::int64_t>(rows->size()), "measured row", "measured rows");
    preview.figures =
        tr("%1 on %2").arg(names.join(QStringLiteral(", ")), devices.join(QStringLiteral(", ")));
    preview.happens = tr("Goes into your store of measurements, all rows or none.");
    preview.tables.push_back(
        Columns<ProfileRow>(std::move(rows))
            .add(QT_TRANSLATE_NOOP("Preview", "Model"), [](const ProfileRow& r) { return q(r.model); })
            .add(QT_TRANSLATE_NOOP("Preview", "Kind"), [](const ProfileRow& r) { return q(r.kind); })
            .add(
                QT_TRANSLATE_NOOP("Preview", "Layer"), [](const ProfileRow& r) { return count(r.layer); },
                true)
            .add(QT_TRANSLATE_NOOP("Preview", "Operator"), [](const ProfileRow& r) { return q(r.op); })
            .add(
                QT_TRANSLATE_NOOP("Preview", "tp"), [](const ProfileRow& r) { return count(r.tp); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "mbs"), [](const ProfileRow& r) { return count(r.mbs); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Tokens"),
                [](const ProfileRow& r) { return r.seq > 0 ? count(r.seq) : tr("any"); }, true)
            .add(QT_TRANSLATE_NOOP("Preview", "Precision"),
                 [](const ProfileRow& r) { return r.precision.empty() ? tr("any") : q(r.precision); })
            .add(
                QT_TRANSLATE_NOOP("Preview", "Forward, ms"),
                [](const ProfileRow& r) { return milliseconds(r.forward); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Backward, ms"),
                [](const ProfileRow& r) { return milliseconds(r.backward); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Memory, MiB"),
                [](const ProfileRow& r) {
                    return r.memory.value > 0 ? decimalText(r.memory.value / 1048576.0, 1)
                                              : QStringLiteral("\u2013");
                },
                true)
            .add(QT_TRANSLATE_NOOP("Preview", "Source"), [](const ProfileRow& r) { return q(r.source); })
            .table(QT_TRANSLATE_NOOP("Preview", "Measurements")));
}

namespace {

struct TimedSample {
    std::string collective;
    bool inPlace = false;
    LinkSample sample;
    const LinkFit* fit = nullptr;
};

QString bytesText(Bytes bytes) {
    return count(static_cast<std::int64_t>(bytes.value));
}

} // namespace

void linksPreview(const std::vector<LinkMeasurement>& links, Preview& preview) {
    preview.heading =
        counted(static_cast<std::int64_t>(links.size()), "timed collective", "timed collectives");
    preview.happens =
        tr("Gives the chosen part of the drawing the bandwidth and the latency with which the fitted line is "
           "predicted: a line rate, of which the prediction takes its shares, so not the figures of the "
           "fit themselves.");
    struct Fit {
        const LinkMeasurement* of;
        bool inPlace;
        const LinkFit* fit;
        std::size_t samples;
    };
    auto kept = std::make_shared<const std::vector<LinkMeasurement>>(links);
    std::vector<Fit> fits;
    std::vector<TimedSample> samples;
    for (const LinkMeasurement& m : *kept) {
        const LinkFit* out = m.outOfPlaceFit ? &*m.outOfPlaceFit : nullptr;
        const LinkFit* in = m.inPlaceFit ? &*m.inPlaceFit : nullptr;
        if (out || !m.outOfPlace.empty() || !in)
            fits.push_back({&m, false, out, m.outOfPlace.size()});
        if (in || !m.inPlace.empty())
            fits.push_back({&m, true, in, m.inPlace.size()});
        for (const LinkSample& s : m.outOfPlace)
            samples.push_back({m.collective, false, s, out});
        for (const LinkSample& s : m.inPlace)
            samples.push_back({m.collective, true, s, in});
    }
    if (!kept->empty())
        if (const LinkFit* fit = fitOf(kept->front()))
            preview.figures = tr("%1 over %2 ranks: alpha %3, beta %4 on the bus")
                                  .arg(q(kept->front().collective), count(kept->front().ranks),
                                       q(formatDuration(fit->latency)), q(formatByteRate(fit->bus)));
    preview.tables.push_back(
        Columns<Fit>(std::move(fits))
            .add(QT_TRANSLATE_NOOP("Preview", "Collective"),
                 [kept](const Fit& f) { return q(f.of->collective); })
            .add(
                QT_TRANSLATE_NOOP("Preview", "Ranks"), [](const Fit& f) { return count(f.of->ranks); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Hosts"), [](const Fit& f) { return count(hostCount(*f.of)); },
                true)
            .add(QT_TRANSLATE_NOOP("Preview", "Buffers"),
                 [](const Fit& f) { return f.inPlace ? tr("in place") : tr("out of place"); })
            .add(
                QT_TRANSLATE_NOOP("Preview", "Samples"),
                [](const Fit& f) { return count(static_cast<std::int64_t>(f.samples)); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Alpha (latency)"),
                [](const Fit& f) { return f.fit ? q(formatDuration(f.fit->latency)) : tr("no fit"); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Beta, bus"),
                [](const Fit& f) { return f.fit ? q(formatByteRate(f.fit->bus)) : tr("no fit"); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Beta, algorithm"),
                [](const Fit& f) { return f.fit ? q(formatByteRate(f.fit->algorithm)) : tr("no fit"); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Largest residual"),
                [](const Fit& f) { return f.fit ? shareText(f.fit->worst) : QString(); }, true)
            .table(QT_TRANSLATE_NOOP("Preview", "Fits")));
    preview.tables.push_back(
        Columns<TimedSample>(std::move(samples))
            .add(QT_TRANSLATE_NOOP("Preview", "Collective"),
                 [kept](const TimedSample& s) { return q(s.collective); })
            .add(QT_TRANSLATE_NOOP("Preview", "Buffers"),
                 [](const TimedSample& s) { return s.inPlace ? tr("in place") : tr("out of place"); })
            .add(
                QT_TRANSLATE_NOOP("Preview", "Bytes"),
                [](const TimedSample& s) { return bytesText(s.sample.size); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Measured"),
                [](const TimedSample& s) { return q(formatDuration(s.sample.time)); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Fitted"),
                [](const TimedSample& s) {
                    return s.fit ? q(formatDuration(Seconds(s.fit->latency.value +
                                                            s.sample.size.value / s.fit->algorithm.value)))
                                 : QString();
                },
                true)
            .table(QT_TRANSLATE_NOOP("Preview", "Samples")));
}

void logsPreview(const TrainingLogs& logs, Preview& preview) {
    const QString none = QStringLiteral("\u2013");
    const auto size = [none](const std::optional<std::int64_t>& n) { return n ? count(*n) : none; };
    preview.heading = counted(static_cast<std::int64_t>(logs.runs.size()), "measured training run",
                              "measured training runs");
    preview.happens =
        tr("Shows what ran beside its prediction, under Accuracy, where devices and links can be fitted to "
           "it. The "
           "project stays as it is; a log's model and plan come in by the kind Megatron-LM arguments.");
    preview.tables.push_back(
        Columns<RunRow>(logs.runs)
            .add(QT_TRANSLATE_NOOP("Preview", "Log"),
                 [](const RunRow& r) { return QFileInfo(q(r.rowId)).fileName(); })
            .add(QT_TRANSLATE_NOOP("Preview", "Trainer"), [](const RunRow& r) { return q(r.framework); })
            .add(
                QT_TRANSLATE_NOOP("Preview", "GPUs"), [=](const RunRow& r) { return size(r.nGpus); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "tp"), [=](const RunRow& r) { return size(r.tp); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "pp"), [=](const RunRow& r) { return size(r.pp); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "dp"), [=](const RunRow& r) { return size(r.dp); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Blocks"), [=](const RunRow& r) { return size(r.nLayers); },
                true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Hidden size"), [=](const RunRow& r) { return size(r.hidden); },
                true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Sequences a step"),
                [=](const RunRow& r) { return size(r.gbs); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Step"),
                [none](const RunRow& r) {
                    return r.iterTimeS  ? q(formatDuration(Seconds(*r.iterTimeS)))
                           : r.failed() ? tr("out of memory")
                                        : none;
                },
                true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Peak memory"),
                [none](const RunRow& r) {
                    return r.peakMemGib ? q(formatGibibytes(gibibytes(*r.peakMemGib))) : none;
                },
                true)
            .table(QT_TRANSLATE_NOOP("Preview", "Runs")));
}

void trainerPreview(const TrainerPlan& plan, Preview& preview) {
    struct Row {
        int pipeline, stage;
        TrainerStage what;
    };
    std::vector<Row> rows;
    for (std::size_t p = 0; p < plan.pipelines.size(); ++p)
        for (std::size_t s = 0; s < plan.pipelines[p].stages.size(); ++s)
            rows.push_back({static_cast<int>(p) + 1, static_cast<int>(s) + 1, plan.pipelines[p].stages[s]});
    const ExporterRow* trainer = exporterRow(plan.trainer);
    const QString name = trainer ? QString::fromUtf8(trainer->label) : q(plan.trainer);
    preview.heading =
        rows.empty() ? tr("A part of a plan for %1").arg(name)
                     : tr("A plan of %1 for %2")
                           .arg(counted(static_cast<std::int64_t>(rows.size()), "stage", "stages"), name);
    QStringList figures;
    if (plan.model)
        figures << tr("%1 parameters").arg(count(parameterCount(*plan.model)));
    if (plan.gbs)
        figures << tr("global batch %1").arg(count(*plan.gbs));
    if (plan.seq)
        figures << tr("%1 tokens a sequence").arg(count(*plan.seq));
    if (!plan.pipelines.empty() && plan.pipelines.front().microbatches > 0)
        figures << tr("%1 micro-batches of %2")
                       .arg(count(plan.pipelines.front().microbatches),
                            count(plan.pipelines.front().microbatchSize));
    preview.figures = figures.join(QStringLiteral(", "));
    preview.happens = tr(
        "Model and training settings become the project's; the plan stands among the plans where the drawing "
        "has room for it.");
    const int fine = plan.model ? fineLayerCount(*plan.model) : 0;
    preview.tables.push_back(
        Columns<Row>(std::move(rows))
            .add(
                QT_TRANSLATE_NOOP("Preview", "Pipeline"), [](const Row& r) { return count(r.pipeline); },
                true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Stage"), [](const Row& r) { return count(r.stage); }, true)
            .add(QT_TRANSLATE_NOOP("Preview", "Layers"),
                 [fine](const Row& r) {
                     if (fine > 0) {
                         Stage stage;
                         stage.chunks = r.what.chunks;
                         return q(layersText(stage, fine));
                     }
                     QStringList parts;
                     for (const LayerRange& range : r.what.chunks)
                         parts << tr("%1 to %2").arg(range.first).arg(range.last);
                     return parts.join(QStringLiteral("; "));
                 })
            .add(
                QT_TRANSLATE_NOOP("Preview", "tp"), [](const Row& r) { return count(r.what.tp); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "dp"),
                [](const Row& r) { return r.what.dp > 0 ? count(r.what.dp) : tr("as many as fit"); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "cp"), [](const Row& r) { return count(r.what.cp); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "ep"), [](const Row& r) { return count(r.what.ep); }, true)
            .add(QT_TRANSLATE_NOOP("Preview", "Recompute"),
                 [](const Row& r) {
                     if (r.what.recompute == Recompute::None)
                         return tr("none");
                     return r.what.recomputeLayers > 0 ? tr("%1 layers").arg(r.what.recomputeLayers)
                                                       : tr("all");
                 })
            .add(QT_TRANSLATE_NOOP("Preview", "Ranks"),
                 [](const Row& r) {
                     return r.what.ranks.empty()
                                ? tr("the next ones")
                                : tr("%1 to %2").arg(r.what.ranks.front()).arg(r.what.ranks.back());
                 })
            .table(QT_TRANSLATE_NOOP("Preview", "Stages")));
    if (!plan.hosts.empty())
        preview.tables.push_back(
            Columns<TrainerHost>(plan.hosts)
                .add(QT_TRANSLATE_NOOP("Preview", "Host"), [](const TrainerHost& h) { return q(h.name); })
                .add(
                    QT_TRANSLATE_NOOP("Preview", "GPUs"),
                    [](const TrainerHost& h) { return count(static_cast<std::int64_t>(h.gpus.size())); },
                    true)
                .add(QT_TRANSLATE_NOOP("Preview", "Type"), [](const TrainerHost& h) { return q(h.type); })
                .table(QT_TRANSLATE_NOOP("Preview", "Hosts")));
}

void plansPreview(const PlanFile& file, Preview& preview) {
    preview.heading = counted(static_cast<std::int64_t>(file.plans.size()), "plan", "plans");
    preview.figures = tr("%1 on %2")
                          .arg(q(file.problem->model().name),
                               counted(file.problem->topology().cluster().gpuCount(), "GPU", "GPUs"));
    preview.happens = tr(
        "Opens the question that the plans answer as a new project, with the plans beside it; if it is the "
        "present project's, they join its plans.");
    struct Row {
        int number;
        std::string pattern;
        std::size_t stages;
        std::int64_t microbatches;
        std::string schedule;
    };
    std::vector<Row> rows;
    for (const Plan& plan : file.plans) {
        std::size_t stages = 0;
        for (const Pipeline& pipeline : plan.pipelines)
            stages += pipeline.stages.size();
        rows.push_back({static_cast<int>(rows.size()) + 1, stagePattern(*file.problem, plan), stages,
                        plan.pipelines.front().microbatches, label(plan.pipelines.front().schedule.kind)});
    }
    preview.tables.push_back(
        Columns<Row>(std::move(rows))
            .add(
                QT_TRANSLATE_NOOP("Preview", "Plan"), [](const Row& r) { return count(r.number); }, true)
            .add(
                QT_TRANSLATE_NOOP("Preview", "Stages"),
                [](const Row& r) { return count(static_cast<std::int64_t>(r.stages)); }, true)
            .add(QT_TRANSLATE_NOOP("Preview", "GPUs a stage"), [](const Row& r) { return q(r.pattern); })
            .add(
                QT_TRANSLATE_NOOP("Preview", "Micro-batches"),
                [](const Row& r) { return count(r.microbatches); }, true)
            .add(QT_TRANSLATE_NOOP("Preview", "Schedule"), [](const Row& r) { return q(r.schedule); })
            .table(QT_TRANSLATE_NOOP("Preview", "Plans")));
}

} // namespace pw::preview
