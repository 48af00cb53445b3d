# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Random plans give the losses and gradients of one process, run in the order of their schedule, and hold no more
micro-batches than they may."""
from beside_runner import ALL
import random
import sys
import threading
import types

import executor
import gpu_transport
import gradients
import optimizer
from draws import FAMILIES, KINDS, draw_plan, plan, stage
from order import launch_counts, pass_orders
from plan import LAUNCH_COUNTED, Reader, plan_of
from ranks import ON_GPUS
from truth import judge

LIMIT_S = 60.0 if ON_GPUS else 300.0

FAILED = {  # plans that once gave something else
    "tensor-parallel devices in another order than ranks": plan(stage([[0, 1]], [3, 1]), stage([[2, 5]], [0]),
                                                                microbatches=6),
    "nothing to send from a second copy": plan(stage([[0, 1]], [0]), stage([[2, 3]], [1, 2]), stage([[4, 5]], [3])),
    "a bucket of single numbers is scattered": plan(stage([[0, 5]], [0, 1], zero=1, sequence_parallel=True),
                                                    family="gpt2"),
    "gradients of weights behind the backward": plan(stage([[0, 2], [5, 5]], [0]), stage([[3, 3], [4, 4]], [1]),
                                                     kind="zb-v", microbatches=5),
}
SHARDED = {  # ZeRO-2
    "one block recomputed, tied": plan(stage([[0, 5]], [0], [1], zero=2, recompute={"mode": "full", "layers": 1}),
                                       tied=True, microbatches=3),
    "positions divided": plan(stage([[0, 5]], [0, 1], [2, 3], zero=2, sequence_parallel=True), family="gpt2",
                              kind="gpipe", microbatches=3),
    "experts dealt out": plan(stage([[0, 5]], [0], [1], zero=2, ep=2), family="mixtral", microbatches=3),
    "selective, eager": plan(stage([[0, 5]], [0, 1], [2, 3], zero=2, recompute={"mode": "selective"}),
                             family="gpt_neox", kind="eager", tied=True, microbatches=3)}


def one_layer_at_a_time():
    """Under ZeRO-2 no gradients of two layers' matrices wait to be summed, but for an embedding's that is tied."""
    summed = gradients.LayerSums.sum

    def watched(self, layer):
        held = {bucket.layer for buckets in self.buckets.values() for bucket in buckets if bucket.held is not None}
        assert len(held - {0}) <= 1, f"layers {sorted(held)} at once"
        summed(self, layer)

    gradients.LayerSums.sum = watched


def small_buckets():
    """So that what is summed, squared and updated in parts has several of them."""
    gradients.LARGEST, gradients.CHUNK, optimizer.CHUNK = 3000, 700, 1100


class Watch(threading.local):
    """What a channel's thread has done for the message at hand."""
    waited = announced = started = 0


watch = Watch()


class HostEvent:
    """In place of CUDA's events: on a CPU all that was launched has ended."""

    def __init__(self, blocking):
        self.recorded = False

    def record(self, stream):
        self.recorded = True

    def synchronize(self):
        assert self.recorded
        watch.waited += 1


def counted(name, act):
    def done(*arguments, **more):
        setattr(watch, name, getattr(watch, name) + 1)
        return act(*arguments, **more)

    return done


class WatchedChannel(gpu_transport.GpuChannel):
    """Waits first; in the first step nothing over the training's own backend, then one announcement a message."""

    def watched(self, start, messages):
        first = self.steps == 1

        def act():
            watch.waited = watch.announced = watch.started = 0
            result = start()
            over_host, own = (messages, 0) if first else (messages, messages)
            assert (watch.waited, watch.announced, watch.started) == (1, over_host, own), vars(watch)
            assert (result[1] is None) == first
            return result

        return act

    def start(self, piece, part, microbatch):
        assert watch.waited
        return counted("started", super().start)(piece, part, microbatch)

    def sending(self, pieces, microbatch):
        return self.watched(super().sending(pieces, microbatch), len(self.outgoing))

    def receiving(self, pieces, microbatch):
        return self.watched(super().receiving(pieces, microbatch), len(self.incoming))


def as_between_gpus():
    """Transfers as they are made between GPUs, on CPUs: announced, and those of the first step through the host."""
    if ON_GPUS:
        return
    real = gpu_transport.dist
    gpu_transport.dist = types.SimpleNamespace(
        isend=counted("announced", real.isend), send=counted("announced", real.send),
        recv=counted("announced", real.recv), irecv=counted("started", real.irecv))
    gpu_transport.cuda = types.SimpleNamespace(Event=HostEvent, current_stream=lambda device: None)
    executor.CHANNELS["cpu"] = WatchedChannel


def both_ways():
    small_buckets()
    as_between_gpus()


WAYS = {(0, 0): None, (0, 1): small_buckets, (1, 0): as_between_gpus, (1, 1): both_ways}


def words(document):
    pipelines = document["plans"][0]["pipelines"]
    return document["problem"]["model"]["family"] + ": " + "; ".join(
        f"{p['count']} x {p['schedule']['kind']} of {p['microbatches']} x {p['microbatch_size']}, tp x replicas "
        + " ".join(f"{s['tp']}x{len(s['replicas'])}" for s in p["stages"]) for p in pipelines)


def order_faults(document, records):
    """Ranks whose passes come in another order than the plan's, or that launch more than its launch counts."""
    drawn = plan_of(Reader(document, "drawn"))
    faults = []
    for place, steps in records:
        pipeline = drawn.pipelines[place.pipeline]
        expected = [tuple(p) for p in pass_orders(pipeline)[place.stage]]
        for step in steps:
            passes = sorted((r for r in step if r.kind in "FBW"), key=lambda r: r.start_s)
            if [(r.kind, r.chunk, r.microbatch) for r in passes] != expected:
                faults.append(f"rank {place.rank}: passes in another order")
            flying = most = 0
            for r in passes:
                flying += {"F": 1, "B": -1, "W": 0}[r.kind]
                most = max(most, flying)
            if pipeline.kind in LAUNCH_COUNTED:
                allowed = min(launch_counts(pipeline)[place.stage], pipeline.microbatches)
                if most != allowed:
                    faults.append(f"rank {place.rank}: {most} micro-batches in flight, launch count {allowed}")
    return faults


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else random.SystemRandom().randrange(10**6)
    kinds, families = list(KINDS), list(FAMILIES)
    count = 40 if ALL else 8
    cases = list(FAILED.items()) if ALL else []
    for n in range(count):
        draw = (seed + n, kinds[(seed + n) % len(kinds)], families[n % len(families)] if ALL and n < 10 else "")
        cases.append((f"draw_plan{draw}", draw_plan(*draw)))
    print(f"seed {seed}", flush=True)
    failed = 0
    for place, (name, document) in enumerate(cases):
        double = place % 4 != 3  # every fourth one in fp32
        verdict = judge(document, double, WAYS[place // 2 % 2, place % 2], limit_s=LIMIT_S)
        faults = order_faults(document, verdict.records)
        good = verdict.holds(double) and not faults
        failed += not good
        print(f"{'held  ' if good else 'FAILED'} {name} {'fp64' if double else 'fp32'}: loss {verdict.loss:.1e} "
              f"gradient {verdict.gradient:.1e} weights {verdict.weights:.1e} {verdict.worst} {' '.join(faults)} "
              f"[{words(document)}]", flush=True)
    for name, document in list(SHARDED.items())[:len(SHARDED) if ALL else 2]:
        verdict = judge(document, True, one_layer_at_a_time, limit_s=LIMIT_S)
        failed += not verdict.holds(True)
        print(f"{'held  ' if verdict.holds(True) else 'FAILED'} {name}: gradient {verdict.gradient:.1e} weights "
              f"{verdict.weights:.1e} {verdict.worst}", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
