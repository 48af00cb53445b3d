#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Times the layers of a transformer on the GPUs at hand, for `pipewright-cli profiles import`.

One embedding, one block of each kind and one head are built with random weights, so that a model of any size fits, and
forward pass, backward pass and update of each are timed. They are the layers of samples/runner, which has to lie beside
this folder; --stack megatron-core times the installed Transformer Engine's in place of the blocks.
    profile_layers.py --model llama3-8b --config config.json --seq 4096 --tp 1,2,4,8 --out rows.json
    profile_layers.py --plan plan.json --out rows.json      the sizes that a plan has on GPUs of this kind
Started by torchrun with N processes, it times tp N over all of them, on several machines too. README.md beside this
file describes the output. Exit codes: 0 done, 1 failed, 2 bad input, 3 cannot be timed here.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import statistics
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, Sequence, Tuple

import beside_runner  # noqa: F401
import torch
import torch.multiprocessing

import megatron_stack
from collectives import Group, all_reduce
from errors import BadInput, Refused
from functions import TensorRanks
from model_config import Timed, check_tp, of_config, of_plan, of_sizes
from plan import read_plan
from shape import shape_of
from timed_layers import timed_layer
from timing import Alone
from untyped import cuda, dist

DTYPES = {"fp32": torch.float32, "tf32": torch.float32, "fp16": torch.float16, "bf16": torch.bfloat16}
# What the driver calls a GPU, where the catalogue has another name for it than that less "NVIDIA ".
KINDS = {
    "H100 80GB HBM3": "H100-SXM-80GB",
    "H100 PCIe": "H100-PCIe-80GB",
    "H200": "H200-141GB",
    "GeForce RTX 3090": "RTX 3090",
    "GeForce RTX 4090": "RTX 4090",
    "L40S": "L40S-48GB",
}
MOST_TP = 8
IN_A_ROW_S, MOST_IN_A_ROW = 0.05, 8  # passes on a GPU that are timed together: starting the first is little of that
SIZES = ("hidden", "blocks", "heads", "kv-heads", "head-dim", "ffn", "vocabulary")

NO_ROOM = 75  # exit code of a rank that is out of memory
LEFT_OUT = "left out"

Row = Dict[str, Any]


def arguments(given: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--model", default="", help="the model's name, as Pipewright has it")
    add("--plan", help="a plan document, FILE or FILE:k: its model, sequence, precision, and the sizes of its stages")
    add("--config", help="a Hugging Face config.json in place of the sizes")
    for name in SIZES:
        add("--" + name, type=int)
    add("--gated", action="store_true", help="the feed-forward part is gated (SwiGLU)")
    add("--rms-norm", action="store_true", help="norms are RMS norms")
    add("--seq", type=int, help="tokens of a sequence")
    add("--mbs", help="micro-batches, in sequences (1,2,4,8)")
    add("--tp", help="tensor-parallel sizes, as in 1,2,4,8 (without: those of them that model and GPUs here allow)")
    add("--precision", choices=tuple(DTYPES))
    add("--stack", choices=("runner", "megatron-core"), default="runner", help="whose blocks")
    add("--kind", help="device kind of Pipewright's catalogue, where the driver's name is none")
    add("--repeat", type=int, default=20)
    add("--warmup", type=int, default=5)
    add("--out", required=True)
    a = parser.parse_args(given)
    if a.plan is None and (a.seq is None or not a.model):
        raise BadInput("--seq, --model", "are needed without --plan")
    if a.repeat < 1 or a.warmup < 0 or (a.seq is not None and not 1 <= a.seq <= 10 ** 8):
        raise BadInput("--repeat, --warmup, --seq", "expected 1, 0 and 1 at least")
    for name in SIZES:
        value = getattr(a, name.replace("-", "_"))
        if value is not None and not 1 <= value <= 10 ** 9:
            raise BadInput(f"--{name}", f"{value}; expected at least 1")
    for flag, value in (("--config", a.config), ("--mbs", a.mbs), ("--tp", a.tp)):
        if a.plan and value:
            raise BadInput(flag, "goes without --plan, which has it")
    if not os.path.isdir(os.path.dirname(a.out) or ".") or os.path.isdir(a.out):
        raise BadInput("--out", f"{a.out} is no file, or lies in no folder")
    if a.precision == "fp16" and not cuda.is_available():
        raise Refused("E_PRECISION", "--precision fp16", "CPUs do not multiply it with PyTorch 1.13")
    if a.kind and a.kind != "CPU" and not cuda.is_available():
        print(f"warning: this machine's CPUs are timed, and the rows say {a.kind}, as --kind does", file=sys.stderr)
    return a


def is_one_of_several() -> bool:
    """Started by torchrun."""
    return "RANK" in os.environ and "WORLD_SIZE" in os.environ


def numbers_of(flag: str, text: str) -> List[int]:
    parts = text.split(",")
    if not all(part.isascii() and part.isdigit() and 1 <= int(part) < 10 ** 6 for part in parts):
        raise BadInput(flag, f"{text!r}; expected whole numbers with commas between them")
    return sorted({int(part) for part in parts})


def timed_of(a: argparse.Namespace) -> Timed:
    if not a.plan:
        a.precision = a.precision or "bf16"
        return of_config(a.model, a.config, a.seq) if a.config else of_sizes(a)
    name, colon, number = a.plan.rpartition(":")
    path, place = (name, int(number)) if colon and number.isascii() and number.isdigit() else (a.plan, 1)
    plan = read_plan(path, place, a.precision)
    a.seq, a.precision = a.seq or plan.seq, plan.precision
    return of_plan(plan, shape_of(plan.model), a.kind or kind_of())


def kind_of() -> str:
    if not cuda.is_available():
        return "CPU"
    name = str(cuda.get_device_name(0))
    for maker in ("NVIDIA ", "Tesla ", "AMD "):
        name = name[len(maker):] if name.startswith(maker) else name
    return KINDS.get(name, name)


def versions(stack: str) -> str:
    text = f"torch {torch.__version__}"
    if cuda.is_available():
        text += f", CUDA {torch.version.cuda}, NCCL {'.'.join(map(str, cuda.nccl.version()))}"
        try:
            query = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
            text += ", driver " + subprocess.check_output(query, text=True).splitlines()[0].strip()
        except (OSError, subprocess.CalledProcessError, IndexError):
            pass  # not NVIDIA's, or not allowed to ask: the version stays unstated
    return text + (f", {megatron_stack.versions()}" if stack == "megatron-core" else "")


def sizes_of(a: argparse.Namespace, timed: Timed) -> Dict[int, List[int]]:
    """Micro-batches by tensor-parallel size."""
    batches = numbers_of("--mbs", a.mbs or "1,2,4,8")
    if timed.wanted:
        wanted = timed.wanted
    elif a.tp:
        wanted = {tp: batches for tp in numbers_of("--tp", a.tp)}
    else:
        here = cuda.device_count() if cuda.is_available() else 1
        wanted = {tp: batches for tp in (1, 2, 4, 8) if tp <= min(here, MOST_TP)}
        for tp in [tp for tp in wanted if check_tp(timed, tp)]:
            print(f"tp {tp} left out: {check_tp(timed, tp)}", file=sys.stderr)
            del wanted[tp]
    for tp in wanted:
        if check_tp(timed, tp):
            raise BadInput("--tp", f"{tp}: {check_tp(timed, tp)}")
        if cuda.is_available() and tp > cuda.device_count():
            raise BadInput("--tp", f"{tp}; {cuda.device_count()} GPUs are here; torchrun goes over several machines")
    return wanted


def passes_in_a_row(took: float, peak: int, states: int, capacity: int) -> int:
    """How many passes that took so many seconds are timed together: the activations of all of them are held at once."""
    room = (0.8 * capacity - states) / max(1, peak - states)
    return max(1, min(MOST_IN_A_ROW, int(IN_A_ROW_S / took), int(room)))


def least(count: int, group: Group, device: torch.device) -> int:
    """Over the group, all of which must do as many."""
    return -int(all_reduce(torch.tensor([-count], dtype=torch.float64, device=device), group, largest=True))


def measure(layer: Any, inputs: Any, repeat: int, warmup: int, device: torch.device, group: Group) -> Dict[str, float]:
    """Medians in seconds, 1 less the spread of both passes together, and the peak in bytes."""
    memory, in_a_row, on_gpu = 0, 1, device.type == "cuda"
    if on_gpu:
        warmup = max(2, warmup)  # the first passes load their kernels
        cuda.reset_peak_memory_stats()
        states = int(cuda.memory_allocated())
    forward, backward, update = [], [], []
    for turn in range(warmup + repeat):
        passes = layer.passes(*inputs(), in_a_row)
        updated = layer.update()
        if turn >= warmup:
            forward.append(passes[0])
            backward.append(passes[1] + passes[2])
            update.append(updated)
        elif turn == warmup - 1 and on_gpu:
            memory = int(cuda.max_memory_allocated())
            capacity = int(cuda.get_device_properties(device).total_memory)
            in_a_row = least(passes_in_a_row(sum(passes), memory, states, capacity), group, device)
    together = sorted(f + b for f, b in zip(forward, backward))
    quarter = len(together) // 4
    spread = (together[-1 - quarter] - together[quarter]) / statistics.median(together)
    return {"forward_s": statistics.median(forward), "backward_s": statistics.median(backward),
            "update_s": statistics.median(update), "memory": memory,
            "confidence": min(1.0, max(0.01, 1.0 - spread))}


def rows_of(a: argparse.Namespace, timed: Timed, tp: int, batches: List[int], rank: int) -> List[Row]:
    """What one of tp ranks has measured: embedding, blocks, head at every micro-batch. All of them call it."""
    on_gpu = cuda.is_available()
    device = torch.device("cuda", cuda.current_device()) if on_gpu else torch.device("cpu")
    if on_gpu:
        torch.backends.cuda.matmul.allow_tf32 = a.precision == "tf32"
    dtype, shape = DTYPES[a.precision], timed.shape
    ranks = TensorRanks(Group(tuple(range(tp)), rank, dist.group.WORLD if tp > 1 else None))
    kind = a.kind or kind_of()
    same = {"model": timed.name, "kind": kind, "tp": tp, "seq": a.seq, "precision": a.precision, "licence": "",
            "source": f"profile_layers.py {timed.name} on {kind}" + (
                ", blocks of Transformer Engine" if a.stack == "megatron-core" else ""),
            "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(), "software": versions(a.stack)}
    layers: List[Tuple[List[int], List[int]]] = [([0], [0])]  # fine layers, and the rows that they stand for
    for blocks in timed.kinds_of_block().values():
        layers.append(([2 * blocks[0] + 1, 2 * blocks[0] + 2], [block + 1 for block in blocks]))
    layers.append(([shape.layers() - 1], [shape.blocks + 1]))
    given = Alone(shape, [], [], tp, ranks, dtype, device)  # makes inputs

    def found(mbs: int, fine: List[int]) -> Dict[str, float]:
        torch.manual_seed(1)
        if a.stack == "megatron-core" and len(fine) == 2:
            layer: Any = megatron_stack.block(timed, fine[0] // 2, a.seq, ranks, dtype, device)
        else:
            layer = timed_layer(timed, fine, tp, ranks, dtype, device)

        def inputs() -> Tuple[torch.Tensor, torch.Tensor]:
            ids = given.ids(a.seq, mbs)
            return (ids if fine == [0] else given.states(a.seq, mbs)), ids

        return measure(layer, inputs, a.repeat, a.warmup, device, ranks.group)

    rows: List[Row] = []
    for mbs in batches:
        for fine, numbers in layers:
            try:
                figures = found(mbs, fine)
            except RuntimeError as error:  # also torch.cuda.OutOfMemoryError
                if "out of memory" not in str(error):
                    raise
                if tp > 1:  # the others of the group wait for this rank: nobody goes on
                    print(f"{LEFT_OUT}: rank {rank} is out of memory", file=sys.stderr, flush=True)
                    os._exit(NO_ROOM)
                print(f"tp 1, micro-batch {mbs}: fine layers {fine} do not fit, left out", file=sys.stderr)
                continue
            rows += [{**same, "layer": number, "mbs": mbs, **figures} for number in numbers]
    return rows


def rank_main(rank: int, a: argparse.Namespace, timed: Timed, tp: int, batches: List[int], meeting: str,
              out: str) -> None:
    """One of the processes that share tp GPUs of this machine."""
    if cuda.is_available():
        cuda.set_device(rank)
    else:
        torch.set_num_threads(1)
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    dist.init_process_group("nccl" if cuda.is_available() else "gloo", init_method=meeting, rank=rank, world_size=tp)
    leaving = dist.new_group(backend="gloo")
    rows = rows_of(a, timed, tp, batches, rank)
    if rank == 0:
        with open(out, "w", encoding="utf-8") as file:
            json.dump(rows, file)
    dist.barrier(leaving)  # NCCL's own ends on a rank whose thread may still have to send for it
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)  # gloo of PyTorch 2.6 may wait for ever in destroy_process_group once a neighbour has left


def here(a: argparse.Namespace, timed: Timed, tp: int, batches: List[int]) -> List[Row]:
    """Over processes of this machine, which leave nothing on its GPUs. Of several, a micro-batch at a time: where one
    has no room, the others wait for it in a collective and end with it."""
    if tp == 1 and not cuda.is_available():
        return rows_of(a, timed, 1, batches, 0)
    rows: List[Row] = []
    for some in [batches] if tp == 1 else [[mbs] for mbs in batches]:
        with tempfile.TemporaryDirectory(prefix="pipewright-profile-") as folder:
            out = os.path.join(folder, "rows.json")
            try:
                torch.multiprocessing.spawn(rank_main, (a, timed, tp, some, f"file://{folder}/meeting", out), tp)
            except torch.multiprocessing.ProcessExitedException as error:
                if error.exit_code != NO_ROOM:
                    raise
                print(f"tp {tp}, micro-batch {some[0]}: does not fit, {LEFT_OUT}", file=sys.stderr)
                continue
            with open(out, encoding="utf-8") as file:
                rows += json.load(file)
    return rows


def under_torchrun(a: argparse.Namespace, timed: Timed) -> List[Row]:
    tp, rank = int(os.environ["WORLD_SIZE"]), int(os.environ["RANK"])
    if a.tp and numbers_of("--tp", a.tp) != [tp]:
        raise BadInput("--tp", f"{a.tp}; torchrun started {tp} processes")
    if check_tp(timed, tp):
        raise BadInput("torchrun", f"{tp} processes: {check_tp(timed, tp)}")
    if cuda.is_available():
        cuda.set_device(int(os.environ.get("LOCAL_RANK", "0")))
    if tp > 1:
        dist.init_process_group("nccl" if cuda.is_available() else "gloo")
        leaving = dist.new_group(backend="gloo")
    batches = (timed.wanted or {}).get(tp) or numbers_of("--mbs", a.mbs or "1,2,4,8")
    rows = rows_of(a, timed, tp, batches, rank)
    if tp > 1:
        dist.barrier(leaving)
    return rows if rank == 0 else []


def main(given: Sequence[str] | None = None) -> int:
    try:
        a = arguments(given)
        timed = timed_of(a)
        if a.stack == "megatron-core":
            megatron_stack.check(timed)  # before anything is timed
        if is_one_of_several():
            rows = under_torchrun(a, timed)
        else:
            rows = [row for tp, batches in sizes_of(a, timed).items() for row in here(a, timed, tp, batches)]
    except (BadInput, Refused) as error:
        print(error, file=sys.stderr)
        return 3 if isinstance(error, Refused) else 2
    if not is_one_of_several() or os.environ["RANK"] == "0":
        with open(a.out + ".part", "w", encoding="utf-8") as file:
            json.dump({"schema": "pipewright-profiles-1", "rows": rows}, file, indent=1)
            file.write("\n")
        os.replace(a.out + ".part", a.out)
        print(f"{len(rows)} rows written to {a.out}")
        return 0 if rows else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
