# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""A plan document (schema pipewright-plan-1) as values, and what of it this runner does not run.

Only what says who computes what, and when, is read; the figures of the document are not, but for the times of passes,
which order the passes of ZB-V. Layers are fine layers: 0 the embedding, 2b + 1 and 2b + 2 attention and MLP of block b,
last the head.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Dict, List, Tuple

from errors import BadInput, Refused

LAUNCH_COUNTED = ("gpipe", "1f1b", "eager", "h1f1b")
SPLIT_BACKWARD = ("zb-h1", "zb-v")
NOT_RUN = {"zb-1p": "ZB-1p", "zb-2p": "ZB-2p"}
PRECISIONS = ("fp32", "tf32", "fp16", "bf16")
MODES = ("none", "selective", "full")
DEVICE, ORDER_NAME = re.compile(r"(.+)\.g([0-9]{1,6})", re.DOTALL), re.compile(r"[\w.-]+", re.ASCII)
MOST_GPUS = 100_000  # of a node
MOST, MOST_WHOLE = 1e100, 10 ** 15  # of any number that a file states


@dataclass(frozen=True)
class Replica:
    devices: Tuple[str, ...]  # in tensor-parallel order
    sequences: int  # of every micro-batch


@dataclass(frozen=True)
class Stage:
    chunks: Tuple[Tuple[int, int], ...]  # first and last fine layer, both included
    replicas: Tuple[Replica, ...]  # of all identical pipelines, one pipeline after the other
    tp: int
    ep: int
    sequence_parallel: bool
    sharded: bool  # optimiser states are divided over the ranks that share a tensor
    gradients_sharded: bool  # ZeRO-2: so are the sums of gradients
    recompute: str  # none, selective, full
    recompute_blocks: int  # with full: from the stage's first block on; 0 = all
    passes_s: Tuple[float, float, float]  # F, B, W of a micro-batch; 1, 1, 1 where the document does not say


@dataclass(frozen=True)
class Pipeline:
    count: int
    microbatches: int
    microbatch_size: int  # sequences, over all replicas of one pipeline
    kind: str
    chunks: int
    launch: Tuple[int, ...]  # empty: as the kind has it
    order: str  # file with the order of passes, beside the document; empty: as the kind has it
    stages: Tuple[Stage, ...]

    def virtual_stages(self) -> int:
        return len(self.stages) * self.chunks

    def stage_of(self, virtual: int) -> Tuple[int, int]:
        """Stage and chunk that stand at this place of the forward pass; ZB-V's second chunks run back."""
        chunk, place = divmod(virtual, len(self.stages))
        return (len(self.stages) - 1 - place if self.kind == "zb-v" and chunk % 2 else place), chunk

    def virtual_of(self, stage: int, chunk: int) -> int:
        place = len(self.stages) - 1 - stage if self.kind == "zb-v" and chunk % 2 else stage
        return chunk * len(self.stages) + place

    def replicas_each(self, stage: int) -> int:
        return len(self.stages[stage].replicas) // self.count


@dataclass(frozen=True)
class Plan:
    pipelines: Tuple[Pipeline, ...]
    gbs: int
    seq: int
    precision: str
    rates: str  # the precision as it was asked for, which an emulation's kinds differ by; --tiny computes in fp32
    optimizer: str  # adam, sgd
    model: Dict[str, Any]  # schema pipewright-model-1
    cluster: Dict[str, Any]  # schema pipewright-cluster-1
    document: Dict[str, Any]  # the plan document with this plan alone, as it was read

    def devices(self) -> List[str]:
        """Devices in use, by node as the cluster lists them and GPU: the order of ranks."""
        order = {str(node.get("id")): place for place, node in enumerate(self.cluster["nodes"])}
        used = [device for pipeline in self.pipelines for stage in pipeline.stages
                for replica in stage.replicas for device in replica.devices]

        def key(device: str) -> Tuple[int, str, int]:
            node, gpu = split_device(device)
            return order.get(node, len(order)), node, gpu

        return sorted(used, key=key)


def split_device(device: str) -> Tuple[str, int]:
    match = DEVICE.fullmatch(device)
    if not match:
        raise BadInput("plan", f"device {device!r}; expected NODE.gNUMBER")
    return match[1], int(match[2])


class Reader:
    """A JSON object and where it stands, so that what is wrong is said with its place."""

    def __init__(self, value: Any, where: str) -> None:
        if not isinstance(value, dict):
            raise BadInput(where, "expected an object")
        self.value: Dict[str, Any] = value
        self.where = where

    def at(self, key: str) -> str:
        return f"{self.where}/{key}"

    def whole(self, key: str, default: int | None = None, least: int = 0) -> int:
        value = self.value.get(key, default)
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= MOST_WHOLE:
            raise BadInput(self.at(key), f"is {value!r}; expected a whole number of at least {least}")
        return value

    def number(self, key: str, default: float | None = None) -> float:
        value = self.value.get(key, default)
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) <= MOST:
            raise BadInput(self.at(key), f"is {value!r}; expected a number")
        return float(value)

    def word(self, key: str, default: str, known: Tuple[str, ...]) -> str:
        value = self.value.get(key, default)
        if value not in known:
            raise BadInput(self.at(key), f"is {value!r}; expected one of {', '.join(known)}")
        return str(value)

    def flag(self, key: str) -> bool:
        value = self.value.get(key, False)
        if not isinstance(value, bool):
            raise BadInput(self.at(key), f"is {value!r}; expected true or false")
        return value

    def part(self, key: str) -> Reader:
        return Reader(self.value.get(key, {}), self.at(key))

    def list(self, key: str) -> List[Any]:
        value = self.value.get(key)
        if not isinstance(value, list):
            raise BadInput(self.at(key), "expected a list")
        return value

    def wholes(self, key: str, most: int) -> Tuple[int, ...]:
        """Whole numbers from 0 to most; none where the key is missing or null."""
        values = self.list(key) if self.value.get(key) is not None else []
        for place, value in enumerate(values):
            if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
                raise BadInput(f"{self.at(key)}/{place}", f"is {value!r}; expected a whole number up to {most}")
        return tuple(values)

    def parts(self, key: str) -> List[Reader]:
        return [Reader(item, f"{self.at(key)}/{place}") for place, item in enumerate(self.list(key))]


def no_number(word: str) -> None:
    raise ValueError(f"{word} is no number of JSON")


def read_json(path: str) -> Reader:
    """The object that a file holds. Raises BadInput."""
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file, parse_constant=no_number)
    except (OSError, ValueError, RecursionError) as error:  # ValueError: no UTF-8, no JSON
        raise BadInput(path, str(error)) from None
    return Reader(value, path)


def device_names(items: List[Any], where: str) -> Tuple[str, ...]:
    """Ids one by one, or spans of them as compact documents write: {"node" or "nodes", "first", "last"}."""
    names: List[str] = []
    for item in items:
        if isinstance(item, str):
            names.append(item)
            continue
        span = Reader(item, where)
        nodes = span.list("nodes") if "nodes" in span.value else [span.value.get("node")]
        first, last = span.whole("first"), span.whole("last")
        if not first <= last < MOST_GPUS:
            raise BadInput(where, f"GPUs {first} to {last}; expected numbers of one node's, upwards")
        names += [f"{node}.g{gpu}" for node in nodes for gpu in range(first, last + 1)]
    return tuple(names)


def read_stage(r: Reader, count: int, microbatch_size: int, chunks: int, alone: bool, lone: bool,
               undivided: bool) -> Stage:
    """alone: no other pipeline holds the same layers; lone: nor does another stage hold any; undivided: a
    backward pass is of all layers, and of their weights too."""
    if r.whole("cp", 1, 1) > 1:
        raise Refused("E_CP", r.where, "context parallelism is not run")
    if r.value.get("partition", "none") not in ("none", None, {}, []):
        raise Refused("E_PARTITION", r.where, "partition grids are not run")
    zero = r.whole("zero", 0)
    if zero > 1 and (len(r.list("replicas")) > 1 or not alone):
        if zero > 2:
            raise Refused("E_SHARDING", r.where, f"ZeRO-{zero} is not run; ZeRO-1 and 2 are")
        if lone and not alone:  # which has another number of micro-batches to sum
            raise Refused("E_SHARDING", r.where, "ZeRO-2 is not run beside another pipeline; ZeRO-1 is")
        if lone and not undivided:
            raise Refused("E_SHARDING", r.where, "ZeRO-2 is run with whole backward passes of one chunk; ZeRO-1 "
                                                 "with any")
    elif zero > 1:
        zero = 0  # over one replica
    if not lone:
        zero = min(zero, 1)  # stages of a pipeline shard no more, as they are priced
    tp, ep = r.whole("tp", 1, 1), r.whole("ep", 1, 1)
    replicas: List[Replica] = []
    for item in r.parts("replicas"):
        sequences = item.number("share", 1.0) * microbatch_size
        whole = round(sequences)
        if whole < 1 or abs(sequences - whole) > 1e-6 * microbatch_size:
            raise BadInput(item.at("share"), f"comes to {sequences:g} of {microbatch_size} sequences; expected a whole "
                                             "number of at least 1")
        devices = device_names(item.list("devices"), item.at("devices"))
        if len(devices) != tp:
            raise BadInput(item.at("devices"), f"{len(devices)} devices; expected {tp}")
        replicas.append(Replica(devices, whole))
    if not replicas or len(replicas) % count:
        raise BadInput(r.at("replicas"), f"{len(replicas)}; expected a multiple of {count} pipelines")
    each = len(replicas) // count
    for copy in range(count):
        total = sum(replica.sequences for replica in replicas[copy * each:(copy + 1) * each])
        if total != microbatch_size:
            raise BadInput(r.at("replicas"), f"{total} sequences of pipeline {copy}; expected {microbatch_size}")
    if len(replicas) % ep:
        if len(replicas) * tp % ep == 0:
            raise Refused("E_EP", r.where, "experts over the ranks of a tensor-parallel group are not run; over "
                                           "replicas they are")
        raise BadInput(r.at("ep"), f"{ep} does not divide {len(replicas)} replicas")
    spans: List[Tuple[int, int]] = []
    for place, span in enumerate(r.list("chunks")):
        if not (isinstance(span, list) and len(span) == 2 and all(isinstance(x, int) for x in span)
                and 0 <= span[0] <= span[1]):
            raise BadInput(f"{r.at('chunks')}/{place}", f"is {span!r}; expected [first, last]")
        spans.append((span[0], span[1]))
    if len(spans) != chunks:
        raise BadInput(r.at("chunks"), f"{len(spans)}; the schedule has {chunks}")
    recompute = r.part("recompute")
    backward, weight = r.number("backward_s", 0.0), r.number("weight_grad_s", 0.0)
    passes = (r.number("forward_s", 0.0), backward - weight, weight)
    return Stage(tuple(spans), tuple(replicas), tp, ep, r.flag("sequence_parallel") and tp > 1, zero in (1, 2),
                 zero == 2, recompute.word("mode", "none", MODES), recompute.whole("layers", 0),
                 passes if min(passes) > 0.0 else (1.0, 1.0, 1.0))


def read_pipeline(r: Reader, layers: int, alone: bool) -> Pipeline:
    schedule = r.part("schedule")
    kind = schedule.word("kind", "1f1b", LAUNCH_COUNTED + ("interleaved",) + SPLIT_BACKWARD + tuple(NOT_RUN))
    if kind in NOT_RUN:
        raise Refused("E_SCHEDULE", schedule.where, f"{NOT_RUN[kind]} is not run")
    chunks = schedule.whole("chunks", 2 if kind == "zb-v" else 1, 1)
    if (kind == "zb-v" and chunks != 2) or (kind == "interleaved" and chunks < 2) or (
            kind not in ("zb-v", "interleaved") and chunks != 1):
        raise BadInput(schedule.at("chunks"), f"{chunks} chunks a stage under {kind}")
    count, size = r.whole("count", 1, 1), r.whole("microbatch_size", None, 1)
    lone = len(r.parts("stages")) == 1
    undivided = chunks == 1 and kind not in SPLIT_BACKWARD
    stages = tuple(read_stage(item, count, size, chunks, alone, lone, undivided) for item in r.parts("stages"))
    if not stages:
        raise BadInput(r.at("stages"), "is empty; expected a stage at least")
    order = schedule.value.get("order") or ""
    if not isinstance(order, str) or (order and not ORDER_NAME.fullmatch(order)):
        raise BadInput(schedule.at("order"), f"is {order!r}; expected the name of a file beside the document")
    microbatches = r.whole("microbatches", None, 1)
    launch = tuple(schedule.list("launch")) if schedule.value.get("launch") else ()
    if launch and (len(launch) != len(stages) or not all(isinstance(x, int) and x >= 1 for x in launch)):
        raise BadInput(schedule.at("launch"), f"is {list(launch)}; expected a count for each of {len(stages)} stages")
    if any(later > sooner and sooner < microbatches for sooner, later in zip(launch, launch[1:])):
        raise BadInput(schedule.at("launch"), f"is {list(launch)}; expected counts that never rise")
    pipeline = Pipeline(count, microbatches, size, kind, chunks, launch, order, stages)
    if kind == "interleaved" and pipeline.microbatches % len(stages):
        raise BadInput(r.at("microbatches"), f"{pipeline.microbatches}; interleaved runs a multiple of {len(stages)}")
    if kind == "h1f1b" and not launch and len(stages) > 1:
        raise BadInput(schedule.at("launch"), "missing; H-1F1B is run by the launch counts of the document")
    expected = 0
    for virtual in range(pipeline.virtual_stages()):
        stage, chunk = pipeline.stage_of(virtual)
        first, last = stages[stage].chunks[chunk]
        if first != expected:
            raise BadInput(f"{r.at('stages')}/{stage}/chunks/{chunk}", f"begins at {first}; expected {expected}")
        expected = last + 1
    if expected != layers:
        raise BadInput(r.at("stages"), f"hold {expected} fine layers; the model has {layers}")
    return pipeline


def read_plan(path: str, number: int = 1, precision: str | None = None) -> Plan:
    """The plan with this number, from 1, of a plan document: those of `differing` stand behind `plans`.
    Raises BadInput and Refused."""
    return plan_of(read_json(path), number, precision)


def plan_of(document: Reader, number: int = 1, precision: str | None = None) -> Plan:
    if document.value.get("schema") != "pipewright-plan-1":
        raise BadInput(document.at("schema"), f"is {document.value.get('schema')!r}; expected pipewright-plan-1")
    entries = document.parts("plans") + (document.parts("differing") if "differing" in document.value else [])
    if not 1 <= number <= len(entries):
        raise BadInput(document.at("plans"), f"has {len(entries)} plans; {number} was asked for")
    entry, problem = entries[number - 1], document.part("problem")
    recipe, model = problem.part("recipe"), problem.part("model")
    layers = 2 * model.whole("blocks", None, 1) + 2
    parts = entry.parts("pipelines")
    pipelines = tuple(read_pipeline(item, layers, len(parts) == 1) for item in parts)
    gbs = recipe.whole("gbs", None, 1)
    sequences = sum(p.count * p.microbatches * p.microbatch_size for p in pipelines)
    if sequences != gbs:
        raise BadInput(entry.at("pipelines"), f"{sequences} sequences an iteration; expected the global batch of {gbs}")
    chosen = precision or entry.value.get("precision") or recipe.value.get("precision", "auto")
    if chosen == "auto":
        raise BadInput(entry.at("precision"), "is not resolved; evaluate the plan first, or give --precision")
    if chosen not in PRECISIONS:
        raise Refused("E_PRECISION", entry.where, f"{chosen} is not run; {', '.join(PRECISIONS)} are")
    cluster = problem.part("cluster")
    cluster.parts("nodes")  # objects, every one
    plan = Plan(pipelines, gbs, recipe.whole("seq", None, 1), str(chosen), str(chosen),
                recipe.word("optimizer", "adam", ("adam", "sgd")), dict(model.value), dict(cluster.value),
                {"schema": document.value["schema"], "problem": problem.value, "plans": [entry.value]})
    check_devices(plan, entry)
    return plan


def check_devices(plan: Plan, entry: Reader) -> None:
    devices = plan.devices()
    sizes = {str(node.get("id")): node.get("gpus") for node in plan.cluster["nodes"]}
    for device in devices:
        node, gpu = split_device(device)
        size = sizes.get(node)
        if node not in sizes or (isinstance(size, int) and gpu >= size):
            raise BadInput(entry.at("pipelines"), f"{device} is no device of the plan's cluster")
    for device, following in zip(devices, devices[1:]):
        if device == following:
            raise BadInput(entry.at("pipelines"), f"{device} serves twice")
    for p, pipeline in enumerate(plan.pipelines):
        for s, stage in enumerate(pipeline.stages):
            if stage.sequence_parallel and plan.seq % stage.tp:
                raise BadInput(f"{entry.at('pipelines')}/{p}/stages/{s}",
                               f"tp {stage.tp} does not divide the sequence of {plan.seq}")
