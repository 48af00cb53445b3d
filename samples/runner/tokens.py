# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Tokens: sequence n of step t is the same whatever the plan.

Synthetic ones follow from the seed alone. Files are cut into windows of seq + 1 tokens that overlap by one; the windows
of an epoch come in an order drawn from seed and epoch. A file is one of Megatron-LM's indexed data sets (.bin beside
.idx) or bare numbers of 2 or 4 bytes, little-endian, unsigned (.u16, .u32, or any other with `--token-bytes`).
"""

from __future__ import annotations

import hashlib
import mmap
import os
import struct
from typing import Dict, Tuple

import torch

from errors import BadInput

MAGIC = b"MMIDIDX\x00\x00"
WIDTHS = {1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 8: 2}  # bytes by Megatron's code of a type; 6 and 7 are floating point
SUMMED = 1 << 16  # bytes of each place that identity() looks at
FORMS: Dict[int, torch.dtype] = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def generator_of(words: str) -> torch.Generator:
    """A stream of its own for every text. A generator looks at 32 bits of its seed only."""
    return torch.Generator().manual_seed(int.from_bytes(hashlib.sha256(words.encode()).digest()[:4], "little"))


class Tokens:
    """Synthetic: every token drawn from a skewed distribution, so that there is something to learn."""

    def __init__(self, vocab: int, seq: int, gbs: int, seed: int) -> None:
        self.vocab, self.seq, self.gbs, self.seed = vocab, seq, gbs, seed

    def sequence(self, number: int) -> torch.Tensor:
        """seq + 1 tokens: inputs and, one further, targets."""
        generator = generator_of(f"{self.seed} sequence {number}")
        drawn = torch.rand(self.seq + 1, generator=generator, dtype=torch.float64)
        return (drawn.square() * self.vocab).long().clamp_(max=self.vocab - 1)

    def identity(self) -> str:
        """What tells them from others, wherever the file lies."""
        return "synthetic"

    def batch(self, step: int, first: int, end: int) -> torch.Tensor:
        """Sequences [first, end) of a step's global batch, [seq + 1, sequences]."""
        return torch.stack([self.sequence(step * self.gbs + n) for n in range(first, end)], dim=1)


class FileTokens(Tokens):
    def __init__(self, path: str, width: int, vocab: int, seq: int, gbs: int, seed: int) -> None:
        super().__init__(vocab, seq, gbs, seed)
        self.path, self.width = path, width
        try:
            size = os.path.getsize(path)
            if size % width:
                raise BadInput(path, f"{size} bytes are no whole number of {width}-byte tokens")
            self.count = size // width
            self.windows = (self.count - 1) // seq
            if self.windows < 1:
                raise BadInput(path, f"{size // width} tokens; a sequence takes {seq + 1}")
            with open(path, "rb") as file:
                self.map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except OSError as error:
            raise BadInput(path, str(error)) from None
        self.epoch = (-1, torch.empty(0))

    def identity(self) -> str:
        """With a sum of what stands at begin, middle and end: another corpus may be as long and called alike."""
        found, most = hashlib.sha256(), len(self.map) - SUMMED
        for begin in (0, most // 2, most):
            found.update(self.map[max(begin, 0):max(begin, 0) + SUMMED])
        return f"{self.count} tokens of {os.path.basename(self.path)}, sum {found.hexdigest()[:16]}"

    def sequence(self, number: int) -> torch.Tensor:
        epoch, place = divmod(number, self.windows)
        if self.epoch[0] != epoch:
            generator = generator_of(f"{self.seed} epoch {epoch}")
            self.epoch = epoch, torch.randperm(self.windows, generator=generator)
        begin = int(self.epoch[1][place]) * self.seq
        raw = bytearray(self.map[begin * self.width:(begin + self.seq + 1) * self.width])
        values = torch.frombuffer(raw, dtype=FORMS[self.width]).long()
        if self.width in (2, 4):
            values &= (1 << 8 * self.width) - 1
        wrong = ((values < 0) | (values >= self.vocab)).nonzero()
        if wrong.numel():
            at = int(wrong[0])
            raise BadInput(f"{self.path}, token {begin + at}", f"is {int(values[at])}; the vocabulary has {self.vocab}")
        return values


def megatron_width(path: str) -> int:
    """Bytes a token, by the index beside a Megatron-LM data set."""
    index = os.path.splitext(path)[0] + ".idx"
    try:
        with open(index, "rb") as file:
            head = file.read(34)
    except OSError as error:
        raise BadInput(index, str(error)) from None
    if len(head) < 34 or not head.startswith(MAGIC):
        raise BadInput(index, "is no index of Megatron-LM (MMIDIDX)")
    version, code, sequences, _ = struct.unpack("<QBQQ", head[9:34])
    if version != 1 or code not in WIDTHS:
        raise BadInput(index, f"version {version}, type {code}; expected version 1 and whole numbers")
    with open(index, "rb") as file:
        file.seek(34)
        raw = file.read(4 * sequences) if 4 * sequences <= os.path.getsize(index) else b""
    if len(raw) != 4 * sequences:
        raise BadInput(index, f"ends before the lengths of its {sequences} sequences")
    lengths = torch.frombuffer(bytearray(raw), dtype=torch.int32).long() if sequences else torch.empty(0).long()
    if sequences and int(lengths.min()) < 0:
        raise BadInput(index, f"sequence {int(lengths.argmin())} has {int(lengths.min())} tokens; expected 0 or more")
    total = int(lengths.sum())
    size = os.path.getsize(path) if os.path.exists(path) else 0
    if total * WIDTHS[code] != size:
        raise BadInput(index, f"speaks of {total * WIDTHS[code]} bytes; {path} has {size}")
    return WIDTHS[code]


def open_tokens(path: str | None, width: int | None, sizes: Tuple[int, int, int], seed: int) -> Tokens:
    """Tokens of a file, or synthetic ones without one. sizes: vocabulary, tokens of a sequence, global batch."""
    if path is None:
        return Tokens(*sizes, seed)
    if width is None and path.endswith(".bin"):
        width = megatron_width(path)
    elif width is None:
        width = {".u16": 2, ".u32": 4}.get(os.path.splitext(path)[1])
    if width not in FORMS:
        raise BadInput(path, "how many bytes a token has is not known: give --token-bytes 2 or 4")
    return FileTokens(path, width, *sizes, seed)
