# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the ranks of a plan as processes of this machine, one thread each, and ends them all when one fails or the time
is up. They are forked, so that PyTorch is loaded once; therefore nothing here computes before they are.
"""

from __future__ import annotations

import faulthandler
import os
import signal
import sys
import tempfile
import traceback
from datetime import timedelta
from pathlib import Path
from typing import Callable, Dict, Tuple

import torch

from untyped import cuda, dist

torch.set_num_threads(1)
ON_GPUS = os.environ.get("PW_RUNNER_DEVICE", "cpu") == "cuda"


def device_of(rank: int) -> torch.device:
    """Called in the rank's own process."""
    return torch.device("cuda", rank % cuda.device_count()) if ON_GPUS else torch.device("cpu")


def join(rank: int, world: int, meeting: str, limit_s: float) -> None:
    os.environ["GLOO_SOCKET_IFNAME"] = os.environ["NCCL_SOCKET_IFNAME"] = "lo"
    if ON_GPUS:
        cuda.set_device(device_of(rank))
        if world > cuda.device_count():
            os.environ.update(NCCL_HOSTID=f"rank{rank}", NCCL_NVLS_ENABLE="0")
    dist.init_process_group("nccl" if ON_GPUS else "gloo", init_method=meeting, rank=rank, world_size=world,
                            timeout=timedelta(seconds=limit_s))


def child(work: Callable[[], int | None], limit_s: float) -> int:
    """A process that ends with what the work returns, None is 0, or with 1 if that raises; it says what."""
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        faulthandler.dump_traceback_later(0.95 * limit_s)  # who waits for ever says where
        code = work() or 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def forked(program: Callable[[], int | None], folder: str, limit_s: float = 200.0) -> Tuple[int, str, str]:
    """What a program ends with, and what it says on standard output and error: a process of its own that has
    PyTorch already. `folder`: for files of what it says."""
    files = [os.path.join(folder, name) for name in ("said", "errors")]

    def work() -> int | None:
        for number, path in enumerate(files, 1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        try:
            return int(program() or 0)
        except SystemExit as end:
            return int(end.code or 0)

    sys.stdout.flush()
    sys.stderr.flush()
    _, status = os.waitpid(child(work, limit_s), 0)
    said, errors = (Path(path).read_text(encoding="utf-8") for path in files)
    return os.waitstatus_to_exitcode(status), said, errors


def run_ranks(world: int, work: Callable[[int], None], beside: Callable[[], None] | None = None, limit_s: float = 60.0,
              quiet: bool = False) -> bool:
    """Calls work(rank) in `world` processes that are joined, and `beside` in one that is not. Whether all
    came to their end. quiet: what they say on standard error is dropped."""
    with tempfile.TemporaryDirectory(prefix="pw-ranks-") as folder:

        def rank_work(rank: int) -> None:
            if quiet:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            join(rank, world, f"file://{folder}/meet", limit_s)
            leaving = dist.new_group(backend="gloo")
            work(rank)
            # Nobody closes a connection that another still reads from. NCCL's own barrier ends on a rank whose
            # thread may still have to send for it.
            dist.barrier(leaving)

        def starting(rank: int) -> Callable[[], None]:
            return lambda: rank_work(rank)

        children: Dict[int, str] = {child(starting(rank), limit_s): f"rank {rank}" for rank in range(world)}
        if beside is not None:
            children[child(beside, limit_s)] = "reference"
        return _wait(children, limit_s)


def _wait(children: Dict[int, str], limit_s: float) -> bool:
    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        while children:
            pid, status = os.wait()
            name = children.pop(pid, None)
            if name is not None and status:
                return False
        return True
    except TimeoutError:
        print(f"not ended after {limit_s:g} s: {', '.join(children.values())}", file=sys.stderr)
        return False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)
        for pid in children:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
