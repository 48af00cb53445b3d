# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What is timed, out of a config.json of Hugging Face, out of sizes, or out of a plan document."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Set, Tuple

import beside_runner  # noqa: F401

from errors import BadInput, Refused
from latent import Latent
from plan import Plan, Reader, read_json, split_device
from shape import ACTIVATIONS, FAMILIES, MOST_SIZES, Shape, check_shape

# Families whose blocks are these: the runner's, and those with latent attention. Others may be built otherwise in ways
# that no size says.
GATED = frozenset("llama mistral mixtral qwen2 qwen2_moe qwen3 qwen3_moe deepseek_v2 deepseek_v3 kimi_k2".split())
TIMED = GATED | {"gpt2", "gpt_neo", "gpt_neox", "opt"}
# What a configuration may say that no layer here has.
REFUSED = {
    "attention_chunk_size": "attention in chunks", "linear_num_key_heads": "linear attention",
    "ssm_state_size": "state spaces", "encoder_layers": "an encoder"}
# Biases of queries, keys and values, of attention's output, of the MLP.
BIASES = {"gpt2": (True, True, True), "gpt_neox": (True, True, True), "opt": (True, True, True),
          "gpt_neo": (False, True, True), "qwen2": (True, False, False), "qwen2_moe": (True, False, False)}
LEARNED = ("gpt2", "gpt_neo", "opt")  # positions


@dataclass(frozen=True)
class Timed:
    """A model, and the sequences of a micro-batch by tensor-parallel size where a plan says them."""

    name: str
    shape: Shape
    latent: Optional[Latent] = None
    wanted: Optional[Dict[int, List[int]]] = None

    def kinds_of_block(self) -> Dict[Tuple[bool, int], List[int]]:
        """Blocks that take the same time, by whether they have experts and by their window."""
        kinds: Dict[Tuple[bool, int], List[int]] = {}
        for block in range(self.shape.blocks):
            kinds.setdefault((self.shape.has_experts(block), self.shape.window_of(block)), []).append(block)
        return kinds


class Config:
    """Keys that mean the same, under the name that a family has for them."""

    def __init__(self, path: str) -> None:
        whole = read_json(path)
        self.reader = whole.part("text_config") if whole.value.get("text_config") else whole

    def key(self, keys: Tuple[str, ...]) -> Optional[str]:
        return next((key for key in keys if self.reader.value.get(key) is not None), None)

    def whole(self, *keys: str, default: Optional[int] = None, least: int = 0) -> int:
        found = self.key(keys)
        if found is None and default is not None:
            return default
        return self.reader.whole(found or keys[0], None, least)

    def value(self, *keys: str) -> Any:
        found = self.key(keys)
        return self.reader.value[found] if found else None


def experts_of(config: Config, blocks: int, ffn: int) -> Dict[str, Any]:
    count = config.whole("num_local_experts", "num_experts", "n_routed_experts", default=0)
    if not count:
        return {}
    width = config.whole("moe_intermediate_size", default=ffn)
    step_key = config.key(("decoder_sparse_step", "moe_layer_freq"))
    step = config.whole(step_key, least=1) if step_key else 1
    leading = config.whole("first_k_dense_replace", default=0)
    listed: Set[int] = set(config.reader.wholes("mlp_only_layers", blocks - 1))
    offset = 1 if step_key == "decoder_sparse_step" else 0  # Qwen counts blocks from 1, DeepSeek from 0
    dense = tuple(b for b in range(blocks) if b < leading or b in listed or (b + offset) % step != 0)
    return {"experts": count, "per_token": config.whole("num_experts_per_tok", "moe_top_k", least=1),
            "expert_ffn": width, "dense_blocks": dense,
            "shared_ffn": config.whole("shared_expert_intermediate_size",
                                       default=config.whole("n_shared_experts", default=0) * width),
            "shared_gate": config.value("shared_expert_intermediate_size") is not None}


def windows_of(config: Config, family: str, blocks: int, seq: int) -> Tuple[int, ...]:
    window = config.value("sliding_window") if config.value("use_sliding_window") is not False else None
    if window is not None and config.whole("sliding_window") < seq:
        if family not in ("mistral", "mixtral"):
            raise Refused("E_UNSUPPORTED_MODEL", config.reader.at("sliding_window"),
                          "which blocks have windows of attention is not known here")
        return (int(window),) * blocks
    if family == "gpt_neo":
        local = config.whole("window_size", default=256)
        names = attention_layers(config, blocks)
        return tuple(local if names[b] == "local" and local < seq else 0 for b in range(blocks))
    return ()


def attention_layers(config: Config, blocks: int) -> List[str]:
    """Of GPT-Neo: "global" or "local" for each block, written out, or as [[names, times], ...]; by default in turn."""
    names: Any = config.value("attention_layers")
    types = config.value("attention_types")
    if names is None and isinstance(types, list) and all(
            isinstance(entry, list) and len(entry) == 2 and isinstance(entry[0], list) and isinstance(entry[1], int)
            and 0 <= entry[1] <= blocks for entry in types):
        names = [name for entry in types for name in entry[0] * entry[1]]
    if names is None and types is None:
        names = (["global", "local"] * blocks)[:blocks]
    if not isinstance(names, list) or len(names) != blocks or any(name not in ("global", "local") for name in names):
        raise BadInput(config.reader.at("attention_layers"), f"expected global or local for each of {blocks} blocks")
    return names


def of_config(name: str, path: str, seq: int) -> Timed:
    config = Config(path)
    for key, what in REFUSED.items():
        if config.value(key):
            raise Refused("E_UNSUPPORTED_MODEL", config.reader.at(key), f"{what} cannot be timed here")
    family = str(config.value("model_type"))
    if family not in TIMED:
        raise Refused("E_UNSUPPORTED_MODEL", config.reader.at("model_type"),
                      f"{family!r} is not timed; {', '.join(sorted(TIMED))} are")
    blocks = config.whole("num_hidden_layers", "n_layer", "num_layers", least=1)
    if blocks > MOST_SIZES["blocks"]:
        raise BadInput(config.reader.where, f"{blocks} blocks; expected {MOST_SIZES['blocks']} at most")
    hidden = config.whole("hidden_size", "n_embd", least=1)
    heads = config.whole("num_attention_heads", "n_head", "num_heads", least=1)
    ffn = config.whole("intermediate_size", "ffn_dim", "n_inner", least=1,
                       default=4 * hidden if family in ("gpt2", "gpt_neo") else None)  # whose files may leave it out
    word = config.value("hidden_act", "activation_function")
    qkv, out, mlp = BIASES.get(family, (bool(config.value("attention_bias")),) * 2 + (bool(config.value("mlp_bias")),))
    positions = config.whole("max_position_embeddings", "n_positions", default=seq)
    own = {"activation": "silu", "epsilon": 1e-6, **FAMILIES.get(family, {})}
    if word is not None:
        if not isinstance(word, str) or word not in ACTIVATIONS:
            raise Refused("E_UNSUPPORTED_MODEL", config.reader.where, f"activation {word!r} is not run")
        own["activation"] = ACTIVATIONS[word]
    if family == "opt" and config.value("do_layer_norm_before") is False:  # OPT-350m
        own.update(final_norm=False, post_norm=True)
    latent = None
    if config.value("kv_lora_rank"):
        latent = Latent(config.whole("q_lora_rank", default=0), config.whole("kv_lora_rank", least=1),
                        config.whole("qk_nope_head_dim"), config.whole("qk_rope_head_dim"),
                        config.whole("v_head_dim", least=1))
    shape = Shape(
        blocks, hidden, heads, config.whole("num_key_value_heads", default=heads, least=1),
        config.whole("head_dim", default=max(1, hidden // heads), least=1), ffn, config.whole("vocab_size", least=2),
        (positions + (2 if family == "opt" else 0)) if family in LEARNED else 0,
        config.whole("word_embed_proj_dim", default=hidden), family in GATED,
        config.value("rms_norm_eps") is not None, qkv_bias=qkv, out_bias=out, mlp_bias=mlp,
        head_norm=family.startswith("qwen3"), window=windows_of(config, family, blocks, seq),
        **experts_of(config, blocks, ffn), **own)
    check_shape(shape, path)
    if shape.learned_positions and seq > shape.learned_positions - shape.position_offset:
        raise BadInput("--seq", f"{seq}; {path} has {positions} positions")
    return Timed(name, shape, latent)


def of_sizes(a: argparse.Namespace) -> Timed:
    missing = [f"--{name}" for name in ("hidden", "blocks", "heads", "ffn", "vocabulary") if not getattr(a, name)]
    if missing:
        raise BadInput("--config", f"give it, --plan, or {', '.join(missing)}")
    if not a.head_dim and a.hidden % a.heads:
        raise BadInput("--head-dim", f"hidden {a.hidden} cannot be divided over {a.heads} heads: give it")
    shape = Shape(a.blocks, a.hidden, a.heads, a.kv_heads or a.heads, a.head_dim or a.hidden // a.heads, a.ffn,
                  a.vocabulary, word_width=a.hidden, gated=a.gated, rms_norm=a.rms_norm,
                  activation="silu" if a.gated else "gelu")
    check_shape(shape, "the sizes")
    return Timed(a.model, shape)


def of_plan(plan: Plan, shape: Shape, kind: str) -> Timed:
    """The sizes that the plan has on devices of this kind; all of them where it has none there."""
    cluster = Reader(plan.cluster, "problem/cluster")
    names = {kind}  # of the catalogue, and as nodes may call it for short
    for entry in cluster.parts("kinds") if "kinds" in cluster.value else []:
        both = {str(entry.value.get("name")), str(entry.value.get("short_name"))}
        names |= both if kind in both else set()
    kinds = {str(node.value.get("id")): str(node.value.get("kind")) for node in cluster.parts("nodes")}
    found: Dict[bool, Dict[int, Set[int]]] = {True: {}, False: {}}
    for pipeline in plan.pipelines:
        for stage in pipeline.stages:
            for replica in stage.replicas:
                here = any(kinds.get(split_device(device)[0]) in names for device in replica.devices)
                found[here].setdefault(stage.tp, set()).add(replica.sequences)
    if not found[True]:
        print(f"the plan has no {kind}: the sizes of all its stages are timed", file=sys.stderr)
    wanted = found[True] or found[False]
    return Timed(str(plan.model.get("name")), shape, None, {tp: sorted(sizes) for tp, sizes in wanted.items()})


def check_tp(timed: Timed, tp: int) -> Optional[str]:
    """Why the model cannot be divided over so many ranks; None where it can."""
    s = timed.shape
    divided = {"heads": s.heads, "ffn": s.ffn if not s.experts or s.dense_blocks else 0, "expert's ffn": s.expert_ffn,
               "shared experts' ffn": s.shared_ffn}
    for what, size in divided.items():
        if size % tp:
            return f"{what} {size} cannot be divided over {tp} ranks"
    if s.kv_heads % tp and tp % s.kv_heads:
        return f"{s.kv_heads} key-value heads cannot be divided over {tp} ranks"
    return None
