# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A rank of a training: its weights, passes, sums of gradients and update, made from the plan."""

from __future__ import annotations

import resource
import time
from dataclasses import dataclass, field
from typing import Callable, Dict, List, Optional

import torch

import collectives
from collectives import Group
from executor import CHANNELS, ChannelKey, Executor, Recorded, boundary_parts
from functions import TensorRanks
from gradients import LayerSums, bucket_keys, make_buckets, make_weights
from layers import Context
from optimizer import LossScale, Optimizer, Settings
from order import Order, pass_orders
from placement import Placement, Ranks
from plan import Plan
from shape import Shape
from tokens import Tokens
from transport import Part
from untyped import cuda

DTYPES = {"fp32": torch.float32, "tf32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}


@dataclass
class Options:
    settings: Settings = field(default_factory=Settings)
    seed: int = 1
    double: bool = False  # fp64 throughout, for tests
    orders: Optional[List[List[Order]]] = None  # by pipeline and stage, where a file states them
    limit_s: float = 1800.0  # that a rank waits for another
    fused_update: bool = False


@dataclass(frozen=True)
class StepResult:
    loss: float  # mean over the tokens of the global batch
    norm: float  # of the gradient, before clipping
    seconds: float


class Trainer:
    def __init__(self, plan: Plan, shape: Shape, tokens: Tokens, rank: int, device: torch.device,
                 options: Options) -> None:
        self.plan, self.shape, self.device, self.rank, self.options = plan, shape, device, rank, options
        self.tokens = tokens
        self.placement = Placement(plan, shape)
        self.place = self.placement.places[rank]
        self.dtype = torch.float64 if options.double else DTYPES[plan.precision]
        sums = torch.float64 if options.double else torch.float32
        if device.type == "cuda":
            torch.backends.cuda.matmul.allow_tf32 = plan.precision == "tf32"
        keys = bucket_keys(self.placement)
        parts = boundary_parts(self.placement, plan.seq)
        groups, channels = self.make_groups({key[0] for _, atoms in keys.values() for _, key in atoms}, parts)
        self.world = groups[self.placement.world()]
        weights = make_weights(self.placement, rank, self.dtype, device, options.seed)
        self.buckets = make_buckets(keys, groups, rank, weights, sums, device)
        begins = {name: next(h.begin for h in holders if h.rank == rank)
                  for name, (holders, _) in keys.items() if name in weights}
        stage = self.placement.stage(self.place)
        ranks = TensorRanks(groups[self.placement.tensor_ranks(self.place)], stage.sequence_parallel)
        context = Context(shape, weights, begins, ranks, groups[self.placement.expert_ranks(self.place)],
                          stage.recompute == "selective")
        orders = options.orders or [pass_orders(pipeline) for pipeline in plan.pipelines]
        self.began = 0.0
        self.executor = Executor(self.placement, self.place, orders[self.place.pipeline][self.place.stage], context,
                                 tokens, plan.seq, channels, parts, self.dtype, device, self.clock,
                                 LayerSums(self.buckets))
        self.scale = LossScale(plan.precision == "fp16" and not options.double)
        self.optimizer = Optimizer(self.buckets, self.world, options.settings, self.scale, options.fused_update)
        self.meet()

    def make_groups(self, summed: set[Ranks], parts: Dict[ChannelKey, List[Part]]
                    ) -> tuple[Dict[Ranks, Group], Dict[ChannelKey, List[Group]]]:
        """Those that act together, one of each; and those of each channel."""
        wanted = {self.placement.world()} | summed
        for place in self.placement.places:
            wanted |= {self.placement.tensor_ranks(place), self.placement.expert_ranks(place)}
        groups = collectives.make_groups(sorted(wanted), self.rank, self.options.limit_s)
        channels: Dict[ChannelKey, List[Group]] = {}
        for key in sorted(parts):
            ranks = tuple(sorted({rank for part in parts[key] for rank in (part.source, part.target)}))
            for backend in CHANNELS[self.device.type].BACKENDS:
                for group in collectives.make_groups([ranks], self.rank, self.options.limit_s, backend).values():
                    channels.setdefault(key, []).append(group)
        return groups, channels

    def meet(self) -> None:
        """All ranks leave this at the same time, which is where their clocks begin."""
        collectives.sum_of_numbers([0.0], self.world, self.device)
        self.began = time.perf_counter()

    def clock(self) -> float:
        return time.perf_counter() - self.began

    def record(self, kind: str, act: Callable[[], None]) -> None:
        start = self.clock()
        act()
        if self.executor.recording:
            if self.device.type == "cuda":
                cuda.current_stream(self.device).synchronize()
            self.executor.records.append(Recorded(kind, 0, 0, start, self.clock()))

    def sum_gradients(self) -> None:
        for bucket in self.buckets:
            if bucket.layer < 0:
                bucket.sum()

    def gradients(self, step: int) -> float:
        """Forward and backward of a global batch and the sums of its gradients. Returns the mean loss."""
        for bucket in self.buckets:
            bucket.clear()
        self.executor.scale = self.scale.value
        total = self.executor.run(step)
        self.record("sync", self.sum_gradients)
        total = collectives.sum_of_numbers([total], self.world, self.device)[0]
        return total / (self.plan.gbs * self.plan.seq)

    def step(self, step: int, recording: bool = False) -> StepResult:
        self.executor.recording = recording
        start = self.clock()
        loss = self.gradients(step)
        norms: List[float] = []
        self.record("update", lambda: norms.append(self.optimizer.step(step)))
        return StepResult(loss, norms[0], self.clock() - start)

    def peak_bytes(self) -> int:
        """Most memory in use so far: of the GPU by tensors, or of the process."""
        if self.device.type == "cuda":
            return int(cuda.max_memory_allocated(self.device))
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

    def close(self) -> None:
        self.executor.close()
