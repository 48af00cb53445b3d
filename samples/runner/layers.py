# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The fine layers of a decoder: embedding, attention, MLP or experts, head. Each is a function of its input and of the
weights that this rank holds. Activations are [positions, sequences, hidden]: slices by position, as sequence
parallelism wants them, are then rows. There is no dropout.

A block whose branches run side by side (GPT-NeoX) hands [sum so far, input] from attention to MLP, so that a cut
inside it moves twice as much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Dict, List, Optional

import torch
import torch.nn.functional as F
from torch.utils.checkpoint import checkpoint

from collectives import ALONE, Group
from functions import TensorRanks, Weight, cross_entropy, enter, exchange, leave, linear, look_up, split_counts
from plan import Stage
from shape import Shape
from untyped import fused_attention, fused_attention_scales

ACTIVATIONS: Dict[str, Any] = {
    "silu": F.silu,
    "relu": F.relu,
    "gelu": F.gelu,
    "gelu_tanh": partial(F.gelu, approximate="tanh"),
}


@dataclass
class Context:
    """What a layer needs to know of its rank."""

    shape: Shape
    weights: Dict[str, Weight]
    begins: Dict[str, int]  # first row of a rank's slice of the vocabulary, by name
    ranks: TensorRanks = field(default_factory=TensorRanks)
    expert_group: Group = ALONE
    recompute_core: bool = False  # selective recompute: of attention's scores

    def weight(self, layer: int, part: str) -> Weight:
        return self.weights[f"{layer}.{part}"]

    def take_gradients(self) -> None:
        """Behind a backward."""
        for weight in self.weights.values():
            weight.take()

    def bias(self, layer: int, part: str) -> Optional[torch.Tensor]:
        found = self.weights.get(f"{layer}.{part}.bias")
        return None if found is None else found.value


def norm(c: Context, name: str, x: torch.Tensor) -> torch.Tensor:
    scale = c.weights[f"{name}.scale"].value
    shift = c.weights.get(f"{name}.shift")
    if shift is not None:
        return F.layer_norm(x, (x.shape[-1],), scale, shift.value, c.shape.epsilon)
    # PyTorch from 2.4 on; its first versions square fp16 in fp16.
    if x.is_cuda and x.dtype != torch.float16 and hasattr(F, "rms_norm"):
        y: torch.Tensor = F.rms_norm(x, (x.shape[-1],), scale, c.shape.epsilon)
        return y
    wide = x if x.dtype == torch.float64 else x.float()
    wide = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + c.shape.epsilon)
    return wide.to(x.dtype) * scale


def plus(x: torch.Tensor, bias: Optional[torch.Tensor]) -> torch.Tensor:
    return x if bias is None else x + bias


def embedding(c: Context, ids: torch.Tensor) -> torch.Tensor:
    """ids [positions, sequences], all positions of the sequences."""
    x = leave(look_up(ids, c.weight(0, "words"), c.begins["0.words"]), c.ranks)
    if c.shape.word_width != c.shape.hidden:
        x = linear(x, c.weight(0, "project"))
    if c.shape.learned_positions:
        first = c.shape.position_offset
        if c.ranks.sequence_parallel:
            first += c.ranks.group.index * x.shape[0]
        x = x + c.weight(0, "positions").value[first:first + x.shape[0]].unsqueeze(1)
    return x


def rotate(x: torch.Tensor, base: float, share: float) -> torch.Tensor:
    """Rotary positions (arXiv 2104.09864) over the first `share` of a head, halves paired. x [s, b, heads, d]."""
    width = int(x.shape[-1] * share) // 2 * 2
    precision = torch.float64 if x.dtype == torch.float64 else torch.float32
    powers = torch.arange(0, width, 2, dtype=precision, device=x.device) / max(1, width)
    angles = torch.arange(x.shape[0], dtype=precision, device=x.device).unsqueeze(1) * base ** -powers
    cosine, sine = (f(angles).repeat(1, 2)[:, None, None, :].to(x.dtype) for f in (torch.cos, torch.sin))
    turned, rest = x[..., :width], x[..., width:]
    half = torch.cat([-turned[..., width // 2:], turned[..., :width // 2]], -1)
    return torch.cat([turned * cosine + half * sine, rest], -1)


def seen(length: int, window: int, device: torch.device) -> torch.Tensor:
    """Which positions [of queries, of keys] look at which: none ahead, nor as far back as the window, 0 is none."""
    ages = torch.arange(length, device=device)
    ages = ages.unsqueeze(1) - ages
    return (ages >= 0) & (ages < window) if window else ages >= 0


def attention_core(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, window: int, scaled: bool) -> torch.Tensor:
    """Causal attention. q [s, b, heads, d], k and v with as many or fewer heads, v perhaps of another width; returns
    [s, b, heads * v's width]."""
    length, _, heads, width = q.shape
    q, k, v = (t.permute(1, 2, 0, 3) for t in (q, k, v))
    if k.shape[1] != heads:
        k, v = (t.repeat_interleave(heads // t.shape[1], dim=1) for t in (k, v))
    if q.is_cuda and fused_attention and (scaled or fused_attention_scales):
        # One kernel. It knows what is causal, which is faster than to be told with a mask, as it is of windows.
        more = {} if scaled else {"scale": 1.0}
        told: Dict[str, Any] = {"is_causal": True}
        if 0 < window < length:
            told = {"attn_mask": seen(length, window, q.device)}
        y: torch.Tensor = fused_attention(q, k, v, **told, **more)
    else:
        scores = q @ k.transpose(-2, -1) * (1.0 / math.sqrt(width) if scaled else 1.0)
        scores = scores.masked_fill(~seen(length, window, q.device), float("-inf"))
        wide = scores if scores.dtype == torch.float64 else scores.float()
        y = torch.softmax(wide, dim=-1).to(v.dtype) @ v
    return y.permute(2, 0, 1, 3).flatten(2)


def attention(c: Context, layer: int, x: torch.Tensor) -> torch.Tensor:
    s = c.shape
    y = enter(x if s.post_norm else norm(c, f"{layer}.norm", x), c.ranks)
    length, batch, _ = y.shape
    q, k, v = (plus(linear(y, c.weight(layer, part)), c.bias(layer, part)).view(length, batch, -1, s.head_dim)
               for part in "qkv")
    if s.head_norm:
        q, k = norm(c, f"{layer}.q.norm", q), norm(c, f"{layer}.k.norm", k)
    if not s.learned_positions:
        q, k = (rotate(t, s.rotary_base, s.rotary_share) for t in (q, k))
    window = s.window_of((layer - 1) // 2)
    if c.recompute_core:
        y = checkpoint(attention_core, q, k, v, window, s.scaled_scores, use_reentrant=True)
    else:
        y = attention_core(q, k, v, window, s.scaled_scores)
    y = x + plus(leave(linear(y, c.weight(layer, "o")), c.ranks), c.bias(layer, "o"))
    if s.parallel:
        return torch.cat([y, x], -1)
    return norm(c, f"{layer}.norm", y) if s.post_norm else y


def feed_forward(c: Context, prefix: str, x: torch.Tensor) -> torch.Tensor:
    """Without the last bias, which is added once the ranks' parts are summed."""
    def up(part: str) -> torch.Tensor:
        found = c.weights.get(f"{prefix}{part}.bias")
        return plus(linear(x, c.weights[prefix + part]), None if found is None else found.value)

    y = ACTIVATIONS[c.shape.activation](up("gate") if c.shape.gated else up("up"))
    return linear(y * up("up") if c.shape.gated else y, c.weights[f"{prefix}down"])


def experts(c: Context, layer: int, x: torch.Tensor) -> torch.Tensor:
    """Every token goes to the experts that its router rates highest, wherever in the expert group they are. No token is
    dropped and no loss balances the experts. Of tensor-parallel ranks each adds its part of every expert's output."""
    s, group = c.shape, c.expert_group
    rows = x.flatten(0, -2)
    logits = linear(rows, c.weight(layer, "router"))
    shares = torch.softmax(logits if logits.dtype == torch.float64 else logits.float(), dim=-1)
    top, chosen = shares.topk(s.per_token, dim=-1)
    if s.normalised_choice:
        top = top / top.sum(-1, keepdim=True)
    order = chosen.flatten().argsort(stable=True)  # copies of tokens, by expert
    counts = torch.bincount(chosen.flatten(), minlength=s.experts)
    theirs, sent, received = split_counts(counts, group)
    tokens = exchange(rows[order // s.per_token], group, sent, received)
    here = theirs.shape[1]  # experts of this rank; their tokens come rank by rank, of each by expert
    owner = torch.arange(here, device=x.device).repeat(group.size()).repeat_interleave(theirs.flatten())
    by_expert = owner.argsort(stable=True)
    parts = torch.split(tokens[by_expert], [int(n) for n in theirs.sum(0)])
    results = torch.cat([feed_forward(c, f"{layer}.expert{group.index * here + e}.", part)
                         for e, part in enumerate(parts)])
    back = exchange(results[by_expert.argsort()], group, received, sent)
    weighted = back * top.flatten()[order].unsqueeze(-1).to(back.dtype)
    y = torch.zeros_like(rows).index_add(0, order // s.per_token, weighted)
    if s.shared_ffn:
        shared = feed_forward(c, f"{layer}.shared.", rows)
        y = y + (torch.sigmoid(linear(rows, c.weight(layer, "shared.weight"))) * shared if s.shared_gate else shared)
    return y.view_as(x)


def mlp(c: Context, layer: int, x: torch.Tensor) -> torch.Tensor:
    x, source = x.chunk(2, -1) if c.shape.parallel else (x, x)
    y = enter(source if c.shape.post_norm else norm(c, f"{layer}.norm", source), c.ranks)
    if c.shape.has_experts(layer // 2 - 1):
        y = x + leave(experts(c, layer, y), c.ranks)
    else:
        y = x + plus(leave(feed_forward(c, f"{layer}.", y), c.ranks), c.bias(layer, "down"))
    return norm(c, f"{layer}.norm", y) if c.shape.post_norm else y


def head(c: Context, layer: int, x: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Sum of the losses of all tokens of targets [positions, sequences]; the same on every tensor-parallel rank."""
    if c.shape.final_norm:
        x = norm(c, f"{layer}.norm", x)
    if c.shape.word_width != c.shape.hidden:
        x = linear(x, c.weight(layer, "project"))
    name = "0.words" if c.shape.tied else f"{layer}.words"
    logits = linear(enter(x, c.ranks), c.weights[name])
    return cross_entropy(logits, targets, c.begins[name], c.ranks.group).sum()


def run_layer(c: Context, layer: int, x: torch.Tensor, targets: Optional[torch.Tensor]) -> torch.Tensor:
    """x are token ids for layer 0, else what the layer before returned; targets only for the head, which returns the
    loss."""
    if layer == 0:
        return embedding(c, x)
    if layer == c.shape.layers() - 1:
        assert targets is not None
        return head(c, layer, x, targets)
    return attention(c, layer, x) if layer % 2 else mlp(c, layer, x)


@dataclass
class Run:
    """Fine layers that are computed together, and once more before their backward."""

    layers: List[int]
    recomputed: bool


def runs_of(stage: Stage, shape: Shape) -> List[List[Run]]:
    """The layers of every chunk in runs: those of a recomputed block together, all others alone. Of a stage that
    recomputes its first n blocks, half a block in front of a chunk's first whole one counts with it."""
    covered = stage.recompute_blocks or shape.blocks
    result: List[List[Run]] = []
    for first, last in stage.chunks:
        end = 2 * (first // 2 + covered) if stage.recompute == "full" and covered > 0 else 0
        runs: List[Run] = []
        for layer in range(first, last + 1):
            again = 0 < layer <= end and layer < shape.layers() - 1
            if again and layer % 2 == 0 and runs and runs[-1].layers[-1] == layer - 1:
                runs[-1].layers.append(layer)
            else:
                runs.append(Run([layer], again))
        result.append(runs)
        covered = max(0, covered - (last // 2 - first // 2))
    return result
