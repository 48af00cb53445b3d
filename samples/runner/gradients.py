# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums of gradients: whoever holds a slice of a tensor, adds up.

Replicas of a stage, pipelines that cut the layers differently, first and last stage with tied embeddings, copies of
key-value heads, norms under sequence parallelism: all of them are ranks that hold the same slice of the same tensor
(placement.Atom). Slices held by the same ranks lie in flat buffers, buckets, each of which is summed at once: by an
all-reduce, or, under ZeRO-1 (arXiv 1910.02054), by a reduce-scatter that leaves each rank its part to update. Under
ZeRO-2 nothing but that part is kept of the matrices: each layer's are summed behind its own backward, for every
micro-batch.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Optional, Tuple

import torch

import collectives
from collectives import Group
from functions import Weight
from placement import Atom, Holder, Placement, Ranks
from tensors import first_values

LARGEST = 1 << 26  # numbers in a bucket of several tensors, since copies are made of a bucket at a time
CHUNK = 1 << 24  # numbers that are squared or updated at a time: what that takes beside the states is small

# Who; whether it is sharded; whether it decays; the layer that it is summed behind, -1 if it is at the end of a step.
Key = Tuple[Ranks, bool, bool, int]


@dataclass
class Piece:
    """A slice of a local weight and its place in a bucket."""

    atom: Atom
    weight: Weight
    begin: int  # along the cut, within the local slice
    counts: bool
    offset: int  # in the bucket
    viewed: bool  # weight.gradient is a view of the bucket itself

    def numel(self) -> int:
        size = 1
        for n in self.atom.shape():
            size *= n
        return size

    def of(self, local: torch.Tensor) -> torch.Tensor:
        """The slice of a local tensor."""
        if self.atom.spec.cut is None:
            return local
        return local.narrow(self.atom.spec.cut, self.begin, self.atom.end - self.atom.begin)

    def within(self, flat: torch.Tensor) -> torch.Tensor:
        return flat[self.offset:self.offset + self.numel()].view(self.atom.shape())


class Bucket:
    def __init__(self, key: Key, group: Group, pieces: List[Piece], dtype: torch.dtype, device: torch.device) -> None:
        ranks, self.sharded, self.decayed, self.layer = key
        self.ranks, self.group, self.pieces, self.dtype, self.device = ranks, group, pieces, dtype, device
        used = sum(piece.numel() for piece in pieces)
        parts = len(ranks) if self.sharded else 1
        size = -(-used // parts)
        self.numbers = size * parts
        first = group.index * size if self.sharded else 0
        self.own = slice(first, first + size)  # what this rank updates
        self.held: Optional[torch.Tensor] = None
        self.gradient = torch.zeros(size, dtype=dtype, device=device) if self.layer >= 0 else self.flat[self.own]
        for piece in pieces:
            piece.weight.make = self.make
            if piece.viewed and self.layer < 0:
                piece.weight.held = piece.within(self.flat)

    @property
    def flat(self) -> torch.Tensor:
        if self.held is None:
            self.held = self.zeros(self.dtype)
        return self.held

    def zeros(self, dtype: torch.dtype) -> torch.Tensor:
        """As long as the whole bucket."""
        return torch.zeros(self.numbers, dtype=dtype, device=self.device)

    def make(self) -> None:
        """Places for the gradients of its weights."""
        for piece in self.pieces:
            if piece.weight.held is None:
                piece.weight.held = (piece.within(self.flat) if piece.viewed else
                                     torch.zeros(piece.weight.value.shape, dtype=self.dtype, device=self.device))

    def clear(self) -> None:
        if self.layer >= 0:
            self.gradient.zero_()
            return
        self.flat.zero_()
        for piece in self.pieces:
            if not piece.viewed:
                piece.weight.gradient.zero_()

    def sum(self) -> None:
        """Afterwards self.gradient is the sum over the group: of the whole bucket, or of this rank's part. What is
        summed behind a layer is added to it."""
        for piece in self.pieces:
            if not piece.viewed:
                piece.within(self.flat).copy_(piece.of(piece.weight.gradient))
            if not piece.counts:
                piece.within(self.flat).zero_()
        if self.layer >= 0:
            self.gradient.add_(collectives.reduce_scatter(self.flat, self.group))
            self.held = None
        elif self.sharded:
            self.gradient = collectives.reduce_scatter(self.flat, self.group)
        else:
            self.gradient = collectives.all_reduce(self.flat, self.group)

    def read(self, dtype: torch.dtype) -> torch.Tensor:
        """The part of the weights that this rank updates, as a copy."""
        whole = self.zeros(dtype)
        for piece in self.pieces:
            piece.within(whole).copy_(piece.of(piece.weight.value.detach()))
        return whole[self.own].clone()

    def write(self, part: torch.Tensor) -> None:
        """Sets the weights to values of which each rank of the group has its part."""
        whole = self.whole(part.to(self.pieces[0].weight.value.dtype) if self.sharded else part)
        for piece in self.pieces:
            piece.of(piece.weight.value.detach()).copy_(piece.within(whole))

    def whole(self, part: torch.Tensor) -> torch.Tensor:
        return collectives.all_gather(part, self.group) if self.sharded else part

    def squares(self) -> float:
        """Sum of the squares of the gradient that nobody else of the group counts."""
        if not self.sharded and self.group.index != 0:
            return 0.0
        total = torch.zeros((), dtype=torch.float64, device=self.device)
        for part in torch.split(self.gradient, CHUNK):
            total += part.double().pow(2).sum()
        return float(total)


class LayerSums:
    """The buckets that are summed behind a layer's backward, every one once a micro-batch, on all ranks alike."""

    def __init__(self, buckets: List[Bucket]) -> None:
        self.buckets: Dict[int, List[Bucket]] = {}
        for bucket in buckets:
            if bucket.layer >= 0:
                self.buckets.setdefault(bucket.layer, []).append(bucket)
        self.left = sorted(self.buckets, reverse=True)  # of this micro-batch, the last layer first

    def sum(self, layer: int) -> None:
        """Once the layer's gradients are there, which then have no place any more."""
        if layer not in self.left:
            return
        self.left.remove(layer)
        weights = {id(piece.weight): piece.weight for bucket in self.buckets[layer] for piece in bucket.pieces}
        for weight in weights.values():
            weight.take()
        for bucket in self.buckets[layer]:
            bucket.sum()
        for weight in weights.values():
            weight.held = None

    def sum_rest(self) -> None:
        """Behind the backward of a micro-batch: those whose input has no gradient."""
        for layer in list(self.left):
            self.sum(layer)
        self.left = sorted(self.buckets, reverse=True)


def bucket_keys(placement: Placement) -> Dict[str, Tuple[List[Holder], List[Tuple[Atom, Key]]]]:
    """By tensor: its holders, and its atoms with the bucket of each."""
    found: Dict[str, Tuple[List[Holder], List[Tuple[Atom, Key]]]] = {}
    for name, (spec, holders) in placement.holders().items():
        atoms = placement.atoms(spec, holders)
        behind = (spec.decayed and all(atom.sharded for atom in atoms)
                  and all(placement.stage(placement.places[h.rank]).gradients_sharded for h in holders))
        found[name] = (holders, [(atom, (atom.ranks, atom.sharded, spec.decayed, spec.layer() if behind else -1))
                                 for atom in atoms])
    return found


def make_weights(placement: Placement, rank: int, dtype: torch.dtype, device: torch.device,
                 seed: int) -> Dict[str, Weight]:
    """This rank's slices with their first values. Gradients get their places when buckets are made."""
    weights: Dict[str, Weight] = {}
    for name, (spec, holders) in placement.holders().items():
        for holder in holders:
            if holder.rank == rank:
                value = first_values(spec, holder.begin, holder.end, seed, placement.shape.blocks)
                value = value.to(device=device, dtype=dtype).requires_grad_(True)
                weights[name] = Weight(value)
    return weights


def make_buckets(keys: Dict[str, Tuple[List[Holder], List[Tuple[Atom, Key]]]], groups: Dict[Ranks, Group], rank: int,
                 weights: Dict[str, Weight], dtype: torch.dtype, device: torch.device) -> List[Bucket]:
    """In the same order on all ranks, so that no two wait for each other."""
    filling: Dict[Key, List[List[Piece]]] = {}
    for name, (holders, atoms) in keys.items():
        own = next((holder for holder in holders if holder.rank == rank), None)
        if own is None:
            continue
        weight = weights[name]
        mine = [(atom, key) for atom, key in atoms if rank in atom.ranks]
        for atom, key in mine:
            piece = Piece(atom, weight, atom.begin - own.begin, own.counts, 0, len(mine) == 1)
            buckets = filling.setdefault(key, [[]])
            if buckets[-1]:
                piece.offset = buckets[-1][-1].offset + buckets[-1][-1].numel()
                if piece.offset + piece.numel() > LARGEST:
                    piece.offset = 0
                    buckets.append([])
            buckets[-1].append(piece)
        if len(mine) > 1 and all(key[3] < 0 for _, key in mine):
            weight.held = torch.zeros(weight.value.shape, dtype=dtype, device=device)
    return [Bucket(key, groups[key[0]], pieces, dtype, device) for key in sorted(filling) for pieces in filling[key]]
