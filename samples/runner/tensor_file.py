# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of named tensors in the safetensors format: 8 bytes with the length of a JSON header, little-endian, the header
{name: {dtype, shape, data_offsets}}, the numbers. Read one tensor at a time; nothing in a file is executed.
"""

from __future__ import annotations

import ctypes
import json
import math
import os
import struct
import zlib
from typing import Any, Dict, Tuple

import torch

from errors import BadInput

TYPES = {"F64": torch.float64, "F32": torch.float32, "F16": torch.float16, "BF16": torch.bfloat16, "I64": torch.int64,
         "I32": torch.int32, "I16": torch.int16, "I8": torch.int8, "U8": torch.uint8, "BOOL": torch.bool}
NAMES = {dtype: name for name, dtype in TYPES.items()}
LONGEST_HEADER, LARGEST = 100_000_000, 2 ** 40  # bytes; rows of a tensor


def raw(tensor: torch.Tensor) -> memoryview:
    """The bytes of a contiguous tensor in main memory, which must outlive them."""
    size = tensor.numel() * tensor.element_size()
    return memoryview((ctypes.c_char * size).from_address(tensor.data_ptr())) if size else memoryview(b"")


def write_tensors(path: str, tensors: Dict[str, torch.Tensor]) -> Dict[str, int]:
    """Writes the file and brings it to the disk. Returns the CRC-32 of every tensor's numbers."""
    header: Dict[str, Any] = {}
    sums: Dict[str, int] = {}
    at = 0
    for name, tensor in tensors.items():
        size = tensor.numel() * tensor.element_size()
        header[name] = {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [at, at + size]}
        at += size
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for name, tensor in tensors.items():
            whole = tensor.detach().cpu().contiguous()
            numbers = raw(whole)
            sums[name] = zlib.crc32(numbers)
            file.write(numbers)
        file.flush()
        os.fsync(file.fileno())
    return sums


class TensorFile:
    def __init__(self, path: str) -> None:
        self.path = path
        try:
            size = os.path.getsize(path)
            with open(path, "rb") as file:
                start = file.read(8)
                length = struct.unpack("<Q", start)[0] if len(start) == 8 else LONGEST_HEADER
                if length > min(LONGEST_HEADER, size - 8):
                    raise BadInput(path, "is no safetensors file, or ends early")
                header = json.loads(file.read(length))
        except BadInput:
            raise
        except (OSError, ValueError, RecursionError) as error:  # ValueError: no UTF-8, no JSON
            raise BadInput(path, str(error)) from None
        if not isinstance(header, dict):
            raise BadInput(path, "its header is no object")
        self.base = 8 + length
        self.entries: Dict[str, Tuple[torch.dtype, Tuple[int, ...], int, int]] = {}
        for name, entry in header.items():
            if name != "__metadata__":
                self.entries[name] = self._entry(name, entry, size - self.base)
        self._check_apart(size - self.base)

    def _check_apart(self, room: int) -> None:
        """The format leaves no byte out and gives none to two tensors."""
        at, before = 0, "the header"
        for name, (_, _, begin, end) in sorted(self.entries.items(), key=lambda entry: entry[1][2:]):
            if begin != at:
                raise BadInput(f"{self.path}, {name}", f"begins at byte {begin}, and {before} ends at {at}")
            at, before = end, name
        if at != room:
            raise BadInput(self.path, f"{room} bytes of numbers; its tensors have {at}")

    def _entry(self, name: str, entry: Any, room: int) -> Tuple[torch.dtype, Tuple[int, ...], int, int]:
        try:
            dtype, shape = TYPES[entry["dtype"]], tuple(int(n) for n in entry["shape"])
            begin, end = (int(n) for n in entry["data_offsets"])
        except (KeyError, TypeError, ValueError, OverflowError):
            raise BadInput(f"{self.path}, {name}", "expected dtype, shape and data_offsets") from None
        numbers = math.prod(shape)
        if min(shape, default=0) < 0 or max(shape, default=0) > LARGEST or not 0 <= begin <= end <= room \
                or end - begin != numbers * torch.empty(0, dtype=dtype).element_size():
            raise BadInput(f"{self.path}, {name}", f"{end - begin} bytes at {begin} do not fit shape {list(shape)}")
        return dtype, shape, begin, end

    def length(self, name: str, dimension: int) -> int:
        if name not in self.entries or len(self.entries[name][1]) <= dimension:
            raise BadInput(self.path, f"has no tensor {name} of {dimension + 1} dimensions")
        return self.entries[name][1][dimension]

    def read(self, name: str, crc: int | None = None) -> torch.Tensor:
        """The tensor; its numbers are held against the sum where one is given."""
        if name not in self.entries:
            raise BadInput(self.path, f"has no tensor {name}")
        dtype, shape, begin, end = self.entries[name]
        with open(self.path, "rb") as file:
            file.seek(self.base + begin)
            numbers = bytearray(file.read(end - begin))
        if len(numbers) != end - begin or (crc is not None and zlib.crc32(numbers) != crc):
            raise BadInput(f"{self.path}, {name}", "is damaged: the sum of its numbers is another")
        return torch.frombuffer(numbers, dtype=dtype).view(shape) if numbers else torch.empty(shape, dtype=dtype)
