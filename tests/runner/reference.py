# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plain transformer in one process, against which the runner is held: whole tensors, autograd's own backward, one
sequence after the other. Written apart from the runner's layers; it shares only names and first values of tensors.
"""

from __future__ import annotations

import math
from typing import Any, Dict, List, Tuple

import torch
import torch.nn.functional as F

from optimizer import Settings
from shape import Shape
from tensors import first_values, layer_tensors
from tokens import Tokens

Weights = Dict[str, torch.Tensor]


def whole_weights(shape: Shape, dtype: torch.dtype, seed: int) -> Tuple[Weights, List[str]]:
    """All tensors by name, and the names that the optimiser decays."""
    weights: Weights = {}
    decayed = []
    for layer in range(shape.layers()):
        for spec in layer_tensors(shape, layer):
            if spec.name not in weights:
                end = spec.shape[spec.cut] if spec.cut is not None else 0
                weights[spec.name] = first_values(spec, 0, end, seed, shape.blocks).to(dtype).requires_grad_(True)
                decayed += [spec.name] if spec.decayed else []
    return weights, decayed


def norm(shape: Shape, w: Weights, name: str, x: torch.Tensor, plain: bool = False) -> torch.Tensor:
    if shape.rms_norm or plain:
        return w[f"{name}.scale"] * (x / torch.sqrt((x * x).mean(-1, keepdim=True) + shape.epsilon))
    centred = x - x.mean(-1, keepdim=True)
    deviation = torch.sqrt((centred * centred).mean(-1, keepdim=True) + shape.epsilon)
    return centred / deviation * w[f"{name}.scale"] + w[f"{name}.shift"]


def product(w: Weights, name: str, x: torch.Tensor) -> torch.Tensor:
    y = x @ w[name].t()
    return y + w[f"{name}.bias"] if f"{name}.bias" in w else y


def turned(x: torch.Tensor, base: float, share: float) -> torch.Tensor:
    """Rotary positions as complex products; x [tokens, width]."""
    width = int(x.shape[-1] * share) // 2 * 2
    pairs = torch.complex(x[:, :width // 2].contiguous(), x[:, width // 2:width].contiguous())
    powers = torch.arange(0, width, 2, dtype=x.dtype) / max(1, width)
    angles = torch.arange(x.shape[0], dtype=x.dtype)[:, None] * base ** -powers
    spun = pairs * torch.polar(torch.ones_like(angles), angles)
    return torch.cat([spun.real, spun.imag, x[:, width:]], -1)


def attend(shape: Shape, w: Weights, layer: int, x: torch.Tensor) -> torch.Tensor:
    d, group = shape.head_dim, shape.heads // shape.kv_heads
    q, k, v = (product(w, f"{layer}.{part}", x) for part in "qkv")
    window = shape.window_of((layer - 1) // 2)
    length = x.shape[0]
    hidden = torch.tensor([[j > i or (window > 0 and i - j >= window) for j in range(length)] for i in range(length)])
    outputs = []
    for h in range(shape.heads):
        g = h // group
        query, key, value = q[:, h * d:(h + 1) * d], k[:, g * d:(g + 1) * d], v[:, g * d:(g + 1) * d]
        if shape.head_norm:
            query, key = norm(shape, w, f"{layer}.q.norm", query, True), norm(shape, w, f"{layer}.k.norm", key, True)
        if not shape.learned_positions:
            query, key = (turned(t, shape.rotary_base, shape.rotary_share) for t in (query, key))
        scores = query @ key.t() / (math.sqrt(d) if shape.scaled_scores else 1.0)
        outputs.append(torch.softmax(scores.masked_fill(hidden, -math.inf), -1) @ value)
    return product(w, f"{layer}.o", torch.cat(outputs, -1))


def feed(shape: Shape, w: Weights, prefix: str, x: torch.Tensor) -> torch.Tensor:
    y = product(w, f"{prefix}up", x)
    if shape.gated:
        gate = product(w, f"{prefix}gate", x)
        y = gate * torch.sigmoid(gate) * y
    elif shape.activation == "relu":
        y = y.clamp(min=0)
    elif shape.activation == "gelu":
        y = 0.5 * y * (1 + torch.erf(y / math.sqrt(2)))
    else:
        y = 0.5 * y * (1 + torch.tanh(math.sqrt(2 / math.pi) * (y + 0.044715 * y ** 3)))
    return product(w, f"{prefix}down", y)


def mixture(shape: Shape, w: Weights, layer: int, x: torch.Tensor) -> torch.Tensor:
    rows = []
    for token in x:
        shares = torch.softmax(w[f"{layer}.router"] @ token, -1)
        chosen = shares.argsort(descending=True)[:shape.per_token].tolist()
        whole = shares[chosen].sum() if shape.normalised_choice else 1.0
        row = sum(shares[e] / whole * feed(shape, w, f"{layer}.expert{e}.", token) for e in chosen)
        if shape.shared_ffn:
            gate = torch.sigmoid(w[f"{layer}.shared.weight"] @ token) if shape.shared_gate else 1.0
            row = row + gate * feed(shape, w, f"{layer}.shared.", token)
        rows.append(row)
    return torch.stack(rows)  # type: ignore[arg-type]


def losses(shape: Shape, w: Weights, ids: torch.Tensor) -> torch.Tensor:
    """Sum of the losses of a sequence of seq + 1 tokens."""
    x = w["0.words"][ids[:-1]]
    if shape.word_width != shape.hidden:
        x = product(w, "0.project", x)
    if shape.learned_positions:
        x = x + w["0.positions"][shape.position_offset:shape.position_offset + x.shape[0]]
    for block in range(shape.blocks):
        a, m = 2 * block + 1, 2 * block + 2
        fed = mixture if shape.has_experts(block) else lambda s, w, layer, x: feed(s, w, f"{layer}.", x)
        if shape.parallel:
            x = (x + attend(shape, w, a, norm(shape, w, f"{a}.norm", x))
                 + fed(shape, w, m, norm(shape, w, f"{m}.norm", x)))
        elif shape.post_norm:
            x = norm(shape, w, f"{a}.norm", x + attend(shape, w, a, x))
            x = norm(shape, w, f"{m}.norm", x + fed(shape, w, m, x))
        else:
            x = x + attend(shape, w, a, norm(shape, w, f"{a}.norm", x))
            x = x + fed(shape, w, m, norm(shape, w, f"{m}.norm", x))
    last = shape.layers() - 1
    if shape.final_norm:
        x = norm(shape, w, f"{last}.norm", x)
    if shape.word_width != shape.hidden:
        x = product(w, f"{last}.project", x)
    logits = x @ w["0.words" if shape.tied else f"{last}.words"].t()
    return F.cross_entropy(logits, ids[1:], reduction="sum")


def train(shape: Shape, tokens: Tokens, dtype: torch.dtype, seed: int, settings: Settings,
          steps: int) -> Tuple[List[float], List[Weights], Weights]:
    """Losses and gradients of every step, and the last weights."""
    w, decayed = whole_weights(shape, dtype, seed)
    groups = [{"params": [w[name] for name in w if (name in decayed) == on], "weight_decay": settings.decay * on}
              for on in (True, False)]
    optimizer: Any = torch.optim.AdamW(groups, lr=settings.rate, eps=settings.epsilon,
                                       betas=(settings.first_moment, settings.second_moment))
    means: List[float] = []
    gradients: List[Weights] = []
    for step in range(steps):
        optimizer.zero_grad()
        total = 0.0
        for n in range(tokens.gbs):
            loss = losses(shape, w, tokens.sequence(step * tokens.gbs + n)) / (tokens.gbs * tokens.seq)
            loss.backward()  # type: ignore[no-untyped-call]
            total += float(loss.detach())
        means.append(total)
        gradients.append({name: torch.zeros_like(t) if t.grad is None else t.grad.clone() for name, t in w.items()})
        torch.nn.utils.clip_grad_norm_(list(w.values()), settings.clip)
        for group in optimizer.param_groups:
            group["lr"] = settings.rate_at(step)
        optimizer.step()
    return means, gradients, {name: t.detach() for name, t in w.items()}
