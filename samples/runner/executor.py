# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""One rank's part of a step: its passes in the order of the plan, what they receive and send.

A forward keeps its input and its output, from which autograd goes back; a backward frees both. Under the zero-bubble
kinds a backward leaves the gradients of matrices as closures for the pass W (arXiv 2401.10241). With recompute `full`
blocks keep their input only and run again inside the backward.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import partial
from typing import Any, Callable, Dict, List, NamedTuple, Optional, Tuple, Type

import torch
from torch.utils.checkpoint import checkpoint

import functions
from collectives import Group
from emulation import Links, Pace
from gpu_transport import GpuChannel
from gradients import LayerSums
from layers import Context, Run, run_layer, runs_of
from order import Order, Pass
from placement import Place, Placement
from plan import SPLIT_BACKWARD
from tokens import Tokens
from transport import Channel, Part, Side, collect_positions, parts_between, share_of
from untyped import cuda

CHANNELS: Dict[str, Type[Channel]] = {"cpu": Channel, "cuda": GpuChannel}  # by type of device
ChannelKey = Tuple[int, int, int, str]  # pipeline, copy, virtual stage in front of the boundary, "F" or "B"


class Recorded(NamedTuple):
    kind: str  # F, B, W, send, recv, sync, update
    chunk: int
    microbatch: int
    start_s: float
    end_s: float
    channel: str = ""  # of transfers: pairs a receive with its send


@dataclass
class Held:
    """What a micro-batch keeps in a chunk between its passes."""

    input: Optional[torch.Tensor]
    output: torch.Tensor
    weight_passes: List[Callable[[], None]]


def sides(placement: Placement, pipeline: int, copy: int, stage: int, seq: int, asking: bool) -> List[Side]:
    """Who has what of a boundary's block, or asks for what (see transport.py)."""
    drawn = placement.plan.pipelines[pipeline].stages[stage]
    result: List[Side] = []
    for place in placement.site(pipeline, copy, stage):
        share = drawn.sequence_parallel or asking
        positions = share_of(seq, place.tp_rank, drawn.tp) if share else (0, seq)
        result.append(Side(place.rank, (place.first, place.end), positions))
    return result


def boundary_parts(placement: Placement, seq: int) -> Dict[ChannelKey, List[Part]]:
    """The messages of every channel, for each micro-batch the same."""
    found: Dict[ChannelKey, List[Part]] = {}
    for p, pipeline in enumerate(placement.plan.pipelines):
        for copy in range(pipeline.count):
            for v in range(pipeline.virtual_stages() - 1):
                front, back = pipeline.stage_of(v)[0], pipeline.stage_of(v + 1)[0]
                if front == back:
                    continue  # the turn of a V: both chunks are on the same ranks
                for way, source, target in (("F", front, back), ("B", back, front)):
                    found[p, copy, v, way] = parts_between(sides(placement, p, copy, source, seq, False),
                                                           sides(placement, p, copy, target, seq, True))
    return found


class Executor:
    def __init__(self, placement: Placement, place: Place, order: Order, context: Context, tokens: Tokens, seq: int,
                 channels: Dict[ChannelKey, List[Group]], parts: Dict[ChannelKey, List[Part]], dtype: torch.dtype,
                 device: torch.device, clock: Callable[[], float], sums: LayerSums) -> None:
        self.placement, self.place, self.order, self.context, self.tokens = placement, place, order, context, tokens
        self.pipeline, self.stage = placement.pipeline(place), placement.stage(place)
        self.seq, self.device, self.dtype, self.clock, self.sums = seq, device, dtype, clock, sums
        self.split = self.pipeline.kind in SPLIT_BACKWARD
        self.runs = runs_of(self.stage, context.shape)
        self.records: List[Recorded] = []
        self.recording = False
        self.scale = 1.0  # of the loss
        self.held: Dict[Tuple[int, int], Held] = {}
        self.turned: Dict[Tuple[int, str, int], torch.Tensor] = {}  # handed over within this rank
        self.sending: List[threading.Event] = []
        self.lock = threading.Lock()
        self.pace: Optional[Pace] = None  # of an emulated device
        self.channels: Dict[Tuple[int, str], Channel] = {}
        like = torch.empty(0, dtype=dtype, device=device)
        for key in sorted(parts):
            p, copy, virtual, way = key
            if (p, copy) != (place.pipeline, place.copy) or key not in channels:
                continue
            own = self.rectangle(share=False)
            asked = self.rectangle(share=True)
            target = self.pipeline.stage_of(virtual + (way == "F"))[0] == place.stage
            kind = CHANNELS[device.type]
            channel = kind(place.rank, channels[key], parts[key], asked if target else own, self.width(virtual), like,
                           clock)
            name = f"{p}.{copy}.{virtual}.{way}"
            channel.sent = self.note("send", virtual + (way == "B"), name)
            channel.received = self.note("recv", virtual + (way == "F"), name)
            self.channels[virtual, way] = channel

    def rectangle(self, share: bool) -> Side:
        share = share or self.stage.sequence_parallel
        positions = share_of(self.seq, self.place.tp_rank, self.stage.tp) if share else (0, self.seq)
        return Side(self.place.rank, (self.place.first, self.place.end), positions)

    def width(self, virtual: int) -> int:
        """Numbers a token that cross the boundary behind a virtual stage."""
        stage, chunk = self.pipeline.stage_of(virtual)
        last = self.pipeline.stages[stage].chunks[chunk][1]
        shape = self.context.shape
        return shape.hidden * (2 if shape.parallel and last % 2 and last < shape.layers() - 1 else 1)

    def note(self, kind: str, virtual: int, channel: str) -> Callable[[int, float, float], None]:
        chunk = self.pipeline.stage_of(virtual)[1]

        def done(microbatch: int, start: float, end: float) -> None:
            if self.recording:
                with self.lock:
                    self.records.append(Recorded(kind, chunk, microbatch, start, end, channel))

        return done

    def emulate(self, pace: Pace, links: Links) -> None:
        self.pace = pace
        for channel in self.channels.values():
            channel.pace = links.pass_through

    def run(self, step: int) -> float:
        """All passes of a step. Returns the sum of the losses of this rank's tokens if it is the one of its replica
        that counts them, else 0. Gradients are those of the sum over the global batch's tokens."""
        total = 0.0
        for (virtual, way), channel in self.channels.items():
            kind = "F" if way == "F" else "B"
            target = virtual + (way == "F")
            channel.expect([p.microbatch for p in self.order
                            if p.kind == kind and self.pipeline.virtual_of(self.place.stage, p.chunk) == target])
        for p in self.order:
            total += self.run_pass(step, p)
        for event in self.sending:
            event.wait()
        self.sending.clear()
        for channel in self.channels.values():
            channel.check()
        assert not self.held and not self.turned, "a micro-batch was not run to its end"
        return total

    def run_pass(self, step: int, p: Pass) -> float:
        virtual = self.pipeline.virtual_of(self.place.stage, p.chunk)
        key = (p.chunk, p.microbatch)
        loss = 0.0
        if p.kind == "F":
            x = self.arrived(virtual - 1, "F", p.microbatch) if virtual > 0 else None
            start = self.clock()
            held, loss = self.forward(step, p, virtual, x)
            self.held[key] = held
            if virtual < self.pipeline.virtual_stages() - 1:
                self.finish(p, start)
                self.hand_over(virtual, "F", p.microbatch, held.output.detach())
                return loss
        elif p.kind == "B":
            last = virtual == self.pipeline.virtual_stages() - 1
            gradient = None if last else self.arrived(virtual, "B", p.microbatch)
            start = self.clock()
            back = self.backward(self.held[key], gradient)
            if not self.split:
                del self.held[key]
            if back is not None:
                self.finish(p, start)
                self.hand_over(virtual - 1, "B", p.microbatch, back)
                return loss
        else:
            start = self.clock()
            with torch.no_grad():
                for closure in self.held.pop(key).weight_passes:
                    closure()
        self.finish(p, start)
        return loss

    def finish(self, p: Pass, start: float) -> None:
        if self.pace is not None:
            self.pace.fill(p.kind, p.chunk, start)
        if not self.recording:
            return
        if self.device.type == "cuda":
            cuda.current_stream(self.device).synchronize()
        with self.lock:
            self.records.append(Recorded(p.kind, p.chunk, p.microbatch, start, self.clock()))

    def arrived(self, virtual: int, way: str, microbatch: int) -> torch.Tensor:
        if self.pipeline.stage_of(virtual)[0] == self.pipeline.stage_of(virtual + 1)[0]:
            return self.turned.pop((virtual, way, microbatch))
        block = self.channels[virtual, way].receive(microbatch)
        if self.stage.sequence_parallel:
            return block
        return collect_positions(block, self.seq, self.context.ranks.group)

    def hand_over(self, virtual: int, way: str, microbatch: int, block: torch.Tensor) -> None:
        channel = self.channels.get((virtual, way))
        if self.pipeline.stage_of(virtual)[0] == self.pipeline.stage_of(virtual + 1)[0]:
            self.turned[virtual, way, microbatch] = block
        elif channel is not None:  # else a neighbour with the same rectangle sends it
            self.sending = [event for event in self.sending if not event.is_set()]
            self.sending.append(channel.send(microbatch, block))

    def forward(self, step: int, p: Pass, virtual: int, x: Optional[torch.Tensor]) -> Tuple[Held, float]:
        last = virtual == self.pipeline.virtual_stages() - 1
        ids: Optional[torch.Tensor] = None
        if virtual == 0 or last:
            first = (self.placement.first_sequence(self.place) + p.microbatch * self.pipeline.microbatch_size
                     + self.place.first)
            ids = self.tokens.batch(step, first, first + self.place.end - self.place.first).to(self.device)
        source = x.requires_grad_(True) if x is not None else None
        y = x
        for run in self.runs[p.chunk]:
            y = self.run_layers(run, y, ids)
        assert y is not None
        loss = 0.0
        if last:
            loss = float(y.detach()) if self.place.tp_rank == 0 else 0.0
            y = y * (self.scale / (self.placement.plan.gbs * self.seq))
        return Held(source, y, []), loss

    def run_layers(self, run: Run, x: Optional[torch.Tensor], ids: Optional[torch.Tensor]) -> torch.Tensor:
        targets = None if ids is None else ids[1:]

        def through(y: Any) -> Any:
            for layer in run.layers:
                if y.requires_grad:
                    y.register_hook(partial(self.layer_is_done, layer))
                y = run_layer(self.context, layer, y, targets)
            return y

        if run.layers[0] == 0:
            assert ids is not None
            result: torch.Tensor = through(ids[:-1])
        elif run.recomputed:
            result = checkpoint(through, x, use_reentrant=True)
        else:
            result = through(x)
        return result

    def layer_is_done(self, layer: int, _: torch.Tensor) -> None:
        """The gradient of its input is there, and with it those of its weights."""
        with functions.in_collectives:
            self.sums.sum(layer)

    def backward(self, held: Held, gradient: Optional[torch.Tensor]) -> Optional[torch.Tensor]:
        """Returns the gradient of the chunk's input; None for the first chunk."""
        functions.weight_passes.waiting = [] if self.split else None
        output = held.output
        torch.autograd.backward([output], None if gradient is None else [gradient])
        held.weight_passes, functions.weight_passes.waiting = functions.weight_passes.waiting or [], None
        held.output = output.detach()[:0] if output.dim() else output.detach()
        with functions.in_collectives:
            self.sums.sum_rest()
        self.context.take_gradients()
        back = None if held.input is None else held.input.grad
        held.input = None
        return back

    def close(self) -> None:
        for channel in self.channels.values():
            channel.close()
