// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_rows.h"

#include "ui/base/convert.h"
#include "ui/base/error_text.h"
#include "ui/base/format.h"
#include "ui/timeline/time_axis.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace pw {

namespace {

constexpr double kNotable = 0.05; // as findSlower() asks of an operation's own time

QString rowTextOf(const char* text) {
    return QCoreApplication::translate("pw::RunRows", text);
}

QString timeText(Seconds time) {
    return spanText(std::llround(time.value * 1e9));
}

QString percentText(double share) {
    return rowTextOf("%1 %").arg(signedText(100.0 * share, 1));
}

QString operationName(RunOpKind kind) {
    switch (kind) {
    case RunOpKind::Forward:
        return rowTextOf("forward");
    case RunOpKind::Backward:
        return rowTextOf("backward");
    case RunOpKind::WeightGrad:
        return rowTextOf("weight gradient");
    case RunOpKind::Send:
        return rowTextOf("send");
    case RunOpKind::Receive:
        return rowTextOf("receive");
    case RunOpKind::Sync:
        return rowTextOf("gradient sync");
    case RunOpKind::Update:
        return rowTextOf("optimizer step");
    }
    return {};
}

QString causeName(RunCause cause) {
    switch (cause) {
    case RunCause::Kernel:
        return rowTextOf("kernel");
    case RunCause::Link:
        return rowTextOf("link");
    case RunCause::Host:
        return rowTextOf("host");
    case RunCause::Imbalance:
        return rowTextOf("imbalance");
    }
    return {};
}

int trackOf(const PlanRun& run, int pipeline, int stage) {
    const std::vector<Track>& tracks = run.rows.timeline.tracks;
    const auto at = std::find_if(tracks.begin(), tracks.end(), [&](const Track& track) {
        return track.pipeline == pipeline && track.stage == stage;
    });
    return at == tracks.end() ? -1 : static_cast<int>(at - tracks.begin());
}

QString stageText(const PlanRun& run, int pipeline, int stage) {
    const bool several = std::any_of(run.rows.timeline.tracks.begin(), run.rows.timeline.tracks.end(),
                                     [](const Track& track) { return track.pipeline > 0; });
    return several ? QStringLiteral("%1.%2").arg(pipeline).arg(stage) : QString::number(stage);
}

// "+1.2 ms"; what reads zero has no sign.
QString differenceText(Seconds difference) {
    const QString text = timeText(Seconds(std::abs(difference.value)));
    if (text.startsWith(decimalText(0.0, 1) + QLatin1Char(' ')))
        return text;
    return (difference.value < 0.0 ? QChar(0x2212) : QLatin1Char('+')) + text;
}

// PlanRunRow::tone, by the operation's own time. What is predicted to take none is no slower by taking some.
int toneOf(Seconds measured, Seconds predicted) {
    if (std::llround(predicted.value * 1e9) <= 0)
        return 0;
    const double ratio = measured / predicted;
    return ratio > 1.0 + kNotable ? 1 : ratio < 1.0 - kNotable ? -1 : 0;
}

class Residuals {
public:
    Residuals(const PlanRun& run, const PlanRun* other)
        : m_run(run), m_other(other),
          m_comparable(other && standingText(*other->record) == standingText(*run.record)) {}

    PlanRunTable make() {
        const RunOverlay& o = m_run.overlay;
        m_table.headings = {rowTextOf("Stage"),
                            rowTextOf("Operation"),
                            rowTextOf("Number"),
                            sentence(ranText(*m_run.record)),
                            o.measured ? rowTextOf("Predicted")
                                       : rowTextOf("Predicted × %1").arg(QString::number(o.scale, 'g', 3)),
                            rowTextOf("Difference"),
                            rowTextOf("Error")};
        const QString error =
            rowTextOf("predicted / measured \u2212 1: below 0 where it took longer than predicted");
        m_table.hints = {{}, {}, {}, {}, {}, rowTextOf("predicted less measured"), error};
        if (m_other) {
            m_table.hints << QString() << error << rowTextOf("its time over that of the run shown, less one");
            m_table.headings << m_other->name << rowTextOf("Its error") << rowTextOf("Change");
        }
        const RunOverlay* b = m_other ? &m_other->overlay : nullptr;
        const QString steps = QString::number(o.steps.size());
        const bool several = o.steps.size() > 1 || (b && b->steps.size() > 1);
        add(-1, rowTextOf("all"), several ? rowTextOf("step, median") : rowTextOf("step"), steps, o.iteration,
            b ? &b->iteration : nullptr);
        if (several) { // else all three are the one
            const RunPair fastest{b ? b->fastest : Seconds(), {}}, slowest{b ? b->slowest : Seconds(), {}};
            add(-1, {}, rowTextOf("step, fastest"), {}, {o.fastest, {}}, b ? &fastest : nullptr);
            add(-1, {}, rowTextOf("step, slowest"), {}, {o.slowest, {}}, b ? &slowest : nullptr);
        }
        for (const RunStageRow& stage : o.stages)
            addStage(stage);
        for (const RunMemory& memory : o.memory)
            addMemory(memory);
        return std::move(m_table);
    }

private:
    void addStage(const RunStageRow& stage) {
        const RunOverlay& o = m_run.overlay;
        const int track = trackOf(m_run, stage.pipeline, stage.stage);
        QString name = stageText(m_run, stage.pipeline, stage.stage);
        for (const RunOpRow& row : o.rows) {
            if (row.pipeline != stage.pipeline || row.stage != stage.stage)
                continue;
            add(track, std::exchange(name, {}), operationName(row.kind), countText(row.count), row.time,
                otherRow(row));
        }
        const RunStageRow* other = otherStage(stage);
        add(track, {}, rowTextOf("busy"), {}, stage.busy, other ? &other->busy : nullptr);
        add(track, {}, rowTextOf("rest"), {}, stage.rest, other ? &other->rest : nullptr);
        if (stage.inFlight == stage.predictedInFlight)
            return;
        PlanRunRow& row = addRow(track, {}, rowTextOf("in flight"), {});
        row.cells[3] = QString::number(stage.inFlight);
        row.cells[4] = QString::number(stage.predictedInFlight);
        row.tone = stage.inFlight > stage.predictedInFlight ? 1 : -1;
    }

    void addMemory(const RunMemory& memory) {
        PlanRunRow& row = addRow(-1, q(memory.device), rowTextOf("peak memory"), {});
        row.cells[3] = rowTextOf("%1 GiB").arg(gibText(memory.measured));
        row.cells[4] = rowTextOf("%1 GiB").arg(gibText(memory.predicted));
        if (memory.measured.value > 0.0)
            row.cells[6] = percentText(memory.predicted / memory.measured - 1.0);
    }

    PlanRunRow& addRow(int track, const QString& stage, const QString& what, const QString& number) {
        PlanRunRow row;
        row.track = track;
        for (qsizetype i = 0; i < m_table.headings.size(); ++i)
            row.cells << QString();
        row.cells[0] = stage;
        row.cells[1] = what;
        row.cells[2] = number;
        m_table.rows.push_back(std::move(row));
        return m_table.rows.back();
    }

    void add(int track, const QString& stage, const QString& what, const QString& number, const RunPair& pair,
             const RunPair* other) {
        PlanRunRow& row = addRow(track, stage, what, number);
        row.cells[3] = timeText(pair.measured);
        if (pair.predicted) {
            row.cells[4] = timeText(*pair.predicted);
            row.cells[5] = differenceText(*pair.predicted - pair.measured);
            if (pair.measured.value > 0.0)
                row.cells[6] = percentText(pair.error());
            row.tone = toneOf(pair.measured, *pair.predicted);
        }
        if (!other)
            return;
        row.cells[7] = timeText(other->measured);
        if (other->predicted && other->measured.value > 0.0)
            row.cells[8] = percentText(other->error());
        if (m_comparable && pair.measured.value > 0.0)
            row.cells[9] = percentText(other->measured / pair.measured - 1.0);
    }

    const RunPair* otherRow(const RunOpRow& like) const {
        if (m_other)
            for (const RunOpRow& row : m_other->overlay.rows)
                if (row.pipeline == like.pipeline && row.stage == like.stage && row.kind == like.kind)
                    return &row.time;
        return nullptr;
    }
    const RunStageRow* otherStage(const RunStageRow& like) const {
        if (m_other)
            for (const RunStageRow& row : m_other->overlay.stages)
                if (row.pipeline == like.pipeline && row.stage == like.stage)
                    return &row;
        return nullptr;
    }

    const PlanRun& m_run;
    const PlanRun* m_other;
    bool m_comparable;
    PlanRunTable m_table;
};

} // namespace

PlanRunTable residualTable(const PlanRun& run, const PlanRun* other) {
    return Residuals(run, other).make();
}

PlanRunTable slowerTable(const PlanRun& run) {
    PlanRunTable table{{rowTextOf("Of a step"), rowTextOf("Cause"), rowTextOf("Slower than predicted")}, {}};
    for (const RunFinding& finding : run.overlay.slower)
        table.rows.push_back({{timeText(finding.lost), causeName(finding.cause), sentence(finding.says)},
                              trackOf(run, finding.pipeline, finding.stage),
                              0});
    return table;
}

QString runSummary(const PlanRun& run) {
    const RunOverlay& o = run.overlay;
    QStringList steps;
    for (const int step : o.steps)
        steps << QString::number(step);
    const QString which = steps.size() > 4 ? rowTextOf("%1 to %2").arg(steps.first(), steps.last())
                                           : steps.join(QLatin1String(", "));
    QString text =
        (o.steps.size() == 1 ? rowTextOf("%1: step %2 counts, of %3 numbered from 0; loss %4 to %5")
                             : rowTextOf("%1: steps %2 count, of %3 numbered from 0; loss %4 to %5"))
            .arg(sentence(standingText(*run.record)), which)
            .arg(run.record->steps.size())
            .arg(decimalText(o.firstLoss, 3), decimalText(o.lastLoss, 3));
    if (!run.record->software.empty())
        text += rowTextOf("; %1").arg(q(run.record->software));
    if (!o.measured)
        text += rowTextOf(
                    ". No times of these GPUs: the prediction is multiplied by %1, what all passes took over "
                    "what is predicted for them; only how stages differ can be read.")
                    .arg(QString::number(o.scale, 'g', 4));
    if (o.pace)
        text += rowTextOf(" %1 of the slots was real work, %2 of %3 passes took longer than theirs.")
                    .arg(shareText(o.pace->realShare), countText(o.pace->late), countText(o.pace->passes));
    if (o.pace && o.pace->disturbed)
        text += rowTextOf(
            " Times say more of the machine that acted it out than of the plan: run it again with more "
            "--slack.");
    return text;
}

} // namespace pw
