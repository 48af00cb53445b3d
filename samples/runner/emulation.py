# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A mixed cluster acted out on one machine: order, transfers, contention and overlap, no speed.

Every pass does its real, small work and then waits until its slot is over. A slot is what the pass's layers take alone
on this machine, measured before the ranks start, times how much slower the device's kind is than the fastest one of the
plan, times 3 (or --slack) x ranks / cores, so that ranks which share a core do not hold each other up. Slots never
come from the plan's own times. What became of that is printed: the share of the slots that was real work (waiting for
tensor-parallel neighbours included), and how many passes took longer than their slot; on a busy machine many do.

Messages between stages wait for every link on their way: each direction of each link lets through its bandwidth, one
message after the other, whoever sends (a shared clock a link). Collectives inside a stage and sums of gradients are not
slowed: they take what gloo takes.
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
import time
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Tuple

import torch

import functions
from errors import BadInput
from functions import TensorRanks, Weight
from layers import Context, run_layer, runs_of
from placement import Place, Placement
from plan import Plan, split_device
from shape import Shape
from tensors import first_values, layer_tensors, span

# Kind of layer, tp, sequences, whether its scores are recomputed: F, B, W in seconds.
Rows = Dict[Tuple[str, int, int, bool], Tuple[float, float, float]]
Slots = Dict[Tuple[str, int], float]  # pass, chunk: seconds
REPEATS = 7
LEAST_SLACK = 3.0


@dataclass(frozen=True)
class Hop:
    link: str  # with its direction
    bandwidth: float
    latency: float


def layer_kind(shape: Shape, layer: int) -> str:
    if layer in (0, shape.layers() - 1):
        return "head" if layer else "embedding"
    if layer % 2:
        return "attention"
    return "experts" if shape.has_experts(layer // 2 - 1) else "mlp"


def measure_rows(placement: Placement, seq: int) -> Rows:
    """Every kind of layer at every tensor-parallel size and number of sequences of the plan, one after the other on
    this machine: medians. A rank's slice is computed without its neighbours."""
    shape, rows = placement.shape, {}
    for place in placement.places:
        for layer in placement.layers_of(place):
            key = row_key(placement, place, layer)
            if key not in rows:
                rows[key] = measure_layer(shape, layer, seq, *key[1:])
    return rows


def row_key(placement: Placement, place: Place, layer: int) -> Tuple[str, int, int, bool]:
    stage = placement.stage(place)
    return (layer_kind(placement.shape, layer), stage.tp, place.end - place.first, stage.recompute == "selective")


def measure_layer(shape: Shape, layer: int, seq: int, tp: int, sequences: int,
                  recompute_core: bool) -> Tuple[float, float, float]:
    context = Context(shape, {}, {}, TensorRanks(), recompute_core=recompute_core)
    for spec in layer_tensors(shape, layer):
        begin, end = span(spec, 0, tp)
        value = first_values(spec, begin, end, 1, shape.blocks).requires_grad_(True)
        context.weights[spec.name] = Weight(value, torch.zeros(value.shape))
        context.begins[spec.name] = begin
    ids = torch.zeros(seq, sequences, dtype=torch.long)
    wide = 2 if shape.parallel and layer % 2 == 0 and layer < shape.layers() - 1 else 1
    times: List[Tuple[float, float, float]] = []
    for _ in range(REPEATS):
        x = torch.randn(seq, sequences, shape.hidden * wide, requires_grad=True) if layer else ids
        start = time.perf_counter()
        y = run_layer(context, layer, x, ids)
        forward = time.perf_counter()
        waiting: List[Callable[[], None]] = []
        functions.weight_passes.waiting = waiting
        torch.autograd.backward([y], [torch.ones_like(y)])
        backward = time.perf_counter()
        functions.weight_passes.waiting = None
        with torch.no_grad():
            for closure in waiting:
                closure()
        times.append((forward - start, backward - forward, time.perf_counter() - backward))
    middle = [statistics.median(column) for column in zip(*times)]
    return middle[0], middle[1], middle[2]


def slow_downs(plan: Plan) -> Dict[str, float]:
    """How much slower each node's devices are than the fastest in use, by what their kinds compute a second."""
    precision = plan.precision
    rates: Dict[str, float] = {}
    for node in sorted({split_device(device)[0] for device in plan.devices()}):
        entry, kind = node_and_kind(plan, node)
        rate = kind.get(precision) or kind.get("fp32")
        if not isinstance(rate, (int, float)) or rate <= 0.0:
            raise BadInput("problem/cluster/kinds", f"{entry.get('kind')} states no {precision} rate")
        rates[node] = float(rate) * float(entry.get("speed", 1.0))
    fastest = max(rates.values())
    return {node: fastest / rate for node, rate in rates.items()}


def node_and_kind(plan: Plan, node: str) -> Tuple[Dict[str, Any], Dict[str, Any]]:
    entry = next((n for n in plan.cluster.get("nodes", []) if n.get("id") == node), None)
    if entry is None:
        raise BadInput("problem/cluster/nodes", f"has no {node}")
    for kind in plan.cluster.get("kinds", []):
        if entry.get("kind") in (kind.get("name"), kind.get("short_name")):
            return entry, kind
    raise BadInput("problem/cluster/kinds", f"do not describe {entry.get('kind')}, as documents of Pipewright do")


def slots_of(placement: Placement, place: Place, rows: Rows, slow_down: float, slack: float, split: bool) -> Slots:
    stage, shape = placement.stage(place), placement.shape
    stretch = slack * max(1.0, len(placement.places) / (os.cpu_count() or 1)) * slow_down
    slots: Slots = {}
    for chunk, runs in enumerate(runs_of(stage, shape)):
        forward = back = weights = 0.0
        for run in runs:
            for layer in run.layers:
                f, b, w = rows[row_key(placement, place, layer)]
                forward, back, weights = forward + f, back + b + (f if run.recomputed else 0.0), weights + w
        slots["F", chunk] = stretch * forward
        slots["B", chunk] = stretch * (back if split else back + weights)
        slots["W", chunk] = stretch * weights
    return slots


class Links:
    """Made before the ranks are, which share its clocks: one each direction of each link, in seconds of the machine's
    monotonic clock, until which the link is taken."""

    def __init__(self, plan: Plan, slow_down: float) -> None:
        self.plan, self.slow_down = plan, slow_down
        self.nodes = [split_device(device)[0] for device in plan.devices()]
        self.ways: Dict[Tuple[str, str], List[Hop]] = {}
        for a in sorted(set(self.nodes)):
            for b in sorted(set(self.nodes)):
                self.ways[a, b] = self.way(a, b)
        names = sorted({hop.link for way in self.ways.values() for hop in way})
        self.clocks: Dict[str, Any] = {name: multiprocessing.Value("d", 0.0) for name in names}

    def way(self, a: str, b: str) -> List[Hop]:
        """The fewest links between two nodes, through switches; inside a node its own interconnect."""
        if a == b:
            entry, kind = node_and_kind(self.plan, a)
            bandwidth = entry.get("intra_bandwidth") or kind.get("intra_bandwidth") or kind.get("pcie")
            return [self.hop(f"inside {a}", bandwidth, 1.0, entry.get("intra_latency", 2e-6))]
        known = {str(n.get("id")) for n in self.plan.cluster.get("nodes", [])}
        came: Dict[str, Tuple[str, Hop]] = {}
        waiting = deque([a])
        while waiting and b not in came:
            here = waiting.popleft()
            if here != a and here in known:
                continue  # a node passes nothing on
            for link in self.plan.cluster.get("links", []):
                for one, other in ((link.get("a"), link.get("b")), (link.get("b"), link.get("a"))):
                    if one == here and other != a and other not in came:
                        width = float(link.get("lanes", 1)) * float(link.get("efficiency", 0.88))
                        came[other] = here, self.hop(f"{here} to {other}", link.get("bandwidth"), width,
                                                     link.get("latency", 5e-6))
                        waiting.append(other)
        if b not in came:
            raise BadInput("problem/cluster/links", f"join {a} and {b} in no way")
        hops: List[Hop] = []
        while b != a:
            b, hop = came[b]
            hops.insert(0, hop)
        return hops

    def hop(self, name: str, bandwidth: Any, width: float, latency: Any) -> Hop:
        if not isinstance(bandwidth, (int, float)) or bandwidth <= 0 or not isinstance(latency, (int, float)):
            raise BadInput("problem/cluster", f"{name}: expected a bandwidth and a latency as plain numbers")
        return Hop(name, float(bandwidth) * width / self.slow_down, float(latency) * self.slow_down)

    def pass_through(self, source: int, target: int, size: int) -> None:
        """Returns when a message of so many bytes between two ranks would have arrived."""
        now = end = time.monotonic()
        latency = 0.0
        for hop in self.ways[self.nodes[source], self.nodes[target]]:
            clock = self.clocks[hop.link]
            with clock.get_lock():
                clock.value = max(now, clock.value) + size / hop.bandwidth
                end = max(end, clock.value)
            latency += hop.latency
        time.sleep(max(0.0, end + latency - time.monotonic()))


class Pace:
    """A rank's slots, and how far real work filled them."""

    def __init__(self, slots: Slots, clock: Callable[[], float]) -> None:
        self.slots, self.clock = slots, clock
        self.real = self.planned = 0.0
        self.late = self.passes = 0

    def fill(self, kind: str, chunk: int, start: float) -> None:
        """Waits until the slot of a pass that began at `start` is over."""
        slot = self.slots[kind, chunk]
        left = start + slot - self.clock()
        self.real += slot - left
        self.planned += slot
        self.passes += 1
        self.late += left < 0.0
        time.sleep(max(0.0, left))
