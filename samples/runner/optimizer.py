# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""The update: AdamW (arXiv 1711.05101) or SGD with momentum on fp32 copies, clipping, loss scale, learning rate.

Each bucket of gradients has its states: the weights in fp32 and the moments, of the whole bucket or of this rank's part
(ZeRO-1). fp64 weights, which tests use, have fp64 states.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Dict, List

import torch

import collectives
from collectives import Group
from gradients import CHUNK, Bucket
from untyped import fused_adamw


@dataclass(frozen=True)
class Settings:
    rate: float = 3e-4
    least_rate: float = 0.0  # at the end of the cosine
    warm_up: int = 0  # steps
    steps: int = 1  # of the whole training
    first_moment: float = 0.9
    second_moment: float = 0.95
    epsilon: float = 1e-8
    decay: float = 0.1  # of matrices; norms and biases have none
    clip: float = 1.0  # largest norm of the gradient; 0 = any
    optimizer: str = "adam"  # adam, sgd

    def rate_at(self, step: int) -> float:
        """Rises linearly over the warm-up, then falls as half a cosine to least_rate at the last step."""
        if step < self.warm_up:
            return self.rate * (step + 1) / self.warm_up
        done = min(1.0, (step - self.warm_up) / max(1, self.steps - 1 - self.warm_up))
        return self.least_rate + (self.rate - self.least_rate) * 0.5 * (1.0 + math.cos(math.pi * done))


class LossScale:
    """Of fp16: halved when a gradient is not finite, which also skips the update, doubled after 1,000 good steps. The
    first value is one that is soon halved, since losses are means over all tokens of a step: from too small a one it
    takes thousands of steps until the gradients of rare words are not flushed to zero."""
    FIRST = 2.0 ** 32

    def __init__(self, used: bool) -> None:
        self.used = used
        self.value = self.FIRST if used else 1.0
        self.good = 0

    def after(self, finite: bool) -> None:
        if not self.used:
            return
        self.good = self.good + 1 if finite else 0
        if not finite:
            self.value = max(1.0, self.value / 2.0)
        elif self.good % 1000 == 0:
            self.value *= 2.0


class Optimizer:
    STATES = ("master", "first", "second")

    def __init__(self, buckets: List[Bucket], world: Group, settings: Settings, scale: LossScale,
                 fused: bool = False) -> None:
        """fused: AdamW by PyTorch's one kernel, which GPUs have from PyTorch 2.0 on."""
        self.buckets, self.world, self.settings, self.scale, self.fused = buckets, world, settings, scale, fused
        self.updates = 0
        self.states: List[Dict[str, torch.Tensor]] = []
        for bucket in buckets:
            master = bucket.read(bucket.dtype)
            self.states.append({"master": master, "first": torch.zeros_like(master),
                                "second": torch.zeros_like(master)})

    def take_weights(self) -> None:
        """Begins from the weights as they are now."""
        for bucket, state in zip(self.buckets, self.states):
            state["master"].copy_(bucket.read(bucket.dtype))

    def norm(self) -> float:
        """Of the whole gradient, over all ranks; not finite if any part of it is not."""
        squares = [sum(bucket.squares() for bucket in self.buckets)]
        device = self.buckets[0].device
        return math.sqrt(total) if math.isfinite(
            total := collectives.sum_of_numbers(squares, self.world, device)[0]) else math.inf

    def step(self, step: int) -> float:
        """Updates from the summed gradients, which are those of the scaled loss. Returns their unscaled norm; the
        weights stay as they are where it is not finite."""
        norm = self.norm() / self.scale.value
        factor = 1.0 / self.scale.value
        finite = math.isfinite(norm)
        self.scale.after(finite)
        if not finite:
            if self.scale.used:
                return norm
            raise FloatingPointError(f"step {step}: the gradient is not finite")
        if 0.0 < self.settings.clip < norm:
            factor *= self.settings.clip / (norm + 1e-6)
        self.updates += 1
        rate = self.settings.rate_at(step)
        for bucket, state in zip(self.buckets, self.states):
            whole = [bucket.gradient, *(state[name] for name in self.STATES)]
            if self.fused:
                self.fused_update(bucket.decayed, whole, factor, rate)
            else:
                for gradient, *states in zip(*(torch.split(tensor, CHUNK) for tensor in whole)):
                    self.update(bucket.decayed, states, gradient * factor, rate)
            bucket.write(state["master"])
        return norm

    def fused_update(self, decayed: bool, whole: List[torch.Tensor], factor: float, rate: float) -> None:
        """What update() does, in one pass over gradient and states, but for rounding. Every number is computed by
        itself, so that it is the same under every plan. The kernel leaves the gradient multiplied by the factor."""
        s = self.settings
        gradient, master, first, second = whole
        count = torch.full((), float(self.updates), device=master.device)
        unscaled = None if factor == 1.0 else torch.full((), 1.0 / factor, device=master.device)
        fused_adamw([master], [gradient], [first], [second], [], [count], lr=rate, beta1=s.first_moment,
                    beta2=s.second_moment, weight_decay=s.decay if decayed else 0.0, eps=s.epsilon, amsgrad=False,
                    maximize=False, grad_scale=unscaled, found_inf=None)

    def update(self, decayed: bool, states: List[torch.Tensor], gradient: torch.Tensor, rate: float) -> None:
        s = self.settings
        master, first, second = states
        if decayed:
            master.mul_(1.0 - rate * s.decay)
        if s.optimizer == "sgd":
            first.mul_(s.first_moment).add_(gradient)
            master.add_(first, alpha=-rate)
            return
        first.mul_(s.first_moment).add_(gradient, alpha=1.0 - s.first_moment)
        second.mul_(s.second_moment).addcmul_(gradient, gradient, value=1.0 - s.second_moment)
        size = (second / (1.0 - s.second_moment ** self.updates)).sqrt_().add_(s.epsilon)
        master.addcdiv_(first, size, value=-rate / (1.0 - s.first_moment ** self.updates))
