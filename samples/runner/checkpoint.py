# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkpoints that any plan of the model reads.

    DIR/step-00000010/manifest.json                      what lies in which file, with sums
                      layer-00005.rank-3.safetensors     slices of that layer's tensors: master, first, second

A slice is an atom of the plan that wrote it, named NAME:BEGIN along the tensor's cut; a reader takes from all slices
what overlaps its own. Ranks write into .step-00000010.part; when all have brought their files to the disk, rank 0 adds
the manifest and renames the folder. Whatever is killed when, the last whole checkpoint is the newest folder that has
its final name. DIR must be one that all ranks see.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from dataclasses import asdict
from typing import Any, Dict, List, Tuple

import torch

import collectives
from errors import BadInput
from gradients import Piece
from optimizer import Optimizer
from tensor_file import TensorFile, write_tensors
from trainer import Trainer

SCHEMA = "pipewright-checkpoint-1"
FOLDER = re.compile(r"step-(\d{8})")


def together(trainer: Trainer) -> None:
    collectives.sum_of_numbers([0.0], trainer.world, trainer.device)


def to_disk(path: str) -> None:
    """Of a folder: its entries."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_json(path: str, value: Any) -> None:
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1, sort_keys=True)
        file.write("\n")
        file.flush()
        os.fsync(file.fileno())


def slices_to_write(trainer: Trainer) -> Dict[int, Dict[str, torch.Tensor]]:
    """By layer: this rank's share of the slices, of which the ranks that hold them write in turn."""
    found: Dict[int, Dict[str, torch.Tensor]] = {}
    for bucket, states in zip(trainer.buckets, trainer.optimizer.states):
        for state, part in states.items():
            whole = bucket.whole(part)
            for place, piece in enumerate(bucket.pieces):
                if place % bucket.group.size() == bucket.group.index:
                    name = f"{piece.atom.spec.name}:{piece.atom.begin}:{state}"
                    found.setdefault(piece.atom.spec.layer(), {})[name] = piece.within(whole).cpu().clone()
    return found


def save(trainer: Trainer, folder: str, step: int, keep: int = 2) -> str:
    """Writes a checkpoint of `step` finished steps; all ranks call it. Older ones than the last `keep` are removed."""
    final = os.path.join(folder, f"step-{step:08d}")
    part = os.path.join(folder, f".step-{step:08d}.part")
    if trainer.rank == 0:
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            if name.startswith(".step-"):  # what a run that was killed has left
                shutil.rmtree(os.path.join(folder, name))
        os.mkdir(part)
    together(trainer)
    files: Dict[str, Any] = {}
    for layer, tensors in sorted(slices_to_write(trainer).items()):
        name = f"layer-{layer:05d}.rank-{trainer.rank}.safetensors"
        sums = write_tensors(os.path.join(part, name), tensors)
        files[name] = {"bytes": os.path.getsize(os.path.join(part, name)), "crc32": sums}
    write_json(os.path.join(part, f"rank-{trainer.rank}.json"), files)
    together(trainer)
    if trainer.rank == 0:
        finish(trainer, folder, part, final, step, keep)
    together(trainer)
    return final


def finish(trainer: Trainer, folder: str, part: str, final: str, step: int, keep: int) -> None:
    files: Dict[str, Any] = {}
    for rank in range(len(trainer.placement.places)):
        index = os.path.join(part, f"rank-{rank}.json")
        with open(index, encoding="utf-8") as file:
            files.update(json.load(file))
        os.remove(index)
    tensors = {name: {"shape": spec.shape, "cut": spec.cut}
               for name, (spec, _) in trainer.placement.holders().items()}
    write_json(os.path.join(part, "manifest.json"), {
        "schema": SCHEMA, "step": step, "updates": trainer.optimizer.updates, "loss_scale": trainer.scale.value,
        "good_steps": trainer.scale.good, "model": asdict(trainer.shape), "tensors": tensors, "files": files})
    to_disk(part)
    os.rename(part, final)
    to_disk(folder)
    for old in checkpoints(folder)[:-keep]:
        gone = os.path.join(folder, f".step-{old:08d}.old")
        os.rename(os.path.join(folder, f"step-{old:08d}"), gone)
        shutil.rmtree(gone)


def checkpoints(folder: str) -> List[int]:
    """Steps of the whole checkpoints, ascending."""
    names = os.listdir(folder) if os.path.isdir(folder) else []
    return sorted(int(match[1]) for match in map(FOLDER.fullmatch, names) if match)


class Checkpoint:
    """Slices of a checkpoint, whichever plan wrote them."""

    def __init__(self, path: str) -> None:
        self.path = path
        manifest = os.path.join(path, "manifest.json")
        try:
            with open(manifest, encoding="utf-8") as file:
                self.manifest: Dict[str, Any] = json.load(file)
        except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
            raise BadInput(manifest, str(error)) from None
        if self.manifest.get("schema") != SCHEMA:
            raise BadInput(manifest, f"schema {self.manifest.get('schema')!r}; expected {SCHEMA}")
        self.slices: Dict[Tuple[str, str], List[Tuple[int, str, str, int]]] = {}
        self.files: Dict[str, TensorFile] = {}
        for name, entry in self.manifest["files"].items():
            for key, crc in entry["crc32"].items():
                tensor, begin, state = key.rsplit(":", 2)
                self.slices.setdefault((tensor, state), []).append((int(begin), name, key, int(crc)))

    def file(self, name: str) -> TensorFile:
        if name not in self.files:
            path = os.path.join(self.path, name)
            size = os.path.getsize(path) if os.path.exists(path) else 0
            if size != self.manifest["files"][name]["bytes"]:
                raise BadInput(path, f"{size} bytes; the manifest has {self.manifest['files'][name]['bytes']}")
            self.files[name] = TensorFile(path)
        return self.files[name]

    def read(self, piece: Piece, state: str) -> torch.Tensor:
        """The atom of a piece, put together from whatever slices overlap it."""
        atom = piece.atom
        known = sorted(self.slices.get((atom.spec.name, state), []))
        if atom.spec.cut is None and known:
            begin, name, key, crc = known[0]
            return self.file(name).read(key, crc)
        result = torch.empty(atom.shape(), dtype=torch.float64)
        at = atom.begin
        for begin, name, key, crc in known:
            length = self.file(name).entries[key][1][atom.spec.cut or 0]
            end = min(begin + length, atom.end)
            if begin <= at < end:
                values = self.file(name).read(key, crc)
                result.narrow(atom.spec.cut or 0, at - atom.begin, end - at).copy_(
                    values.narrow(atom.spec.cut or 0, at - begin, end - at))
                at = end
        if at < atom.end:
            raise BadInput(self.path, f"has {state} of {atom.spec.name} up to {at}; expected {atom.end}")
        return result


def load(trainer: Trainer, path: str) -> int:
    """Sets weights and optimiser states from a checkpoint. Returns the number of finished steps."""
    checkpoint = Checkpoint(path)
    model = json.loads(json.dumps(asdict(trainer.shape)))
    for field, value in checkpoint.manifest["model"].items():
        if model.get(field) != value:
            raise BadInput(path, f"was written for a model with {field} {value}; this one has {model.get(field)}")
    for bucket, states in zip(trainer.buckets, trainer.optimizer.states):
        for state in Optimizer.STATES:
            whole = torch.zeros_like(bucket.flat)
            for piece in bucket.pieces:
                piece.within(whole).copy_(checkpoint.read(piece, state))
            states[state].copy_(whole[bucket.own])
        bucket.write(states["master"].to(trainer.dtype))
    trainer.optimizer.updates = int(checkpoint.manifest["updates"])
    trainer.scale.value = float(checkpoint.manifest["loss_scale"])
    trainer.scale.good = int(checkpoint.manifest["good_steps"])
    return int(checkpoint.manifest["step"])
