# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Operations of a group of ranks, the same over NCCL and gloo.

The one place that knows what gloo of PyTorch 1.13 lacks: it has neither reduce-scatter nor all-gather into one tensor,
adds no bfloat16 and moves none in collectives. There a reduce-scatter is an all-to-all of parts and a local sum, in the
order of ranks; 16-bit numbers are added in fp32; an all-gather collects a list, and moves numbers as bytes. All ranks
of a group end with the same bits.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Any, List, Optional, Sequence, Tuple

import torch

from untyped import dist


@dataclass(frozen=True)
class Group:
    """Ranks that act together, and where this one stands among them. One rank alone needs no process group."""

    ranks: Tuple[int, ...]
    index: int
    handle: Any = None

    def size(self) -> int:
        return len(self.ranks)

    def arrival(self) -> List[int]:
        """Places in `ranks` by rank: PyTorch sorts the members of a process group, a plan need not."""
        return sorted(range(len(self.ranks)), key=lambda i: self.ranks[i])

    def in_order(self) -> bool:
        return self.arrival() == list(range(len(self.ranks)))


ALONE = Group((0,), 0)


def over_gloo(group: Group) -> bool:
    return str(dist.get_backend(group.handle)) == "gloo"


def summed_as(x: torch.Tensor) -> torch.dtype:
    return torch.float32 if x.dtype in (torch.bfloat16, torch.float16) else x.dtype


def all_reduce(x: torch.Tensor, group: Group, largest: bool = False) -> torch.Tensor:
    """The sum (or the largest) over the group, in place where that can be."""
    if group.size() == 1:
        return x
    operation = dist.ReduceOp.MAX if largest else dist.ReduceOp.SUM
    wide = x.contiguous().to(summed_as(x)) if over_gloo(group) else x.contiguous()
    dist.all_reduce(wide, op=operation, group=group.handle)
    return x.copy_(wide) if wide.data_ptr() != x.data_ptr() else x


def all_gather(x: torch.Tensor, group: Group) -> torch.Tensor:
    """All ranks' tensors of one shape, one behind the other along dimension 0."""
    if group.size() == 1:
        return x
    x = x.contiguous()
    whole = torch.empty([group.size() * x.shape[0], *x.shape[1:]], dtype=x.dtype, device=x.device)
    if over_gloo(group):
        parts = whole.view(torch.uint8).chunk(group.size())
        dist.all_gather([parts[i] for i in group.arrival()], x.view(torch.uint8), group=group.handle)
    elif group.in_order():
        dist.all_gather_into_tensor(whole, x, group=group.handle)
    else:
        parts = whole.chunk(group.size())
        dist.all_gather([parts[i] for i in group.arrival()], x, group=group.handle)
    return whole


def reduce_scatter(x: torch.Tensor, group: Group) -> torch.Tensor:
    """This rank's part along dimension 0 of the sum over the group. The group's size divides that dimension."""
    if group.size() == 1:
        return x
    x = x.contiguous()
    if over_gloo(group):
        parts = exchange(x, group)
        return parts.view(group.size(), -1, *x.shape[1:]).to(summed_as(x)).sum(0).to(x.dtype)
    if not group.in_order():
        parts = torch.stack(x.chunk(group.size()))
        x = parts[group.arrival()].flatten(0, 1)
    part = torch.empty([x.shape[0] // group.size(), *x.shape[1:]], dtype=x.dtype, device=x.device)
    dist.reduce_scatter_tensor(part, x, group=group.handle)
    return part


def exchange(x: torch.Tensor, group: Group, sent: Sequence[int] = (), received: Sequence[int] = ()) -> torch.Tensor:
    """All-to-all along dimension 0: sent[i] rows go to rank i, received[i] come from it; equal parts if left out."""
    if group.size() == 1:
        return x
    x = x.contiguous()
    equal = [x.shape[0] // group.size()] * group.size()
    sent, received = sent or equal, received or equal
    arrival = group.arrival()
    if not group.in_order():
        rows = torch.split(x, list(sent))
        x = torch.cat([rows[i] for i in arrival])
    result = torch.empty([sum(received), *x.shape[1:]], dtype=x.dtype, device=x.device)
    to, of = [sent[i] for i in arrival], [received[i] for i in arrival]
    if over_gloo(group):
        row = [-1, x[:1].numel() or max(1, result[:1].numel())]
        dist.all_to_all_single(result.view(row).view(torch.uint8), x.view(row).view(torch.uint8), of, to,
                               group=group.handle)
    else:
        dist.all_to_all_single(result, x, of, to, group=group.handle)
    if group.in_order():
        return result
    came = dict(zip(arrival, torch.split(result, of)))
    return torch.cat([came[i] for i in range(group.size())])


def make_groups(wanted: Sequence[Tuple[int, ...]], rank: int, limit_s: float, backend: Optional[str] = None
                ) -> dict[Tuple[int, ...], Group]:
    """The groups of the list that this rank is in. Every rank passes the same list in the same order. Who waits for
    another longer than limit_s gives up."""
    groups: dict[Tuple[int, ...], Group] = {}
    for ranks in wanted:
        handle = None
        if len(ranks) > 1:
            handle = dist.new_group(list(ranks), backend=backend, timeout=timedelta(seconds=limit_s))
        if rank in ranks:
            groups[ranks] = Group(ranks, ranks.index(rank), handle)
    return groups


def sum_of_numbers(values: List[float], group: Group, device: torch.device) -> List[float]:
    """Sums over the group, added in fp64."""
    if group.size() == 1:
        return values
    tensor = torch.tensor(values, dtype=torch.float64, device=device)
    return [float(x) for x in all_reduce(tensor, group)]
