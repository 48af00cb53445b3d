# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Layers of one rank by themselves, timed: for the slots of an emulation, and for samples/profiler, so that what is
timed is what runs."""

from __future__ import annotations

import time
from typing import Callable, List, Sequence, Tuple

import torch

import functions
from functions import TensorRanks, Weight
from layers import Context, run_layer
from shape import Shape
from tensors import TensorSpec, layer_tensors, span
from untyped import cuda

Part = Callable[[Context, torch.Tensor, torch.Tensor], torch.Tensor]  # of context, input and token ids
GRADIENT = 2.0 ** -12  # of every number of an output, small enough for sums over all tokens in fp16
Passes = Tuple[float, float, float]  # F, B of the inputs, W of the weights: seconds


class Alone:
    """What one of `tp` ranks holds of some layers, with random weights, and their passes. It acts with `ranks`, which
    may be itself alone though it holds a slice."""

    def __init__(self, shape: Shape, specs: Sequence[TensorSpec], parts: Sequence[Part], tp: int,
                 ranks: TensorRanks = TensorRanks(), dtype: torch.dtype = torch.float32,
                 device: torch.device = torch.device("cpu"), recompute_core: bool = False) -> None:
        self.shape, self.specs, self.parts, self.dtype, self.device = shape, list(specs), parts, dtype, device
        self.context = Context(shape, {}, {}, ranks, recompute_core=recompute_core)
        for spec in specs:
            begin, end = span(spec, ranks.group.index, tp)
            sizes = list(spec.shape)
            if spec.cut is not None:
                sizes[spec.cut] = end - begin
            value = torch.zeros(sizes, dtype=dtype, device=device)
            if spec.initial == "ones":
                value.fill_(1.0)
            elif spec.initial != "zeros":
                value.normal_(0.0, 0.02)
            self.context.weights[spec.name] = Weight(value.requires_grad_(True),
                                                     torch.zeros(sizes, dtype=torch.float32, device=device))
            self.context.begins[spec.name] = begin

    def ids(self, seq: int, sequences: int) -> torch.Tensor:
        return torch.randint(self.shape.vocab, (seq, sequences), device=self.device)

    def states(self, seq: int, sequences: int, wide: int = 1) -> torch.Tensor:
        """wide: 2 inside a block whose branches run side by side."""
        return torch.randn(seq, sequences, self.shape.hidden * wide, dtype=self.dtype, device=self.device,
                           requires_grad=True)

    def now(self) -> float:
        if self.device.type == "cuda":
            cuda.synchronize(self.device)
        return time.perf_counter()

    def forward(self, x: torch.Tensor, ids: torch.Tensor) -> torch.Tensor:
        for part in self.parts:
            x = part(self.context, x, ids)
        return x

    def passes(self, x: torch.Tensor, ids: torch.Tensor, times: int = 1) -> Passes:
        """Means over so many passes in a row of each kind. A GPU works on one while the next is launched, as in a run,
        where one block follows the other."""
        inputs = copies(x, times)
        start = self.now()
        outputs = [self.forward(y, ids) for y in inputs]
        forward = self.now()
        waiting: List[Callable[[], None]] = []
        functions.weight_passes.waiting = waiting
        try:
            while outputs:
                y = outputs.pop()
                torch.autograd.backward([y], [torch.full_like(y, GRADIENT)])
                self.context.take_gradients()
        finally:
            functions.weight_passes.waiting = None
        backward = self.now()
        with torch.no_grad():
            for closure in waiting:
                closure()
        return (forward - start) / times, (backward - forward) / times, (self.now() - backward) / times


def copies(x: torch.Tensor, times: int) -> List[torch.Tensor]:
    """Of an input, each with a gradient of its own."""
    return [x.detach().requires_grad_(x.requires_grad) for _ in range(times)]


def part_of(layer: int) -> Part:
    return lambda context, x, ids: run_layer(context, layer, x, ids)


def alone(shape: Shape, layers: Sequence[int], tp: int, recompute_core: bool = False) -> Alone:
    """A rank's slice of fine layers on this machine's CPU, without its neighbours."""
    return Alone(shape, [spec for layer in layers for spec in layer_tensors(shape, layer)],
                 [part_of(layer) for layer in layers], tp, recompute_core=recompute_core)
