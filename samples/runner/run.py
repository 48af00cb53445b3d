#!/usr/bin/env python3
# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Trains a decoder-only transformer as a plan document of Pipewright says.

On a cluster torchrun starts it, a process a GPU in use, nodes in the order of the plan's cluster:
    torchrun --nnodes N --node_rank I --nproc_per_node G --master_addr A --master_port P run.py --plan plan.json ...
On this machine alone, --here starts all ranks of the plan, over gloo and a thread each:
    python3 run.py --plan plan.json --here --tiny --steps 3 --out run.json
README.md beside this file says what is run, and what is refused.
"""

from __future__ import annotations

import argparse
import ctypes
import glob
import hashlib
import os
import re
import signal
import sys
import tempfile
from datetime import timedelta
from typing import Any, Dict, List, Tuple

try:
    import torch
except ImportError:
    print("run.py: this Python has no PyTorch, which has to be 1.13 or later", file=sys.stderr)
    sys.exit(2)

from checkpoint import SEEN_WITHIN_S, checkpoints, load_newest, save, see_alike, together
from emulation import (LEAST_SLACK, Links, Pace, Rows, busy_words, core_while, measure_rows, slots_of, slow_downs,
                       step_by_slots)
from errors import BadInput, Refused
from flags import MOST_RANKS, check, started_as
from network import choose_interface
from optimizer import Settings
from order import pass_orders, read_order, same_order_beside
from placement import Placement, check_divisions
from plan import Plan, read_plan, split_device
from run_record import RunRecord, write_record
from shape import Shape, as_tiny, shape_of, with_config
from tokens import open_tokens
from trainer import Options, Trainer
from untyped import cuda, dist, fused_adamw
from weights import PublicWeights


def arguments(given: List[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--plan", required=True, help="plan document, FILE or FILE:k for the k-th plan")
    add("--order", nargs="+", metavar="CSV", help="order of passes, a torch schedule file for each pipeline")
    add("--here", action="store_true", help="start all ranks on this machine")
    add("--emulate", action="store_true", help="that, with passes and links as slow to each other as the plan's")
    add("--slack", type=float, default=LEAST_SLACK, metavar="X",
        help="emulated passes last X x ranks / cores as long as alone (3, the least)")
    add("--link-slow-down", type=float, default=1.0, metavar="X", help="of emulated links (1: as the cluster has them)")
    add("--most-ranks", type=int, default=MOST_RANKS, metavar="N",
        help=f"with --here and --emulate: ranks that this machine is to take on, a process each ({MOST_RANKS})")
    add("--tiny", action="store_true", help="the plan's shape with small widths, in fp32")
    add("--steps", type=int, default=10, help="steps of the whole training (10)")
    add("--dry-run", type=int, metavar="N", help="N steps on synthetic tokens from random weights, nothing saved")
    add("--out", metavar="FILE", help="write run.json")
    add("--record", type=int, metavar="N",
        help="record the operations of the last N steps only (without, of all: some 200 bytes each)")
    add("--precision", choices=("fp32", "tf32", "fp16", "bf16"), help="in place of the plan's")
    add("--config", help="config.json of Hugging Face: activation, rotary base, epsilon")
    add("--weights", metavar="DIR",
        help="weights of Hugging Face (safetensors), with the config.json beside them; random ones without")
    add("--tokens", metavar="FILE", help="tokens, .bin beside .idx, .u16 or .u32; synthetic ones without")
    add("--token-bytes", type=int, choices=(2, 4))
    add("--seed", type=int, default=1, help="of weights and of the order of tokens (1)")
    add("--checkpoints", metavar="DIR", help="a folder that all ranks see")
    add("--save-every", type=int, default=0, metavar="N", help="steps; without, the last step only")
    add("--keep", type=int, default=2, metavar="N", help="checkpoints that are kept (2)")
    add("--resume", action="store_true", help="go on from the last whole checkpoint")
    add("--allow-changes", action="store_true",
        help="with that: though batch, sequence, seed, tokens, rates so far, decay or clipping are others")
    add("--rate", type=float, default=3e-4, help="learning rate (0.0003)")
    add("--least-rate", type=float, default=0.0, help="at the end of the cosine (0)")
    add("--warm-up", type=int, default=0, metavar="N", help="steps")
    add("--decay", type=float, default=0.1, help="weight decay (0.1)")
    add("--clip", type=float, default=1.0, help="largest norm of the gradient, 0 for any (1)")
    add("--fused-update", action="store_true",
        help="AdamW in one kernel, on GPUs with PyTorch 2.0 or later; predicted by the recipe's fused_update on")
    add("--limit", type=float, default=1800.0, help="seconds that a rank waits for another (1800)")
    a = parser.parse_args(given)
    a.steps = a.dry_run if a.dry_run is not None else a.steps
    return a


def read_problem(a: argparse.Namespace, on_gpus: bool) -> Tuple[Plan, Shape]:
    name, colon, number = a.plan.rpartition(":")
    path, place = (name, int(number)) if colon and number.isascii() and number.isdigit() else (a.plan, 1)
    plan = read_plan(path, place, a.precision)
    shape = shape_of(plan.model)
    beside = os.path.join(a.weights, "config.json") if a.weights else ""
    config = a.config or (beside if os.path.exists(beside) else "")
    if config:
        shape = with_config(shape, str(plan.model.get("family")), config)
    check_divisions(plan, shape)
    if a.order and len(a.order) != len(plan.pipelines):
        raise BadInput("--order", f"{len(a.order)} files; the plan has {len(plan.pipelines)} pipelines")
    if a.tiny:
        plan, shape = as_tiny(plan, shape)
    elif plan.precision == "fp16" and not on_gpus:
        raise Refused("E_PRECISION", a.plan, "CPUs do not multiply fp16 with PyTorch 1.13; --precision fp32 does")
    if a.fused_update and not (on_gpus and fused_adamw):
        raise BadInput("--fused-update", "needs GPUs and PyTorch 2.0 or later")
    if a.fused_update and plan.optimizer != "adam":
        raise BadInput("--fused-update", f"is of AdamW; the plan has {plan.optimizer}")
    return plan, shape


def order_files(a: argparse.Namespace, plan: Plan) -> List[str]:
    """For each pipeline the file with the order of its passes: the flag's, else the one that the document names."""
    folder = os.path.dirname(a.plan)
    return a.order or [os.path.join(folder, p.order) if p.order else "" for p in plan.pipelines]


Scene = Tuple[Rows, Links]  # what ranks of an emulation share
# What gloo, NCCL and sockets say where another rank is gone or does not answer.
GONE = re.compile(r"closed by peer|connection (?:was )?(?:reset|refused|closed)|socket closed|broken pipe|timed out|"
                  r"timeout|connect(?:ion)? fail|remote process exited|NCCL error|unhandled system error", re.I)


def train(a: argparse.Namespace, plan: Plan, shape: Shape, rank: int, device: torch.device, control: Any,
          scene: Scene | None) -> None:
    settings = Settings(a.rate, a.least_rate, a.warm_up, a.steps, decay=a.decay, clip=a.clip, optimizer=plan.optimizer)
    orders = [pass_orders(p) for p in plan.pipelines]
    for place, path in enumerate(order_files(a, plan)):
        if path:
            orders[place] = read_order(path, plan.pipelines[place])
            if device.type == "cuda":
                same_order_beside(path, plan.pipelines[place], orders[place])
    tokens = open_tokens(a.tokens, a.token_bytes, (shape.vocab, plan.seq, plan.gbs), a.seed)
    trainer = Trainer(plan, shape, tokens, rank, device,
                      Options(settings, a.seed, orders=orders, limit_s=a.limit, fused_update=a.fused_update))
    done = 0
    if a.checkpoints:
        see_alike(trainer, a.checkpoints, min(a.limit / 2, SEEN_WITHIN_S))  # who sees it waits for who does not
    if a.resume:
        done = load_newest(trainer, a.checkpoints, a.allow_changes)
    elif a.weights:
        PublicWeights(a.weights, shape, str(plan.model.get("family"))).into(trainer.buckets)
        trainer.optimizer.take_weights()
    pace: Pace | None = None
    if scene is not None:
        slow_down = slow_downs(plan)[split_device(trainer.place.device)[0]]
        slots = slots_of(trainer.placement, trainer.place, scene[0], slow_down, a.slack, trainer.executor.split)
        pace = Pace(slots, trainer.clock)
        trainer.executor.emulate(pace, scene[1])
        if rank == 0:
            print(f"emulated: a step takes {step_by_slots(trainer.placement, orders, scene[0], a.slack):.3g} s by its "
                  f"slots, and transfers, sums and the update besides; steps to do: {a.steps - done}, the first "
                  "one cold", flush=True)
    record = RunRecord(trainer)
    trainer.meet()
    first = max(done, a.steps - a.record) if a.record is not None else done
    for step in range(done, a.steps):
        start = trainer.clock()
        result = trainer.step(step, a.out is not None and step >= first)
        record.add(step, start, result)
        if pace is not None and step == done and step + 1 < a.steps:
            pace.forget()
        if rank == 0:
            print(f"step {step}  loss {result.loss:.6f}  gradient {result.norm:.4g}  {result.seconds:.3f} s",
                  flush=True)
        last = step == a.steps - 1
        if a.checkpoints and (last or (a.save_every and (step + 1) % a.save_every == 0)):
            save(trainer, a.checkpoints, step + 1, a.keep)
    head: Dict[str, Any] = {"plan": a.plan, "tiny": a.tiny, "fused_update": a.fused_update,
                            "precision": plan.precision if scene is None else plan.rates}
    if pace is not None:
        head["emulation"] = kept = pace.over_all(trainer.world, device)
        if rank == 0:
            print(f"emulated: {kept['real_share']:.0%} of the slots was real work, {kept['late_passes']} of "
                  f"{kept['passes']} passes took longer than theirs", flush=True)
            if kept["disturbed"]:
                print("warning: passes did not keep to their slots, so that times are this machine's more than the "
                      f"plan's; --slack {2 * a.slack:g} makes longer ones", file=sys.stderr, flush=True)
    if a.out:
        rows = record.gather(control)
        if rows is not None:
            write_record(a.out, record.document(rows, scene is not None, head, plan.document))
    together(trainer)  # nobody closes a connection that another still reads from
    trainer.close()


def run_rank(a: argparse.Namespace, rank: int, world: int, meeting: str, scene: Scene | None = None) -> int:
    on_gpus = cuda.is_available() and not (a.here or a.emulate)
    try:
        plan, shape = read_problem(a, on_gpus)
        if len(plan.devices()) != world:
            raise BadInput(a.plan, f"takes {len(plan.devices())} ranks; {world} were started")
        device = torch.device("cuda", started_as("LOCAL_RANK", 0)) if on_gpus else torch.device("cpu")
        if on_gpus:
            cuda.set_device(device)
        if meeting.startswith("env:") and started_as("LOCAL_WORLD_SIZE", world) < world:
            choose_interface(os.environ.get("MASTER_ADDR", ""))
        dist.init_process_group("nccl" if on_gpus else "gloo", init_method=meeting, rank=rank, world_size=world,
                                timeout=timedelta(seconds=a.limit))
        control = dist.new_group(backend="gloo", timeout=timedelta(seconds=a.limit)) if on_gpus else None
        train(a, plan, shape, rank, device, control, scene)
    except RuntimeError as error:
        if not GONE.search(str(error)):
            raise
        if not has_said_why(meeting):
            print(f"rank {rank}: another rank is gone or does not answer ({str(error).splitlines()[0]}); "
                  f"{what_is_left(a)}", file=sys.stderr, flush=True)
        return 1
    except FloatingPointError as error:
        if is_first_to_say(str(error), meeting) and (rank == 0 or meeting.startswith(FOLDER)):
            print(f"{error}; {what_is_left(a)}", file=sys.stderr, flush=True)
        return 1
    except BrokenPipeError:
        print(f"rank {rank}: nobody reads what it says any more; {what_is_left(a)}", file=sys.stderr, flush=True)
        return 1
    except OSError as error:
        print(f"rank {rank}: {error.filename or 'a file'}: {error.strerror or error}; {what_is_left(a)}",
              file=sys.stderr, flush=True)
        return 1
    except (BadInput, Refused) as error:
        if is_first_to_say(str(error), meeting):
            print(error if rank == 0 else f"rank {rank}: {error}", file=sys.stderr, flush=True)
        return 3 if isinstance(error, Refused) else 2
    return 0


def what_is_left(a: argparse.Namespace) -> str:
    there = checkpoints(a.checkpoints) if a.checkpoints else []
    return f"--resume goes on behind step {there[-1]} of {a.checkpoints}" if there else "no checkpoint was written"


FOLDER = "file://"  # of a meeting that all ranks of a machine see


def has_said_why(meeting: str) -> bool:
    """Whether a rank that is gone has said what was wrong; whoever waits for it has nothing to add."""
    return meeting.startswith(FOLDER) and bool(glob.glob(glob.escape(meeting[len(FOLDER):]) + "-*"))


def is_first_to_say(words: str, meeting: str) -> bool:
    """What every rank finds is said once where they share a folder; what one of them finds is said in any case."""
    if not meeting.startswith(FOLDER):
        return True
    try:
        with open(f"{meeting[len(FOLDER):]}-{hashlib.sha256(words.encode()).hexdigest()[:16]}", "x"):
            return True
    except FileExistsError:
        return False


def end_with_parent(parent: int) -> None:
    """Linux tells a process when its parent dies, whatever killed that."""
    PR_SET_PDEATHSIG = 1
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGTERM)
        if os.getppid() != parent:  # it died before
            os._exit(1)


def run_here(a: argparse.Namespace) -> int:
    """All ranks as processes of this machine, forked before anything is computed. If one fails, all end."""
    torch.set_num_threads(1)
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    plan, shape = read_problem(a, False)
    world = len(plan.devices())
    if world > a.most_ranks:
        raise BadInput(a.plan, f"takes {world} ranks, which would be {world} processes of this machine; at most "
                               f"{a.most_ranks} are started: take a smaller plan, or --most-ranks {world}")
    for stop in (signal.SIGTERM, signal.SIGHUP):  # an end as any other: folder and ranks go, too
        signal.signal(stop, lambda number, frame: sys.exit(128 + number))
    with tempfile.TemporaryDirectory(prefix="pipewright-run-") as folder:
        scene = make_scene(a, plan, shape, os.path.join(folder, "rows")) if a.emulate else None
        children: Dict[int, int] = {}  # rank by process
        parent = os.getpid()
        for rank in range(world):
            pid = os.fork()
            if pid == 0:
                code = 1
                try:
                    for stop in (signal.SIGTERM, signal.SIGHUP):
                        signal.signal(stop, signal.SIG_DFL)
                    end_with_parent(parent)
                    code = run_rank(a, rank, world, f"{FOLDER}{folder}/meeting", scene)
                except Exception as error:
                    print(f"rank {rank}: {type(error).__name__}: {error}", file=sys.stderr, flush=True)
                finally:
                    sys.stdout.flush()
                    os._exit(code)
            children[pid] = rank
        worst = 0
        while children:
            pid, status = os.wait()
            rank = children.pop(pid)
            code = os.waitstatus_to_exitcode(status)
            if code and not worst:
                worst = code if code > 0 else 1
                if code < 0:
                    print(f"rank {rank} was ended by signal {-code}; {what_is_left(a)}", file=sys.stderr, flush=True)
                for other in children:
                    os.kill(other, signal.SIGTERM)
    return worst


def make_scene(a: argparse.Namespace, plan: Plan, shape: Shape, path: str) -> Scene:
    """Measured in a process of its own: ranks are forked from one that has computed nothing. What the machine did
    besides is said."""
    placement = Placement(plan, shape)
    slow_downs(plan)  # says what is missing before anything is measured
    links = Links(plan, a.link_slow_down)
    load = os.getloadavg()[0]
    print("emulated: the layers are timed alone", flush=True)
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            torch.save(core_while(lambda: measure_rows(placement, plan.seq)), path)
            code = 0
        finally:
            os._exit(code)
    if os.waitpid(pid, 0)[1]:
        raise RuntimeError("the layers could not be measured")
    rows, share = torch.load(path)
    if busy := busy_words(share, load):
        print(busy, file=sys.stderr, flush=True)
    return rows, links


def main(given: List[str] | None = None) -> int:
    a = arguments(given)
    try:
        check(a)
        if a.here or a.emulate:
            return run_here(a)
        return run_rank(a, started_as("RANK", 0), started_as("WORLD_SIZE", 1),
                        "env://" if "RANK" in os.environ else f"{FOLDER}{tempfile.mkdtemp()}/meeting")
    except (BadInput, Refused) as error:
        print(error, file=sys.stderr)
        return 3 if isinstance(error, Refused) else 2


if __name__ == "__main__":
    sys.exit(main())
