# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Multi-head latent attention (arXiv 2405.04434), which the runner does not run, out of its parts: latents on every
tensor-parallel rank, heads divided."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, List

import beside_runner  # noqa: F401
import torch

from functions import enter, leave, linear
from layers import Context, attention_core, norm, rotate
from shape import Shape
from tensors import TensorSpec, norm_tensors


@dataclass(frozen=True)
class Latent:
    query_rank: int  # 0: queries come straight from the hidden state
    kv_rank: int
    plain: int  # width of a head's keys without positions
    rotary: int  # and with, one for all heads
    value: int


def latent_tensors(shape: Shape, latent: Latent, layer: int) -> List[TensorSpec]:
    width = shape.heads * (latent.plain + latent.rotary)
    tensors = norm_tensors(shape, f"{layer}.norm", shape.hidden)
    if latent.query_rank:
        tensors += [TensorSpec(f"{layer}.q.down", (latent.query_rank, shape.hidden)),
                    *norm_tensors(shape, f"{layer}.q.norm", latent.query_rank, True)]
    tensors += [TensorSpec(f"{layer}.q", (width, latent.query_rank or shape.hidden), 0, shape.heads),
                TensorSpec(f"{layer}.kv.down", (latent.kv_rank + latent.rotary, shape.hidden)),
                *norm_tensors(shape, f"{layer}.kv.norm", latent.kv_rank, True),
                TensorSpec(f"{layer}.kv", (shape.heads * (latent.plain + latent.value), latent.kv_rank), 0,
                           shape.heads),
                TensorSpec(f"{layer}.o", (shape.hidden, shape.heads * latent.value), 1, shape.heads)]
    return tensors


def latent_attention(c: Context, latent: Latent, layer: int, x: torch.Tensor) -> torch.Tensor:
    def product(y: torch.Tensor, part: str) -> torch.Tensor:
        return linear(y, c.weight(layer, part))

    y = norm(c, f"{layer}.norm", x)
    length, batch, _ = y.shape
    narrow: Any = norm(c, f"{layer}.q.norm", product(y, "q.down")) if latent.query_rank else y
    kept, key = product(y, "kv.down").split([latent.kv_rank, latent.rotary], dim=-1)
    q = product(enter(narrow, c.ranks), "q").view(length, batch, -1, latent.plain + latent.rotary)
    both = product(enter(norm(c, f"{layer}.kv.norm", kept), c.ranks), "kv").view(
        length, batch, -1, latent.plain + latent.value)
    plain, v = both.split([latent.plain, latent.value], dim=-1)
    turned = rotate(key.unsqueeze(2), c.shape.rotary_base, 1.0).expand(-1, -1, plain.shape[2], -1)
    q = torch.cat([q[..., :latent.plain], rotate(q[..., latent.plain:], c.shape.rotary_base, 1.0)], -1)
    y = attention_core(q, torch.cat([plain, turned], -1), v, 0, True)
    return x + leave(linear(y, c.weight(layer, "o")), c.ranks)
