# SPDX-FileCopyrightText: Pipewright contributors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Ranks of run.py as on several nodes: nobody ends them with each other, and each may see other files."""

from __future__ import annotations

import os
import signal
import tempfile
import time
from functools import partial
from typing import Callable, Dict, List, Tuple

import run as runner
from ranks import child

LIMIT_S = 60.0  # within which ranks end that have lost another


def run_as_on_nodes(folder: str, flags: List[str] | Callable[[int], List[str]], world: int,
                    before: Callable[[int], None] = lambda rank: None) -> Tuple[List[int | None], List[str]]:
    """flags: of all ranks, or of each. before: called in each rank's process, ahead of its run. Returns for each rank
    how it ended (None: not within LIMIT_S) and what it said."""
    meeting = tempfile.mkdtemp(dir=folder)

    def act(rank: int) -> int:
        said = os.open(os.path.join(meeting, f"said{rank}"), os.O_WRONLY | os.O_CREAT)
        os.dup2(said, 1)
        os.dup2(said, 2)
        os.environ["GLOO_SOCKET_IFNAME"] = "lo"
        before(rank)
        own = flags if isinstance(flags, list) else flags(rank)
        return runner.run_rank(runner.arguments(own), rank, world, f"file://{meeting}/meeting")

    left: Dict[int, int] = {}
    for rank in range(world):
        left[child(partial(act, rank), LIMIT_S)] = rank
    ended: List[int | None] = [None] * world
    late = time.monotonic() + LIMIT_S
    while left and time.monotonic() < late:
        for pid, rank in list(left.items()):
            gone, status = os.waitpid(pid, os.WNOHANG)
            if gone:
                ended[rank] = os.waitstatus_to_exitcode(status)
                del left[pid]
        time.sleep(0.01)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    said = []
    for rank in range(world):
        with open(os.path.join(meeting, f"said{rank}"), encoding="utf-8") as file:
            said.append(file.read())
    return ended, said
