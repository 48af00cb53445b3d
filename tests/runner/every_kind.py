# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plans by hand of every kind of schedule on the four GPUs of beside_cli.py, exported for the runner; and the order of
passes that the program simulates for them, beside the one in which the runner runs them."""

from __future__ import annotations

import json
import os
import types
from typing import Any, Dict, List, Sequence

import run as runner
from beside_cli import CLUSTER, MODEL, cli, write
from order import Order, Pass, pass_orders, read_order
from plan import read_plan

Document = Dict[str, Any]
DEVICES = ["n1.g0", "n1.g1", "n2.g0", "n2.g1"]
LAYERS = 2 * MODEL["blocks"] + 2
CHUNKS = {"interleaved": 2, "zb-v": 2}  # of the others 1

# Three stages, the first of two replicas. Stage 1 holds two whole blocks and nothing else where there is one chunk.
STAGES, MICROBATCHES, SIZE = 3, 6, 2
SPANS = [[0, 2], [3, 4], [5, 6], [7, 8], [9, 10], [11, 13]]  # of virtual stages where there are two chunks
LAUNCH = [6, 4, 1]  # of H-1F1B; 1F1B has 3, 2, 1 and eager 5, 3, 1


def schedule_of(kind: str, chunks: int, launch: Sequence[int]) -> Document:
    return {"kind": kind, "chunks": chunks, "launch": list(launch) if kind == "h1f1b" else []}


def stage_chunks(kind: str, spans: Sequence[List[int]], stages: int) -> List[List[List[int]]]:
    """By stage what it holds of the spans of the virtual stages: those of a V run back."""
    if kind == "zb-v":
        return [[spans[s], spans[2 * stages - 1 - s]] for s in range(stages)]
    return [[spans[v] for v in range(s, len(spans), stages)] for s in range(stages)]


def pipeline(kind: str) -> Document:
    """Three stages on the four GPUs."""
    devices = [DEVICES[:2], DEVICES[2:3], DEVICES[3:]]
    spans = SPANS if kind in CHUNKS else [[SPANS[2 * s][0], SPANS[2 * s + 1][1]] for s in range(STAGES)]
    return {"microbatches": MICROBATCHES, "microbatch_size": SIZE,
            "schedule": schedule_of(kind, CHUNKS.get(kind, 1), LAUNCH),
            "stages": [{"chunks": own, "tp": 1, "replicas": [{"devices": [d], "share": 1 / len(on)} for d in on]}
                       for own, on in zip(stage_chunks(kind, spans, STAGES), devices)]}


def bare_problem(folder: str) -> Document:
    """A plan document without plans."""
    found, _ = cli("plan", "--cluster", write(folder, "cluster.json", CLUSTER), "--model",
                   write(folder, "model.json", MODEL), "--gbs", str(MICROBATCHES * SIZE), "--seq", "64", "--work",
                   "1000", "--top", "1")
    return {"schema": found["schema"], "problem": found["problem"]}


def planned(bare: Document, drawn: Document) -> Document:
    """The plan document of one pipeline, whose micro-batches are the whole batch."""
    recipe = {**bare["problem"]["recipe"], "gbs": drawn["microbatches"] * drawn["microbatch_size"]}
    return {**bare, "problem": {**bare["problem"], "recipe": recipe}, "plans": [{"pipelines": [drawn]}]}


def exported(folder: str, name: str, document: Document) -> str:
    """The plan document of an export for the runner."""
    out = os.path.join(folder, name)
    cli("export", "--format", "runner", "--plan", write(folder, f"{name}.json", document), "--out", out)
    return os.path.join(out, "plan.json")


def orders_of(path: str) -> List[Order]:
    """By stage of the only pipeline: what the runner runs when nothing else is asked of it."""
    plan = read_plan(path, 1, "fp32")
    files = runner.order_files(types.SimpleNamespace(order=None, plan=path), plan)
    (orders,) = [read_order(file, p) if file else pass_orders(p) for file, p in zip(files, plan.pipelines)]
    return orders


def simulated_events(folder: str, path: str) -> List[List[Document]]:
    """By stage, in order, what `simulate --trace` writes of the passes of the only pipeline."""
    trace = os.path.join(folder, "trace.json")
    cli("simulate", "--plan", path, "--trace", trace)
    with open(trace, encoding="utf-8") as file:
        events = [event for event in json.load(file)["traceEvents"]
                  if event["ph"] == "X" and event["args"]["op"] in ("F", "B", "W")]
    stages = 1 + max(event["args"]["stage"] for event in events)
    return [sorted((e for e in events if e["args"]["stage"] == stage), key=lambda e: e["ts"])
            for stage in range(stages)]


def simulated_orders(folder: str, path: str) -> List[Order]:
    return [[Pass(e["args"]["op"], e["args"]["chunk"], e["args"]["microbatch"]) for e in events]
            for events in simulated_events(folder, path)]


def recorded_order(record: Document, rank: int, step: int) -> Order:
    """The passes of a rank as run.json has them."""
    return [Pass(op["kind"], op["chunk"], op["microbatch"]) for op in record["ops"]
            if (op["rank"], op["step"]) == (rank, step) and op["kind"] in "FBW"]
