# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""run.json (schema pipewright-run-1): what every rank did when, for Pipewright to lay over its prediction.

Seconds count from the moment at which all ranks had met. A receive begins when its send does, as a transfer is one bar
of the timeline; where clocks of two machines differ by more than it lasts, it has no length.
"""

from __future__ import annotations

import json
import math
import os
import platform
from typing import Any, Dict, List, Optional, Tuple

import torch

from executor import Recorded
from trainer import StepResult, Trainer
from untyped import cuda, dist

KINDS = ("F", "B", "W", "send", "recv", "sync", "update")


def versions(device: torch.device) -> Dict[str, str]:
    found = {"python": platform.python_version(), "torch": str(torch.__version__)}
    if device.type == "cuda":
        found.update(cuda=str(torch.version.cuda), nccl=".".join(str(n) for n in cuda.nccl.version()),
                     gpu=str(cuda.get_device_name(device)))
    return found


class RunRecord:
    """Gathers a rank's records; rank 0 writes the file."""

    def __init__(self, trainer: Trainer) -> None:
        self.trainer = trainer
        self.steps: List[Tuple[int, float, StepResult]] = []
        self.kept: List[Tuple[int, List[Recorded]]] = []

    def add(self, step: int, start_s: float, result: StepResult) -> None:
        self.steps.append((step, start_s, result))
        executor = self.trainer.executor
        if executor.recording:
            self.kept.append((step, list(executor.records)))
        executor.records.clear()

    def gather(self, control: Any) -> List[Any] | None:
        """What all ranks have, on rank 0. control: a gloo group of all ranks, which takes any values."""
        place = self.trainer.place
        mine = (place, self.kept, self.trainer.peak_bytes(), platform.node(), versions(self.trainer.device))
        if len(self.trainer.placement.places) == 1:
            return [mine]
        rows: List[Any] | None = [None] * len(self.trainer.placement.places) if place.rank == 0 else None
        dist.gather_object(mine, rows, dst=0, group=control)
        return rows

    def document(self, rows: List[Any], emulated: bool, head: Dict[str, Any], plan: Dict[str, Any]) -> Dict[str, Any]:
        """plan: the plan document, which says what the operations are of wherever the file is taken."""
        ops: List[Dict[str, Any]] = []
        sent: Dict[Tuple[int, str, int], float] = {}
        for place, kept, *_ in rows:
            for step, records in kept:
                for r in records:
                    if r.kind == "send":
                        key = step, r.channel, r.microbatch
                        sent[key] = min(r.start_s, sent.get(key, r.start_s))
        for place, kept, *_ in rows:
            for step, records in kept:
                for r in records:
                    start = r.start_s
                    if r.kind == "recv":
                        start = min(r.end_s, sent[step, r.channel, r.microbatch])
                    ops.append({"step": step, "rank": place.rank, "pipeline": place.pipeline,
                                "replica": place.replica, "stage": place.stage, "chunk": r.chunk, "kind": r.kind,
                                "microbatch": r.microbatch, "start_s": start, "end_s": r.end_s})
        ops.sort(key=lambda op: (op["step"], op["rank"], op["start_s"], KINDS.index(op["kind"])))
        ranks = [{"rank": place.rank, "device": place.device, "pipeline": place.pipeline, "stage": place.stage,
                  "replica": place.replica, "tp_rank": place.tp_rank, "host": host}
                 for place, _, _, host, _ in rows]
        return {"schema": "pipewright-run-1", "emulated": emulated, "device_type": self.trainer.device.type, **head,
                "steps": [{"step": step, "loss": finite(result.loss), "gradient_norm": finite(result.norm),
                           "start_s": start, "seconds": result.seconds} for step, start, result in self.steps],
                "ops": ops, "peak_bytes": [row[2] for row in rows], "ranks": ranks, "versions": rows[0][4],
                "plan_document": plan}


def finite(number: float) -> Optional[float]:
    """JSON has no other: none of a step that overflowed and was skipped."""
    return number if math.isfinite(number) else None


def write_record(path: str, document: Dict[str, Any]) -> None:
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(document, file, allow_nan=False)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())
    os.replace(path + ".part", path)
