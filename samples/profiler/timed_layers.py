# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Embedding, blocks and head as the runner computes them, with its passes and its update."""

from __future__ import annotations

from typing import Callable, List

import beside_runner  # noqa: F401
import torch

from collectives import ALONE
from functions import TensorRanks
from gradients import Bucket, Piece
from latent import Latent, latent_attention, latent_tensors
from layers import Context
from model_config import Timed
from optimizer import LossScale, Optimizer, Settings
from placement import Atom
from shape import Shape
from tensors import TensorSpec, layer_tensors
from timing import Alone, Part, Passes, part_of


def buckets_of(layer: Alone) -> List[Bucket]:
    """The weights that this rank holds, with nobody to sum them with: what decays, and what does not."""
    result: List[Bucket] = []
    for decayed in (True, False):
        pieces: List[Piece] = []
        filled = 0
        for spec in layer.specs:
            if spec.decayed == decayed:
                weight = layer.context.weights[spec.name]
                begin = layer.context.begins[spec.name] if spec.cut is not None else 0
                end = begin + (weight.value.shape[spec.cut] if spec.cut is not None else 0)
                piece = Piece(Atom(spec, begin, end, (0,), False), weight, 0, True, filled, True)
                pieces.append(piece)
                filled += piece.numel()
        if pieces:
            result.append(Bucket(((0,), False, decayed, -1), ALONE, pieces, torch.float32, layer.device))
    return result


class Layer:
    def __init__(self, alone: Alone) -> None:
        self.alone = alone
        self.buckets = buckets_of(alone)
        # What is not finite in fp16 is no error here: there is nothing to learn.
        self.optimizer = Optimizer(self.buckets, ALONE, Settings(), LossScale(alone.dtype == torch.float16))
        self.clock: Callable[[], float] = alone.now

    def passes(self, x: torch.Tensor, ids: torch.Tensor, times: int = 1) -> Passes:
        for bucket in self.buckets:
            bucket.clear()
        return self.alone.passes(x, ids, times)

    def update(self) -> float:
        start = self.clock()
        self.optimizer.step(0)
        return self.clock() - start


def attention_part(timed: Timed, layer: int) -> Part:
    latent = timed.latent
    if latent is None:
        return part_of(layer)
    found: Latent = latent

    def part(context: Context, x: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        return latent_attention(context, found, layer, x)

    return part


def specs_of(timed: Timed, layer: int) -> List[TensorSpec]:
    shape: Shape = timed.shape
    if timed.latent and layer % 2 and layer < shape.layers() - 1:
        return latent_tensors(shape, timed.latent, layer)
    return layer_tensors(shape, layer)


def timed_layer(timed: Timed, layers: List[int], tp: int, ranks: TensorRanks, dtype: torch.dtype,
                device: torch.device) -> Layer:
    """Fine layers together: [0], a block's two, or the head's."""
    inner = range(1, timed.shape.layers() - 1)
    parts = [attention_part(timed, layer) if layer in inner and layer % 2 else part_of(layer) for layer in layers]
    specs = [spec for layer in layers for spec in specs_of(timed, layer)]
    return Layer(Alone(timed.shape, specs, parts, tp, ranks, dtype, device))
