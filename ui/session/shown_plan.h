// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/session/candidates.h"
#include "ui/session/memory_room.h"

#include <QHash>
#include <QString>
#include <QStringList>

#include <array>
#include <memory>
#include <vector>

namespace pw {

// A device of a stage with its memory at the peak.
struct ShownDevice {
    QString id; // "n1.g3"
    QString kind;
    MemoryParts peak;
    Bytes perMicrobatch;    // activations kept by one micro-batch in flight
    Bytes capacity;         // MemoryRoom::limit
    Bytes memory;           // MemoryRoom::memory
    double chance = 0.0;    // MemoryRoom::chance
    double fitChance = 1.0; // that it has room for the peak (memory_span.h)
    MemoryRoom room() const { return {capacity, memory, chance}; }
    Bytes whole() const { return room().whole(); }
    bool overflows() const { return capacity.value > 0.0 && peak.total() > capacity; }
    double filled() const {
        return capacity.value > 0.0 ? peak.total() / capacity : 0.0;
    } // share; 0: unknown
};

QString memoryText(const ShownDevice& device); // of its peak, as a sentence (memory_room.h)

// One row of every view of a plan: a stage of a pipeline, in the order of the timeline's tracks.
struct ShownStage {
    // Places in the row of cells: 0 embedding, then block 0 and on, last the head. Half a place is the
    // attention or the MLP of a block. [first, last) of each run that the stage holds.
    struct Layers {
        double begin = 0.0, end = 0.0;
    };
    int pipeline = 0, stage = 0;
    QString devices; // "n1.g6-7"
    QString kind;    // "2 × A100-40"
    int tp = 1, dp = 1, cp = 1, ep = 1;
    int zero = 0;           // Stage::zero; 0 where there is one rank alone, which holds all
    double sequences = 0.0; // of one micro-batch on one replica
    std::vector<Layers> layers;
    QString layerText;   // layersText(): "5 to 18", "emb, 0 to 4"
    QString layerPhrase; // the same with its unit: "blocks 5 to 18"
    QString fineLayers;  // "11 to 38"
    Recompute recompute = Recompute::None;
    int recomputeLayers = 0; // Stage::recomputeLayers
    QStringList partition;   // how each operator is divided; empty: tensor-parallel
    StageFigures figures;
    std::array<double, kBarKinds> busy{}; // seconds of the iteration by BarKind, without sends
    IdleTime idle;                        // with busy it adds up to the iteration
    Seconds time() const { return figures.forward + figures.backward; }
    std::vector<ShownDevice> memory;                 // one entry a device
    std::vector<std::vector<DeviceIndex>> devicesIn; // by replica, in the order in which they are used
    QStringList deviceIds;                           // the same, one replica after another: "n1.g3"
    std::vector<InFlightStep> inFlight;
    const ShownDevice* fullest() const; // by its share, as in the table of plans; null without any
};

// Everything that the views of "the current plan" draw, taken together once when the plan is chosen, so that
// no view looks anything up while it paints.
struct ShownPlan {
    int id = -1;
    int revision = 0; // Candidate::revision
    QString name;
    std::shared_ptr<const ShownPlan> base; // what it was edited from; null: as it was found
    bool stale = false;                    // answers another question than the project asks
    bool foreign = false;                  // Candidate::foreign: then that is no earlier state of the project
    bool isEarlier() const { return stale && !foreign; } // and is called stale
    QString schedule;                                    // "H-1F1B"
    QString launch;                                      // "5 4 3 1"
    QString foundBy;                                     // Candidate::foundBy
    QString precision;
    QString microbatches; // microbatchText()
    Seconds iteration, closedForm;
    double tokensPerSecond = 0.0, measuredShare = 0.0;
    double bubble = 0.0;      // idleShare()
    double utilisation = 0.0; // modelFlopsUtilisation()
    bool estimated = true;    // the iteration, wholly or in part
    ErrorBand band;           // without cases: not known
    QString nearest;          // the nearest measured case, and what sets it apart where it is not near
    QStringList differs;
    TimeParts time;
    QString reason;     // why it is infeasible; empty if it fits
    int layerCount = 0; // cells: embedding, blocks, head
    std::vector<ShownStage> stages;
    std::vector<int> deciding;                // rows of the stages that decide the time (decidingStages())
    bool decides(int row) const;              // and not all of them do
    std::shared_ptr<const Timeline> timeline; // never null
    const ShownDevice* fullest() const;       // of all stages; null without any
    double fitChance() const; // of the device that is least likely to have room; 1 without any
    Seconds meanTime() const; // forward + backward over the stages
    const ChunkLayout& layoutOf(const ShownStage& stage) const; // of its pipeline; `stage`: one of `stages`
    int stageOfDevice(const QString& device) const;             // -1 if the plan does not use it
    const ShownDevice* device(const QString& device) const;     // null likewise
    void indexDevices();                                        // once all stages are there

private:
    struct Place {
        std::size_t stage = 0, entry = 0; // of its memory
    };
    QHash<QString, Place> m_places; // by device, the first of each
};

QString parallelText(const ShownStage& stage); // "tp 2 dp 4", "tp 2 dp 4 cp 2"
// What a stage divides besides, if anything: "ep 8", "ZeRO 2". A sharded optimiser alone is usual.
QString furtherText(const ShownStage& stage);
QString divisionText(const ShownStage& stage); // both: "tp 1 dp 8 ZeRO 2"
QString shardedText(const ShownStage& stage);  // what ranks hold a share of: "optimiser states, gradients"

// What a micro-batch counts, and what it is on one replica, as Megatron-LM's --micro-batch-size states it.
QString microbatchHelp(const ShownPlan& plan);
// The second alone, to stand behind what all replicas take together: "1 a replica", "0.50 to 2 a replica".
QString replicaNote(const ShownPlan& plan);

// Nodes go by the names that they are `drawn` under, as Selection::device() does.
std::shared_ptr<const ShownPlan> makeShownPlan(const Candidate& candidate,
                                               const std::shared_ptr<const CandidateDetail>& detail,
                                               bool stale, const NodeNames& drawn = {});

} // namespace pw
