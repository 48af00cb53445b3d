# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums of gradients: whoever holds a slice of a tensor, adds up.

Replicas of a stage, pipelines that cut the layers differently, first and last stage with tied embeddings, copies of
key-value heads, norms under sequence parallelism: all of them are ranks that hold the same slice of the same tensor
(placement.Atom). Slices held by the same ranks lie in flat buffers, buckets, each of which is summed at once: by an
all-reduce, or, under ZeRO-1 (arXiv 1910.02054), by a reduce-scatter that leaves each rank its part to update.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Tuple

import torch

import collectives
from collectives import Group
from functions import Weight
from placement import Atom, Holder, Placement, Ranks
from tensors import first_values

LARGEST = 1 << 26  # numbers in a bucket of several tensors, since copies are made of a bucket at a time
CHUNK = 1 << 24  # numbers that are squared or updated at a time: what that takes beside the states is small

Key = Tuple[Ranks, bool, bool]  # who, sharded, decayed


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
        ranks, self.sharded, self.decayed = key
        self.ranks, self.group, self.pieces = ranks, group, pieces
        used = sum(piece.numel() for piece in pieces)
        parts = len(ranks) if self.sharded else 1
        self.flat = torch.zeros(-(-used // parts) * parts, dtype=dtype, device=device)
        size = self.flat.numel() // parts
        first = group.index * size if self.sharded else 0
        self.own = slice(first, first + size)  # what this rank updates
        self.gradient = self.flat[self.own]
        for piece in pieces:
            if piece.viewed:
                piece.weight.gradient = piece.within(self.flat)

    def clear(self) -> None:
        self.flat.zero_()
        for piece in self.pieces:
            if not piece.viewed:
                piece.weight.gradient.zero_()

    def sum(self) -> None:
        """Afterwards self.gradient is the sum over the group: of the whole bucket, or of this rank's part."""
        for piece in self.pieces:
            if not piece.viewed:
                piece.within(self.flat).copy_(piece.of(piece.weight.gradient))
            if not piece.counts:
                piece.within(self.flat).zero_()
        if self.sharded:
            self.gradient = collectives.reduce_scatter(self.flat, self.group)
        else:
            self.gradient = collectives.all_reduce(self.flat, self.group)

    def read(self, dtype: torch.dtype) -> torch.Tensor:
        """The part of the weights that this rank updates, as a copy."""
        whole = torch.zeros_like(self.flat, dtype=dtype)
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
        total = torch.zeros((), dtype=torch.float64, device=self.flat.device)
        for part in torch.split(self.gradient, CHUNK):
            total += part.double().pow(2).sum()
        return float(total)


def bucket_keys(placement: Placement) -> Dict[str, Tuple[List[Holder], List[Tuple[Atom, Key]]]]:
    """By tensor: its holders, and its atoms with the bucket of each."""
    return {name: (holders, [(atom, (atom.ranks, atom.sharded, spec.decayed))
                             for atom in placement.atoms(spec, holders)])
            for name, (spec, holders) in placement.holders().items()}


def make_weights(placement: Placement, rank: int, dtype: torch.dtype, sums: torch.dtype, device: torch.device,
                 seed: int) -> Dict[str, Weight]:
    """This rank's slices with their first values. Gradients get their places when buckets are made."""
    weights: Dict[str, Weight] = {}
    for name, (spec, holders) in placement.holders().items():
        for holder in holders:
            if holder.rank == rank:
                value = first_values(spec, holder.begin, holder.end, seed, placement.shape.blocks)
                value = value.to(device=device, dtype=dtype).requires_grad_(True)
                weights[name] = Weight(value, torch.zeros(0, dtype=sums, device=device))
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
        if len(mine) > 1:
            weight.gradient = torch.zeros(weight.value.shape, dtype=dtype, device=device)
    return [Bucket(key, groups[key[0]], pieces, dtype, device) for key in sorted(filling) for pieces in filling[key]]
