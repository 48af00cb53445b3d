# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The order in which a stage runs its passes.

Launch-count schedules run launch - 1 forwards, then pairs of a forward and a backward, then the remaining backwards
(GPipe arXiv 1811.06965, 1F1B arXiv 2104.04473, eager arXiv 2201.12023, H-1F1B doi 10.1145/3767295.3803603).
Interleaved is Megatron-LM's order (arXiv 2104.04473), ZB-H1 the published one (arXiv 2401.10241). Where a search chose
the order, it is not in the plan document but in the file that `export --format torch-schedule` writes of it, which
`--order` takes: read_order(). Without that file ZB-V runs in the order of zb_v(), a reconstruction.
"""

from __future__ import annotations

import re
from typing import Dict, List, NamedTuple, Tuple

from errors import BadInput
from plan import LAUNCH_COUNTED, SPLIT_BACKWARD, Pipeline


class Pass(NamedTuple):
    kind: str  # F forward; B backward, or of the inputs only where W follows; W gradients of the weights
    chunk: int
    microbatch: int


Order = List[Pass]


def launch_counts(pipeline: Pipeline) -> List[int]:
    """Forwards of each stage before its first backward, not capped by the micro-batches."""
    stages = len(pipeline.stages)
    if pipeline.launch:
        return list(pipeline.launch)
    if pipeline.kind == "gpipe":
        return [pipeline.microbatches] * stages
    step = 2 if pipeline.kind == "eager" else 1
    return [step * (stages - 1 - stage) + 1 for stage in range(stages)]


def launch_counted(launch: int, microbatches: int) -> Order:
    order: Order = []
    ahead = min(launch, microbatches) - 1
    for k in range(microbatches + ahead):
        if k < microbatches:
            order.append(Pass("F", 0, k))
        if k >= ahead:
            order.append(Pass("B", 0, k - ahead))
    return order


def interleaved(stage: int, stages: int, chunks: int, microbatches: int) -> Order:
    order: Order = []
    passes = microbatches * chunks
    ahead = min((stages - stage - 1) * 2 + (chunks - 1) * stages, passes)

    def forward(k: int) -> Tuple[int, int]:
        group, within = divmod(k, stages * chunks)
        return within // stages, group * stages + within % stages

    for k in range(passes + ahead):
        if k < passes:
            order.append(Pass("F", *forward(k)))
        if k >= ahead:
            chunk, microbatch = forward(k - ahead)
            order.append(Pass("B", chunks - 1 - chunk, microbatch))
    return order


def zb_h1(stage: int, stages: int, microbatches: int) -> Order:
    """1F1B whose stage i puts the gradients of its weights off by i micro-batches."""
    order: Order = []
    for p in launch_counted(stages - stage, microbatches):
        order.append(p)
        if p.kind == "B" and p.microbatch >= stage:
            order.append(Pass("W", 0, p.microbatch - stage))
    order += [Pass("W", 0, m) for m in range(max(0, microbatches - stage), microbatches)]
    return order


def zb_v(pipeline: Pipeline) -> List[Order]:
    """A list scheduler for the V (reconstruction): a stage that is free runs a backward if one has arrived, else a
    forward, of its second chunk first, as long as no more than S micro-batches hold activations on it, else a weight
    gradient. A first chunk's forward also takes the room of the second, so that no stage ever waits for memory."""
    stages, total = len(pipeline.stages), pipeline.microbatches
    orders: List[Order] = [[] for _ in range(stages)]
    free = [0.0] * stages
    held = [0] * stages  # micro-batches that entered the stage and whose last weight gradient has not run
    ends: Dict[Tuple[str, int, int], float] = {}  # kind, virtual stage, micro-batch
    last = 2 * stages - 1
    left = {(stage, kind, chunk): 0 for stage in range(stages) for kind in "FBW" for chunk in (0, 1)}

    def arrival(kind: str, virtual: int, m: int) -> float | None:
        if kind == "F":
            return 0.0 if virtual == 0 else ends.get(("F", virtual - 1, m))
        own = ends.get(("F" if kind == "B" else "B", virtual, m))
        if kind == "W" or virtual == last or own is None:
            return own
        behind = ends.get(("B", virtual + 1, m))
        return None if behind is None else max(own, behind)

    for _ in range(stages * 6 * total):
        best: Tuple[float, int, int, Pass] | None = None
        for stage in range(stages):
            wishes = [("B", 1), ("B", 0), ("F", 1), ("F", 0), ("W", 1), ("W", 0)]
            for rank, (kind, chunk) in enumerate(wishes):
                m = left[stage, kind, chunk]
                if m == total or (kind == "F" and chunk == 0 and held[stage] == stages):
                    continue
                ready = arrival(kind, pipeline.virtual_of(stage, chunk), m)
                if ready is None:
                    continue
                wish = (max(ready, free[stage]), rank, stage, Pass(kind, chunk, m))
                best = wish if best is None or wish < best else best
        assert best is not None, "the list scheduler is stuck"
        start, _, stage, p = best
        orders[stage].append(p)
        free[stage] = start + pipeline.stages[stage].passes_s["FBW".index(p.kind)] / 2.0
        ends[p.kind, pipeline.virtual_of(stage, p.chunk), p.microbatch] = free[stage]
        left[stage, p.kind, p.chunk] += 1
        held[stage] += (p.kind, p.chunk) == ("F", 0)
        held[stage] -= (p.kind, p.chunk) == ("W", 0)
    return orders


def pass_orders(pipeline: Pipeline) -> List[Order]:
    """The passes of every stage, in order."""
    stages, microbatches = len(pipeline.stages), pipeline.microbatches
    if pipeline.kind in LAUNCH_COUNTED:
        return [launch_counted(launch, microbatches) for launch in launch_counts(pipeline)]
    if pipeline.kind == "interleaved":
        return [interleaved(stage, stages, pipeline.chunks, microbatches) for stage in range(stages)]
    if pipeline.kind == "zb-h1":
        return [zb_h1(stage, stages, microbatches) for stage in range(stages)]
    return zb_v(pipeline)


CELL = re.compile(r"(\d+)(F|B|I|W)(\d+)")


def read_order(path: str, pipeline: Pipeline) -> List[Order]:
    """The order that a torch schedule CSV states: a row a stage, cells <virtual stage><F|B|I|W><micro-batch>."""
    try:
        with open(path, encoding="utf-8") as file:
            rows = [line.rstrip("\n") for line in file if line.strip()]
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(path, str(error)) from None
    if len(rows) != len(pipeline.stages):
        raise BadInput(path, f"{len(rows)} rows; the pipeline has {len(pipeline.stages)} stages")
    orders: List[Order] = []
    for stage, row in enumerate(rows):
        order: Order = []
        for column, cell in enumerate(row.split(","), 1):
            if not cell.strip():
                continue
            where = f"{path}:{stage + 1}, column {column}"
            match = CELL.fullmatch(cell.strip())
            if not match or int(match[1]) >= pipeline.virtual_stages():
                raise BadInput(where, f"{cell!r}; expected a pass such as 0F0")
            owner, chunk = pipeline.stage_of(int(match[1]))
            if owner != stage:
                raise BadInput(where, f"{cell!r} belongs to stage {owner}")
            order.append(Pass("B" if match[2] == "I" else match[2], chunk, int(match[3])))
        orders.append(order)
    check_orders(path, pipeline, orders)
    return orders


def same_order_beside(where: str, pipeline: Pipeline, orders: List[Order]) -> None:
    """Raises BadInput where a stage takes its micro-batches in another order than its neighbour sends them."""
    def microbatches(virtual: int, kind: str) -> List[int]:
        stage, chunk = pipeline.stage_of(virtual)
        return [p.microbatch for p in orders[stage] if (p.kind, p.chunk) == (kind, chunk)]

    for virtual in range(pipeline.virtual_stages() - 1):
        stages = pipeline.stage_of(virtual)[0], pipeline.stage_of(virtual + 1)[0]
        for kind in "FB":
            if stages[0] != stages[1] and microbatches(virtual, kind) != microbatches(virtual + 1, kind):
                raise BadInput(where, f"stages {stages[0]} and {stages[1]} have their passes {kind} in different "
                               "orders of micro-batches, which NCCL cannot exchange")


def check_orders(where: str, pipeline: Pipeline, orders: List[Order]) -> None:
    """Every pass once, each behind what it needs: run by hand until nothing is left. Raises BadInput."""
    split = pipeline.kind in SPLIT_BACKWARD
    kinds = "FBW" if split else "FB"
    expected = {Pass(kind, chunk, m) for kind in kinds for chunk in range(pipeline.chunks)
                for m in range(pipeline.microbatches)}
    for stage, order in enumerate(orders):
        if len(order) != len(expected) or set(order) != expected:
            raise BadInput(where, f"stage {stage} does not run each pass of {pipeline.microbatches} micro-batches once")
    done: set[Tuple[str, int, int]] = set()
    at = [0] * len(orders)
    last = pipeline.virtual_stages() - 1

    def ready(stage: int) -> bool:
        kind, chunk, m = orders[stage][at[stage]]
        v = pipeline.virtual_of(stage, chunk)
        if kind == "F":
            return v == 0 or ("F", v - 1, m) in done
        if kind == "W":
            return ("B", v, m) in done
        return ("F", v, m) in done and (v == last or ("B", v + 1, m) in done)

    while any(place < len(order) for place, order in zip(at, orders)):
        moved = False
        for stage, order in enumerate(orders):
            while at[stage] < len(order) and ready(stage):
                kind, chunk, m = order[at[stage]]
                done.add((kind, pipeline.virtual_of(stage, chunk), m))
                at[stage] += 1
                moved = True
        if not moved:
            stuck = next(stage for stage, order in enumerate(orders) if at[stage] < len(order))
            raise BadInput(where, f"stage {stuck} waits for ever at {orders[stuck][at[stuck]]}")
