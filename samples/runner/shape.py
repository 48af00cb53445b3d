# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What the transformer is made of: the model of a plan document, and what its family says beyond sizes.

A document holds sizes, biases and kinds of norm, and may state the base of the rotary positions and the epsilon of
norms. The rest (activation, parallel branches, and these two where they are not stated) is the family's, as in the
public implementations, unless a Hugging Face config.json says otherwise.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Dict, Tuple

from errors import BadInput, Refused
from plan import MOST_WHOLE, Plan, Reader, read_json


@dataclass(frozen=True)
class Shape:
    blocks: int
    hidden: int
    heads: int
    kv_heads: int
    head_dim: int
    ffn: int
    vocab: int
    learned_positions: int = 0  # rows of the position table; 0 = rotary
    word_width: int = 0  # of the word embedding; hidden but for models that project it (OPT-350m)
    gated: bool = False
    rms_norm: bool = False
    final_norm: bool = True
    tied: bool = False
    qkv_bias: bool = False
    out_bias: bool = False
    mlp_bias: bool = False
    head_norm: bool = False  # queries and keys are normalised head by head
    window: Tuple[int, ...] = ()  # per block: tokens that a token sees, itself included; 0 = all before it
    experts: int = 0
    per_token: int = 0
    expert_ffn: int = 0
    shared_ffn: int = 0  # of all shared experts together
    shared_gate: bool = False
    dense_blocks: Tuple[int, ...] = ()
    # of the family
    activation: str = "gelu"
    rotary_base: float = 10000.0
    rotary_share: float = 1.0  # of a head's width that is rotated
    epsilon: float = 1e-5
    parallel: bool = False  # attention and MLP read the same input and are added together
    post_norm: bool = False  # norms behind the additions
    scaled_scores: bool = True  # scores over the root of the head's width
    position_offset: int = 0  # first row of the position table in use
    normalised_choice: bool = True  # weights of the chosen experts add up to 1

    def layers(self) -> int:
        return 2 * self.blocks + 2

    def window_of(self, block: int) -> int:
        return self.window[block] if self.window else 0

    def has_experts(self, block: int) -> bool:
        return self.experts > 0 and block not in self.dense_blocks

    def mlp_widths(self) -> Tuple[int, ...]:
        """Columns of all kinds of MLP, as the blocks have them."""
        if not self.experts:
            return (self.ffn,)
        dense = (self.ffn,) if self.dense_blocks else ()
        shared = (self.shared_ffn,) if self.shared_ffn else ()
        return (*dense, self.expert_ffn, *shared)


# What a family has of its own, by model_type of the Hugging Face configuration.
GATED: Dict[str, Any] = {"activation": "silu"}
FAMILIES: Dict[str, Dict[str, Any]] = {
    "llama": {**GATED, "rotary_base": 10000.0},
    "mistral": {**GATED, "rotary_base": 10000.0},
    "mixtral": {**GATED, "rotary_base": 1000000.0},
    "qwen2": {**GATED, "rotary_base": 10000.0, "epsilon": 1e-6},
    "qwen2_moe": {**GATED, "rotary_base": 10000.0, "epsilon": 1e-6, "normalised_choice": False},
    "qwen3": {**GATED, "rotary_base": 10000.0, "epsilon": 1e-6},
    "qwen3_moe": {**GATED, "rotary_base": 10000.0, "epsilon": 1e-6},  # as published; the class's own default is not
    "gpt2": {"activation": "gelu_tanh"},
    "gpt_neo": {"activation": "gelu_tanh", "scaled_scores": False},
    "gpt_neox": {"activation": "gelu", "rotary_share": 0.25, "parallel": True},
    "opt": {"activation": "relu"},
}
TINY_HIDDEN, TINY_SEQ = 32, 16  # of models that stand in for large ones
MOST_SIZES = {"blocks": 10 ** 4, "hidden": 10 ** 6, "heads": 10 ** 5, "head_dim": 10 ** 5, "ffn": 10 ** 7,
              "vocab": 10 ** 8, "learned_positions": 10 ** 8, "experts": 10 ** 5, "expert_ffn": 10 ** 7,
              "shared_ffn": 10 ** 7}
# Keys of a model document that are run, or that change nothing of what is computed; any other that says something is
# refused, as it may mean another model.
KNOWN = frozenset((
    "schema name family blocks hidden heads kv_heads head_dim ffn vocab positions learned_positions embed_projection "
    "gated_mlp rms_norm final_norm tied qkv_bias attention_out_bias mlp_bias window dtype source query_key_norm "
    "rotary_base norm_epsilon experts").split())
KNOWN_OF_EXPERTS = frozenset("count per_token ffn shared shared_ffn shared_gate dense_blocks".split())
ACTIVATIONS = {"silu": "silu", "swish": "silu", "gelu": "gelu", "gelu_new": "gelu_tanh", "gelu_fast": "gelu_tanh",
               "gelu_pytorch_tanh": "gelu_tanh", "relu": "relu"}


def shape_of(model: Dict[str, Any], where: str = "problem/model") -> Shape:
    """The shape of a model of schema pipewright-model-1. Raises BadInput and Refused."""
    r = Reader(model, where)
    family = str(model.get("family", ""))
    if family not in FAMILIES:
        raise Refused("E_UNSUPPORTED_MODEL", r.at("family"), f"{family!r} is not run; {', '.join(FAMILIES)} are")
    check_known(r, KNOWN)
    blocks, hidden = r.whole("blocks", None, 1), r.whole("hidden", None, 1)
    heads = r.whole("heads", None, 1)
    ffn = r.whole("ffn", 4 * hidden, 1)
    experts = r.part("experts")
    count = experts.whole("count", 0)
    check_known(experts, KNOWN_OF_EXPERTS)
    expert_ffn = experts.whole("ffn", ffn, 1)
    shared = experts.whole("shared", 0)
    window = r.wholes("window", MOST_WHOLE)
    if window and len(window) != blocks:
        raise BadInput(r.at("window"), f"{len(window)} blocks; the model has {blocks}")
    shape = Shape(
        blocks, hidden, heads, r.whole("kv_heads", heads, 1), r.whole("head_dim", max(1, hidden // heads), 1), ffn,
        r.whole("vocab", None, 2), r.whole("learned_positions", 0), r.whole("embed_projection", 0) or hidden,
        r.flag("gated_mlp"), r.flag("rms_norm"), model.get("final_norm", True) is True, r.flag("tied"),
        r.flag("qkv_bias"), r.flag("attention_out_bias"), r.flag("mlp_bias"), r.flag("query_key_norm"), window,
        count, experts.whole("per_token", 0), expert_ffn,
        shared * experts.whole("shared_ffn", expert_ffn, 1), experts.flag("shared_gate"),
        experts.wholes("dense_blocks", blocks - 1), **FAMILIES[family])
    if r.number("rotary_base", 0.0) > 0.0:
        shape = replace(shape, rotary_base=r.number("rotary_base", 0.0))
    if r.number("norm_epsilon", 0.0) > 0.0:
        shape = replace(shape, epsilon=r.number("norm_epsilon", 0.0))
    if family == "opt":  # the one without a final norm normalises behind its additions (OPT-350m)
        shape = replace(shape, position_offset=2 if shape.learned_positions > r.whole("positions", 0) else 0,
                        post_norm=not shape.final_norm)
    check_shape(shape, where)
    return shape


def check_shape(shape: Shape, where: str) -> None:
    """What has to hold of any model. Raises BadInput."""
    def fail(what: str) -> None:
        raise BadInput(where, what)

    if shape.kv_heads > shape.heads or shape.heads % shape.kv_heads:
        fail(f"{shape.kv_heads} key-value heads do not divide {shape.heads} heads")
    if shape.learned_positions == 0 and shape.head_dim % 2:
        fail(f"heads of width {shape.head_dim}, which is odd; rotary positions turn pairs")
    if shape.experts and not 1 <= shape.per_token <= shape.experts:
        fail(f"{shape.per_token} of {shape.experts} experts for a token")
    for name, most in MOST_SIZES.items():
        if getattr(shape, name) > most:
            fail(f"{name} {getattr(shape, name)}; expected {most} at most")


def check_known(r: Reader, known: frozenset[str]) -> None:
    for key, value in sorted(r.value.items()):
        plain = value == 1 if key in ("attention_norms", "mlp_norms") else not value
        if key not in known and not plain:
            raise Refused("E_UNSUPPORTED_MODEL", r.at(key), f"{key.replace('_', ' ')} is not run")


# Where a config.json of Hugging Face says what: sizes, which the plan's model has too, and what only the family has.
SIZES: Dict[str, Tuple[str, ...]] = {
    "blocks": ("num_hidden_layers", "n_layer", "num_layers"), "hidden": ("hidden_size", "n_embd"),
    "heads": ("num_attention_heads", "n_head", "num_heads"), "kv_heads": ("num_key_value_heads",),
    "head_dim": ("head_dim",), "experts": ("num_local_experts", "num_experts"),
    "per_token": ("num_experts_per_tok",), "vocab": ("vocab_size",)}
WIDTHS = ("intermediate_size", "n_inner", "ffn_dim")  # of the MLP, where there are no experts
SWITCHES: Dict[str, str] = {"tied": "tie_word_embeddings", "qkv_bias": "attention_bias"}
NUMBERS: Dict[str, Tuple[str, ...]] = {
    "rotary_base": ("rope_theta", "rotary_emb_base"), "rotary_share": ("rotary_pct", "partial_rotary_factor"),
    "epsilon": ("rms_norm_eps", "layer_norm_eps", "layer_norm_epsilon")}
FLAGS: Dict[str, Tuple[str, ...]] = {"parallel": ("use_parallel_residual",), "normalised_choice": ("norm_topk_prob",)}


def with_config(shape: Shape, family: str, path: str) -> Shape:
    """The shape with what a Hugging Face config.json says of activation, positions and norms. Raises BadInput where it
    is another model's, and Refused."""
    config = read_json(path)
    scaling = config.value.get("rope_scaling") or config.value.get("rope_parameters") or {}
    if isinstance(scaling, dict) and scaling.get("rope_type", scaling.get("type", "default")) != "default":
        raise Refused("E_UNSUPPORTED_MODEL", f"{path}/rope_scaling", "scaled rotary positions are not run")
    r = Reader({**config.value, **(scaling if isinstance(scaling, dict) else {})}, path)

    def named(table: Dict[str, Tuple[str, ...]]) -> Dict[str, str]:
        return {field: key for field, keys in table.items() for key in keys if r.value.get(key) is not None}

    stated = config.value.get("model_type", family)
    if stated != family:
        raise BadInput(f"{path}/model_type", f"is {stated!r}; the plan's model is of {family!r}")
    for field, key in named(SIZES).items():
        if r.whole(key) != getattr(shape, field):
            raise BadInput(r.at(key), f"is {r.whole(key)}; the plan's model has {getattr(shape, field)}")
    for field, key in SWITCHES.items():
        if key == "attention_bias" and family not in ("llama", "qwen3", "qwen3_moe", "gpt_neox"):
            continue  # which others do not read
        if r.value.get(key) is not None and r.flag(key) != getattr(shape, field):
            raise BadInput(r.at(key), f"is {str(r.flag(key)).lower()}; the plan's model has it otherwise")
    for key in WIDTHS:
        if not shape.experts and r.value.get(key) is not None and r.whole(key) != shape.ffn:
            raise BadInput(r.at(key), f"is {r.whole(key)}; the plan's model has {shape.ffn}")
    known: Dict[str, Any] = {field: r.number(key) for field, key in named(NUMBERS).items()}
    for field, key in named(NUMBERS).items():
        if known[field] <= 0.0 or (field == "rotary_share" and known[field] > 1.0):
            raise BadInput(r.at(key), f"is {known[field]:g}; expected a number above 0"
                                      + (", and 1 at most" if field == "rotary_share" else ""))
    known.update((field, r.flag(key)) for field, key in named(FLAGS).items())
    word = config.value.get("hidden_act", config.value.get("activation_function"))
    if word is not None:
        if not isinstance(word, str) or word not in ACTIVATIONS:
            raise Refused("E_UNSUPPORTED_MODEL", path, f"activation {word!r} is not run")
        known["activation"] = ACTIVATIONS[word]
    return replace(shape, **known)


def tiny(shape: Shape, seq: int = TINY_SEQ) -> Shape:
    """The same model with small widths; of the problem alone, so that every plan of it gives the same losses. Blocks,
    heads, experts, biases and windows stay: they are what plans divide. seq: that of tiny_seq()."""
    hidden = TINY_HIDDEN
    return replace(shape, hidden=hidden, head_dim=2, ffn=2 * hidden, vocab=min(shape.vocab, 4 * hidden),
                   word_width=hidden if shape.word_width == shape.hidden else hidden // 2,
                   expert_ffn=hidden // 2, shared_ffn=hidden if shape.shared_ffn else 0, rotary_share=1.0,
                   learned_positions=min(shape.learned_positions, seq + shape.position_offset),
                   window=tuple(min(w, TINY_SEQ // 4) for w in shape.window))


def tiny_seq(plan: Plan, shape: Shape) -> int:
    """Tokens of a sequence under --tiny, of the problem alone: TINY_SEQ, or the next number that every tensor-parallel
    size of its largest node divides, as sequence parallelism has to."""
    sizes = [node.get("gpus") for node in plan.cluster["nodes"]]
    most = max((size for size in sizes if isinstance(size, int)), default=1)
    step = 1
    for tp in range(1, min(most, shape.heads) + 1):
        if shape.heads % tp == 0:
            step = step * tp // math.gcd(step, tp)
    return min(plan.seq, -(-TINY_SEQ // step) * step)


def as_tiny(plan: Plan, shape: Shape) -> Tuple[Plan, Shape]:
    """Both as --tiny runs them. A stage over several nodes whose size does not divide the tokens keeps them whole."""
    seq = tiny_seq(plan, shape)
    pipelines = tuple(replace(p, stages=tuple(replace(s, sequence_parallel=s.sequence_parallel and seq % s.tp == 0)
                                              for s in p.stages)) for p in plan.pipelines)
    return replace(plan, pipelines=pipelines, seq=seq, precision="fp32"), tiny(shape, seq)
