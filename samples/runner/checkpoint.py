# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checkpoints that any plan of the model reads.

    DIR/step-00000010/manifest.json                      what lies in which file, with sums
                      layer-00005.rank-3.safetensors     slices of that layer's tensors: master, first, second

A slice is an atom of the plan that wrote it, named NAME:BEGIN along the tensor's cut; a reader takes from all slices
what overlaps its own. Ranks write into .step-00000010.NUMBER.part, of a number that no other run draws; when all have
brought their files to the disk, rank 0 adds the manifest and renames the folder. Whatever is killed when, the last
whole checkpoint is the newest folder that has its final name. DIR must be one that all ranks see, which is asked before
the first step, and belongs to one run at a time: rank 0 holds a lock on DIR/.run for as long as it lives.

A plan may change between two runs of a training. What else decides its losses (global batch, sequence, seed, tokens,
optimiser, learning rates so far, decay, clipping) is in the manifest and has to be the same.
"""

from __future__ import annotations

import fcntl
import json
import os
import re
import secrets
import shutil
import socket
import sys
import time
from dataclasses import asdict, fields
from typing import Any, Dict, Iterator, List, Tuple

import torch

import collectives
from errors import BadInput
from gradients import Piece
from optimizer import Optimizer, Settings
from plan import Reader, read_json
from tensor_file import TensorFile, write_tensors
from trainer import Trainer

SCHEMA = "pipewright-checkpoint-1"
SEEN = ".seen-"  # files by which ranks tell that their folder is the same one
LOCK = ".run"  # of the run that writes into the folder; says where that is
SEEN_WITHIN_S = 60.0  # for which network file systems may believe that a folder is not there
FOLDER = re.compile(r"step-(\d{8})")
SLICE = re.compile(r"(.+):(\d{1,15}):(\w+)")


def together(trainer: Trainer) -> None:
    collectives.sum_of_numbers([0.0], trainer.world, trainer.device)


def of_rank_0(trainer: Trainer, number: int) -> int:
    """A number below 2 ** 53, of which all ranks get that of rank 0."""
    return int(collectives.sum_of_numbers([float(number)] if trainer.rank == 0 else [0.0], trainer.world,
                                          trainer.device)[0])


LOCKS: Dict[str, int] = {}  # files that this process holds locked, by folder
NO_LOCK = -1  # of a file system that has none


def take_folder(folder: str) -> bool:
    """Makes it this run's alone, for as long as the process lives; not if another run has it. File systems that have no
    locks are said, once: names of their own keep the files of two runs apart there, but not their checkpoints."""
    if folder in LOCKS:
        return True
    os.makedirs(folder, exist_ok=True)
    handle = os.open(os.path.join(folder, LOCK), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):  # which some network file systems answer
        os.close(handle)
        return False
    except OSError as error:
        os.close(handle)
        print(f"warning: {folder} cannot be locked ({error.strerror}): see that no other run writes there; what killed "
              "runs leave there (.step-*.part) is not removed", file=sys.stderr, flush=True)
        LOCKS[folder] = NO_LOCK
        return True
    os.ftruncate(handle, 0)
    os.write(handle, f"process {os.getpid()} on {socket.gethostname()}\n".encode())
    LOCKS[folder] = handle
    return True


def holder(folder: str) -> str:
    try:
        with open(os.path.join(folder, LOCK), encoding="utf-8", errors="replace") as file:
            words = file.readline(200)
    except OSError:
        words = ""
    return "".join(c for c in words if c.isprintable()) or "of an unknown place"


def see_alike(trainer: Trainer, folder: str, within_s: float) -> None:
    """Makes the folder, and raises BadInput on all ranks if another run writes there, or one of them does not see what
    rank 0 does; all ranks call it. Other nodes may learn of a new folder seconds later, so they look again."""
    late = time.monotonic() + within_s
    while trainer.rank == 0 and not take_folder(folder) and time.monotonic() < late:  # another may be about to end
        time.sleep(0.05)
    if not of_rank_0(trainer, int(trainer.rank == 0 and folder in LOCKS)):
        raise BadInput("--checkpoints", f"{folder} is written by another run, {holder(folder)}; expected a folder of "
                                        f"this run's own. If that one is gone with its machine, remove {LOCK} there")
    token = of_rank_0(trainer, secrets.randbelow(10 ** 15))
    path = os.path.join(folder, f"{SEEN}{token}")
    if trainer.rank == 0:
        for name in os.listdir(folder):
            if name.startswith(SEEN) and LOCKS[folder] != NO_LOCK:  # of a run that was killed
                os.remove(os.path.join(folder, name))
        with open(path, "x", encoding="utf-8"):
            pass
    late = time.monotonic() + within_s
    while not os.path.exists(path) and time.monotonic() < late:
        time.sleep(0.05)
    seen = int(collectives.sum_of_numbers([float(os.path.exists(path))], trainer.world, trainer.device)[0])
    if trainer.rank == 0:
        os.remove(path)
    if seen < trainer.world.size():
        raise BadInput("--checkpoints", f"{trainer.world.size() - seen} of {trainer.world.size()} ranks do not see the "
                                        f"{folder} of rank 0; expected a folder that all nodes share")


def to_disk(path: str) -> None:
    """Of a folder: its entries."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def write_json(path: str, value: Any) -> None:
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, indent=1, sort_keys=True, allow_nan=False)
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
    part = os.path.join(folder, f".step-{step:08d}.{of_rank_0(trainer, secrets.randbelow(10 ** 15))}.part")
    if trainer.rank == 0:
        os.makedirs(folder, exist_ok=True)
        if not take_folder(folder):
            raise BadInput(folder, f"is written by another run, {holder(folder)}")
        for name in os.listdir(folder):
            if name.startswith(".step-") and LOCKS[folder] != NO_LOCK:  # what a run that was killed has left
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
    scale = trainer.scale
    write_json(os.path.join(part, "manifest.json"), {
        "schema": SCHEMA, "step": step, "updates": trainer.optimizer.updates, "training": training_of(trainer),
        "loss_scale": scale.value if scale.used else None, "good_steps": scale.good if scale.used else 0,
        "model": asdict(trainer.shape), "tensors": tensors, "files": files})
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


def newest(trainer: Trainer, folder: str) -> str:
    """The last whole checkpoint that rank 0 sees. Others may see it later, and take no older one for that."""
    return os.path.join(folder, f"step-{of_rank_0(trainer, checkpoints(folder)[-1] if trainer.rank == 0 else 0):08d}")


def load_newest(trainer: Trainer, folder: str, changes: bool) -> int:
    """As load() does. Of one with a file that is damaged it is said which is left without it."""
    path = newest(trainer, folder)
    try:
        return load(trainer, path, changes)
    except BadInput as error:
        others = checkpoints(folder)[:-1]
        if not others or not str(error).startswith(path + os.sep):
            raise
        raise BadInput(folder, f"{error}; with {os.path.basename(path)} moved away, --resume goes on behind step "
                               f"{others[-1]}") from None


def training_of(trainer: Trainer) -> Dict[str, Any]:
    """What decides the losses beside the model."""
    plan, options = trainer.plan, trainer.options
    return {"global_batch": plan.gbs, "sequence": plan.seq, "seed": options.seed, "tokens": trainer.tokens.identity(),
            "settings": asdict(options.settings)}


def settings_of(r: Reader) -> Settings:
    values: Dict[str, Any] = {}
    for field in fields(Settings):
        if field.name == "optimizer":
            values[field.name] = r.word(field.name, "", ("adam", "sgd"))
        elif field.name in ("warm_up", "steps"):
            values[field.name] = r.whole(field.name)
        else:
            values[field.name] = r.number(field.name)
    return Settings(**values)


class Checkpoint:
    """Slices of a checkpoint, whichever plan wrote them."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.manifest = read_json(os.path.join(path, "manifest.json"))
        self.manifest.word("schema", "", (SCHEMA,))
        self.step = self.manifest.whole("step")
        folder = FOLDER.fullmatch(os.path.basename(path))
        if not folder or int(folder[1]) != self.step:
            raise BadInput(self.manifest.at("step"), f"is {self.step}, in the folder {os.path.basename(path)}")
        self.slices: Dict[Tuple[str, str], List[Tuple[int, str, str, int]]] = {}
        self.files: Dict[str, TensorFile] = {}
        self.sizes: Dict[str, int] = {}
        listed = self.manifest.part("files")
        for name in listed.value:
            entry = listed.part(name)
            self.sizes[name] = entry.whole("bytes")
            sums = entry.part("crc32")
            for key in sums.value:
                match = SLICE.fullmatch(key)
                if not match:
                    raise BadInput(sums.at(key), "expected TENSOR:BEGIN:STATE")
                tensor, begin, state = match.groups()
                self.slices.setdefault((tensor, state), []).append((int(begin), name, key, sums.whole(key)))

    def file(self, name: str) -> TensorFile:
        if name not in self.files:
            path = os.path.join(self.path, name)
            size = os.path.getsize(path) if os.path.exists(path) else 0
            if size != self.sizes[name]:
                raise BadInput(path, f"{size} bytes; the manifest has {self.sizes[name]}")
            self.files[name] = TensorFile(path)
        return self.files[name]

    def slice(self, name: str, key: str, crc: int, shape: List[int], cut: int) -> torch.Tensor:
        """A slice, which has the tensor's shape but along the dimension that is cut."""
        values = self.file(name).read(key, crc)
        found = list(values.shape)
        if len(found) != len(shape) or any(a != b for d, (a, b) in enumerate(zip(found, shape)) if d != cut):
            raise BadInput(f"{self.file(name).path}, {key}", f"has shape {found}; the plan's model has {shape}")
        return values

    def differences(self, trainer: Trainer) -> Iterator[str]:
        """Of the training that wrote it, and of the one that is to go on; the optimiser aside."""
        if "training" not in self.manifest.value:
            yield "version 0.2.0 wrote it, which did not say how"
            return
        now, was = training_of(trainer), self.manifest.part("training")
        for key in ("global_batch", "sequence", "seed", "tokens"):
            known = was.value.get(key)
            if known != now[key] and not (key == "tokens" and f"{now[key]}".startswith(f"{known}, sum ")):  # as 0.2.0
                yield f"{key.replace('_', ' ')} {was.value.get(key)!r}, now {now[key]!r}"
        mine = trainer.options.settings
        theirs = settings_of(was.part("settings"))
        for key in ("decay", "clip", "first_moment", "second_moment", "epsilon"):
            if getattr(theirs, key) != getattr(mine, key):
                yield f"{key.replace('_', ' ')} {getattr(theirs, key)!r}, now {getattr(mine, key)!r}"
        for step in range(self.step):
            if theirs.rate_at(step) != mine.rate_at(step):
                yield f"learning rate {theirs.rate_at(step)!r} at step {step}, now {mine.rate_at(step)!r}"
                return

    def read(self, piece: Piece, state: str) -> torch.Tensor:
        """The atom of a piece, put together from whatever slices overlap it."""
        atom = piece.atom
        known = sorted(self.slices.get((atom.spec.name, state), []))
        shape = list(atom.shape())
        if atom.spec.cut is None and known:
            begin, name, key, crc = known[0]
            return self.slice(name, key, crc, shape, -1)
        result = torch.empty(atom.shape(), dtype=torch.float64)
        at = atom.begin
        for begin, name, key, crc in known:
            length = self.file(name).length(key, atom.spec.cut or 0)
            end = min(begin + length, atom.end)
            if begin <= at < end:
                values = self.slice(name, key, crc, shape, atom.spec.cut or 0)
                result.narrow(atom.spec.cut or 0, at - atom.begin, end - at).copy_(
                    values.narrow(atom.spec.cut or 0, at - begin, end - at))
                at = end
        if at < atom.end:
            raise BadInput(self.path, f"has {state} of {atom.spec.name} up to {at}; expected {atom.end}")
        return result


def load(trainer: Trainer, path: str, changes: bool = False) -> int:
    """Sets weights and optimiser states from a checkpoint. Returns the number of finished steps. changes: the training
    may be another, which is said."""
    checkpoint = Checkpoint(path)
    manifest = checkpoint.manifest
    mine, theirs = json.loads(json.dumps(asdict(trainer.shape))), manifest.part("model").value
    for name in sorted({*mine, *theirs}):
        if mine.get(name) != theirs.get(name):
            raise BadInput(path, f"was written for a model with {name} {theirs.get(name)!r}; this one has "
                                 f"{mine.get(name)!r}")
    now = trainer.options.settings.optimizer
    was = settings_of(manifest.part("training").part("settings")).optimizer if "training" in manifest.value else now
    if was != now:
        raise BadInput(path, f"has states of {was}; the plan trains with {now}")
    differences = "; ".join(checkpoint.differences(trainer))
    if differences and not changes:
        raise BadInput(path, f"was trained otherwise ({differences}); --allow-changes goes on all the same")
    if differences and trainer.rank == 0:
        print(f"goes on otherwise than before: {differences}", flush=True)
    for bucket, states in zip(trainer.buckets, trainer.optimizer.states):
        for state in Optimizer.STATES:
            whole = bucket.zeros(bucket.dtype)
            for piece in bucket.pieces:
                piece.within(whole).copy_(checkpoint.read(piece, state))
            states[state].copy_(whole[bucket.own])
        bucket.write(states["master"])
    trainer.optimizer.updates = manifest.whole("updates")
    if trainer.scale.used and manifest.value.get("loss_scale") is not None:  # of fp16, as now
        trainer.scale.value = manifest.number("loss_scale")
        trainer.scale.good = manifest.whole("good_steps")
    return checkpoint.step
