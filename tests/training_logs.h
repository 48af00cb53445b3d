// SPDX-FileCopyrightText: Pipewright contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace pw {

// 32 blocks on 16 GPUs, of which a step takes 2 s: lines as Megatron-LM's sources print them.
inline const char* const kMegatronLog = R"([default0]:using world size: 16, data-parallel size: 2
------------------------ arguments ------------------------
  bf16 ............................................ True
  context_parallel_size ........................... 1
[default0]:  data_parallel_size .............................. 2
  expert_model_parallel_size ...................... 1
  ffn_hidden_size ................................. 11008
  fp16 ............................................ False
  fp8 ............................................. None
  global_batch_size ............................... 64
  group_query_attention ........................... False
  hidden_size ..................................... 4096
  micro_batch_size ................................ 1
  num_attention_heads ............................. 32
  num_layers ...................................... 32
  num_query_groups ................................ 1
  overlap_grad_reduce ............................. True
  padded_vocab_size ............................... 32256
  pipeline_model_parallel_size .................... 2
  recompute_granularity ........................... None
  seq_length ...................................... 4096
  sequence_parallel ............................... True
  swiglu .......................................... True
  tensor_model_parallel_size ...................... 4
  untie_embeddings_and_output_weights ............. True
  use_distributed_optimizer ....................... True
  virtual_pipeline_model_parallel_size ............ None
  world_size ...................................... 16
-------------------- end of arguments ---------------------
 [2026-05-01 12:00:00] iteration        1/     100 | consumed samples:           64 | elapsed time per iteration (ms): 9000.0 | learning rate: 1.5E-06 |
[Rank 0] (after 1 iterations) memory (MB) | allocated: 20480.0 | max allocated: 30720.0 | reserved: 33000.0 | max reserved: 40960.0
[Rank 8] (after 1 iterations) memory (MB) | allocated: 20480.0 | max allocated: 31744.5 | reserved: 33000.0 | max reserved: 40960.0
 [2026-05-01 12:00:09] iteration        2/     100 | consumed samples:          128 | elapsed time per iteration (ms): 2000.0 | throughput per GPU (TFLOP/s/GPU): 400.0 |
 [2026-05-01 12:00:11] iteration        3/     100 | consumed samples:          192 | elapsed time per iteration (ms): 2100.5 | throughput per GPU (TFLOP/s/GPU): 400.0 |
 [2026-05-01 12:00:13] iteration        4/     100 | consumed samples:          256 | elapsed time per iteration (ms): 1900.0/2000.1 | lm loss: 1.0E+01 |
)";

// Lists no arguments.
inline const char* const kTitanLog = "[titan] 2026-01-01 - root - INFO - step:  1  loss:  8.1  tps: 512\n"
                                     "[titan] 2026-01-01 - root - INFO - step: 10  loss:  7.1  tps: 8,192\n";

} // namespace pw
