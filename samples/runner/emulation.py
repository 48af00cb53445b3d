# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A mixed cluster acted out on one machine: order, transfers, contention and overlap, no speed.

Every pass does its real, small work and then waits until its slot is over. A slot is what the pass's layers take alone
on this machine, measured before the ranks start, times how much slower the device's kind is than the fastest one of the
plan, times 3 (or --slack) x ranks / cores, so that ranks which share a core do not hold each other up. Slots never
come from the plan's own times. What became of that is printed, of all steps but the first, which is cold: the share of
the slots that was real work, the time in collectives taken out, and how many passes took longer than their slot.

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

import collectives
from collectives import Group
from errors import BadInput
from functions import in_collectives
from layers import runs_of
from order import Order
from placement import Place, Placement
from plan import SPLIT_BACKWARD, Pipeline, Plan, Reader, split_device
from shape import Shape
from timing import alone

# Kind of layer, tp, sequences, whether its scores are recomputed: F, B, W in seconds.
Rows = Dict[Tuple[str, int, int, bool], Tuple[float, float, float]]
Slots = Dict[Tuple[str, int], float]  # pass, chunk: seconds
REPEATS = 7
LEAST_SLACK = 3.0
# Shares of the slots that was real work, and of the passes that took longer than theirs, above which a run says more of
# this machine and its gloo than of the plan. Real work is a third of a slot where nothing disturbs it.
MOST_REAL, MOST_LATE = 0.8, 0.1
LEAST_CORE = 0.9  # share of a core below which the timing of layers was disturbed


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
    measured = alone(shape, [layer], tp, recompute_core)
    ids = measured.ids(seq, sequences)
    wide = 2 if shape.parallel and layer % 2 == 0 and layer < shape.layers() - 1 else 1
    times = [measured.passes(measured.states(seq, sequences, wide) if layer else ids, ids) for _ in range(REPEATS)]
    middle = [statistics.median(column) for column in zip(*times)]
    return middle[0], middle[1], middle[2]


def slow_downs(plan: Plan) -> Dict[str, float]:
    """How much slower each node's devices are than the fastest in use, by what their kinds compute a second."""
    precision = plan.rates
    rates: Dict[str, float] = {}
    for node in sorted({split_device(device)[0] for device in plan.devices()}):
        entry, kind = node_and_kind(plan, node)
        stated = next((key for key in (precision, "fp32") if kind.value.get(key)), precision)
        rates[node] = above_zero(kind, stated) * above_zero(entry, "speed", 1.0)
    fastest = max(rates.values())
    return {node: fastest / rate for node, rate in rates.items()}


def above_zero(r: Reader, key: str, default: float | None = None) -> float:
    value = r.number(key, default)
    if value <= 0.0:
        raise BadInput(r.at(key), f"is {value:g}; expected a number above 0")
    return value


def node_and_kind(plan: Plan, node: str) -> Tuple[Reader, Reader]:
    cluster = Reader(plan.cluster, "problem/cluster")
    entry = next((n for n in cluster.parts("nodes") if n.value.get("id") == node), None)
    if entry is None:
        raise BadInput(cluster.at("nodes"), f"has no {node}")
    name = entry.value.get("kind")
    for kind in cluster.parts("kinds") if "kinds" in plan.cluster else []:
        if name in (kind.value.get("name"), kind.value.get("short_name")):
            return entry, kind
    raise BadInput(cluster.at("kinds"), f"do not describe {name}, as documents of Pipewright do")


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


def step_by_slots(placement: Placement, orders: List[List[Order]], rows: Rows, slack: float) -> float:
    """Seconds from the first pass of a step to the end of the last one, where every pass takes its slot and waits for
    what it needs: transfers, sums of gradients and the update left out."""
    slow_down = slow_downs(placement.plan)
    slots: Dict[Tuple[int, int, str, int], float] = {}
    for place in placement.places:
        split = placement.pipeline(place).kind in SPLIT_BACKWARD
        own = slots_of(placement, place, rows, slow_down[split_device(place.device)[0]], slack, split)
        for (kind, chunk), seconds in own.items():  # a stage is as slow as its slowest rank
            key = place.pipeline, place.stage, kind, chunk
            slots[key] = max(slots.get(key, 0.0), seconds)

    def slot_of(number: int) -> Callable[[int, str, int], float]:
        return lambda stage, kind, chunk: slots[number, stage, kind, chunk]

    return max(last_end(pipeline, orders[number], slot_of(number))
               for number, pipeline in enumerate(placement.plan.pipelines))


def last_end(pipeline: Pipeline, orders: List[Order], slot: Callable[[int, str, int], float]) -> float:
    """orders: by stage, such that none waits for ever. slot: of a stage, a kind of pass and a chunk."""
    ends: Dict[Tuple[str, int, int], float] = {}
    free, waiting = [0.0] * len(orders), [deque(order) for order in orders]
    last = pipeline.virtual_stages() - 1
    while any(waiting):
        for stage, order in enumerate(waiting):
            while order:
                kind, chunk, m = order[0]
                v = pipeline.virtual_of(stage, chunk)
                before = v - 1 if kind == "F" else v + 1
                start = free[stage]
                if kind != "W" and 0 <= before <= last:
                    if (kind, before, m) not in ends:
                        break
                    start = max(start, ends[kind, before, m])
                free[stage] = ends[kind, v, m] = start + slot(stage, kind, chunk)
                order.popleft()
    return max(free)


def core_while(act: Callable[[], Rows]) -> Tuple[Rows, float]:
    """What it returns, and the share of a core that this process had meanwhile."""
    wall, own = time.monotonic(), time.process_time()
    rows = act()
    return rows, (time.process_time() - own) / max(1e-9, time.monotonic() - wall)


def busy_words(share: float, load: float) -> str:
    """What to say of a machine that was busy while layers were timed, with this share of a core for that and so many
    runnable processes over the last minute; nothing of one that was not."""
    cores = os.cpu_count() or 1
    if share >= LEAST_CORE and load <= cores:
        return ""
    return (f"warning: the machine was busy while the layers were timed ({share:.0%} of a core for it, {load:.1f} "
            f"processes on {cores} cores), so that slots are longer than they have to be")


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
            inside = {"bandwidth": entry.value.get("intra_bandwidth") or kind.value.get("intra_bandwidth")
                      or kind.value.get("pcie"), "latency": entry.value.get("intra_latency", 2e-6)}
            return [self.hop(f"inside {a}", Reader(inside, f"{entry.where} (inside)"), 1.0, 2e-6)]
        cluster = Reader(self.plan.cluster, "problem/cluster")
        known = {str(n.value.get("id")) for n in cluster.parts("nodes")}
        links = cluster.parts("links") if "links" in cluster.value else []
        came: Dict[str, Tuple[str, Hop]] = {}
        waiting = deque([a])
        while waiting and b not in came:
            here = waiting.popleft()
            if here != a and here in known:
                continue  # a node passes nothing on
            for link in links:
                ends = str(link.value.get("a")), str(link.value.get("b"))
                for one, other in (ends, ends[::-1]):
                    if one == here and other != a and other not in came:
                        width = above_zero(link, "lanes", 1.0) * above_zero(link, "efficiency", 0.88)
                        came[other] = here, self.hop(f"{here} to {other}", link, width, 5e-6)
                        waiting.append(other)
        if b not in came:
            raise BadInput("problem/cluster/links", f"join {a} and {b} in no way")
        hops: List[Hop] = []
        while b != a:
            b, hop = came[b]
            hops.insert(0, hop)
        return hops

    def hop(self, name: str, r: Reader, width: float, latency: float) -> Hop:
        """latency: where none is stated."""
        latency = max(0.0, r.number("latency", latency))
        return Hop(name, above_zero(r, "bandwidth") * width / self.slow_down, latency * self.slow_down)

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
        self.forget()

    def forget(self) -> None:
        """Behind the first step, in which everything is done for the first time."""
        self.real = self.planned = 0.0
        self.late = self.passes = 0
        self.beside = in_collectives.seconds

    def fill(self, kind: str, chunk: int, start: float) -> None:
        """Waits until the slot of a pass that began at `start` is over."""
        slot = self.slots[kind, chunk]
        left = start + slot - self.clock()
        self.real += slot - left - (in_collectives.seconds - self.beside)
        self.beside = in_collectives.seconds
        self.planned += slot
        self.passes += 1
        self.late += left < 0.0
        time.sleep(max(0.0, left))

    def over_all(self, world: Group, device: torch.device) -> Dict[str, Any]:
        """For run.json; all ranks call it."""
        real, planned, late, passes = collectives.sum_of_numbers([self.real, self.planned, self.late, self.passes],
                                                                 world, device)
        share = real / planned if planned > 0.0 else 0.0
        return {"real_share": share, "late_passes": int(late), "passes": int(passes),
                "disturbed": share > MOST_REAL or late > MOST_LATE * passes}
