# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Which rank does what: a rank a device, in the order of the cluster's nodes and their GPUs.

Every rank works the whole placement out from the plan, so that groups are made by all in the same order and nobody has
to ask. Sequences of a global batch are numbered: pipelines one after the other, of each its identical copies, of each
its micro-batches, of each the replicas of a stage. Which rank computes which sequence follows from that, whatever the
plan, and the loss of a step does not depend on it but for rounding.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Tuple

from errors import Refused
from plan import Pipeline, Plan, Stage
from shape import Shape
from tensors import TensorSpec, holds, layer_tensors, span

Ranks = Tuple[int, ...]


@dataclass(frozen=True)
class Place:
    rank: int
    device: str
    pipeline: int
    copy: int  # of the identical pipelines
    stage: int
    replica: int  # of the stage, over all copies
    tp_rank: int
    first: int  # sequences [first, end) of every micro-batch
    end: int


@dataclass(frozen=True)
class Holder:
    """A rank's slice [begin, end) of a tensor along its cut; whether its gradient is part of the sum, or repeats what a
    tensor-parallel neighbour has."""

    rank: int
    begin: int
    end: int
    counts: bool


@dataclass(frozen=True)
class Atom:
    """A slice of a tensor that the same ranks hold: what is summed, updated and saved together."""

    spec: TensorSpec
    begin: int
    end: int
    ranks: Ranks
    sharded: bool  # optimiser states over these ranks (ZeRO-1)

    def shape(self) -> List[int]:
        shape = list(self.spec.shape)
        if self.spec.cut is not None:
            shape[self.spec.cut] = self.end - self.begin
        return shape


class Placement:
    def __init__(self, plan: Plan, shape: Shape) -> None:
        self.plan = plan
        self.shape = shape
        order = {device: rank for rank, device in enumerate(plan.devices())}
        self.places: List[Place] = []
        self._by_site: Dict[Tuple[int, int, int], List[Place]] = {}
        for p, pipeline in enumerate(plan.pipelines):
            for s, stage in enumerate(pipeline.stages):
                each = pipeline.replicas_each(s)
                for r, replica in enumerate(stage.replicas):
                    copy, within = divmod(r, each)
                    first = sum(x.sequences for x in stage.replicas[copy * each:copy * each + within])
                    for t, device in enumerate(replica.devices):
                        place = Place(order[device], device, p, copy, s, r, t, first, first + replica.sequences)
                        self.places.append(place)
                        self._by_site.setdefault((p, copy, s), []).append(place)
        self.places.sort(key=lambda place: place.rank)

    def world(self) -> Ranks:
        return tuple(range(len(self.places)))

    def site(self, pipeline: int, copy: int, stage: int) -> List[Place]:
        """Ranks of a stage of one pipeline, by replica and tensor-parallel rank."""
        return self._by_site[pipeline, copy, stage]

    def stage(self, place: Place) -> Stage:
        return self.plan.pipelines[place.pipeline].stages[place.stage]

    def pipeline(self, place: Place) -> Pipeline:
        return self.plan.pipelines[place.pipeline]

    def all_of_stage(self, place: Place) -> List[Place]:
        return [other for copy in range(self.pipeline(place).count)
                for other in self.site(place.pipeline, copy, place.stage)]

    def tensor_ranks(self, place: Place) -> Ranks:
        return tuple(other.rank for other in self.site(place.pipeline, place.copy, place.stage)
                     if other.replica == place.replica)

    def expert_ranks(self, place: Place) -> Ranks:
        ep = self.stage(place).ep
        return tuple(other.rank for other in self.all_of_stage(place)
                     if other.tp_rank == place.tp_rank and other.replica // ep == place.replica // ep)

    def first_sequence(self, place: Place) -> int:
        """Of the place's pipeline within the global batch."""
        before = sum(p.count * p.microbatches * p.microbatch_size for p in self.plan.pipelines[:place.pipeline])
        own = self.pipeline(place)
        return before + place.copy * own.microbatches * own.microbatch_size

    def layers_of(self, place: Place) -> List[int]:
        return [layer for first, last in self.stage(place).chunks for layer in range(first, last + 1)]

    def holders(self) -> Dict[str, Tuple[TensorSpec, List[Holder]]]:
        """Every tensor and who holds what of it. A tied head and the embedding share one."""
        found: Dict[str, Tuple[TensorSpec, Dict[int, Holder]]] = {}
        for place in self.places:
            stage = self.stage(place)
            for layer in self.layers_of(place):
                for spec in layer_tensors(self.shape, layer):
                    if not holds(spec, stage, self.shape.experts, place.replica):
                        continue
                    begin, end = span(spec, place.tp_rank, stage.tp)
                    partial = spec.inside or stage.sequence_parallel
                    counts = spec.cut is not None or partial or place.tp_rank == 0
                    found.setdefault(spec.name, (spec, {}))[1][place.rank] = Holder(place.rank, begin, end, counts)
        return {name: (spec, list(by_rank.values())) for name, (spec, by_rank) in sorted(found.items(), key=tensor_key)}

    def atoms(self, spec: TensorSpec, holders: List[Holder]) -> List[Atom]:
        """The tensor cut wherever a holder's slice begins or ends."""
        sharded = all(self.stage(self.places[h.rank]).sharded for h in holders)
        if spec.cut is None:
            ranks = tuple(sorted(h.rank for h in holders))
            return [Atom(spec, 0, 0, ranks, sharded and len(ranks) > 1)]
        marks = sorted({mark for h in holders for mark in (h.begin, h.end)})
        atoms: List[Atom] = []
        for begin, end in zip(marks, marks[1:]):
            ranks = tuple(sorted(h.rank for h in holders if h.begin <= begin and end <= h.end))
            atoms.append(Atom(spec, begin, end, ranks, sharded and len(ranks) > 1))
        return atoms


def tensor_key(item: Tuple[str, object]) -> Tuple[int, str]:
    layer, _, part = item[0].partition(".")
    return int(layer), part


def check_divisions(plan: Plan, shape: Shape) -> None:
    """That stages divide what the model has, and the model has a position for every token. Raises Refused."""
    kv, rows = shape.kv_heads, shape.learned_positions - shape.position_offset
    if shape.learned_positions and plan.seq > rows:
        raise Refused("E_UNSUPPORTED_MODEL", "problem/model", f"{rows} positions for sequences of {plan.seq} tokens")
    for p, pipeline in enumerate(plan.pipelines):
        for s, stage in enumerate(pipeline.stages):
            where, tp = f"pipelines/{p}/stages/{s}", stage.tp
            if shape.heads % tp or (kv % tp and tp % kv):
                raise Refused("E_DIVIDE_HEADS", where, f"tp {tp} does not divide {shape.heads} heads of {kv} groups")
            for width in shape.mlp_widths():
                if width % tp:
                    raise Refused("E_DIVIDE_HEADS", where, f"tp {tp} does not divide {width} columns of the MLP")
            if max(1, shape.experts) % stage.ep:
                raise Refused("E_EP", where, f"ep {stage.ep} does not divide {shape.experts} experts")
