# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs the ranks of a plan as processes of this machine, one thread each, and ends them all when one fails or the time
is up. They are forked, so that PyTorch is loaded once; therefore nothing here computes before they are.
"""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import traceback
from datetime import timedelta
from typing import Callable, Dict

import torch

from untyped import dist

torch.set_num_threads(1)


def _child(work: Callable[[], None]) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code)


def run_ranks(world: int, work: Callable[[int], None], beside: Callable[[], None] | None = None, limit_s: float = 60.0,
              quiet: bool = False) -> bool:
    """Calls work(rank) in `world` processes that are joined over gloo, and `beside` in one that is not. Whether all
    came to their end. quiet: what they say on standard error is dropped."""
    with tempfile.TemporaryDirectory(prefix="pw-ranks-") as folder:

        def rank_work(rank: int) -> None:
            if quiet:
                os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            os.environ["GLOO_SOCKET_IFNAME"] = "lo"
            dist.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=world,
                                    timeout=timedelta(seconds=limit_s))
            work(rank)
            dist.barrier()  # nobody closes a connection that another still reads from

        def starting(rank: int) -> Callable[[], None]:
            return lambda: rank_work(rank)

        children: Dict[int, str] = {_child(starting(rank)): f"rank {rank}" for rank in range(world)}
        if beside is not None:
            children[_child(beside)] = "reference"
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
