# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each exchange between ranks, left out or wrong, is noticed: the plan that gave the truth no longer does."""
from beside_runner import ALL
import sys
from dataclasses import replace

import torch

import collectives
import executor
import functions
import gradients
import layers
import optimizer
import placement
from collectives import ALONE
from draws import plan, stage
from truth import judge


ALL_LAYERS = [[0, 5]]
DIVIDED = plan(stage(ALL_LAYERS, [0, 1]))
POSITIONS = plan(stage(ALL_LAYERS, [0, 1], sequence_parallel=True))
REPLICAS = plan(stage(ALL_LAYERS, [0], [1]))
SHARDED = plan(stage(ALL_LAYERS, [0], [1], zero=1))
LAYERS = plan(stage(ALL_LAYERS, [0], [1], zero=2))
STAGES = plan(stage([[0, 2]], [0]), stage([[3, 5]], [1]))
INTO_TWO = plan(stage([[0, 2]], [0]), stage([[3, 5]], [1, 2]))
TIED = plan(stage([[0, 2]], [0]), stage([[3, 5]], [1]), tied=True)
PIPELINES = plan(stage([[0, 5]], [0]), beside=[stage([[0, 1]], [1]), stage([[2, 5]], [2])])
COPIES = plan(stage(ALL_LAYERS, [0, 1]), kv_heads=1)
EXPERTS = plan(stage(ALL_LAYERS, [0], [1], ep=2), family="mixtral")
SPLIT = plan(stage([[0, 2]], [0]), stage([[3, 5]], [1]), kind="zb-h1")


def change(owner, name, made):
    """made(the original) takes the place of owner.name."""
    original = getattr(owner, name)
    setattr(owner, name, staticmethod(made(original)) if isinstance(owner.__dict__.get(name), staticmethod)
            else made(original))


def part_only(ctx, x, ranks):
    return x.chunk(ranks.group.size())[ranks.group.index].contiguous() if ranks.sequence_parallel else x.clone()


def leave_unsummed(original):
    def forward(ctx, x, ranks):
        ctx.ranks = ranks
        return part_only(ctx, x, ranks)
    return forward


def repeated(x, ranks):
    return torch.cat([x] * ranks.group.size()) if ranks.sequence_parallel else x


def enter_alone(original):
    def forward(ctx, x, ranks):
        ctx.ranks = ranks
        return repeated(x, ranks).clone()
    return forward


def unsummed_back(original):
    return lambda ctx, gradient: (part_only(ctx, gradient, ctx.ranks), None)


def repeated_back(original):
    return lambda ctx, gradient: (repeated(gradient, ctx.ranks), None)


def own_vocabulary(original):
    return lambda ctx, logits, targets, begin, group: original(ctx, logits, targets, begin, ALONE)


def lost_on_the_way(direction):
    def made(original):
        def arrived(self, virtual, way, microbatch):
            block = original(self, virtual, way, microbatch)
            if way == direction and microbatch == 1:
                block[-1] = 0.0
            return block
        return arrived
    return made


def other_microbatch(original):
    def forward(self, step, p, virtual, x):
        return original(self, step, p._replace(microbatch=p.microbatch ^ (virtual > 0)), virtual, x)
    return forward


def not_collected(original):
    return lambda block, length, group: torch.cat([block] * group.size())


def not_summed(original):
    def total(self):
        group, self.group = self.group, ALONE
        sharded, self.sharded = self.sharded, False
        original(self)
        self.gradient = self.flat[self.own]
        self.group, self.sharded = group, sharded
    return total


def last_microbatch(original):
    def total(self):
        if self.layer >= 0:
            self.gradient.zero_()
        original(self)
    return total


def own_part(original):
    return lambda flat, group: flat.chunk(group.size())[group.index].clone()


def all_count(original):
    return lambda *values: replace(original(*values), counts=True)


def own_weights(original):
    return lambda self, part: torch.cat([part] * self.group.size()) if self.sharded else part


def turned_rows(original):
    return lambda x, group, sent, received: original(x, group, sent, received).flip(0)


def own_norm(original):
    def norm(self):
        world, self.world = self.world, ALONE
        try:
            return original(self)
        finally:
            self.world = world
    return norm


def forgotten_weights(original):
    def backward(self, held, gradient):
        back = original(self, held, gradient)
        held.weight_passes = held.weight_passes[1:]
        return back
    return backward


def unmatched_counts(original):
    def sums(values, group, device):
        return values if len(values) == 1 and group.size() > 1 else original(values, group, device)
    return sums


MUTANTS = [
    ("partial outputs are not summed", DIVIDED, functions._Leave, "forward", leave_unsummed),
    ("partial gradients are not summed", DIVIDED, functions._Enter, "backward", unsummed_back),
    ("the loss sees one slice of the vocabulary", DIVIDED, functions._CrossEntropy, "forward", own_vocabulary),
    ("what all ranks have counts for each", DIVIDED, placement, "Holder", all_count),
    ("positions are not collected", POSITIONS, functions._Enter, "forward", enter_alone),
    ("positions are not summed", POSITIONS, functions._Leave, "forward", leave_unsummed),
    ("gradients of positions are not summed", POSITIONS, functions._Enter, "backward", unsummed_back),
    ("gradients of positions are not collected", POSITIONS, functions._Leave, "backward", repeated_back),
    ("gradients of norms are not summed", POSITIONS, gradients.Bucket, "sum", not_summed),
    ("gradients of replicas are not summed", REPLICAS, gradients.Bucket, "sum", not_summed),
    ("gradients of pipelines are not summed", PIPELINES, gradients.Bucket, "sum", not_summed),
    ("gradients of a tied embedding are not summed", TIED, gradients.Bucket, "sum", not_summed),
    ("gradients of copied heads are not summed", COPIES, gradients.Bucket, "sum", not_summed),
    ("sharded gradients are not summed", SHARDED, gradients.Bucket, "sum", not_summed),
    ("sums of a layer replace each other", LAYERS, gradients.Bucket, "sum", last_microbatch),
    ("gradients of layers are not summed", LAYERS, collectives, "reduce_scatter", own_part),
    ("sharded weights are not collected", SHARDED, gradients.Bucket, "whole", own_weights),
    ("an activation is lost", STAGES, executor.Executor, "arrived", lost_on_the_way("F")),
    ("a gradient is lost", STAGES, executor.Executor, "arrived", lost_on_the_way("B")),
    ("micro-batches are mixed up", STAGES, executor.Executor, "forward", other_microbatch),
    ("a share of the positions is taken for all", INTO_TWO, executor, "collect_positions", not_collected),
    ("tokens come back from other experts", EXPERTS, layers, "exchange", turned_rows),
    ("the gradient is clipped by a rank's own norm", STAGES, optimizer.Optimizer, "norm", own_norm),
    ("losses are not added", STAGES, collectives, "sum_of_numbers", unmatched_counts),
    ("a weight's gradient is forgotten", SPLIT, executor.Executor, "backward", forgotten_weights),
]


def main():
    chosen = MUTANTS if ALL else [MUTANTS[place] for place in (0, 9, 15, 16, 20)]
    bad = 0
    sound = {}
    for name, drawn, owner, attribute, made in chosen:
        if id(drawn) not in sound:
            sound[id(drawn)] = judge(drawn, True, limit_s=120.0).holds(True)
            if not sound[id(drawn)]:
                print(f"FAILED without a mutant: the plan of \"{name}\"", flush=True)
                bad += 1
        verdict = judge(drawn, True, lambda: change(owner, attribute, made), quiet=True, limit_s=120.0)
        caught = not verdict.holds(True)
        bad += not caught
        print(f"{'caught' if caught else 'FAILED'} {name}: loss {verdict.loss:.1e} gradient {verdict.gradient:.1e} "
              f"weights {verdict.weights:.1e} {verdict.worst}", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
