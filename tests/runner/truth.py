# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a plan document on forked ranks and holds losses and gradients against the plain reference."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List

import torch

import reference
from optimizer import Settings
from plan import Reader, plan_of
from ranks import device_of, run_ranks
from shape import shape_of
from tokens import Tokens
from trainer import Options, Trainer

SETTINGS = Settings(rate=1e-2, warm_up=2, steps=8, clip=0.1, epsilon=1e-3)
STEPS = 3


@dataclass
class Verdict:
    """Largest relative differences from the reference; infinite where the ranks did not come to their end."""

    loss: float = float("inf")
    gradient: float = float("inf")
    weights: float = float("inf")
    worst: str = ""
    records: List[Any] = field(default_factory=list)

    def holds(self, double: bool) -> bool:
        limits = (1e-9, 1e-9, 1e-7) if double else (1e-5, 1e-4, 1e9)
        return self.loss <= limits[0] and self.gradient <= limits[1] and self.weights <= limits[2]


def slices(trainer: Trainer, what: Callable[[int], torch.Tensor]) -> Dict[Any, torch.Tensor]:
    """Tensors of buckets, cut back into slices of named tensors; of each slice the first of its ranks has it."""
    found: Dict[Any, torch.Tensor] = {}
    for place, bucket in enumerate(trainer.buckets):
        whole = bucket.whole(what(place))
        for piece in bucket.pieces:
            if bucket.group.index == 0:
                atom = piece.atom
                found[atom.spec.name, atom.spec.cut, atom.begin] = piece.within(whole).clone().cpu()
    return found


def joined(parts: List[Dict[Any, torch.Tensor]]) -> Dict[str, torch.Tensor]:
    by_name: Dict[str, Dict[Any, torch.Tensor]] = {}
    for part in parts:
        for key, value in part.items():
            by_name.setdefault(key[0], {})[key[1], key[2]] = value
    return {name: torch.cat([found[key] for key in sorted(found)], dim=next(iter(found))[0] or 0)
            if next(iter(found))[0] is not None else next(iter(found.values())) for name, found in by_name.items()}


def difference(mine: Dict[str, torch.Tensor], theirs: Dict[str, torch.Tensor]) -> tuple[float, str]:
    """Largest norm of a difference over the norm, and the tensor; what is zero but for rounding counts against the
    largest tensor."""
    scale = max(float(t.double().norm()) for t in theirs.values())
    worst, where = 0.0, ""
    if set(mine) != set(theirs):
        return float("inf"), f"{sorted(set(mine) ^ set(theirs))}"
    for name, tensor in theirs.items():
        size = max(float(tensor.double().norm()), 1e-4 * scale)
        apart = float((mine[name].double() - tensor.double()).norm()) / size
        if not apart <= worst:
            worst, where = apart, name
    return worst, where


def judge(document: Dict[str, Any], double: bool, before: Callable[[], None] | None = None,
          quiet: bool = False, limit_s: float = 60.0) -> Verdict:
    """STEPS steps of the plan. before() is called in every rank first: a test's way to break something."""
    plan = plan_of(Reader(document, "drawn"))
    shape = shape_of(plan.model)
    sizes = (shape.vocab, plan.seq, plan.gbs)
    with tempfile.TemporaryDirectory(prefix="pw-truth-") as folder:

        def work(rank: int) -> None:
            if before is not None:
                before()
            trainer = Trainer(plan, shape, Tokens(*sizes, 5), rank, device_of(rank),
                              Options(SETTINGS, 7, double))
            losses, gradients, records = [], [], []
            for step in range(STEPS):
                trainer.executor.recording = True
                losses.append(trainer.gradients(step))
                gradients.append(slices(trainer, lambda place: trainer.buckets[place].gradient))
                trainer.optimizer.step(step)
                records.append(list(trainer.executor.records))
                trainer.executor.records.clear()
            weights = slices(trainer, lambda place: trainer.optimizer.states[place]["master"])
            trainer.close()
            torch.save((losses, gradients, weights, trainer.place, records), os.path.join(folder, f"rank{rank}"))

        def beside() -> None:
            torch.save(reference.train(shape, Tokens(*sizes, 5), torch.float64 if double else torch.float32, 7,
                                       SETTINGS, STEPS), os.path.join(folder, "reference"))

        if not run_ranks(len(plan.devices()), work, beside, limit_s, quiet):
            return Verdict(worst="did not end")

        def left(name: str) -> Any:
            return torch.load(os.path.join(folder, name), weights_only=False)

        ranks = [left(f"rank{rank}") for rank in range(len(plan.devices()))]
        losses, gradients, weights = left("reference")
    verdict = Verdict(0.0, 0.0, records=[(rank[3], rank[4]) for rank in ranks])
    for rank in ranks:
        for mine, theirs in zip(rank[0], losses):
            verdict.loss = max(verdict.loss, abs(mine - theirs) / abs(theirs))
    for step in range(STEPS if double else 1):
        apart, where = difference(joined([rank[1][step] for rank in ranks]), gradients[step])
        if not apart <= verdict.gradient:
            verdict.gradient, verdict.worst = apart, f"gradient of {where}, step {step}"
    verdict.weights = difference(joined([rank[2] for rank in ranks]), weights)[0]
    return verdict
