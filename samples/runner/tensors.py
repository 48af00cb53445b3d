# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every weight of a model by a name that no plan changes, how tensor parallelism cuts it, and its first values.

A name is <fine layer>.<part>, as in 5.q: attention of block 2. A plan only decides which rank holds which slice of it.
Everything that goes beyond one rank (sums of gradients, checkpoints, weights from files) speaks of these names.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import List, Optional, Tuple

import torch

from plan import Stage
from shape import Shape

BLOCK_ROWS = 1024  # rows that are drawn from one seed, so that a rank draws little beyond its slice


@dataclass(frozen=True)
class TensorSpec:
    name: str
    shape: Tuple[int, ...]
    cut: Optional[int] = None  # dimension that tensor parallelism cuts; None: every rank has the whole
    units: int = 0  # parts that may not be cut further along it (key-value heads); 0 = single rows
    # Of whole tensors: used where each tensor-parallel rank sees only its own heads or partial sums, so that
    # gradients are partial on every one of them. Else only sequence parallelism makes them partial.
    inside: bool = False
    expert: Optional[int] = None
    initial: str = "normal"  # normal, scaled (normal over the root of twice the blocks), ones, zeros
    decayed: bool = True  # by the optimiser

    def layer(self) -> int:
        return int(self.name.split(".", 1)[0])


def span(spec: TensorSpec, rank: int, tp: int) -> Tuple[int, int]:
    """Rows or columns [begin, end) of the cut dimension that a tensor-parallel rank holds. Where there are fewer units
    than ranks, neighbours hold copies."""
    if spec.cut is None:
        return 0, 0
    whole = spec.shape[spec.cut]
    if spec.units == 0:
        return rank * whole // tp, (rank + 1) * whole // tp
    parts = min(tp, spec.units)
    part = rank * parts // tp
    return part * whole // parts, (part + 1) * whole // parts


def holds(spec: TensorSpec, stage: Stage, experts: int, replica: int) -> bool:
    """Whether a replica of the stage has the tensor: experts are dealt out over ep neighbouring replicas."""
    if spec.expert is None or stage.ep == 1:
        return True
    return spec.expert // (experts // stage.ep) == replica % stage.ep


def layer_tensors(shape: Shape, layer: int) -> List[TensorSpec]:
    if layer == 0:
        return embedding_tensors(shape)
    if layer == shape.layers() - 1:
        return head_tensors(shape, layer)
    return attention_tensors(shape, layer) if layer % 2 else mlp_tensors(shape, layer)


def norm_tensors(shape: Shape, name: str, width: int, inside: bool = False) -> List[TensorSpec]:
    scale = TensorSpec(f"{name}.scale", (width,), inside=inside, initial="ones", decayed=False)
    shift = TensorSpec(f"{name}.shift", (width,), inside=inside, initial="zeros", decayed=False)
    return [scale] if shape.rms_norm or inside else [scale, shift]


def embedding_tensors(shape: Shape) -> List[TensorSpec]:
    tensors = [TensorSpec("0.words", (shape.vocab, shape.word_width), 0)]
    if shape.learned_positions:
        tensors.append(TensorSpec("0.positions", (shape.learned_positions, shape.hidden)))
    if shape.word_width != shape.hidden:
        tensors.append(TensorSpec("0.project", (shape.hidden, shape.word_width)))
    return tensors


def head_tensors(shape: Shape, layer: int) -> List[TensorSpec]:
    """A tied head has the embedding's 0.words and no words of its own."""
    tensors = norm_tensors(shape, f"{layer}.norm", shape.hidden) if shape.final_norm else []
    if shape.word_width != shape.hidden:
        tensors.append(TensorSpec(f"{layer}.project", (shape.word_width, shape.hidden)))
    words = TensorSpec(f"{layer}.words", (shape.vocab, shape.word_width), 0)
    return tensors + [embedding_tensors(shape)[0] if shape.tied else words]


def attention_tensors(shape: Shape, layer: int) -> List[TensorSpec]:
    queries, keys = shape.heads * shape.head_dim, shape.kv_heads * shape.head_dim
    tensors = norm_tensors(shape, f"{layer}.norm", shape.hidden)
    for part, rows, units in (("q", queries, shape.heads), ("k", keys, shape.kv_heads), ("v", keys, shape.kv_heads)):
        tensors.append(TensorSpec(f"{layer}.{part}", (rows, shape.hidden), 0, units))
        if shape.qkv_bias:
            tensors.append(TensorSpec(f"{layer}.{part}.bias", (rows,), 0, units, initial="zeros", decayed=False))
    if shape.head_norm:
        tensors += norm_tensors(shape, f"{layer}.q.norm", shape.head_dim, True)
        tensors += norm_tensors(shape, f"{layer}.k.norm", shape.head_dim, True)
    tensors.append(TensorSpec(f"{layer}.o", (shape.hidden, queries), 1, shape.heads, initial="scaled"))
    if shape.out_bias:
        tensors.append(TensorSpec(f"{layer}.o.bias", (shape.hidden,), initial="zeros", decayed=False))
    return tensors


def mlp_tensors(shape: Shape, layer: int) -> List[TensorSpec]:
    tensors = norm_tensors(shape, f"{layer}.norm", shape.hidden)
    if not shape.has_experts(layer // 2 - 1):
        return tensors + feed_forward_tensors(shape, f"{layer}.", shape.ffn, shape.mlp_bias, None)
    tensors.append(TensorSpec(f"{layer}.router", (shape.experts, shape.hidden), inside=True))
    for expert in range(shape.experts):
        tensors += feed_forward_tensors(shape, f"{layer}.expert{expert}.", shape.expert_ffn, False, expert)
    if shape.shared_ffn:
        tensors += feed_forward_tensors(shape, f"{layer}.shared.", shape.shared_ffn, False, None)
        if shape.shared_gate:
            tensors.append(TensorSpec(f"{layer}.shared.weight", (1, shape.hidden), inside=True))
    return tensors


def feed_forward_tensors(shape: Shape, prefix: str, width: int, bias: bool, expert: Optional[int]) -> List[TensorSpec]:
    tensors: List[TensorSpec] = []
    for part in ("gate", "up") if shape.gated else ("up",):
        tensors.append(TensorSpec(f"{prefix}{part}", (width, shape.hidden), 0, expert=expert))
        if bias:
            tensors.append(TensorSpec(f"{prefix}{part}.bias", (width,), 0, initial="zeros", decayed=False))
    tensors.append(TensorSpec(f"{prefix}down", (shape.hidden, width), 1, expert=expert, initial="scaled"))
    if bias:
        tensors.append(TensorSpec(f"{prefix}down.bias", (shape.hidden,), initial="zeros", decayed=False))
    return tensors


def first_values(spec: TensorSpec, begin: int, end: int, seed: int, blocks: int) -> torch.Tensor:
    """Slice [begin, end) of the cut dimension in fp32: normal with deviation 0.02 (arXiv 1909.08053), what leaves a
    residual branch divided by the root of twice the blocks. The same numbers whatever the slice."""
    if spec.initial in ("ones", "zeros"):
        shape = list(spec.shape)
        if spec.cut is not None:
            shape[spec.cut] = end - begin
        return torch.full(shape, 1.0 if spec.initial == "ones" else 0.0)
    first, last = (begin, end) if spec.cut == 0 else (0, spec.shape[0])
    deviation = 0.02 / math.sqrt(2.0 * blocks) if spec.initial == "scaled" else 0.02
    pieces: List[torch.Tensor] = []
    for block in range(first // BLOCK_ROWS, -(-last // BLOCK_ROWS)):
        top = block * BLOCK_ROWS
        rows = min(BLOCK_ROWS, spec.shape[0] - top)
        digest = hashlib.sha256(f"{seed} {spec.name} {block}".encode()).digest()
        generator = torch.Generator().manual_seed(int.from_bytes(digest[:7], "little"))
        values = torch.randn([rows, *spec.shape[1:]], generator=generator) * deviation
        pieces.append(values[max(0, first - top):last - top])
    drawn = torch.cat(pieces)
    return drawn if spec.cut != 1 else drawn[:, begin:end].clone()
