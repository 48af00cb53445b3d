# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Transfers between GPUs: over NCCL, each announced over gloo, those of the first step over gloo alone.

A transfer of NCCL is a kernel that stands on the GPU until its other side has come. One that is started before the
other side is ready takes multiprocessors from the computation, and ranks that post receives ahead and then compute have
been seen to stand still for ever. CUDA may do that to them: it loads a kernel when that is first launched, and may wait
until all that runs on the GPU has ended (CUDA C++ Programming Guide, "Lazy Loading"), which a receive does not whose
sender needs this rank's forward. Therefore the sender says that a message is computed before it starts it, and the
receiver hears that once its memory is free: both start at once. Two ranks that both load kernels while each sends to
the other could still wait for each other. The first step, in which nearly all kernels are loaded, therefore moves its
messages through the host, which is recorded as no transfer. Experts, whose products have other sizes in every step, may
load further ones later; CUDA_MODULE_LOADING=EAGER excludes that, at the price of memory.

NCCL's messages have no names: both sides must have the same order of micro-batches (order.same_order_beside).
"""

from __future__ import annotations

from typing import Any, Callable, List, Optional, Sequence, Tuple

import torch

from collectives import Group
from transport import Channel, Part, Side, Start
from untyped import cuda, dist


class GpuChannel(Channel):
    BACKENDS = (None, "gloo")

    def __init__(self, rank: int, groups: Sequence[Group], parts: Sequence[Part], own: Side, hidden: int,
                 like: torch.Tensor, clock: Callable[[], float]) -> None:
        self.host = groups[1].handle  # the same ranks over gloo
        self.steps = 0
        super().__init__(rank, groups, parts, own, hidden, like, clock)

    def expect(self, microbatches: Sequence[int]) -> None:
        self.steps += 1
        super().expect(microbatches)

    def marked(self) -> Any:
        """An event behind all that this rank has launched so far. Who waits for it sleeps."""
        event = cuda.Event(blocking=True)
        event.record(cuda.current_stream(self.like.device))
        return event

    def sending(self, pieces: List[torch.Tensor], microbatch: int) -> Start:
        computed, through_host = self.marked(), self.steps == 1

        def start() -> Tuple[List[Any], Optional[float]]:
            computed.synchronize()
            begun = self.clock()
            works: List[Any] = []
            for piece, part in zip(pieces, self.outgoing):
                if through_host:
                    works.append(dist.isend(piece.cpu(), part.target, group=self.host, tag=microbatch))
                else:
                    dist.send(torch.zeros(1), part.target, group=self.host, tag=microbatch)
                    works.append(self.start(piece, part, microbatch))
            return works, None if through_host else begun

        return start

    def receiving(self, pieces: List[torch.Tensor], microbatch: int) -> Start:
        free, through_host = self.marked(), self.steps == 1  # what used this memory before has ended at `free`

        def start() -> Tuple[List[Any], Optional[float]]:
            free.synchronize()
            begun = self.clock()
            works: List[Any] = []
            for piece, part in zip(pieces, self.incoming):
                came = torch.empty(piece.shape if through_host else [1], dtype=piece.dtype if through_host else None)
                dist.recv(came, part.source, group=self.host, tag=microbatch)
                if through_host:
                    piece.copy_(came)
                else:
                    works.append(dist.irecv(piece, part.source, group=self.group.handle, tag=microbatch))
            return works, None if through_host else begun

        return start
