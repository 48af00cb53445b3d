# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Stands for the package hetu at 9e47240d: what its configuration, its trainer and its Llama do with what they get.

Lines are those of python/hetu. STUB_DEVICES lists the host and the index of every GPU in the order of the ranks, and
STUB_RANK is the process's own. train() prints the model that was built as JSON.
"""

import dataclasses
import json
import os
import sys
import types
from typing import Optional

DEVICES = [types.SimpleNamespace(hostname=host, index=index) for host, index in json.loads(os.environ["STUB_DEVICES"])]
RANK = int(os.environ["STUB_RANK"])


class IntSymbol:
    def __init__(self, value):
        self.data = value

    def set_data(self, value):
        self.data = value


class DeviceGroup:
    @staticmethod
    def get(rank):
        return DEVICES[rank]


class LlamaConfig:  # models/llama/llama_config.py:6
    def __init__(self, vocab_size=50257, hidden_size=4096, intermediate_size=11008, num_hidden_layers=32,
                 num_attention_heads=32, num_key_value_heads=None, hidden_act="fast-swiglu",
                 max_position_embeddings=2048, rms_norm_eps=1e-6, attention_bias=False, attention_dropout=0.0,
                 mlp_bias=False, head_dim=None, use_flash_attn=True, use_packed_qkv=True, **_):
        self.vocab_size, self.hidden_size, self.intermediate_size = vocab_size, hidden_size, intermediate_size
        self.num_hidden_layers, self.num_attention_heads = num_hidden_layers, num_attention_heads
        self.num_key_value_heads = num_attention_heads if num_key_value_heads is None else num_key_value_heads
        self.hidden_act, self.max_position_embeddings = hidden_act, max_position_embeddings
        self.rms_norm_eps, self.attention_bias, self.mlp_bias = rms_norm_eps, attention_bias, mlp_bias
        self.attention_dropout, self.use_flash_attn = attention_dropout, use_flash_attn
        self.head_dim = hidden_size // num_attention_heads if head_dim is None else head_dim
        self.use_packed_qkv = use_packed_qkv


def part(config, name):
    """utils/parallel/read_ds.py:127: by name, at any depth."""
    waiting = [config]
    while waiting:
        found = waiting.pop(0)
        if name in found:
            return found[name]
        waiting += [value for value in found.values() if isinstance(value, dict)]
    raise AssertionError(f"ds_parallel_configs parse error, cannot find {name}")


def check_split(leaf, dimension, size):
    """nn/modules/parallel_multi_ds.py:113, 300: dup * split over the pipelines are the devices; parts are whole."""
    groups = leaf["device_group_union"]
    assert "zero" in leaf, "variable config must have zero!"
    for pipeline, group in enumerate(groups):
        parts = leaf["split"][dimension][pipeline]
        assert leaf["dup"][pipeline] * parts == len(group) * len(groups), leaf
        assert size % parts == 0, (size, parts)


class LlamaLMHeadModel:
    def __init__(self, config, ds_parallel_configs):
        self.config = config
        for plan in ds_parallel_configs:
            check_split(part(part(plan, "llama"), "wte"), "0", config.vocab_size)
            for block in range(config.num_hidden_layers):
                own = part(plan, f"blocks{block}")
                assert own["range"] == [block], own["range"]
                check_split(part(own, "rmsnorm1"), "0", 0)
                check_split(part(own, "qkv"), "1", config.num_key_value_heads)
                check_split(part(own, "dense_h_to_4h"), "1", config.intermediate_size)
            check_split(part(plan, "lm_head"), "1", config.vocab_size)
        assert config.num_attention_heads % config.num_key_value_heads == 0  # models/llama/llama_model.py:101

    def positions(self):
        assert self.config.use_packed_qkv, "no rotary positions"  # models/llama/llama_model.py:267
        return self.config.max_seqlen_symbol.data  # :229


@dataclasses.dataclass
class StrategyConfig:  # utils/parallel/ds_config.py:85
    hetero: bool = False
    dp: int = 1
    cp: int = 1
    tp: int = 1
    pp: int = 1
    zero: bool = False
    num_layers: int = 1
    num_gpus: int = 1
    ds_parallel_config_path: Optional[str] = None
    ds_parallel_config_name: Optional[str] = None
    rank_to_device_mapping: Optional[dict] = None
    unused_rank: Optional[list] = None
    gpus_per_stage: Optional[int] = None
    hetero_layers: Optional[list] = None
    micro_batch_num_list: Optional[list] = None
    seq_len_list: Optional[list] = None
    cp_list: Optional[list] = None
    recompute: object = None

    def __post_init__(self):
        assert not self.hetero or (self.rank_to_device_mapping is not None and self.hetero_layers is not None)


@dataclasses.dataclass
class TrainingConfig:  # engine/trainer_config.py:6
    output_dir: str = "./output"
    overwrite_output_dir: bool = False
    plot_loss: bool = False
    plot_update_freq: int = 10
    bf16: bool = False
    packing: bool = True
    micro_batch_size: Optional[int] = None
    ds_parallel: Optional[StrategyConfig] = None
    global_load_size: int = 64
    data_load_level: str = "sample"
    torch_profile: bool = False
    start_profile_step: int = 1
    end_profile_step: int = 5
    profile_save_path: str = "./trace"
    train_dataset_path: Optional[str] = None
    dataset_text_field: Optional[str] = None
    max_seq_length: Optional[int] = None
    steps: int = 1000
    learning_rate: float = 0.001


class ModelWrapper:
    def __init__(self, model_class, model_config):
        self.model_class, self.model_config = model_class, model_config

    def create_model(self, ds_parallel_configs):
        return self.model_class(config=self.model_config, ds_parallel_configs=ds_parallel_configs)


class OptimizerWrapper:
    def __init__(self, optimizer_config):
        assert optimizer_config.pop("type") == "Adam"


class Trainer:
    def __init__(self, pretrain_config, model, tokenizer, optimizer, ds_parallel_configs):
        assert tokenizer == "tokenizer" and isinstance(optimizer, OptimizerWrapper)
        self.pretrain_config, self.ds_config = pretrain_config, pretrain_config.ds_parallel
        self.model, self.ds_parallel_configs = model, ds_parallel_configs

    def build(self):
        self.model = self.model.create_model(self.ds_parallel_configs)
        self._init_config_symbol()
        self.positions = self.model.positions()

    def _init_config_symbol(self):  # :246
        pipelines = len(part(self.ds_parallel_configs[0], "input")["device_group_union"])
        config = self.model.config
        config.multi_cp_group_symbol = [[IntSymbol(1) for _ in range(pipelines)]]
        config.max_seqlen_symbol = IntSymbol(1) if self.pretrain_config.packing else None

    def extract_strategy(self, cp_list, strategy_id):  # :325
        ranks = [rank for rank, device in self.ds_config.rank_to_device_mapping.items() if device == RANK]
        assert len(ranks) == 1, "rank_to_device_mapping has duplicate keys"
        assert ranks[0] not in self.ds_config.unused_rank
        stages = [len(pipeline) for pipeline in self.ds_config.hetero_layers]
        assert len(stages) == sum(cp_list)
        past = 0
        for pipeline, count in enumerate(stages):
            past += count * self.ds_config.gpus_per_stage
            if past > ranks[0]:
                break
        for name in ("input", "label"):
            for own, group in enumerate(part(self.ds_parallel_configs[0], name)["device_group_union"]):
                assert RANK not in group or own == pipeline
        past, group = cp_list[0], 0
        for index, symbol in enumerate(self.model.config.multi_cp_group_symbol[strategy_id]):  # :440
            if index < past:
                symbol.set_data(group)
            else:
                group += 1
                past += cp_list[group]
        return pipeline

    def train(self):
        config, strategy, asked = self.model.config, self.ds_config, self.pretrain_config
        pipeline = self.extract_strategy(strategy.cp_list, 0)
        assert sum(strategy.micro_batch_num_list) * asked.micro_batch_size == asked.global_load_size
        assert strategy.seq_len_list is not None, "unsupported operand type(s) for +=: 'int' and 'NoneType'"  # :560
        past = 0
        for size in strategy.cp_list:
            assert sum(strategy.seq_len_list[past:past + size]) == asked.max_seq_length
            past += size
        assert asked.bf16 and config.use_flash_attn
        kept = {key: value for key, value in vars(config).items() if not key.endswith("symbol")}
        print(json.dumps({**kept, "positions": self.positions, "pipeline": pipeline, "groups": [
            symbol.data for symbol in config.multi_cp_group_symbol[0]]}))


def config_spread_zero(plan):  # utils/parallel/read_ds.py:74
    waiting = list(plan.values())
    while waiting:
        found = waiting.pop()
        if isinstance(found, dict) and found.get("type") == "variable":
            found["zero"] = plan["zero"]
        elif isinstance(found, dict):
            waiting += found.values()
    return plan


def distributed_init(ngpus, server_addr, server_port):
    assert ngpus == len(DEVICES) and server_addr and server_port
    return DEVICES[RANK], DeviceGroup()


class HuggingFaceTokenizer:
    @staticmethod
    def from_pretrained(_):
        return "tokenizer"


for path in ("data", "data.tokenizers", "data.tokenizers.hf_tokenizer", "engine", "engine.trainer",
             "engine.trainer_config", "engine.wrapper", "models", "utils", "utils.parallel"):
    sys.modules["hetu." + path] = sys.modules[__name__]
