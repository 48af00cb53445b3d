# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Activations and gradients between stages of different tensor- and data-parallel size.

What crosses a boundary is a block [positions, sequences, hidden]. Each rank of a stage holds a rectangle of it: its
replica's sequences, and all positions, or under sequence parallelism its own. On the other side each rank asks for the
sequences of its replica and for its share of the positions; where it needs all of them, its tensor-parallel group
collects them afterwards, so that nothing crosses the boundary twice. Where several ranks have the same rectangle, they
take turns. The way back is the same with the roles changed.

    2 replicas, tp 1            1 replica, tp 2
    a: sequences 0 to 1  ---->  c: positions 0 to 3 of sequences 0 to 3   from a and b
    b: sequences 2 to 3  ---->  d: positions 4 to 7 of sequences 0 to 3   from a and b

Transfers run beside the computation: gloo's by its threads, and a thread a channel waits for each to end; between GPUs
see gpu_transport.py. Every channel, one direction of a boundary, is a process group of its own, so that no message
waits for one of another direction.
"""

from __future__ import annotations

import queue
import threading
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import torch

import collectives
from collectives import Group
from untyped import cuda, dist

AHEAD = 4  # receives that are posted before they are needed

Done = Callable[[int, float, float], None]  # micro-batch, start and end in seconds
# Called by the thread: what it waits for, and since when that runs, in seconds; None: not to be recorded.
Start = Callable[[], Tuple[List[Any], Optional[float]]]
Pacing = Callable[[int, int, int], None]  # source, target, bytes: returns when they may arrive


@dataclass(frozen=True)
class Side:
    """A rank's rectangle: sequences and positions [begin, end)."""

    rank: int
    sequences: Tuple[int, int]
    positions: Tuple[int, int]


@dataclass(frozen=True)
class Part:
    """What one message carries, in the block's own indices."""

    source: int
    target: int
    positions: Tuple[int, int]
    sequences: Tuple[int, int]


def overlap(a: Tuple[int, int], b: Tuple[int, int]) -> Tuple[int, int]:
    return max(a[0], b[0]), min(a[1], b[1])


def parts_between(sources: Sequence[Side], targets: Sequence[Side]) -> List[Part]:
    """Messages that bring every target all of its rectangle. Each point of it comes from one source; of several that
    have it, targets take the one at their own place in turn."""
    parts: List[Part] = []
    for place, target in enumerate(targets):
        alike: Dict[Tuple[Tuple[int, int], Tuple[int, int]], List[Side]] = {}
        for source in sources:
            alike.setdefault((source.sequences, source.positions), []).append(source)
        for (sequences, positions), holders in sorted(alike.items()):
            s, p = overlap(sequences, target.sequences), overlap(positions, target.positions)
            if s[0] < s[1] and p[0] < p[1]:
                parts.append(Part(holders[place % len(holders)].rank, target.rank, p, s))
    return parts


class Channel:
    """One direction of a boundary, on one rank. Its messages come in the order in which `expect` names them."""

    BACKENDS: Tuple[Optional[str], ...] = (None,)  # of its process groups; None: that of the whole training

    def __init__(self, rank: int, groups: Sequence[Group], parts: Sequence[Part], own: Side, hidden: int,
                 like: torch.Tensor, clock: Callable[[], float]) -> None:
        self.outgoing = [part for part in parts if part.source == rank]
        self.incoming = [part for part in parts if part.target == rank]
        self.group, self.own, self.hidden, self.like, self.clock = groups[0], own, hidden, like, clock
        self.pace: Pacing | None = None  # of an emulated link
        self.sent: Done = lambda microbatch, start, end: None
        self.received: Done = self.sent
        self.expected: List[int] = []
        self.posted: Dict[int, Tuple[List[torch.Tensor], threading.Event]] = {}
        self.works: queue.Queue[Any] = queue.Queue()
        self.failure: BaseException | None = None
        self._meet()
        self.thread = threading.Thread(target=self._wait, daemon=True)
        self.thread.start()

    def _meet(self) -> None:
        """A first number over each pair. NCCL makes a communicator when two ranks first meet and blocks until both
        have come, in an order that must be the same everywhere; later none blocks."""
        number = torch.zeros(1, device=self.like.device)
        for part in self.outgoing + self.incoming:
            if part in self.outgoing:
                dist.isend(number, part.target, group=self.group.handle).wait()
            else:
                dist.irecv(number, part.source, group=self.group.handle).wait()

    def _wait(self) -> None:
        stream = cuda.Stream(self.like.device) if self.like.is_cuda else None
        with cuda.stream(stream):  # nothing where there is no GPU
            self._wait_for_works(stream)

    def _wait_for_works(self, stream: Any) -> None:
        while True:
            item = self.works.get()
            if item is None:
                return
            start, _, microbatch, done, event = item
            try:
                if self.failure is None:
                    works, begun = start()
                    for work in works:
                        work.wait()
                    if stream is not None:
                        stream.synchronize()
                    if begun is not None:
                        done(microbatch, begun, self.clock())
            except Exception as error:  # a neighbour is gone, time is up, a fault of ours: who waits must hear
                self.failure = error
            event.set()

    def send(self, microbatch: int, block: torch.Tensor) -> threading.Event:
        """Starts to send this rank's rectangle; the event is set once it is sent."""
        cut = [block[part.positions[0] - self.own.positions[0]:part.positions[1] - self.own.positions[0],
                     part.sequences[0] - self.own.sequences[0]:part.sequences[1] - self.own.sequences[0]].contiguous()
               for part in self.outgoing]
        event = threading.Event()
        self.works.put((self.sending(cut, microbatch), cut, microbatch, self.sent, event))  # which keeps them
        return event

    def start(self, piece: torch.Tensor, part: Part, microbatch: int) -> Any:
        return dist.isend(piece, part.target, group=self.group.handle, tag=microbatch)

    def sending(self, pieces: List[torch.Tensor], microbatch: int) -> Start:
        """Starts the messages at once, or, over an emulated link, each when it may."""
        begun, both = self.clock(), list(zip(pieces, self.outgoing))
        if self.pace is None:
            works = [self.start(piece, part, microbatch) for piece, part in both]
            return lambda: (works, begun)

        pace: Pacing = self.pace

        def paced() -> Tuple[List[Any], Optional[float]]:
            started: List[Any] = []
            for piece, part in both:
                pace(part.source, part.target, piece.numel() * piece.element_size())
                started.append(self.start(piece, part, microbatch))
            return started, begun

        return paced

    def receiving(self, pieces: List[torch.Tensor], microbatch: int) -> Start:
        begun = self.clock()
        works = [dist.irecv(piece, part.source, group=self.group.handle, tag=microbatch)
                 for piece, part in zip(pieces, self.incoming)]
        return lambda: (works, begun)

    def expect(self, microbatches: Sequence[int]) -> None:
        """What receive() will ask for, in this order."""
        self.expected = list(microbatches)
        self._post()

    def _post(self) -> None:
        while self.expected and len(self.posted) < AHEAD:
            microbatch = self.expected.pop(0)
            pieces = [torch.empty([part.positions[1] - part.positions[0], part.sequences[1] - part.sequences[0],
                                   self.hidden], dtype=self.like.dtype, device=self.like.device)
                      for part in self.incoming]
            event = threading.Event()
            self.posted[microbatch] = pieces, event
            self.works.put((self.receiving(pieces, microbatch), pieces, microbatch, self.received, event))

    def receive(self, microbatch: int) -> torch.Tensor:
        """This rank's rectangle, once all of it has arrived."""
        pieces, event = self.posted[microbatch]
        event.wait()
        self.check()
        del self.posted[microbatch]
        self._post()
        positions, sequences = self.own.positions, self.own.sequences
        block = torch.empty([positions[1] - positions[0], sequences[1] - sequences[0], self.hidden],
                            dtype=self.like.dtype, device=self.like.device)
        for part, piece in zip(self.incoming, pieces):
            block[part.positions[0] - positions[0]:part.positions[1] - positions[0],
                  part.sequences[0] - sequences[0]:part.sequences[1] - sequences[0]] = piece
        return block

    def check(self) -> None:
        if self.failure is not None:
            raise RuntimeError(f"transfer failed: {self.failure}") from self.failure

    def close(self) -> None:
        self.works.put(None)
        self.thread.join()


def share_of(length: int, index: int, size: int) -> Tuple[int, int]:
    return index * length // size, (index + 1) * length // size


def collect_positions(block: torch.Tensor, length: int, group: Group) -> torch.Tensor:
    """All positions from each tensor-parallel rank's share of them, which may differ by one."""
    if group.size() == 1:
        return block
    longest = -(-length // group.size())
    padded = torch.zeros([longest, *block.shape[1:]], dtype=block.dtype, device=block.device)
    padded[:block.shape[0]] = block
    gathered = collectives.all_gather(padded, group).view(group.size(), longest, *block.shape[1:])
    sizes = [share_of(length, index, group.size()) for index in range(group.size())]
    return torch.cat([gathered[index, :end - begin] for index, (begin, end) in enumerate(sizes)])
