# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Differentiable operations that autograd does not have: tensor parallelism, products whose weight gradient can wait,
look-up and loss over a divided vocabulary, tokens sent to experts.

Between products activations are whole on every tensor-parallel rank, or, under sequence parallelism (arXiv 2205.05198),
divided by positions. enter() and leave() are the way into and out of the products:

    without                                  with sequence parallelism
    enter   nothing   | sum of gradients     all-gather     | reduce-scatter of gradients
    leave   sum       | nothing              reduce-scatter | all-gather of gradients
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any, Callable, List, Optional, Sequence, Tuple

import torch
import torch.nn.functional as F

import collectives
from collectives import ALONE, Group


class Weight:
    """A slice of a weight, and where its gradient is summed: in fp32 (fp64 for fp64 weights)."""

    def __init__(self, value: torch.Tensor, gradient: Optional[torch.Tensor] = None) -> None:
        self.value = value
        self.held = gradient
        self.make: Optional[Callable[[], None]] = None  # gives it a place where there is none yet

    @property
    def gradient(self) -> torch.Tensor:
        if self.held is None:
            assert self.make is not None, "a gradient without a place"
            self.make()
        assert self.held is not None
        return self.held

    def take(self) -> None:
        """What autograd has summed by itself, of norms, biases and positions."""
        if self.value.grad is not None:
            self.gradient.add_(self.value.grad.to(self.gradient.dtype))
            self.value.grad = None


@dataclass(frozen=True)
class TensorRanks:
    group: Group = ALONE
    sequence_parallel: bool = False


class InCollectives:
    """Seconds that this rank has spent in the collectives of its passes, waiting for its neighbours included."""

    def __init__(self) -> None:
        self.seconds = self.began = 0.0

    def __enter__(self) -> None:
        self.began = time.perf_counter()

    def __exit__(self, *_: object) -> None:
        self.seconds += time.perf_counter() - self.began


in_collectives = InCollectives()


class WeightPasses:
    """Gradients of weights run at once, or are put off as closures until the pass W of their micro-batch."""

    def __init__(self) -> None:
        self.waiting: Optional[List[Callable[[], None]]] = None

    def run(self, closure: Callable[[], None]) -> None:
        if self.waiting is None:
            closure()
        else:
            self.waiting.append(closure)


weight_passes = WeightPasses()


class _Enter(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *arguments: Any, **_: Any) -> Any:
        x, ranks = arguments
        ctx.ranks = ranks
        with in_collectives:
            return collectives.all_gather(x, ranks.group) if ranks.sequence_parallel else x.view_as(x)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        (gradient,) = gradients
        ranks: TensorRanks = ctx.ranks
        with in_collectives:
            if ranks.sequence_parallel:
                return collectives.reduce_scatter(gradient, ranks.group), None
            return collectives.all_reduce(gradient.clone(), ranks.group), None


class _Leave(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *arguments: Any, **_: Any) -> Any:
        x, ranks = arguments
        ctx.ranks = ranks
        with in_collectives:
            if ranks.sequence_parallel:
                return collectives.reduce_scatter(x, ranks.group)
            return collectives.all_reduce(x.clone(), ranks.group)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        (gradient,) = gradients
        ranks: TensorRanks = ctx.ranks
        with in_collectives:
            return (collectives.all_gather(gradient, ranks.group) if ranks.sequence_parallel else gradient), None


def enter(x: torch.Tensor, ranks: TensorRanks) -> torch.Tensor:
    y: torch.Tensor = x if ranks.group.size() == 1 else _Enter.apply(x, ranks)
    return y


def leave(x: torch.Tensor, ranks: TensorRanks) -> torch.Tensor:
    y: torch.Tensor = x if ranks.group.size() == 1 else _Leave.apply(x, ranks)
    return y


class _Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *arguments: Any, **_: Any) -> Any:
        x, value, weight = arguments
        ctx.save_for_backward(x)
        ctx.weight = weight
        return F.linear(x, value)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        (gradient,) = gradients
        (x,) = ctx.saved_tensors
        weight: Weight = ctx.weight

        def add() -> None:
            product = gradient.flatten(0, -2).t() @ x.flatten(0, -2)
            weight.gradient.add_(product)

        weight_passes.run(add)
        return gradient @ weight.value, None, None


def linear(x: torch.Tensor, weight: Weight) -> torch.Tensor:
    """x [..., in] times weight [out, in], transposed. The weight's gradient goes to weight.gradient."""
    y: torch.Tensor = _Linear.apply(x, weight.value, weight)
    return y


class _LookUp(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *arguments: Any, **_: Any) -> Any:
        value, ids, begin, weight = arguments
        inside = (ids >= begin) & (ids < begin + value.shape[0])
        local = torch.where(inside, ids - begin, torch.zeros_like(ids))
        ctx.save_for_backward(local, inside)
        ctx.weight = weight
        return value[local] * inside.unsqueeze(-1).to(value.dtype)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        (gradient,) = gradients
        local, inside = ctx.saved_tensors
        weight: Weight = ctx.weight

        def add() -> None:
            rows = (gradient * inside.unsqueeze(-1).to(gradient.dtype)).flatten(0, -2)
            weight.gradient.index_add_(0, local.flatten(), rows.to(weight.gradient.dtype))

        weight_passes.run(add)
        return None, None, None, None


def look_up(ids: torch.Tensor, weight: Weight, begin: int) -> torch.Tensor:
    """Rows of a slice of the vocabulary that begins at `begin`; zeros for ids that are other ranks'."""
    rows: torch.Tensor = _LookUp.apply(weight.value, ids, begin, weight)
    return rows


class _CrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *arguments: Any, **_: Any) -> Any:
        logits, targets, begin, group = arguments
        largest = logits.max(dim=-1).values
        largest = largest if logits.dtype == torch.float64 else largest.float()
        with in_collectives:
            largest = collectives.all_reduce(largest, group, largest=True)
        wide = logits - largest.unsqueeze(-1)
        inside = (targets >= begin) & (targets < begin + logits.shape[-1])
        local = torch.where(inside, targets - begin, torch.zeros_like(targets))
        chosen = wide.gather(-1, local.unsqueeze(-1)).squeeze(-1) * inside.to(wide.dtype)
        powers = wide.exp_()
        total = powers.sum(dim=-1)
        with in_collectives:
            total = collectives.all_reduce(total, group)
            chosen = collectives.all_reduce(chosen, group)
        ctx.save_for_backward(powers.div_(total.unsqueeze(-1)), local, inside)
        ctx.dtype = logits.dtype
        return total.log() - chosen

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        (gradient,) = gradients
        shares, local, inside = ctx.saved_tensors
        back = shares * gradient.unsqueeze(-1)
        back.scatter_add_(-1, local.unsqueeze(-1), -(inside.to(back.dtype) * gradient).unsqueeze(-1))
        return back.to(ctx.dtype), None, None, None


def cross_entropy(logits: torch.Tensor, targets: torch.Tensor, begin: int, group: Group) -> torch.Tensor:
    """Loss of every token, in fp32 or fp64. logits [..., rows of this rank's slice of the vocabulary]."""
    losses: torch.Tensor = _CrossEntropy.apply(logits, targets, begin, group)
    return losses


class _Exchange(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, *arguments: Any, **_: Any) -> Any:
        x, group, sent, received = arguments
        ctx.group, ctx.sent, ctx.received = group, sent, received
        with in_collectives:
            return collectives.exchange(x, group, sent, received)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        (gradient,) = gradients
        with in_collectives:
            return collectives.exchange(gradient, ctx.group, ctx.received, ctx.sent), None, None, None


def exchange(x: torch.Tensor, group: Group, sent: Sequence[int], received: Sequence[int]) -> torch.Tensor:
    """All-to-all of rows; gradients go the way back."""
    y: torch.Tensor = x if group.size() == 1 else _Exchange.apply(x, group, sent, received)
    return y


def split_counts(counts: torch.Tensor, group: Group) -> Tuple[torch.Tensor, List[int], List[int]]:
    """What each rank of the group holds for each of its experts, from counts [experts] of this one: counts
    [ranks, experts here], rows sent to each rank, rows received from each."""
    with in_collectives:
        theirs = collectives.exchange(counts, group).view(group.size(), -1)
    sent = counts.view(group.size(), -1).sum(1)
    return theirs, [int(n) for n in sent], [int(n) for n in theirs.sum(1)]
