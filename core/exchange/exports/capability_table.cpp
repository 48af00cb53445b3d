// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/exports/capability.h"

#include "core/exchange/exports/feature_checks.h"

namespace pw {

using namespace features;

const std::vector<CapabilityRow>& capabilityTable() {
    static const std::vector<CapabilityRow> table = {
        {"model", "Model", "E_UNSUPPORTED_MODEL", modelAllowed, checkModel, true},
        {"precision", "Precision", "E_PRECISION", precisionAllowed, checkPrecision, true},
        {"optimizer", "Optimizer", "E_OPTIMIZER", optimizerAllowed, checkOptimizer, true},
        {"vendor", "GPUs of AMD", "E_VENDOR", vendorAllowed, checkVendor, true},
        {"vendors", "Vendors in one job", "E_VENDOR_MIX", vendorsAllowed, checkVendors},
        {"batch", "Batch in whole numbers", "E_DIVIDE_GBS", batchAllowed, checkBatch},
        {"schedule", "Schedule", "E_SCHEDULE", scheduleAllowed, checkSchedule},
        {"uneven-layers", "Uneven layers", "E_UNEVEN_LAYERS", unevenAllowed, checkUneven},
        {"sub-layer", "Cuts inside a block", "E_SUBLAYER", subLayerAllowed, checkSubLayer},
        {"layer-order", "Layers out of order", "E_LAYER_ORDER", layerOrderAllowed, checkLayerOrder},
        {"empty-stage", "Stages without a block", "E_EMPTY_STAGE", emptyAllowed, checkEmpty},
        {"virtual-stages", "Virtual stages", "E_VPP", virtualAllowed, checkVirtual},
        {"tp-per-stage", "Tensor parallel by stage", "E_TP_PER_STAGE", tpAllowed, checkTp},
        {"tp-divides", "Heads over tensor parallel", "E_DIVIDE_HEADS", divideAllowed, checkDivide},
        {"sequence-parallel", "Sequence parallel", "E_SEQUENCE_PARALLEL", sequenceAllowed, checkSequence},
        {"dp-per-stage", "Data parallel by stage", "E_DP_PER_STAGE", dpAllowed, checkDp},
        {"stage-size", "Stages of different size", "E_STAGE_SIZE", sizeAllowed, checkSize},
        {"placement", "Placement on nodes", "E_NONCONTIGUOUS_DEVICES", placementAllowed, checkPlacement},
        {"kinds-in-stage", "GPU kinds in one stage", "E_LOCAL_MIX", mixAllowed, checkMix},
        {"microbatch-split", "Uneven micro-batches", "E_MB_SPLIT_UNEVEN", splitAllowed, checkSplit},
        {"replica-shape", "Replicas of different shape", "E_REPLICA_SHAPE", shapeAllowed, checkShape},
        {"recompute", "Recompute by stage", "E_RECOMPUTE_PER_STAGE", recomputeAllowed, checkRecompute},
        {"sharding", "Sharding (ZeRO)", "E_SHARDING", shardingAllowed, checkSharding},
        {"context-parallel", "Context parallel", "E_CP", cpAllowed, checkCp},
        {"expert-parallel", "Expert parallel", "E_EP", epAllowed, checkEp},
        {"partition", "Tensor partitions", "E_PARTITION", partitionAllowed, checkPartition},
    };
    return table;
}

} // namespace pw
