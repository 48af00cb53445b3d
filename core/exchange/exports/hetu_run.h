// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/exports/export.h"
#include "core/exchange/exports/plain_pipelines.h"

namespace pw {

// What trains a ds_parallel_config.json with Hetu at 9e47240d: settings.json (the model's sizes, those of its
// Trainer and of its StrategyConfig, the GPUs of each node in the order of `ranks`), train.py, which hands
// them to that Trainer, hosts.yaml and train.sh, which starts it on every GPU.
//
// None of the release's own entries builds the model of a plan. examples/ampelos/train_hetu_llama.py and
// examples/hetero/train_hetu_*.py hand LlamaConfig the sizes under names that it does not have (n_embd,
// n_layer), so that it builds its default, 4096 wide with 32 blocks. examples/pretrain/train_hetu.py takes
// all sizes, but makes the table of rotary positions for one token where sequences are packed and fails
// without one where they are not (engine/trainer.py:273, models/llama/llama_model.py:229).
std::vector<ExportFile> hetuRunFiles(const ExportInput& input, const std::vector<PlainPipeline>& pipelines,
                                     const LaunchOrder& order, const std::map<DeviceIndex, int>& ranks);

} // namespace pw
